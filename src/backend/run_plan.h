/* run_plan.h - what a runner is asked to do with its candidates: a run job (see backend.h), read.
 */
#ifndef HONE_BACKEND_RUN_PLAN_H
#define HONE_BACKEND_RUN_PLAN_H

#include "backend/backend.h"
#include "base/random.h"
#include "wire/run_job.h"

struct hone__run_plan {
  bool is_rows; /* mode "rows", else "screen" */
  bool check, late_check;
  size_t samples, rows;
  double cap_ns, cut_ns, budget_s, call_timeout_s, timeout_s; /* 0: none */
  uint64_t seed;
  double began;                       /* when it was read */
  const struct hone__run_item *items; /* the candidates; in the job, as all the rest of it */
  size_t count;
  struct hone__run_job job; /* as it came */
  struct hone__arena arena;
};

/* The job must live as long. INVALID_ARGUMENT: a field of it is wrong, which the message names; it
 * has no candidates, or too many. Then `count` is 0; it has to be released all the same. */
hone_status hone__run_plan_read(const struct hone__packed *job, struct hone__run_plan *out_plan);
void hone__run_plan_release(struct hone__run_plan *plan);
/* The i-th candidate's object within the payload; INVALID_ARGUMENT: it is not there. */
hone_status hone__run_plan_object(const struct hone__run_plan *plan, size_t i, const void *payload,
                                  size_t payload_size, const void **out_object, size_t *out_size);
/* What is left of the job's time, but for what ending a process and answering take; INFINITY. */
double hone__run_plan_left_s(const struct hone__run_plan *plan);
/* A new order of the candidates, for a row. */
void hone__run_plan_shuffle(struct hone__random *random, size_t *order, size_t count);
/* Evidence of one that is slow: "3.1 ms, above the cap of 2.0 ms". */
void hone__run_plan_slow(const struct hone__run_plan *plan, double ns, struct hone__text *evidence);

/* The answer to a job that cannot be read. Takes the status over. */
void hone__run_plan_refuse(struct hone__answer *answer, hone_status status);

#endif
