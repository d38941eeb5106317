/* The next steps after a run: commands that work as printed. */
#include "report_parts.h"

#include "hone_results.h"
#include "quote.h"
#include "visible.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- Commands that were kept ---- */

/* The spec's path from here, where it lies below. */
static const char *near_path(const char *path)
{
  char folder[4096];
  size_t length;

  if (!getcwd(folder, sizeof folder)) return path;
  length = strlen(folder);
  if (strncmp(path, folder, length) != 0 || path[length] != '/') return path;
  return path + length + 1;
}

/* What follows the first word of a shell. */
static const char *after_word(const char *text)
{
  for (bool is_quoted = false; *text && (is_quoted || *text != ' '); text++) {
    if (*text == '\'') is_quoted = !is_quoted;
    if (*text == '\\' && !is_quoted && text[1]) text++;
  }
  return text;
}

void report_print_run(const struct report_view *view, const char *command)
{
  static const char start[] = "hone run ";
  const char *spec = near_path(hone_report_spec(view->report)), *rest = command;

  if (strncmp(command, start, strlen(start)) == 0 && *spec) {
    output_text(view->output, start);
    quote_shell_text(view->output, strcmp(spec, "<stdin>") == 0 ? "-" : spec);
    rest = after_word(command + strlen(start));
  }
  visible_text(view->output, rest);
}

/* ---- Steps ---- */

/* The best of screening. */
static const struct hone_report_row *first_timed(const struct hone_report *report)
{
  for (size_t i = 0; i < hone_report_row_count(report); i++)
    if (!hone_report_row_is_baseline(hone_report_row(report, i)) &&
        isfinite(hone_report_row_time_ns(hone_report_row(report, i))))
      return hone_report_row(report, i);
  return NULL;
}

static void begin_step(const struct report_view *view, const char *what)
{
  output_format(view->output, "  %s:\n    ", what);
}

/* The command that made the run, where it is to be given again. */
static void print_again(const struct report_view *view, const char *what, const char *option)
{
  if (strncmp(hone_report_command(view->report), "hone ", 5) != 0) return; /* of another program */
  begin_step(view, what);
  visible_text(view->output, hone_report_command(view->report));
  if (!strstr(hone_report_command(view->report), option)) output_text(view->output, option);
  output_text(view->output, "\n");
}

/* After '--stop-after build': the same command without it. */
static void print_time_step(const struct report_view *view)
{
  static const char option[] = " --stop-after";
  const char *command = hone_report_command(view->report), *at = strstr(command, option), *rest;
  char *before;

  if (!at || report_fastest(view->report) || !hone_report_ok_count(view->report)) return;
  rest = after_word(at + 1);
  if (*rest && !memchr(at, '=', (size_t)(rest - at))) rest = after_word(rest + 1);
  before = check_memory(strndup(command, (size_t)(at - command)));
  begin_step(view, "time the builds on the host with the device");
  visible_text(view->output, before);
  visible_text(view->output, rest);
  output_text(view->output, "\n");
  free(before);
}

static const char *run_purpose(const struct hone_report *report)
{
  if (report_is_sweep(report)) return "run the fastest separately";
  return report_is_improved(report) ? "build, check and time the winner separately"
                                    : "compare the best with the baseline separately";
}

static void print_next_run(const struct report_view *view)
{
  const struct hone_report *report = view->report;
  const struct hone_report_row *winner = hone_report_winner_row(report);
  bool has_verdict = hone_report_verdict(report) != HONE_VERDICT_NONE;

  if (!winner && !has_verdict)
    winner = report_is_sweep(report) ? report_fastest(report) : first_timed(report);
  if (!winner || !*hone_report_row_command(winner) || (has_verdict && !report_is_improved(report)))
    return;
  begin_step(view, run_purpose(report));
  report_print_run(view, hone_report_row_command(winner));
  output_text(view->output, "\n");
}

/* "N=3 M=7" as `--problem N=3,M=7`. */
static void print_problem(const struct report_view *view)
{
  char *sizes = check_memory(strdup(hone_report_problem(view->report)));

  for (char *at = sizes; *at; at++)
    if (*at == ' ') *at = ',';
  if (*sizes) {
    output_text(view->output, " --problem ");
    quote_shell_text(view->output, sizes);
  }
  free(sizes);
}

/* Of a run that ended before anything was measured. */
static void print_baseline_step(const struct report_view *view)
{
  const char *command = hone_report_command(view->report);

  if (hone_report_state(view->report) != HONE_RUN_FAILED || report_is_sweep(view->report) ||
      hone_report_evaluation_count(view->report) || strncmp(command, "hone tune ", 10) != 0)
    return;
  begin_step(view, "build, check and time the baseline separately");
  report_print_run(view, "hone run -");
  print_problem(view);
  output_text(view->output, "\n");
}

static void print_show_step(const struct report_view *view, const char *what, const char *rest)
{
  begin_step(view, what);
  report_print_command(view, rest);
  output_text(view->output, "\n");
}

/* Only one of the Pareto set is the winner. */
static void print_member_step(const struct report_view *view)
{
  const struct hone_pareto *pareto = hone_report_pareto(view->report);
  const struct hone_report_row *winner = hone_report_winner_row(view->report);

  for (size_t i = pareto ? hone_pareto_member_count(pareto) / 2 : 0;
       pareto && i < hone_pareto_member_count(pareto); i++) {
    const struct hone_pareto_point *point = hone_pareto_point(pareto, i);
    if (winner && strcmp(hone_report_row_config(winner), hone_pareto_point_config(point)) == 0)
      continue;
    begin_step(view, "write another member of the Pareto set as a spec");
    output_format(view->output, "hone export %" PRId64 " --format yaml --config ",
                  hone_report_run(view->report));
    quote_shell_text(view->output, hone_pareto_point_config(point));
    if (view->store_given) {
      output_text(view->output, " --store ");
      quote_shell_text(view->output, view->store_given);
    }
    output_text(view->output, "\n");
    return;
  }
}

void report_print_next(const struct report_view *view)
{
  const struct hone_report *report = view->report;

  report_print_title(view, "next");
  if (hone_report_state(report) == HONE_RUN_INTERRUPTED) print_again(view, "continue", "");
  if (hone_report_state(report) == HONE_RUN_FAILED)
    print_again(view, "continue once the cause is fixed", "");
  print_baseline_step(view);
  if (hone_report_verdict(report) == HONE_VERDICT_INCONCLUSIVE)
    print_again(view, "measure again", " --fresh");
  print_time_step(view);
  print_next_run(view);
  print_member_step(view);
  if (report_is_sweep(report) && report_fastest(report)) {
    print_show_step(view, "show all rows with the programs' metrics", " --ratio");
    print_show_step(view, "as bars", " --plot bars");
    print_show_step(view, "write a file for 'hone compare'", " --format csv");
  }
  if (view->is_end) print_show_step(view, "show this report again", "");
  print_show_step(view, "show the log", " --log");
}
