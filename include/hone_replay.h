/* hone_replay.h - searches on what was measured once.
 *
 * A recording holds every configuration of a space with its time, or its failure, and what it took
 * to find that out: cache files of Kernel Tuner, T4, results of KTT, plain or in gzip. Searches on
 * it take little time, and all strategies have the same conditions. hone_t4_export makes a
 * recording of a run of the store.
 *
 *   const char *files[] = {"gemm-A100.json.gz"}, *strategies[] = {"auto", "random"};
 *   struct hone_replay_options options;
 *   struct hone_replay_result *result = NULL;
 *
 *   hone_replay_options_init(&options);
 *   options.files = files;
 *   options.file_count = 1;
 *   options.strategies = strategies;
 *   options.strategy_count = 2;
 *   status = hone_replay(&options, &result);
 *   for (size_t i = 0; !status && i < hone_replay_result_strategy_count(result); i++)
 *     printf("%s: P %.3f\n", hone_replay_result_strategy(result, i),
 *            hone_replay_cell_p(hone_replay_result_cell(result, 0, i)));
 *   hone_replay_result_free(result);
 */
#ifndef HONE_REPLAY_H
#define HONE_REPLAY_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Replaying ------------------------------------------------------------------------------- */

struct hone_replay_result; /* opaque */

struct hone_replay_options {
  size_t size;              /* set by hone_replay_options_init */
  const char *const *files; /* recordings; of folders all *.json and *.json.gz below */
  size_t file_count;
  const char *space_file; /* T1: which parameters and values there are; NULL: the files say */
  const char *const *strategies; /* their names; "all": every one. None: auto */
  size_t strategy_count;
  uint64_t seed;        /* seed of the first run; later runs use the following seeds; default 1 */
  uint64_t repeats;     /* runs of a strategy on a recording; default 25, at most 10000 */
  uint64_t evaluations; /* budget of a run; 0: see budget_s */
  double budget_s;      /* likewise, of recorded time; 0: that of the metric. Not both */
  size_t outstanding;   /* number of devices that evaluate in parallel; default 1, at most 4096 */
  const char *runs_dir; /* DIR/LABEL/STRATEGY/SEED.csv: "seconds,time_ms" of every evaluation,
                           without time if it failed; NULL: none are written */
  unsigned threads;     /* 0: as many as CPUs. What is found does not depend on it */
  /* Called now and then by the thread that called hone_replay, with runs; 0 of 0 while files are
   * loaded. False ends it. May be NULL. */
  bool (*progress)(void *data, uint64_t done, uint64_t total);
  void *progress_data;
  const char *const *learn_from; /* recordings and folders: searches on a file learn from those of
                                    them that have its parameters, except itself */
  size_t learn_from_count;
};
/* The defaults for a struct of `size` bytes. */
HONE_API void hone_replay_options_fill(struct hone_replay_options *options, size_t size);
static inline void hone_replay_options_init(struct hone_replay_options *options)
{
  hone_replay_options_fill(options, sizeof *options);
}

/* INVALID_SPEC, IO: a file that was named cannot be used. NOT_FOUND: there is no recording.
 * INVALID_ARGUMENT: an option; or a strategy has requested what it must not. CANCELLED: it was
 * ended before any run. */
HONE_API hone_status hone_replay(const struct hone_replay_options *options,
                                 struct hone_replay_result **out_result);
HONE_API void hone_replay_result_free(struct hone_replay_result *result);

/* `progress` ended it: cells are of the runs that were done. */
HONE_API bool hone_replay_result_is_interrupted(const struct hone_replay_result *result);
HONE_API double hone_replay_result_wall_s(const struct hone_replay_result *result);
HONE_API size_t hone_replay_result_strategy_count(const struct hone_replay_result *result);
HONE_API const char *hone_replay_result_strategy(const struct hone_replay_result *result,
                                                 size_t strategy);
/* Files of folders that are not recordings. */
HONE_API size_t hone_replay_result_skipped_count(const struct hone_replay_result *result);
HONE_API const char *hone_replay_result_skipped_path(const struct hone_replay_result *result,
                                                     size_t skipped);
HONE_API const char *hone_replay_result_skipped_why(const struct hone_replay_result *result,
                                                    size_t skipped);

/* ---- The recordings -------------------------------------------------------------------------- */

/* id, name */
#define HONE_RECORDING_FORMATS(X)                                                                  \
  X(KERNEL_TUNER, "Kernel Tuner cache")                                                            \
  X(T4, "T4")                                                                                      \
  X(KTT, "KTT")

enum hone_recording_format {
#define HONE__RECORDING_FORMAT_ENUM(id, name) HONE_RECORDING_##id,
  HONE_RECORDING_FORMATS(HONE__RECORDING_FORMAT_ENUM)
#undef HONE__RECORDING_FORMAT_ENUM
};
HONE_API const char *hone_recording_format_name(enum hone_recording_format format); /* "T4" */

struct hone_replay_file; /* lent by the result */

HONE_API size_t hone_replay_result_file_count(const struct hone_replay_result *result);
/* NULL: there are not that many. */
HONE_API const struct hone_replay_file *
hone_replay_result_file(const struct hone_replay_result *result, size_t file);

HONE_API const char *hone_replay_file_path(const struct hone_replay_file *file);
/* The end of the path that tells it from the others: "gemm/RTX_3090". */
HONE_API const char *hone_replay_file_label(const struct hone_replay_file *file);
/* "convolution_kernel on NVIDIA A100"; "". */
HONE_API const char *hone_replay_file_name(const struct hone_replay_file *file);
HONE_API enum hone_recording_format hone_replay_file_format(const struct hone_replay_file *file);
/* What of it was left out; "": nothing. */
HONE_API const char *hone_replay_file_remark(const struct hone_replay_file *file);
/* Configurations, and those of them that work. */
HONE_API uint64_t hone_replay_file_config_count(const struct hone_replay_file *file);
HONE_API uint64_t hone_replay_file_working_count(const struct hone_replay_file *file);
/* The optimum, and the median of those that work. */
HONE_API double hone_replay_file_best_ms(const struct hone_replay_file *file);
HONE_API double hone_replay_file_median_ms(const struct hone_replay_file *file);
/* What evaluating one takes, in the median. */
HONE_API double hone_replay_file_evaluation_s(const struct hone_replay_file *file);
/* Evaluations that random search needs for 95 % of the way from median to optimum, and what these
 * take: the end of the metric's time. */
HONE_API uint64_t hone_replay_file_evaluations(const struct hone_replay_file *file);
HONE_API double hone_replay_file_budget_s(const struct hone_replay_file *file);
/* Recordings of learn_from that its searches learn from. */
HONE_API size_t hone_replay_file_lesson_count(const struct hone_replay_file *file);

/* ---- A strategy on a recording ----------------------------------------------------------------
 *
 * Numbers are NaN where they are not known; the mean over the runs unless that is said.
 */

struct hone_replay_cell; /* lent by the result */

/* NULL: there is no such file or strategy. */
HONE_API const struct hone_replay_cell *
hone_replay_result_cell(const struct hone_replay_result *result, size_t file, size_t strategy);

HONE_API uint64_t hone_replay_cell_runs(const struct hone_replay_cell *cell); /* that were done */
/* The metric: 0 as random search, 1 the optimum at once. */
HONE_API double hone_replay_cell_p(const struct hone_replay_cell *cell);
/* The same from the first evaluation to the end of the budget given. */
HONE_API double hone_replay_cell_p_budget(const struct hone_replay_cell *cell);
/* As p, with the times of all devices added up. */
HONE_API double hone_replay_cell_p_work(const struct hone_replay_cell *cell);
HONE_API double hone_replay_cell_evaluations(const struct hone_replay_cell *cell); /* of a run */
/* What was found at the end of the budget, in times of the optimum. */
HONE_API double hone_replay_cell_final_over_best(const struct hone_replay_cell *cell);
/* The share of the runs that found the optimum. */
HONE_API double hone_replay_cell_optimum_share(const struct hone_replay_cell *cell);
/* Of the strategy for an evaluation, in processor time: median, mean, and the median around the
 * 1000th evaluation; and its share of what the evaluations took. */
HONE_API double hone_replay_cell_overhead_ms(const struct hone_replay_cell *cell);
HONE_API double hone_replay_cell_overhead_mean_ms(const struct hone_replay_cell *cell);
HONE_API double hone_replay_cell_overhead_late_ms(const struct hone_replay_cell *cell);
/* The longest of any evaluation of any run. */
HONE_API double hone_replay_cell_overhead_most_ms(const struct hone_replay_cell *cell);
HONE_API double hone_replay_cell_overhead_share(const struct hone_replay_cell *cell);
/* Evaluations a second and core, with everything. */
HONE_API double hone_replay_cell_rate(const struct hone_replay_cell *cell);

struct hone_replay_point { /* of the best so far over the runs, at one time of the metric's range */
  double at_s;
  double mean_ms, low_ms, high_ms; /* four fifths of the runs are from low to high */
};
/* The i-th of 200 points; false: there is none. */
HONE_API bool hone_replay_cell_point(const struct hone_replay_cell *cell, size_t i,
                                     struct hone_replay_point *out_point);

/* ---- A run as a recording -------------------------------------------------------------------- */

struct hone_t4; /* opaque */

/* All that a run has evaluated, failures too, as a T4 file that hone_replay reads; in the order of
 * evaluation. `run` 0: the newest. NOT_FOUND: there is no such run, or it has measured nothing. */
HONE_API hone_status hone_t4_export(struct hone_store *store, int64_t run, struct hone_t4 **out_t4);
HONE_API void hone_t4_free(struct hone_t4 *t4);

HONE_API const char *hone_t4_text(const struct hone_t4 *t4); /* the file */
/* Configurations in it, and those of them that work. */
HONE_API uint64_t hone_t4_config_count(const struct hone_t4 *t4);
HONE_API uint64_t hone_t4_working_count(const struct hone_t4 *t4);
/* Configurations that were not timed, or the host or the device was the cause. */
HONE_API uint64_t hone_t4_left_out_count(const struct hone_t4 *t4);
/* How many the whole space has, "52920"; "": not known. */
HONE_API const char *hone_t4_space(const struct hone_t4 *t4);

/* ---- Strategies ------------------------------------------------------------------------------ */

/* Those of hone_replay and hone_tune: the i-th, or NULL. */
HONE_API const char *hone_strategy_name(size_t i);
HONE_API const char *hone_strategy_summary(size_t i);

#ifdef __cplusplus
}
#endif

#endif
