/* run_plan.h - a decoded run job (see backend.h): what a runner has to do with its candidates. */
#ifndef HONE_BACKEND_RUN_PLAN_H
#define HONE_BACKEND_RUN_PLAN_H

#include "backend/backend.h"
#include "base/random.h"
#include "wire/run_job.h"

struct hone__backend_run_plan {
  bool is_rows; /* mode "rows", else "screen" */
  bool check, late_check, first_is_known;
  size_t samples, rows;
  double cap_ns, cut_ns, budget_s, call_timeout_s, timeout_s; /* 0: none */
  uint64_t seed;
  double began; /* when it was read */
  const struct hone__wire_run_item
      *items; /* the candidates; they live in the job, as all the rest */
  size_t count;
  struct hone__wire_run_job job; /* as received */
  struct hone__arena arena;
};

/* The job must live as long. INVALID_ARGUMENT: names a wrong field; or there are no candidates, or
 * too many. Then `count` is 0; release it in every case. */
hone_status hone__backend_run_plan_read(const struct hone__packed *job,
                                        struct hone__backend_run_plan *out_plan);
void hone__backend_run_plan_release(struct hone__backend_run_plan *plan);
/* The i-th candidate's object within the payload; INVALID_ARGUMENT: it is missing. */
hone_status hone__backend_run_plan_object(const struct hone__backend_run_plan *plan, size_t i,
                                          const void *payload, size_t payload_size,
                                          const void **out_object, size_t *out_size);
/* The rest of the job's time, minus the time for ending a process and answering; INFINITY. */
double hone__backend_run_plan_left_s(const struct hone__backend_run_plan *plan);
/* A new order of the candidates, for a row. */
void hone__backend_run_plan_shuffle(struct hone__random *random, size_t *order, size_t count);
/* Evidence of one that is slow: "3.1 ms, above the cap of 2.0 ms". */
void hone__backend_run_plan_slow(const struct hone__backend_run_plan *plan, double ns,
                                 struct hone__text *evidence);

/* The answer to an invalid job. Takes over the status. */
void hone__backend_run_plan_refuse(struct hone__answer *answer, hone_status status);

#endif
