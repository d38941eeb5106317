/* The mark stays whatever the second measurement shows: a wrong answer is a failure of its own, and
 * a right one does not explain the speed.
 */
#include "session/suspicion.h"

#include "base/number.h"
#include "session/plausible.h"
#include "stats/statistics.h"

/* ---- Limits ---- */

/* The limits of the fastest device. */
static struct hone__limits limits_of_all(const struct hone__session *session)
{
  struct hone__limits all = {0};

  for (size_t i = 0; i < session->workers.site_count; i++) {
    struct hone__limits one = session->workers.sites[i].limits;
    if (i == 0 || one.fill_ns < all.fill_ns) all.fill_ns = one.fill_ns;
    if (i == 0 || !one.peak_flops) all.peak_flops = one.peak_flops;
    if (all.peak_flops) all.peak_flops = fmax(all.peak_flops, one.peak_flops);
    all.written_bytes = fmax(all.written_bytes, one.written_bytes);
  }
  return all;
}

/* The highest claim of a metric; NaN: no metric gives FLOP/s. */
static double claimed_flops(const struct hone__candidate *candidate, double time_ns)
{
  const struct hone__task *task = &candidate->session->problem.task;
  const struct hone__task_measured measured = {.time_ns = time_ns, .energy = candidate->energy};
  double most = NAN;

  for (size_t i = 0; i < task->spec->metric_count; i++) {
    const struct hone__formula *metric = &task->spec->metrics[i];
    double value;
    if (hone__task_metric(task, candidate->row, metric, &measured, &value))
      most = fmax(most, hone__flops_of_metric(metric->name, value));
  }
  return most;
}

const char *hone__candidate_doubt(struct hone__candidate *candidate, int site, double time_ns,
                                  double baseline_ns)
{
  const struct hone__session *session = candidate->session;
  struct hone__limits limits =
      site == HONE__ALL_SITES ? limits_of_all(session) : session->workers.sites[site].limits;
  struct hone__claimed claimed = {
      .time_ns = time_ns, .baseline_ns = baseline_ns, .flops = claimed_flops(candidate, time_ns)};
  struct hone__text why = {0};
  const char *doubt = NULL;

  if (hone__session_answers(session) == HONE__ANSWERS_RECORDED)
    return NULL; /* nothing was measured */
  if (hone__session_is_suspicious(&limits, &claimed, &why))
    doubt = hone__arena_strdup(&candidate->texts, why.data);
  hone__text_release(&why);
  return doubt;
}

/* ---- The second measurement ---- */

bool hone__candidate_is_doubted(struct hone__candidate *candidate, size_t site,
                                const struct hone__reply *reply)
{
  struct hone__session *session = candidate->session;
  struct hone__samples samples;

  if (candidate->doubt || hone__run_part(reply, 0).outcome != HONE_OUTCOME_OK) return false;
  samples = hone__run_samples(reply, HONE_PHASE_SCREEN);
  candidate->doubt =
      hone__candidate_doubt(candidate, (int)site, hone__median(samples.times_ns, samples.count),
                            session->workers.sites[site].last_ns);
  hone__run_samples_release(&samples);
  if (!candidate->doubt || hone__control_over(&session->control)) return false;
  hone__session_log(session, "%s: suspicious: %s; measuring again", candidate->config,
                    candidate->doubt);
  candidate->is_doubled = true;
  return true;
}

/* ---- The mark ---- */

/* Answers of kernels are compared after every sample; for programs one run is checked. */
static void add_check(const struct hone__session *session, struct hone__text *text)
{
  bool is_kernel = hone__backend_calls_kernels(session->problem.task.backend);
  enum hone__answers answers = hone__session_answers(session);

  if (!hone__answers_are_checked(answers))
    hone__text_add(text, "; its answers are NOT checked");
  else if (answers == HONE__ANSWERS_COMMAND)
    hone__text_add(text, "; measured again and accepted by check.command");
  else if (answers == HONE__ANSWERS_FUNCTION)
    hone__text_add(text, "; measured again and accepted by check.file");
  else if (answers == HONE__ANSWERS_PROGRAM)
    hone__text_add(text, "; measured again and accepted by the program's own check");
  else
    hone__text_addf(text, "; measured again, %s with %s",
                    is_kernel ? "the answers of all samples agree" : "its answer agrees",
                    answers == HONE__ANSWERS_REFERENCE ? "the reference" : "the baseline's output");
}

/* A candidate that caches its last answer is slow when it has none. */
static void add_second(struct hone__candidate *candidate, size_t site, struct hone__text *text)
{
  const struct hone__evaluation *evaluation = &candidate->evaluation;
  char time[64];

  add_check(candidate->session, text);
  if (!isfinite(evaluation->time_ns) ||
      hone__candidate_doubt(candidate, (int)site, evaluation->time_ns, evaluation->baseline_ns))
    return;
  hone__print_time(time, sizeof time, evaluation->time_ns);
  hone__text_addf(text, ", but it took %s then", time);
}

const char *hone__candidate_suspicion(struct hone__candidate *candidate, size_t site)
{
  const struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone__text text = {0};
  const char *mark;

  if (!hone__outcome_works(evaluation->outcome)) return NULL;
  if (!candidate->doubt) /* a sweep, a baseline: measured once */
    return hone__candidate_doubt(candidate, (int)site, evaluation->time_ns,
                                 evaluation->baseline_ns);
  hone__text_add(&text, candidate->doubt);
  if (candidate->is_doubled) add_second(candidate, site, &text);
  mark = hone__arena_strdup(&candidate->texts, text.data);
  hone__text_release(&text);
  return mark;
}

void hone__candidate_report_suspicion(struct hone__candidate *candidate)
{
  struct hone__session *session = candidate->session;
  const char *why = candidate->evaluation.suspicious;

  if (!why) return;
  hone__session_log(session, "%s: SUSPICIOUS: %s", candidate->config, why);
  if (session->progress.suspicious++) return;
  hone__session_say(session, HONE_EVENT_WARNING, "SUSPICIOUS: %s%s: %s",
                    candidate->is_baseline ? "the baseline " : "", candidate->config, why);
}
