/* The output of a sweep, in the format of kbench, which scripts read. */
#include "sweep/sweep.h"

size_t hone__sweep_finished(const struct hone__sweep *sweep)
{
  size_t sum = 0;

  for (size_t i = 0; i < HONE_OUTCOME_COUNT; i++)
    sum += sweep->outcomes[i];
  return sum;
}

void hone__sweep_progress(struct hone__sweep *sweep, bool now)
{
  struct hone_event *p = &sweep->session.progress.event;

  p->done = sweep->running ? hone__sweep_finished(sweep) : sweep->builds_ok + sweep->builds_failed;
  p->total = sweep->running ? sweep->count : sweep->build_count;
  hone__session_progress(&sweep->session, now);
}

void hone__sweep_report_scheduled(struct hone__sweep *sweep)
{
  hone__session_say(&sweep->session, HONE_EVENT_NOTE, "scheduled %zu unique build items out of %zu",
                    sweep->build_count, sweep->count - sweep->known);
}

void hone__sweep_report_built(struct hone__sweep *sweep)
{
  struct hone__session *session = &sweep->session;
  struct hone__text failed = {0};

  hone__session_say(session, HONE_EVENT_NOTE, "finished building %zu unique items",
                    sweep->build_count);
  if (sweep->builds_failed) hone__text_addf(&failed, ", %zu failed", sweep->builds_failed);
  hone__session_say(session, HONE_EVENT_NOTE, "Build summary: %zu succeeded%s (%zu unique items)",
                    sweep->builds_ok, failed.data ? failed.data : "", sweep->build_count);
  hone__text_release(&failed);
}

/* ---- The end ---- */

enum summary_group { CRASHED, SUCCEEDED, TIMED_OUT, SILENT, WRONG, LOST, NOT_BUILT, GROUP_COUNT };

/* An outcome not listed here is a crash. */
static const enum summary_group groups[HONE_OUTCOME_COUNT] = {
    [HONE_OUTCOME_OK] = SUCCEEDED,
    [HONE_OUTCOME_SLOW] = SUCCEEDED,
    [HONE_OUTCOME_COMPILE_ERROR] = NOT_BUILT,
    [HONE_OUTCOME_COMPILE_TIMEOUT] = NOT_BUILT,
    [HONE_OUTCOME_COMPILE_CRASH] = NOT_BUILT,
    [HONE_OUTCOME_COMPILE_OOM] = NOT_BUILT,
    [HONE_OUTCOME_NOT_APPLIED] = NOT_BUILT,
    [HONE_OUTCOME_NOT_BUILT] = NOT_BUILT,
    [HONE_OUTCOME_NO_RESULT] = SILENT,
    [HONE_OUTCOME_BAD_RESULT] = SILENT,
    [HONE_OUTCOME_WRONG_RESULT] = WRONG,
    [HONE_OUTCOME_NONDETERMINISTIC] = WRONG,
    [HONE_OUTCOME_HANG] = TIMED_OUT,
    [HONE_OUTCOME_WORKER_LOST] = LOST,
    [HONE_OUTCOME_DEVICE_BAD] = LOST,
    [HONE_OUTCOME_DISK_FULL] = LOST,
};

static const struct {
  enum summary_group summary_group;
  const char *words;
} summary[GROUP_COUNT] = {
    {SUCCEEDED, "succeeded"},       {CRASHED, "crashed"},           {TIMED_OUT, "timed out"},
    {SILENT, "gave no time"},       {WRONG, "gave a wrong result"}, {LOST, "lost with a worker"},
    {NOT_BUILT, "failed to build"},
};

void hone__sweep_report_done(struct hone__sweep *sweep)
{
  struct hone__session *session = &sweep->session;
  size_t counts[GROUP_COUNT] = {0};
  struct hone__text text = {0};

  if (session->settings.options->stop_after == HONE_STAGE_BUILD) return;
  for (size_t i = 0; i < HONE_OUTCOME_COUNT; i++)
    counts[groups[i]] += sweep->outcomes[i];
  for (size_t i = 0; i < GROUP_COUNT; i++)
    if (counts[summary[i].summary_group] || i == 0)
      hone__text_addf(&text, "%s%zu %s", i ? ", " : "", counts[summary[i].summary_group],
                      summary[i].words);
  hone__session_say(session, HONE_EVENT_NOTE, "Execution summary: %s (%zu total)", text.data,
                    hone__sweep_finished(sweep));
  hone__text_release(&text);
}
