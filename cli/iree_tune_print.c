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
  if (dispatch->is_used) return dispatch->configuration;
  return dispatch->why_not;
}

static void add_row(struct table *table, const struct hone_iree_tuned_dispatch *dispatch)
{
  struct figure figure;

  table_cell(table, dispatch->executable);
  if (isnan(dispatch->share))
    table_cell(table, "");
  else
    table_format(table, "%.1f %%", 100 * dispatch->share);
  table_cell(table, dispatch->operation);
  table_cell(table, figure_time(&figure, dispatch->before_ns));
  table_cell(table, figure_time(&figure, dispatch->after_ns));
  table_cell(table, figure_speedup(&figure, dispatch->speedup));
  table_cell(table, outcome_of(dispatch));
}

static void print_dispatches(struct output *output, const struct hone_iree_tuned *tuned,
                             bool is_verbose)
{
  struct table table;

  table_open(&table, 0);
  table_column(&table, "dispatch", 0);
  table_column(&table, "share", TABLE_RIGHT);
  table_column(&table, "operation", 0);
  table_column(&table, "before", TABLE_RIGHT);
  table_column(&table, "after", TABLE_RIGHT);
  table_column(&table, "speedup", TABLE_RIGHT);
  table_column(&table, "configuration", TABLE_BELOW);
  for (size_t i = 0; i < tuned->count; i++)
    add_row(&table, &tuned->dispatches[i]);
  table_print(&table, output, is_verbose ? 0 : terminal_width());
  table_close(&table);
}

/* ---- The model ---- */

static void print_model(struct output *output, const struct iree_tune_view *view,
                        const struct hone_iree_tuned *tuned)
{
  const char *verdict = hone_verdict_name(tuned->verdict);
  bool is_good = tuned->verdict == HONE_VERDICT_IMPROVED;
  struct figure before, after, speedup, range;

  if (!view->model || !tuned->run || isnan(tuned->before_ns)) return;
  output_text(output, "\n");
  visible_text(output, view->model);
  output_format(output, "  %s", figure_time(&before, tuned->before_ns));
  if (!isnan(tuned->after_ns))
    output_format(output, " -> %s  %s", figure_time(&after, tuned->after_ns),
                  figure_speedup(&speedup, tuned->speedup));
  if (!isnan(tuned->low))
    output_format(output, " (%s)", figure_range(&range, tuned->speedup, tuned->low, tuned->high));
  output_text(output, "\n");
  if (!*verdict) return;
  output_styled(output, is_good ? STYLE_GOOD : STYLE_WARN, verdict);
  output_text(output, "  ");
  visible_wrapped(output, tuned->sentence, strlen(verdict) + 2, terminal_width());
  output_text(output, "\n");
}

/* ---- The spec ---- */

static void print_use(struct output *output, const struct iree_tune_view *view,
                      const struct hone_iree_tuned *tuned)
{
  if (!view->written) {
    if (*tuned->spec) {
      output_text(output, "\nno spec was written; the best spec found is ");
      visible_text(output, tuned->spec_path);
      output_text(output, "\n");
    }
    return;
  }
  output_text(output, "\n");
  output_styled(output, STYLE_BOLD, view->written);
  output_format(output, "  %zu entr%s", tuned->entry_count, tuned->entry_count == 1 ? "y" : "ies");
  if (tuned->is_verified) output_text(output, ", each verified in a new compilation");
  output_text(output, "; to use it:\n  iree-compile ");
  if (view->model) quote_shell_text(output, view->model);
  output_format(output, view->model ? " %s %s" : "...%s %s", tuned->compile_words,
                tuned->spec_flag);
  quote_shell_text(output, view->written);
  output_text(output, " -o model.vmfb\n");
}

static void print_state(struct output *output, const struct iree_tune_view *view,
                        const struct hone_iree_tuned *tuned)
{
  struct figure time;

  output_text(output, "\n");
  if (tuned->interrupted)
    output_text(output, "interrupted; ");
  else if (*tuned->stopped && !view->is_failed)
    output_format(output, "stopped after %s; ", tuned->stopped);
  if (tuned->interrupted || (*tuned->stopped && !view->is_failed))
    output_text(output, "run the same command to continue, ");
  output_format(output, "%s, work in ", figure_duration(&time, tuned->wall_s));
  visible_text(output, tuned->folder);
  output_text(output, "\n");
}

static void print_text(struct output *output, const struct iree_tune_view *view,
                       const struct hone_iree_tuned *tuned)
{
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
  for (size_t i = 0; i < tuned->note_count; i++)
    message_note("%s", tuned->notes[i]);
  return output_close(&output);
}
