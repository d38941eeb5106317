/* The verdict first, then its basis, then failures, then the next steps. Empty sections are left
 * out.
 */
#include "report_parts.h"

#include "figures.h"
#include "hone_results.h"
#include "table.h"
#include "visible.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
  LABEL_WIDTH = 13,
  EVIDENCE_INDENT = 8,
  FINGERPRINT_SHOWN = 16,
};

const struct hone_report_row *report_find_row(const struct hone_report *report, bool winner)
{
  for (size_t i = 0; i < report->row_count; i++)
    if (winner ? report->rows[i].is_winner : report->rows[i].is_baseline) return &report->rows[i];
  return NULL;
}

bool report_is_improved(const struct hone_report *report)
{
  return report->verdict == HONE_VERDICT_IMPROVED;
}

bool report_is_sweep(const struct hone_report *report)
{
  return report->is_sweep;
}

const struct hone_report_row *report_fastest(const struct hone_report *report)
{
  const struct hone_report_row *fastest = NULL;

  for (size_t i = 0; i < report->row_count; i++) {
    const struct hone_report_row *row = &report->rows[i];
    if (isfinite(row->time_ns) && (!fastest || row->time_ns < fastest->time_ns)) fastest = row;
  }
  return fastest;
}

/* Only a proven winner is called a winner. */
static const char *winner_label(const struct hone_report *report)
{
  return report_is_improved(report) ? "winner" : "best";
}

/* ---- The verdict ---- */

static void print_heading(const struct report_view *view)
{
  const struct hone_report *report = view->report;
  struct output *output = view->output;
  struct figure when;

  output_style(output, STYLE_BOLD);
  visible_text(output, report->name);
  output_style(output, STYLE_PLAIN);
  if (*report->problem) output_text(output, "  ");
  visible_text(output, report->problem);
  output_format(output, "  run %" PRId64, report->run);
  if (report->state != HONE_RUN_FINISHED)
    output_format(output, ", %s", hone_run_state_name(report->state));
  if (*report->started) output_format(output, ", %s", figure_when(&when, report->started));
  output_text(output, "\n\n");
}

static enum style verdict_style(const struct hone_report *report)
{
  if (report->state == HONE_RUN_FAILED) return STYLE_BAD;
  if (report->verdict == HONE_VERDICT_INCONCLUSIVE) return STYLE_WARN;
  return report_is_improved(report) ? STYLE_GOOD : STYLE_PLAIN;
}

/* If there is no verdict. */
static const char *state_sentence(const struct hone_report *report)
{
  switch (report->state) {
  case HONE_RUN_RUNNING: return "no verdict yet: the run is in progress";
  case HONE_RUN_INTERRUPTED: return "no verdict: the run was interrupted; measurements are kept";
  case HONE_RUN_FAILED: return "no verdict: the run failed";
  default: return "no verdict";
  }
}

/* The summary of a sweep, which has no verdict. */
static void print_swept(const struct report_view *view)
{
  const struct hone_report *report = view->report;
  const struct hone_report_row *fastest = report_fastest(report);
  bool is_built = !fastest && report->ok > 0; /* and nothing more: --build */
  struct figure figure;

  if (report->state == HONE_RUN_FINISHED)
    output_format(view->output, "%s %" PRIu64 " of %" PRIu64 " configurations%s",
                  is_built ? "built:" : "swept:", report->ok + report->slow, report->evaluations,
                  is_built ? "" : " work");
  else
    output_format(view->output, "%s after %" PRIu64 " of %s configurations: %" PRIu64 " work",
                  hone_run_state_name(report->state), report->evaluations, report->space,
                  report->ok + report->slow);
  if (fastest) {
    output_format(view->output, ", the fastest in %s:\n  ", figure_time(&figure, fastest->time_ns));
    visible_wrapped(view->output, fastest->config, 2, view->width);
  }
  output_text(view->output, "\n");
}

/* The reason is printed where it is not overlooked. */
static void print_suspicion(const struct report_view *view)
{
  const struct hone_report_row *winner = report_find_row(view->report, true);

  if (!winner || !*winner->suspicious) return;
  output_style(view->output, STYLE_BAD);
  output_text(view->output, "SUSPICIOUS: ");
  visible_wrapped(view->output, winner->suspicious, strlen("SUSPICIOUS: "), view->width);
  output_style(view->output, STYLE_PLAIN);
  output_text(view->output, "\n");
}

static void print_verdict(const struct report_view *view)
{
  const struct hone_report *report = view->report;
  struct output *output = view->output;
  const char *verdict = hone_verdict_name(report->verdict);
  size_t length = strlen(verdict), indent = 0;

  output_style(output, STYLE_BOLD);
  if (verdict_style(report) != STYLE_PLAIN) output_style(output, verdict_style(report));
  if (length) {
    output_text(output, verdict);
    if (*report->sentence) output_text(output, ": ");
    indent = length + 2;
  }
  if (*report->sentence)
    visible_wrapped(output, report->sentence, indent, view->width);
  else if (!length)
    visible_wrapped(output, state_sentence(report), 0, view->width);
  output_style(output, STYLE_PLAIN);
  output_text(output, "\n");
  print_suspicion(view);
}

/* ---- Baseline, winner and those that follow ---- */

static void add_count(struct table *table, uint64_t count)
{
  if (count)
    table_format(table, "%" PRIu64, count);
  else
    table_cell(table, "");
}

static void add_subject(struct table *table, const struct hone_report *report, const char *label,
                        const struct hone_report_row *row)
{
  struct figure figure;

  if (!row) return;
  table_cell(table, label);
  table_cell(table, figure_time(&figure, row->time_ns));
  table_cell(table, row->is_baseline ? "" : figure_speedup(&figure, row->speedup));
  table_cell(table,
             row->is_baseline ? "" : figure_range(&figure, row->speedup, row->low, row->high));
  add_count(table, row->pairs);
  add_count(table, row->restarts);
  add_count(table, row->samples);
  report_metric_cells(table, report, row);
}

static void print_config(const struct report_view *view, const char *label,
                         const struct hone_report_row *row)
{
  if (!row) return;
  output_format(view->output, "  %-10s", label);
  visible_wrapped(view->output, row->config, 12, view->width);
  output_text(view->output,
              row->is_winner && view->report->unconfirmed ? " (unconfirmed)\n" : "\n");
}

static bool is_timed(const struct hone_report_row *row)
{
  return row && isfinite(row->time_ns);
}

static void print_subjects(const struct report_view *view)
{
  const struct hone_report_row *baseline = report_find_row(view->report, false),
                               *winner = report_find_row(view->report, true);
  struct table table;

  if (!baseline && !winner) return;
  if (baseline && baseline->is_winner) winner = NULL;
  output_text(view->output, "\n");
  print_config(view, "baseline", baseline);
  print_config(view, winner_label(view->report), winner);
  if (!is_timed(baseline) && !is_timed(winner)) return;
  output_text(view->output, "\n");
  table_open(&table, 2);
  table_column(&table, "", 0);
  table_column(&table, "time", TABLE_RIGHT);
  table_column(&table, "speedup", TABLE_RIGHT);
  table_column(&table, "interval", 0);
  table_column(&table, "pairs", TABLE_RIGHT | TABLE_OPTIONAL);
  table_column(&table, "restarts", TABLE_RIGHT | TABLE_OPTIONAL);
  table_column(&table, "samples", TABLE_RIGHT | TABLE_OPTIONAL);
  report_metric_columns(&table, view->report);
  add_subject(&table, view->report, "baseline", baseline);
  add_subject(&table, view->report, winner_label(view->report), winner);
  table_print(&table, view->output, report_table_width(view));
  table_close(&table);
}

/* ---- Failures ---- */

static void print_evidence(const struct report_view *view, const char *evidence)
{
  char *line = visible_evidence(evidence);

  if (view->is_verbose) {
    visible_lines(view->output, evidence, EVIDENCE_INDENT);
  } else if (*line) {
    output_spaces(view->output, EVIDENCE_INDENT);
    visible_few_lines(view->output, line, EVIDENCE_INDENT, view->width);
    output_text(view->output, "\n");
  }
  free(line);
}

static void print_failures(const struct report_view *view)
{
  const struct hone_report *report = view->report;

  if (report->failure_count) report_print_title(view, "failures");
  for (size_t i = 0; i < report->failure_count; i++) {
    const struct hone_report_failure *failure = &report->failures[i];
    output_format(view->output, "%6" PRIu64 "  ", failure->count);
    output_styled(view->output, STYLE_BAD, hone_outcome_name(failure->outcome));
    output_text(view->output, ": ");
    visible_text(view->output, failure->text);
    output_text(view->output, "\n");
    print_evidence(view, failure->evidence);
    if (!*failure->command) continue;
    output_spaces(view->output, EVIDENCE_INDENT);
    report_print_run(view, failure->command);
    output_text(view->output, "\n");
  }
}

/* ---- Counts ---- */

static void print_label(const struct report_view *view, const char *label)
{
  output_format(view->output, "  %-*s", LABEL_WIDTH, label);
}

/* "12 what" after a comma where something stands before it. */
static void add_part(struct output *text, uint64_t count, const char *what)
{
  if (count) output_format(text, "%s%" PRIu64 " %s", text->used ? ", " : "", count, what);
}

static void print_parts(const struct report_view *view, struct output *parts)
{
  output_bytes(parts, "", 1);
  visible_wrapped(view->output, parts->bytes, 2 + LABEL_WIDTH, view->width);
  output_text(view->output, "\n");
  output_close(parts);
}

/* Each device has its own baseline, which is still one configuration. */
static uint64_t more_baselines(const struct hone_report *report)
{
  uint64_t count = 0;

  for (size_t i = 0; i < report->row_count; i++)
    count += report->rows[i].is_baseline;
  return count > 1 ? count - 1 : 0;
}

static void print_evaluated(const struct report_view *view)
{
  const struct hone_report *report = view->report;
  uint64_t again = more_baselines(report);
  struct output parts;

  print_label(view, "evaluated");
  output_format(view->output, "%" PRIu64, report->evaluations - again);
  if (*report->space) output_format(view->output, " of %s legal", report->space);
  output_text(view->output, report->ok || report->slow || report->failed ? ": " : "");
  output_open(&parts, OUTPUT_MEMORY, false);
  add_part(&parts, report->ok - again, "ok");
  add_part(&parts, report->slow, "slow");
  add_part(&parts, report->failed, "failed");
  print_parts(view, &parts);
}

static void print_built(const struct report_view *view)
{
  const struct hone_report *report = view->report;
  struct output parts;

  if (report->compiled + report->cached + report->same_object + report->reused == 0) return;
  print_label(view, "of these");
  output_open(&parts, OUTPUT_MEMORY, false);
  add_part(&parts, report->compiled, "compiled");
  add_part(&parts, report->cached, "built before");
  add_part(&parts, report->same_object, "with another's object");
  add_part(&parts, report->reused, "reused from the store");
  print_parts(view, &parts);
}

static void print_search(const struct report_view *view)
{
  const struct hone_report *report = view->report;
  struct figure figure;

  print_label(view, "search");
  output_text(view->output, report->strategy);
  if (!report_is_sweep(report))
    output_format(view->output, "%sseed %" PRIu64, *report->strategy ? ", " : "", report->seed);
  if (isfinite(report->wall_s))
    output_format(view->output, ", %s", figure_duration(&figure, report->wall_s));
  if (isfinite(report->drift))
    output_format(view->output, ", the baseline drifted by %+.1f %%", 100 * report->drift);
  output_text(view->output, "\n");
}

static void print_counts(const struct report_view *view)
{
  const struct hone_report *report = view->report;

  output_text(view->output, "\n");
  print_evaluated(view);
  print_built(view);
  if (*report->answers_text) {
    print_label(view, "answers");
    output_format(view->output, "%s\n", report->answers_text);
  }
  print_search(view);
  if (*report->fingerprint) {
    print_label(view, "environment");
    output_format(view->output, "%.*s\n", view->is_verbose ? 64 : FINGERPRINT_SHOWN,
                  report->fingerprint);
  }
  if (view->is_verbose && *report->environment)
    visible_lines(view->output, report->environment, 2 + LABEL_WIDTH);
  print_label(view, "store");
  visible_text(view->output, view->store);
  output_text(view->output, "\n");
}

static void print_notes(const struct report_view *view)
{
  const struct hone_report *report = view->report;

  if (report->note_count) report_print_title(view, "notes");
  for (size_t i = 0; i < report->note_count; i++) {
    output_text(view->output, "  - ");
    visible_wrapped(view->output, report->notes[i], 4, view->width);
    output_text(view->output, "\n");
  }
}

void report_print(const struct report_view *view)
{
  print_heading(view);
  if (report_is_sweep(view->report))
    print_swept(view);
  else
    print_verdict(view);
  print_subjects(view);
  report_print_pareto(view, false);
  report_print_candidates(view);
  print_failures(view);
  print_counts(view);
  print_notes(view);
  report_print_next(view);
}

void report_print_log(const struct report_view *view)
{
  struct figure when;

  for (size_t i = 0; i < view->report->log_count; i++) {
    const char *line = view->report->log[i];
    size_t length = strlen(figure_when(&when, line));
    output_text(view->output, when.text);
    visible_text(view->output, strlen(line) < length ? line : line + length);
    output_text(view->output, "\n");
  }
}
