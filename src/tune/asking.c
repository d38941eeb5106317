/* The search as a run uses it: what it knows from the start, how many configurations are asked for
 * before the first of them is answered, and what it is told of each.
 *
 * A search that learns asks better questions the fewer of its questions are open. So no more is
 * asked for than keeps builders and devices at work; where the two take turns, a turn is short at
 * first and grows with what is known. */
#include "tune/tuning.h"

#include "search/seeds.h"
#include "search/several.h"
#include "tune/first_rows.h"
#include "tune/objectives.h"

enum {
  BATCH = 256,
  LEAST_AHEAD = 8,
  PACE_MEMORY = 16, /* candidates */
  TURN_ROUNDS = 2,  /* builds of every builder in a turn, at first */
  MOST_ROUNDS = 8,  /* and later */
  TURN_SHARE = 4,   /* a turn is a quarter of all that is known */
  BUILDS_A_SITE = 4 /* until the pace is known */
};

/* ---- How many ahead ---- */

size_t hone__tuning_most_builds(const struct hone_tuning *tuning)
{
  size_t builders = hone__crew_usable(tuning->builders), quarter = builders / 4;
  size_t left = tuning->site_count < quarter ? tuning->site_count : quarter;

  if (!tuning->overlap || tuning->options->builders || !left) return builders + 1;
  return builders - left;
}

/* Builds that keep the devices at work. */
static size_t builds_needed(const struct hone_tuning *tuning)
{
  const struct hone_pace *pace = &tuning->pace;
  size_t most = hone__tuning_most_builds(tuning);
  double ratio =
      pace->builds && pace->measure_s > 0 ? pace->build_s / pace->measure_s : BUILDS_A_SITE;
  double needed = ceil((double)tuning->site_count * ratio) + 1;

  return needed < (double)most ? (size_t)needed : most;
}

static size_t turn_of_learner(const struct hone_tuning *tuning)
{
  size_t builders = hone__crew_usable(tuning->builders);
  size_t known = (size_t)tuning->progress.done / TURN_SHARE;
  size_t least = TURN_ROUNDS * builders, most = MOST_ROUNDS * builders;

  return known < least ? least : known < most ? known : most;
}

size_t hone__tuning_most_ahead(const struct hone_tuning *tuning)
{
  size_t builds;

  if (tuning->strategy->learns)
    return tuning->overlap ? tuning->site_count + builds_needed(tuning) : turn_of_learner(tuning);
  if (!tuning->overlap) return BATCH;
  builds = hone__tuning_most_builds(tuning);
  return 4 * tuning->site_count + (builds > LEAST_AHEAD ? builds : LEAST_AHEAD);
}

/* ---- What a candidate takes ---- */

static void take_pace(double *mean, unsigned *count, double seconds)
{
  *count += *count < PACE_MEMORY;
  *mean += (seconds - *mean) / *count;
}

double hone__reply_worked_s(const struct hone_reply *reply)
{
  const json_t *seconds = json_object_get(reply->head, "worked_s");

  return json_is_number(seconds) ? fmax(json_number_value(seconds), 0) : NAN;
}

static void add_seconds(double *sum, double more)
{
  if (isfinite(more)) *sum = isfinite(*sum) ? *sum + more : more;
}

void hone__candidate_note_build(struct hone_candidate *candidate, const struct hone_reply *reply)
{
  struct hone_pace *pace = &candidate->tuning->pace;
  double seconds = hone__reply_worked_s(reply);

  add_seconds(&candidate->build_s, seconds);
  if (isfinite(seconds)) take_pace(&pace->build_s, &pace->builds, seconds);
}

void hone__candidate_note_measuring(struct hone_candidate *candidate,
                                    const struct hone_reply *reply)
{
  struct hone_pace *pace = &candidate->tuning->pace;
  double seconds = hone__reply_worked_s(reply);

  add_seconds(&candidate->measure_s, seconds);
  if (isfinite(seconds)) take_pace(&pace->measure_s, &pace->measurements, seconds);
}

double hone__candidate_seconds(const struct hone_candidate *candidate)
{
  const struct hone_tuning *tuning = candidate->tuning;
  size_t builders = tuning->builders ? hone__crew_usable(tuning->builders) : 1;
  double build = candidate->build_s / (double)(builders ? builders : 1);
  double measure = candidate->measure_s / (double)(tuning->site_count ? tuning->site_count : 1);

  if (!isfinite(build)) return measure;
  if (!isfinite(measure)) return build;
  return tuning->overlap ? fmax(build, measure) : build + measure;
}

/* ---- Opening ---- */

struct hone_search_options hone__tuning_search_options(const struct hone_tuning *tuning)
{
  return (struct hone_search_options){.space = tuning->task.space,
                                      .seed = tuning->run.seed,
                                      .evaluations = tuning->evaluations,
                                      .budget_s = tuning->budget_s,
                                      .first = tuning->first.rows,
                                      .first_count = tuning->first.count,
                                      .before = tuning->before.rows,
                                      .before_count = tuning->before.count};
}

static void tell_missing_seeds(struct hone_tuning *tuning,
                               const struct hone_search_options *options)
{
  struct hone_seeds seeds;

  hone__seeds_open(&seeds, options);
  if (seeds.missing)
    hone__tuning_say(
        tuning, HONE_EVENT_NOTE,
        "%zu configuration%s that the search should begin with %s not in the space%s%s",
        seeds.missing, seeds.missing == 1 ? "" : "s", seeds.missing == 1 ? "is" : "are",
        seeds.astray.length ? ": " : "", seeds.astray.length ? seeds.astray.data : "");
  hone__seeds_release(&seeds);
}

/* Who takes a run up again was told when it began. */
static void tell_what_was_best(struct hone_tuning *tuning)
{
  struct hone_text text = {0};

  if (!tuning->before.count || tuning->resumed) return;
  hone__text_add(&text, "begins with ");
  hone__first_rows_describe(tuning, &text);
  hone__tuning_say(tuning, HONE_EVENT_NOTE, "%s", text.data);
  hone__text_release(&text);
}

hone_status hone__tuning_open_search(struct hone_tuning *tuning)
{
  hone_status status = hone__first_rows_recall(tuning, tuning->store);
  struct hone_search_options options;

  if (status) return status;
  options = hone__tuning_search_options(tuning);
  tell_missing_seeds(tuning, &options);
  tell_what_was_best(tuning);
  return hone__several_open(tuning->strategy, &options, hone__objectives_search_count(tuning),
                            &tuning->search);
}

/* ---- Telling ---- */

void hone__tuning_tell(struct hone_tuning *tuning, const uint32_t *row,
                       const struct hone_evaluation *evaluation, double seconds)
{
  const struct hone_observation observation = {.outcome = evaluation->outcome, .seconds = seconds};
  double costs[HONE_MOST_SEARCHES];

  if (!tuning->search) return;
  hone__objectives_costs(tuning, row, evaluation, costs);
  hone__patience_note(&tuning->patience, costs, hone__objectives_search_count(tuning));
  hone__several_tell(tuning->search, row, &observation, costs);
}

void hone__tuning_tell_baseline(struct hone_tuning *tuning)
{
  const struct hone_observation observation = {.outcome = HONE_OUTCOME_OK, .seconds = NAN};
  double costs[HONE_MOST_SEARCHES];

  if (tuning->options->stop_after == HONE_STAGE_BUILD) return; /* it was not timed */
  for (size_t i = 0; i < HONE_MOST_SEARCHES; i++)
    costs[i] = 1;
  hone__several_tell(tuning->search, tuning->task.baseline, &observation, costs);
}
