/* duplicates.h - configurations with equal objects have equal times: the confirmed time of one
 * applies to all, and their metrics follow from it.
 *
 *   hone__duplicates_add(&duplicates, candidate, time_ns) for each that was confirmed, and for the
 *   baseline
 *   hone__duplicates_store(&duplicates)
 */
#ifndef HONE_TUNE_DUPLICATES_H
#define HONE_TUNE_DUPLICATES_H

#include "tune/tuning.h"

struct hone__duplicates { /* { tuning } */
  struct hone__tuning *tuning;
  double *times; /* ns */
  size_t time_count, time_capacity;
  struct hone__key_map keys; /* measure key -> index of the time */
  struct hone__duplicate {
    int64_t evaluation;
    uint32_t *row;
    double time_ns;
    struct hone__task_energy energy;
  } * duplicates;
  size_t count, capacity;
};

/* For every device; the candidate keeps the measure key of the last one. */
void hone__duplicates_add(struct hone__duplicates *duplicates, struct hone__candidate *candidate,
                          double time_ns);
/* Gives the metrics of these times to all stored configurations with such an object, and releases.
 */
void hone__duplicates_store(struct hone__duplicates *duplicates);

#endif
