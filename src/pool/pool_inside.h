/* pool_inside.h - the struct of a pool, private to the files of the pool. */
#ifndef HONE_POOL_POOL_INSIDE_H
#define HONE_POOL_POOL_INSIDE_H

#include "pool/slot.h"

struct hone__pool {
  struct hone__pool_options options;
  uv_timer_t timer;
  uv_timer_t beats; /* to remote workers */
  size_t handles;   /* of the two that are not closed */
  bool is_woken;
  struct hone__slot *slots;
  struct hone__pool_setup *setup; /* the last setup; NULL: none yet */
  struct hone__sent_hosts hosts;
  struct hone__queued_job *queue, *answers;
  size_t pending;
  uint64_t next_number, next_id;
  double busy_since; /* by a virtual clock: when it got the first of its pending jobs */
  char *why;         /* why the last slot became useless */
  bool is_held;      /* no job is started */
  bool has_delayed;  /* a job had to wait for a retry, once */
  bool closing;
  size_t slots_left; /* while closing: slots that are not gone yet */
  void (*closed)(void *data);
  void *closed_data;
};

void hone__pool_answer_later(struct hone__pool *pool, struct hone__queued_job *queued,
                             enum hone_outcome outcome, const char *evidence);
/* Another slot that can do the queued job. */
const struct hone__slot *hone__pool_other_slot(const struct hone__pool *pool,
                                               const struct hone__queued_job *queued,
                                               const struct hone__slot *except);
/* pool_clock.c. Before a job is counted as pending. */
void hone__pool_clock_begin(struct hone__pool *pool);
/* The moment at which the job ends, which a virtual clock then reaches. */
double hone__pool_clock_end(struct hone__pool *pool, const struct hone__job *job, double worked_s);
/* Where and when the present job of a slot, which ends now, began and ended. */
void hone__pool_clock_span(struct hone__pool *pool, const struct hone__slot *slot, double worked_s,
                           struct hone__pool_work *work);
/* pool_absent.c: sets slots aside and takes them back; answers queued jobs that no worker can do.
 */
void hone__pool_settle_absent(struct hone__pool *pool);
/* Whether another slot has a worker now. */
bool hone__pool_others_are_there(const struct hone__pool *pool, const struct hone__slot *except);
/* A slot was retired: set aside, or lost if no other works. */
void hone__pool_note_retired(struct hone__pool *pool, struct hone__slot *slot);

#endif
