/* The time of a tuning as a whole: a budget is for everything, from the first compile to the last
 * proof. Each stage gets a part of what is left when it begins; what it does not need is left to
 * the next. A job that runs when time is over is finished.
 *
 * A run is known by its nominal budget, which depends on the options alone: the same command finds
 * its results again, although another part of the time was left. */
#include "iree/model/model_tune.h"

#include <math.h>

static const double default_budget_s = 300, least_search_s = 5, least_confirm_s = 4;

/* What a stage may take of the time that is left, and for proofs; and how many compiles of the
 * model there is time for in any case. The searches leave a part of the whole to the model. */
static const struct {
  double search, confirm, compiles;
} parts[] = {
    [HONE__MODEL_OPTIONS] = {0.15, 0.08, 5},
    [HONE__MODEL_SEARCHES] = {0.75, 0.2, 0},
    [HONE__MODEL_CONTEST] = {0.5, 0.25, 3},
    [HONE__MODEL_TOGETHER] = {0.4, 0.5, 3},
};
static const double for_compiles = 0.6;                    /* of what is left, at most */
static const double for_model = 0.3, most_for_model = 0.5; /* of the whole */
static const double model_compiles = 12, last_compiles = 4;

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

/* For searches: what is left but for the model's part, in which the model is compiled with each
 * entry. The model leaves time for the last proof, with options and spec. */
static double left_for(const struct hone__model_tuning *tuning, enum hone__model_part part)
{
  double left = hone__model_time_left(tuning), budget_s = hone__model_budget(tuning);

  if (part == HONE__MODEL_SEARCHES)
    left -= fmin(fmax(for_model * budget_s, model_compiles * tuning->compile_s),
                 most_for_model * budget_s);
  if (part == HONE__MODEL_CONTEST && tuning->base)
    left -= fmin(last_compiles * tuning->compile_s, left / 2);
  return fmax(left, 0);
}

void hone__model_limit(const struct hone__model_tuning *tuning, enum hone__model_part part,
                       double share, struct hone_tune_options *run)
{
  double left, least;

  if (!(hone__model_budget(tuning) > 0)) return;
  left = share * left_for(tuning, part);
  least = fmin(parts[part].compiles * tuning->compile_s, for_compiles * left);
  run->search_limit_s = (parts[part].search + (run->no_confirm ? parts[part].confirm : 0)) * left;
  run->search_limit_s = fmax(run->search_limit_s, fmax(least, least_search_s));
  run->confirm_limit_s = fmax(parts[part].confirm * left, least_confirm_s);
}

bool hone__model_has_time(const struct hone__model_tuning *tuning, enum hone__model_part part)
{
  return !(hone__model_budget(tuning) > 0) || left_for(tuning, part) > 0;
}
