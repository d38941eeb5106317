#include "pool/queue.h"

#include "wire/job_head.h"

#include <stdlib.h>

/* A job that loses this many workers is taken to be the cause. */
enum { POISON_LOSSES = 2, MOST_UNHEARD = 2 };

struct hone__pool_setup *hone__pool_setup_new(struct hone__packed *head, void *payload,
                                              size_t payload_size)
{
  struct hone__pool_setup *setup = hone__alloc(sizeof *setup);

  setup->holders = 1;
  setup->head = head;
  setup->payload = payload;
  setup->payload_size = payload_size;
  return setup;
}

struct hone__pool_setup *hone__pool_setup_hold(struct hone__pool_setup *setup)
{
  if (setup) setup->holders++;
  return setup;
}

void hone__pool_setup_drop(struct hone__pool_setup *setup)
{
  HONE__ASSERT(!setup || setup->holders > 0);
  if (!setup || --setup->holders) return;
  hone__packed_drop(setup->head);
  free(setup->payload);
  free(setup);
}

struct hone__queued_job *hone__queued_job_new(const struct hone__job *job,
                                              struct hone__pool_setup *setup, uint64_t number)
{
  struct hone__queued_job *queued = hone__alloc(sizeof *queued);

  HONE__ASSERT(job->head); /* a worker would accept a job without a head */
  queued->job = *job;
  if (job->timeout_s > 0) hone__head_set_timeout(queued->job.head, job->timeout_s);
  queued->setup = hone__pool_setup_hold(setup);
  queued->number = number;
  queued->slot = HONE__ANY_SLOT;
  return queued;
}

uint64_t hone__backoff_ms(int times)
{
  static const uint64_t waits_ms[] = {0, 100, 400, 1600};

  return waits_ms[times < 3 ? times : 3];
}

/* Several hosts may be lost at once: a job that was sent to a host that was already lost is not the
 * cause. */
static bool is_excused(struct hone__queued_job *queued)
{
  return queued->is_unheard && queued->unheard++ < MOST_UNHEARD;
}

bool hone__queued_job_retries(struct hone__queued_job *queued, enum hone_outcome outcome,
                              uint64_t *out_delay_ms)
{
  bool is_lost = outcome == HONE_OUTCOME_WORKER_LOST;
  int times;

  *out_delay_ms = 0;
  if (is_lost) queued->avoids_slot = true;
  if (is_lost && is_excused(queued)) return true;
  times = ++queued->failures[outcome];
  if (outcome == HONE_OUTCOME_KILLED) *out_delay_ms = hone__backoff_ms(times);
  if (is_lost && times >= POISON_LOSSES) return false;
  return times <= hone__outcome_retries(outcome);
}

void hone__queued_job_answer(struct hone__queued_job *queued, const struct hone__reply *reply)
{
  if (queued->job.done) queued->job.done(queued->job.data, reply);
  hone__packed_drop(queued->job.head);
  free(queued->job.payload);
  free(queued->job.part_sizes);
  hone__pool_setup_drop(queued->setup);
  free(queued->evidence);
  free(queued);
}

void hone__queue_insert(struct hone__queued_job **list, struct hone__queued_job *queued)
{
  HONE__ASSERT(!queued->next); /* it is in no list */
  while (*list && (*list)->number < queued->number)
    list = &(*list)->next;
  HONE__ASSERT(!*list || (*list)->number > queued->number); /* nor the last in this one */
  queued->next = *list;
  *list = queued;
}

struct hone__queued_job *hone__queue_take(struct hone__queued_job **at)
{
  struct hone__queued_job *queued = *at;

  if (!queued) return NULL;
  *at = queued->next;
  queued->next = NULL;
  return queued;
}
