#include "tune/early_builds.h"

#include "search/search_set.h"
#include "tune/objectives.h"
#include "tune/tuning.h"

#include <stdlib.h>

enum { BUILDS_A_BUILDER = 2 };

struct hone__early_build {
  struct hone__candidate *candidate; /* the one that the search asked for, if there is one */
  hone__candidate_done *done;        /* of that one; NULL: nobody waits for it */
  bool is_waiting, is_under_way;
  struct hone__early_build *next;
};

/* ---- In turn ---- */

static void on_built(void *data, const struct hone__reply *reply);

static void submit(struct hone__tuning *tuning, struct hone__early_build *build)
{
  struct hone__job job = hone__session_build_job(build->candidate, false, false);

  build->is_waiting = false;
  build->is_under_way = true;
  job.done = on_built;
  job.data = build;
  tuning->session.progress.event.building++;
  hone__pool_submit(tuning->session.workers.builders, &job);
}

/* False: nothing waits. The list begins with the last one. */
static bool submit_next(struct hone__tuning *tuning)
{
  struct hone__early_build *next = NULL;

  for (struct hone__early_build *build = tuning->early_builds.first; build; build = build->next)
    if (build->is_waiting) next = build;
  if (next) submit(tuning, next);
  return next;
}

void hone__early_builds_use_all(struct hone__tuning *tuning)
{
  while (!tuning->session.control.aborting && submit_next(tuning)) {}
}

/* ---- Its end ---- */

/* A failed build that the search has not asked for does not count yet: it is built again if the
 * search asks for it.
 */
static void on_built(void *data, const struct hone__reply *reply)
{
  struct hone__early_build *build = data;
  struct hone__candidate *candidate = build->candidate;
  struct hone__tuning *tuning = hone__tuning_of(candidate);
  struct hone_event *event = &candidate->session->progress.event;

  build->is_under_way = false;
  event->building--;
  if (build->done) {
    build->candidate = NULL;
    hone__candidate_built(candidate, reply);
    build->done(candidate);
  } else if (reply->outcome == HONE_OUTCOME_OK) {
    hone__candidate_built(candidate, reply);
    hone__candidate_drop_object(candidate); /* the session keeps it */
    event->built--;                         /* it counts when it is asked for */
  }
  if (reply->outcome != HONE_OUTCOME_INTERRUPTED && !tuning->session.control.aborting)
    submit_next(tuning);
}

/* ---- The start ---- */

static void enter(struct hone__tuning *tuning, struct hone__candidate *candidate)
{
  struct hone__early_build *build = hone__alloc(sizeof *build);

  *build = (struct hone__early_build){
      .candidate = candidate, .is_waiting = true, .next = tuning->early_builds.first};
  tuning->early_builds.first = build;
}

static void begin(struct hone__tuning *tuning, const uint32_t *row)
{
  struct hone__candidate *candidate = NULL;

  hone_status_free(hone__candidate_new(&tuning->session, row, &candidate));
  if (!candidate) return;
  if (strcmp(candidate->config, tuning->baseline.candidate->config) == 0)
    hone__candidate_free(candidate);
  else
    enter(tuning, candidate);
}

/* What a resumed run knows, and what a host may reject, need not be built. */
static bool is_useful(const struct hone__tuning *tuning)
{
  const struct hone__session *session = &tuning->session;

  return session->workers.overlap && session->problem.task.baseline_given &&
         !session->entry.resumed && !session->settings.options->stages &&
         !session->settings.cached_only && session->settings.purpose->is_stored &&
         session->settings.options->stop_after != HONE_STAGE_BUILD;
}

static uint64_t how_many(const struct hone__tuning *tuning)
{
  uint64_t most = BUILDS_A_BUILDER * hone__pool_usable(tuning->session.workers.builders);
  uint64_t window = hone__tuning_window(tuning, 0), limit = tuning->session.settings.evaluations;
  uint64_t kept = hone__session_most_kept(&tuning->session);

  if (window < most) most = window;
  if (kept < most) most = kept;
  return limit && limit < most ? limit : most;
}

/* A device that is opened beside as many compilers as there are CPUs opens slowly. */
static void begin_some(struct hone__tuning *tuning)
{
  size_t at_once = (hone__pool_usable(tuning->session.workers.builders) + 1) / 2;

  while (at_once-- && submit_next(tuning)) {}
}

void hone__early_builds_start(struct hone__tuning *tuning)
{
  struct hone__search_options options = hone__tuning_search_options(tuning);
  size_t width = hone_space_width(tuning->session.problem.task.space), count;
  struct hone__search_set *set = NULL;
  uint32_t *rows;

  if (!is_useful(tuning)) return;
  hone_status_free(hone__search_set_open(tuning->session.settings.strategy, &options,
                                         hone__objectives_search_count(&tuning->session.objectives),
                                         &set));
  if (!set) return;
  hone__tuning_tell_baseline(tuning, set); /* it has the same first configurations then */
  count = (size_t)how_many(tuning);
  rows = hone__alloc((count + 1) * width * sizeof *rows);
  count = hone__search_set_ask(set, count, rows);
  for (size_t i = 0; i < count; i++)
    begin(tuning, rows + i * width);
  free(rows);
  hone__search_set_close(set);
  begin_some(tuning);
}

/* ---- Its use ---- */

static struct hone__early_build *find(const struct hone__early_builds *builds,
                                      const struct hone__candidate *candidate)
{
  struct hone__early_build *build = builds->first;

  while (build && (!build->candidate || build->done ||
                   !hone__candidate_is_built_like(candidate, build->candidate)))
    build = build->next;
  return build;
}

bool hone__early_builds_find(const struct hone__early_builds *builds,
                             struct hone__candidate *candidate)
{
  const struct hone__early_build *build = find(builds, candidate);

  if (!build || build->is_under_way || !hone__candidate_built_before(candidate)) return false;
  candidate->evaluation.cached = build->candidate->evaluation.cached;
  candidate->evaluation.compile_s = build->candidate->evaluation.compile_s;
  candidate->build_s = build->candidate->build_s;
  return true;
}

bool hone__early_builds_take(struct hone__early_builds *builds, struct hone__candidate *candidate,
                             hone__candidate_done *done)
{
  struct hone__early_build *build = find(builds, candidate);

  if (!build || !build->is_under_way) return false;
  hone__candidate_free(build->candidate);
  build->candidate = candidate;
  build->done = done;
  return true;
}

void hone__early_builds_release(struct hone__early_builds *builds)
{
  while (builds->first) {
    struct hone__early_build *build = builds->first;
    HONE__ASSERT(!build->is_under_way);
    builds->first = build->next;
    hone__candidate_free(build->candidate);
    free(build);
  }
}
