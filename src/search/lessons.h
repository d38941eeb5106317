/* lessons.h - what was measured of this space elsewhere: on other devices, for other sizes.
 *
 * A lesson is one such source: rows of this space with their costs. Each is on its own scale, from
 * its best (0) over its median (1) up to a bound, so that sources of any speed can be compared. Of
 * rows that a source does not have, a model of it is asked. Lessons are made once and then only
 * read, by any number of searches.
 *
 *   hone__lessons_open(&lessons, space);
 *   hone__lessons_add(&lessons, rows, costs, count);             once for each source
 *   options.lessons = &lessons;                                  of a search, which then asks:
 *   count = hone__lessons_first(&lessons, most, rows);           where to begin
 *   expected = hone__lessons_expect(&lessons, row, point);       what a row comes to
 *   hone__lessons_release(&lessons);
 */
#ifndef HONE_SEARCH_LESSONS_H
#define HONE_SEARCH_LESSONS_H

#include "search/gaussian.h"

enum { HONE__MOST_LESSONS = 16 };

struct hone__lesson {
  struct hone__lesson_entry {
    uint64_t index; /* of the row in the space */
    float target;
  } * known;        /* by index */
  uint64_t *ranked; /* indices of the best, the best first */
  size_t count, ranked_count;
  double unit; /* of its targets: how far the median is from the best, in logarithms */
  struct hone__gaussian model;
  float *weights; /* of the model's points */
};

struct hone__lessons { /* { 0 }: none */
  const struct hone_space *space;
  struct hone__features features;
  struct hone__lesson all[HONE__MOST_LESSONS];
  size_t count;
  double unit; /* of the sources, in the mean */
};

void hone__lessons_open(struct hone__lessons *lessons, const struct hone_space *space);
void hone__lessons_release(struct hone__lessons *lessons);

/* `costs` are NaN where a configuration failed. Of a row that comes several times, the best counts.
 * False: nothing of it works, too little of it is legal here, or there are too many sources. */
bool hone__lessons_add(struct hone__lessons *lessons, const uint32_t *rows, const double *costs,
                       size_t count);
/* Rows that are good for all sources together, the most useful first. */
size_t hone__lessons_first(const struct hone__lessons *lessons, size_t most, uint32_t *rows);
/* Of all sources, in the mean; `point` are the row's features. */
float hone__lessons_expect(const struct hone__lessons *lessons, const uint32_t *row,
                           const struct hone__feature *point);

#endif
