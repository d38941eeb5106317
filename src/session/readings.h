/* readings.h - the baseline's times on one device, in the order of measurement.
 *
 * Machines drift, and a reading may be disturbed. The baseline's time at a moment is therefore
 * interpolated between the readings before and after it, each of which is the median of itself and
 * its two neighbours. The difference of the two shows how far that may be wrong.
 *
 *   hone__readings_add(&readings, clock, times, count)   of each reading, in order
 *   hone__readings_at, _least_at, _step_at               at any moment, also after later readings
 *   hone__readings_release
 */
#ifndef HONE_SESSION_READINGS_H
#define HONE_SESSION_READINGS_H

#include <stddef.h>

/* A machine is unsteady if readings differ by more than this, as |ln| of their ratio. */
#define HONE__UNSTEADY 0.05

struct hone__readings { /* { 0 } is empty */
  struct hone__reading_entry {
    double at; /* by the session's clock */
    double median_ns, least_ns;
  } * all;
  size_t count, capacity;
};

void hone__readings_add(struct hone__readings *readings, double at, const double *times_ns,
                        size_t count);
void hone__readings_release(struct hone__readings *readings);

/* The baseline's time at this moment: from medians, and from the shortest samples, which are least
 * disturbed. NaN: there is no reading. */
double hone__readings_at(const struct hone__readings *readings, double at);
double hone__readings_least_at(const struct hone__readings *readings, double at);
/* How much the raw readings on both sides of this moment differ: |ln| of their ratio. 0 if there is
 * one side only. */
double hone__readings_step_at(const struct hone__readings *readings, double at);
/* The difference of the last two, and the greatest difference of two consecutive ones; 0 for fewer
 * than two. */
double hone__readings_last_step(const struct hone__readings *readings);
double hone__readings_greatest_step(const struct hone__readings *readings);
/* The 90th percentile of these differences. */
double hone__readings_usual_step(const struct hone__readings *readings);

#endif
