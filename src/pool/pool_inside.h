/* pool_inside.h - a pool, as its own files see it. */
#ifndef HONE_POOL_POOL_INSIDE_H
#define HONE_POOL_POOL_INSIDE_H

#include "pool/slot.h"

struct hone__pool {
  struct hone__pool_options options;
  uv_timer_t timer;
  bool kicked;
  struct hone__slot *slots;
  struct hone__pool_setup *setup; /* the last setup; NULL: none yet */
  struct hone__queued_job *queue, *answers;
  size_t pending;
  uint64_t next_number, next_id;
  char *why;    /* the last slot that became useless says */
  bool is_held; /* nothing is handed out */
  bool closing;
  size_t slots_left; /* closing: not gone yet */
  void (*closed)(void *data);
  void *closed_data;
};

void hone__pool_answer_later(struct hone__pool *pool, struct hone__queued_job *queued,
                             enum hone_outcome outcome, const char *evidence);
/* A slot, other than this one, that can do the queued job. */
const struct hone__slot *hone__pool_other_slot(const struct hone__pool *pool,
                                               const struct hone__queued_job *queued,
                                               const struct hone__slot *except);
/* pool_absent.c: slots that are set aside or back, and queued jobs that no worker will do. */
void hone__pool_settle_absent(struct hone__pool *pool);

#endif
