#include "pool/errand.h"

#include <stdlib.h>

/* A job that takes this many workers down is the cause, not the victim. */
enum { POISON_LOSSES = 2 };

struct hone__brief *hone__brief_new(json_t *head, void *payload, size_t payload_size)
{
  struct hone__brief *brief = hone__alloc(sizeof *brief);

  brief->holders = 1;
  brief->head = head;
  brief->payload = payload;
  brief->payload_size = payload_size;
  return brief;
}

struct hone__brief *hone__brief_hold(struct hone__brief *brief)
{
  if (brief) brief->holders++;
  return brief;
}

void hone__brief_drop(struct hone__brief *brief)
{
  if (!brief || --brief->holders) return;
  json_decref(brief->head);
  free(brief->payload);
  free(brief);
}

struct hone__errand *hone__errand_new(const struct hone__job *job, struct hone__brief *brief,
                                      uint64_t number)
{
  struct hone__errand *errand = hone__alloc(sizeof *errand);

  errand->job = *job;
  if (job->head && job->timeout_s > 0)
    json_object_set_new(errand->job.head, "timeout_s", json_real(job->timeout_s));
  errand->brief = hone__brief_hold(brief);
  errand->number = number;
  errand->seat = HONE__ANY_SEAT;
  return errand;
}

uint64_t hone__backoff_ms(int times)
{
  static const uint64_t waits_ms[] = {0, 100, 400, 1600};

  return waits_ms[times < 3 ? times : 3];
}

bool hone__errand_retries(struct hone__errand *errand, enum hone__outcome outcome,
                          uint64_t *out_delay_ms)
{
  int times = ++errand->failures[outcome];

  *out_delay_ms = outcome == HONE__OUTCOME_KILLED ? hone__backoff_ms(times) : 0;
  if (outcome == HONE__OUTCOME_WORKER_LOST) {
    errand->avoids_seat = true;
    if (times >= POISON_LOSSES) return false;
  }
  return times <= hone__outcome_retries(outcome);
}

void hone__errand_answer(struct hone__errand *errand, const struct hone__reply *reply)
{
  if (errand->job.done) errand->job.done(errand->job.data, reply);
  json_decref(errand->job.head);
  free(errand->job.payload);
  hone__brief_drop(errand->brief);
  free(errand->evidence);
  free(errand);
}

void hone__errands_insert(struct hone__errand **list, struct hone__errand *errand)
{
  while (*list && (*list)->number < errand->number)
    list = &(*list)->next;
  errand->next = *list;
  *list = errand;
}
