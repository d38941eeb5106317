/* errand.h - a submitted job on its way: how often it was tried, and whether it is tried again.
 *
 * A brief is what a worker must have been told before it may do an errand. It is shared by the
 * crew, its seats and the errands, and goes with the last of them.
 */
#ifndef HONE_POOL_ERRAND_H
#define HONE_POOL_ERRAND_H

#include "pool/crew.h"

struct hone__brief {
  size_t holders;
  json_t *head;
  void *payload;
  size_t payload_size;
};
struct hone__brief *hone__brief_new(json_t *head, void *payload, size_t payload_size);
struct hone__brief *hone__brief_hold(struct hone__brief *brief); /* NULL is fine, below too */
void hone__brief_drop(struct hone__brief *brief);

struct hone__errand {
  struct hone__errand *next;
  struct hone__job job;
  struct hone__brief *brief; /* NULL: none is needed */
  uint64_t number;           /* of its submission */
  int tries;
  unsigned char failures[HONE__OUTCOME_COUNT];
  int seat;         /* the last that took it */
  bool avoids_seat; /* it lost a worker there */
  uint64_t not_before_ms;
  bool is_delayed;            /* it waits before it is tried again */
  enum hone__outcome outcome; /* the answer that waits to be given */
  char *evidence;
};
struct hone__errand *hone__errand_new(const struct hone__job *job, struct hone__brief *brief,
                                      uint64_t number);
/* One try came to this. True if it is to be tried again, out_delay_ms from now. */
bool hone__errand_retries(struct hone__errand *errand, enum hone__outcome outcome,
                          uint64_t *out_delay_ms);
/* Calls job.done and frees the errand. */
void hone__errand_answer(struct hone__errand *errand, const struct hone__reply *reply);

/* A list in the order of submission. */
void hone__errands_insert(struct hone__errand **list, struct hone__errand *errand);
/* Waiting times: 0.1, 0.4, 1.6 s, and no longer. */
uint64_t hone__backoff_ms(int times);

#endif
