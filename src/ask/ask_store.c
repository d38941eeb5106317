/* The run of a search in the store. It is begun, or opened again, by the first result that is told:
 * a host that only reads what was told before changes nothing. Its key is made of what makes
 * results comparable, not of budget, strategy and seed: a search may continue with others. */
#include "ask/ask.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/quoted_text.h"
#include "check/answers.h"
#include "session/identity.h"
#include "session/kept_options.h"
#include "store/stored.h"
#include "wire/named.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static const struct hone__store_run_result no_result = {
    .speedup = NAN, .low = NAN, .high = NAN, .confidence = NAN, .drift = NAN};

/* ---- Who it is ---- */

static const char *make_key(struct hone_search *search, const struct hone__store_run_record *run)
{
  struct hone__digester *digester = hone__digest_begin();
  char key[HONE__DIGEST_SIZE];

  hone__digest_add_text(digester, "ask and tell");
  hone__digest_add_text(digester, run->name);
  hone__digest_add_text(digester, run->problem);
  hone__digest_add_text(digester, search->device);
  hone__digest_add_text(digester, search->trials[HONE__ASK_BASELINE].config);
  for (size_t i = 0; i < search->objective_count; i++)
    hone__digest_add_text(digester, hone__arena_printf(&search->arena, "%d %s",
                                                       search->objectives[i].maximise,
                                                       search->objectives[i].name));
  hone__identity_add_space(digester, search->space->spec,
                           search->space->options.shape != HONE_ALL_SHAPES);
  hone__digest_end(digester, key);
  return hone__arena_strdup(&search->arena, key);
}

static const char *describe_options(struct hone_search *search)
{
  const struct hone__ask_objective *first = &search->objectives[0];
  struct hone__kept_objective list[HONE_MOST_OBJECTIVES];
  struct hone__aim aim = {first->name, first->maximise};
  struct hone__kept_options kept = {
      .margin = search->margin,
      .devices = search->device,
      .finalists = search->finalists,
      .evaluations = search->evaluations == UINT64_MAX ? 0 : (size_t)search->evaluations,
      .objectives = list,
      .objectives_count = search->objective_count};

  for (size_t i = 0; i < search->objective_count; i++)
    list[i] =
        (struct hone__kept_objective){search->objectives[i].name, search->objectives[i].maximise};
  if (first->source != HONE__ASK_TIME) kept.aim = &aim;
  return hone__kept_options_text(&search->arena, &kept);
}

static void describe_run(struct hone_search *search, const struct hone_search_options *options)
{
  struct hone__store_run_record *run = &search->kept.run;
  const char *problem = options->problem ? options->problem : search->task.problem;
  const char *name = options->name ? options->name : search->space->spec->name;

  hone__identity_machine(&search->arena, run);
  run->name = hone__arena_strdup(&search->arena, name);
  run->problem = hone__arena_strdup(&search->arena, problem);
  run->spec = hone__arena_strdup(&search->arena, search->space->spec->path);
  run->command = "";
  run->options = describe_options(search);
  run->space = hone_space_count_text(search->space);
  run->strategy = search->strategy->name;
  run->seed = search->seed;
  run->answers = hone__answers_name(HONE__ANSWERS_NONE); /* the host compares answers, or not */
  run->is_fresh = options->fresh;
  run->reopens = true;
  run->driver_pid = getpid();
  run->key = make_key(search, run);
}

/* ---- What was told before ---- */

static double metric_of(const struct hone__named_record *metrics, const char *name)
{
  const struct hone_value *value = hone__named_find(metrics->all, metrics->all_count, name);

  if (!value || (value->type != HONE_FLOAT && value->type != HONE_INT)) return NAN;
  return value->type == HONE_FLOAT ? value->real : (double)value->integer;
}

static void read_values(struct hone_search *search, const struct hone__evaluation *old,
                        struct hone__ask_trial *trial)
{
  struct hone__arena arena = {0};
  struct hone__named_record metrics = {0};
  struct hone__packed *packed =
      old->metrics ? hone__packed_parse(old->metrics, strlen(old->metrics)) : NULL;

  if (packed) hone_status_free(hone__unpack(packed, &hone__named_type, &arena, &metrics));
  trial->time_ns = old->time_ns;
  trial->energy_j = metric_of(&metrics, "energy_j");
  for (size_t i = 0; i < search->objective_count; i++) {
    const struct hone__ask_objective *o = &search->objectives[i];
    trial->values[i] = o->source == HONE__ASK_TIME     ? old->time_ns
                       : o->source == HONE__ASK_ENERGY ? trial->energy_j
                                                       : metric_of(&metrics, o->name);
  }
  hone__arena_release(&arena);
  hone__packed_drop(packed);
}

static void read_samples(void *data, const struct hone__samples *samples)
{
  struct hone__ask_trial *trial = data;
  struct hone__estimate estimate;

  if (!samples->count || samples->phase == HONE_PHASE_CONFIRM) return;
  estimate = hone__median_interval(samples->times_ns, samples->count, 0.95);
  trial->time = (struct hone_interval){trial->time_ns, isinf(estimate.low) ? NAN : estimate.low,
                                       isinf(estimate.high) ? NAN : estimate.high};
}

static bool has_all_values(const struct hone_search *search, const struct hone__ask_trial *trial)
{
  for (size_t i = 0; i < search->objective_count; i++)
    if (isnan(trial->values[i])) return false;
  return true;
}

static uint32_t trial_of(struct hone_search *search, const struct hone__evaluation *old)
{
  uint32_t *row = hone__alloc(search->width * sizeof *row), number = HONE__ASK_NO_TRIAL;
  hone_status status = hone_space_parse(search->space, old->config, row);

  if (old->is_baseline)
    number = HONE__ASK_BASELINE;
  else if (!status && hone_space_contains(search->space, row) &&
           !hone__key_map_has(&search->by_config, old->config))
    number = hone__ask_add_trial(search, row, old->config);
  hone_status_free(status);
  free(row);
  return number;
}

/* Candidates whose outcome says nothing about them are measured again, and so are rejected ones:
 * the filter may have changed. */
static bool take_up(void *data, const struct hone__evaluation *old)
{
  struct hone_search *search = data;
  struct hone__ask_trial *trial;
  uint32_t number;

  if (!hone__outcome_is_repeatable(old->outcome) || old->outcome == HONE_OUTCOME_INVALID)
    return true;
  number = trial_of(search, old);
  if (number == HONE__ASK_NO_TRIAL) return true;
  hone__ask_set_failure(search, number, old->outcome, old->evidence);
  trial = &search->trials[number];
  trial->is_reused = true;
  trial->evaluation = old->id;
  trial->asked = old->asked;
  if ((uint64_t)old->asked > search->asked) search->asked = (uint64_t)old->asked;
  read_values(search, old, trial);
  trial->time = (struct hone_interval){trial->time_ns, NAN, NAN};
  hone_status_free(hone__store_samples(search->kept.store, old->id, read_samples, trial));
  if (hone__outcome_works(old->outcome) && !has_all_values(search, trial))
    trial->outcome = HONE_OUTCOME_BAD_RESULT;
  if (number == HONE__ASK_BASELINE) search->baseline_is_asked = true;
  hone__ask_learn(search, number);
  return true;
}

/* The verdict is valid until another result is told. */
static void take_verdict(struct hone_search *search, const struct hone__store_run_stored *stored)
{
  struct hone__ask_confirmation *c = &search->confirmation;
  const struct hone__store_run_result *result = &stored->result;
  int64_t winner = HONE__ASK_NO_TRIAL;

  c->verdict = result->verdict;
  if (result->verdict == HONE_VERDICT_NONE) return;
  c->speedup = (struct hone_interval){result->speedup, result->low, result->high};
  c->why = hone__arena_strdup(&search->arena, result->why ? result->why : "");
  if (result->verdict == HONE_VERDICT_NO_IMPROVEMENT) winner = HONE__ASK_BASELINE;
  if (result->verdict == HONE_VERDICT_IMPROVED && result->winner)
    hone__key_map_find(&search->by_config, result->winner, &winner);
  c->winner = (uint32_t)winner;
}

static hone_status load(struct hone_search *search)
{
  struct hone__ask_store *kept = &search->kept;
  struct hone__store_run_stored stored;
  struct hone__arena arena = {0};
  hone_status status = hone__store_run_newest(kept->store, kept->run.key, &kept->run.id);

  if (status || !kept->run.id) return status;
  status = hone__store_evaluations(kept->store, kept->run.id, take_up, search);
  if (!status) status = hone__store_run(kept->store, kept->run.id, &arena, &stored);
  if (!status) take_verdict(search, &stored);
  hone__arena_release(&arena);
  return status;
}

/* ---- Opening ---- */

static hone_status refuse_second(struct hone_search *search)
{
  struct hone__store_run_maker maker;
  hone_status status = hone__store_run_maker(search->kept.store, search->kept.run.key, &maker);

  if (status) return status;
  if (!maker.run)
    return hone__error(HONE_UNAVAILABLE, "a search for '%s' with this store is open already",
                       search->kept.run.name);
  return hone__error(HONE_UNAVAILABLE,
                     "a search for '%s' is open already: run %lld, pid %lld on host %s",
                     search->kept.run.name, (long long)maker.run, (long long)maker.pid, maker.host);
}

hone_status hone__ask_store_open(struct hone_search *search,
                                 const struct hone_search_options *options)
{
  struct hone__ask_store *kept = &search->kept;
  hone_status status;

  kept->result = no_result;
  describe_run(search, options);
  if (!options->store) return NULL;
  status = hone__store_open(*options->store ? options->store : NULL, false, &kept->store);
  if (status) return status;
  if (!hone__store_run_lock_take(&kept->lock, kept->store, kept->run.key))
    return refuse_second(search);
  kept->run.is_locked = kept->lock.is_held;
  return options->fresh ? NULL : load(search);
}

/* ---- Writing ---- */

hone_status hone__ask_store_begin(struct hone_search *search)
{
  struct hone__ask_store *kept = &search->kept;
  hone_status status;
  bool resumed;

  if (!kept->store || kept->has_begun) return NULL;
  if (!search->confirmation.is_under_way) hone__ask_confirm_release(search);
  status = hone__store_run_begin(kept->store, &kept->run, &resumed);
  if (status) return status;
  kept->has_begun = true;
  kept->begun_at = hone__clock();
  kept->result = no_result;
  kept->run.is_fresh = false; /* what follows continues this one */
  return NULL;
}

/* {"GFLOP/s": 12.5, "energy_j": 3}, in the arena. */
static const char *print_metrics(struct hone_search *search, const struct hone__ask_trial *trial)
{
  struct hone__named_list metrics = {.arena = &search->arena};

  for (size_t i = 0; i < search->objective_count; i++)
    if (search->objectives[i].source > HONE__ASK_ENERGY && isfinite(trial->values[i]))
      hone__named_real(&metrics, search->objectives[i].name, trial->values[i]);
  if (isfinite(trial->energy_j)) hone__named_real(&metrics, "energy_j", trial->energy_j);
  return hone__record_text(&search->arena, &hone__named_type,
                           &(struct hone__named_record){metrics.items, metrics.count});
}

hone_status hone__ask_store_put(struct hone_search *search, uint32_t number, enum hone_phase phase,
                                const double *times_ns, size_t count)
{
  struct hone__ask_trial *trial = &search->trials[number];
  struct hone__samples samples = {.phase = phase, .times_ns = times_ns, .count = count};
  struct hone__evaluation evaluation = {.config = trial->config,
                                        .is_baseline = number == HONE__ASK_BASELINE,
                                        .device = search->device,
                                        .outcome = trial->outcome,
                                        .evidence = trial->evidence,
                                        .tries = 1,
                                        .compile_s = NAN,
                                        .time_ns = trial->time_ns,
                                        .baseline_ns = search->trials[HONE__ASK_BASELINE].time_ns,
                                        .cold_ns = NAN,
                                        .cap_ns = NAN,
                                        .mesh_idx = -1,
                                        .asked = trial->asked,
                                        .samples = &samples,
                                        .sample_count = times_ns && count};
  hone_status status;

  if (!search->kept.store) return NULL;
  status = hone__ask_store_begin(search);
  if (status) return status;
  evaluation.metrics = print_metrics(search, trial);
  status = hone__store_evaluation_put(search->kept.store, search->kept.run.id, &evaluation);
  if (!status) search->trials[number].evaluation = evaluation.id;
  return status;
}

hone_status hone__ask_store_log(struct hone_search *search, const char *config, const char *why)
{
  struct hone__text line = {0};
  hone_status status = hone__ask_store_begin(search);

  hone__text_addf(&line, "%s is not a finalist: %s", config, why);
  if (search->kept.store && !status)
    status = hone__store_log(search->kept.store, search->kept.run.id, line.data);
  hone__text_release(&line);
  return status;
}

/* ---- The end ---- */

/* What the host's filter and ranking excluded, as a list of sentences. */
static char *print_notes(const struct hone_search *search)
{
  const uint64_t *rejected = search->stages.rejected;
  struct hone__words words = {0};
  struct hone__text text = {0}, line = {0};

  if (search->note) hone__words_add(&words, search->note);
  if (rejected[HONE_STAGE_GENERATE] && !search->note) {
    hone__text_addf(&line, "the host's filter rejected %llu configurations before they were asked",
                    (unsigned long long)rejected[HONE_STAGE_GENERATE]);
    hone__words_add(&words, line.data);
  }
  hone__text_release(&line);
  if (rejected[HONE_STAGE_SCREEN]) {
    hone__text_addf(&line, "the host's filter rejected %llu candidates before the confirmation",
                    (unsigned long long)rejected[HONE_STAGE_SCREEN]);
    hone__words_add(&words, line.data);
  }
  hone__quote_words(&text, &words);
  hone__words_release(&words);
  hone__text_release(&line);
  return hone__text_take(&text);
}

hone_status hone__ask_store_finish(struct hone_search *search)
{
  struct hone__ask_store *kept = &search->kept;
  char *notes;
  hone_status status;

  if (!kept->store || !kept->has_begun) return NULL;
  notes = print_notes(search);
  kept->result.state =
      hone__ask_end(search) == HONE_END_NONE ? HONE_RUN_INTERRUPTED : HONE_RUN_FINISHED;
  kept->result.baseline = search->trials[HONE__ASK_BASELINE].config;
  kept->result.wall_s = hone__clock() - kept->begun_at;
  kept->result.notes = notes;
  status = hone__store_run_finish(kept->store, kept->run.id, &kept->result);
  if (!status) status = hone__store_sync(kept->store);
  if (!status) kept->has_begun = false; /* what is told later opens it again */
  kept->result.notes = NULL;
  free(notes);
  return status;
}

hone_status hone_search_finish(struct hone_search *search)
{
  hone_status status;

  pthread_mutex_lock(&search->lock);
  status = hone__ask_store_finish(search);
  pthread_mutex_unlock(&search->lock);
  return status;
}

void hone__ask_store_release(struct hone_search *search)
{
  hone_status_free(hone__ask_store_finish(search));
  hone__store_run_lock_release(&search->kept.lock);
  hone__store_close(search->kept.store);
}
