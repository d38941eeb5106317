#include "tune/contest_time.h"

#include "backend/backend.h"

enum {
  RESTARTS = 3,
  RESTARTS_ON_DEVICE = 2,
  RESTARTS_ON_CPU = 7,
  RACE_ROWS = 5,
  RACE_ROWS_ON_CPU = 7,
  CONFIRM_ROWS = 6,
  SLOW_CONFIRM_ROWS = 4,
  LEAST_CONFIRM_ROWS = 2,
  MOST_CONFIRM_ROWS = 24
};
static const double ROUND_LEAST_S = 0.025;    /* of a confirmation in one process */
static const double SERVED_ROUND_LEAST_S = 1; /* the same, if starting a program takes long */
static const double SLOW_ROW_S = 0.5;
static const double LATE_FACTOR = 1.5;      /* of a caller's limit, if a proof is near */
static const double LEAST_CONFIRMED = 0.25; /* of it, if the search took longer than its own */
static const double PROOF_S = 0.5;          /* calls of the winner, all compared */
static const double SAFETY = 1.3;           /* what is expected is not exact */
static const double MOST_RESERVED = 0.5;    /* of the budget */
static const double LEAST_SEARCHED = 0.4;   /* of what the baseline has left of it */

/* ---- Processes and rows ---- */

/* Each run of a program is a separate process, and a device's memory varies less. */
bool hone__contest_has_equal_processes(const struct hone__tuning *tuning)
{
  const struct hone__backend *backend = tuning->session.problem.task.backend;
  const struct hone__workers *workers = &tuning->session.workers;
  const char *device =
      workers->site_count ? workers->sites[0].device : hone__session_devices(&tuning->session);

  return backend->sample_is_run ||
         (backend->driver.is_beside_cpu && backend->driver.is_beside_cpu(device));
}

/* A kernel on a CPU may have two times, one of them by chance in each process. Five processes with
 * the same time are more frequent than a 95 % interval allows, seven are not. On a device two
 * processes prove a large difference; a small one takes more. */
unsigned hone__contest_restarts(const struct hone__tuning *tuning)
{
  if (!hone__contest_has_equal_processes(tuning)) return RESTARTS_ON_CPU;
  return tuning->session.problem.task.backend->sample_is_run ? RESTARTS : RESTARTS_ON_DEVICE;
}

/* A round is finished once it has begun: within a caller's limit it is short. */
static unsigned slow_rows(const struct hone__tuning *tuning, double row_s)
{
  double limit_s = tuning->session.settings.options->confirm_limit_s;
  double each_s = limit_s > 0 ? limit_s / hone__contest_restarts(tuning) : INFINITY;

  return (unsigned)fmin(fmax(each_s / row_s, LEAST_CONFIRM_ROWS), SLOW_CONFIRM_ROWS);
}

/* Whole programs are slow and measure many calls themselves: fewer rows suffice. */
unsigned hone__contest_rows(const struct hone__tuning *tuning, double row_s)
{
  bool is_served = tuning->session.problem.head.start_s > 0;
  double least_s = is_served ? SERVED_ROUND_LEAST_S : ROUND_LEAST_S;

  if (row_s > SLOW_ROW_S) return slow_rows(tuning, row_s);
  return (unsigned)fmin(fmax(least_s / row_s, CONFIRM_ROWS), MOST_CONFIRM_ROWS);
}

unsigned hone__contest_race_rows(const struct hone__tuning *tuning)
{
  return hone__contest_has_equal_processes(tuning) ? RACE_ROWS : RACE_ROWS_ON_CPU;
}

/* ---- What is expected ---- */

double hone__contest_least_s(const struct hone__tuning *tuning, double row_s)
{
  return hone__contest_restarts(tuning) * SLOW_CONFIRM_ROWS * row_s;
}

double hone__contest_row_s(const struct hone__tuning *tuning, size_t finalists)
{
  const struct hone__site *site = &tuning->session.workers.sites[0];
  const struct hone__backend *backend = tuning->session.problem.task.backend;
  bool has_more = backend->sample_is_run && site->cold_ns > site->last_ns;
  double base_ns = has_more ? site->cold_ns : site->last_ns;
  double least_ns = hone__backend_least_sample_ns(backend);
  double each_ns = fmax(base_ns * fmin(tuning->ranking.best_ratio, 1), least_ns);

  return 1e-9 * (fmax(base_ns, least_ns) + (double)finalists * each_ns);
}

double hone__contest_start_s(const struct hone__tuning *tuning)
{
  if (tuning->session.control.clock.is_virtual) return 0;
  return hone__pool_prepare_s(tuning->session.workers.runners, 0);
}

/* One process: its start, the first calls of all, the rows. */
static double round_s(const struct hone__tuning *tuning, size_t finalists, double first_s)
{
  double row = hone__contest_row_s(tuning, finalists);

  return hone__contest_start_s(tuning) + (double)(finalists + 1) * first_s +
         hone__contest_rows(tuning, row) * row;
}

static double proof_s(const struct hone__tuning *tuning)
{
  return hone__backend_calls_kernels(tuning->session.problem.task.backend) ? PROOF_S : 0;
}

/* The race is about as long as a process with all racers. */
static double contest_s(const struct hone__tuning *tuning, size_t finalists)
{
  bool has_race = tuning->ranking.count > finalists;

  return SAFETY * (hone__contest_restarts(tuning) + has_race) *
             round_s(tuning, finalists, tuning->session.workers.sites[0].reading_s) +
         proof_s(tuning);
}

/* Seconds that the whole run may take. */
static double bound_of(const struct hone__tuning *tuning)
{
  const struct hone__control *control = &tuning->session.control;
  double budget_s = tuning->session.settings.budget_s;

  return fmin(budget_s > 0 ? budget_s : INFINITY, control->ends_at - control->started);
}

bool hone__contest_is_foreseen(const struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->session.settings.options;
  const struct hone__workers *workers = &tuning->session.workers;

  return !options->no_confirm && options->stop_after == HONE_STAGE_ALL && workers->site_count &&
         workers->runners && /* it closes */
         workers->sites[0].last_ns > 0;
}

/* A first call is about as long as the mean candidate of screening, which has a few samples too. */
double hone__contest_likely_s(const struct hone__tuning *tuning)
{
  const struct hone__tuning_search *search = &tuning->search;
  size_t finalists = tuning->session.settings.finalists, known = tuning->ranking.count;
  double first_s, whole_s;

  if (!hone__contest_is_foreseen(tuning)) return 0;
  if (known && known < finalists) finalists = known;
  first_s = search->measured ? search->measured_s / (double)search->measured
                             : tuning->session.workers.sites[0].reading_s;
  whole_s = hone__contest_restarts(tuning) * round_s(tuning, (finalists + 1) / 2, first_s);
  return fmin(whole_s + proof_s(tuning), MOST_RESERVED * bound_of(tuning));
}

double hone__contest_expected_s(const struct hone__tuning *tuning)
{
  const struct hone__session_settings *settings = &tuning->session.settings;
  size_t finalists = settings->finalists;
  double most = MOST_RESERVED * bound_of(tuning);

  if (!hone__contest_is_foreseen(tuning)) return 0;
  while (finalists > 1 && contest_s(tuning, finalists) > most)
    finalists--;
  return fmin(contest_s(tuning, finalists), most);
}

/* ---- What is allowed ---- */

/* Nothing is kept for a contest that has no candidate yet: without one the run would be in vain. */
void hone__contest_reserve(struct hone__tuning *tuning)
{
  struct hone__control *control = &tuning->session.control;
  double reserved_s = tuning->ranking.count ? hone__contest_expected_s(tuning) : 0;
  double from = tuning->search.asked_from;
  double least = from + LEAST_SEARCHED * (control->ends_at - from);

  if (control->stopping || control->interrupted || !isfinite(control->ends_at)) return;
  control->stop_at = fmax(control->ends_at - reserved_s, least);
  hone__tuning_limit_search(tuning); /* what a caller allows is not extended */
}

/* A search that took longer than its limit, because its last build did, leaves less. */
double hone__contest_limit_s(const struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->session.settings.options;
  double now = hone__control_now(&tuning->session.control),
         left_s = tuning->search.began + options->search_limit_s - now;

  if (!(options->confirm_limit_s > 0)) return INFINITY;
  if (!(options->search_limit_s > 0)) left_s = 0;
  if (!options->confirm_in_full) left_s = fmin(left_s, 0);
  return fmax(options->confirm_limit_s + left_s, LEAST_CONFIRMED * options->confirm_limit_s);
}

double hone__contest_end(const struct hone__tuning *tuning)
{
  const struct hone__control *control = &tuning->session.control;
  double end = fmin(control->ends_at, control->cut_at),
         late_s = (LATE_FACTOR - 1) * tuning->session.settings.options->confirm_limit_s;

  return fmin(end, hone__control_now(control) + hone__contest_limit_s(tuning) + late_s);
}
