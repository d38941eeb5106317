/* The results of tuning a model: a table of its dispatches, the model, and how to use the spec. */
#include "iree_tune.h"

#include "figures.h"
#include "hone_iree.h"
#include "quote.h"
#include "table.h"
#include "terminal.h"
#include "visible.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- The dispatches ---- */

static const char *outcome_of(const struct hone_iree_tuned_dispatch *dispatch)
{
  if (hone_iree_tuned_dispatch_is_used(dispatch))
    return hone_iree_tuned_dispatch_configuration(dispatch);
  return hone_iree_tuned_dispatch_why_not(dispatch);
}

static void add_row(struct table *table, const struct hone_iree_tuned_dispatch *dispatch)
{
  struct figure figure;

  table_cell(table, hone_iree_tuned_dispatch_executable(dispatch));
  if (isnan(hone_iree_tuned_dispatch_share(dispatch)))
    table_cell(table, "");
  else
    table_format(table, "%.1f %%", 100 * hone_iree_tuned_dispatch_share(dispatch));
  if (hone_iree_tuned_dispatch_calls(dispatch))
    table_format(table, "%" PRIu64, hone_iree_tuned_dispatch_calls(dispatch));
  else
    table_cell(table, "");
  table_cell(table, hone_iree_tuned_dispatch_operation(dispatch));
  table_cell(table, figure_time(&figure, hone_iree_tuned_dispatch_before_ns(dispatch)));
  table_cell(table, figure_time(&figure, hone_iree_tuned_dispatch_after_ns(dispatch)));
  table_cell(table, figure_speedup(&figure, hone_iree_tuned_dispatch_speedup(dispatch)));
  table_cell(table, outcome_of(dispatch));
}

static void print_dispatches(struct output *output, const struct hone_iree_tuned *tuned,
                             bool is_verbose)
{
  struct table table;

  table_open(&table, 0);
  table_column(&table, "dispatch", 0);
  table_column(&table, "share", TABLE_RIGHT);
  table_column(&table, "calls", TABLE_RIGHT);
  table_column(&table, "operation", 0);
  table_column(&table, "before", TABLE_RIGHT);
  table_column(&table, "after", TABLE_RIGHT);
  table_column(&table, "speedup", TABLE_RIGHT);
  table_column(&table, "configuration", TABLE_BELOW);
  for (size_t i = 0; i < hone_iree_tuned_dispatch_count(tuned); i++)
    add_row(&table, hone_iree_tuned_dispatch(tuned, i));
  table_print(&table, output, is_verbose ? 0 : terminal_width());
  table_close(&table);
}

/* ---- The compiler's options ---- */

static void print_options(struct output *output, const struct hone_iree_tuned *tuned,
                          bool is_verbose)
{
  struct table table;
  struct figure figure, range;

  if (!hone_iree_tuned_option_count(tuned)) return;
  table_open(&table, 0);
  table_column(&table, "options", 0);
  table_column(&table, "time", TABLE_RIGHT);
  table_column(&table, "speedup", TABLE_RIGHT);
  table_column(&table, "interval", 0);
  table_column(&table, "result", 0);
  for (size_t i = 0; i < hone_iree_tuned_option_count(tuned); i++) {
    const struct hone_iree_tuned_option *option = hone_iree_tuned_option(tuned, i);
    double low = hone_iree_tuned_option_low(option);
    table_cell(&table, hone_iree_tuned_option_name(option));
    table_cell(&table, figure_time(&figure, hone_iree_tuned_option_time_ns(option)));
    table_cell(&table, figure_speedup(&figure, hone_iree_tuned_option_speedup(option)));
    table_cell(&table, isnan(low) ? ""
                                  : figure_range(&range, hone_iree_tuned_option_speedup(option),
                                                 low, hone_iree_tuned_option_high(option)));
    table_cell(&table, hone_iree_tuned_option_is_used(option)
                           ? "used"
                           : hone_iree_tuned_option_why_not(option));
  }
  table_print(&table, output, is_verbose ? 0 : terminal_width());
  table_close(&table);
  output_text(output, "\n");
}

static const struct hone_iree_tuned_option *used_option(const struct hone_iree_tuned *tuned)
{
  for (size_t i = 0; i < hone_iree_tuned_option_count(tuned); i++)
    if (hone_iree_tuned_option_is_used(hone_iree_tuned_option(tuned, i)))
      return hone_iree_tuned_option(tuned, i);
  return NULL;
}

/* What came from where. */
static void print_parts(struct output *output, const struct hone_iree_tuned *tuned)
{
  const struct hone_iree_tuned_option *used = used_option(tuned);
  struct figure options, spec, both;

  if (!used) return;
  output_format(output, "options (%s) %s", hone_iree_tuned_option_name(used),
                figure_speedup(&options, hone_iree_tuned_option_speedup(used)));
  if (!isnan(hone_iree_tuned_spec_speedup(tuned)))
    output_format(output, ", tuning spec over these options %s, together %s",
                  figure_speedup(&spec, hone_iree_tuned_spec_speedup(tuned)),
                  figure_speedup(&both, hone_iree_tuned_speedup(tuned)));
  output_text(output, "\n");
}

/* ---- The model ---- */

static void print_model(struct output *output, const struct iree_tune_view *view,
                        const struct hone_iree_tuned *tuned)
{
  const char *verdict = hone_verdict_name(hone_iree_tuned_verdict(tuned));
  bool is_good = hone_iree_tuned_verdict(tuned) == HONE_VERDICT_IMPROVED;
  struct figure before, after, speedup, range;

  if (!view->model || (!hone_iree_tuned_run(tuned) && !*verdict) ||
      isnan(hone_iree_tuned_before_ns(tuned)))
    return;
  output_text(output, "\n");
  visible_text(output, view->model);
  output_format(output, "  %s", figure_time(&before, hone_iree_tuned_before_ns(tuned)));
  if (!isnan(hone_iree_tuned_after_ns(tuned)))
    output_format(output, " -> %s  %s", figure_time(&after, hone_iree_tuned_after_ns(tuned)),
                  figure_speedup(&speedup, hone_iree_tuned_speedup(tuned)));
  if (!isnan(hone_iree_tuned_low(tuned)))
    output_format(output, " (%s)",
                  figure_range(&range, hone_iree_tuned_speedup(tuned), hone_iree_tuned_low(tuned),
                               hone_iree_tuned_high(tuned)));
  output_text(output, "\n");
  print_parts(output, tuned);
  if (!*verdict) return;
  output_styled(output, is_good ? STYLE_GOOD : STYLE_WARN, verdict);
  output_text(output, "  ");
  visible_wrapped(output, hone_iree_tuned_sentence(tuned), strlen(verdict) + 2, terminal_width());
  output_text(output, "\n");
}

/* ---- The spec ---- */

static void print_command(struct output *output, const struct hone_iree_tuned *tuned,
                          const char *spec)
{
  char *command = hone_iree_tuned_command(tuned, spec);

  output_text(output, "  ");
  visible_text(output, command);
  output_text(output, "\n");
  hone_free(command);
}

static bool is_finished(const struct iree_tune_view *view, const struct hone_iree_tuned *tuned)
{
  return view->model && !view->is_failed && !hone_iree_tuned_is_interrupted(tuned) &&
         hone_iree_tuned_stage(tuned) == HONE_IREE_STAGE_ALL;
}

/* It is not proved to be faster, but may be; or it could not be written. */
static void print_unwritten_spec(struct output *output, const struct hone_iree_tuned *tuned)
{
  bool is_proved = hone_iree_tuned_verdict(tuned) == HONE_VERDICT_IMPROVED;

  if (!*hone_iree_tuned_spec(tuned)) return;
  output_text(output, "\nno spec was written; the best spec found is ");
  visible_text(output, hone_iree_tuned_spec_path(tuned));
  output_text(output, is_proved ? "\n" : ", which is not proved to be faster; to try it:\n");
  if (!is_proved) print_command(output, tuned, NULL);
}

static void print_use(struct output *output, const struct iree_tune_view *view,
                      const struct hone_iree_tuned *tuned)
{
  if (!view->written) {
    print_unwritten_spec(output, tuned);
    if (is_finished(view, tuned)) {
      bool is_proved = hone_iree_tuned_verdict(tuned) == HONE_VERDICT_IMPROVED;
      output_text(output, !used_option(tuned)
                              ? "\nnothing was proved to be faster than plain iree-compile:\n"
                          : is_proved
                              ? "\nno spec is needed; to compile the model with these options:\n"
                              : "\nnothing was proved to be faster than plain iree-compile; to "
                                "compile the model with the options that look fastest:\n");
      print_command(output, tuned, "");
    }
    return;
  }
  output_text(output, "\n");
  output_styled(output, STYLE_BOLD, view->written);
  output_format(output, "  %zu entr%s", hone_iree_tuned_entry_count(tuned),
                hone_iree_tuned_entry_count(tuned) == 1 ? "y" : "ies");
  if (hone_iree_tuned_is_verified(tuned))
    output_text(output, ", each verified in a new compilation");
  output_text(output, "; to use it:\n");
  if (view->model) {
    print_command(output, tuned, view->written);
    return;
  }
  output_format(output, "  iree-compile ... %s", hone_iree_tuned_spec_flag(tuned));
  quote_shell_text(output, view->written);
  output_text(output, " -o model.vmfb\n");
}

static void print_state(struct output *output, const struct iree_tune_view *view,
                        const struct hone_iree_tuned *tuned)
{
  struct figure time;

  output_text(output, "\n");
  if (hone_iree_tuned_is_interrupted(tuned))
    output_text(output, "interrupted; ");
  else if (hone_iree_tuned_stage(tuned) != HONE_IREE_STAGE_ALL && !view->is_failed)
    output_format(output, "stopped after %s; ", hone_iree_stage_name(hone_iree_tuned_stage(tuned)));
  if (hone_iree_tuned_is_interrupted(tuned) ||
      (hone_iree_tuned_stage(tuned) != HONE_IREE_STAGE_ALL && !view->is_failed))
    output_text(output, "run the same command to continue, ");
  output_format(output, "%s, work in ", figure_duration(&time, hone_iree_tuned_wall_s(tuned)));
  visible_text(output, hone_iree_tuned_folder(tuned));
  output_text(output, "\n");
}

static void print_text(struct output *output, const struct iree_tune_view *view,
                       const struct hone_iree_tuned *tuned)
{
  print_options(output, tuned, view->common->verbose);
  print_dispatches(output, tuned, view->common->verbose);
  print_model(output, view, tuned);
  print_use(output, view, tuned);
  print_state(output, view, tuned);
}

bool iree_tune_print(const struct iree_tune_view *view, const struct hone_iree_tuned *tuned)
{
  struct output output;
  char *json = view->is_json ? hone_iree_tuned_json(tuned) : NULL;

  output_open(&output, STDOUT_FILENO,
              terminal_has_color((enum color_mode)view->common->color, STDOUT_FILENO));
  if (view->is_json) {
    output_raw(&output, json ? json : "{}");
    output_text(&output, "\n");
  } else {
    print_text(&output, view, tuned);
  }
  free(json);
  for (size_t i = 0; i < hone_iree_tuned_note_count(tuned); i++)
    message_note("%s", hone_iree_tuned_note(tuned, i));
  return output_close(&output);
}
