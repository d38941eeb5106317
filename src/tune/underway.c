/* One list; each candidate stores its stage. The list is short: the number taken ahead is bounded
 * (supply.h).
 */
#include "tune/underway.h"

/* Builds of a served program take long, and some much longer than others: the device does not wait
 * for them. Nor does it if all are measured in the end. */
static bool measures_in_order(const struct hone__tuning *tuning)
{
  return tuning->session.settings.strategy->learns &&
         !hone__session_served_builders(&tuning->session) && !hone__tuning_is_complete(tuning);
}

void hone__underway_open(struct hone__underway *underway, const struct hone__tuning *tuning,
                         hone__tuning_candidate_finish *finish)
{
  *underway = (struct hone__underway){.in_order = hone__tuning_is_scheduled(tuning),
                                      .measures_in_order = measures_in_order(tuning),
                                      .finish = finish,
                                      .asked_before = tuning->search.asked_before,
                                      .last = &underway->first};
}

void hone__underway_add(struct hone__underway *underway, struct hone__candidate *candidate)
{
  candidate->stage = HONE__CANDIDATE_UNBUILT;
  candidate->number = underway->added++;
  candidate->evaluation.asked = (int64_t)(underway->asked_before + underway->added);
  candidate->next = NULL;
  *underway->last = candidate;
  underway->last = &candidate->next;
}

void hone__underway_make_ready(struct hone__underway *underway, struct hone__candidate *candidate)
{
  HONE__ASSERT(candidate->stage != HONE__CANDIDATE_READY); /* it is counted once */
  candidate->stage = HONE__CANDIDATE_READY;
  underway->ready++;
  underway->ready_bytes += candidate->size;
}

static void leave_ready(struct hone__underway *underway, const struct hone__candidate *candidate)
{
  if (candidate->stage != HONE__CANDIDATE_READY) return;
  HONE__ASSERT(underway->ready > 0 && underway->ready_bytes >= candidate->size);
  underway->ready--;
  underway->ready_bytes -= candidate->size;
}

struct hone__candidate *hone__underway_next(const struct hone__underway *underway,
                                            hone__tuning_candidate_waits *waits, void *data)
{
  for (struct hone__candidate *c = underway->first; c; c = c->next) {
    bool is_ready = c->stage == HONE__CANDIDATE_READY;
    if (is_ready && !waits(data, c)) return c;
    if (underway->measures_in_order && (is_ready || c->stage == HONE__CANDIDATE_UNBUILT))
      return NULL;
  }
  return NULL;
}

void hone__underway_measure(struct hone__underway *underway, struct hone__candidate *candidate)
{
  leave_ready(underway, candidate);
  candidate->stage = HONE__CANDIDATE_MEASURED;
}

/* ---- Equal ones ---- */

static bool are_equal(const struct hone__candidate *one, const struct hone__candidate *other)
{
  return one != other && strcmp(one->measure_key, other->measure_key) == 0;
}

/* A later one waits to be checked until this one is recorded. */
bool hone__underway_is_timing(const struct hone__underway *underway,
                              const struct hone__candidate *candidate)
{
  for (const struct hone__candidate *c = underway->first; c; c = c->next) {
    bool is_before = c->number < candidate->number;
    if (c->stage != HONE__CANDIDATE_MEASURED && !(c->may_lead && is_before)) continue;
    if (are_equal(c, candidate)) return true;
  }
  return false;
}

bool hone__underway_has_unchecked(const struct hone__underway *underway,
                                  const struct hone__candidate *candidate)
{
  for (const struct hone__candidate *c = underway->first; c; c = c->next)
    if (c->may_lead && are_equal(c, candidate)) return true;
  return false;
}

/* ---- The end of one ---- */

static void leave(struct hone__underway *underway, struct hone__candidate *candidate)
{
  struct hone__candidate **at = &underway->first;

  while (*at && *at != candidate)
    at = &(*at)->next;
  HONE__ASSERT(*at); /* it is in the list until it ends */
  *at = candidate->next;
  if (!*at) underway->last = at;
  underway->recorded++;
}

/* False: it stays in the list. */
static bool finish(struct hone__underway *underway, struct hone__candidate *candidate)
{
  if (!underway->finish(candidate)) return false;
  leave(underway, candidate);
  hone__candidate_free(candidate);
  return true;
}

static void finish_settled(struct hone__underway *underway)
{
  while (underway->in_order && underway->first && underway->first->stage == HONE__CANDIDATE_SETTLED)
    if (!finish(underway, underway->first)) return;
}

void hone__underway_settle(struct hone__underway *underway, struct hone__candidate *candidate)
{
  leave_ready(underway, candidate);
  candidate->stage = HONE__CANDIDATE_SETTLED;
  hone__tuning_candidate_keep(candidate); /* it may have to wait: keep the result safe */
  if (!candidate->may_lead) hone__candidate_drop_object(candidate);
  if (underway->in_order)
    finish_settled(underway);
  else
    finish(underway, candidate);
}

void hone__underway_drop(struct hone__underway *underway, struct hone__candidate *candidate)
{
  leave_ready(underway, candidate);
  leave(underway, candidate);
  hone__candidate_free(candidate);
  finish_settled(underway);
}

void hone__underway_drop_ready(struct hone__underway *underway)
{
  struct hone__candidate *candidate = underway->first, *next;

  for (; candidate; candidate = next) {
    next = candidate->next;
    if (candidate->stage != HONE__CANDIDATE_READY) continue;
    leave_ready(underway, candidate);
    leave(underway, candidate);
    hone__candidate_free(candidate);
  }
  finish_settled(underway);
}
