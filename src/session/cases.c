/* Runs cases one after the other: a failure ends only its own run. */
#include "session/cases.h"

#include "session/session.h"

enum { MOST_CASES = 1000000 };

hone_status hone__cases_init(struct hone__cases *cases, const struct hone_spec *spec,
                             const struct hone_tune_options *options)
{
  size_t problems = options->problems ? options->problem_count : spec->problem_count;
  hone_status status;

  *cases = (struct hone__cases){.spec = spec, .options = options};
  status = hone_spec_shape_count(spec, &cases->shapes);
  if (status) return status;
  if (cases->shapes > MOST_CASES || problems * cases->shapes > MOST_CASES)
    return hone__error(HONE_EXHAUSTED,
                       "%llu shapes are too many: each is a separate run, and the limit is %d; "
                       "select a part of them with --partition",
                       (unsigned long long)cases->shapes, MOST_CASES);
  cases->count = problems * (size_t)cases->shapes;
  return NULL;
}

struct hone__case hone__cases_at(const struct hone__cases *cases, size_t i)
{
  const struct hone_tune_options *options = cases->options;
  size_t problem = (size_t)(i / cases->shapes);

  return (struct hone__case){.problem = options->problems ? options->problems[problem] : problem,
                             .shape = cases->spec->shapes ? i % cases->shapes : HONE_ALL_SHAPES,
                             .space = cases->space};
}

/* ---- All of them ---- */

static void note_time(const struct hone__session *session, struct hone__session_result *result)
{
  if (!session->entry.run.id || session->entry.answered) return;
  result->worked_s += hone__control_now(&session->control) - session->control.started;
  result->worked++;
}

hone_status hone__cases_take(const struct hone__cases *cases, const struct hone__session *session,
                             hone_status status, struct hone__session_result *result)
{
  const struct hone__session_problem *problem = &session->problem;
  const char *name = problem->task.problem ? problem->task.problem
                                           : hone_spec_problem(cases->spec, problem->which.problem);

  if (session->entry.run.id) {
    HONE__GROW(result->runs, result->run_count, result->run_capacity);
    result->runs[result->run_count++] = session->entry.run.id;
  }
  note_time(session, result);
  result->interrupted = result->interrupted || session->control.interrupted;
  result->answered = result->answered && session->entry.answered;
  return cases->count > 1 && *name ? hone__annotate(status, "%s", name) : status;
}

static void note(const struct hone_tune_options *options, const char *text)
{
  struct hone_event event = {.kind = HONE_EVENT_NOTE, .text = text};

  if (options->progress) options->progress(options->progress_data, &event);
}

/* Measurements are kept: to be ended is not a failure. */
static hone_status note_end(hone_status status, struct hone__session_result *result)
{
  if (hone_status_code(status) != HONE_CANCELLED) return status;
  result->interrupted = true;
  hone_status_free(status);
  return NULL;
}

/* A filter may leave nothing of some of several shapes: that gives only a note. */
static hone_status note_empty(const struct hone__cases *cases, hone_status status,
                              size_t *empty_count)
{
  if (hone_status_code(status) != HONE_NOT_FOUND || ++*empty_count == cases->count) return status;
  note(cases->options, hone_status_message(status));
  hone_status_free(status);
  return NULL;
}

static void tell_end(const struct hone__cases *cases, const struct hone__case *which, int64_t run,
                     bool is_answered)
{
  const struct hone_tune_options *options = cases->options;
  struct hone_event event = {.kind = HONE_EVENT_END,
                             .config = hone_spec_problem(cases->spec, which->problem),
                             .problem = which->number,
                             .problem_count = which->count,
                             .reused = is_answered,
                             .run = run};

  if (options->progress) options->progress(options->progress_data, &event);
}

static hone_status work_on_all(const struct hone__cases *cases, hone__case_work *work,
                               struct hone__session_result *result)
{
  struct hone_store *store = NULL;
  hone_status status = hone__store_open(cases->options->store, false, &store);
  size_t empty_count = 0, known, worked;

  for (size_t i = 0; store && i < cases->count && !result->interrupted; i++) {
    struct hone__case which = hone__cases_at(cases, i);
    hone_status failure;
    which.left = cases->count - i;
    which.number = i + 1;
    which.count = cases->count;
    if (result->worked) which.earlier_s = result->worked_s / (double)result->worked;
    known = result->run_count;
    worked = result->worked;
    failure = note_end(work(cases, &which, store, result), result);
    if (result->run_count > known)
      tell_end(cases, &which, result->runs[known], result->worked == worked);
    failure = note_empty(cases, failure, &empty_count);
    if (status)
      hone_status_free(failure); /* the first is reported; the others are in the store */
    else
      status = failure;
  }
  if (hone__store_is_lost(store)) result->run_count = 0; /* the message names the place */
  hone__store_close(store);
  return status;
}

hone_status hone__cases_work(const struct hone_spec *spec, struct hone_space *space,
                             const struct hone_tune_options *options, hone__case_work *work,
                             struct hone__session_result *out_result)
{
  struct hone__cases cases;
  hone_status status = hone__cases_init(&cases, spec, options);

  cases.space = cases.count == 1 ? space : NULL;
  *out_result = (struct hone__session_result){.answered = !status && cases.count > 0};
  if (status) return status;
  if (!cases.count) note(options, "this part of the shapes is empty: nothing to do");
  return cases.count ? work_on_all(&cases, work, out_result) : NULL;
}
