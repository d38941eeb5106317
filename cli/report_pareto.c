/* The Pareto set of a run with several objectives: a value and its ratio to the baseline's for each
 * objective, then the parameters in which the members differ. */
#include "report_parts.h"

#include "config_columns.h"
#include "figures.h"
#include "visible.h"

#include <stdlib.h>

enum { MOST_MEMBERS = 20 };

/* The members that are listed, and their table. */
struct front {
  const struct report_view *view;
  const struct hone_pareto *pareto;
  const struct hone_pareto_point **members;
  size_t count;
  struct config_columns columns;
  bool is_cut;      /* into parameters: `columns` is open */
  bool has_columns; /* and each has a column */
  struct table table;
};

/* ---- What is listed ---- */

/* Of many some, spread over the whole set: both ends are among them. */
static void choose_members(struct front *front, bool all)
{
  size_t members = front->pareto->member_count;

  front->count = all || members <= MOST_MEMBERS ? members : MOST_MEMBERS;
  front->members = check_memory(calloc(front->count + 1, sizeof *front->members));
  for (size_t i = 0; i < front->count; i++) {
    size_t at = front->count == members ? i : i * (members - 1) / (front->count - 1);
    front->members[i] = &front->pareto->points[at];
  }
}

static void open_columns(struct front *front)
{
  const char **configs = check_memory(calloc(front->count + 1, sizeof *configs));

  for (size_t i = 0; i < front->count; i++)
    configs[i] = front->members[i]->config;
  front->is_cut = front->count > 1 && config_columns_open(&front->columns, configs, front->count);
  front->has_columns = front->is_cut;
  free(configs);
}

/* ---- The table ---- */

static const char *value_text(struct figure *figure, const struct hone_pareto_objective *objective,
                              double value)
{
  if (strcmp(objective->unit, "ns") == 0) return figure_time(figure, value);
  if (strcmp(objective->unit, "J") == 0) return figure_energy(figure, value);
  return figure_number(figure, value);
}

/* How far its time can be believed. */
static const char *basis(const struct front *front, const struct hone_pareto_point *point)
{
  if (point->is_baseline) return "baseline";
  return point->confirmed || report_is_sweep(front->view->report) ? "" : "(screen)";
}

static void add_titles(struct front *front)
{
  struct table *table = &front->table;

  table_open(table, 2);
  for (size_t i = 0; i < front->pareto->objective_count; i++) {
    table_column(table, front->pareto->objectives[i].name, TABLE_RIGHT);
    table_column(table, "ratio", TABLE_RIGHT);
  }
  table_column(table, "", 0);
  if (front->has_columns)
    config_columns_titles(&front->columns, table);
  else
    table_column(table, "configuration", TABLE_BELOW);
}

static void add_config(struct front *front, size_t i)
{
  struct output text;

  output_open(&text, OUTPUT_MEMORY, false);
  if (front->is_cut)
    config_columns_differing(&front->columns, i, &text);
  else
    output_text(&text, front->members[i]->config);
  output_bytes(&text, "", 1);
  table_cell(&front->table, text.bytes);
  output_close(&text);
}

static void add_member(struct front *front, size_t i)
{
  const struct hone_pareto_point *point = front->members[i];
  struct figure figure;

  for (size_t k = 0; k < front->pareto->objective_count; k++) {
    table_cell(&front->table, value_text(&figure, &front->pareto->objectives[k], point->values[k]));
    table_cell(&front->table, figure_ratio(&figure, point->ratios[k]));
  }
  table_cell(&front->table, basis(front, point));
  if (front->has_columns)
    config_columns_cells(&front->columns, &front->table, i);
  else
    add_config(front, i);
}

static void fill_table(struct front *front)
{
  add_titles(front);
  for (size_t i = 0; i < front->count; i++)
    add_member(front, i);
}

/* Parameters as columns read best; where they are too many, configurations. */
static void make_table(struct front *front)
{
  open_columns(front);
  fill_table(front);
  if (!front->has_columns || table_fits(&front->table, front->view->width)) return;
  table_close(&front->table);
  front->has_columns = false;
  fill_table(front);
}

/* ---- Around it ---- */

static void print_title(const struct front *front, bool is_alone)
{
  const struct hone_pareto *pareto = front->pareto;
  struct output title;

  output_open(&title, OUTPUT_MEMORY, false);
  output_text(&title, "Pareto set (");
  for (size_t i = 0; i < pareto->objective_count; i++) {
    output_text(&title, i ? ", " : "");
    visible_text(&title, pareto->objectives[i].name);
    output_text(&title, pareto->objectives[i].maximise ? " maximised" : "");
  }
  output_format(&title, "): %zu of %zu configurations", pareto->member_count, pareto->point_count);
  output_bytes(&title, "", 1);
  if (!is_alone) output_text(front->view->output, "\n");
  output_styled(front->view->output, STYLE_BOLD, title.bytes);
  output_text(front->view->output, "\n");
  output_close(&title);
}

static void print_shared(const struct front *front)
{
  struct output shared;

  output_open(&shared, OUTPUT_MEMORY, false);
  if (front->is_cut) config_columns_shared(&front->columns, &shared);
  output_bytes(&shared, "", 1);
  if (*shared.bytes) {
    output_text(front->view->output, "  all with ");
    visible_wrapped(front->view->output, shared.bytes, strlen("  all with "), front->view->width);
    output_text(front->view->output, "\n");
  }
  output_close(&shared);
}

void report_print_pareto(const struct report_view *view, bool is_alone)
{
  struct front front = {.view = view, .pareto = view->report->pareto};

  if (!front.pareto) return;
  choose_members(&front, is_alone || view->is_verbose);
  make_table(&front);
  print_title(&front, is_alone);
  print_shared(&front);
  table_print(&front.table, view->output, report_table_width(view));
  if (front.count < front.pareto->member_count) {
    output_format(view->output, "  these are %zu, spread over the set; all: ", front.count);
    report_print_command(view, " --pareto");
    output_text(view->output, "\n");
  }
  table_close(&front.table);
  config_columns_close(&front.columns);
  free(front.members);
}
