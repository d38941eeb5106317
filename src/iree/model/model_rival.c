/* Options that meet the result: those that looked faster than what was proved, and those that gain
 * too little for a base. Which of them is faster is decided by model_choice.c.
 */
#include "iree/model/model_options.h"

#include <math.h>
#include <stdlib.h>

static const double for_proof = 0.4; /* of what is left, before anything else is done */

/* ---- What becomes the result ---- */

/* In the place of others, if there are some. */
static void mark_option(struct hone_iree_tuned *tuned, size_t number)
{
  for (size_t i = 0; i < tuned->option_count; i++)
    if (tuned->options[i].is_used && i != number)
      hone__model_drop_option(tuned, i, "another is faster");
  tuned->options[number].is_used = true;
  hone__model_set(&tuned->options[number].why_not, "");
}

static void use_option(struct hone__model_tuning *tuning, size_t number, const char *why)
{
  struct hone_iree_tuned *tuned = tuning->tuned;

  mark_option(tuned, number);
  tuned->spec_speedup = tuned->spec_low = tuned->spec_high = NAN;
  tuning->option_words = hone__model_option_words(number);
  hone__model_drop_entries(tuning, why);
}

static void take_option_figures(struct hone_iree_tuned *tuned, size_t number)
{
  struct hone_iree_tuned_option *option = &tuned->options[number];

  option->time_ns = tuned->after_ns;
  option->speedup = tuned->speedup;
  option->low = tuned->low;
  option->high = tuned->high;
  option->verdict = tuned->verdict;
}

static void say_unproved(struct hone_iree_tuned *tuned, const struct hone_iree_tuned_option *option,
                         const struct hone__model_gain *proved)
{
  struct hone__text text = {0};

  hone__text_addf(&text,
                  "the model with these options looks %.2f times as fast as the baseline, but that "
                  "is not proved: try a larger --budget",
                  option->speedup);
  if (proved->is_proved)
    hone__text_addf(&text, "; without them, %.2f times as fast was proved", proved->speedup);
  free(tuned->sentence);
  tuned->sentence = hone__text_take(&text);
}

/* They are not proved to be faster, but nothing that is proved is as fast. */
static void use_unproved(struct hone__model_tuning *tuning, size_t number,
                         const struct hone__model_gain *proved)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  const struct hone_iree_tuned_option *option = &tuned->options[number];

  use_option(tuning, number, "options of the compiler look faster");
  say_unproved(tuned, option, proved);
  tuned->verdict = HONE_VERDICT_INCONCLUSIVE;
  tuned->after_ns = option->time_ns;
  tuned->speedup = option->speedup;
  tuned->low = option->low;
  tuned->high = option->high;
}

/* The figures of one that has been measured again. */
static void take_gain(struct hone_iree_tuned_option *option, const struct hone__model_bout *bout)
{
  const struct hone__model_gain *gain = &bout->gains[1];

  if (isnan(gain->speedup) || isnan(gain->low)) return;
  option->speedup = gain->speedup;
  option->low = gain->low;
  option->high = gain->high;
  option->time_ns = bout->times_ns[1];
}

static void drop_rival(struct hone__model_tuning *tuning, size_t number)
{
  hone__model_drop_option(tuning->tuned, number, hone__model_spec_is_faster);
  tuning->option_words = NULL;
}

/* What the contests have found stays, unless the options are faster. */
static void judge_rival(struct hone__model_tuning *tuning, const struct hone__model_bout *bout,
                        const struct hone__model_figures *before)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  size_t number = tuning->unproved - 1;
  struct hone__model_gain option = hone__model_gain_of_option(&tuned->options[number]),
                          result = hone__model_gain_of_figures(before);
  bool is_faster = bout->winner == 2
                       ? hone__model_choice_beside(&option, &bout->gains[1], &bout->gains[2])
                       : hone__model_choice_apart(&option, &result);

  if (bout->winner == 1) {
    take_option_figures(tuned, number);
    use_option(tuning, number, hone__model_tiled);
  } else if (is_faster && tuning->aside) {
    hone__model_restore(tuned, tuning->aside);
    use_option(tuning, number, hone__model_tiled);
  } else if (is_faster) {
    hone__model_restore(tuned, before);
    take_gain(&tuned->options[number], bout);
    use_unproved(tuning, number, &result);
  } else {
    if (bout->winner != 2) hone__model_restore(tuned, before);
    if (tuning->aside || bout->winner == 2) drop_rival(tuning, number);
  }
}

static hone_status meet_rival(struct hone__model_tuning *tuning, size_t base,
                              struct hone__model_bout *bout)
{
  struct hone__model_figures before = hone__model_figures_of(tuning->tuned);
  size_t number = tuning->unproved - 1, entries;
  bool is_needed;
  hone_status status = NULL;

  entries = hone__model_print_together(tuning, number, base, true, &bout->yaml);
  is_needed = !tuning->aside || entries;
  if (is_needed && hone__model_has_time(tuning, HONE__MODEL_TOGETHER)) {
    hone__model_title(tuning, "options that looked faster, once more");
    status = hone__model_compete(tuning, bout);
  }
  if (!status && !tuning->tuned->interrupted) judge_rival(tuning, bout, &before);
  hone__model_figures_release(&before);
  return status;
}

static bool is_at_base(const struct hone__model_tuning *tuning)
{
  return tuning->base && tuning->options == &tuning->base->tune;
}

/* The result may have a base, which then is a part of what the options meet. */
hone_status hone__model_meet_rival(struct hone__model_tuning *tuning, struct hone__model_bout *bout)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  size_t number = tuning->unproved - 1;
  struct hone__model_gain option = hone__model_gain_of_option(&tuned->options[number]),
                          result = hone__model_gain_of_result(tuned->verdict, tuned->speedup,
                                                              tuned->low, tuned->high);
  bool was_at_base = is_at_base(tuning);
  hone_status status;

  if (tuned->options[number].is_used && !tuning->aside) return NULL;
  if (!hone__model_choice_is_open(&option, &result)) {
    if (tuning->aside) drop_rival(tuning, number);
    return NULL;
  }
  if (was_at_base) hone__model_change_places(tuning);
  status =
      meet_rival(tuning, was_at_base ? hone__model_option_used(tuned) : HONE__MODEL_NO_BASE, bout);
  if (was_at_base && !tuned->options[number].is_used) hone__model_change_places(tuning);
  return status;
}

/* ---- Before the searches ---- */

static void judge_proof(struct hone__model_tuning *tuning, const struct hone__model_bout *bout,
                        const struct hone__model_figures *before)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  size_t number = tuning->unproved - 1;

  if (bout->winner) {
    take_option_figures(tuned, number);
    mark_option(tuned, number);
  } else {
    hone__model_restore(tuned, before);
    take_gain(&tuned->options[number], bout);
  }
  tuning->unproved = hone__model_choice_rival(tuned);
}

hone_status hone__model_prove_options(struct hone__model_tuning *tuning)
{
  struct hone__model_bout bout = hone__model_bout_open(for_proof);
  struct hone__model_figures before;
  struct hone__model_gain gain;
  hone_status status;

  if (!tuning->unproved) return NULL;
  gain = hone__model_gain_of_option(&tuning->tuned->options[tuning->unproved - 1]);
  if (!hone__model_gain_is_promising(&gain) || !hone__model_has_rest(tuning)) return NULL;
  before = hone__model_figures_of(tuning->tuned);
  hone__model_print_together(tuning, tuning->unproved - 1, HONE__MODEL_NO_BASE, false, &bout.yaml);
  hone__model_title(tuning, "options that look faster, once more");
  status = hone__model_compete(tuning, &bout);
  if (!status && !tuning->tuned->interrupted) judge_proof(tuning, &bout, &before);
  hone__model_figures_release(&before);
  hone__text_release(&bout.yaml);
  return status;
}
