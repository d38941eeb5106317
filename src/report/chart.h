/* chart.h - grouped bars as SVG: a group for each configuration, a bar for each of several results.
 */
#ifndef HONE_REPORT_CHART_H
#define HONE_REPORT_CHART_H

#include "base/text.h"

struct hone__chart {
  const char *id;            /* in a page; NULL: none */
  const char *value_title;   /* of the vertical axis: "met (us)" */
  const char *group_title;   /* of the horizontal one */
  const char *group_caption; /* below it, smaller; "" */
  const char *unit;          /* after each value: "us" */
  unsigned precision;
  bool has_base; /* values are ratios: 1 gets a line */
  size_t series_count, group_count;
  const char *const *series; /* for the legend */
  const char *const *labels; /* of groups, lines separated by \n */
  const double *values;      /* group after group, a number a series; NaN: there is none */
  size_t first_color;        /* of the palette */
};

/* So many groups can be read side by side. */
size_t hone__chart_room(const struct hone__chart *chart);

struct hone__chart_size {
  double width, height;
};

/* Adds an <svg> for a page that has hone__chart_style among its styles, `y` pixels below the top of
 * what it is in. */
struct hone__chart_size hone__chart_draw(const struct hone__chart *chart, double y,
                                         struct hone__text *svg);
void hone__chart_style(struct hone__text *css);

/* A file by itself: the charts, one below the other. */
void hone__chart_file(const struct hone__chart *charts, size_t count, struct hone__text *svg);

#endif
