/* candidate_steps.h - what a tuning does with a candidate.
 *
 *   hone__candidate_known_by_key: perhaps the store has its evaluation already
 *   hone__candidate_known_by_object: perhaps an equal object was measured
 *   hone__candidate_measure, hone__candidate_take_times
 *   hone__candidate_record
 */
#ifndef HONE_TUNE_CANDIDATE_STEPS_H
#define HONE_TUNE_CANDIDATE_STEPS_H

#include "session/candidate.h"

struct hone__tuning;

/* Makes the measure key for this device (measuring.c). */
void hone__candidate_set_site(struct hone__candidate *candidate, size_t site);

/* ---- its first times (measuring.c) ---- */
/* Sends it to a device, whose measure key it has; `done` gets the reply. */
typedef void hone__measure_done(struct hone__candidate *candidate, size_t site,
                                const struct hone__reply *reply);
void hone__candidate_measure(struct hone__candidate *candidate, size_t site,
                             hone__measure_done *done);
/* The device's reply into the candidate, which is to be recorded then. */
void hone__candidate_take_times(struct hone__candidate *candidate, size_t site,
                                const struct hone__reply *reply);

/* ---- the best so far is checked once more (checking.c) ---- */
/* True if it would be the best so far, and answers are checked. */
bool hone__candidate_would_lead(const struct hone__candidate *candidate);
/* Sends it to the device again, where more of its calls are checked than in screening. */
void hone__candidate_check(struct hone__candidate *candidate, size_t site,
                           hone__measure_done *done);
/* What the check found, into the candidate, which is to be recorded then. */
void hone__candidate_take_check(struct hone__candidate *candidate, const struct hone__reply *reply);

/* ---- what becomes of it (record.c) ---- */
/* True if this run has it already. */
bool hone__tuning_knows(const struct hone__tuning *tuning, const char *config);
/* Puts the evaluation into the store alone: it is to be recorded later. */
void hone__candidate_keep(struct hone__candidate *candidate);
/* Records the evaluation, which may be in the store already; tells the search and the person. */
void hone__candidate_record(struct hone__candidate *candidate);
/* Of one that worked at first and failed later: hone__tuning_withdraw does more. */
void hone__candidate_record_failure(struct hone__candidate *candidate);
/* Of one that was measured once more: it is ranked anew. */
void hone__candidate_record_again(struct hone__candidate *candidate);
/* What is the best of the ranking, when the best so far is no longer in it. */
void hone__tuning_find_best(struct hone__tuning *tuning);
/* Counts and ranks what this run recorded in an earlier session, and tells the search. */
void hone__tuning_take_up(struct hone__tuning *tuning, const uint32_t *row,
                          const struct hone__evaluation *evaluation);

/* ---- what is known already (recall.c) ---- */
/* True if an evaluation of this candidate, which this run made in an earlier session, holds on one
 * of the devices that are there now. */
bool hone__candidate_holds_here(struct hone__candidate *candidate,
                                const struct hone__evaluation *old);
/* True if the store, or an equal object in this run, has the answer: it is in the evaluation then.
 */
bool hone__candidate_known_by_key(struct hone__candidate *candidate);
bool hone__candidate_known_by_object(struct hone__candidate *candidate, size_t site);

#endif
