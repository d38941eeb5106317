/* scatter.h - configurations as points, as SVG: members of a set stand out, joined by steps, and
 * the baseline is marked. */
#ifndef HONE_REPORT_SCATTER_H
#define HONE_REPORT_SCATTER_H

#include "base/text.h"

struct hone__scatter_point {
  double x, y; /* not finite: it is left out */
  bool is_member, is_baseline;
  const char *label; /* tooltip */
};

struct hone__scatter {
  const char *id;    /* in a page; NULL: none */
  const char *title; /* what members are */
  const char *x_title, *y_title;
  const struct hone__scatter_point *points; /* members in the order of the steps */
  size_t count;
  bool has_steps, goes_on; /* goes_on: the last step is as long as there are points */
  bool is_counted;         /* x is the number of a point: no tick stands between two */
};

/* For a page that has hone__chart_style and hone__scatter_style among its styles. */
void hone__scatter_draw(const struct hone__scatter *scatter, struct hone__text *svg);
void hone__scatter_style(struct hone__text *css);

#endif
