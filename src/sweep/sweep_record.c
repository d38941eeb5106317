/* What becomes of the instances of a sweep goes into the store, and a person is told. */
#include "sweep/sweep.h"

#include "session/suspicion.h"

struct hone__sweep_build *hone__sweep_build_of(struct hone_sweep *sweep, uint32_t instance)
{
  return &sweep->builds[sweep->owner[instance]];
}

/* What its program wrote; lent, NULL: nothing. */
static const char *output_of(struct hone__candidate *candidate)
{
  const char *text = candidate->evaluation.output;
  json_t *output = text ? json_loads(text, 0, NULL) : NULL;
  const char *out = json_string_value(json_object_get(output, "stdout"));
  const char *err = json_string_value(json_object_get(output, "stderr"));
  const char *said = NULL;

  if (out || err)
    said = hone__arena_printf(&candidate->texts, "%s%s", out ? out : "", err ? err : "");
  json_decref(output);
  return said;
}

static void put(struct hone__candidate *candidate)
{
  if (!hone__candidate_put(candidate)) return;
  hone__candidate_tell_suspicion(candidate);
  hone__session_count(candidate->session, &candidate->evaluation);
  hone__candidate_tell_outcome(candidate, output_of(candidate));
  hone__session_progress(candidate->session, false);
}

void hone__sweep_record(struct hone_sweep *sweep, struct hone__candidate *candidate)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone__sweep_build *build = hone__sweep_build_of(sweep, (uint32_t)evaluation->mesh_idx);

  if (evaluation->outcome == HONE__OUTCOME_INTERRUPTED) return;
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

/* The builder's words, for another instance of the same build. */
static void copy_failure(struct hone__candidate *to, const struct hone__evaluation *from)
{
  json_t *output = from->output ? json_loads(from->output, 0, NULL) : NULL;
  json_t *said = json_object_get(output, "build_output");
  json_t *head = said ? json_pack("{s:O}", "output", said) : NULL;

  to->evaluation.outcome = from->outcome;
  to->evaluation.evidence = hone__arena_strdup(&to->texts, from->evidence);
  to->evaluation.tries = from->tries;
  if (from->deps) to->evaluation.deps = hone__arena_strdup(&to->texts, from->deps);
  hone__candidate_output(to, NULL, head);
  json_decref(head);
  json_decref(output);
}

void hone__sweep_record_group(struct hone_sweep *sweep, uint32_t number,
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
