/* tuning.h - one problem being tuned: a session with a baseline, a search and a ranking. */
#ifndef HONE_TUNE_TUNING_H
#define HONE_TUNE_TUNING_H

#include "session/session.h"
#include "tune/candidate_steps.h"
#include "tune/ranked.h"
#include "tune/search_state.h"

#include "base/key_map.h"

#include <math.h>

struct hone__tuning_baseline { /* what all are compared with (baseline.c) */
  struct hone__candidate *candidate;
  bool has_failed;                    /* it was run, and does not work */
  uint64_t forced_switches, readings; /* of all its readings: contention */
};

struct hone__known { /* what this run evaluated already (record.c, recall.c) */
  struct hone__key_map configs;
  struct hone__key_map objects; /* measure key -> evaluation: equal objects are measured once */
};

struct hone__tuning {
  struct hone__session session; /* stays first: see hone__tuning_of */
  struct hone__tuning_baseline baseline;
  struct hone__search_state search;
  struct hone__ranking ranking;
  struct hone__known known;
};

/* The tuning that a candidate belongs to: its session is the first member. */
static inline struct hone__tuning *hone__tuning_of(const struct hone__candidate *candidate)
{
  return (struct hone__tuning *)(void *)candidate->session;
}

/* ---- opening (tuning.c) ---- */
/* Space, task, settings, and the setup for workers; release it also after a failure. */
hone_status hone__tuning_open(struct hone__tuning *tuning, const struct hone_spec *spec,
                              const struct hone__case *which,
                              const struct hone_tune_options *options,
                              const struct hone__purpose *purpose);
void hone__tuning_release(struct hone__tuning *tuning);
/* Another configuration becomes the baseline: the setup is described anew. */
hone_status hone__tuning_rebase(struct hone__tuning *tuning, const uint32_t *row);
/* The purposes of `hone tune` and `hone run` (tune.c). */
extern const struct hone__purpose hone__purpose_tune, hone__purpose_run;

/* ---- the search (asking.c) ---- */
struct hone__search_options hone__tuning_search_options(const struct hone__tuning *tuning);
/* Once the devices are known; also what was best before is looked up. */
hone_status hone__tuning_open_search(struct hone__tuning *tuning);
/* The baseline is known before anything is asked for. */
void hone__tuning_tell_baseline(struct hone__tuning *tuning);
/* The candidate is NULL where it is none of this session (held_answers.c). */
void hone__tuning_tell(struct hone__tuning *tuning, const uint32_t *row,
                       const struct hone__evaluation *evaluation,
                       const struct hone__candidate *candidate);
/* The candidate's part of the time that passes: its build and its measuring, shared out among those
 * who work at once. NaN: not known. */
double hone__candidate_seconds(const struct hone__candidate *candidate);
/* Builds at once. */
size_t hone__tuning_most_builds(const struct hone__tuning *tuning);
/* How many are being built or wait to be measured before no more is begun. */
size_t hone__tuning_most_ahead(const struct hone__tuning *tuning);
/* What a search asks for depends on when it is told: it must not depend on time. */
bool hone__tuning_is_scheduled(const struct hone__tuning *tuning);
/* How many may be asked for before the first of them is answered, or, where that is done by turns,
 * in one turn: of a search that learns as few as keep all at work. `asked`: so many were. */
uint64_t hone__tuning_window(const struct hone__tuning *tuning, uint64_t asked);
uint64_t hone__tuning_turn(uint64_t asked);

/* ---- what is not worth more time (cutoff.c) ---- */
struct hone__reading hone__site_reading(const struct hone__site *site);
/* On this device, by what the search was told until now. */
struct hone__bound hone__tuning_bound(const struct hone__tuning *tuning, size_t at);
/* What it may take in screening, by what the search was told until now; unless it is settled. */
void hone__candidate_settle_bounds(struct hone__candidate *candidate);

/* ---- stages ---- */
hone_status hone__tuning_baseline(struct hone__tuning *tuning); /* baseline.c: builds it, sets the
                                                                  runners up, first readings */
/* A reading of the baseline on this device; *pending counts it until it is in. The first one makes
 * it usable. */
void hone__tuning_read_baseline(struct hone__tuning *tuning, size_t site, size_t *pending);
/* True where the baseline should be read before this candidate: after some candidates, sooner where
 * readings are cheap or differ. */
bool hone__tuning_wants_reading(const struct hone__candidate *candidate, size_t site);
void hone__tuning_last_readings(struct hone__tuning *tuning);
hone_status hone__tuning_screen(struct hone__tuning *tuning); /* screen.c */
hone_status
hone__tuning_contest(struct hone__tuning *tuning); /* contest.c: race, confirm, verdict */

#endif
