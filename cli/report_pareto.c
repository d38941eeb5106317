/* The Pareto set of a run with several objectives: a value and its ratio to the baseline's for each
 * objective, then the parameters in which the members differ. */
#include "report_parts.h"

#include "config_table.h"
#include "figures.h"
#include "hone_results.h"
#include "visible.h"

#include <stdlib.h>

enum { MOST_MEMBERS = 20 };

/* The members that are listed. */
struct front {
  const struct report_view *view;
  const struct hone_pareto *pareto;
  const struct hone_pareto_point **members;
  size_t count;
};

/* ---- What is listed ---- */

/* Of many some, spread over the whole set: both ends are among them. */
static void choose_members(struct front *front, bool all)
{
  size_t members = hone_pareto_member_count(front->pareto);

  front->count = all || members <= MOST_MEMBERS ? members : MOST_MEMBERS;
  front->members = check_memory(calloc(front->count + 1, sizeof *front->members));
  for (size_t i = 0; i < front->count; i++) {
    size_t at = front->count == members ? i : i * (members - 1) / (front->count - 1);
    front->members[i] = hone_pareto_point(front->pareto, at);
  }
}

/* ---- The table ---- */

static const char *value_text(struct figure *figure, enum hone_unit unit, double value)
{
  switch (unit) {
  case HONE_UNIT_NS: return figure_time(figure, value);
  case HONE_UNIT_J: return figure_energy(figure, value);
  default: return figure_number(figure, value);
  }
}

/* The reliability of its time. */
static const char *basis(const struct front *front, const struct hone_pareto_point *point)
{
  if (hone_pareto_point_is_baseline(point)) return "baseline";
  return hone_pareto_point_is_confirmed(point) || report_is_sweep(front->view->report) ? ""
                                                                                       : "(screen)";
}

static void add_titles(void *data, struct table *table)
{
  const struct front *front = data;

  for (size_t i = 0; i < hone_pareto_objective_count(front->pareto); i++) {
    table_column(table, hone_pareto_objective_name(front->pareto, i), TABLE_RIGHT);
    table_column(table, "ratio", TABLE_RIGHT);
  }
  table_column(table, "", 0);
}

static void add_cells(void *data, struct table *table, size_t i)
{
  const struct front *front = data;
  const struct hone_pareto_point *point = front->members[i];
  struct figure figure;

  for (size_t k = 0; k < hone_pareto_objective_count(front->pareto); k++) {
    table_cell(table, value_text(&figure, hone_pareto_objective_unit(front->pareto, k),
                                 hone_pareto_point_value(point, k)));
    table_cell(table, figure_ratio(&figure, hone_pareto_point_ratio(point, k)));
  }
  table_cell(table, basis(front, point));
}

static void print_table(struct front *front)
{
  const struct report_view *view = front->view;
  const char **configs = check_memory(calloc(front->count + 1, sizeof *configs));
  struct config_table table = {.add_titles = add_titles, .add_cells = add_cells, .data = front};

  for (size_t i = 0; i < front->count; i++)
    configs[i] = hone_pareto_point_config(front->members[i]);
  config_table_open(&table, configs, front->count, false);
  config_table_fill(&table, view->width);
  config_table_print_shared(&table, view->output, view->width);
  table_print(&table.table, view->output, report_table_width(view));
  config_table_close(&table);
}

/* ---- Around it ---- */

static void print_title(const struct front *front, bool is_alone)
{
  const struct hone_pareto *pareto = front->pareto;
  struct output title;

  output_open(&title, OUTPUT_MEMORY, false);
  output_text(&title, "Pareto set (");
  for (size_t i = 0; i < hone_pareto_objective_count(pareto); i++) {
    output_text(&title, i ? ", " : "");
    visible_text(&title, hone_pareto_objective_name(pareto, i));
    output_text(&title, hone_pareto_objective_is_maximised(pareto, i) ? " maximised" : "");
  }
  output_format(&title, "): %zu of %zu configurations", hone_pareto_member_count(pareto),
                hone_pareto_point_count(pareto));
  output_bytes(&title, "", 1);
  if (!is_alone) output_text(front->view->output, "\n");
  output_styled(front->view->output, STYLE_BOLD, title.bytes);
  output_text(front->view->output, "\n");
  output_close(&title);
}

void report_print_pareto(const struct report_view *view, bool is_alone)
{
  struct front front = {.view = view, .pareto = hone_report_pareto(view->report)};

  if (!front.pareto) return;
  choose_members(&front, is_alone || view->is_verbose);
  print_title(&front, is_alone);
  print_table(&front);
  if (front.count < hone_pareto_member_count(front.pareto)) {
    output_format(view->output, "  showing %zu, spread over the set; all: ", front.count);
    report_print_command(view, " --pareto");
    output_text(view->output, "\n");
  }
  free(front.members);
}
