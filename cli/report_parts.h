/* report_parts.h - what the parts of a report share. */
#ifndef CLI_REPORT_PARTS_H
#define CLI_REPORT_PARTS_H

#include "report_text.h"
#include "table.h"

void report_print_title(const struct report_view *view, const char *title);
/* "hone show 12" and the rest, with the store where one was given. */
void report_print_command(const struct report_view *view, const char *rest);
size_t report_table_width(const struct report_view *view);
/* Columns for the spec's metrics, and their cells of a row. */
void report_metric_columns(struct table *table, const struct hone_report *report);
void report_metric_cells(struct table *table, const struct hone_report *report,
                         const struct hone_report_row *row);

void report_print_candidates(const struct report_view *view);

#endif
