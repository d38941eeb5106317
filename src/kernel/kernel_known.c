/* What a run of the store says about a problem today. It holds if the winner is legal, and if
 * neither it nor the baseline was changed: their descriptions are parts of keys, and the files that
 * they include are compared. */
#include "kernel/kernel_known.h"

#include "store/stored.h"

#include <stdlib.h>

struct check {
  struct hone__session *session;
  const char *winner;     /* NULL: the baseline was not beaten */
  const char *winner_key; /* of the candidate today */
  bool found, holds;
  bool is_suspicious; /* the winner's time is implausible: it proves nothing */
};

/* False stops the reading. */
static bool check_evaluation(void *data, const struct hone__evaluation *old)
{
  struct check *check = data;
  bool is_winner = check->winner && strcmp(old->config, check->winner) == 0;

  if (!is_winner && !old->is_baseline) return true;
  check->found = check->found || is_winner;
  check->is_suspicious = check->is_suspicious || (is_winner && old->suspicious);
  if (is_winner && (!old->candidate_key || strcmp(old->candidate_key, check->winner_key) != 0))
    check->holds = false;
  if (old->deps && !hone__session_deps_are_current(check->session, old->deps)) check->holds = false;
  return check->holds;
}

static hone_status check_evaluations(struct hone_store *store, int64_t run, struct check *check)
{
  hone_status status = hone__store_evaluations(store, run, check_evaluation, check);

  check->holds = check->holds && (check->found || !check->winner);
  return status;
}

/* NULL: it is not legal, or no longer there. */
static struct hone__candidate *make_winner(struct hone__session *session, const char *config)
{
  const struct hone_space *space = session->problem.space;
  uint32_t *row = hone__alloc(hone_space_width(space) * sizeof *row);
  struct hone__candidate *candidate = NULL;
  hone_status status = hone_space_parse(space, config, row);

  if (!status && hone_space_contains(space, row))
    status = hone__candidate_new(session, row, &candidate);
  hone_status_free(status);
  free(row);
  return candidate;
}

hone_status hone__handle_read_run(struct hone__session *session, struct hone_store *store,
                                  int64_t run, struct hone__handle_choice *out_choice,
                                  bool *out_holds)
{
  struct hone__arena arena = {0};
  struct hone__store_run_stored stored;
  struct hone__candidate *candidate = NULL;
  struct check check = {.session = session, .holds = true};
  hone_status status = hone__store_run(store, run, &arena, &stored);

  *out_holds = false;
  if (!status && stored.result.verdict == HONE_VERDICT_IMPROVED) {
    check.winner = stored.result.winner ? stored.result.winner : "";
    candidate = make_winner(session, check.winner);
    check.winner_key = candidate ? candidate->head.key : NULL;
    check.holds = check.winner_key != NULL;
  }
  if (!status && check.holds) status = check_evaluations(store, run, &check);
  if (!status && check.holds) {
    bool is_proved = check.winner && !check.is_suspicious;

    *out_holds = true;
    *out_choice = (struct hone__handle_choice){
        .config = is_proved ? hone__strdup(check.winner) : NULL,
        .origin = HONE_KERNEL_FROM_STORE,
        .verdict = check.is_suspicious ? HONE_VERDICT_INCONCLUSIVE : stored.result.verdict,
        .run = run,
        .speedup = is_proved ? stored.result.speedup : NAN};
  }
  hone__candidate_free(candidate);
  hone__arena_release(&arena);
  return status;
}

hone_status hone__handle_known(struct hone__session *session, struct hone_store *store,
                               struct hone__handle_choice *out_choice, bool *out_holds)
{
  int64_t run = 0;
  hone_status status = hone__store_run_of_problem(store, session->entry.run.problem_key, &run);

  *out_holds = false;
  if (status || !run) return status;
  return hone__handle_read_run(session, store, run, out_choice, out_holds);
}
