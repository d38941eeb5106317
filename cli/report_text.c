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

bool report_is_improved(const struct hone_report *report)
{
  return hone_report_verdict(report) == HONE_VERDICT_IMPROVED;
}

bool report_is_sweep(const struct hone_report *report)
{
  return hone_report_is_sweep(report);
}

const struct hone_report_row *report_fastest(const struct hone_report *report)
{
  const struct hone_report_row *fastest = NULL;

  for (size_t i = 0; i < hone_report_row_count(report); i++) {
    const struct hone_report_row *row = hone_report_row(report, i);
    if (isfinite(hone_report_row_time_ns(row)) &&
        (!fastest || hone_report_row_time_ns(row) < hone_report_row_time_ns(fastest)))
      fastest = row;
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
  visible_text(output, hone_report_name(report));
  output_style(output, STYLE_PLAIN);
  if (*hone_report_problem(report)) output_text(output, "  ");
  visible_text(output, hone_report_problem(report));
  output_format(output, "  run %" PRId64, hone_report_run(report));
  if (hone_report_state(report) != HONE_RUN_FINISHED)
    output_format(output, ", %s", hone_run_state_name(hone_report_state(report)));
  if (*hone_report_started(report))
    output_format(output, ", %s", figure_when(&when, hone_report_started(report)));
  output_text(output, "\n\n");
}

static enum style verdict_style(const struct hone_report *report)
{
  if (hone_report_state(report) == HONE_RUN_FAILED) return STYLE_BAD;
  if (hone_report_verdict(report) == HONE_VERDICT_INCONCLUSIVE) return STYLE_WARN;
  return report_is_improved(report) ? STYLE_GOOD : STYLE_PLAIN;
}

/* If there is no verdict. */
static const char *state_sentence(const struct hone_report *report)
{
  switch (hone_report_state(report)) {
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
  bool is_built = !fastest && hone_report_ok_count(report) > 0; /* and nothing more: --build */
  struct figure figure;

  if (hone_report_state(report) == HONE_RUN_FINISHED)
    output_format(view->output, "%s %" PRIu64 " of %" PRIu64 " configurations%s",
                  is_built ? "built:" : "swept:",
                  hone_report_ok_count(report) + hone_report_slow_count(report),
                  hone_report_evaluation_count(report), is_built ? "" : " work");
  else
    output_format(view->output, "%s after %" PRIu64 " of %s configurations: %" PRIu64 " work",
                  hone_run_state_name(hone_report_state(report)),
                  hone_report_evaluation_count(report), hone_report_space(report),
                  hone_report_ok_count(report) + hone_report_slow_count(report));
  if (fastest) {
    output_format(view->output, ", the fastest in %s:\n  ",
                  figure_time(&figure, hone_report_row_time_ns(fastest)));
    visible_wrapped(view->output, hone_report_row_config(fastest), 2, view->width);
  }
  output_text(view->output, "\n");
}

/* The reason is printed where it is not overlooked. */
static void print_suspicion(const struct report_view *view)
{
  const struct hone_report_row *winner = hone_report_winner_row(view->report);

  if (!winner || !*hone_report_row_suspicious(winner)) return;
  output_style(view->output, STYLE_BAD);
  output_text(view->output, "SUSPICIOUS: ");
  visible_wrapped(view->output, hone_report_row_suspicious(winner), strlen("SUSPICIOUS: "),
                  view->width);
  output_style(view->output, STYLE_PLAIN);
  output_text(view->output, "\n");
}

static void print_verdict(const struct report_view *view)
{
  const struct hone_report *report = view->report;
  struct output *output = view->output;
  const char *verdict = hone_verdict_name(hone_report_verdict(report));
  size_t length = strlen(verdict), indent = 0;

  output_style(output, STYLE_BOLD);
  if (verdict_style(report) != STYLE_PLAIN) output_style(output, verdict_style(report));
  if (length) {
    output_text(output, verdict);
    if (*hone_report_sentence(report)) output_text(output, ": ");
    indent = length + 2;
  }
  if (*hone_report_sentence(report))
    visible_wrapped(output, hone_report_sentence(report), indent, view->width);
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
  table_cell(table, figure_time(&figure, hone_report_row_time_ns(row)));
  table_cell(table, hone_report_row_is_baseline(row)
                        ? ""
                        : figure_speedup(&figure, hone_report_row_speedup(row)));
  table_cell(table, hone_report_row_is_baseline(row)
                        ? ""
                        : figure_range(&figure, hone_report_row_speedup(row),
                                       hone_report_row_low(row), hone_report_row_high(row)));
  add_count(table, hone_report_row_pairs(row));
  add_count(table, hone_report_row_restarts(row));
  add_count(table, hone_report_row_samples(row));
  report_metric_cells(table, report, row);
}

/* Of what has pairs with the baseline, which do not decide, and of what has none. */
static const char *doubt_of(const struct report_view *view, const struct hone_report_row *row)
{
  if (!hone_report_row_is_winner(row) || !hone_report_is_unconfirmed(view->report)) return "";
  return hone_report_row_is_confirmed(row) ? " (not proved to be faster)" : " (unconfirmed)";
}

static void print_config(const struct report_view *view, const char *label,
                         const struct hone_report_row *row)
{
  if (!row) return;
  output_format(view->output, "  %-10s", label);
  visible_wrapped(view->output, hone_report_row_config(row), 12, view->width);
  output_format(view->output, "%s\n", doubt_of(view, row));
}

/* "stages: rows 61 %, columns 39 %": of a pipeline. */
static void print_stages(const struct report_view *view, const struct hone_report_row *row)
{
  struct output text;

  if (!row || !hone_report_row_stage_count(row)) return;
  output_open(&text, OUTPUT_MEMORY, false);
  for (size_t i = 0; i < hone_report_row_stage_count(row); i++)
    output_format(&text, "%s%s %.0f %%", i ? ", " : "stages: ", hone_report_row_stage_name(row, i),
                  100 * hone_report_row_stage_share(row, i));
  output_spaces(view->output, 12);
  visible_wrapped(view->output, text.bytes, 12, view->width);
  output_text(view->output, "\n");
  output_close(&text);
}

static bool is_timed(const struct hone_report_row *row)
{
  return row && isfinite(hone_report_row_time_ns(row));
}

static void print_subjects(const struct report_view *view)
{
  const struct hone_report_row *baseline = hone_report_baseline_row(view->report),
                               *winner = hone_report_winner_row(view->report);
  struct table table;

  if (!baseline && !winner) return;
  if (baseline && hone_report_row_is_winner(baseline)) winner = NULL;
  output_text(view->output, "\n");
  print_config(view, "baseline", baseline);
  print_stages(view, baseline);
  print_config(view, winner_label(view->report), winner);
  print_stages(view, winner);
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

  if (hone_report_failure_count(report)) report_print_title(view, "failures");
  for (size_t i = 0; i < hone_report_failure_count(report); i++) {
    const struct hone_report_failure *failure = hone_report_failure(report, i);
    const char *name = hone_outcome_name(hone_report_failure_outcome(failure));
    output_format(view->output, "%6" PRIu64 "  ", hone_report_failure_candidates(failure));
    output_styled(view->output, STYLE_BAD, name);
    output_text(view->output, ": ");
    visible_wrapped(view->output, hone_report_failure_text(failure),
                    EVIDENCE_INDENT + strlen(name) + strlen(": "), view->width);
    output_text(view->output, "\n");
    print_evidence(view, hone_report_failure_evidence(failure));
    if (!*hone_report_failure_command(failure)) continue;
    output_spaces(view->output, EVIDENCE_INDENT);
    report_print_run(view, hone_report_failure_command(failure));
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

static void print_evaluated(const struct report_view *view)
{
  const struct hone_report *report = view->report;
  struct output parts;

  print_label(view, "evaluated");
  output_format(view->output, "%" PRIu64, hone_report_evaluation_count(report));
  if (*hone_report_part(report)) /* which may be without the baseline */
    output_format(view->output, ", part %s of the space with %s legal", hone_report_part(report),
                  hone_report_space(report));
  else if (*hone_report_space(report))
    output_format(view->output, " of %s legal", hone_report_space(report));
  output_text(view->output, hone_report_ok_count(report) || hone_report_slow_count(report) ||
                                    hone_report_failed_count(report)
                                ? ": "
                                : "");
  output_open(&parts, OUTPUT_MEMORY, false);
  add_part(&parts, hone_report_ok_count(report), "ok");
  add_part(&parts, hone_report_slow_count(report), "slow");
  add_part(&parts, hone_report_failed_count(report), "failed");
  print_parts(view, &parts);
}

static void print_built(const struct report_view *view)
{
  const struct hone_report *report = view->report;
  struct output parts;

  if (hone_report_compiled_count(report) + hone_report_cached_count(report) +
          hone_report_same_object_count(report) + hone_report_reused_count(report) ==
      0)
    return;
  print_label(view, "of these");
  output_open(&parts, OUTPUT_MEMORY, false);
  add_part(&parts, hone_report_compiled_count(report), "compiled");
  add_part(&parts, hone_report_cached_count(report), "built before");
  add_part(&parts, hone_report_same_object_count(report), "with another's object");
  add_part(&parts, hone_report_reused_count(report), "reused from the store");
  print_parts(view, &parts);
}

static void print_search(const struct report_view *view)
{
  const struct hone_report *report = view->report;
  struct figure figure;
  struct output parts;

  print_label(view, "search");
  output_open(&parts, OUTPUT_MEMORY, false);
  output_text(&parts, hone_report_strategy(report));
  if (!report_is_sweep(report))
    output_format(&parts, "%sseed %" PRIu64, *hone_report_strategy(report) ? ", " : "",
                  hone_report_seed(report));
  if (isfinite(hone_report_wall_s(report)))
    output_format(&parts, ", %s", figure_duration(&figure, hone_report_wall_s(report)));
  if (isfinite(hone_report_drift(report)))
    output_format(&parts, ", the baseline drifted by %+.1f %%", 100 * hone_report_drift(report));
  print_parts(view, &parts);
}

/* The device of the run, and the winners of other devices on it. */
static void print_kind(const struct report_view *view)
{
  const struct hone_report *report = view->report;
  struct figure figure;

  if (!*hone_report_kind(report)) return;
  print_label(view, "devices");
  visible_wrapped(view->output, hone_report_kind(report), 2 + LABEL_WIDTH, view->width);
  output_text(view->output, "\n");
  for (size_t i = 0; i < hone_report_elsewhere_count(report); i++) {
    const struct hone_report_elsewhere *other = hone_report_elsewhere(report, i);
    double speedup = hone_report_elsewhere_speedup(other);
    output_spaces(view->output, 2 + LABEL_WIDTH);
    output_format(view->output, "the best of run %" PRId64 ", of other devices: ",
                  hone_report_elsewhere_run(other));
    visible_text(view->output, isfinite(speedup) ? figure_speedup(&figure, speedup)
                                                 : hone_report_elsewhere_outcome(other));
    output_text(view->output, "\n");
  }
}

static void print_counts(const struct report_view *view)
{
  const struct hone_report *report = view->report;

  output_text(view->output, "\n");
  print_evaluated(view);
  print_built(view);
  if (*hone_report_answers_text(report)) {
    print_label(view, "answers");
    output_format(view->output, "%s\n", hone_report_answers_text(report));
  }
  print_search(view);
  print_kind(view);
  if (*hone_report_fingerprint(report)) {
    print_label(view, "environment");
    output_format(view->output, "%.*s\n", view->is_verbose ? 64 : FINGERPRINT_SHOWN,
                  hone_report_fingerprint(report));
  }
  if (view->is_verbose && *hone_report_environment(report))
    visible_lines(view->output, hone_report_environment(report), 2 + LABEL_WIDTH);
  print_label(view, "store");
  visible_text(view->output, view->store);
  output_text(view->output, "\n");
}

static void print_notes(const struct report_view *view)
{
  const struct hone_report *report = view->report;

  if (hone_report_note_count(report)) report_print_title(view, "notes");
  for (size_t i = 0; i < hone_report_note_count(report); i++) {
    output_text(view->output, "  - ");
    visible_wrapped(view->output, hone_report_note(report, i), 4, view->width);
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

  for (size_t i = 0; i < hone_report_log_count(view->report); i++) {
    const char *line = hone_report_log(view->report, i);
    size_t length = strlen(figure_when(&when, line));
    output_text(view->output, when.text);
    visible_text(view->output, strlen(line) < length ? line : line + length);
    output_text(view->output, "\n");
  }
}
