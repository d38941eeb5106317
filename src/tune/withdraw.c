/* Removes a candidate from the ranking, with all that have the same object. */
#include "tune/withdraw.h"

#include "tune/ranking.h"

#include <stdlib.h>

static void fail_double(struct hone__tuning *tuning, const struct hone__ranked *ranked,
                        const struct hone__candidate *failed)
{
  struct hone__candidate *candidate = NULL;
  struct hone__evaluation *evaluation;

  hone__control_fail(&tuning->session.control,
                     hone__candidate_new(&tuning->session, ranked->row, &candidate));
  if (!candidate) return;
  evaluation = &candidate->evaluation;
  snprintf(candidate->object, sizeof candidate->object, "%s", failed->object);
  evaluation->object = candidate->object;
  evaluation->measure_key = ranked->key;
  evaluation->device = failed->evaluation.device;
  evaluation->outcome = failed->evaluation.outcome;
  evaluation->same_as = failed->evaluation.id;
  evaluation->evidence = hone__arena_printf(&candidate->texts, "the same object as %s: %s",
                                            failed->config, failed->evaluation.evidence);
  hone__tuning_candidate_record_failure(candidate);
  hone__candidate_free(candidate);
}

void hone__tuning_withdraw(struct hone__tuning *tuning, struct hone__candidate *candidate,
                           int64_t evaluation)
{
  const struct hone__ranked *own = hone__ranking_find(tuning, evaluation);
  char key[HONE__DIGEST_SIZE] = "";

  if (own) memcpy(key, own->key, sizeof key);
  hone__tuning_candidate_record_failure(candidate);
  hone__ranking_remove(tuning, evaluation);
  for (size_t i = tuning->ranking.count; *key && i-- > 0;) {
    struct hone__ranked ranked = tuning->ranking.entries[i];
    if (strcmp(ranked.key, key) != 0) continue;
    fail_double(tuning, &ranked, candidate);
    hone__ranking_remove(tuning, ranked.evaluation);
  }
  hone__tuning_find_best(tuning);
}
