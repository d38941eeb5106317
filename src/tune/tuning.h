/* tuning.h - the tuning of one problem: a session with a baseline, a search and a ranking. */
#ifndef HONE_TUNE_TUNING_H
#define HONE_TUNE_TUNING_H

#include "session/session.h"
#include "tune/candidate_steps.h"
#include "tune/early_builds.h"
#include "tune/ranked.h"
#include "tune/search_state.h"

#include "base/key_map.h"

#include <math.h>

struct hone__tuning_baseline { /* the reference point of all candidates (baseline.c) */
  struct hone__candidate *candidate;
  bool has_failed;                    /* it was run and does not work */
  uint64_t forced_switches, readings; /* over all its readings: contention */
};

struct hone__known { /* the evaluations of this run so far (record.c, recall.c) */
  struct hone__key_map configs;
  struct hone__key_map objects; /* measure key -> evaluation: equal objects are measured once */
};

struct hone__tuning {
  struct hone__session session; /* must stay first: see hone__tuning_of */
  struct hone__tuning_baseline baseline;
  struct hone__tuning_search search;
  struct hone__ranking ranking;
  struct hone__known known;
  struct hone__early_builds early_builds;
  double contest_ends; /* by the session's clock: when race and confirmation are expected to end */
};

/* The tuning of a candidate: its session is the first member. */
static inline struct hone__tuning *hone__tuning_of(const struct hone__candidate *candidate)
{
  return (struct hone__tuning *)(void *)candidate->session;
}

/* ---- opening (tuning.c) ---- */
/* Opens space, task, settings, and the setup for workers; release it even after a failure. */
hone_status hone__tuning_open(struct hone__tuning *tuning, const struct hone_spec *spec,
                              const struct hone__case *which,
                              const struct hone_tune_options *options,
                              const struct hone__purpose *purpose);
void hone__tuning_release(struct hone__tuning *tuning);
/* Once there is a result, the search ends when the limit of the caller is over, which includes the
 * baseline. However long that took, a part of the limit is left for candidates: a search without a
 * result is of no use. */
void hone__tuning_limit_search(struct hone__tuning *tuning);
/* Makes another configuration the baseline: describes the setup again. */
hone_status hone__tuning_rebase(struct hone__tuning *tuning, const uint32_t *row);
/* The purposes of `hone tune` and `hone run` (tune.c). */
extern const struct hone__purpose hone__purpose_tune, hone__purpose_run;

/* ---- the search (asking.c) ---- */
struct hone__search_options hone__tuning_search_options(const struct hone__tuning *tuning);
/* Call after the devices are known; also looks up the best of earlier runs. */
hone_status hone__tuning_open_search(struct hone__tuning *tuning);
/* Passes the baseline's result to a search before its first configuration. */
void hone__tuning_tell_baseline(const struct hone__tuning *tuning, struct hone__search_set *set);
/* The candidate is NULL if it is not one of this session (held_answers.c). */
void hone__tuning_tell(struct hone__tuning *tuning, const uint32_t *row,
                       const struct hone__evaluation *evaluation,
                       const struct hone__candidate *candidate);
/* The candidate's share of elapsed time: its build and its measurement, divided among parallel
 * work. NaN: not known. */
double hone__tuning_candidate_seconds(const struct hone__candidate *candidate);
/* The number of parallel builds. */
size_t hone__tuning_most_builds(const struct hone__tuning *tuning);
/* Configurations except the baseline, which may belong to another part of the space. */
uint64_t hone__tuning_others(const struct hone__tuning *tuning);
/* Nothing ends the search before the space does: its choices only affect the order. */
bool hone__tuning_is_complete(const struct hone__tuning *tuning);
/* The most candidates that are being built or wait to be measured; no more are started. */
size_t hone__tuning_most_ahead(const struct hone__tuning *tuning);
/* Whether the configurations of the search depend on when it receives answers, and so must not
 * depend on time. */
bool hone__tuning_is_scheduled(const struct hone__tuning *tuning);
/* How many configurations may be open before the first of them is answered, or, when building takes
 * turns, in one turn: for a search that learns, as few as keep all workers busy. `asked` is the
 * number so far. */
uint64_t hone__tuning_window(const struct hone__tuning *tuning, uint64_t asked);
uint64_t hone__tuning_turn(const struct hone__tuning *tuning, uint64_t asked);

/* ---- what is not worth more time (cutoff.c) ---- */
struct hone__reading hone__tuning_site_reading(const struct hone__site *site);
/* For this device, from the answers the search has received. */
struct hone__bound hone__tuning_bound(const struct hone__tuning *tuning, size_t at);
/* Sets the limits of its screening from the answers the search has received, unless they are set.
 */
void hone__tuning_candidate_settle_bounds(struct hone__candidate *candidate);

/* ---- stages ---- */
/* baseline.c: builds it, sets up the runners, takes the first readings. */
hone_status hone__tuning_baseline(struct hone__tuning *tuning);
/* Takes a reading of the baseline on this device; *pending counts it until it is complete. The
 * first reading makes the device usable. */
void hone__tuning_read_baseline(struct hone__tuning *tuning, size_t site, size_t *pending);
/* True if the baseline should be read before this candidate: after some candidates, sooner if
 * readings are cheap or differ. */
bool hone__tuning_wants_reading(const struct hone__candidate *candidate, size_t site);
void hone__tuning_last_readings(struct hone__tuning *tuning);
/* The limit of a first call, by the times of the baseline. */
void hone__tuning_settle_timeout(struct hone__tuning *tuning);
/* screen.c; contest.c: race, confirmation, verdict. */
hone_status hone__tuning_screen(struct hone__tuning *tuning);
hone_status hone__tuning_contest(struct hone__tuning *tuning);

#endif
