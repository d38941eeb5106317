/* Trials and tickets, with their functions of hone_search.h. */
#include "ask/ask.h"

#include "base/pareto.h"

#include <math.h>
#include <stdlib.h>

/* ---- Making ---- */

hone_ticket hone__ask_add_ticket(struct hone_search *search, uint32_t trial,
                                 enum hone_ticket_kind kind, uint32_t group)
{
  HONE__ASSERT(trial < search->trial_count);
  HONE__GROW(search->tickets, search->ticket_count, search->ticket_capacity);
  search->tickets[search->ticket_count++] =
      (struct hone__ask_ticket){.trial = trial, .kind = kind, .group = group};
  return search->ticket_count;
}

uint32_t hone__ask_add_trial(struct hone_search *search, const uint32_t *row, const char *config)
{
  uint32_t number = (uint32_t)search->trial_count;
  struct hone__ask_trial *trial;

  HONE__ASSERT(search->trial_count < HONE__ASK_NO_TRIAL);
  HONE__GROW(search->trials, search->trial_count, search->trial_capacity);
  trial = &search->trials[search->trial_count++];
  *trial = (struct hone__ask_trial){.config = hone__arena_strdup(&search->arena, config),
                                    .evidence = "",
                                    .time_ns = NAN,
                                    .energy_j = NAN,
                                    .time = {NAN, NAN, NAN}};
  trial->row = hone__arena_alloc(&search->arena, search->width * sizeof *row);
  memcpy(trial->row, row, search->width * sizeof *row);
  for (size_t i = 0; i < HONE_MOST_OBJECTIVES; i++)
    trial->values[i] = NAN;
  trial->ticket = hone__ask_add_ticket(
      search, number, number == HONE__ASK_BASELINE ? HONE_TICKET_BASELINE : HONE_TICKET_CANDIDATE,
      0);
  hone__key_map_set(&search->by_config, config, number);
  return number;
}

struct hone__ask_ticket *hone__ask_ticket_at(struct hone_search *search, hone_ticket ticket)
{
  return ticket && ticket <= search->ticket_count ? &search->tickets[ticket - 1] : NULL;
}

/* ---- Comparing ---- */

double hone__ask_cost(const struct hone_search *search, const struct hone__ask_trial *trial,
                      size_t objective)
{
  if (!trial->is_told || trial->outcome != HONE_OUTCOME_OK) return NAN;
  return search->objectives[objective].maximise ? -trial->values[objective]
                                                : trial->values[objective];
}

uint32_t hone__ask_best(const struct hone_search *search)
{
  uint32_t best = HONE__ASK_NO_TRIAL;
  double least = INFINITY;

  if (search->only != HONE__ASK_NO_TRIAL) return search->only; /* nothing has to be measured */
  for (size_t i = 0; i < search->trial_count; i++) {
    double cost = hone__ask_cost(search, &search->trials[i], 0);
    if (!(cost < least) && !(best == HONE__ASK_NO_TRIAL && isfinite(cost))) continue;
    least = cost;
    best = (uint32_t)i;
  }
  return best;
}

static int by_first_cost(const void *a, const void *b)
{
  const double *x = a, *y = b;

  return (x[0] > y[0]) - (x[0] < y[0]);
}

/* The members, as pairs of a cost and a trial's number, sorted; free(). */
static double *find_members(const struct hone_search *search, size_t *out_count)
{
  size_t width = search->objective_count, count = search->trial_count;
  double *points = hone__alloc((count * width + 1) * sizeof *points);
  double *pairs = hone__alloc((2 * count + 1) * sizeof *pairs);
  bool *members = hone__alloc((count + 1) * sizeof *members);

  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < width; k++)
      points[i * width + k] = hone__ask_cost(search, &search->trials[i], k);
  hone__pareto_find(points, count, width, members);
  *out_count = 0;
  for (size_t i = 0; i < count; i++) {
    if (!members[i]) continue;
    pairs[2 * *out_count] = points[i * width];
    pairs[2 * (*out_count)++ + 1] = (double)i;
  }
  qsort(pairs, *out_count, 2 * sizeof *pairs, by_first_cost);
  free(members);
  free(points);
  return pairs;
}

/* ---- Accessors ---- */

#define LOCKED(search, statement)                                                                  \
  pthread_mutex_lock(&(search)->lock);                                                             \
  statement;                                                                                       \
  pthread_mutex_unlock(&(search)->lock)

/* A copy, because the list may grow; *out_ticket may be NULL. */
static bool find(struct hone_search *search, hone_ticket number, struct hone__ask_trial *out_trial,
                 struct hone__ask_ticket *out_ticket)
{
  const struct hone__ask_ticket *ticket;

  pthread_mutex_lock(&search->lock);
  ticket = hone__ask_ticket_at(search, number);
  if (ticket) {
    if (out_ticket) *out_ticket = *ticket;
    *out_trial = search->trials[ticket->trial];
  }
  pthread_mutex_unlock(&search->lock);
  return ticket != NULL;
}

enum hone_ticket_kind hone_search_kind(struct hone_search *search, hone_ticket number)
{
  struct hone__ask_trial trial;
  struct hone__ask_ticket ticket;

  return find(search, number, &trial, &ticket) ? ticket.kind : HONE_TICKET_NONE;
}

const char *hone_search_config(struct hone_search *search, hone_ticket number)
{
  struct hone__ask_trial trial;

  return find(search, number, &trial, NULL) ? trial.config : NULL;
}

const uint32_t *hone_search_row(struct hone_search *search, hone_ticket number)
{
  struct hone__ask_trial trial;

  return find(search, number, &trial, NULL) ? trial.row : NULL;
}

bool hone_search_value(struct hone_search *search, hone_ticket number, const char *name,
                       struct hone_value *out_value)
{
  struct hone__ask_trial trial;

  *out_value = (struct hone_value){.type = HONE_NONE};
  if (!name || !find(search, number, &trial, NULL)) return false;
  if (hone__task_lookup(&search->task, trial.row, name, out_value)) return true;
  *out_value = (struct hone_value){.type = HONE_NONE};
  return false;
}

uint32_t hone_search_group(struct hone_search *search, hone_ticket number)
{
  struct hone__ask_trial trial;
  struct hone__ask_ticket ticket;

  return find(search, number, &trial, &ticket) ? ticket.group : 0;
}

bool hone_search_outcome(struct hone_search *search, hone_ticket number,
                         enum hone_outcome *out_outcome)
{
  struct hone__ask_trial trial;

  if (!find(search, number, &trial, NULL) || !trial.is_told) return false;
  *out_outcome = trial.outcome;
  return true;
}

double hone_search_objective(struct hone_search *search, hone_ticket number, size_t objective)
{
  struct hone__ask_trial trial;

  if (objective >= search->objective_count || !find(search, number, &trial, NULL)) return NAN;
  return trial.values[objective];
}

struct hone_interval hone_search_time(struct hone_search *search, hone_ticket number)
{
  struct hone__ask_trial trial;

  if (!find(search, number, &trial, NULL)) return (struct hone_interval){NAN, NAN, NAN};
  return trial.time;
}

enum hone_search_end hone_search_end(struct hone_search *search)
{
  enum hone_search_end end;

  LOCKED(search, end = hone__ask_end(search));
  return end;
}

bool hone_search_done(struct hone_search *search)
{
  return hone_search_end(search) != HONE_END_NONE;
}

uint64_t hone_search_count(struct hone_search *search)
{
  uint64_t count;

  LOCKED(search, count = search->told_count);
  return count;
}

uint64_t hone_search_failures(struct hone_search *search)
{
  uint64_t count;

  LOCKED(search, count = search->failures);
  return count;
}

uint64_t hone_search_reused(struct hone_search *search)
{
  uint64_t count;

  LOCKED(search, count = search->reused);
  return count;
}

uint64_t hone_search_rejected(struct hone_search *search)
{
  uint64_t count;

  LOCKED(search, count = search->stages.rejected[HONE_STAGE_GENERATE] +
                         search->stages.rejected[HONE_STAGE_SCREEN]);
  return count;
}

int64_t hone_search_run(struct hone_search *search)
{
  int64_t run;

  LOCKED(search, run = search->kept.run.id);
  return run;
}

hone_ticket hone_search_at(struct hone_search *search, uint64_t index)
{
  hone_ticket ticket = 0;

  LOCKED(search,
         if (index < search->told_count) ticket = search->trials[search->told[index]].ticket);
  return ticket;
}

hone_ticket hone_search_baseline(struct hone_search *search)
{
  hone_ticket ticket;

  LOCKED(search, ticket = search->trials[HONE__ASK_BASELINE].ticket);
  return ticket;
}

hone_ticket hone_search_best(struct hone_search *search)
{
  hone_ticket ticket;
  uint32_t best;

  LOCKED(search, best = hone__ask_best(search);
         ticket = best == HONE__ASK_NO_TRIAL ? 0 : search->trials[best].ticket);
  return ticket;
}

size_t hone_search_pareto(struct hone_search *search, hone_ticket *tickets, size_t room)
{
  double *pairs;
  size_t count;

  LOCKED(search, pairs = find_members(search, &count);
         for (size_t i = 0; i < count && i < room; i++) tickets[i] =
             search->trials[(size_t)pairs[2 * i + 1]].ticket);
  free(pairs);
  return count;
}
