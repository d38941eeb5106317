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

struct hone__run_stored {
  struct hone__run_record record;
  struct hone__run_result result;
  const char *started, *ended;
};
/* `run` 0: the newest. NOT_FOUND. */
hone_status hone__store_run(struct hone_store *store, int64_t run, struct hone__arena *arena,
                            struct hone__run_stored *out_run);
typedef void hone__log_visit(void *data, const char *at, const char *line);
hone_status hone__store_log_lines(struct hone_store *store, int64_t run, hone__log_visit *visit,
                                  void *data);

#endif
