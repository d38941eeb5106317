#include "tune/time_left.h"

#include "tune/contest_time.h"

/* Candidates that the search still takes, if nothing better is found; NaN: not known. */
static double candidates_left(const struct hone__tuning *tuning)
{
  const struct hone_event *p = &tuning->session.progress.event;
  const struct hone__patience *patience = &tuning->search.patience;
  double left = p->total > p->done ? (double)(p->total - p->done) : p->total ? 0 : NAN;

  return patience->least ? fmin(left, (double)hone__patience_left(patience)) : left;
}

/* The rate is that of the last candidate that was finished; the time since then is taken off, but
 * not more than one takes. */
static double seconds_for(const struct hone__progress *progress, double left, double work)
{
  double since_s = progress->event.elapsed_s - progress->stepped_s;
  double one_s = progress->stepped_s / work;

  return fmax(left * one_s - fmin(since_s, one_s), 0);
}

/* Candidates that are built but not measured count half: when the two take turns, nothing is
 * measured for a while. */
static double search_left_s(const struct hone__tuning *tuning)
{
  const struct hone__session *session = &tuning->session;
  const struct hone_event *p = &session->progress.event;
  double done = (double)(p->done - session->progress.done_before);
  double work = fmax(done, (done + (double)p->built) / 2);
  double left = candidates_left(tuning) - (work - done);
  double bound_s = hone__control_left_s(&session->control), left_s = NAN;

  if (session->control.stopping) return 0; /* only work in progress is left */
  if (work > 0 && isfinite(left)) left_s = seconds_for(&session->progress, fmax(left, 0), work);
  return isfinite(bound_s) && !(left_s < bound_s) ? fmax(bound_s, 0) : left_s;
}

/* Of this problem. */
static double own_left_s(const struct hone__tuning *tuning)
{
  const struct hone__control *control = &tuning->session.control;
  enum hone_phase phase = tuning->session.progress.phase;
  double now = hone__control_now(control), left_s, bound_s = fmax(control->ends_at - now, 0);

  if (phase == HONE_PHASE_RACE || phase == HONE_PHASE_CONFIRM)
    left_s = tuning->contest_ends - now;
  else
    left_s = search_left_s(tuning) + hone__contest_likely_s(tuning);
  left_s = fmax(fmin(left_s, bound_s), 0); /* a bound is better than nothing */
  return isfinite(left_s) ? left_s : NAN;
}

/* The others take as long as those before did, or as this one. */
static double others_left_s(const struct hone__tuning *tuning, double own_s)
{
  const struct hone__case *which = &tuning->session.problem.which;
  const struct hone__session_settings *settings = &tuning->session.settings;
  double each_s =
      which->earlier_s > 0 ? which->earlier_s : tuning->session.progress.event.elapsed_s + own_s;

  if (which->left < 2) return 0;
  if (settings->budget_given && settings->budget_s > 0) each_s = fmin(each_s, settings->budget_s);
  return (double)(which->left - 1) * each_s;
}

double hone__tuning_time_left_s(const struct hone__tuning *tuning)
{
  double own_s = own_left_s(tuning);

  return own_s + others_left_s(tuning, own_s);
}

void hone__tuning_expect_contest(struct hone__tuning *tuning, double limit)
{
  double now = hone__control_now(&tuning->session.control);

  tuning->contest_ends = fmin(limit, now + hone__contest_likely_s(tuning));
}

void hone__tuning_expect_rounds(struct hone__tuning *tuning,
                                const struct hone__tuning_last_round *last, double limit)
{
  double now = hone__control_now(&tuning->session.control);
  double one_s = (now - last->began) / (double)(last->measured + 1); /* and the baseline */
  double to_come =
      last->full_rounds * (double)(last->left + 1) + last->close_rounds * (double)(last->close + 1);

  tuning->contest_ends = fmin(limit, now + to_come * one_s);
}
