/* bars.h - what a picture of results shows: which rows, in which unit, under which names.
 *
 *   1. hone__bars_make(options, &bars)
 *   2. bars->charts for drawing; the rest for tables next to them
 *   3. hone__bars_free(bars)
 */
#ifndef HONE_REPORT_BARS_H
#define HONE_REPORT_BARS_H

#include "base/memory.h"
#include "hone.h"
#include "report/chart.h"
#include "report/report.h"
#include "results/comparison.h"
#include "results/parameter_names.h"
#include "results/results.h"

struct hone__bars {
  struct hone__arena arena;
  struct hone_page_options given;
  const struct hone_page_options *options; /* `given` */
  struct hone_comparison *comparison; /* one row per group; of single results with themselves */
  const char **labels;                /* of the results */
  struct hone_result_names *names;    /* parameters */
  const char *unit;                   /* values times `scale` have it; "" if it is not a time */
  double scale;
  const char *title; /* of the values, with the unit: "met (us)" */
  size_t *order;     /* rows, the best of the first results first */
  size_t *rows;      /* those in the charts */
  size_t shown;      /* how many; fewer than there are: the best */
  const char **group_labels;
  size_t groups_per_chart;
  struct hone__chart *charts;
  size_t chart_count;
};

/* What the options point to must outlive it. */
hone_status hone__bars_make(const struct hone_page_options *options, struct hone__bars **out_bars);
void hone__bars_free(struct hone__bars *bars);

/* All of them are runs of the store, none is a file. */
bool hone__bars_are_runs(const struct hone__bars *bars);
/* What a group is: "configuration"; of files their word, "spec"; or "name". */
const char *hone__bars_group_title(const struct hone__bars *bars);
/* The row of the first results that has one. */
const struct hone_result_row *hone__bars_row(const struct hone__bars *bars, size_t row);

#endif
