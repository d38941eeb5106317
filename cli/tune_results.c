/* The results of `hone tune`: the report of each run, and an overview of several. */
#include "tune_results.h"

#include "best_matrix.h"
#include "figures.h"
#include "hone_results.h"
#include "overview.h"
#include "report_text.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

struct tune_results {
  const struct tune_view *view;
  struct hone_store *store; /* NULL until the first report */
  struct output output;
  struct table overview; /* of several problems, or kinds of devices */
  int64_t *runs;         /* that were read, in this order */
  size_t read, shown;    /* runs; reports */
  bool is_failed, is_all_improved;
  hone_status status; /* the first that went wrong */
};

static hone_status print_text(struct tune_results *results, const struct hone_report *report)
{
  struct report_view view = {.output = &results->output,
                             .report = report,
                             .store = hone_store_file(results->store),
                             .store_given = results->view->store,
                             .width = terminal_width(),
                             .is_end = true,
                             .is_verbose = results->view->common->verbose};

  /* If nothing was done, only the message is printed, which follows. */
  if (results->is_failed && hone_report_evaluation_count(report) == 0) return NULL;
  if (results->shown++) output_text(&results->output, "\n");
  report_print(&view);
  return NULL;
}

static hone_status print_json(struct tune_results *results, const struct hone_report *report)
{
  char *json = NULL;
  hone_status status = hone_report_json(results->store, hone_report_run(report), &json);

  if (results->shown++) output_text(&results->output, ",\n");
  if (json) output_raw(&results->output, json);
  free(json);
  return status;
}

static void note_source(const struct hone_report *report)
{
  struct figure when;

  message_note("from run %" PRId64 " of %.16s: nothing was measured; use --fresh to measure again",
               hone_report_run(report), figure_when(&when, hone_report_started(report)));
}

static bool is_read(const struct tune_results *results, int64_t run)
{
  for (size_t i = 0; i < results->read; i++)
    if (results->runs[i] == run) return true;
  return false;
}

static void note_read(struct tune_results *results, int64_t run)
{
  results->runs = check_memory(realloc(results->runs, (results->read + 1) * sizeof run));
  results->runs[results->read++] = run;
}

static hone_status print_run(struct tune_results *results, int64_t run, bool is_answered)
{
  struct hone_report *report = NULL;
  hone_status status =
      results->store ? NULL : hone_store_open(results->view->store, &results->store);

  if (!status) status = hone_report_load(results->store, run, &report);
  if (status) return status;
  note_read(results, run);
  if (hone_report_state(report) == HONE_RUN_FAILED) results->is_failed = true;
  if (hone_report_verdict(report) != HONE_VERDICT_IMPROVED) results->is_all_improved = false;
  if (is_answered) note_source(report);
  overview_add(&results->overview, report);
  status = (results->view->is_json ? print_json : print_text)(results, report);
  hone_report_free(report);
  return status;
}

/* ---- During the run ---- */

struct tune_results *tune_results_open(const struct tune_view *view)
{
  struct tune_results *results = check_memory(calloc(1, sizeof *results));
  bool is_colored =
      !view->is_json && terminal_has_color((enum color_mode)view->common->color, STDOUT_FILENO);

  results->view = view;
  results->is_all_improved = true;
  output_open(&results->output, STDOUT_FILENO, is_colored);
  overview_open(&results->overview);
  return results;
}

/* On a terminal the report stands apart from the lines of progress. */
static void separate(struct tune_results *results)
{
  if (!results->read && !results->view->is_json && isatty(STDOUT_FILENO))
    output_text(&results->output, "\n");
}

void tune_results_event(struct tune_results *results, const struct hone_event *event)
{
  bool is_awaited = event->kind == HONE_EVENT_END && event->problem_count > 1;

  if (!is_awaited || results->view->is_json || results->status) return;
  separate(results);
  results->status = print_run(results, event->run, event->reused > 0);
  output_flush(&results->output);
}

/* ---- At the end ---- */

/* The runs have more now than when each of them ended: the best of the others. */
static hone_status print_matrix(struct tune_results *results, const struct hone_tuning *tuning)
{
  struct best_matrix matrix = {0};
  hone_status status = NULL;

  for (size_t i = 0; i < hone_tuning_count(tuning) && !status; i++) {
    struct hone_report *report = NULL;
    status = hone_report_load(results->store, hone_tuning_run(tuning, i), &report);
    if (report) best_matrix_add(&matrix, report);
  }
  if (!status) best_matrix_print(&matrix, &results->output, terminal_width());
  best_matrix_close(&matrix);
  return status;
}

/* Runs of other kinds of devices end without an event, in between. A report in JSON needs to know
 * whether there are others. */
static void print_rest(struct tune_results *results, const struct hone_tuning *tuning)
{
  bool is_json = results->view->is_json, is_array = hone_tuning_count(tuning) > 1;

  separate(results);
  if (is_json && is_array) output_text(&results->output, "[");
  for (size_t i = 0; i < hone_tuning_count(tuning) && !results->status; i++) {
    int64_t run = hone_tuning_run(tuning, i);
    if (!is_read(results, run))
      results->status = print_run(results, run, hone_tuning_answered(tuning));
  }
  if (!is_json && results->shown > 1)
    overview_print(&results->overview, &results->output, terminal_width());
  if (!is_json && results->shown > 1 && !results->status)
    results->status = print_matrix(results, tuning);
  if (is_json && is_array) output_text(&results->output, "]");
  if (is_json && hone_tuning_count(tuning)) output_text(&results->output, "\n");
}

static enum exit_code result_code(const struct tune_results *results,
                                  const struct hone_tuning *tuning)
{
  if (hone_tuning_interrupted(tuning)) return CLI_INTERRUPTED;
  if (results->is_failed) return CLI_FAILED;
  if (results->view->requires_improvement && !results->is_all_improved) return CLI_NOT_IMPROVED;
  return CLI_DONE;
}

static void release(struct tune_results *results)
{
  hone_store_free(results->store);
  table_close(&results->overview);
  free(results->runs);
  free(results);
}

enum exit_code tune_results_close(struct tune_results *results, const struct hone_tuning *tuning)
{
  enum exit_code code = CLI_DONE;

  if (hone_tuning_count(tuning)) {
    print_rest(results, tuning);
    code = results->status ? message_status(results->status) : result_code(results, tuning);
  } else {
    hone_status_free(results->status);
  }
  if (!output_close(&results->output) && code == CLI_DONE) code = CLI_FAILED;
  release(results);
  return code;
}
