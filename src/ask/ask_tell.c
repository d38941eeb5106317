/* What the host tells: checked, turned into values of the objectives, kept, and passed to the
 * strategy. A measurement that is wrong changes nothing. */
#include "ask/ask.h"

#include "base/options_size.h"
#include "base/pareto.h"

#include <math.h>

void hone_measurement_fill(struct hone_measurement *measurement, size_t size)
{
  static const struct hone_measurement defaults = {.energy_j = NAN};

  hone__options_fill(measurement, size, &defaults, sizeof defaults);
}

/* ---- Checking ---- */

static hone_status check_times(const struct hone_measurement *m)
{
  if (m->time_count && !m->times_ns)
    return hone__error(HONE_INVALID_ARGUMENT, "%zu times are announced, but none are given",
                       m->time_count);
  for (size_t i = 0; i < m->time_count; i++)
    if (!isfinite(m->times_ns[i]) || m->times_ns[i] <= 0)
      return hone__error(HONE_INVALID_ARGUMENT,
                         "time %zu is %g ns: a time is finite and greater than 0", i + 1,
                         m->times_ns[i]);
  return NULL;
}

static hone_status check(const struct hone_search *search, const struct hone_measurement *m)
{
  hone_status status = check_times(m);

  if (status) return status;
  if ((int)m->outcome < 0 || m->outcome >= HONE_OUTCOME_COUNT)
    return hone__error(HONE_INVALID_ARGUMENT, "there is no outcome %d", (int)m->outcome);
  if (!isnan(m->energy_j) && !(m->energy_j >= 0 && isfinite(m->energy_j)))
    return hone__error(HONE_INVALID_ARGUMENT, "an energy of %g J is not possible", m->energy_j);
  if (m->value_count && (m->value_count != search->objective_count || !m->values))
    return hone__error(HONE_INVALID_ARGUMENT,
                       "%zu values are given, but there %s %zu objective%s: one value for each, or "
                       "none",
                       m->values ? m->value_count : 0, search->objective_count == 1 ? "is" : "are",
                       search->objective_count, search->objective_count == 1 ? "" : "s");
  return NULL;
}

/* ---- Values ---- */

static double derive_value(const struct hone_search *search, const uint32_t *row, size_t objective,
                           const struct hone__ask_result *result)
{
  const struct hone__ask_objective *o = &search->objectives[objective];
  const double watts = result->energy_j / (1e-9 * result->time_ns);
  const struct hone__task_measured measured = {result->time_ns, {result->energy_j, watts}};
  double value = NAN;

  switch (o->source) {
  case HONE__ASK_TIME: return result->time_ns;
  case HONE__ASK_ENERGY: return result->energy_j;
  case HONE__ASK_METRIC:
    return hone__task_metric(&search->task, row, o->metric, &measured, &value) ? value : NAN;
  case HONE__ASK_TOLD: break;
  }
  return NAN;
}

static hone_status set_value(const struct hone_search *search, const uint32_t *row, size_t i,
                             double told, struct hone__ask_result *result)
{
  const struct hone__ask_objective *o = &search->objectives[i];
  double value = isnan(told) ? derive_value(search, row, i, result) : told;

  if (isnan(value))
    return hone__error(HONE_INVALID_ARGUMENT,
                       "the objective '%s' has no value: tell %s, or an outcome other than ok",
                       o->name,
                       o->source == HONE__ASK_TOLD     ? "a value that is a number"
                       : o->source == HONE__ASK_ENERGY ? "an energy"
                                                       : "at least one time");
  if (!isfinite(value) || (o->source == HONE__ASK_TIME && value <= 0))
    return hone__error(HONE_INVALID_ARGUMENT, "%g is not possible as a value of '%s'", value,
                       o->name);
  result->values[i] = value;
  if (o->source == HONE__ASK_TIME) result->time_ns = value;
  return NULL;
}

hone_status hone__ask_measure(const struct hone_search *search, const uint32_t *row,
                              const struct hone_measurement *m, struct hone__ask_result *out_result)
{
  hone_status status = check(search, m);

  *out_result = (struct hone__ask_result){
      .outcome = m->outcome, .time_ns = NAN, .energy_j = NAN, .values = {NAN, NAN, NAN}};
  if (status || !hone__outcome_works(m->outcome)) return status;
  if (m->time_count) out_result->time_ns = hone__median(m->times_ns, m->time_count);
  out_result->energy_j = m->energy_j;
  for (size_t i = 0; i < search->objective_count && !status; i++)
    status = set_value(search, row, i, m->value_count ? m->values[i] : NAN, out_result);
  return status;
}

/* ---- The strategy ---- */

static double cost_of(const struct hone_search *search, const struct hone__ask_trial *trial,
                      size_t i)
{
  double sign = search->objectives[i].maximise ? -1 : 1;

  return hone__cost_ratio(sign * trial->values[i], sign * search->reference[i]);
}

/* One for each search, relative to the first result that works: usually the baseline. */
static void find_costs(struct hone_search *search, const struct hone__ask_trial *trial,
                       double *costs)
{
  size_t count = search->objective_count;
  bool works = hone__outcome_works(trial->outcome);
  double logs = 0;

  for (size_t i = 0; i < HONE__MOST_SEARCHES; i++)
    costs[i] = NAN;
  for (size_t i = 0; works && i < count; i++) {
    if (isnan(search->reference[i])) search->reference[i] = trial->values[i];
    costs[i] = cost_of(search, trial, i);
    logs += log(costs[i]);
  }
  if (works && count > 1) costs[count] = exp(logs / (double)count);
}

static void count_trial(struct hone_search *search, uint32_t number)
{
  const struct hone__ask_trial *trial = &search->trials[number];

  if (number == HONE__ASK_BASELINE || trial->is_rejected) return;
  HONE__GROW(search->told, search->told_count, search->told_capacity);
  search->told[search->told_count++] = number;
  search->failures += !hone__outcome_works(trial->outcome);
  search->reused += trial->is_reused;
}

void hone__ask_learn(struct hone_search *search, uint32_t number)
{
  const struct hone__ask_trial *trial = &search->trials[number];
  const struct hone__observation observation = {.outcome = trial->outcome, .share = NAN};
  double costs[HONE__MOST_SEARCHES];
  size_t searches = search->objective_count > 1 ? search->objective_count + 1 : 1;

  HONE__ASSERT(number < search->trial_count && trial->is_told);
  search->tickets[trial->ticket - 1].is_told = true;
  find_costs(search, trial, costs);
  count_trial(search, number);
  if (number != HONE__ASK_BASELINE && !trial->is_rejected)
    hone__patience_note(&search->patience, costs, searches);
  hone__search_set_tell(search->set, trial->row, &observation, costs);
}

/* ---- Telling ---- */

void hone__ask_set_failure(struct hone_search *search, uint32_t number, enum hone_outcome outcome,
                           const char *evidence)
{
  struct hone__ask_trial *trial = &search->trials[number];

  trial->is_told = true;
  trial->outcome = outcome;
  trial->evidence = hone__arena_strdup(&search->arena, evidence ? evidence : "");
}

static struct hone_interval interval_of(const struct hone_measurement *m, double time_ns)
{
  struct hone__estimate estimate;

  if (!m->time_count) return (struct hone_interval){time_ns, NAN, NAN};
  estimate = hone__median_interval(m->times_ns, m->time_count, 0.95);
  return (struct hone_interval){time_ns, isinf(estimate.low) ? NAN : estimate.low,
                                isinf(estimate.high) ? NAN : estimate.high};
}

/* Sets the result; the caller puts the old trial back if the store does not take it. */
static void set_result(struct hone_search *search, uint32_t number,
                       const struct hone_measurement *m, const struct hone__ask_result *result)
{
  struct hone__ask_trial *trial = &search->trials[number];

  hone__ask_set_failure(search, number, result->outcome, m->evidence);
  trial->time_ns = result->time_ns;
  trial->energy_j = result->energy_j;
  memcpy(trial->values, result->values, sizeof trial->values);
  if (hone__outcome_works(result->outcome)) trial->time = interval_of(m, result->time_ns);
}

static hone_status tell_trial(struct hone_search *search, struct hone__ask_ticket *ticket,
                              const struct hone_measurement *m,
                              const struct hone__ask_result *result)
{
  struct hone__ask_trial before = search->trials[ticket->trial];
  bool is_baseline = ticket->trial == HONE__ASK_BASELINE;
  hone_status status;

  set_result(search, ticket->trial, m, result);
  status = hone__ask_store_put(
      search, ticket->trial, is_baseline ? HONE_PHASE_BASELINE : HONE_PHASE_SCREEN,
      hone__outcome_works(result->outcome) ? m->times_ns : NULL, m->time_count);
  if (status) {
    search->trials[ticket->trial] = before;
    return status;
  }
  HONE__ASSERT(is_baseline || search->open > 0);
  if (!is_baseline) search->open--;
  hone__ask_learn(search, ticket->trial);
  return NULL;
}

static hone_status find_open(struct hone_search *search, hone_ticket number,
                             struct hone__ask_ticket **out_ticket)
{
  struct hone__ask_ticket *ticket = hone__ask_ticket_at(search, number);
  bool is_asked = ticket && (ticket->trial != HONE__ASK_BASELINE || search->baseline_is_asked ||
                             ticket->kind == HONE_TICKET_CONFIRM);

  if (!is_asked || (ticket->trial == search->only && ticket->kind != HONE_TICKET_CONFIRM))
    return hone__error(HONE_NOT_FOUND, "ticket %llu was not given by this search",
                       (unsigned long long)number);
  if (ticket->is_told)
    return hone__error(HONE_INVALID_ARGUMENT, "ticket %llu was told before",
                       (unsigned long long)number);
  *out_ticket = ticket;
  return NULL;
}

static hone_status tell(struct hone_search *search, hone_ticket number,
                        const struct hone_measurement *m)
{
  struct hone__ask_ticket *ticket = NULL;
  struct hone__ask_result result;
  hone_status status = find_open(search, number, &ticket);

  if (!status) status = hone__ask_measure(search, search->trials[ticket->trial].row, m, &result);
  if (status) return status;
  status = ticket->kind == HONE_TICKET_CONFIRM
               ? hone__ask_confirm_tell(search, ticket, &result, m->evidence)
               : tell_trial(search, ticket, m, &result);
  return status;
}

hone_status hone_search_tell(struct hone_search *search, hone_ticket ticket,
                             const struct hone_measurement *measurement)
{
  struct hone_measurement own;
  hone_status status;

  if (!measurement)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "there is no measurement: it is not initialised, or NULL");
  hone_measurement_init(&own);
  status = hone__options_take(&own, sizeof own, measurement, "hone_measurement");
  if (status) return status;
  pthread_mutex_lock(&search->lock);
  status = tell(search, ticket, &own);
  pthread_cond_broadcast(&search->changed);
  pthread_mutex_unlock(&search->lock);
  return status;
}
