/* replay_cell.h - the runs of one strategy on one recording, and what they come to. */
#ifndef HONE_REPLAY_REPLAY_CELL_H
#define HONE_REPLAY_REPLAY_CELL_H

#include "replay/replay.h"
#include "replay/replay_ground.h"
#include "replay/replay_result.h"

enum hone__replay_curve {
  HONE__CURVE_METRIC,
  HONE__CURVE_WORK,
  HONE__CURVE_BUDGET,
  HONE__REPLAY_CURVES
};

struct hone__replay_run { /* what is left of a trace; { 0 }: the run was not done */
  bool is_done;
  double (*curves)[HONE__SCORE_POINTS];
  float *own_ms; /* by step */
  size_t count;
  double own_s, evaluated_s;
  double final_ms; /* at the end of the budget */
  double cpu_s;    /* of all that the run took here; set by the caller */
};

void hone__replay_run_take(const struct hone__replay_ground *ground,
                           const struct hone__replay_trace *trace,
                           struct hone__replay_run *out_run);
/* Sums up those that are done, in their order, and releases all. */
void hone__replay_cell_sum(const struct hone__replay_ground *ground, struct hone__replay_run *runs,
                           size_t count, struct hone_replay_cell *out_cell);

#endif
