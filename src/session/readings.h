/* readings.h - the baseline's times on one device, in the order in which they were taken.
 *
 * Machines drift, and a reading may be disturbed. So what the baseline took at some moment is
 * interpolated between the readings before and after it, of which each is the median of itself and
 * its two neighbours; and how much the two differ says how far that may be wrong.
 *
 *   hone__readings_add(&readings, clock, times, count)   of each reading, in order
 *   hone__readings_at, _least_at, _step_at               at any moment, also after later readings
 *   hone__readings_release
 */
#ifndef HONE_SESSION_READINGS_H
#define HONE_SESSION_READINGS_H

#include <stddef.h>

/* Readings that differ by more, as |ln| of their ratio, are those of an unsteady machine. */
#define HONE__UNSTEADY 0.05

struct hone__readings { /* { 0 } is empty */
  struct hone__past_reading {
    double at; /* hone__clock */
    double median_ns, least_ns;
  } * all;
  size_t count, capacity;
};

void hone__readings_add(struct hone__readings *readings, double at, const double *times_ns,
                        size_t count);
void hone__readings_release(struct hone__readings *readings);

/* What the baseline took at this moment: by medians, and by the shortest samples, to which
 * disturbances add nothing. NaN: there is no reading. */
double hone__readings_at(const struct hone__readings *readings, double at);
double hone__readings_least_at(const struct hone__readings *readings, double at);
/* How much the readings on both sides of this moment differ: |ln| of their ratio, as they were
 * read. 0 where there is one side only. */
double hone__readings_step_at(const struct hone__readings *readings, double at);
/* The difference of the last two, and the greatest one of any two that follow each other; 0 of
 * fewer than two. */
double hone__readings_last_step(const struct hone__readings *readings);
double hone__readings_greatest_step(const struct hone__readings *readings);
/* What nine of ten such differences stay below. */
double hone__readings_usual_step(const struct hone__readings *readings);

#endif
