/* A queue of answers, in the order of the search. */
#include "tune/held_answers.h"

#include "base/memory.h"
#include "search/search_set.h"
#include "tune/objectives.h"

#include <stdlib.h>

struct hone__held_answer {
  uint64_t number; /* of the candidate */
  uint32_t *row;
  struct hone__observation observation;
  double costs[HONE__MOST_SEARCHES];
  double ratio, time_ns; /* for a complete and plausible measurement; otherwise INFINITY */
  bool is_rejected;      /* by the host: patience does not count it */
  size_t site;           /* where the candidate was timed, or HONE__NO_SITE */
  struct hone__reading reading;
};

static void pass(struct hone__tuning *tuning, const struct hone__held_answer *answer)
{
  if (!answer->is_rejected)
    hone__patience_note(&tuning->search.patience, answer->costs,
                        hone__objectives_search_count(&tuning->session.objectives));
  hone__search_set_tell(tuning->search.set, answer->row, &answer->observation, answer->costs);
  tuning->search.passed_ratio = fmin(tuning->search.passed_ratio, answer->ratio);
  tuning->search.passed_ns = fmin(tuning->search.passed_ns, answer->time_ns);
  if (answer->site != HONE__NO_SITE)
    tuning->session.workers.sites[answer->site].passed = answer->reading;
}

static void keep(struct hone__held_answers *answers, const struct hone__held_answer *answer,
                 size_t width)
{
  struct hone__held_answer *kept;

  HONE__ASSERT(!answers->count || answers->items[answers->count - 1].number < answer->number);
  HONE__GROW(answers->items, answers->count, answers->capacity);
  kept = &answers->items[answers->count++];
  *kept = *answer;
  kept->row = hone__alloc(width * sizeof *kept->row);
  memcpy(kept->row, answer->row, width * sizeof *kept->row);
}

/* Only a budget in seconds is measured in time: with any other budget the search must not depend on
 * the clock. */
static double share_of_budget(const struct hone__tuning *tuning,
                              const struct hone__candidate *candidate)
{
  if (!candidate || !(tuning->session.settings.budget_s > 0)) return NAN;
  return hone__tuning_candidate_seconds(candidate) / tuning->session.settings.budget_s;
}

void hone__tuning_tell(struct hone__tuning *tuning, const uint32_t *row,
                       const struct hone__evaluation *evaluation,
                       const struct hone__candidate *candidate)
{
  struct hone__held_answer answer = {
      .row = (uint32_t *)row,
      .observation = {.outcome = evaluation->outcome, .share = share_of_budget(tuning, candidate)},
      .ratio = INFINITY,
      .time_ns = INFINITY,
      .site = HONE__NO_SITE};

  if (!tuning->search.set) return;
  hone__tuning_objectives_costs(tuning, row, evaluation, answer.costs);
  if (evaluation->outcome == HONE_OUTCOME_OK && !evaluation->suspicious) {
    answer.ratio = hone__session_cost_ratio(&tuning->session, row, evaluation->time_ns,
                                            evaluation->baseline_ns);
    if (isfinite(answer.ratio)) answer.time_ns = evaluation->time_ns;
  }
  if (candidate) {
    answer.number = candidate->number;
    answer.is_rejected = candidate->rejection != NULL;
    answer.site = candidate->site;
    answer.reading = candidate->reading;
  }
  if (tuning->search.held.are_held && candidate)
    keep(&tuning->search.held, &answer, hone_space_width(tuning->session.problem.task.space));
  else
    pass(tuning, &answer);
}

void hone__held_answers_hold(struct hone__tuning *tuning)
{
  tuning->search.held = (struct hone__held_answers){.are_held = true};
}

void hone__held_answers_pass(struct hone__tuning *tuning, uint64_t number)
{
  struct hone__held_answers *answers = &tuning->search.held;
  size_t count = 0;

  for (; count < answers->count && answers->items[count].number < number; count++) {
    pass(tuning, &answers->items[count]);
    free(answers->items[count].row);
  }
  if (!count) return;
  answers->count -= count;
  memmove(answers->items, answers->items + count, answers->count * sizeof *answers->items);
}

void hone__held_answers_release(struct hone__tuning *tuning)
{
  hone__held_answers_pass(tuning, UINT64_MAX);
  free(tuning->search.held.items);
  tuning->search.held = (struct hone__held_answers){0};
}
