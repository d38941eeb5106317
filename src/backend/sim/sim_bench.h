/* sim_bench.h - a job of recorded candidates: run in a child (sim_work.c), judged by the runner
 * (sim_run.c). The child's report is in shared memory.
 */
#ifndef HONE_BACKEND_SIM_SIM_BENCH_H
#define HONE_BACKEND_SIM_SIM_BENCH_H

#include "backend/run_plan.h"
#include "backend/sim/sim_fault.h"
#include "backend/sim/sim_object.h"
#include "backend/sim/sim_setup.h"

struct hone__sim_bench {
  struct hone__packed *message; /* the setup's, which lives as long as the bench */
  struct hone__arena arena;
  struct hone__sim_setup setup;
  double noise, pace;
  uint64_t seed;
  bool check;
  size_t device; /* which of the setup's; their count: the recorded one */
};

enum { HONE__SIM_RIGHT = 1, HONE__SIM_WRONG = 2 }; /* answers; 0: none */

struct hone__sim_record { /* of one candidate */
  uint32_t first, last;   /* answers */
  uint64_t samples;
  double cold_ns;
};

struct hone__sim_report {
  uint64_t active; /* the active candidate */
  bool is_complete;
  uint64_t rows;
  double called_s; /* of all calls, as recorded */
};

struct hone__sim_entrant {
  struct hone__sim_object object;
  const struct hone__sim_fault *fault; /* NULL: none */
  bool runs;                           /* it was built, and nothing prevents it from running */
  double factor;                       /* of its times on this device */
};

struct hone__sim_job {
  const struct hone__sim_bench *bench;
  struct hone__backend_run_plan plan;
  struct hone__sim_entrant *entrants;
  double factor; /* of its times: drift */
  size_t each;   /* screen: room for the samples of a candidate */
  /* shared with the child */
  void *shared;
  size_t shared_bytes;
  struct hone__sim_report *report;
  struct hone__sim_record *records;
  double *times; /* as in the answer's payload; in mode screen `each` a candidate */
};

/* In the child. */
void hone__sim_work(void *job);

#endif
