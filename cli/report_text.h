/* report_text.h - a run for people: what `hone tune` ends with and `hone show RUN` prints. */
#ifndef CLI_REPORT_TEXT_H
#define CLI_REPORT_TEXT_H

#include "output.h"

struct report_view {
  struct output *output;
  const struct hone_report *report;
  const char *store;       /* file, as it is opened */
  const char *store_given; /* what --store said, NULL: nothing; for commands that are shown */
  size_t width;            /* columns */
  bool is_end;             /* of a run that was watched */
  bool is_verbose;         /* all rows, whole evidence */
};

void report_print(const struct report_view *view);
/* The record of show the log. */
void report_print_log(const struct report_view *view);

#endif
