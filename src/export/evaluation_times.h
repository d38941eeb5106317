/* evaluation_times.h - the times that every configuration has and a search waits for: building, the
 * first call, whose answer is checked, and screening.
 *
 * Times of the confirmation are not used: a few times that are more accurate than the others would
 * give an order that no search could see. An evaluation that shares the times of another one has
 * those. */
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
