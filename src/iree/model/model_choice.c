/* A speedup without an interval is that of a few samples of screening: it counts if it is larger
 * than their noise.
 */
#include "iree/model/model_choice.h"

#include <math.h>

static const double noise = 1.2;   /* of a screening */
static const double little = 1.05; /* of a contest */

struct hone__model_gain hone__model_gain_of_option(const struct hone_iree_tuned_option *option)
{
  return (struct hone__model_gain){.speedup = option->speedup,
                                   .low = option->low,
                                   .high = option->high,
                                   .is_proved = option->verdict == HONE_VERDICT_IMPROVED};
}

struct hone__model_gain hone__model_gain_of_result(enum hone_verdict verdict, double speedup,
                                                   double low, double high)
{
  bool is_proved = verdict == HONE_VERDICT_IMPROVED;

  return (struct hone__model_gain){.speedup = is_proved ? speedup : 1,
                                   .low = is_proved ? low : 1,
                                   .high = is_proved ? high : 1,
                                   .is_proved = is_proved};
}

/* ---- One ---- */

static double least(const struct hone__model_gain *gain)
{
  return isnan(gain->low) ? gain->speedup / noise : gain->low;
}

static double most(const struct hone__model_gain *gain)
{
  return isnan(gain->high) ? gain->speedup * noise : gain->high;
}

bool hone__model_gain_is_clear(const struct hone__model_gain *gain)
{
  return gain->is_proved || least(gain) > 1;
}

bool hone__model_gain_is_promising(const struct hone__model_gain *gain)
{
  return !gain->is_proved && gain->speedup > noise;
}

bool hone__model_gain_is_worth_time(const struct hone__model_gain *gain)
{
  return !gain->is_proved && gain->speedup > little;
}

bool hone__model_gain_is_worth_base(const struct hone__model_gain *gain, double cost)
{
  return gain->speedup > little || gain->speedup - 1 > cost;
}

/* ---- Two ---- */

bool hone__model_choice_is_open(const struct hone__model_gain *options,
                                const struct hone__model_gain *result)
{
  return !result->is_proved || most(options) > least(result);
}

bool hone__model_choice_apart(const struct hone__model_gain *options,
                              const struct hone__model_gain *result)
{
  if (isnan(options->speedup) || !hone__model_gain_is_clear(options)) return false;
  if (!result->is_proved) return true;
  return options->is_proved ? !(result->low > options->speedup) : least(options) > result->speedup;
}

bool hone__model_choice_beside(const struct hone__model_gain *before,
                               const struct hone__model_gain *options,
                               const struct hone__model_gain *result)
{
  if (isnan(options->speedup)) return hone__model_choice_apart(before, result);
  if (!result->is_proved) return before->is_proved || hone__model_gain_is_clear(options);
  if (options->is_proved || before->is_proved) return options->speedup > result->speedup;
  return least(options) > result->speedup;
}

/* ---- Many ---- */

/* Options that lost a contest with a winner are rivals only if they were in it to its end. */
static bool may_be_faster(const struct hone_iree_tuned_option *option, double least_speedup,
                          bool has_winner)
{
  if (option->outcome != HONE_OUTCOME_OK || option->is_used) return false;
  return option->speedup > least_speedup && (!has_winner || isfinite(option->low));
}

/* Few samples say less than an interval. */
static bool looks_faster_than(const struct hone_iree_tuned_option *option,
                              const struct hone_iree_tuned_option *other)
{
  struct hone__model_gain gain = hone__model_gain_of_option(option),
                          others = hone__model_gain_of_option(other);

  return least(&gain) > least(&others);
}

size_t hone__model_choice_rival(const struct hone_iree_tuned *tuned)
{
  double least_speedup = 1;
  bool has_winner = false;
  size_t best = 0;

  if (tuned->verdict != HONE_VERDICT_INCONCLUSIVE && tuned->verdict != HONE_VERDICT_IMPROVED)
    return 0;
  for (size_t i = 0; i < tuned->option_count; i++) {
    if (!tuned->options[i].is_used) continue;
    has_winner = true;
    least_speedup = little * tuned->options[i].speedup;
  }
  for (size_t i = 0; i < tuned->option_count; i++) {
    const struct hone_iree_tuned_option *option = &tuned->options[i];
    if (!may_be_faster(option, least_speedup, has_winner)) continue;
    if (!best || looks_faster_than(option, &tuned->options[best - 1])) best = i + 1;
  }
  return best;
}
