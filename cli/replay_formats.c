/* The figures of `hone replay` for programs. */
#include "replay_command.h"

#include "hone_replay.h"
#include "quote.h"

#include <inttypes.h>
#include <math.h>

static const struct cell_field {
  const char *name;
  size_t offset;
} cell_fields[] = {
#define FIELD(name, field)                                                                         \
  {                                                                                                \
    name, offsetof(struct hone_replay_cell, field)                                                 \
  }
    FIELD("p", p),
    FIELD("p_budget", p_budget),
    FIELD("p_work", p_work),
    FIELD("evaluations", evaluations),
    FIELD("final_over_best", final_over_best),
    FIELD("optimum_share", optimum_share),
    FIELD("overhead_ms", overhead_ms),
    FIELD("overhead_mean_ms", overhead_mean_ms),
    FIELD("overhead_late_ms", overhead_late_ms),
    FIELD("overhead_share", overhead_share),
    FIELD("rate", rate),
#undef FIELD
};
static const struct cell_field total_fields[] = {
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

static double field_of(const void *record, const struct cell_field *field)
{
  double value;

  memcpy(&value, (const char *)record + field->offset, sizeof value);
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

static void json_fields(struct output *output, const void *record, const struct cell_field *fields,
                        size_t count)
{
  for (size_t i = 0; i < count; i++)
    json_number(output, fields[i].name, field_of(record, &fields[i]));
}

static void json_cell(const struct replay_view *view, size_t file, size_t strategy)
{
  const struct hone_replay_result *result = view->result;
  const struct hone_replay_cell *cell = &result->cells[file * result->strategy_count + strategy];

  output_text(view->output, strategy ? ",\n    {" : "    {");
  output_text(view->output, "\"strategy\": ");
  quote_json_text(view->output, result->strategies[strategy]);
  json_count(view->output, "runs", cell->runs);
  json_fields(view->output, cell, cell_fields, CELL_FIELDS);
  output_text(view->output, "}");
}

static void json_file(const struct replay_view *view, size_t number)
{
  const struct hone_replay_file *file = &view->result->files[number];
  struct output *output = view->output;

  output_text(output, number ? ",\n  {" : "  {");
  output_text(output, "\"data\": ");
  quote_json_text(output, file->label);
  json_text(output, "path", file->path);
  json_text(output, "name", file->name);
  json_text(output, "format", file->format);
  json_text(output, "remark", file->remark);
  json_count(output, "configurations", file->count);
  json_count(output, "working", file->working);
  json_number(output, "best_ms", file->best_ms);
  json_number(output, "median_ms", file->median_ms);
  json_number(output, "evaluation_s", file->evaluation_s);
  json_count(output, "metric_evaluations", file->evaluations);
  json_number(output, "metric_seconds", file->budget_s);
  output_text(output, ", \"cells\": [\n");
  for (size_t i = 0; i < view->result->strategy_count; i++)
    json_cell(view, number, i);
  output_text(output, "]}");
}

static void json_total(const struct replay_view *view, size_t strategy)
{
  struct replay_total total = replay_total(view->result, strategy);

  output_text(view->output, strategy ? ",\n  {" : "  {");
  output_text(view->output, "\"strategy\": ");
  quote_json_text(view->output, view->result->strategies[strategy]);
  json_fields(view->output, &total, total_fields, TOTAL_FIELDS);
  output_text(view->output, "}");
}

static void json_skipped(const struct replay_view *view, size_t number)
{
  const struct hone_replay_skipped *skipped = &view->result->skipped[number];

  output_text(view->output, number ? ",\n  {" : "  {");
  output_text(view->output, "\"path\": ");
  quote_json_text(view->output, skipped->path);
  json_text(view->output, "why", skipped->why);
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
  output_format(output, ", \"interrupted\": %s", result->interrupted ? "true" : "false");
  json_number(output, "wall_s", result->wall_s);
  json_list(view, "strategies", result->strategy_count, json_total);
  json_list(view, "files", result->file_count, json_file);
  json_list(view, "skipped", result->skipped_count, json_skipped);
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
  const struct hone_replay_cell *cell = &result->cells[file * result->strategy_count + strategy];

  quote_csv_text(view->output, result->files[file].label);
  output_text(view->output, ",");
  quote_csv_text(view->output, result->strategies[strategy]);
  output_format(view->output, ",%" PRIu64, cell->runs);
  for (size_t i = 0; i < CELL_FIELDS; i++)
    csv_number(view->output, field_of(cell, &cell_fields[i]));
  output_text(view->output, "\n");
}

void replay_print_csv(const struct replay_view *view)
{
  output_text(view->output, "data,strategy,runs");
  for (size_t i = 0; i < CELL_FIELDS; i++)
    output_format(view->output, ",%s", cell_fields[i].name);
  output_text(view->output, "\n");
  for (size_t file = 0; file < view->result->file_count; file++)
    for (size_t i = 0; i < view->result->strategy_count; i++)
      csv_cell(view, file, i);
}
