/* report_text.h - a run as text: the final output of `hone tune`, and that of `hone show RUN`. */
#ifndef CLI_REPORT_TEXT_H
#define CLI_REPORT_TEXT_H

#include "hone_results.h"
#include "output.h"

struct report_view {
  struct output *output;
  const struct hone_report *report;
  const char *store;       /* the opened file */
  const char *store_given; /* the argument of --store, NULL: none; for printed commands */
  size_t width;            /* columns */
  bool is_end;             /* for a run that was watched */
  bool is_verbose;         /* all rows, whole evidence */
};

void report_print(const struct report_view *view);
/* The log of `hone show`. */
void report_print_log(const struct report_view *view);

#endif
