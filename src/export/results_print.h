/* results_print.h - the formats of hone_results_print, one function each. */
#ifndef HONE_EXPORT_RESULTS_PRINT_H
#define HONE_EXPORT_RESULTS_PRINT_H

#include "base/text.h"
#include "hone.h"
#include "results/results.h"

typedef void hone__export_results_writer(const struct hone_results *results,
                                         struct hone__text *text);

hone__export_results_writer hone__write_csv, hone__write_plain_csv; /* kbench_csv.c */
hone__export_results_writer hone__write_text;                       /* kbench_text.c */
hone__export_results_writer hone__write_failures;                   /* failures_json.c */
hone__export_results_writer hone__write_tune, hone__write_table;    /* tune_report.c */
hone__export_results_writer hone__write_json;                       /* results_json.c */

#endif
