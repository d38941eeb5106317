/* report_internal.h - a report while it is put together. */
#ifndef HONE_REPORT_REPORT_INTERNAL_H
#define HONE_REPORT_REPORT_INTERNAL_H

#include "report/report.h"
#include "results/measured.h"
#include "store/stored.h"

#include <jansson.h>

struct hone__report_full {
  struct hone_report report; /* first: what the caller holds */
  struct hone__arena arena;  /* of all its texts */
  struct hone__store_run_stored run;
  const char *aim; /* the metric that the verdict is about; NULL: time */
  bool maximise;   /* it */
};

/* A row with what orders it and what it is made from. */
struct hone__report_line {
  struct hone_report_row row;
  struct hone__measured measured;
  int64_t id;
  double confirmed_baseline_ns, baseline_least_ns, baseline_greatest_ns;
  json_t *metrics; /* or NULL */
};

/* Reads what the verdict is about. */
void hone__report_aim(struct hone__report_full *full);
/* What screening saw, by that metric. */
void hone__report_weigh(const struct hone__report_full *full, struct hone__report_line *lines,
                        size_t count);
/* The names of all metrics in order of appearance, then the values of each line. */
void hone__report_metrics(struct hone__report_full *full, struct hone__report_line *lines,
                          size_t count);

/* The verdict, or what there is instead, for a person. In the arena. */
const char *hone__report_sentence(struct hone__report_full *full);

#endif
