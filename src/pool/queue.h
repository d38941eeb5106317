/* queue.h - a submitted job on its way: how often it was tried, and whether it is tried again.
 *
 * A worker must have been sent a job's setup before it may do the job. A setup is shared by the
 * pool, its slots and the queued jobs, and is freed with the last of them.
 */
#ifndef HONE_POOL_QUEUE_H
#define HONE_POOL_QUEUE_H

#include "pool/pool.h"

struct hone__pool_setup {
  size_t holders;
  struct hone__packed *head;
  void *payload;
  size_t payload_size;
};
struct hone__pool_setup *hone__pool_setup_new(struct hone__packed *head, void *payload,
                                              size_t payload_size);
struct hone__pool_setup *
hone__pool_setup_hold(struct hone__pool_setup *setup); /* NULL is fine, below too */
void hone__pool_setup_drop(struct hone__pool_setup *setup);

struct hone__queued_job {
  struct hone__queued_job *next;
  struct hone__job job;
  struct hone__pool_setup *setup; /* NULL: none is needed */
  uint64_t number;                /* of its submission */
  int tries;
  unsigned char failures[HONE_OUTCOME_COUNT];
  int slot;         /* the last that took it */
  bool avoids_slot; /* it lost a worker there */
  uint64_t not_before_ms;
  bool is_delayed;           /* it waits before it is tried again */
  enum hone_outcome outcome; /* the answer that waits to be given */
  char *evidence;
};
struct hone__queued_job *hone__queued_job_new(const struct hone__job *job,
                                              struct hone__pool_setup *setup, uint64_t number);
/* One try came to this. True if it is to be tried again, out_delay_ms from now. */
bool hone__queued_job_retries(struct hone__queued_job *queued, enum hone_outcome outcome,
                              uint64_t *out_delay_ms);
/* Calls job.done and frees the queued job. */
void hone__queued_job_answer(struct hone__queued_job *queued, const struct hone__reply *reply);

/* A list in the order of submission. */
void hone__queue_insert(struct hone__queued_job **list, struct hone__queued_job *queued);
/* Takes the one at this place of a list out of it; NULL: the list ends there. */
struct hone__queued_job *hone__queue_take(struct hone__queued_job **at);
/* Waiting times: 0.1, 0.4, 1.6 s, and no longer. */
uint64_t hone__backoff_ms(int times);

#endif
