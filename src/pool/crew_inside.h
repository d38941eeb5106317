/* crew_inside.h - a crew, as its own files see it. */
#ifndef HONE_POOL_CREW_INSIDE_H
#define HONE_POOL_CREW_INSIDE_H

#include "pool/seat.h"

struct hone__crew {
  struct hone__crew_options options;
  uv_timer_t timer;
  bool kicked;
  struct hone__seat *seats;
  struct hone__brief *brief; /* the last setup; NULL: none yet */
  struct hone__errand *queue, *answers;
  size_t pending;
  uint64_t next_number, next_id;
  char *why;    /* the last seat that became useless says */
  bool is_held; /* nothing is handed out */
  bool closing;
  size_t seats_left; /* closing: not gone yet */
  void (*closed)(void *data);
  void *closed_data;
};

void hone__crew_answer_later(struct hone__crew *crew, struct hone__errand *errand,
                             enum hone__outcome outcome, const char *evidence);
/* A seat, other than this one, that serves the errand. */
const struct hone__seat *hone__crew_other_seat(const struct hone__crew *crew,
                                               const struct hone__errand *errand,
                                               const struct hone__seat *except);
/* crew_absent.c: who is set aside, who is back, and the errands that nobody will do. */
void hone__crew_settle_absent(struct hone__crew *crew);

#endif
