#include "session/failing.h"

#include "backend/backend.h"
#include "build/diagnosis.h"
#include "session/kept_output.h"

#include <stdlib.h>

enum { ENOUGH = 10 };

void hone__failing_print(const struct hone__candidate *candidate, struct hone__text *text)
{
  const struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone__kept_output output;
  struct hone__text whole = {0};
  bool is_cut = false, is_begun;

  hone__kept_output_read(evaluation->output, &output);
  if (output.build_output) hone__diagnosis_whole(output.build_output, &whole, &is_cut);
  is_begun = whole.length && hone__starts_with(whole.data, evaluation->evidence);
  if (!is_begun) hone__text_add(text, evaluation->evidence);
  if (whole.length && (is_begun || strchr(whole.data, '\n')))
    hone__text_addf(text, "%s%s", is_begun ? "" : "\n", whole.data);
  hone__text_release(&whole);
  hone__kept_output_release(&output);
}

/* ---- Alike ---- */

/* IREE's compilers reject whole groups of adjacent configurations. */
static bool is_watched(const struct hone__session *session)
{
  return session->settings.purpose->stops_at_equal_failures &&
         !session->settings.options->keep_going && !session->builds.failing.is_over &&
         strcmp(session->problem.task.backend->name, "iree") != 0;
}

/* The baseline, or the reference, which is built with its values. */
static bool is_baseline(const struct hone__candidate *candidate)
{
  const struct hone__task *task = &candidate->session->problem.task;

  return memcmp(candidate->row, task->baseline,
                hone_space_width(task->space) * sizeof *candidate->row) == 0;
}

static bool is_like_those_before(struct hone__failing *failing, const char *evidence)
{
  struct hone__text kind = {0};
  bool is_alike;

  hone__diagnosis_kind(evidence, &kind);
  if (!failing->kind) failing->kind = hone__strdup(kind.data ? kind.data : "");
  is_alike = strcmp(failing->kind, kind.data ? kind.data : "") == 0;
  hone__text_release(&kind);
  return is_alike;
}

static void stop(struct hone__candidate *candidate)
{
  struct hone__text text = {0};

  hone__failing_print(candidate, &text);
  hone__control_fail(&candidate->session->control,
                     hone__error(HONE_UNAVAILABLE,
                                 "the first %d builds failed with the same message, so the run was "
                                 "stopped; fix the cause, add a constraint that excludes such "
                                 "configurations, or continue with '--keep-going'. %s: %s",
                                 ENOUGH, candidate->config, text.data));
  hone__text_release(&text);
}

void hone__failing_note(struct hone__candidate *candidate)
{
  struct hone__session *session = candidate->session;
  struct hone__failing *failing = &session->builds.failing;
  enum hone_outcome outcome = candidate->evaluation.outcome;

  if (!is_watched(session) || (is_baseline(candidate) && outcome == HONE_OUTCOME_OK)) return;
  failing->is_over = outcome != HONE_OUTCOME_COMPILE_ERROR ||
                     !is_like_those_before(failing, candidate->evaluation.evidence);
  if (!failing->is_over && ++failing->count == ENOUGH) stop(candidate);
}
