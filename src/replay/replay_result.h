/* replay_result.h - what a replay has found; accessors are in hone_replay.h. */
#ifndef HONE_REPLAY_REPLAY_RESULT_H
#define HONE_REPLAY_REPLAY_RESULT_H

#include "hone_replay.h"

struct hone_replay_file {
  char *path, *label, *name, *remark;
  enum hone_recording_format format;
  uint64_t count, working; /* configurations */
  double best_ms, median_ms, evaluation_s;
  uint64_t evaluations;
  double budget_s;
  size_t lessons; /* other recordings that searches learn from */
};

struct hone_replay_cell {
  uint64_t runs;
  double p, p_budget, p_work;
  double evaluations, final_over_best, optimum_share;
  double overhead_ms, overhead_mean_ms, overhead_late_ms, overhead_most_ms, overhead_share;
  double rate;
  struct hone_replay_point *points;
  size_t point_count;
};

struct hone__replay_skipped {
  char *path, *why;
};

struct hone_replay_result {
  struct hone_replay_file *files;
  size_t file_count;
  char **strategies;
  size_t strategy_count;
  struct hone_replay_cell *cells; /* files[f] by strategies[s]: [f * strategy_count + s] */
  struct hone__replay_skipped *skipped;
  size_t skipped_count;
  bool interrupted;
  double wall_s;
};

#endif
