/* hone_replay.h - searches on what was measured once. */
#ifndef HONE_REPLAY_H
#define HONE_REPLAY_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Replay: searches on what was measured once ------------------------------------------------
 *
 * A recording holds every configuration of a space with its time, or its failure, and what it took
 * to find that out: cache files of Kernel Tuner, T4, results of KTT, plain or in gzip. On it a
 * search runs again and again in no time, and every strategy on the same ground.
 */

struct hone_replay_options {
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
};
HONE_API void hone_replay_options_init(struct hone_replay_options *options);

struct hone_replay_file {
  char *path;
  char *label;          /* the end of the path that tells it from the others: "gemm/RTX_3090" */
  char *name;           /* "convolution_kernel on NVIDIA A100" */
  char *format;         /* "Kernel Tuner cache", "T4", "KTT" */
  char *remark;         /* what of it was left out; "": nothing */
  uint64_t count;       /* of configurations */
  uint64_t working;     /* of them */
  double best_ms;       /* the optimum */
  double median_ms;     /* of those that work */
  double evaluation_s;  /* what evaluating one takes, in the median */
  uint64_t evaluations; /* that random search needs for 95 % of the way from median to optimum */
  double budget_s;      /* what these take: the end of the metric's time */
};

struct hone_replay_cell { /* a strategy on a recording; NaN: not known */
  uint64_t runs;          /* that were done */
  double p;               /* the metric: 0 as random search, 1 the optimum at once */
  double p_budget;        /* the same from the first evaluation to the end of the budget given */
  double p_work;          /* as p, with the times of all devices added up */
  double evaluations;     /* of a run; here and below the mean over the runs */
  double final_over_best; /* what was found at the end of the budget, in times of the optimum */
  double optimum_share;   /* of the runs that found the optimum */
  double overhead_ms;     /* of the strategy for an evaluation, by the clock: median */
  double overhead_mean_ms;
  double overhead_late_ms; /* the median around the 1000th evaluation */
  double overhead_share;   /* of what the evaluations took */
  double rate;             /* evaluations a second and core, with everything */
};

struct hone_replay_result { /* { 0 } */
  struct hone_replay_file *files;
  size_t file_count;
  char **strategies;
  size_t strategy_count;
  struct hone_replay_cell *cells; /* files[f] by strategies[s]: [f * strategy_count + s] */
  struct hone_replay_skipped {    /* a file of a folder that is not a recording */
    char *path, *why;
  } * skipped;
  size_t skipped_count;
  bool interrupted; /* progress ended it: cells are of the runs that were done */
  double wall_s;
};
/* INVALID_SPEC, IO: a file that was named cannot be used. NOT_FOUND: there is no recording.
 * INVALID_ARGUMENT: an option; or a strategy has requested what it must not. CANCELLED: it was
 * ended before any run. */
HONE_API hone_status hone_replay(const struct hone_replay_options *options,
                                 struct hone_replay_result *out_result);
HONE_API void hone_replay_result_release(struct hone_replay_result *result);

struct hone_t4 {     /* a run as a recording */
  char *text;        /* the file */
  uint64_t count;    /* of configurations in it */
  uint64_t working;  /* of them */
  uint64_t left_out; /* were not timed, or the host or the device was the cause */
  char *space;       /* how many the whole space has, "52920"; "": not known */
};
/* All that a run has evaluated, failures too, as a T4 file that hone_replay reads; in the order of
 * evaluation. `run` 0: the newest. NOT_FOUND: there is no such run, or it has measured nothing. */
HONE_API hone_status hone_t4_export(struct hone_store *store, int64_t run, struct hone_t4 *out_t4);
HONE_API void hone_t4_release(struct hone_t4 *t4);

/* The strategies of hone_replay and hone_tune: the i-th, or NULL. */
HONE_API const char *hone_strategy_name(size_t i);
HONE_API const char *hone_strategy_summary(size_t i);

#ifdef __cplusplus
}
#endif

#endif
