/* The backend for recordings: for tests, for trying strategies through the whole of a run, and for
 * showing one on a machine that lacks the device. */
#include "backend/sim/sim_backend.h"

static const char *const suffixes[] = {".json", ".gz", NULL};

/* The recording's digest is part of every key. */
static bool deps_are_current(const json_t *deps)
{
  (void)deps;
  return true;
}

/* Nothing that a person could paste. */
static hone_status build_command(const json_t *setup, const json_t *candidate,
                                 struct hone__text *out_command)
{
  (void)setup;
  (void)candidate;
  (void)out_command;
  return NULL;
}

static void explain_baseline(const struct hone__task *task, struct hone__text *out_text)
{
  if (task->baseline_given && !hone__task_setting(task, "baseline"))
    hone__text_add(out_text, "the baseline is the first configuration that worked when it was "
                             "recorded");
}

/* Building and running take turns, although neither disturbs the other: so that what a search is
 * told, and when, does not depend on who is faster. */
const struct hone__backend hone__backend_sim = {
    .name = "sim",
    .suffixes = suffixes,
    .describe = hone__sim_describe,
    .candidate = hone__sim_candidate,
    .deps_are_current = deps_are_current,
    .build_command = build_command,
    .explain_baseline = explain_baseline,
    .why_no_devices = "it has no devices: times come from a recording",
    .device_is_host = true,
    .build = hone__sim_build,
    .prepare = hone__sim_prepare,
    .run = hone__sim_run,
    .release = hone__sim_release,
};
