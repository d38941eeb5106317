/* Options and tuning spec against the plain compile: the last proof.
 *
 * With options as the base, both are measured together. Options that are a rival of the spec,
 * options that looked faster at first but were not proved to be, and options that gain too little
 * for a base compete with it. The fastest that is proved is the result, unless other options are
 * faster beyond noise (model_choice.c): it is never slower than the best options alone.
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

size_t hone__model_print_together(const struct hone__model_tuning *tuning, size_t option,
                                  size_t base, bool is_rival, struct hone__text *yaml)
{
  bool has_base = is_rival && base < tuning->tuned->option_count;
  int value = is_rival ? 2 : 1;
  size_t count = 0;

  hone__model_print_head(tuning, yaml);
  hone__text_add(yaml, "  variants: [{\"param\": \"o\", \"value\": 1, ");
  hone__model_option_flags(yaml, option);
  if (has_base) {
    hone__text_add(yaml, "}, {\"param\": \"o\", \"value\": 2, ");
    hone__model_option_flags(yaml, base);
  }
  hone__text_add(yaml, "}]\n  entries: [");
  for (size_t i = 0; i < tuning->tuned->count; i++) {
    if (!is_entry(tuning, i)) continue;
    hone__text_addf(yaml, "%s{\"param\": \"o\", \"value\": %d", count++ ? ", " : "", value);
    hone__model_print_entry(tuning->found[i], tuning->found[i]->used, yaml);
  }
  hone__text_addf(yaml, "]\nparams: {o: [0, 1%s]}\nbaseline: {o: 0}\n",
                  is_rival && (count || has_base) ? ", 2" : "");
  return count;
}

/* The contest in the model did not compare with the plain compile, or not with the options: they
 * alone are the result. */
void hone__model_restore(struct hone_iree_tuned *tuned, const struct hone__model_figures *kept)
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

  hone__model_restore(tuned, kept);
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

void hone__model_drop_entries(struct hone__model_tuning *tuning, const char *why)
{
  for (size_t i = 0; i < tuning->tuned->count; i++) {
    if (!is_entry(tuning, i)) continue;
    tuning->tuned->dispatches[i].is_used = false;
    hone__model_set(&tuning->tuned->dispatches[i].why_not, why);
  }
}

const char hone__model_tiled[] =
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
    hone__model_restore(tuned, &tuning->base->kept);
    hone__model_drop_entries(tuning, hone__model_tiled);
  }
}

void hone__model_drop_option(struct hone_iree_tuned *tuned, size_t number, const char *why)
{
  struct hone_iree_tuned_option *option = &tuned->options[number];

  option->is_used = false;
  hone__model_set(&option->why_not, why);
}

const char hone__model_spec_is_faster[] = "the tuning spec without it is faster";

/* Both were compared with the plain model; the tuning stays at it, or goes to the base. What was
 * known of each before decides where this contest has proved neither. */
static void judge_alternatives(struct hone__model_tuning *tuning,
                               const struct hone__model_figures *before, bool has_entries,
                               const struct hone__model_bout *bout)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  struct hone__model_figures *kept = &tuning->base->kept;
  struct hone__model_gain options = hone__model_gain_of_figures(kept),
                          entries = hone__model_gain_of_figures(before);
  bool has_won =
      bout->winner == 2 && !hone__model_choice_beside(&options, &bout->gains[1], &bout->gains[2]);

  if (!bout->winner && has_entries && !hone__model_choice_apart(&options, &entries)) {
    hone__model_restore(tuned, before);
    has_won = true;
  }
  if (has_won) {
    hone__model_drop_option(tuned, hone__model_option_used(tuned), hone__model_spec_is_faster);
    return;
  }
  hone__model_drop_entries(tuning, hone__model_tiled);
  if (bout->winner != 1) hone__model_restore(tuned, kept);
  hone__model_change_places(tuning);
}

/* Options for tiles to be found, and no tiles: the plain model stays. */
static void abandon(struct hone__model_tuning *tuning)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  struct hone_iree_tuned_option *option = &tuned->options[hone__model_option_used(tuned)];

  option->is_used = false;
  hone__model_set(&option->why_not, "no tiles were proved to be faster with it");
  hone__model_drop_entries(tuning, "the model is not proved to be faster with it");
  tuning->base->is_abandoned = true;
}

static hone_status measure_together(struct hone__model_tuning *tuning,
                                    struct hone__model_bout *bout)
{
  bool is_rival = tuning->base->is_rival;

  if (!hone__model_has_time(tuning, HONE__MODEL_TOGETHER)) {
    if (!is_rival) tuning->tuned->speedup = NAN; /* of both together */
    return NULL;
  }
  hone__model_title(tuning,
                    is_rival ? "options against tuning spec" : "options and tuning spec together");
  return hone__model_compete(tuning, bout);
}

static void keep_spec_figures(struct hone_iree_tuned *tuned)
{
  tuned->spec_speedup = tuned->speedup;
  tuned->spec_low = tuned->low;
  tuned->spec_high = tuned->high;
}

static hone_status compare_with_rival(struct hone__model_tuning *tuning,
                                      struct hone__model_bout *bout)
{
  struct hone__model_figures before = hone__model_figures_of(tuning->tuned);
  hone_status status = NULL;
  bool has_entries = hone__model_print_together(tuning, hone__model_option_used(tuning->tuned),
                                                HONE__MODEL_NO_BASE, true, &bout->yaml) > 0;

  if (has_entries) status = measure_together(tuning, bout);
  if (!status) judge_alternatives(tuning, &before, has_entries, bout);
  hone__model_figures_release(&before);
  return status;
}

static hone_status compare_with_base(struct hone__model_tuning *tuning,
                                     struct hone__model_bout *bout)
{
  struct hone_iree_tuned *tuned = tuning->tuned;
  hone_status status = NULL;
  bool has_entries;

  if (is_useless(tuning)) hone__model_drop_entries(tuning, "the model is not faster with it");
  hone__model_change_places(tuning);
  has_entries = hone__model_print_together(tuning, hone__model_option_used(tuned),
                                           HONE__MODEL_NO_BASE, false, &bout->yaml);
  if (has_entries) {
    keep_spec_figures(tuned);
    status = measure_together(tuning, bout);
  }
  if (!has_entries)
    hone__model_restore(tuned, &tuning->base->kept);
  else if (!status && !bout->winner && !tuned->interrupted)
    judge_unproved(tuning);
  if (tuning->base->is_unproved && !bout->winner && !tuning->options->tune->keep_slower)
    abandon(tuning);
  else
    hone__model_change_places(tuning);
  return status;
}

/* ---- The stage ---- */

struct hone__model_bout hone__model_bout_open(double share)
{
  struct hone__model_bout bout = {
      .name = "together.yaml", .part = HONE__MODEL_TOGETHER, .share = share};

  for (size_t i = 0; i < HONE__MODEL_BOUT_VALUES; i++) {
    bout.gains[i] = (struct hone__model_gain){.speedup = NAN, .low = NAN, .high = NAN};
    bout.times_ns[i] = NAN;
  }
  return bout;
}

hone_status hone__model_together(struct hone__model_tuning *tuning)
{
  struct hone__model_bout bout = hone__model_bout_open(1);
  hone_status status = NULL;

  if (tuning->base)
    status = (tuning->base->is_rival ? compare_with_rival : compare_with_base)(tuning, &bout);
  hone__text_release(&bout.yaml);
  bout = hone__model_bout_open(1);
  if (!status && tuning->unproved && !tuning->tuned->interrupted)
    status = hone__model_meet_rival(tuning, &bout);
  hone__text_release(&bout.yaml);
  return status;
}
