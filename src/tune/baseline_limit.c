#include "tune/baseline_limit.h"

#include "base/number.h"
#include "tune/contest_time.h"

static const double GRACE_S = 5; /* a job that is about to end is worth more than its end */
static const double SAMPLES_SHARE = 0.25; /* of the time that is left, for one reading */
static const double SEARCH_CALLS = 20;    /* a few candidates, with their first calls */

/* ---- The first readings ---- */

static void give_up(void *stage)
{
  const struct hone__tuning *tuning = stage;

  hone__pool_cancel(tuning->session.workers.runners);
}

void hone__baseline_limit_begin(struct hone__baseline_limit *limit, struct hone__tuning *tuning)
{
  struct hone__control *control = &tuning->session.control;

  *limit = (struct hone__baseline_limit){.tuning = tuning, .stop_at = control->stop_at};
  if (!isfinite(control->ends_at)) return;
  control->stop_at = control->ends_at + GRACE_S;
  control->stage = tuning;
  control->on_stop = give_up;
}

void hone__baseline_limit_end(struct hone__baseline_limit *limit)
{
  struct hone__control *control = &limit->tuning->session.control;

  control->on_stop = NULL;
  if (!isfinite(control->ends_at) || control->interrupted) return;
  if (limit->stop_at <= hone__control_now(control)) control->stopping = true;
  control->stop_at = control->stopping ? INFINITY : limit->stop_at;
}

double hone__baseline_limit_samples_s(const struct hone__tuning *tuning)
{
  const struct hone__control *control = &tuning->session.control;

  if (!isfinite(control->ends_at)) return 0;
  return fmax(SAMPLES_SHARE * (control->ends_at - hone__control_now(control)), 1e-3);
}

static double call_s(const struct hone__tuning *tuning)
{
  const struct hone__workers *workers = &tuning->session.workers;

  return workers->site_count ? 1e-9 * workers->sites[0].last_ns : NAN;
}

bool hone__baseline_limit_was_met(const struct hone__tuning *tuning)
{
  return tuning->session.control.stopping && !tuning->session.control.interrupted &&
         !(call_s(tuning) > 0);
}

bool hone__baseline_limit_is_near(const struct hone__tuning *tuning)
{
  const struct hone__control *control = &tuning->session.control;
  double reading_s =
      tuning->session.workers.site_count ? tuning->session.workers.sites[0].reading_s : 0;

  return isfinite(control->ends_at) && (!tuning->session.progress.event.done ||
                                        hone__control_now(control) + reading_s > control->ends_at);
}

bool hone__baseline_limit_is_over(const struct hone__tuning *tuning)
{
  const struct hone__control *control = &tuning->session.control;

  return isfinite(control->ends_at) && hone__control_now(control) >= control->ends_at;
}

/* ---- What is said about it ---- */

/* Seconds of a run with a verdict, at least. */
static double least_run_s(const struct hone__tuning *tuning)
{
  double call = call_s(tuning);

  return SEARCH_CALLS * call + hone__contest_least_s(tuning, 2 * call);
}

static void add_advice(const struct hone__tuning *tuning, double least_s, struct hone__text *text)
{
  char time[64];

  hone__print_time(time, sizeof time, 1e9 * call_s(tuning));
  hone__text_addf(text,
                  "a call of the baseline takes %s; use smaller sizes in 'problem', or a budget of "
                  "at least %.0f s",
                  time, ceil(least_s));
}

/* By a caller, who tells the user about it. */
static bool is_divided(const struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->session.settings.options;

  return options->search_limit_s > 0 || options->confirm_limit_s > 0;
}

void hone__baseline_limit_warn(struct hone__tuning *tuning)
{
  const struct hone__control *control = &tuning->session.control;
  struct hone__text text = {0};
  double each_s = 2 * call_s(tuning) * hone__contest_restarts(tuning);

  if (is_divided(tuning) || !isfinite(control->ends_at) || control->interrupted ||
      !hone__contest_is_foreseen(tuning) || !hone__tuning_others(tuning) ||
      !(hone__control_now(control) + each_s > control->ends_at))
    return;
  add_advice(tuning, hone__control_now(control) - control->started + least_run_s(tuning), &text);
  hone__session_say(&tuning->session, HONE_EVENT_WARNING,
                    "the budget is too short for a verdict: %s", text.data);
  hone__text_release(&text);
}

static bool is_slow(const struct hone__tuning *tuning)
{
  const struct hone__control *control = &tuning->session.control;

  return least_run_s(tuning) > control->ends_at - control->started;
}

/* NULL: it did not take the most of it. */
static const char *blame_build(struct hone__tuning *tuning)
{
  const struct hone__control *control = &tuning->session.control;
  const struct hone__candidate *baseline = tuning->baseline.candidate;
  char time[64];

  if (!baseline || !(2 * baseline->build_s > control->ends_at - control->started)) return NULL;
  hone__print_time(time, sizeof time, 1e9 * baseline->build_s);
  return hone__arena_printf(&tuning->session.arena,
                            "the budget ended before the baseline was timed: building it took %s; "
                            "use a larger one (what was built is kept)",
                            time);
}

const char *hone__baseline_limit_reason(struct hone__tuning *tuning)
{
  const char *reason = is_divided(tuning) || call_s(tuning) > 0 ? NULL : blame_build(tuning);
  struct hone__text text = {0};

  if (reason) return reason;

  if (is_divided(tuning) && !(call_s(tuning) > 0))
    return "the budget ended before the baseline was timed; try a larger one";
  if (!(call_s(tuning) > 0))
    return "the budget ended before the baseline was timed: use smaller sizes in 'problem', or a "
           "larger budget";
  if (is_divided(tuning) || !is_slow(tuning))
    return "the budget ended before any candidate was measured; try a larger one";
  hone__text_add(&text, "the budget ended before any candidate was measured: ");
  add_advice(tuning, least_run_s(tuning), &text);
  reason = hone__arena_strdup(&tuning->session.arena, text.data);
  hone__text_release(&text);
  return reason;
}
