/* The proof: the finalists and the baseline are measured again, row by row, each row in random
 * order. A complete row gives one pair for each finalist; after each group of rows the standings,
 * which hone_tune's confirmation uses too, say who is decided.
 *
 * An entrant's number in a row is its number in the standings plus one; 0 is the baseline.
 */
#include "ask/ask.h"

#include "base/pareto.h"

#include <math.h>
#include <stdlib.h>

enum { BASELINE = 0 };

void hone__ask_confirm_release(struct hone_search *search)
{
  struct hone__ask_confirmation *c = &search->confirmation;

  for (size_t i = 0; i < c->count; i++) {
    free(c->pairs[i].times_ns);
    free(c->pairs[i].baselines_ns);
  }
  if (c->trials) hone__standings_release(&c->standings);
  free(c->trials);
  free(c->order);
  free(c->told);
  free(c->times_ns);
  free(c->pairs);
  *c = (struct hone__ask_confirmation){
      .winner = HONE__ASK_NO_TRIAL, .speedup = {NAN, NAN, NAN}, .why = ""};
}

/* ---- Finalists ---- */

struct place {
  uint32_t trial;
  double rank, cost;
};

static int by_place(const void *a, const void *b)
{
  const struct place *x = a, *y = b;

  if (isnan(x->rank) != isnan(y->rank)) return isnan(x->rank) ? 1 : -1;
  if (x->rank < y->rank) return -1;
  if (x->rank > y->rank) return 1;
  if (x->cost != y->cost) return x->cost < y->cost ? -1 : 1;
  return (x->trial > y->trial) - (x->trial < y->trial);
}

static struct hone__stage_subject subject_of(const struct hone_search *search,
                                             const struct hone__ask_trial *trial)
{
  return (struct hone__stage_subject){.row = trial->row,
                                      .config = trial->config,
                                      .time_ns = trial->time_ns,
                                      .baseline_ns = search->trials[HONE__ASK_BASELINE].time_ns};
}

/* Works, and the host's filter does not reject it. */
static hone_status may_be_finalist(struct hone_search *search, uint32_t number, bool *out_may)
{
  const struct hone__ask_trial *trial = &search->trials[number];
  struct hone__stage_subject subject = subject_of(search, trial);
  struct hone__text why = {0};
  hone_status status = NULL;

  *out_may = number == search->only || isfinite(hone__ask_cost(search, trial, 0));
  if (number == HONE__ASK_BASELINE) *out_may = false;
  if (*out_may && !hone__stages_admit(&search->stages, HONE_STAGE_SCREEN, &subject, &why)) {
    *out_may = false;
    status = hone__ask_store_log(search, trial->config, why.data);
  }
  hone__text_release(&why);
  return status;
}

/* All that can be finalists, the best first; free(). */
static hone_status find_places(struct hone_search *search, struct place **out_places,
                               size_t *out_count)
{
  struct place *places = hone__alloc((search->trial_count + 1) * sizeof *places);
  hone_status status = NULL;
  bool may = false;

  *out_count = 0;
  for (uint32_t i = 0; i < search->trial_count && !status; i++) {
    struct hone__stage_subject subject = subject_of(search, &search->trials[i]);
    status = may_be_finalist(search, i, &may);
    if (!may || status) continue;
    places[(*out_count)++] =
        (struct place){i, hone__stages_rank(&search->stages, HONE_STAGE_SCREEN, &subject),
                       hone__ask_cost(search, &search->trials[i], 0)};
  }
  qsort(places, *out_count, sizeof *places, by_place);
  *out_places = places;
  return status;
}

/* ---- Beginning ---- */

static void begin(struct hone_search *search, const struct place *places, size_t count)
{
  struct hone__ask_confirmation *c = &search->confirmation;

  hone__ask_confirm_release(search);
  c->is_under_way = true;
  c->count = count;
  c->trials = hone__alloc(count * sizeof *c->trials);
  c->order = hone__alloc((count + 1) * sizeof *c->order);
  c->told = hone__alloc((count + 1) * sizeof *c->told);
  c->times_ns = hone__alloc((count + 1) * sizeof *c->times_ns);
  c->pairs = hone__alloc(count * sizeof *c->pairs);
  c->random.state = search->seed;
  c->group = 1;
  hone__standings_init(&c->standings, count, search->margin);
  c->standings.groups_wanted = search->groups;
  for (size_t i = 0; i < count; i++)
    c->trials[i] = places[i].trial;
}

static hone_status check_ready(const struct hone_search *search)
{
  const struct hone__ask_trial *baseline = &search->trials[HONE__ASK_BASELINE];
  bool baseline_is_open = search->baseline_is_asked && !baseline->is_told;

  if (search->confirmation.is_under_way)
    return hone__error(HONE_INVALID_ARGUMENT, "a confirmation is under way already");
  if (search->open || baseline_is_open)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "%llu ticket%s not told yet: tell %s before the confirmation",
                       (unsigned long long)(search->open + baseline_is_open),
                       search->open + baseline_is_open == 1 ? " is" : "s are",
                       search->open + baseline_is_open == 1 ? "it" : "them");
  if (baseline->is_told && !hone__outcome_works(baseline->outcome))
    return hone__error(HONE_NOT_FOUND, "nothing can be confirmed: the baseline %s failed (%s)",
                       baseline->config, hone_outcome_name(baseline->outcome));
  return NULL;
}

static hone_status confirm(struct hone_search *search)
{
  struct place *places = NULL;
  size_t count = 0;
  hone_status status = check_ready(search);

  if (status) return status;
  status = find_places(search, &places, &count);
  if (!status && !count)
    status = hone__error(HONE_NOT_FOUND,
                         "nothing can be confirmed: no candidate works besides the baseline");
  if (!status) status = hone__ask_store_begin(search);
  if (!status) begin(search, places, count < search->finalists ? count : search->finalists);
  free(places);
  return status;
}

hone_status hone_search_confirm(struct hone_search *search)
{
  hone_status status;

  pthread_mutex_lock(&search->lock);
  status = confirm(search);
  pthread_mutex_unlock(&search->lock);
  return status;
}

/* ---- Rows ---- */

static void begin_row(struct hone__ask_confirmation *c)
{
  c->row++;
  c->next = c->answered = 0;
  c->order_count = 0;
  c->order[c->order_count++] = BASELINE;
  for (size_t i = 0; i < c->count; i++)
    if (!c->standings.entrants[i].out) c->order[c->order_count++] = i + 1;
  for (size_t i = 0; i <= c->count; i++)
    c->told[i] = c->times_ns[i] = NAN;
  for (size_t i = c->order_count; i > 1; i--) {
    size_t k = (size_t)hone__random_below(&c->random, i), swap = c->order[k];
    c->order[k] = c->order[i - 1];
    c->order[i - 1] = swap;
  }
}

hone_status hone__ask_confirm_next(struct hone_search *search, hone_ticket *out_ticket)
{
  struct hone__ask_confirmation *c = &search->confirmation;
  size_t entrant;

  if (c->is_complete) return NULL;
  if (c->next == c->order_count && c->answered < c->next) return NULL; /* the row first */
  if (c->next == c->order_count) begin_row(c);
  entrant = c->order[c->next++];
  *out_ticket = hone__ask_add_ticket(
      search, entrant == BASELINE ? HONE__ASK_BASELINE : c->trials[entrant - 1],
      HONE_TICKET_CONFIRM, c->group);
  return NULL;
}

size_t hone__ask_entrant(const struct hone__ask_confirmation *c, uint32_t trial)
{
  for (size_t i = 0; i < c->count; i++)
    if (c->trials[i] == trial) return i + 1;
  return BASELINE;
}

static void keep_times(struct hone__ask_pairs *pairs, double time_ns, double baseline_ns)
{
  if (pairs->count == pairs->capacity) {
    pairs->capacity = pairs->capacity ? 2 * pairs->capacity : 32;
    pairs->times_ns = hone__realloc(pairs->times_ns, pairs->capacity * sizeof *pairs->times_ns);
    pairs->baselines_ns =
        hone__realloc(pairs->baselines_ns, pairs->capacity * sizeof *pairs->baselines_ns);
  }
  pairs->times_ns[pairs->count] = time_ns;
  pairs->baselines_ns[pairs->count++] = baseline_ns;
}

static hone_status store_pair(struct hone_search *search, size_t entrant)
{
  const struct hone__ask_confirmation *c = &search->confirmation;
  const struct hone__ask_trial *trial = &search->trials[c->trials[entrant]];
  const struct hone__samples samples = {.phase = HONE_PHASE_CONFIRM,
                                        .restart = c->group,
                                        .times_ns = &c->times_ns[entrant + 1],
                                        .baseline_ns = &c->times_ns[BASELINE],
                                        .count = 1};

  if (!search->kept.store || !trial->evaluation) return NULL;
  if (isnan(c->times_ns[entrant + 1]) || isnan(c->times_ns[BASELINE])) return NULL;
  return hone__store_samples_add(search->kept.store, trial->evaluation, &samples);
}

/* Pairs with the baseline of the row, for all that have a value in it. */
static hone_status take_row(struct hone_search *search)
{
  struct hone__ask_confirmation *c = &search->confirmation;
  double sign = search->objectives[0].maximise ? -1 : 1, ratio;
  hone_status status = NULL;

  for (size_t i = 0; i < c->count && !status; i++) {
    if (isnan(c->told[i + 1]) || isnan(c->told[BASELINE])) continue;
    ratio = hone__cost_ratio(sign * c->told[i + 1], sign * c->told[BASELINE]);
    hone__standings_add(&c->standings, i, c->group, 1, ratio);
    keep_times(&c->pairs[i], c->times_ns[i + 1], c->times_ns[BASELINE]);
    status = store_pair(search, i);
  }
  return status;
}

/* ---- The end ---- */

/* Pairs are few or many: groups that the host cannot fill must end too. */
static bool is_over(const struct hone__ask_confirmation *c, unsigned rows)
{
  return !hone__standings_left(&c->standings) || hone__standings_are_decided(&c->standings) ||
         c->group * rows >= HONE__MOST_PAIRS;
}

static hone_status end_row(struct hone_search *search)
{
  struct hone__ask_confirmation *c = &search->confirmation;
  hone_status status = take_row(search);

  if (status) return status;
  if (c->has_no_baseline || !hone__standings_left(&c->standings)) return hone__ask_conclude(search);
  if (c->row < search->rows) return NULL;
  hone__standings_judge(&c->standings);
  if (search->objective_count == 1 || c->group >= search->groups)
    hone__standings_drop_beaten(&c->standings, c->standings.margin, c->standings.groups_wanted, 0);
  if (c->group >= search->groups && is_over(c, search->rows)) return hone__ask_conclude(search);
  c->group++;
  c->row = 0;
  return NULL;
}

/* ---- Telling ---- */

/* Also the trial of the search: it does not work after all. */
static hone_status fail(struct hone_search *search, size_t entrant, enum hone_outcome outcome,
                        const char *evidence)
{
  struct hone__ask_confirmation *c = &search->confirmation;
  uint32_t number = c->trials[entrant - 1];

  c->standings.entrants[entrant - 1].out = true;
  c->standings.entrants[entrant - 1].failed = true;
  search->failures +=
      search->trials[number].is_told && hone__outcome_works(search->trials[number].outcome);
  hone__ask_set_failure(search, number, outcome, evidence);
  return hone__ask_store_put(search, number, HONE_PHASE_CONFIRM, NULL, 0);
}

/* A candidate that was never measured before has its evaluation from here on. */
static hone_status keep_first(struct hone_search *search, uint32_t number,
                              const struct hone__ask_result *result)
{
  struct hone__ask_trial *trial = &search->trials[number];

  if (trial->is_told) return NULL;
  trial->is_told = true;
  trial->outcome = result->outcome;
  trial->time_ns = result->time_ns;
  trial->time = (struct hone_interval){result->time_ns, NAN, NAN};
  memcpy(trial->values, result->values, sizeof trial->values);
  return hone__ask_store_put(search, number, HONE_PHASE_SCREEN, NULL, 0);
}

hone_status hone__ask_confirm_tell(struct hone_search *search, struct hone__ask_ticket *ticket,
                                   const struct hone__ask_result *result, const char *evidence)
{
  struct hone__ask_confirmation *c = &search->confirmation;
  size_t entrant = hone__ask_entrant(c, ticket->trial);
  bool works = hone__outcome_works(result->outcome);
  hone_status status = NULL;

  if (!c->is_under_way || ticket->group != c->group)
    return hone__error(HONE_INVALID_ARGUMENT, "the ticket belongs to an earlier confirmation");
  if (!works && entrant == BASELINE) c->has_no_baseline = true;
  if (works) status = keep_first(search, ticket->trial, result);
  if (!works && entrant != BASELINE) status = fail(search, entrant, result->outcome, evidence);
  if (status) return status;
  if (works) c->told[entrant] = result->values[0];
  if (works) c->times_ns[entrant] = result->time_ns;
  ticket->is_told = true;
  c->answered++;
  return c->answered == c->order_count && c->next == c->order_count ? end_row(search) : NULL;
}
