#include "overview.h"

#include "figures.h"
#include "hone_results.h"

#include <inttypes.h>

void overview_open(struct table *table)
{
  table_open(table, 2);
  table_column(table, "run", TABLE_RIGHT);
  table_column(table, "problem", 0);
  table_column(table, "devices", TABLE_OPTIONAL);
  table_column(table, "verdict", 0);
  table_column(table, "speedup", TABLE_RIGHT);
  table_column(table, "interval", TABLE_OPTIONAL);
  table_column(table, "winner", 0);
}

static const struct hone_report_row *find_winner(const struct hone_report *report)
{
  return hone_report_verdict(report) == HONE_VERDICT_IMPROVED ? hone_report_winner_row(report)
                                                              : NULL;
}

static const char *verdict_of(const struct hone_report *report)
{
  if (hone_report_verdict(report) != HONE_VERDICT_NONE)
    return hone_verdict_name(hone_report_verdict(report));
  return hone_report_state(report) == HONE_RUN_FINISHED
             ? "no verdict"
             : hone_run_state_name(hone_report_state(report));
}

void overview_add(struct table *table, const struct hone_report *report)
{
  const struct hone_report_row *winner = find_winner(report);
  struct figure figure;

  table_format(table, "%" PRId64, hone_report_run(report));
  table_cell(table, hone_report_problem(report));
  table_cell(table, hone_report_kind(report));
  table_cell(table, verdict_of(report));
  if (winner) {
    table_cell(table, figure_speedup(&figure, hone_report_row_speedup(winner)));
    table_cell(table, figure_range(&figure, hone_report_row_speedup(winner),
                                   hone_report_row_low(winner), hone_report_row_high(winner)));
    table_cell(table, hone_report_row_config(winner));
  }
  table_end_row(table);
}

void overview_print(struct table *table, struct output *output, size_t width)
{
  output_text(output, "\n");
  output_styled(output, STYLE_BOLD, "all runs");
  output_text(output, "\n");
  table_print(table, output, width);
}
