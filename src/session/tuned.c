/* A call's runs, read back from the store when it ends, so that a stored answer and a fresh one are
 * told in the same words. */
#include "session/tuned.h"

#include "spec/params.h"
#include "spec/spec_text.h"
#include "spec/word_kind.h"
#include "stats/statistics.h"
#include "store/stored.h"

#include <math.h>
#include <stdlib.h>

struct tuned_run {
  struct hone__store_run_stored stored;
  double time_ns, baseline_ns; /* of the winner and beside it; NaN: not confirmed */
  const struct hone__spec_param *params;
  size_t param_count;
};

struct hone_tuning {
  struct hone__arena arena;
  struct tuned_run *runs;
  size_t count;
  bool interrupted, answered;
};

/* ---- Reading ---- */

struct times {
  const char *winner;
  struct tuned_run *run;
};

static bool take_times(void *data, const struct hone__stored *stored)
{
  struct times *times = data;

  if (!stored->confirmed || stored->evaluation.is_baseline) return true;
  if (strcmp(stored->evaluation.config, times->winner) != 0) return true;
  times->run->time_ns = stored->time_ns;
  times->run->baseline_ns = stored->baseline_ns;
  return false;
}

static hone_status read_run(struct hone_tuning *tuning, struct hone_store *store, int64_t id)
{
  struct tuned_run *run = &tuning->runs[tuning->count];
  struct times times = {.run = run};
  hone_status status = hone__store_run(store, id, &tuning->arena, &run->stored);

  if (status) return status;
  tuning->count++;
  run->time_ns = run->baseline_ns = NAN;
  times.winner = run->stored.result.winner;
  if (!times.winner || !*times.winner) return NULL;
  run->params = hone__config_params(&tuning->arena, times.winner, &run->param_count);
  return hone__store_each(store, id, take_times, &times);
}

static hone_status read_runs(struct hone_tuning *tuning, const char *path,
                             const struct hone__session_result *result)
{
  struct hone_store *store = NULL;
  hone_status status = hone__store_open(path, true, &store);

  for (size_t i = 0; i < result->run_count && !status; i++)
    status = read_run(tuning, store, result->runs[i]);
  hone__store_close(store);
  return status;
}

hone_status hone__session_tuned_make(const struct hone_tune_options *options,
                                     struct hone__session_result *result, hone_status status,
                                     struct hone_tuning **out_tuning)
{
  struct hone_tuning *tuning = hone__alloc(sizeof *tuning);
  hone_status failure = NULL;

  tuning->interrupted = result->interrupted;
  tuning->answered = result->answered;
  tuning->runs = hone__alloc((result->run_count + 1) * sizeof *tuning->runs);
  if (result->run_count) failure = read_runs(tuning, options->store, result);
  free(result->runs);
  *out_tuning = tuning;
  if (!status) return failure;
  hone_status_free(failure);
  return status;
}

/* ---- What it says ---- */

/* A run that is not in the store has no sentence. */
static const struct tuned_run *run_at(const struct hone_tuning *tuning, size_t i)
{
  static const struct tuned_run none = {
      .stored.result = {.speedup = NAN, .low = NAN, .high = NAN, .confidence = NAN},
      .time_ns = NAN,
      .baseline_ns = NAN};

  return tuning && i < tuning->count ? &tuning->runs[i] : &none;
}

static const char *text_of(const char *text)
{
  return text ? text : "";
}

size_t hone_tuning_count(const struct hone_tuning *tuning)
{
  return tuning ? tuning->count : 0;
}

bool hone_tuning_interrupted(const struct hone_tuning *tuning)
{
  return tuning && tuning->interrupted;
}

bool hone_tuning_answered(const struct hone_tuning *tuning)
{
  return tuning && tuning->answered;
}

int64_t hone_tuning_run(const struct hone_tuning *tuning, size_t i)
{
  return run_at(tuning, i)->stored.record.id;
}

const char *hone_tuning_problem(const struct hone_tuning *tuning, size_t i)
{
  return text_of(run_at(tuning, i)->stored.record.problem);
}

enum hone_run_state hone_tuning_state(const struct hone_tuning *tuning, size_t i)
{
  return run_at(tuning, i)->stored.result.state;
}

enum hone_verdict hone_tuning_verdict(const struct hone_tuning *tuning, size_t i)
{
  return run_at(tuning, i)->stored.result.verdict;
}

const char *hone_tuning_why(const struct hone_tuning *tuning, size_t i)
{
  return text_of(run_at(tuning, i)->stored.result.why);
}

const char *hone_tuning_winner(const struct hone_tuning *tuning, size_t i)
{
  return text_of(run_at(tuning, i)->stored.result.winner);
}

const char *hone_tuning_baseline(const struct hone_tuning *tuning, size_t i)
{
  return text_of(run_at(tuning, i)->stored.result.baseline);
}

double hone_tuning_speedup(const struct hone_tuning *tuning, size_t i)
{
  return run_at(tuning, i)->stored.result.speedup;
}

double hone_tuning_speedup_low(const struct hone_tuning *tuning, size_t i)
{
  const struct hone__store_run_result *result = &run_at(tuning, i)->stored.result;

  return hone__covering_bound(result->low, result->restarts);
}

double hone_tuning_speedup_high(const struct hone_tuning *tuning, size_t i)
{
  const struct hone__store_run_result *result = &run_at(tuning, i)->stored.result;

  return hone__covering_bound(result->high, result->restarts);
}

double hone_tuning_time_ns(const struct hone_tuning *tuning, size_t i)
{
  return run_at(tuning, i)->time_ns;
}

double hone_tuning_baseline_ns(const struct hone_tuning *tuning, size_t i)
{
  return run_at(tuning, i)->baseline_ns;
}

/* ---- The winner's parameters ---- */

size_t hone_tuning_param_count(const struct hone_tuning *tuning, size_t i)
{
  return run_at(tuning, i)->param_count;
}

const char *hone_tuning_param_name(const struct hone_tuning *tuning, size_t i, size_t param)
{
  const struct tuned_run *run = run_at(tuning, i);

  return param < run->param_count ? run->params[param].name : NULL;
}

struct hone_value hone_tuning_param_value(const struct hone_tuning *tuning, size_t i, size_t param)
{
  const struct tuned_run *run = run_at(tuning, i);

  if (param >= run->param_count) return (struct hone_value){.type = HONE_NONE};
  return hone__word_value(run->params[param].value);
}

bool hone_tuning_value(const struct hone_tuning *tuning, size_t i, const char *name,
                       struct hone_value *out_value)
{
  for (size_t p = 0; p < hone_tuning_param_count(tuning, i); p++)
    if (strcmp(hone_tuning_param_name(tuning, i, p), name) == 0) {
      *out_value = hone_tuning_param_value(tuning, i, p);
      return true;
    }
  return false;
}

void hone_tuning_free(struct hone_tuning *tuning)
{
  if (!tuning) return;
  free(tuning->runs);
  hone__arena_release(&tuning->arena);
  free(tuning);
}
