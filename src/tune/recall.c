/* Known evaluations: of earlier runs in the store, and of an equal object in this run. */
#include "tune/tuning.h"

#include "base/time_bounds.h"
#include "session/built.h"
#include "session/kept_output.h"
#include "tune/objectives.h"

/* Older versions stored any number a program printed. One without a time is slow, or was only
 * built. */
static bool has_good_time(const struct hone__evaluation *old)
{
  return !hone__outcome_works(old->outcome) || isnan(old->time_ns) || hone__is_time(old->time_ns);
}

/* A measure key covers the device's fingerprint: it must match one of this session's devices. */
static bool is_ours(struct hone__candidate *candidate, const struct hone__evaluation *old)
{
  const struct hone__tuning *tuning = hone__tuning_of(candidate);
  bool ours = false;

  if (!old->object || !old->measure_key || strlen(old->object) >= sizeof candidate->object)
    return false;
  if (!has_good_time(old)) return false;
  snprintf(candidate->object, sizeof candidate->object, "%s", old->object);
  for (size_t i = 0; i < tuning->session.workers.site_count && !ours; i++) {
    if (!tuning->session.workers.sites[i].usable) continue;
    hone__tuning_candidate_set_site(candidate, i);
    ours = strcmp(candidate->measure_key, old->measure_key) == 0;
  }
  candidate->evaluation.measure_key = NULL;
  return ours;
}

bool hone__tuning_candidate_holds_here(struct hone__candidate *candidate,
                                       const struct hone__evaluation *old)
{
  return !old->measure_key || is_ours(candidate, old);
}

/* ---- Of other runs, and of equal objects ---- */

struct recall {
  struct hone__candidate *candidate;
  bool found;
};

static const char *keep(struct hone__candidate *candidate, const char *text)
{
  return text ? hone__arena_strdup(&candidate->texts, text) : NULL;
}

static void copy_outcome(struct hone__candidate *candidate, const struct hone__evaluation *from)
{
  struct hone__evaluation *to = &candidate->evaluation;

  to->outcome = from->outcome;
  to->evidence = keep(candidate, from->evidence ? from->evidence : "");
  to->device = keep(candidate, from->device);
  to->measure_key = keep(candidate, from->measure_key);
  to->object = keep(candidate, from->object);
  to->time_ns = from->time_ns;
  to->baseline_ns = from->baseline_ns;
  to->cold_ns = from->cold_ns;
  to->cap_ns = from->cap_ns;
  to->suspicious = keep(candidate, from->suspicious);
  if (!to->deps) to->deps = keep(candidate, from->deps);
  if (!to->warnings) to->warnings = keep(candidate, from->warnings);
  hone__candidate_copy_output(candidate, from->output);
  candidate->energy = hone__tuning_evaluation_energy(from);
}

/* The same build under other constraints: applies them to its stored costs. */
static void apply_constraints(struct hone__candidate *candidate)
{
  struct hone__evaluation *evaluation = &candidate->evaluation;
  bool constrained = candidate->session->problem.task.spec->built_count > 0;
  struct hone__kept_output output;
  struct hone__text why = {0};

  if (!constrained || !evaluation->output) return;
  hone__kept_output_read(evaluation->output, &output);
  if (!hone__built_allows(candidate, output.costs, output.costs_count, &why)) {
    evaluation->outcome = HONE_OUTCOME_INVALID;
    evaluation->evidence = keep(candidate, why.data);
    evaluation->time_ns = evaluation->baseline_ns = evaluation->cold_ns = NAN;
    evaluation->measure_key = NULL;
  }
  hone__text_release(&why);
  hone__kept_output_release(&output);
}

/* The host's filter is asked about a known build too. */
static void apply_filter(struct hone__candidate *candidate)
{
  const struct hone__evaluation *evaluation = &candidate->evaluation;
  struct hone__kept_output output = {0};

  if (!candidate->session->stages.own.filter || !hone__outcome_works(evaluation->outcome)) return;
  if (evaluation->output) hone__kept_output_read(evaluation->output, &output);
  hone__candidate_admit(candidate, HONE_STAGE_BUILD, output.costs, output.costs_count);
  if (evaluation->output) hone__kept_output_release(&output);
}

static bool visit_by_key(void *data, const struct hone__evaluation *old)
{
  struct recall *recall = data;
  struct hone__candidate *candidate = recall->candidate;

  if (!is_ours(candidate, old)) return true;
  if (!hone__session_deps_are_current(candidate->session, old->deps)) return true;
  copy_outcome(candidate, old);
  apply_constraints(candidate);
  apply_filter(candidate);
  candidate->evaluation.reused_from = old->reused_from ? old->reused_from : old->id;
  recall->found = true;
  return false;
}

bool hone__tuning_candidate_known_by_key(struct hone__candidate *candidate)
{
  struct hone__tuning *tuning = hone__tuning_of(candidate);
  struct recall recall = {.candidate = candidate};

  if (!tuning->session.entry.may_reuse) return false;
  hone__control_fail(&tuning->session.control,
                     hone__store_by_candidate_key(tuning->session.entry.store,
                                                  candidate->evaluation.candidate_key, visit_by_key,
                                                  &recall));
  return recall.found;
}

static bool visit_by_object(void *data, const struct hone__evaluation *old)
{
  struct recall *recall = data;
  struct hone__candidate *candidate = recall->candidate;
  int64_t id = 0;
  bool is_ours =
      hone__key_map_find(&hone__tuning_of(candidate)->known.objects, candidate->measure_key, &id);

  if (is_ours ? id != old->id : !candidate->session->entry.may_reuse) return true;
  if (!has_good_time(old)) return true;
  copy_outcome(candidate, old);
  if (is_ours)
    candidate->evaluation.same_as = old->id;
  else
    candidate->evaluation.reused_from = old->id;
  recall->found = true;
  return false;
}

bool hone__tuning_candidate_known_by_object(struct hone__candidate *candidate, size_t site)
{
  struct hone__tuning *tuning = hone__tuning_of(candidate);
  struct recall recall = {.candidate = candidate};

  hone__tuning_candidate_set_site(candidate, site);
  hone__control_fail(&tuning->session.control,
                     hone__store_by_measure_key(tuning->session.entry.store, candidate->measure_key,
                                                visit_by_object, &recall));
  return recall.found;
}
