/* report_parts.h - what the parts of a report share. */
#ifndef CLI_REPORT_PARTS_H
#define CLI_REPORT_PARTS_H

#include "report_text.h"
#include "table.h"

void report_print_title(const struct report_view *view, const char *title);
/* The row of the baseline or of the winner; NULL: there is none. */
const struct hone_report_row *report_find_row(const struct hone_report *report, bool winner);
bool report_is_improved(const struct hone_report *report);
/* A run that ranks nothing: every configuration once, without a baseline and a verdict. */
bool report_is_sweep(const struct hone_report *report);
/* Of the rows with a time the fastest; NULL: there is none. */
const struct hone_report_row *report_fastest(const struct hone_report *report);
/* A 'hone run' that was kept with the run. Its file is named as it was where the run was made, and
 * is to be found from here. */
void report_print_run(const struct report_view *view, const char *command);
/* "hone show 12" and the rest, with the store where one was given. */
void report_print_command(const struct report_view *view, const char *rest);
size_t report_table_width(const struct report_view *view);
/* Columns for the spec's metrics, and their cells of a row. */
void report_metric_columns(struct table *table, const struct hone_report *report);
void report_metric_cells(struct table *table, const struct hone_report *report,
                         const struct hone_report_row *row);

void report_print_candidates(const struct report_view *view);
/* Nothing without one. Alone all of it, else of a large one some members. */
void report_print_pareto(const struct report_view *view, bool is_alone);
void report_print_next(const struct report_view *view);

#endif
