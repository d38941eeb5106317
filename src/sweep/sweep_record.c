/* Records the instances of a sweep in the store, and informs the user. */
#include "sweep/sweep.h"

#include "session/kept_output.h"
#include "session/suspicion.h"

struct hone__sweep_build *hone__sweep_build_of(struct hone__sweep *sweep, uint32_t instance)
{
  return &sweep->builds[sweep->owner[instance]];
}

/* The output of its program; lent, NULL: none. */
static const char *output_of(struct hone__candidate *candidate)
{
  struct hone__kept_output output;
  const char *text = NULL;

  hone__kept_output_read(candidate->evaluation.output, &output);
  if (output.stdout_text || output.stderr_text)
    text =
        hone__arena_printf(&candidate->texts, "%s%s", output.stdout_text ? output.stdout_text : "",
                           output.stderr_text ? output.stderr_text : "");
  hone__kept_output_release(&output);
  return text;
}

static void put(struct hone__candidate *candidate)
{
  if (!hone__candidate_put(candidate)) return;
  hone__candidate_report_suspicion(candidate);
  hone__session_count(candidate->session, &candidate->evaluation);
  hone__candidate_report_outcome(candidate, output_of(candidate));
  hone__session_progress(candidate->session, false);
}

void hone__sweep_record(struct hone__sweep *sweep, struct hone__candidate *candidate)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone__sweep_build *build = hone__sweep_build_of(sweep, (uint32_t)evaluation->mesh_idx);

  if (evaluation->outcome == HONE_OUTCOME_INTERRUPTED) return;
  put(candidate);
  sweep->outcomes[evaluation->outcome]++;
  if (--build->left == 0) hone__sweep_drop(sweep, build);
  hone__sweep_progress(sweep, false);
}

void hone__sweep_copy_build(struct hone__candidate *candidate,
                            const struct hone__sweep_build *build)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;

  memcpy(candidate->object, build->object, sizeof candidate->object);
  evaluation->object = candidate->object;
  evaluation->deps = build->deps;
  if (evaluation->mesh_idx != build->first) return;
  evaluation->compile_s = build->compile_s;
  evaluation->cached = build->cached;
  evaluation->warnings = build->warnings;
}

/* Copies the builder's output to another instance of the same build. */
static void copy_failure(struct hone__candidate *to, const struct hone__evaluation *from)
{
  struct hone__kept_output output;

  to->evaluation.outcome = from->outcome;
  to->evaluation.evidence = hone__arena_strdup(&to->texts, from->evidence);
  to->evaluation.tries = from->tries;
  if (from->deps) to->evaluation.deps = hone__arena_strdup(&to->texts, from->deps);
  hone__kept_output_read(from->output, &output);
  hone__candidate_output(to, NULL, &(struct hone__wire_build_reply){.output = output.build_output});
  hone__kept_output_release(&output);
}

void hone__sweep_record_group(struct hone__sweep *sweep, uint32_t number,
                              struct hone__candidate *built)
{
  size_t count;
  const uint32_t *items = hone__schedule_items(sweep->schedule, number, &count);

  hone__schedule_drop(sweep->schedule, number);
  for (size_t i = 0; i < count && !sweep->session.control.failure; i++) {
    struct hone__candidate *other;
    if (items[i] == built->evaluation.mesh_idx) {
      hone__sweep_record(sweep, built);
      continue;
    }
    other = hone__sweep_candidate(sweep, items[i]);
    if (!other) return;
    copy_failure(other, &built->evaluation);
    if (sweep->builds[number].succeeded) hone__sweep_copy_build(other, &sweep->builds[number]);
    hone__sweep_record(sweep, other);
    hone__candidate_free(other);
  }
}
