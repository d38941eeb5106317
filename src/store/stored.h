/* stored.h - runs as the store has them, for readers: reports, results, exports.
 *
 * Texts of a run are copies in the caller's arena; what a visitor gets is lent during the visit.
 */
#ifndef HONE_STORE_STORED_H
#define HONE_STORE_STORED_H

#include "base/memory.h"
#include "store/store.h"

struct hone__stored {
  struct hone__evaluation evaluation;
  bool confirmed;
  enum hone_verdict verdict; /* of the confirmation */
  double speedup, low, high;
  int64_t pairs, restarts;
  double time_ns, baseline_ns; /* of confirmation */
  int64_t times;               /* raw samples of it in all */
  const char *made;
};
typedef bool hone__stored_visit(void *data, const struct hone__stored *stored);
hone_status hone__store_each(struct hone_store *store, int64_t run, hone__stored_visit *visit,
                             void *data);
/* Lent during the visit. */
typedef void hone__samples_visit(void *data, const struct hone__samples *samples);
hone_status hone__store_samples(struct hone_store *store, int64_t evaluation,
                                hone__samples_visit *visit, void *data);

struct hone__store_run_stored {
  struct hone__store_run_record record;
  struct hone__store_run_result result;
  const char *started, *ended;
};
/* `run` 0: the newest. NOT_FOUND. */
hone_status hone__store_run(struct hone_store *store, int64_t run, struct hone__arena *arena,
                            struct hone__store_run_stored *out_run);
/* ---- What is proved to be best ---- */

struct hone__proved {
  int64_t run;
  enum hone_verdict verdict;
  const char *config; /* NULL: there is none */
  const char *device;
  double speedup, low, high;
};
struct hone__proved_seen { /* runs of the kernel that were looked at */
  size_t runs, of_problem, of_device, inconclusive, suspicious;
};
/* Of the newest finished run of this kernel, problem and device (NULL: any) that proves something.
 */
hone_status hone__store_proved(struct hone_store *store, const char *kernel, const char *problem,
                               const char *device, struct hone__arena *arena,
                               struct hone__proved *out_proved, struct hone__proved_seen *out_seen);

typedef void hone__log_visit(void *data, const char *at, const char *line);
hone_status hone__store_log_lines(struct hone_store *store, int64_t run, hone__log_visit *visit,
                                  void *data);

#endif
