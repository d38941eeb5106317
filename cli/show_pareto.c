/* hone show --pareto: the Pareto set alone, as text, JSON, CSV, or as a spec of its members. */
#include "show_pareto.h"

#include "config_columns.h"
#include "hone_results.h"
#include "inputs.h"
#include "quote.h"
#include "report_parts.h"
#include "show_results.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- JSON ---- */

static void print_numbers(struct output *output, const char *name, const double *numbers,
                          size_t count)
{
  output_format(output, ", \"%s\": [", name);
  for (size_t i = 0; i < count; i++) {
    output_text(output, i ? ", " : "");
    quote_json_number(output, numbers[i]);
  }
  output_text(output, "]");
}

static void print_json_objectives(struct output *output, const struct hone_pareto *pareto)
{
  output_text(output, ", \"objectives\": [");
  for (size_t i = 0; i < pareto->objective_count; i++) {
    const struct hone_pareto_objective *objective = &pareto->objectives[i];
    output_text(output, i ? ", {\"name\": " : "{\"name\": ");
    quote_json_text(output, objective->name);
    output_text(output, ", \"unit\": ");
    if (*objective->unit)
      quote_json_text(output, objective->unit);
    else
      output_text(output, "null");
    output_format(output, ", \"maximise\": %s}", objective->maximise ? "true" : "false");
  }
  output_text(output, "]");
}

static void print_json_member(struct output *output, const struct hone_pareto *pareto,
                              const struct hone_pareto_point *point)
{
  output_format(output, "{\"id\": %" PRId64 ", \"config\": ", point->id);
  quote_json_text(output, point->config);
  output_text(output, ", \"params\": ");
  quote_json_config(output, point->config);
  output_format(output, ", \"is_baseline\": %s, \"confirmed\": %s",
                point->is_baseline ? "true" : "false", point->confirmed ? "true" : "false");
  print_numbers(output, "values", point->values, pareto->objective_count);
  print_numbers(output, "ratios", point->ratios, pareto->objective_count);
  output_text(output, ", \"command\": ");
  quote_json_text(output, point->command);
  output_text(output, "}");
}

static void print_json(struct output *output, const struct hone_report *report)
{
  const struct hone_pareto *pareto = report->pareto;

  output_format(output, "{\"schema_version\": 1, \"run\": %" PRId64, report->run);
  print_json_objectives(output, pareto);
  output_format(output, ", \"configurations\": %zu, \"members\": [", pareto->point_count);
  for (size_t i = 0; i < pareto->member_count; i++) {
    output_text(output, i ? ",\n " : "\n ");
    print_json_member(output, pareto, &pareto->points[i]);
  }
  output_text(output, "]}\n");
}

/* ---- CSV ---- */

static void print_csv_title(struct output *output, const char *name, const char *rest)
{
  struct output title;

  output_open(&title, OUTPUT_MEMORY, false);
  output_format(&title, "%s%s", name, rest);
  output_bytes(&title, "", 1);
  quote_csv_text(output, title.bytes);
  output_text(output, ",");
  output_close(&title);
}

static void print_csv_titles(struct output *output, const struct hone_pareto *pareto,
                             const struct config_columns *columns)
{
  for (size_t i = 0; i < pareto->objective_count; i++) {
    const struct hone_pareto_objective *objective = &pareto->objectives[i];
    print_csv_title(output, objective->name,
                    !*objective->unit         ? ""
                    : *objective->unit == 'n' ? " (ns)"
                                              : " (J)");
    print_csv_title(output, objective->name, " ratio");
  }
  output_text(output, "baseline,confirmed,config");
  for (size_t i = 0; i < columns->width; i++) {
    output_text(output, ",");
    quote_csv_text(output, columns->names[i]);
  }
  output_text(output, "\n");
}

static void print_csv_number(struct output *output, double number)
{
  if (isfinite(number)) quote_json_number(output, number);
  output_text(output, ",");
}

static void print_csv_member(struct output *output, const struct hone_pareto *pareto, size_t member,
                             const struct config_columns *columns)
{
  const struct hone_pareto_point *point = &pareto->points[member];

  for (size_t i = 0; i < pareto->objective_count; i++) {
    print_csv_number(output, point->values[i]);
    print_csv_number(output, point->ratios[i]);
  }
  output_format(output, "%s,%s,", point->is_baseline ? "True" : "False",
                point->confirmed ? "True" : "False");
  quote_csv_text(output, point->config);
  for (size_t i = 0; i < columns->width; i++) {
    output_text(output, ",");
    quote_csv_text(output, columns->values[member * columns->width + i]);
  }
  output_text(output, "\n");
}

/* Parameters have columns of their own where all members have the same ones. */
static void print_csv(struct output *output, const struct hone_pareto *pareto)
{
  const char **configs = check_memory(calloc(pareto->member_count + 1, sizeof *configs));
  struct config_columns columns = {0};

  for (size_t i = 0; i < pareto->member_count; i++)
    configs[i] = pareto->points[i].config;
  config_columns_open(&columns, configs, pareto->member_count);
  print_csv_titles(output, pareto, &columns);
  for (size_t i = 0; i < pareto->member_count; i++)
    print_csv_member(output, pareto, i, &columns);
  config_columns_close(&columns);
  free(configs);
}

/* ---- YAML ---- */

/* Each member as results of one row: the best of each is the member itself. */
static hone_status print_members(struct output *output, const struct hone_pareto *pareto,
                                 const struct hone_results *results)
{
  struct hone_results *each = check_memory(calloc(pareto->member_count + 1, sizeof *each));
  const struct hone_results **list = check_memory(calloc(pareto->member_count + 1, sizeof *list));
  size_t count = 0;
  char *text = NULL;
  hone_status status;

  for (size_t i = 0; i < pareto->member_count; i++) {
    size_t row = results_find_config(results, pareto->points[i].config);
    if (row == SIZE_MAX) continue;
    each[count] = *results;
    each[count].rows += row;
    each[count].row_count = 1;
    list[count] = &each[count];
    count++;
  }
  status = hone_results_best_yaml(list, count, NULL, &text);
  if (!status) output_document(output, text);
  free(text);
  free(list);
  free(each);
  return status;
}

static hone_status print_yaml(struct output *output, struct hone_store *store,
                              const struct hone_report *report)
{
  struct hone_results *results = NULL;
  hone_status status = hone_results_load(store, report->run, &results);

  if (status) return status;
  output_format(output, "# The Pareto set of run %" PRId64 ".\n", report->run);
  status = print_members(output, report->pareto, results);
  hone_results_free(results);
  return status;
}

/* ---- The whole ---- */

bool pareto_is_there(const struct hone_report *report)
{
  if (report->pareto) return true;
  message_error("run %" PRId64 " has no Pareto set: it was tuned for one objective, or the others "
                "could not be measured; set 'objective: [time, energy]' in a spec to get one",
                report->run);
  return false;
}

hone_status pareto_print(const struct report_view *view, struct hone_store *store, int format)
{
  switch (format) {
  case SHOW_JSON: print_json(view->output, view->report); return NULL;
  case SHOW_CSV: print_csv(view->output, view->report->pareto); return NULL;
  case SHOW_YAML: return print_yaml(view->output, store, view->report);
  default: report_print_pareto(view, true); return NULL;
  }
}
