/* run_reply.h - the reply of a runner. Its payload has the times (see backend.h); the overall
 * outcome and its evidence are in the frame ("class", "evidence").
 */
#ifndef HONE_WIRE_RUN_REPLY_H
#define HONE_WIRE_RUN_REPLY_H

#include "wire/device_facts.h"

/* How answers of a kernel were compared after the first ones. */
struct hone__wire_run_checks {
  size_t compared, whole;     /* answers compared, and those compared in whole */
  double whole_ns, sample_ns; /* duration of comparing one in whole; duration of the last sample */
};

/* The share of a pipeline's time that the stages with this name take. */
struct hone__wire_stage_share {
  const char *name;
  double share; /* 0 to 1 */
};

struct hone__wire_candidate_result {          /* of one candidate */
  int outcome;                                /* enum hone_outcome; "class" */
  const char *evidence;                       /* why; NULL: none */
  double cold_ns;                             /* the first call; NaN: there was none */
  size_t repeats, samples;                    /* calls per sample; number of samples */
  const struct hone__wire_run_checks *checks; /* of kernels; NULL: none */
  const struct hone__packed *table;      /* of programs: {"columns": [...], "rows": [[...], ...]} */
  const char *stdout_text, *stderr_text; /* of programs: "stdout", "stderr" */
  struct hone__named *facts;             /* of devices: registers, method, energy_j ... */
  struct hone__wire_stage_share *stages; /* of pipelines; NULL: not measured */
  size_t facts_count, stages_count;
};

/* A device's state when the job ended. */
struct hone__wire_run_clock {
  const struct hone__wire_device_state *state;
};

struct hone__wire_run_reply {
  struct hone__wire_candidate_result *results;
  size_t rows;             /* in mode rows: how many there are */
  double cpu_ns;           /* CPU time of the timed part, all threads */
  int64_t forced_switches; /* involuntary context switches */
  int64_t cpu;             /* -1: not known */
  const char **notes;      /* remarks about the times */
  bool final;              /* the job is not retried, whatever the class */
  const struct hone__wire_run_clock *clock;
  size_t results_count, notes_count;
};

extern const struct hone__record_type hone__wire_run_reply_type, hone__wire_run_checks_type,
    hone__wire_run_clock_type, hone__wire_stage_share_type;

#endif
