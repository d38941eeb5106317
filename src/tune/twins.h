/* twins.h - configurations with equal objects have equal times: what was confirmed of one holds for
 * all, and their metrics follow from it.
 *
 *   hone__twins_add(&twins, candidate, time_ns) for each that was confirmed, and for the baseline
 *   hone__twins_store(&twins)
 */
#ifndef HONE_TUNE_TWINS_H
#define HONE_TUNE_TWINS_H

#include "tune/tuning.h"

struct hone__twins { /* { tuning } */
  struct hone__tuning *tuning;
  json_t *times; /* measure key -> ns; NULL: none */
  struct hone__twin {
    int64_t evaluation;
    uint32_t *row;
    double time_ns;
    struct hone__energy energy;
  } * twins;
  size_t count, capacity;
};

/* For every device; the candidate's measure key becomes the last one's. */
void hone__twins_add(struct hone__twins *twins, struct hone__candidate *candidate, double time_ns);
/* Gives the metrics of these times to all in the store that have such an object, and releases. */
void hone__twins_store(struct hone__twins *twins);

#endif
