/* answer.h - decodes a RESULT frame, the worker's answer to a job, and checks every field. */
#ifndef HONE_POOL_ANSWER_H
#define HONE_POOL_ANSWER_H

#include "pool/pool.h"
#include "wire/result.h"

struct hone__job_answer {
  struct hone__reply reply; /* all fields except slot and tries */
  bool is_final;            /* the job is not retried, whatever the outcome */
  struct hone__wire_build_reply build;
  struct hone__wire_run_reply run;
  struct hone__arena arena;
};

/* INVALID_ARGUMENT names the wrong field, or explains why the frame does not answer this job. The
 * caller releases the answer in both cases. The frame must outlive it. */
hone_status hone__job_answer_read(const struct hone__job *job, const struct hone__frame *frame,
                                  struct hone__job_answer *out_answer);
void hone__job_answer_release(struct hone__job_answer *answer);

#endif
