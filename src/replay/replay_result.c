#include "replay/replay_result.h"

#include "base/accessor.h"

#include <stdlib.h>

const char *hone_recording_format_name(enum hone_recording_format format)
{
#define NAME(id, name) name,
  static const char *const names[] = {HONE_RECORDING_FORMATS(NAME)};
#undef NAME

  return (size_t)format < sizeof names / sizeof *names ? names[format] : "";
}

/* ---- The result ---- */

#define RESULT(type, property, field) HONE__GET(type, hone_replay_result, property, field)
RESULT(bool, is_interrupted, interrupted)
RESULT(double, wall_s, wall_s)
RESULT(size_t, strategy_count, strategy_count)
RESULT(size_t, skipped_count, skipped_count)
RESULT(size_t, file_count, file_count)
HONE__GET_AT(const char *, hone_replay_result, strategy, strategies, strategy_count, NULL)
HONE__GET_IN(const char *, hone_replay_result, skipped_path, skipped, path, skipped_count, NULL)
HONE__GET_IN(const char *, hone_replay_result, skipped_why, skipped, why, skipped_count, NULL)
HONE__LEND_AT(hone_replay_file, hone_replay_result, file, files, file_count)

const struct hone_replay_cell *hone_replay_result_cell(const struct hone_replay_result *result,
                                                       size_t file, size_t strategy)
{
  if (file >= result->file_count || strategy >= result->strategy_count) return NULL;
  return &result->cells[file * result->strategy_count + strategy];
}

void hone_replay_result_free(struct hone_replay_result *result)
{
  if (!result) return;
  for (size_t i = 0; i < result->file_count; i++) {
    struct hone_replay_file *file = &result->files[i];
    char *texts[] = {file->path, file->label, file->name, file->remark};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
      free(texts[k]);
  }
  for (size_t i = 0; i < result->strategy_count; i++)
    free(result->strategies[i]);
  for (size_t i = 0; i < result->skipped_count; i++) {
    free(result->skipped[i].path);
    free(result->skipped[i].why);
  }
  for (size_t i = 0; result->cells && i < result->file_count * result->strategy_count; i++)
    free(result->cells[i].points);
  free(result->files);
  free(result->strategies);
  free(result->cells);
  free(result->skipped);
  free(result);
}

/* ---- A recording ---- */

#define FILE_GET(type, property, field) HONE__GET(type, hone_replay_file, property, field)
FILE_GET(const char *, path, path)
FILE_GET(const char *, label, label)
FILE_GET(const char *, name, name)
FILE_GET(enum hone_recording_format, format, format)
FILE_GET(const char *, remark, remark)
FILE_GET(uint64_t, config_count, count)
FILE_GET(uint64_t, working_count, working)
FILE_GET(double, best_ms, best_ms)
FILE_GET(double, median_ms, median_ms)
FILE_GET(double, evaluation_s, evaluation_s)
FILE_GET(uint64_t, evaluations, evaluations)
FILE_GET(double, budget_s, budget_s)
FILE_GET(size_t, lesson_count, lessons)

/* ---- A strategy on a recording ---- */

#define CELL(type, property) HONE__GET(type, hone_replay_cell, property, property)
CELL(uint64_t, runs)
CELL(double, p)
CELL(double, p_budget)
CELL(double, p_work)
CELL(double, evaluations)
CELL(double, final_over_best)
CELL(double, optimum_share)
CELL(double, overhead_ms)
CELL(double, overhead_mean_ms)
CELL(double, overhead_late_ms)
CELL(double, overhead_most_ms)
CELL(double, overhead_share)
CELL(double, rate)

bool hone_replay_cell_point(const struct hone_replay_cell *cell, size_t i,
                            struct hone_replay_point *out_point)
{
  if (i >= cell->point_count) return false;
  *out_point = cell->points[i];
  return true;
}
