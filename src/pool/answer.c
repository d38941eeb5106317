#include "pool/answer.h"

static hone_status read_result(const struct hone__frame *frame, struct hone__job_answer *answer)
{
  struct hone__wire_result result;
  hone_status status = hone__unpack(frame->head, &hone__wire_result_type, &answer->arena, &result);

  if (status) return status;
  answer->is_final = result.final;
  answer->reply = (struct hone__reply){.outcome = (enum hone_outcome)result.outcome,
                                       .evidence = result.evidence ? result.evidence : "",
                                       .worked_s = result.worked_s,
                                       .payload = frame->payload,
                                       .payload_size = frame->payload_size};
  return NULL;
}

static hone_status read_rest(enum hone__job_kind kind, const struct hone__frame *frame,
                             struct hone__job_answer *answer)
{
  hone_status status = NULL;

  if (kind == HONE__JOB_BUILD) {
    answer->reply.build = &answer->build;
    status =
        hone__unpack(frame->head, &hone__wire_build_reply_type, &answer->arena, &answer->build);
  } else if (kind == HONE__JOB_RUN) {
    answer->reply.run = &answer->run;
    status = hone__unpack(frame->head, &hone__wire_run_reply_type, &answer->arena, &answer->run);
  }
  return status;
}

hone_status hone__job_answer_read(const struct hone__job *job, const struct hone__frame *frame,
                                  struct hone__job_answer *out_answer)
{
  hone_status status;
  const char *wrong = NULL;

  *out_answer = (struct hone__job_answer){0};
  status = read_result(frame, out_answer);
  if (!status) status = read_rest(job->kind, frame, out_answer);
  if (!status && job->find_fault) wrong = job->find_fault(&out_answer->reply);
  return wrong ? hone__error(HONE_INVALID_ARGUMENT, "%s", wrong) : status;
}

void hone__job_answer_release(struct hone__job_answer *answer)
{
  hone__arena_release(&answer->arena);
}
