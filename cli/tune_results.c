/* The results of `hone tune`: the report of each run, and an overview of several. */
#include "tune_results.h"

#include "figures.h"
#include "hone_results.h"
#include "kind_matrix.h"
#include "overview.h"
#include "report_text.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

struct tune_report {
  const struct tune_view *view;
  struct hone_store *store;
  struct output *output;
  struct table overview;     /* of several problems, or kinds of devices */
  struct kind_matrix matrix; /* of several kinds */
  size_t shown;              /* reports */
  bool is_answered, is_failed, is_all_improved;
};

static hone_status print_text(struct tune_report *results, const struct hone_report *report)
{
  struct report_view view = {.output = results->output,
                             .report = report,
                             .store = hone_store_file(results->store),
                             .store_given = results->view->store,
                             .width = terminal_width(),
                             .is_end = true,
                             .is_verbose = results->view->common->verbose};

  /* If nothing was done, only the message is printed, which follows. */
  if (results->is_failed && hone_report_evaluation_count(report) == 0) return NULL;
  if (results->shown++) output_text(results->output, "\n");
  report_print(&view);
  return NULL;
}

static hone_status print_json(struct tune_report *results, const struct hone_report *report)
{
  char *json = NULL;
  hone_status status = hone_report_json(results->store, hone_report_run(report), &json);

  if (results->shown++) output_text(results->output, ",\n");
  if (json) output_raw(results->output, json);
  free(json);
  return status;
}

static hone_status print_run(struct tune_report *results, int64_t run)
{
  struct hone_report *report = NULL;
  hone_status status = hone_report_load(results->store, run, &report);
  struct figure when;

  if (status) return status;
  if (hone_report_state(report) == HONE_RUN_FAILED) results->is_failed = true;
  if (hone_report_verdict(report) != HONE_VERDICT_IMPROVED) results->is_all_improved = false;
  if (results->is_answered)
    message_note("from run %" PRId64
                 " of %.16s: nothing was measured; use --fresh to measure again",
                 run, figure_when(&when, hone_report_started(report)));
  overview_add(&results->overview, report);
  status = (results->view->is_json ? print_json : print_text)(results, report);
  kind_matrix_add(&results->matrix, report);
  return status;
}

static hone_status print_runs(struct tune_report *results, const struct hone_tuning *tuning)
{
  bool is_json = results->view->is_json, is_array = hone_tuning_count(tuning) > 1;
  hone_status status = NULL;

  if (is_json && is_array) output_text(results->output, "[");
  overview_open(&results->overview);
  for (size_t i = 0; i < hone_tuning_count(tuning) && !status; i++)
    status = print_run(results, hone_tuning_run(tuning, i));
  if (!is_json && results->shown > 1)
    overview_print(&results->overview, results->output, terminal_width());
  if (!is_json) kind_matrix_print(&results->matrix, results->output, terminal_width());
  kind_matrix_close(&results->matrix);
  table_close(&results->overview);
  if (is_json && is_array) output_text(results->output, "]");
  if (is_json && hone_tuning_count(tuning)) output_text(results->output, "\n");
  return status;
}

static enum exit_code result_code(const struct tune_report *results,
                                  const struct hone_tuning *tuning)
{
  if (hone_tuning_interrupted(tuning)) return CLI_INTERRUPTED;
  if (results->is_failed) return CLI_FAILED;
  if (results->view->requires_improvement && !results->is_all_improved) return CLI_NOT_IMPROVED;
  return CLI_DONE;
}

enum exit_code tune_results_print(const struct tune_view *view, const struct hone_tuning *tuning)
{
  bool is_colored =
      !view->is_json && terminal_has_color((enum color_mode)view->common->color, STDOUT_FILENO);
  struct output output;
  struct tune_report results = {.view = view,
                                .output = &output,
                                .is_answered = hone_tuning_answered(tuning),
                                .is_all_improved = hone_tuning_count(tuning) > 0};
  hone_status status = hone_store_open(view->store, &results.store);
  enum exit_code code;

  if (status) return message_status(status);
  output_open(&output, STDOUT_FILENO, is_colored);
  if (!view->is_json && isatty(STDOUT_FILENO)) output_text(&output, "\n");
  status = print_runs(&results, tuning);
  code = status ? message_status(status) : result_code(&results, tuning);
  hone_store_free(results.store);
  if (!output_close(&output) && code == CLI_DONE) code = CLI_FAILED;
  return code;
}
