/* The figures of `hone replay` for programs. */
#include "replay_command.h"

#include "hone_replay.h"
#include "quote.h"

#include <inttypes.h>
#include <math.h>

/* The figures of a strategy on a recording. */
static const struct cell_field {
  const char *name;
  double (*get)(const struct hone_replay_cell *cell);
} cell_fields[] = {
#define FIELD(name)                                                                                \
  {                                                                                                \
#name, hone_replay_cell_##name                                                                 \
  }
    FIELD(p),
    FIELD(p_budget),
    FIELD(p_work),
    FIELD(evaluations),
    FIELD(final_over_best),
    FIELD(optimum_share),
    FIELD(overhead_ms),
    FIELD(overhead_mean_ms),
    FIELD(overhead_late_ms),
    FIELD(overhead_share),
    FIELD(rate),
    FIELD(overhead_most_ms),
#undef FIELD
};
static const struct total_field {
  const char *name;
  size_t offset;
} total_fields[] = {
#define FIELD(field)                                                                               \
  {                                                                                                \
#field, offsetof(struct replay_total, field)                                                   \
  }
    FIELD(p_mean),      FIELD(p_worst),          FIELD(budget_mean),    FIELD(budget_worst),
    FIELD(work_mean),   FIELD(work_worst),       FIELD(final_mean),     FIELD(optimum_mean),
    FIELD(overhead_ms), FIELD(overhead_late_ms), FIELD(overhead_share), FIELD(rate),
#undef FIELD
};
enum {
  CELL_FIELDS = sizeof cell_fields / sizeof *cell_fields,
  TOTAL_FIELDS = sizeof total_fields / sizeof *total_fields
};

static double total_of(const struct replay_total *total, const struct total_field *field)
{
  double value;

  memcpy(&value, (const char *)total + field->offset, sizeof value);
  return value;
}

/* ---- JSON ---- */

static void json_key(struct output *output, const char *key)
{
  output_text(output, ", ");
  quote_json_text(output, key);
  output_text(output, ": ");
}

static void json_text(struct output *output, const char *key, const char *text)
{
  json_key(output, key);
  quote_json_text(output, text);
}

static void json_number(struct output *output, const char *key, double number)
{
  json_key(output, key);
  quote_json_number(output, number);
}

static void json_count(struct output *output, const char *key, uint64_t count)
{
  json_key(output, key);
  output_format(output, "%" PRIu64, count);
}

static void json_cell(const struct replay_view *view, size_t file, size_t strategy)
{
  const struct hone_replay_result *result = view->result;
  const struct hone_replay_cell *cell = hone_replay_result_cell(result, file, strategy);

  output_text(view->output, strategy ? ",\n    {" : "    {");
  output_text(view->output, "\"strategy\": ");
  quote_json_text(view->output, hone_replay_result_strategy(result, strategy));
  json_count(view->output, "runs", hone_replay_cell_runs(cell));
  for (size_t i = 0; i < CELL_FIELDS; i++)
    json_number(view->output, cell_fields[i].name, cell_fields[i].get(cell));
  output_text(view->output, "}");
}

static void json_file(const struct replay_view *view, size_t number)
{
  const struct hone_replay_file *file = hone_replay_result_file(view->result, number);
  struct output *output = view->output;

  output_text(output, number ? ",\n  {" : "  {");
  output_text(output, "\"data\": ");
  quote_json_text(output, hone_replay_file_label(file));
  json_text(output, "path", hone_replay_file_path(file));
  json_text(output, "name", hone_replay_file_name(file));
  json_text(output, "format", hone_recording_format_name(hone_replay_file_format(file)));
  json_text(output, "remark", hone_replay_file_remark(file));
  json_count(output, "configurations", hone_replay_file_config_count(file));
  json_count(output, "working", hone_replay_file_working_count(file));
  json_number(output, "best_ms", hone_replay_file_best_ms(file));
  json_number(output, "median_ms", hone_replay_file_median_ms(file));
  json_number(output, "evaluation_s", hone_replay_file_evaluation_s(file));
  json_count(output, "metric_evaluations", hone_replay_file_evaluations(file));
  json_number(output, "metric_seconds", hone_replay_file_budget_s(file));
  json_count(output, "learned_from", hone_replay_file_lesson_count(file));
  output_text(output, ", \"cells\": [\n");
  for (size_t i = 0; i < hone_replay_result_strategy_count(view->result); i++)
    json_cell(view, number, i);
  output_text(output, "]}");
}

static void json_total(const struct replay_view *view, size_t strategy)
{
  struct replay_total total = replay_total(view->result, strategy);

  output_text(view->output, strategy ? ",\n  {" : "  {");
  output_text(view->output, "\"strategy\": ");
  quote_json_text(view->output, hone_replay_result_strategy(view->result, strategy));
  for (size_t i = 0; i < TOTAL_FIELDS; i++)
    json_number(view->output, total_fields[i].name, total_of(&total, &total_fields[i]));
  output_text(view->output, "}");
}

static void json_skipped(const struct replay_view *view, size_t number)
{
  output_text(view->output, number ? ",\n  {" : "  {");
  output_text(view->output, "\"path\": ");
  quote_json_text(view->output, hone_replay_result_skipped_path(view->result, number));
  json_text(view->output, "why", hone_replay_result_skipped_why(view->result, number));
  output_text(view->output, "}");
}

static void json_list(const struct replay_view *view, const char *name, size_t count,
                      void (*print)(const struct replay_view *view, size_t number))
{
  output_format(view->output, ",\n \"%s\": [%s", name, count ? "\n" : "");
  for (size_t i = 0; i < count; i++)
    print(view, i);
  output_text(view->output, "]");
}

void replay_print_json(const struct replay_view *view)
{
  const struct hone_replay_options *options = view->options;
  const struct hone_replay_result *result = view->result;
  struct output *output = view->output;

  output_format(output, "{\"seed\": %" PRIu64, options->seed);
  json_count(output, "repeats", options->repeats);
  json_count(output, "outstanding", options->outstanding);
  json_number(output, "budget_evaluations",
              options->evaluations ? (double)options->evaluations : NAN);
  json_number(output, "budget_seconds", options->budget_s > 0 ? options->budget_s : NAN);
  output_format(output, ", \"interrupted\": %s",
                hone_replay_result_is_interrupted(result) ? "true" : "false");
  json_number(output, "wall_s", hone_replay_result_wall_s(result));
  json_list(view, "strategies", hone_replay_result_strategy_count(result), json_total);
  json_list(view, "files", hone_replay_result_file_count(result), json_file);
  json_list(view, "skipped", hone_replay_result_skipped_count(result), json_skipped);
  output_text(output, "}\n");
}

/* ---- CSV ---- */

static void csv_number(struct output *output, double number)
{
  output_text(output, ",");
  if (isfinite(number)) output_format(output, "%.9g", number);
}

static void csv_cell(const struct replay_view *view, size_t file, size_t strategy)
{
  const struct hone_replay_result *result = view->result;
  const struct hone_replay_cell *cell = hone_replay_result_cell(result, file, strategy);

  quote_csv_text(view->output, hone_replay_file_label(hone_replay_result_file(result, file)));
  output_text(view->output, ",");
  quote_csv_text(view->output, hone_replay_result_strategy(result, strategy));
  output_format(view->output, ",%" PRIu64, hone_replay_cell_runs(cell));
  for (size_t i = 0; i < CELL_FIELDS; i++)
    csv_number(view->output, cell_fields[i].get(cell));
  output_text(view->output, "\n");
}

void replay_print_csv(const struct replay_view *view)
{
  output_text(view->output, "data,strategy,runs");
  for (size_t i = 0; i < CELL_FIELDS; i++)
    output_format(view->output, ",%s", cell_fields[i].name);
  output_text(view->output, "\n");
  for (size_t file = 0; file < hone_replay_result_file_count(view->result); file++)
    for (size_t i = 0; i < hone_replay_result_strategy_count(view->result); i++)
      csv_cell(view, file, i);
}
