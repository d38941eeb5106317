/* Opens a tuning: its session, and the settings of its search. */
#include "tune/tuning.h"

#include "search/lessons.h"
#include "search/search_set.h"
#include "spec/schema.h"
#include "tune/contest_time.h"
#include "tune/effort.h"
#include "tune/first_rows.h"
#include "tune/learning.h"

#include <stdlib.h>
#include <time.h>

static const double CLOSING_S = 0.1; /* of a run before its deadline */

enum {
  MOST_FAILURES = 3, /* in place of a result */
  FEW_CONFIGURATIONS = 100
};                                          /* of a short run */
static const double CANDIDATES_LEAST = 0.5; /* of a caller's limit */

/* ---- Settings of the search ---- */

/* An effort in the options takes precedence over the spec. */
static void settle_budget(struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->session.settings.options;
  const struct hone__node *budget =
      hone__task_setting(&tuning->session.problem.task, "search.budget");
  double budget_s = options->budget_s;

  tuning->session.settings.evaluations = options->evaluations;
  if (budget && !budget_s && !tuning->session.settings.evaluations && !options->effort) {
    if (budget->value.type == HONE_INT)
      tuning->session.settings.evaluations = (uint64_t)budget->value.integer;
    else
      hone__duration_parse(budget->text, &budget_s);
  }
  tuning->session.settings.budget_s = budget_s;
}

/* A caller with limits of its own divides the time itself. The budget of an effort is for the
 * search: what comes after it is limited by the time of the search. */
static void settle_end(struct hone__tuning *tuning)
{
  const struct hone__session_settings *settings = &tuning->session.settings;
  struct hone__control *control = &tuning->session.control;
  bool is_divided = settings->options->search_limit_s > 0 || settings->options->confirm_limit_s > 0;

  if (settings->budget_s > 0) control->stop_at = control->started + settings->budget_s;
  if (settings->budget_given && !is_divided) control->ends_at = control->stop_at;
  tuning->search.began = hone__control_now(control);
}

void hone__tuning_limit_search(struct hone__tuning *tuning)
{
  struct hone__control *control = &tuning->session.control;
  const struct hone_event *results = &tuning->session.progress.event;
  double limit_s = tuning->session.settings.options->search_limit_s;

  if (!(limit_s > 0) || control->stopping || (!results->ok && results->done < MOST_FAILURES))
    return;
  control->stop_at =
      fmin(control->stop_at, fmax(tuning->search.began + limit_s,
                                  tuning->search.asked_from + CANDIDATES_LEAST * limit_s));
}

/* The share of this run in the time that is left, by the clock of the run. */
static void settle_deadline(struct hone__tuning *tuning)
{
  const struct hone_tune_options *options = tuning->session.settings.options;
  size_t left = tuning->session.problem.which.left;
  struct hone__control *control = &tuning->session.control;
  struct timespec now;
  double share_s, end;

  if (!(options->deadline > 0)) return;
  clock_gettime(CLOCK_REALTIME, &now);
  share_s = (options->deadline - (double)now.tv_sec - 1e-9 * (double)now.tv_nsec - CLOSING_S) /
            (double)(left ? left : 1);
  end = hone__control_now(control) + fmax(share_s, 0);
  control->stop_at = fmin(control->stop_at, end);
  control->ends_at = fmin(control->ends_at, end);
}

static void settle_first_rows(struct hone__tuning *tuning)
{
  const struct hone__node *warm =
      hone__task_setting(&tuning->session.problem.task, "search.warm_start");
  bool is_off = warm && warm->value.type == HONE_BOOL && !warm->value.integer;

  tuning->session.settings.warm_start = !tuning->session.settings.options->no_warm_start && !is_off;
}

/* A host that only builds gets no times, and one that only measures uses what the first has built:
 * both have to go through the same list. */
static bool learns_nothing(const struct hone__tuning *tuning)
{
  const struct hone__backend *backend = tuning->session.problem.task.backend;

  return tuning->session.settings.options->stop_after == HONE_STAGE_BUILD ||
         (backend->driver.builds_here &&
          !backend->driver.builds_here(&tuning->session.problem.task));
}

/* The rows that the host keeps are the search. */
static hone_status select_rows(struct hone__tuning *tuning)
{
  struct hone__session *session = &tuning->session;
  struct hone__selection selection;
  struct hone__text note = {0};
  hone_status status = hone__stages_select(&session->stages, &selection);
  size_t bytes = selection.count * hone_space_width(session->problem.space) * sizeof(uint32_t);

  if (status) return status;
  tuning->search.first =
      (struct hone__first_rows){.rows = hone__arena_alloc(&session->arena, bytes + 1),
                                .count = selection.count,
                                .origins = ""};
  memcpy(tuning->search.first.rows, selection.rows, bytes);
  hone__selection_describe(&selection, &note);
  hone__words_add(&session->entry.notes, note.data);
  hone__text_release(&note);
  free(selection.rows);
  return NULL;
}

static hone_status find_strategy(struct hone__tuning *tuning, const char *name)
{
  hone_status status = hone__strategy_find(name, &tuning->session.settings.strategy);

  if (!status && hone__stages_keep_some(&tuning->session.stages)) {
    tuning->session.settings.strategy = &hone__search_selected;
    return NULL;
  }

  if (status || !tuning->session.settings.strategy->learns || !learns_nothing(tuning))
    return status;
  return hone__strategy_find("random", &tuning->session.settings.strategy);
}

static hone_status settle_search(struct hone__tuning *tuning)
{
  struct hone__session_settings *settings = &tuning->session.settings;
  const struct hone__node *strategy =
      hone__task_setting(&tuning->session.problem.task, "search.strategy");
  const char *name = settings->options->strategy ? settings->options->strategy
                     : strategy                  ? strategy->text
                                                 : NULL;
  hone_status status = find_strategy(tuning, name);

  if (status) return status;
  settle_budget(tuning);
  hone__effort_settle(tuning);
  settle_end(tuning);
  settle_deadline(tuning);
  if (settings->patience.least)
    hone__patience_open(&tuning->search.patience, settings->patience.least,
                        settings->patience.share);
  settle_first_rows(tuning);
  status = hone__first_rows_read(tuning);
  if (!status) status = hone__tuning_learn(tuning);
  if (!status && settings->strategy == &hone__search_selected) status = select_rows(tuning);
  return status;
}

/* ---- Opening ---- */

/* A short run is over so soon that opening a device again is a good part of its time; in a long one
 * these processes would hold memory of the device for nothing. */
static bool is_short(const struct hone__tuning *tuning)
{
  const struct hone__session *session = &tuning->session;
  uint64_t evaluations = session->settings.evaluations;

  return session->settings.effort == HONE_EFFORT_QUICK ||
         (evaluations && evaluations <= FEW_CONFIGURATIONS) ||
         (hone_space_count(session->problem.space) <= FEW_CONFIGURATIONS &&
          hone__tuning_is_complete(tuning));
}

static void settle_processes(struct hone__tuning *tuning)
{
  const struct hone__session *session = &tuning->session;

  if (session->settings.purpose->is_stored && !session->settings.options->no_confirm &&
      is_short(tuning))
    tuning->session.problem.task.processes_ahead = hone__contest_restarts(tuning);
}

hone_status hone__tuning_open(struct hone__tuning *tuning, const struct hone_spec *spec,
                              const struct hone__case *which,
                              const struct hone_tune_options *options,
                              const struct hone__purpose *purpose)
{
  hone_status status;

  *tuning = (struct hone__tuning){.search = {.passed_ratio = 1, .passed_ns = INFINITY},
                                  .ranking = {.best_ratio = 1}};
  status = hone__session_open(&tuning->session, spec, which, options, purpose);
  if (!status && purpose->is_stored)
    status =
        hone__stages_open(&tuning->session.stages, options->stages, &tuning->session.problem.task);
  if (!status) status = settle_search(tuning);
  if (status) return status;
  settle_processes(tuning);
  return hone__session_describe(&tuning->session);
}

hone_status hone__tuning_rebase(struct hone__tuning *tuning, const uint32_t *row)
{
  hone__candidate_free(tuning->baseline.candidate);
  tuning->baseline.candidate = NULL;
  return hone__session_rebase(&tuning->session, row);
}

void hone__tuning_release(struct hone__tuning *tuning)
{
  hone__early_builds_release(&tuning->early_builds);
  hone__search_set_close(tuning->search.set);
  if (tuning->search.lessons) hone__lessons_release(tuning->search.lessons);
  free(tuning->search.lessons);
  hone__candidate_free(tuning->baseline.candidate);
  hone__key_map_release(&tuning->known.configs);
  hone__key_map_release(&tuning->known.objects);
  free(tuning->ranking.entries);
  hone__session_release(&tuning->session);
}
