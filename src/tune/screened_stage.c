#include "tune/screened_stage.h"

#include "tune/ranking.h"

static bool admit(struct hone__tuning *tuning, struct hone__ranked *ranked)
{
  struct hone__stages *stages = &tuning->session.stages;
  const struct hone__stage_subject subject = {.row = ranked->row,
                                              .config = ranked->config,
                                              .time_ns = ranked->time_ns,
                                              .baseline_ns = ranked->baseline_ns};
  struct hone__text why = {0};
  bool is_admitted = hone__stages_admit(stages, HONE_STAGE_SCREEN, &subject, &why);

  if (is_admitted)
    ranked->host_rank = hone__stages_rank(stages, HONE_STAGE_SCREEN, &subject);
  else
    hone__session_log(&tuning->session, "%s is not a finalist: %s", ranked->config, why.data);
  hone__text_release(&why);
  return is_admitted;
}

void hone__screened_stage(struct hone__tuning *tuning)
{
  struct hone__ranking *ranking = &tuning->ranking;
  size_t kept = 0;

  for (size_t i = 0; i < ranking->count; i++)
    if (admit(tuning, &ranking->entries[i])) ranking->entries[kept++] = ranking->entries[i];
  ranking->count = kept;
}

static void note(struct hone__tuning *tuning, uint64_t count, const char *when)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "the host's filter rejected %llu candidate%s %s",
                  (unsigned long long)count, count == 1 ? "" : "s", when);
  hone__session_say(&tuning->session, HONE_EVENT_NOTE, "%s", text.data);
  hone__words_add(&tuning->session.entry.notes, text.data);
  hone__text_release(&text);
}

void hone__screened_stage_note(struct hone__tuning *tuning)
{
  static const char *const when[HONE__STAGES] = {[HONE_STAGE_GENERATE] = "before they were built",
                                                 [HONE_STAGE_BUILD] = "after they were built",
                                                 [HONE_STAGE_SCREEN] = "before the confirmation"};
  const struct hone__stages *stages = &tuning->session.stages;

  for (size_t i = HONE_STAGE_GENERATE; i < HONE__STAGES; i++) {
    bool is_told = i == HONE_STAGE_GENERATE && *stages->selection; /* with what the rank kept */
    if (stages->rejected[i] && !is_told) note(tuning, stages->rejected[i], when[i]);
  }
}

bool hone__screened_stage_took_all(const struct hone__tuning *tuning)
{
  const uint64_t *rejected = tuning->session.stages.rejected;
  uint64_t built = rejected[HONE_STAGE_BUILD] + rejected[HONE_STAGE_SCREEN];

  if (!*tuning->session.stages.selection) built += rejected[HONE_STAGE_GENERATE];
  return built && !tuning->ranking.count;
}
