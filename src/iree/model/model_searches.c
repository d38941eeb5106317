/* The searches of all dispatches that matter, each with a part of the budget. What takes little of
 * the time is searched, too, if it takes more of it when others are faster.
 */
#include "iree/model/model_tune.h"

#include "base/names.h"

#include <math.h>
#include <stdlib.h>

static const double least_budget_s = 5;
static const double for_first = 0.75;  /* of the time, if others may follow */
static const double for_similar = 0.2; /* of the share that others need */

/* ---- Parts of the budget ---- */

static double weight(const struct hone_iree_tuned_dispatch *dispatch)
{
  return dispatch->is_tuned ? isnan(dispatch->group_share) ? 1 : dispatch->group_share : 0;
}

/* Of all that are not searched yet. */
static double share_of_rest(const struct hone__model_tuning *tuning, size_t number)
{
  const struct hone_iree_tuned *tuned = tuning->tuned;
  bool has_later = false;
  double sum = 0;

  for (size_t i = 0; i < tuned->count; i++) {
    if (!tuned->dispatches[i].is_searched) sum += weight(&tuned->dispatches[i]);
    has_later |= tuned->dispatches[i].is_later;
  }
  return (has_later ? for_first : 1) * weight(&tuned->dispatches[number]) / sum;
}

/* What its run is known by: a part of the budget, however much time is left. */
static double budget_of(const struct hone__model_tuning *tuning, size_t number)
{
  const struct hone_iree_tuned *tuned = tuning->tuned;
  double given = hone__model_budget(tuning), sum = 0;

  if (!given) return 0; /* so many, however long it takes */
  for (size_t i = 0; i < tuned->count; i++)
    sum += weight(&tuned->dispatches[i]);
  return fmax(round(given * weight(&tuned->dispatches[number]) / sum), least_budget_s);
}

/* ---- One dispatch ---- */

static void take_found(struct hone_iree_tuned_dispatch *dispatch,
                       const struct hone__model_found *found)
{
  dispatch->before_ns = found->before_ns;
  dispatch->after_ns = found->after_ns;
  dispatch->speedup = found->speedup;
  dispatch->low = found->low;
  dispatch->high = found->high;
  if (!hone__verdict_parse(found->verdict, &dispatch->verdict))
    dispatch->verdict = HONE_VERDICT_NONE; /* a file that was changed */
  if (!*dispatch->operation) hone__model_set(&dispatch->operation, found->operation);
}

/* Operations of the same matcher have one configuration: that of the first, which takes most time.
 */
static bool is_double(const struct hone__model_tuning *tuning, size_t number)
{
  const char *matcher = tuning->found[number]->matcher;

  for (size_t i = 0; i < number; i++)
    if (tuning->found[i] && strcmp(tuning->found[i]->matcher, matcher) == 0) return true;
  return false;
}

static void drop(struct hone__model_tuning *tuning, size_t number, const char *why)
{
  hone__model_set(&tuning->tuned->dispatches[number].why_not, why);
  tuning->found[number] = NULL;
}

/* A dispatch that cannot be tuned does not stop the others. Nor does one that cannot be measured,
 * if the model could be. */
static hone_status continue_after(struct hone__model_tuning *tuning, size_t number,
                                  hone_status status)
{
  bool is_its_own = hone_status_code(status) == HONE_INVALID_SPEC ||
                    (hone_status_code(status) == HONE_UNAVAILABLE && tuning->tuned->run);

  if (!is_its_own) return status;
  drop(tuning, number, hone_status_message(status));
  hone__model_note(tuning, "%s is not tuned: %s", tuning->tuned->dispatches[number].executable,
                   hone_status_message(status));
  hone_status_free(status);
  return NULL;
}

static hone_status search(struct hone__model_tuning *tuning, size_t number, size_t at, size_t all)
{
  struct hone_iree_tuned_dispatch *dispatch = &tuning->tuned->dispatches[number];
  struct hone__text title = {0};
  hone_status status;

  hone__text_addf(&title, "dispatch %zu of %zu: %s", at, all, dispatch->executable);
  if (!isnan(dispatch->share))
    hone__text_addf(&title, " (%.0f %% of the time", 100 * dispatch->group_share);
  if (!isnan(dispatch->share) && dispatch->group_size > 1)
    hone__text_addf(&title, " with %zu equal one%s", dispatch->group_size - 1,
                    dispatch->group_size == 2 ? "" : "s");
  if (!isnan(dispatch->share)) hone__text_add(&title, ")");
  status = hone__model_search(tuning, number, budget_of(tuning, number),
                              share_of_rest(tuning, number), title.data);
  if (status) status = continue_after(tuning, number, status);
  if (tuning->found[number]) {
    take_found(dispatch, tuning->found[number]);
    if (is_double(tuning, number))
      drop(tuning, number, "its operation equals that of an earlier dispatch and shares its entry");
  }
  hone__text_release(&title);
  return status;
}

/* ---- All of them ---- */

/* The time of the model with what was found, in parts of the time that it takes untuned. */
static double time_left(const struct hone__model_tuning *tuning)
{
  const struct hone_iree_tuned *tuned = tuning->tuned;
  double sum = 0;

  for (size_t i = 0; i < tuned->count; i++) {
    const struct hone_iree_tuned_dispatch *dispatch = &tuned->dispatches[i];
    const struct hone__model_found *found =
        tuning->found[dispatch->same_as ? dispatch->same_as - 1 : i];
    sum += found && found->speedup > 1 ? dispatch->share / found->speedup : dispatch->share;
  }
  return sum;
}

/* A few candidates suffice where those of another operation of its kind are tried first. */
static double least_share(struct hone__model_tuning *tuning, size_t number)
{
  double share = tuning->options->share;

  return hone__model_is_similar(tuning, number) ? for_similar * share : share;
}

/* What took little of the time takes more of it when others are faster. */
static void choose_later(struct hone__model_tuning *tuning)
{
  double left = time_left(tuning);

  for (size_t i = 0; i < tuning->tuned->count; i++) {
    struct hone_iree_tuned_dispatch *dispatch = &tuning->tuned->dispatches[i];
    if (!dispatch->is_later || dispatch->group_share < least_share(tuning, i) * left) continue;
    dispatch->is_later = false;
    dispatch->is_tuned = true;
    hone__model_set(&dispatch->why_not, "");
  }
}

static size_t count_tuned(const struct hone_iree_tuned *tuned)
{
  size_t count = 0;

  for (size_t i = 0; i < tuned->count; i++)
    count += tuned->dispatches[i].is_tuned;
  return count;
}

/* The next that is not searched yet; `count`: none. */
static size_t next_of(const struct hone_iree_tuned *tuned)
{
  size_t i = 0;

  while (i < tuned->count && (!tuned->dispatches[i].is_tuned || tuned->dispatches[i].is_searched))
    i++;
  return i;
}

static hone_status search_each(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  hone_status status = NULL;
  size_t next, at = 0;

  while (!status && !tuned->interrupted && (next = next_of(tuned)) < tuned->count) {
    status = search(tuning, next, ++at, count_tuned(tuned));
    tuned->dispatches[next].is_searched = true;
    if (!status) choose_later(tuning);
  }
  return status;
}

/* What the options gained is the result. */
static void end_untunable(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned *tuned = tuning->tuned;

  hone__model_note(tuning, "no dispatch can be tuned: 'hone iree dispatches' shows why");
  if (tuned->verdict != HONE_VERDICT_NONE) return;
  tuned->verdict = HONE_VERDICT_INCONCLUSIVE;
  hone__model_set(&tuned->sentence, "no dispatch can be tuned, and the budget was spent before the "
                                    "compiler's options were tried: try a larger one");
}

hone_status hone__model_search_all(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  size_t all = count_tuned(tuned);

  if (!all && tuned->option_count) {
    end_untunable(tuning);
    return NULL;
  }
  if (!tuned->count)
    return hone__error(HONE_INVALID_SPEC,
                       "'%s' has no dispatches: nothing is computed when it is called",
                       tuning->path);
  if (!all)
    return hone__error(HONE_INVALID_SPEC,
                       "'%s' has no dispatch that can be tuned: 'hone iree dispatches' shows why",
                       tuning->path);
  return search_each(tuning);
}
