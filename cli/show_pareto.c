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

static void print_numbers(struct output *output, const char *name,
                          const struct hone_pareto_point *point, size_t count,
                          double (*number)(const struct hone_pareto_point *point, size_t objective))
{
  output_format(output, ", \"%s\": [", name);
  for (size_t i = 0; i < count; i++) {
    output_text(output, i ? ", " : "");
    quote_json_number(output, number(point, i));
  }
  output_text(output, "]");
}

static void print_json_objectives(struct output *output, const struct hone_pareto *pareto)
{
  output_text(output, ", \"objectives\": [");
  for (size_t i = 0; i < hone_pareto_objective_count(pareto); i++) {
    enum hone_unit unit = hone_pareto_objective_unit(pareto, i);
    output_text(output, i ? ", {\"name\": " : "{\"name\": ");
    quote_json_text(output, hone_pareto_objective_name(pareto, i));
    output_text(output, ", \"unit\": ");
    quote_json_text(output, unit == HONE_UNIT_NONE ? NULL : hone_unit_name(unit));
    output_format(output, ", \"maximise\": %s}",
                  hone_pareto_objective_is_maximised(pareto, i) ? "true" : "false");
  }
  output_text(output, "]");
}

static void print_json_member(struct output *output, const struct hone_pareto *pareto,
                              const struct hone_pareto_point *point)
{
  output_format(output, "{\"id\": %" PRId64 ", \"config\": ", hone_pareto_point_id(point));
  quote_json_text(output, hone_pareto_point_config(point));
  output_text(output, ", \"params\": ");
  quote_json_config(output, hone_pareto_point_config(point));
  output_format(output, ", \"is_baseline\": %s, \"confirmed\": %s",
                hone_pareto_point_is_baseline(point) ? "true" : "false",
                hone_pareto_point_is_confirmed(point) ? "true" : "false");
  print_numbers(output, "values", point, hone_pareto_objective_count(pareto),
                hone_pareto_point_value);
  print_numbers(output, "ratios", point, hone_pareto_objective_count(pareto),
                hone_pareto_point_ratio);
  output_text(output, ", \"command\": ");
  quote_json_text(output, hone_pareto_point_command(point));
  output_text(output, "}");
}

static void print_json(struct output *output, const struct hone_report *report)
{
  const struct hone_pareto *pareto = hone_report_pareto(report);

  output_format(output, "{\"schema_version\": 1, \"run\": %" PRId64, hone_report_run(report));
  print_json_objectives(output, pareto);
  output_format(output, ", \"configurations\": %zu, \"members\": [",
                hone_pareto_point_count(pareto));
  for (size_t i = 0; i < hone_pareto_member_count(pareto); i++) {
    output_text(output, i ? ",\n " : "\n ");
    print_json_member(output, pareto, hone_pareto_point(pareto, i));
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
  static const char *const suffixes[] = {
      [HONE_UNIT_NONE] = "", [HONE_UNIT_NS] = " (ns)", [HONE_UNIT_J] = " (J)"};

  for (size_t i = 0; i < hone_pareto_objective_count(pareto); i++) {
    const char *name = hone_pareto_objective_name(pareto, i);
    print_csv_title(output, name, suffixes[hone_pareto_objective_unit(pareto, i)]);
    print_csv_title(output, name, " ratio");
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
  const struct hone_pareto_point *point = hone_pareto_point(pareto, member);

  for (size_t i = 0; i < hone_pareto_objective_count(pareto); i++) {
    print_csv_number(output, hone_pareto_point_value(point, i));
    print_csv_number(output, hone_pareto_point_ratio(point, i));
  }
  output_format(output, "%s,%s,", hone_pareto_point_is_baseline(point) ? "True" : "False",
                hone_pareto_point_is_confirmed(point) ? "True" : "False");
  quote_csv_text(output, hone_pareto_point_config(point));
  for (size_t i = 0; i < columns->width; i++) {
    output_text(output, ",");
    quote_csv_text(output, columns->values[member * columns->width + i]);
  }
  output_text(output, "\n");
}

/* Parameters have columns of their own where all members have the same ones. */
static void print_csv(struct output *output, const struct hone_pareto *pareto)
{
  const char **configs =
      check_memory(calloc(hone_pareto_member_count(pareto) + 1, sizeof *configs));
  struct config_columns columns = {0};

  for (size_t i = 0; i < hone_pareto_member_count(pareto); i++)
    configs[i] = hone_pareto_point_config(hone_pareto_point(pareto, i));
  config_columns_open(&columns, configs, hone_pareto_member_count(pareto));
  print_csv_titles(output, pareto, &columns);
  for (size_t i = 0; i < hone_pareto_member_count(pareto); i++)
    print_csv_member(output, pareto, i, &columns);
  config_columns_close(&columns);
  free(configs);
}

/* ---- YAML ---- */

static hone_status print_members(struct output *output, const struct hone_pareto *pareto,
                                 const struct hone_results *results)
{
  size_t members = hone_pareto_member_count(pareto), count = 0;
  const struct hone_results **list = check_memory(calloc(members + 1, sizeof *list));
  size_t *rows = check_memory(calloc(members + 1, sizeof *rows));
  char *text = NULL;
  hone_status status;

  for (size_t i = 0; i < members; i++) {
    const char *config = hone_pareto_point_config(hone_pareto_point(pareto, i));
    rows[count] = results_find_config(results, config);
    if (rows[count] == SIZE_MAX) continue;
    list[count++] = results;
  }
  status = hone_results_best_yaml(list, count, rows, NULL, &text);
  if (!status) output_document(output, text);
  free(text);
  free(list);
  free(rows);
  return status;
}

static hone_status print_yaml(struct output *output, struct hone_store *store,
                              const struct hone_report *report)
{
  struct hone_results *results = NULL;
  hone_status status = hone_results_load(store, hone_report_run(report), &results);

  if (status) return status;
  output_format(output, "# The Pareto set of run %" PRId64 ".\n", hone_report_run(report));
  status = print_members(output, hone_report_pareto(report), results);
  hone_results_free(results);
  return status;
}

/* ---- The whole ---- */

bool pareto_is_there(const struct hone_report *report)
{
  if (hone_report_pareto(report)) return true;
  message_error("run %" PRId64 " has no Pareto set: it was tuned for one objective, or the others "
                "could not be measured; set 'objective: [time, energy]' in a spec to get one",
                hone_report_run(report));
  return false;
}

hone_status pareto_print(const struct report_view *view, struct hone_store *store, int format)
{
  switch (format) {
  case SHOW_JSON: print_json(view->output, view->report); return NULL;
  case SHOW_CSV: print_csv(view->output, hone_report_pareto(view->report)); return NULL;
  case SHOW_YAML: return print_yaml(view->output, store, view->report);
  default: report_print_pareto(view, true); return NULL;
  }
}
