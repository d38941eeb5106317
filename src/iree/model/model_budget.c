/* The time of a tuning as a whole: a budget is for everything, from the first compile to the last
 * proof. Each stage gets a part of what is left when it begins; what it does not need is left to
 * the next. A job that runs when time is over is finished.
 *
 * A run is known by its nominal budget, which depends on the options alone: the same command finds
 * its results again, although another part of the time was left. */
#include "iree/model/model_choice.h"
#include "iree/model/model_tune.h"

#include <math.h>

static const double default_budget_s = 300;
/* Less is of no use, but a short budget is divided, too: of each at most a part of it. */
static const double least_search_s = 5, least_confirm_s = 4, most_of_short = 0.2;

/* What a stage may take of the time that is left, and for proofs; and how many compiles of the
 * model there is time for in any case. The searches leave a part of the whole to the model. */
static const struct {
  double search, confirm, compiles, for_compiles; /* the last: of what is left, at most */
} parts[] = {
    [HONE__MODEL_OPTIONS] = {0.15, 0.15, 5, 0.3},
    [HONE__MODEL_SEARCHES] = {0.75, 0.2, 0, 0},
    [HONE__MODEL_CONTEST] = {0.5, 0.3, 3, 0.6},
    [HONE__MODEL_TOGETHER] = {0.4, 0.5, 3, 0.6},
};
/* The same, of what is slow: few candidates, but a proof. */
static const double slow_search = 0.3, slow_confirm = 0.65;
static const double for_options = 0.25, for_options_alone = 0.6; /* of what is left */
static const double for_model = 0.3, most_for_model = 0.5;       /* of the whole */
static const double for_unproved = 0.15; /* likewise, for options once more */
/* In the model's part; for the last proof, and for verifying the spec after it. */
static const double option_compiles = 1, model_compiles = 6, last_compiles = 4, verify_compiles = 1;
/* For all that follows the options, with proofs of options and of entries. Without it, the options
 * take all of the time, and those that look faster are proved instead. */
static const double rest_compiles = 5, rest_calls = 37;
/* Calls of the untuned model: until the first candidate is measured, and in all of a proof. */
static const double first_calls = 6, proof_calls = 18;

double hone__model_budget(const struct hone__model_tuning *tuning)
{
  const struct hone_tune_options *tune = tuning->options->tune;

  if (tune->budget_s > 0) return tune->budget_s;
  if (tune->evaluations || tuning->options->model->iree->num_candidates) return 0;
  return default_budget_s;
}

double hone__model_time_left(const struct hone__model_tuning *tuning)
{
  double budget_s = hone__model_budget(tuning);

  return budget_s > 0 ? fmax(tuning->began + budget_s - hone__clock(), 0) : INFINITY;
}

static double at_least(const struct hone__model_tuning *tuning, double seconds)
{
  double budget_s = hone__model_budget(tuning);

  return budget_s > 0 ? fmin(seconds, most_of_short * budget_s) : seconds;
}

/* 0: not known. */
static double call_s(const struct hone__model_tuning *tuning)
{
  double time_ns = tuning->state ? tuning->state->time_ns : NAN;

  return time_ns > 0 ? 1e-9 * time_ns : 0;
}

static bool is_any_found(const struct hone__model_tuning *tuning)
{
  for (size_t i = 0; tuning->found && i < tuning->tuned->count; i++)
    if (tuning->found[i]) return true;
  return false;
}

/* For options that look faster, but are not proved to be. */
static double for_proof_s(const struct hone__model_tuning *tuning)
{
  struct hone__model_gain gain;

  if (!tuning->unproved) return 0;
  gain = hone__model_gain_of_option(&tuning->tuned->options[tuning->unproved - 1]);
  return hone__model_gain_is_worth_time(&gain) ? for_unproved * hone__model_budget(tuning) : 0;
}

/* What comes after a part: after searches the model is compiled with each entry; after that comes
 * the last proof, with options and spec; and the spec is verified. */
static double reserved_after(const struct hone__model_tuning *tuning, enum hone__model_part part)
{
  double budget_s = hone__model_budget(tuning), compile_s = tuning->compile_s,
         unproved_s = for_proof_s(tuning);

  switch (part) {
  case HONE__MODEL_OPTIONS: return 0;
  case HONE__MODEL_SEARCHES:
    return fmin(unproved_s + fmax(fmax(for_model * budget_s, model_compiles * compile_s),
                                  proof_calls * call_s(tuning)),
                most_for_model * budget_s);
  case HONE__MODEL_CONTEST:
    return unproved_s + ((tuning->base ? last_compiles : 0) + verify_compiles) * compile_s;
  case HONE__MODEL_TOGETHER: return verify_compiles * compile_s;
  }
  HONE__BUG("a part of the time has no number");
}

/* At least half of what is left, unless there is something for the model already: without a
 * search, the model's part is of no use. */
static double left_for(const struct hone__model_tuning *tuning, enum hone__model_part part)
{
  double left = hone__model_time_left(tuning), reserved = reserved_after(tuning, part);
  double most = tuning->options->model_budget_s;
  bool is_divided = part != HONE__MODEL_SEARCHES || !is_any_found(tuning);

  left = fmax(left - (is_divided ? fmin(reserved, left / 2) : reserved), 0);
  return part == HONE__MODEL_CONTEST && most > 0 ? fmin(left, most) : left;
}

/* The limits of a run are exceeded where a proof is near, and where nothing works yet; its part of
 * the time is not: it ends before, but for the job in flight. */
static double deadline_of(const struct hone__model_tuning *tuning, enum hone__model_part part,
                          double earlier)
{
  double end = hone__clock_since_1970() + left_for(tuning, part);

  return earlier > 0 ? fmin(end, earlier) : end;
}

bool hone__model_has_rest(const struct hone__model_tuning *tuning)
{
  return hone__model_has_compiles(tuning, rest_compiles, rest_calls);
}

/* Nothing comes after the options. */
static bool are_all(const struct hone__model_tuning *tuning, enum hone__model_part part)
{
  return part == HONE__MODEL_OPTIONS &&
         (tuning->options->options_only ||
          !hone__model_has_compiles(tuning, 2 * option_compiles + rest_compiles,
                                    first_calls + rest_calls));
}

void hone__model_limit(const struct hone__model_tuning *tuning, enum hone__model_part part,
                       double share, struct hone_tune_options *run)
{
  enum hone__model_part like = are_all(tuning, part) ? HONE__MODEL_TOGETHER : part;
  bool is_model = part != HONE__MODEL_SEARCHES, is_last = is_model && like != HONE__MODEL_OPTIONS;
  bool is_slow = is_last && call_s(tuning) > 1e-9 * HONE__MODEL_SLOW_NS;
  double search = is_slow ? slow_search : parts[like].search,
         confirm = is_slow ? slow_confirm : parts[like].confirm;
  double left, first, least;

  if (!(hone__model_budget(tuning) > 0)) return;
  left = share * left_for(tuning, part);
  first = is_model ? fmin(first_calls * call_s(tuning), left / 2) : 0;
  left -= first;
  least = fmin(parts[like].compiles * tuning->compile_s, parts[like].for_compiles * left);
  if (run->no_confirm || run->stop_after == HONE_STAGE_SCREEN) search += confirm;
  run->search_limit_s = first + fmax(fmax(search * left, least), at_least(tuning, least_search_s));
  run->confirm_limit_s = fmax(confirm * left, at_least(tuning, least_confirm_s));
  run->confirm_in_full =
      like == HONE__MODEL_TOGETHER || (part == HONE__MODEL_CONTEST && !tuning->base);
  run->deadline = deadline_of(tuning, part, run->deadline);
}

/* Without them, nothing else is begun: a model is compiled for minutes where others compile, too.
 */
bool hone__model_has_compiles(const struct hone__model_tuning *tuning, double count, double calls)
{
  return hone__model_cost(tuning, count, calls) < 1;
}

double hone__model_cost(const struct hone__model_tuning *tuning, double count, double calls)
{
  double cost_s =
      count * tuning->compile_s + calls * call_s(tuning) + at_least(tuning, least_search_s);

  return cost_s / hone__model_time_left(tuning);
}

/* Options are tried only if the plain model is compiled and measured in their part of the time. */
static bool has_options_time(const struct hone__model_tuning *tuning, double left)
{
  double most = hone__model_has_rest(tuning) ? for_options : for_options_alone;

  return first_calls * call_s(tuning) <= most * left &&
         hone__model_has_compiles(tuning, option_compiles, 0);
}

bool hone__model_has_time(const struct hone__model_tuning *tuning, enum hone__model_part part)
{
  double left = left_for(tuning, part);

  if (!(hone__model_budget(tuning) > 0)) return true;
  if (part == HONE__MODEL_OPTIONS && !has_options_time(tuning, left)) return false;
  return left > at_least(tuning, least_search_s);
}
