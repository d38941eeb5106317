/* Options and tuning spec against the plain compile: the last proof.
 *
 * With options as the base, both are measured together. Options that are a rival of the spec, and
 * options that looked faster at first but were not proved to be, compete with it: the fastest that
 * is proved is the result.
 */
#include "iree/model/model_options.h"

#include "hone_iree.h"

#include <math.h>
#include <stdlib.h>

static bool is_entry(const struct hone__model_tuning *tuning, size_t number)
{
  return tuning->tuned->dispatches[number].is_used && tuning->found[number] &&
         tuning->found[number]->used;
}

/* Value 1 has the options. Entries belong to it, or, against a rival, to value 2. The tuning is at
 * the plain model. */
static size_t print_together(const struct hone__model_tuning *tuning, size_t option, bool is_rival,
                             struct hone__text *yaml)
{
  int value = is_rival ? 2 : 1;
  size_t count = 0;

  hone__model_print_head(tuning, yaml);
  hone__text_add(yaml, "  variants: [{\"param\": \"o\", \"value\": 1, ");
  hone__model_option_flags(yaml, option);
  hone__text_add(yaml, "}]\n  entries: [");
  for (size_t i = 0; i < tuning->tuned->count; i++) {
    if (!is_entry(tuning, i)) continue;
    hone__text_addf(yaml, "%s{\"param\": \"o\", \"value\": %d", count++ ? ", " : "", value);
    hone__model_print_entry(tuning->found[i], tuning->found[i]->used, yaml);
  }
  hone__text_addf(yaml, "]\nparams: {o: [0, 1%s]}\nbaseline: {o: 0}\n",
                  value == 2 && count ? ", 2" : "");
  return count;
}

/* The contest in the model did not compare with the plain compile, or not with the options: they
 * alone are the result. */
static void restore(struct hone_iree_tuned *tuned, const struct hone__model_figures *kept)
{
  tuned->run = kept->run;
  tuned->verdict = kept->verdict;
  tuned->before_ns = kept->before_ns;
  tuned->after_ns = kept->after_ns;
  tuned->speedup = kept->speedup;
  tuned->low = kept->low;
  tuned->high = kept->high;
  hone__model_set(&tuned->sentence, kept->sentence);
}

/* There was no time to measure both against the plain model: each has been proved, the options over
 * the plain model and the spec over the options. */
static void multiply(struct hone_iree_tuned *tuned, const struct hone__model_figures *kept)
{
  struct hone__text sentence = {0};

  restore(tuned, kept);
  tuned->after_ns /= tuned->spec_speedup;
  tuned->speedup *= tuned->spec_speedup;
  tuned->low *= tuned->spec_low;
  tuned->high *= tuned->spec_high;
  hone__text_addf(
      &sentence,
      "the model with these options and the tuning spec is %.2f times as fast as the "
      "baseline: %.2f by the options, and %.2f over them by the tuning spec; no time was "
      "left to measure both together",
      tuned->speedup, kept->speedup, tuned->spec_speedup);
  free(tuned->sentence);
  tuned->sentence = hone__text_take(&sentence);
}

static void drop_entries(struct hone__model_tuning *tuning, const char *why)
{
  for (size_t i = 0; i < tuning->tuned->count; i++) {
    if (!is_entry(tuning, i)) continue;
    tuning->tuned->dispatches[i].is_used = false;
    hone__model_set(&tuning->tuned->dispatches[i].why_not, why);
  }
}

static const char tiled[] =
    "the compiler's own options are faster, and choose its tiles themselves";

/* The contest has found entries, but the model with the options is not faster with them. */
static bool is_useless(const struct hone__model_tuning *tuning)
{
  const struct hone_iree_tuned *tuned = tuning->tuned;

  return !tuning->base->is_rival && tuned->verdict != HONE_VERDICT_IMPROVED &&
         !(tuned->speedup > 1) && !tuning->options->tune->keep_slower;
}

/* Both together were not proved to be faster than the plain model. */
static void judge_unproved(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned *tuned = tuning->tuned;

  if (isnan(tuned->speedup) && tuned->spec_low > 1 && !tuning->base->is_unproved) {
    multiply(tuned, &tuning->base->kept);
  } else if (!tuning->options->tune->keep_slower) {
    restore(tuned, &tuning->base->kept);
    drop_entries(tuning, tiled);
  }
}

static void drop_option(struct hone_iree_tuned *tuned, size_t number)
{
  struct hone_iree_tuned_option *option = &tuned->options[number];

  option->is_used = false;
  hone__model_set(&option->why_not, "the tuning spec without it is faster");
}

/* Both were compared with the plain model; the tuning stays at it, or goes to the base. */
static void judge_alternatives(struct hone__model_tuning *tuning, size_t winner)
{
  if (winner == 2) {
    drop_option(tuning->tuned, hone__model_option_used(tuning->tuned));
    return;
  }
  drop_entries(tuning, tiled);
  if (winner != 1) restore(tuning->tuned, &tuning->base->kept);
  hone__model_change_places(tuning);
}

/* Options for tiles to be found, and no tiles: the plain model stays. */
static void abandon(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  struct hone_iree_tuned_option *option = &tuned->options[hone__model_option_used(tuned)];

  option->is_used = false;
  hone__model_set(&option->why_not, "no tiles were proved to be faster with it");
  drop_entries(tuning, "the model is not proved to be faster with it");
  tuning->base->is_abandoned = true;
}

/* What both were proved to gain decides: a spec takes the place of options only if it is certainly
 * faster, and both together are what each of them is. */
static size_t judge_without_time(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned *tuned = tuning->tuned;

  if (tuning->base->is_rival)
    return tuned->verdict == HONE_VERDICT_IMPROVED && tuned->low > tuning->base->kept.speedup ? 2
                                                                                              : 0;
  tuned->speedup = NAN;
  return 0;
}

static hone_status measure_together(struct hone__model_tuning *tuning,
                                    const struct hone__text *yaml, size_t *out_winner)
{
  if (!hone__model_has_time(tuning, HONE__MODEL_TOGETHER)) {
    *out_winner = judge_without_time(tuning);
    return NULL;
  }
  hone__model_title(tuning, tuning->base->is_rival ? "options against tuning spec"
                                                   : "options and tuning spec together");
  return hone__model_compete(tuning, "together.yaml", yaml, false, out_winner);
}

static hone_status compare_with_base(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  struct hone__text yaml = {0};
  hone_status status = NULL;
  size_t winner = 0, count;
  bool is_rival = tuning->base->is_rival;

  if (is_useless(tuning)) drop_entries(tuning, "the model is not faster with it");
  if (!is_rival) hone__model_change_places(tuning);
  count = print_together(tuning, hone__model_option_used(tuned), is_rival, &yaml);
  if (count) {
    if (!is_rival) {
      tuned->spec_speedup = tuned->speedup;
      tuned->spec_low = tuned->low;
      tuned->spec_high = tuned->high;
    }
    status = measure_together(tuning, &yaml, &winner);
  }
  if (is_rival && !status)
    judge_alternatives(tuning, winner);
  else if (!count)
    restore(tuned, &tuning->base->kept);
  else if (!status && !winner && !tuned->interrupted)
    judge_unproved(tuning);
  if (tuning->base->is_unproved && !winner && !tuning->options->tune->keep_slower)
    abandon(tuning);
  else if (!is_rival)
    hone__model_change_places(tuning);
  hone__text_release(&yaml);
  return status;
}

/* ---- Options that were not proved ---- */

static void use_option(struct hone__model_tuning *tuning, size_t number)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  struct hone_iree_tuned_option *option = &tuned->options[number];

  option->is_used = true;
  option->time_ns = tuned->after_ns;
  option->speedup = tuned->speedup;
  option->low = tuned->low;
  option->high = tuned->high;
  option->verdict = tuned->verdict;
  hone__model_set(&option->why_not, "");
  tuning->option_words = hone__model_option_words(number);
  drop_entries(tuning, tiled);
}

/* What the contest has found stays, unless the options are proved now. */
static hone_status compare_unproved(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  struct hone__model_figures before = hone__model_figures_of(tuned);
  struct hone__text yaml = {0};
  size_t option = tuning->unproved - 1, winner = 0;
  hone_status status;

  print_together(tuning, option, true, &yaml);
  hone__model_title(tuning, "options that looked faster, once more");
  status = hone__model_compete(tuning, "together.yaml", &yaml, false, &winner);
  if (!status && winner == 1)
    use_option(tuning, option);
  else if (!status && winner == 2)
    drop_option(tuned, option);
  else
    restore(tuned, &before);
  hone__model_figures_release(&before);
  hone__text_release(&yaml);
  return status;
}

hone_status hone__model_together(struct hone__model_tuning *tuning)
{
  if (tuning->base) {
    hone_status status = compare_with_base(tuning);
    if (status || !tuning->base->is_abandoned) return status;
  }
  if (!tuning->unproved || !hone__model_has_time(tuning, HONE__MODEL_TOGETHER)) return NULL;
  return compare_unproved(tuning);
}
