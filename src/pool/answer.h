/* answer.h - a RESULT frame, read: what the worker answers to a job, with every field checked. */
#ifndef HONE_POOL_ANSWER_H
#define HONE_POOL_ANSWER_H

#include "pool/pool.h"
#include "wire/result.h"

struct hone__job_answer {
  struct hone__reply reply; /* but for slot and tries */
  bool is_final;            /* whatever the outcome, it is not tried again */
  struct hone__build_reply build;
  struct hone__run_reply run;
  struct hone__arena arena;
};

/* INVALID_ARGUMENT names the field that is wrong, or says what makes it no answer to this job.
 * Released in both cases; the frame must live as long. */
hone_status hone__job_answer_read(const struct hone__job *job, const struct hone__frame *frame,
                                  struct hone__job_answer *out_answer);
void hone__job_answer_release(struct hone__job_answer *answer);

#endif
