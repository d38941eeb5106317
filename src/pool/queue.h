/* queue.h - a submitted job: how often it was tried, and whether it is retried.
 *
 * A worker must receive a job's setup before the job. The pool, its slots and the queued jobs share
 * a setup; the last one frees it.
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
hone__pool_setup_hold(struct hone__pool_setup *setup); /* NULL is fine, here and below */
void hone__pool_setup_drop(struct hone__pool_setup *setup);

struct hone__queued_job {
  struct hone__queued_job *next;
  struct hone__job job;
  struct hone__pool_setup *setup; /* NULL: none is needed */
  uint64_t number;                /* in order of submission */
  int tries;
  unsigned char failures[HONE_OUTCOME_COUNT];
  int slot;         /* the last slot that took it */
  bool avoids_slot; /* it lost a worker on `slot` */
  bool is_unheard;  /* that worker gave no sign of life since it was sent the job */
  int unheard;      /* how often that was so */
  uint64_t not_before_ms;
  bool is_delayed;           /* it waits before a retry */
  enum hone_outcome outcome; /* the pending answer */
  char *evidence;
};
struct hone__queued_job *hone__queued_job_new(const struct hone__job *job,
                                              struct hone__pool_setup *setup, uint64_t number);
/* Records the outcome of one try. Returns true if the job is to be retried after out_delay_ms. */
bool hone__queued_job_retries(struct hone__queued_job *queued, enum hone_outcome outcome,
                              uint64_t *out_delay_ms);
/* Calls job.done and frees the queued job. */
void hone__queued_job_answer(struct hone__queued_job *queued, const struct hone__reply *reply);

/* Inserts into a list in order of submission. */
void hone__queue_insert(struct hone__queued_job **list, struct hone__queued_job *queued);
/* Removes and returns the job at this position; NULL at the end of the list. */
struct hone__queued_job *hone__queue_take(struct hone__queued_job **at);
/* Delays before retries: 0.1, 0.4, 1.6 s, then constant. */
uint64_t hone__backoff_ms(int times);

#endif
