/* Equal operations are one: dispatches whose operations the same matcher matches have one entry.
 * The first of them, which takes the most time, is searched for all; its share is theirs together.
 */
#include "iree/model/model_tune.h"

#include <math.h>
#include <stdlib.h>

static size_t find_first(const struct hone__model_tuning *tuning, size_t number)
{
  const struct hone__model_dispatch *list = tuning->state->dispatches;

  for (size_t i = 0; i < number; i++)
    if (!*list[i].why_not && list[i].matcher && *list[i].matcher &&
        strcmp(list[i].matcher, list[number].matcher) == 0)
      return i;
  return number;
}

/* "before NAME after" */
static void say(struct hone_iree_tuned_dispatch *dispatch, const char *before,
                const struct hone_iree_tuned_dispatch *first, const char *after)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "%s %s%s", before, first->executable, after);
  free(dispatch->why_not);
  dispatch->why_not = hone__text_take(&text);
}

static double work_of(const struct hone__model_dispatch *dispatch)
{
  return isnan(dispatch->flops) ? 0
                                : dispatch->flops * (double)(dispatch->calls ? dispatch->calls : 1);
}

/* Of the time; if that is not known, of the arithmetic operations; NaN: neither is known. */
static double share_of(const struct hone__model_tuning *tuning, size_t number)
{
  const struct hone__model_state *state = tuning->state;
  double sum = 0;

  if (!isnan(state->dispatches[number].share)) return state->dispatches[number].share;
  for (size_t i = 0; i < state->dispatches_count; i++) {
    if (!isnan(state->dispatches[i].share)) return NAN;
    sum += work_of(&state->dispatches[i]);
  }
  return sum > 0 ? work_of(&state->dispatches[number]) / sum : NAN;
}

void hone__model_group(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned_dispatch *dispatches = tuning->tuned->dispatches;

  for (size_t i = 0; i < tuning->tuned->count; i++) {
    const char *matcher = tuning->state->dispatches[i].matcher;
    size_t first = i;
    dispatches[i].group_share = share_of(tuning, i);
    dispatches[i].group_size = 1;
    if (matcher && !*dispatches[i].why_not) first = find_first(tuning, i);
    if (first == i) continue;
    dispatches[i].same_as = first + 1;
    dispatches[first].group_share += dispatches[i].group_share;
    dispatches[first].group_size++;
    say(&dispatches[i], "its operation equals that of", &dispatches[first], "");
  }
}

void hone__model_share_entries(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned_dispatch *dispatches = tuning->tuned->dispatches;

  for (size_t i = 0; i < tuning->tuned->count; i++) {
    const struct hone_iree_tuned_dispatch *first;
    if (!dispatches[i].same_as) continue;
    first = &dispatches[dispatches[i].same_as - 1];
    if (first->is_used) {
      say(&dispatches[i], "it has the entry of", first, ": their operations are equal");
    } else {
      struct hone__text why = {0};
      hone__text_addf(&why, ": %s", first->why_not);
      say(&dispatches[i], "as", first, why.data);
      hone__text_release(&why);
    }
  }
}
