/* report_parts.h - shared by the parts of a report. */
#ifndef CLI_REPORT_PARTS_H
#define CLI_REPORT_PARTS_H

#include "hone_results.h"
#include "report_text.h"
#include "table.h"

void report_print_title(const struct report_view *view, const char *title);
bool report_is_improved(const struct hone_report *report);
/* A run without a ranking: every configuration once, without a baseline and a verdict. */
bool report_is_sweep(const struct hone_report *report);
/* The fastest row with a time; NULL: there is none. */
const struct hone_report_row *report_fastest(const struct hone_report *report);
/* Prints a 'hone run' command stored with the run. Its file name is changed to the path from here.
 */
void report_print_run(const struct report_view *view, const char *command);
/* "hone show 12" and similar commands, with the store if one was given. */
void report_print_command(const struct report_view *view, const char *rest);
size_t report_table_width(const struct report_view *view);
/* Columns for the spec's metrics, and their cells of a row. */
void report_metric_columns(struct table *table, const struct hone_report *report);
void report_metric_cells(struct table *table, const struct hone_report *report,
                         const struct hone_report_row *row);

void report_print_candidates(const struct report_view *view);
/* Nothing without a set. Complete if it is printed alone, otherwise some members of a large one. */
void report_print_pareto(const struct report_view *view, bool is_alone);
void report_print_next(const struct report_view *view);

#endif
