/* tuned.h - what a run has found, with everything that an export says of it.
 *
 * Texts lie in the caller's arena; "" and NaN where there is nothing.
 */
#ifndef HONE_EXPORT_TUNED_H
#define HONE_EXPORT_TUNED_H

#include "base/text.h"
#include "spec/params.h"
#include "store/stored.h"

struct hone__tuned {
  int64_t run;
  const char *kernel;
  const char *problem; /* "M=256 N=512" */
  const struct hone__spec_param *sizes;
  size_t size_count;
  const char *device, *family, *alias; /* "NVIDIA H200", "sm_90", "NVIDIA_H200" */
  const char *driver, *compiler, *hone, *date;
  const char *baseline; /* its configuration */
  const char *source;   /* digest of the baseline's source and build */
  const char *config;   /* the winner's, or the baseline's if nothing is faster */
  const struct hone__spec_param *params;
  size_t param_count;
  const char *prefix;       /* of macros: `build.define_prefix` */
  const char *const *flags; /* of `build.flags`: those with parameters, "-O3" */
  size_t flag_count;
  const char *lost_flag; /* one whose value is not known, "-O{LEVEL + 1}"; NULL: there is none */
  enum hone_verdict verdict;
  double speedup, low, high, confidence;
  const char *unproved; /* why it is not proved; NULL: it is */
};

/* `config` replaces the winner's; NULL. NOT_FOUND: no such run, or it has no such configuration. */
hone_status hone__tuned_load(struct hone_store *store, int64_t run, const char *config,
                             struct hone__arena *arena, struct hone__tuned *out_tuned);
/* NOT_FOUND: there is no proof. */
hone_status hone__tuned_check(const struct hone__tuned *tuned);

/* "1.50x (95 % interval 1.40 to 1.60)"; "not measured". */
void hone__tuned_print_speedup(const struct hone__tuned *tuned, struct hone__text *text);

/* The parameters of "M=256 N=512". */
const struct hone__spec_param *hone__export_problem_params(struct hone__arena *arena,
                                                           const char *problem, size_t *out_count);

#endif
