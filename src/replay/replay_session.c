/* hone_replay: files are loaded, then every run of every strategy on every file is a piece of work.
 * The last run of a cell sums it up, so that not all of them are kept. */
#include "base/allocators.h"

#include "base/clock.h"
#include "base/options_size.h"
#include "replay/replay_cell.h"
#include "replay/replay_csv.h"
#include "replay/replay_lessons.h"
#include "replay/replay_result.h"
#include "replay/replay_threads.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { MOST_REPEATS = 10000, MOST_RUNS = 1 << 24 };

struct cell {
  struct hone__replay_run *runs;
  atomic_size_t left; /* runs to be done */
};

struct session {
  const struct hone_replay_options *options;
  struct hone__replay_grounds grounds;
  const struct hone__strategy **strategies;
  size_t strategy_count;
  struct cell *cells;
  struct hone_replay_result *result;
  atomic_bool stop;
  pthread_mutex_t lock; /* of `failure` */
  hone_status failure;  /* of a run: the first one */
};

static const struct hone_replay_options defaults = {.seed = 1, .repeats = 25, .outstanding = 1};

void hone_replay_options_fill(struct hone_replay_options *options, size_t size)
{
  hone__options_fill(options, size, &defaults, sizeof defaults);
}

const char *hone_strategy_name(size_t i)
{
  const struct hone__strategy *strategy = hone__strategy_at(i);

  return strategy ? strategy->name : NULL;
}

const char *hone_strategy_summary(size_t i)
{
  const struct hone__strategy *strategy = hone__strategy_at(i);

  return strategy ? strategy->summary : NULL;
}

/* ---- What is requested ---- */

static hone_status check_options(const struct hone_replay_options *options)
{
  if (!options->file_count) return hone__error(HONE_INVALID_ARGUMENT, "no recordings given");
  if (options->evaluations && options->budget_s > 0)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "a budget is a number of evaluations or a time, not both");
  if (isnan(options->budget_s) || options->budget_s < 0)
    return hone__error(HONE_INVALID_ARGUMENT, "a time budget must be positive");
  if (options->outstanding < 1 || options->outstanding > HONE__REPLAY_DEVICES)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "the number of outstanding evaluations must be between 1 and %d, not %zu",
                       HONE__REPLAY_DEVICES, options->outstanding);
  if (options->repeats < 1 || options->repeats > MOST_REPEATS)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "the number of repeats must be between 1 and %d, not %llu", MOST_REPEATS,
                       (unsigned long long)options->repeats);
  return NULL;
}

static void add_strategy(struct session *session, const struct hone__strategy *strategy)
{
  for (size_t i = 0; i < session->strategy_count; i++)
    if (session->strategies[i] == strategy) return;
  session->strategies = hone__realloc(session->strategies,
                                      (session->strategy_count + 1) * sizeof *session->strategies);
  session->strategies[session->strategy_count++] = strategy;
}

static hone_status add_strategies(struct session *session, const char *name)
{
  const struct hone__strategy *strategy;
  hone_status status;

  if (name && strcmp(name, "all") == 0) {
    for (size_t i = 0; (strategy = hone__strategy_at(i)); i++)
      add_strategy(session, strategy);
    return NULL;
  }
  status = hone__strategy_find(name, &strategy);
  if (!status) add_strategy(session, strategy);
  return status;
}

static hone_status choose_strategies(struct session *session)
{
  const struct hone_replay_options *options = session->options;
  hone_status status = NULL;

  if (!options->strategy_count) return add_strategies(session, NULL);
  for (size_t i = 0; !status && i < options->strategy_count; i++)
    status = add_strategies(session, options->strategies[i]);
  return status;
}

/* ---- Runs ---- */

static void fail(struct session *session, hone_status status)
{
  pthread_mutex_lock(&session->lock);
  if (session->failure)
    hone_status_free(status);
  else
    session->failure = status;
  pthread_mutex_unlock(&session->lock);
  atomic_store(&session->stop, true);
}

static struct hone__replay_plan make_plan(struct session *session,
                                          const struct hone__replay_ground *ground,
                                          const struct hone__strategy *strategy, uint64_t seed)
{
  const struct hone_replay_options *options = session->options;
  struct hone__replay_plan plan = {.strategy = strategy,
                                   .seed = seed,
                                   .budget_s = options->budget_s,
                                   .evaluations = options->evaluations,
                                   .outstanding = options->outstanding,
                                   .lessons = ground->lessons,
                                   .stop = &session->stop};

  if (!ground->has_budget) plan.budget_s = ground->scale.at_s[HONE__SCORE_POINTS - 1];
  return plan;
}

static hone_status play(struct session *session, size_t file, size_t strategy, size_t repeat,
                        struct hone__replay_run *out_run)
{
  const struct hone__replay_ground *ground = &session->grounds.at[file];
  struct hone__replay_plan plan =
      make_plan(session, ground, session->strategies[strategy], session->options->seed + repeat);
  struct hone__replay_trace trace;
  double begun = hone__replay_cpu_s();
  hone_status status = hone__replay_run(ground->recording, &plan, &trace);

  if (status) return status;
  if (!atomic_load(&session->stop)) { /* else it may have been cut short */
    if (session->options->runs_dir)
      status = hone__replay_csv_write(session->options->runs_dir,
                                      session->grounds.paths.paths[file].label, &plan, &trace);
    hone__replay_run_take(ground, &trace, out_run);
    out_run->cpu_s = hone__replay_cpu_s() - begun;
  }
  hone__replay_trace_release(&trace);
  return status;
}

static void sum_up(struct session *session, size_t number)
{
  struct cell *cell = &session->cells[number];

  if (!cell->runs) return;
  hone__replay_cell_sum(&session->grounds.at[number / session->strategy_count], cell->runs,
                        session->options->repeats, &session->result->cells[number]);
  free(cell->runs);
  cell->runs = NULL;
}

static void play_piece(void *data, size_t number)
{
  struct session *session = data;
  size_t repeats = session->options->repeats, repeat = number % repeats;
  size_t at = number / repeats;
  struct cell *cell = &session->cells[at];
  hone_status status = play(session, at / session->strategy_count, at % session->strategy_count,
                            repeat, &cell->runs[repeat]);

  if (status) fail(session, status);
  if (atomic_fetch_sub(&cell->left, 1) == 1) sum_up(session, at);
}

static hone_status play_all(struct session *session)
{
  const struct hone_replay_options *options = session->options;
  size_t cells = session->grounds.paths.count * session->strategy_count;
  struct hone__replay_work work = {.threads = options->threads,
                                   .piece = play_piece,
                                   .data = session,
                                   .stop = &session->stop,
                                   .progress = options->progress,
                                   .progress_data = options->progress_data};

  if (__builtin_mul_overflow(cells, options->repeats, &work.count) || work.count > MOST_RUNS)
    return hone__error(HONE_EXHAUSTED, "more than %d runs: use fewer repeats or fewer files",
                       MOST_RUNS);
  session->cells = hone__alloc((cells + 1) * sizeof *session->cells);
  session->result->cells = hone__alloc((cells + 1) * sizeof *session->result->cells);
  for (size_t i = 0; i < cells; i++) {
    session->cells[i].runs = hone__alloc(options->repeats * sizeof *session->cells[i].runs);
    atomic_init(&session->cells[i].left, options->repeats);
  }
  hone__replay_work(&work);
  for (size_t i = 0; i < cells; i++)
    sum_up(session, i);
  session->result->interrupted = atomic_load(&session->stop);
  return session->failure;
}

static void name_strategies(struct session *session)
{
  struct hone_replay_result *result = session->result;

  result->strategies = hone__alloc((session->strategy_count + 1) * sizeof *result->strategies);
  for (; result->strategy_count < session->strategy_count; result->strategy_count++)
    result->strategies[result->strategy_count] =
        hone__strdup(session->strategies[result->strategy_count]->name);
}

static void release(struct session *session)
{
  hone__replay_grounds_release(&session->grounds);
  free(session->cells);
  free(session->strategies);
  pthread_mutex_destroy(&session->lock);
}

/* Fills `result` as far as it gets. */
static hone_status replay(const struct hone_replay_options *options,
                          struct hone_replay_result *result)
{
  struct session session = {.options = options, .result = result};
  double begun = hone__clock();
  hone_status status;

  pthread_mutex_init(&session.lock, NULL);
  status = check_options(options);
  if (!status) status = choose_strategies(&session);
  if (!status) status = hone__replay_grounds_load(&session.grounds, options, result);
  if (!status) status = hone__replay_lessons_load(&session.grounds, options, result);
  if (!status) {
    name_strategies(&session);
    status = play_all(&session);
  }
  release(&session);
  result->wall_s = hone__clock() - begun;
  return status;
}

hone_status hone_replay(const struct hone_replay_options *options,
                        struct hone_replay_result **out_result)
{
  struct hone_replay_options own = defaults;
  struct hone_replay_result *result;
  hone_status status;

  hone__allocators_install();
  *out_result = NULL;
  status = hone__options_take(&own, sizeof own, options, "hone_replay_options");
  if (status) return status;
  result = hone__alloc(sizeof *result);
  status = replay(&own, result);
  if (status)
    hone_replay_result_free(result);
  else
    *out_result = result;
  return status;
}
