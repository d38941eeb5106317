/* Results as JSON: everything that the structure holds. Missing values are null or "". */
#include "spec/json_writer.h"

#include "export/results_print.h"
#include "results/results.h"

#include <math.h>

enum { SCHEMA_VERSION = 1 };

static void add_column_name(struct hone__json_writer *writer, const char *key,
                            const struct hone_results *results, size_t column)
{
  if (column == SIZE_MAX)
    hone__json_real(writer, key, NAN);
  else
    hone__json_text(writer, key, results->columns[column]);
}

static void add_head(struct hone__json_writer *writer, const struct hone_results *results)
{
  bool has_time = results->time_column != SIZE_MAX;

  hone__json_integer(writer, "schema_version", SCHEMA_VERSION);
  hone__json_text(writer, "hone", hone_version());
  hone__json_text(writer, "origin", results->origin);
  hone__json_integer(writer, "run", (uint64_t)results->run);
  hone__json_text(writer, "name", results->name);
  hone__json_text(writer, "file", results->file);
  hone__json_text(writer, "problem", results->problem);
  hone__json_text(writer, "state", hone_run_state_name(results->state));
  hone__json_integer(writer, "total", results->total);
  hone__json_integer(writer, "valid", results->valid);
  hone__json_integer(writer, "slow", results->slow);
  hone__json_real(writer, "build_s", results->build_s);
  hone__json_real(writer, "run_s", results->run_s);
  hone__json_real(writer, "wall_s", results->wall_s);
  add_column_name(writer, "time_column", results, results->time_column);
  hone__json_real(writer, "time_unit_s", has_time ? results->time_unit_s : NAN);
  add_column_name(writer, "aim_column", results, results->aim_column);
}

static void add_columns(struct hone__json_writer *writer, const struct hone_results *results)
{
  hone__json_open(writer, "columns", '[');
  for (size_t i = 0; i < results->column_count; i++)
    hone__json_text(writer, NULL, results->columns[i]);
  hone__json_close(writer, ']');
}

static void add_measured(struct hone__json_writer *writer, const struct hone_result_row *row)
{
  const struct hone__measured *measured = &row->measured;

  hone__json_text(writer, "basis", hone_basis_name(measured->basis));
  if (measured->basis == HONE_BASIS_MEASURED) return;
  hone__json_word(writer, "best", measured->is_best ? "True" : "False");
  hone__json_word(writer, "tied", row->is_tied ? "True" : "False");
  hone__json_word(writer, "baseline", measured->is_baseline ? "True" : "False");
  hone__json_real(writer, "speedup", measured->speedup);
  hone__json_real(writer, "low", measured->low);
  hone__json_real(writer, "high", measured->high);
}

static void add_rows(struct hone__json_writer *writer, const struct hone_results *results)
{
  hone__json_open(writer, "rows", '[');
  for (size_t i = 0; i < results->row_count; i++) {
    const struct hone_result_row *row = &results->rows[i];
    hone__json_open(writer, NULL, '{');
    hone__json_integer(writer, results->index_name, row->mesh_idx);
    hone__json_text(writer, "spec", row->spec);
    hone__json_params(writer, "params", row->params.at, row->params.count);
    hone__json_open(writer, "values", '{');
    for (size_t column = 0; column < results->column_count; column++)
      hone__json_cell(writer, results->columns[column], row->cells[column].text,
                      row->cells[column].number);
    hone__json_close(writer, '}');
    add_measured(writer, row);
    if (*row->suspicious) hone__json_text(writer, "suspicious", row->suspicious);
    if (results->has_pareto) hone__json_word(writer, "pareto", row->is_pareto ? "True" : "False");
    hone__json_close(writer, '}');
  }
  hone__json_close(writer, ']');
}

static void add_builds(struct hone__json_writer *writer, const struct hone_results *results)
{
  hone__json_open(writer, "builds", '[');
  for (size_t i = 0; i < results->build_count; i++) {
    hone__json_open(writer, NULL, '{');
    hone__json_integer(writer, "mesh_idx", results->builds[i].mesh_idx);
    hone__json_text(writer, "spec", results->builds[i].spec);
    hone__json_real(writer, "seconds", results->builds[i].seconds);
    hone__json_close(writer, '}');
  }
  hone__json_close(writer, ']');
}

static void add_failures(struct hone__json_writer *writer, const struct hone_results *results)
{
  hone__json_open(writer, "failures", '[');
  for (size_t i = 0; i < results->failure_count; i++) {
    const struct hone_result_failure *failure = &results->failures[i];
    hone__json_open(writer, NULL, '{');
    hone__json_integer(writer, "mesh_idx", failure->mesh_idx);
    hone__json_text(writer, "spec", failure->spec);
    hone__json_params(writer, "params", failure->params.at, failure->params.count);
    hone__json_text(writer, "type", hone_failure_type_name(failure->type));
    hone__json_text(writer, "outcome", hone_outcome_name(failure->outcome));
    hone__json_text(writer, "evidence", failure->evidence);
    hone__json_text(writer, "stdout", failure->stdout_text);
    hone__json_text(writer, "stderr", failure->stderr_text);
    hone__json_close(writer, '}');
  }
  hone__json_close(writer, ']');
}

void hone__write_json(const struct hone_results *results, struct hone__text *text)
{
  struct hone__json_writer writer = {.text = *text};

  hone__json_open(&writer, NULL, '{');
  add_head(&writer, results);
  add_columns(&writer, results);
  add_rows(&writer, results);
  add_builds(&writer, results);
  add_failures(&writer, results);
  hone__json_close(&writer, '}');
  hone__text_add(&writer.text, "\n");
  *text = writer.text;
}
