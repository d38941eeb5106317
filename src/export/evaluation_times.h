/* evaluation_times.h - the times that every configuration has and a search waits for: building, the
 * first call, whose answer is checked, and screening.
 *
 * What confirmed the finalists is not among them: a few times that are more exact than the others
 * would make an order that no search can see. What was taken over from another evaluation has the
 * times of that one. */
#ifndef HONE_EXPORT_EVALUATION_TIMES_H
#define HONE_EXPORT_EVALUATION_TIMES_H

#include "store/stored.h"

struct hone__export_evaluation_times {
  double *screen_ns; /* samples */
  size_t count;
  double calls_ns; /* of all the calls that samples are the means of, but for one each */
  double compile_s, cold_ns;
};
/* Release them in every case. */
hone_status hone__export_evaluation_times_load(struct hone_store *store,
                                               const struct hone__evaluation *evaluation,
                                               struct hone__export_evaluation_times *out_times);
void hone__export_evaluation_times_release(struct hone__export_evaluation_times *times);

#endif
