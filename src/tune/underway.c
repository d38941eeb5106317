/* One list; each candidate knows where it stands. The list is short: what is asked for ahead is
 * bounded (supply.h). */
#include "tune/underway.h"

void hone__underway_open(struct hone_underway *underway, bool in_order)
{
  *underway = (struct hone_underway){.in_order = in_order, .last = &underway->first};
}

void hone__underway_add(struct hone_underway *underway, struct hone_candidate *candidate)
{
  candidate->stand = HONE_CANDIDATE_ASKED;
  candidate->number = underway->added++;
  candidate->next = NULL;
  *underway->last = candidate;
  underway->last = &candidate->next;
}

void hone__underway_make_ready(struct hone_underway *underway, struct hone_candidate *candidate)
{
  candidate->stand = HONE_CANDIDATE_READY;
  underway->ready++;
  underway->ready_bytes += candidate->size;
}

static void leave_ready(struct hone_underway *underway, const struct hone_candidate *candidate)
{
  if (candidate->stand != HONE_CANDIDATE_READY) return;
  underway->ready--;
  underway->ready_bytes -= candidate->size;
}

struct hone_candidate *hone__underway_next(const struct hone_underway *underway,
                                           hone_candidate_waits *waits, void *data)
{
  for (struct hone_candidate *c = underway->first; c; c = c->next) {
    bool is_ready = c->stand == HONE_CANDIDATE_READY;
    if (is_ready && !waits(data, c)) return c;
    if (underway->in_order && (is_ready || c->stand == HONE_CANDIDATE_ASKED)) return NULL;
  }
  return NULL;
}

void hone__underway_measure(struct hone_underway *underway, struct hone_candidate *candidate)
{
  leave_ready(underway, candidate);
  candidate->stand = HONE_CANDIDATE_MEASURED;
}

/* ---- The end of one ---- */

static void leave(struct hone_underway *underway, struct hone_candidate *candidate)
{
  struct hone_candidate **at = &underway->first;

  while (*at != candidate)
    at = &(*at)->next;
  *at = candidate->next;
  if (!*at) underway->last = at;
  underway->recorded++;
}

static void record_settled(struct hone_underway *underway)
{
  while (underway->first && underway->first->stand == HONE_CANDIDATE_SETTLED) {
    struct hone_candidate *candidate = underway->first;
    leave(underway, candidate);
    hone__candidate_record(candidate);
    hone__candidate_free(candidate);
  }
}

void hone__underway_settle(struct hone_underway *underway, struct hone_candidate *candidate)
{
  leave_ready(underway, candidate);
  candidate->stand = HONE_CANDIDATE_SETTLED;
  hone__candidate_drop_object(candidate); /* it may have to wait */
  record_settled(underway);
}

void hone__underway_drop(struct hone_underway *underway, struct hone_candidate *candidate)
{
  leave_ready(underway, candidate);
  leave(underway, candidate);
  hone__candidate_free(candidate);
  record_settled(underway);
}

void hone__underway_drop_ready(struct hone_underway *underway)
{
  struct hone_candidate *candidate = underway->first, *next;

  for (; candidate; candidate = next) {
    next = candidate->next;
    if (candidate->stand != HONE_CANDIDATE_READY) continue;
    leave_ready(underway, candidate);
    leave(underway, candidate);
    hone__candidate_free(candidate);
  }
  record_settled(underway);
}
