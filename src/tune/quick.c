#include "tune/quick.h"

#include "backend/backend.h"

#include <math.h>

enum { LEAST_ROWS = 4 };
static const double FACTOR = 1.5, MORE_S = 1;
static const double CLOSING_S = 0.45;  /* workers end, the report is printed */
static const double SPARE_SHARE = 0.1; /* of the time left, for what the proof does not need */
static const double PROOF_LEAST_S = 0.2, LEAST_BUDGET_S = 1e-3;
static const double LEAST_SHARE = 0.25; /* of what a round is expected to take: it may take less */

/* ---- The bound ---- */

/* A recording has no processes to end. */
static double closing_s(const struct hone__control *control)
{
  return control->clock.is_virtual ? 0 : CLOSING_S;
}

void hone__quick_begin(struct hone__tuning *tuning)
{
  struct hone__control *control = &tuning->session.control;
  double screened_s = hone__control_now(control) - control->started,
         bound_s = FACTOR * screened_s + MORE_S;

  if (tuning->session.settings.effort != HONE_EFFORT_QUICK || control->interrupted ||
      hone__quick_is_bounded(tuning))
    return;
  control->cut_at = control->started + bound_s - closing_s(control);
  hone__session_log(&tuning->session,
                    "quick: the last candidate was screened after %.3f s, so that the run takes "
                    "%.3f s at most",
                    screened_s, bound_s);
}

bool hone__quick_is_bounded(const struct hone__tuning *tuning)
{
  return isfinite(tuning->session.control.cut_at);
}

static double left_s(const struct hone__tuning *tuning, double until)
{
  return until - hone__control_now(&tuning->session.control);
}

bool hone__quick_has_time(const struct hone__tuning *tuning, double seconds)
{
  return !hone__quick_is_bounded(tuning) ||
         seconds <= SPARE_SHARE * left_s(tuning, tuning->session.control.cut_at);
}

/* ---- What is expected ---- */

/* The first calls of a candidate, with their checks: at most what it took in screening. Those of
 * programs are samples. */
static double first_s(const struct hone__tuning *tuning)
{
  const struct hone__tuning_search *search = &tuning->search;

  if (tuning->session.problem.task.backend->sample_is_run) return 0;
  return search->measured ? search->measured_s / (double)search->measured
                          : tuning->session.workers.sites[0].reading_s;
}

/* Those of a device are prepared while candidates are screened. */
static double start_s(const struct hone__tuning *tuning)
{
  const struct hone__task *task = &tuning->session.problem.task;

  return task->processes_ahead && task->backend->renews ? 0 : hone__contest_start_s(tuning);
}

/* A process with so many candidates and the baseline, before its rows. */
static double ahead_s(const struct hone__tuning *tuning, size_t candidates)
{
  return start_s(tuning) + (double)(candidates + 1) * first_s(tuning);
}

static double confirm_s(const struct hone__tuning *tuning, size_t finalists)
{
  double round_s = ahead_s(tuning, finalists) + LEAST_ROWS * hone__contest_row_s(tuning, finalists);

  return hone__contest_restarts(tuning) * round_s;
}

size_t hone__quick_finalists(const struct hone__tuning *tuning, size_t most, double until)
{
  while (most > 1 && confirm_s(tuning, most) > left_s(tuning, until))
    most--;
  return most;
}

double hone__quick_race_s(const struct hone__tuning *tuning, size_t finalists, double until)
{
  return fmax(left_s(tuning, until) - confirm_s(tuning, finalists), 0);
}

double hone__quick_proof_s(const struct hone__tuning *tuning)
{
  if (!hone__backend_calls_kernels(tuning->session.problem.task.backend)) return 0;
  return PROOF_LEAST_S + first_s(tuning);
}

double hone__quick_rows_s(const struct hone__contest *contest, unsigned done)
{
  const struct hone__tuning *tuning = contest->tuning;
  size_t candidates = hone__standings_left(&contest->finals.standings);
  unsigned wanted = hone__contest_restarts(tuning), rounds = done < wanted ? wanted - done : 1;
  double ahead = ahead_s(tuning, candidates), row_s = hone__contest_row_s(tuning, candidates);
  double each_s = left_s(tuning, contest->until) / rounds - ahead;
  /* If a row takes less than a tenth of what precedes it, a second one is worth its time. */
  double least_s = row_s < 0.1 * ahead ? row_s : 0;

  /* The last row may begin when its time is nearly over. */
  return fmax(each_s - row_s, least_s + LEAST_BUDGET_S);
}

bool hone__quick_has_round(const struct hone__contest *contest)
{
  const struct hone__tuning *tuning = contest->tuning;
  size_t candidates = hone__standings_left(&contest->finals.standings);
  double round_s = ahead_s(tuning, candidates) + hone__contest_row_s(tuning, candidates);
  /* A recording says what a job takes. What others take is an estimate: they may begin, and are
   * abandoned when the time is over. */
  double least_s = tuning->session.control.clock.is_virtual ? round_s : LEAST_SHARE * round_s;

  return least_s <= left_s(tuning, contest->until);
}

const char *hone__quick_reason(void)
{
  return "a quick search takes at most 1.5 times its screening and a second; this time ended "
         "before "
         "the proof was complete; --effort normal continues it";
}
