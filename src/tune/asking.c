/* How a run uses the search: what the search knows at the start, how many configurations are open
 * before the first of them is answered, and how long a candidate took.
 *
 * A search that learns chooses better with fewer open configurations. Few are therefore taken
 * ahead, more as more is known. The number depends only on how many were taken, how many devices
 * there are and what the spec says: neither on the CPUs of this machine nor on time, because the
 * same seed must give the same configurations.
 */
#include "tune/tuning.h"

#include "search/seeds.h"
#include "search/search_set.h"
#include "tune/effort.h"
#include "tune/first_rows.h"
#include "tune/objectives.h"

enum {
  BATCH = 256,
  LEAST_AHEAD = 8,
  WINDOW_A_SITE = 6,       /* for a search that learns, while devices measure */
  WINDOW_SHARE = 8,        /* later an eighth of all taken so far */
  WINDOW_IF_COMPLETE = 64, /* if all are measured in the end */
  PREPARED_A_SITE = 2,     /* if nothing is built */
  LEAST_TURN = 8,          /* if building and measuring take turns */
  TURN_SHARE = 4,          /* later a quarter of all */
  MOST_FOR_LEARNERS = 32   /* of either */
};

static const double AMPLE_S = 2; /* for a configuration */

/* ---- How many ahead ---- */

size_t hone__tuning_most_builds(const struct hone__tuning *tuning)
{
  size_t builders = hone__pool_usable(tuning->session.workers.builders), quarter = builders / 4;
  size_t left =
      tuning->session.workers.site_count < quarter ? tuning->session.workers.site_count : quarter;

  if (!tuning->session.workers.overlap || tuning->session.settings.options->builders ||
      hone__session_served_builders(&tuning->session) || !left)
    return builders + 1;
  return builders - left;
}

bool hone__tuning_is_scheduled(const struct hone__tuning *tuning)
{
  return tuning->session.settings.strategy->learns || tuning->session.settings.patience.least;
}

static uint64_t at_least(uint64_t least, uint64_t wanted)
{
  return wanted > least ? wanted : least;
}

uint64_t hone__tuning_others(const struct hone__tuning *tuning)
{
  const struct hone_space *space = tuning->session.problem.space;

  return hone_space_count(space) -
         hone_space_contains(space, tuning->session.problem.task.baseline);
}

/* A budget that is ample for all of them does not count; whether it is must not depend on the
 * machine. */
bool hone__tuning_is_complete(const struct hone__tuning *tuning)
{
  const struct hone__session_settings *settings = &tuning->session.settings;
  uint64_t count = hone_space_count(tuning->session.problem.space);

  if (settings->patience.least || (settings->evaluations && settings->evaluations < count))
    return false;
  return !(settings->budget_s > 0) || settings->budget_s >= AMPLE_S * (double)count;
}

/* As many as keep the builders busy. Those of a served program are in its spec, so that the same
 * spec gives the same configurations. */
static uint64_t builders_window(const struct hone__tuning *tuning)
{
  uint64_t builders = hone__session_served_builders(&tuning->session);

  if (!hone__tuning_is_complete(tuning)) return builders + builders / 2;
  return at_least(WINDOW_IF_COMPLETE, 4 * builders);
}

static uint64_t grow(uint64_t least, uint64_t wanted)
{
  uint64_t most = least > MOST_FOR_LEARNERS ? least : MOST_FOR_LEARNERS;

  return wanted < least ? least : wanted < most ? wanted : most;
}

uint64_t hone__tuning_window(const struct hone__tuning *tuning, uint64_t asked)
{
  uint64_t sites = tuning->session.workers.site_count ? tuning->session.workers.site_count
                                                      : 1; /* none if nothing is timed */

  if (!hone__tuning_is_scheduled(tuning)) return BATCH;
  if (!tuning->session.workers.overlap) return PREPARED_A_SITE * sites;
  return grow(at_least(WINDOW_A_SITE * sites, builders_window(tuning)), asked / WINDOW_SHARE);
}

uint64_t hone__tuning_turn(const struct hone__tuning *tuning, uint64_t asked)
{
  uint64_t builders = hone__session_served_builders(&tuning->session);

  if (!builders) builders = tuning->session.settings.options->host_builder_count;
  return grow(at_least(LEAST_TURN, builders), asked / TURN_SHARE);
}

size_t hone__tuning_most_ahead(const struct hone__tuning *tuning)
{
  size_t builds;

  if (hone__tuning_is_scheduled(tuning)) return SIZE_MAX; /* few are taken ahead */
  if (!tuning->session.workers.overlap) return BATCH;
  builds = hone__tuning_most_builds(tuning);
  return 4 * tuning->session.workers.site_count + (builds > LEAST_AHEAD ? builds : LEAST_AHEAD);
}

/* ---- What a candidate takes ---- */

double hone__tuning_candidate_seconds(const struct hone__candidate *candidate)
{
  const struct hone__tuning *tuning = hone__tuning_of(candidate);
  size_t builders =
      tuning->session.workers.builders ? hone__pool_usable(tuning->session.workers.builders) : 1;
  double build = candidate->build_s / (double)(builders ? builders : 1);
  double measure =
      candidate->measure_s /
      (double)(tuning->session.workers.site_count ? tuning->session.workers.site_count : 1);

  if (!isfinite(build)) return measure;
  if (!isfinite(measure)) return build;
  return tuning->session.workers.overlap ? fmax(build, measure) : build + measure;
}

/* ---- Opening ---- */

struct hone__search_options hone__tuning_search_options(const struct hone__tuning *tuning)
{
  return (struct hone__search_options){.space = tuning->session.problem.task.space,
                                       .seed = tuning->session.entry.run.seed,
                                       .evaluations = tuning->session.settings.evaluations,
                                       .first = tuning->search.first.rows,
                                       .first_count = tuning->search.first.count,
                                       .before = tuning->search.before.rows,
                                       .before_count = tuning->search.before.count,
                                       .lessons = tuning->search.lessons};
}

static void report_missing_seeds(struct hone__tuning *tuning,
                                 const struct hone__search_options *options)
{
  struct hone__seeds seeds;

  hone__seeds_open(&seeds, options);
  if (seeds.missing)
    hone__session_say(
        &tuning->session, HONE_EVENT_NOTE, "%zu starting configuration%s %s not in the space%s%s",
        seeds.missing, seeds.missing == 1 ? "" : "s", seeds.missing == 1 ? "is" : "are",
        seeds.outside.length ? ": " : "", seeds.outside.length ? seeds.outside.data : "");
  hone__seeds_release(&seeds);
}

/* A resumed run was informed when it began. */
static void report_first_rows(struct hone__tuning *tuning)
{
  struct hone__text text = {0};

  if (!tuning->search.before.count || tuning->session.entry.resumed) return;
  hone__text_add(&text, "begins with ");
  hone__first_rows_describe(tuning, &text);
  hone__session_say(&tuning->session, HONE_EVENT_NOTE, "%s", text.data);
  hone__text_release(&text);
}

hone_status hone__tuning_open_search(struct hone__tuning *tuning)
{
  hone_status status = hone__first_rows_recall(tuning, tuning->session.entry.store);
  struct hone__search_options options;

  if (status) return status;
  options = hone__tuning_search_options(tuning);
  report_missing_seeds(tuning, &options);
  report_first_rows(tuning);
  hone__effort_report_cover(tuning);
  return hone__search_set_open(tuning->session.settings.strategy, &options,
                               hone__objectives_search_count(&tuning->session.objectives),
                               &tuning->search.set);
}

/* ---- Telling ---- */

void hone__tuning_tell_baseline(const struct hone__tuning *tuning, struct hone__search_set *set)
{
  const struct hone__observation observation = {.outcome = HONE_OUTCOME_OK,
                                                .share = NAN,
                                                .is_arbitrary =
                                                    tuning->session.problem.task.baseline_is_first};
  double costs[HONE__MOST_SEARCHES];

  if (tuning->session.settings.options->stop_after == HONE_STAGE_BUILD)
    return; /* it was not timed */
  if (!hone_space_contains(tuning->session.problem.space, tuning->session.problem.task.baseline))
    return; /* it belongs to another part of the space */
  for (size_t i = 0; i < HONE__MOST_SEARCHES; i++)
    costs[i] = 1;
  hone__search_set_tell(set, tuning->session.problem.task.baseline, &observation, costs);
}
