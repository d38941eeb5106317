#include "base/names.h"

#include <string.h>

#define NAME(id, name) name,
static const char *const verdicts[] = {HONE_VERDICTS(NAME)};
static const char *const run_states[] = {HONE_RUN_STATES(NAME)};
static const char *const failure_types[] = {HONE_FAILURE_TYPES(NAME)};
static const char *const phases[] = {HONE_PHASES(NAME)};
#undef NAME

enum {
  VERDICT_COUNT = sizeof verdicts / sizeof *verdicts,
  RUN_STATE_COUNT = sizeof run_states / sizeof *run_states,
  FAILURE_TYPE_COUNT = sizeof failure_types / sizeof *failure_types,
  PHASE_COUNT = sizeof phases / sizeof *phases
};

/* A value that a caller made up has no name. */
static const char *name_of(const char *const *names, size_t count, size_t value)
{
  return value < count ? names[value] : "";
}

/* `count`: none has this name. */
static size_t find(const char *const *names, size_t count, const char *name)
{
  size_t i = 0;

  while (i < count && strcmp(names[i], name) != 0)
    i++;
  return i;
}

const char *hone_verdict_name(enum hone_verdict verdict)
{
  return name_of(verdicts, VERDICT_COUNT, verdict);
}

const char *hone_run_state_name(enum hone_run_state state)
{
  return name_of(run_states, RUN_STATE_COUNT, state);
}

const char *hone_failure_type_name(enum hone_failure_type type)
{
  return name_of(failure_types, FAILURE_TYPE_COUNT, type);
}

const char *hone__phase_name(enum hone_phase phase)
{
  return name_of(phases, PHASE_COUNT, phase);
}

bool hone__verdict_parse(const char *name, enum hone_verdict *out_verdict)
{
  size_t found = find(verdicts, VERDICT_COUNT, name ? name : "");

  if (found == VERDICT_COUNT) return false;
  *out_verdict = (enum hone_verdict)found;
  return true;
}

bool hone__state_parse(const char *name, enum hone_run_state *out_state)
{
  size_t found = name && *name ? find(run_states, RUN_STATE_COUNT, name) : RUN_STATE_COUNT;

  if (found == RUN_STATE_COUNT) return false;
  *out_state = (enum hone_run_state)found;
  return true;
}

enum hone_phase hone__phase_parse(const char *name)
{
  size_t found = find(phases, PHASE_COUNT, name ? name : "");

  return found == PHASE_COUNT ? HONE_PHASE_NONE : (enum hone_phase)found;
}

bool hone__is_sweep(const char *strategy)
{
  return strategy && (strcmp(strategy, HONE__STRATEGY_OF_SWEEPS) == 0 ||
                      strcmp(strategy, HONE__STRATEGY_OF_IMPORTS) == 0);
}
