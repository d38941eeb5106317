/* candidate_steps.h - the steps of a tuning for one candidate.
 *
 *   hone__tuning_candidate_known_by_key: the store may already have its evaluation
 *   hone__tuning_candidate_known_by_object: an equal object may have been measured
 *   hone__tuning_candidate_measure, hone__tuning_candidate_take_times
 *   hone__tuning_candidate_record
 */
#ifndef HONE_TUNE_CANDIDATE_STEPS_H
#define HONE_TUNE_CANDIDATE_STEPS_H

#include "session/candidate.h"

struct hone__tuning;

/* Computes the measure key for this device (measuring.c). */
void hone__tuning_candidate_set_site(struct hone__candidate *candidate, size_t site);

/* ---- its first times (measuring.c) ---- */
/* Sends it to the device of its measure key; `done` gets the reply. */
typedef void hone__measure_done(struct hone__candidate *candidate, size_t site,
                                const struct hone__reply *reply);
void hone__tuning_candidate_measure(struct hone__candidate *candidate, size_t site,
                                    hone__measure_done *done);
/* Stores the device's reply in the candidate, which is then to be recorded. */
void hone__tuning_candidate_take_times(struct hone__candidate *candidate, size_t site,
                                       const struct hone__reply *reply);

/* ---- the best so far is checked once more (checking.c) ---- */
/* True if it would be the best so far, and answers are checked. */
bool hone__tuning_candidate_would_lead(const struct hone__candidate *candidate);
/* Sends it to the device again, with more of its calls checked than in screening. */
void hone__tuning_candidate_check(struct hone__candidate *candidate, size_t site,
                                  hone__measure_done *done);
/* Stores the result of the check in the candidate, which is then to be recorded. */
void hone__tuning_candidate_take_check(struct hone__candidate *candidate,
                                       const struct hone__reply *reply);

/* ---- what becomes of it (record.c) ---- */
/* True if this run already has it. */
bool hone__tuning_knows(const struct hone__tuning *tuning, const char *config);
/* Writes the evaluation to the store only: it is to be recorded later. */
void hone__tuning_candidate_keep(struct hone__candidate *candidate);
/* Records the evaluation, which the store may already have; informs the search and the user. */
void hone__tuning_candidate_record(struct hone__candidate *candidate);
/* For one that worked at first and failed later: hone__tuning_withdraw does more. */
void hone__tuning_candidate_record_failure(struct hone__candidate *candidate);
/* For one that was measured again: it is ranked anew. */
void hone__tuning_candidate_record_again(struct hone__candidate *candidate);
/* Finds the best of the ranking after the former best has left it. */
void hone__tuning_find_best(struct hone__tuning *tuning);
/* Counts and ranks the records of this run's earlier sessions, and informs the search. */
void hone__tuning_take_up(struct hone__tuning *tuning, const uint32_t *row,
                          const struct hone__evaluation *evaluation);

/* ---- what is known already (recall.c) ---- */
/* True if an evaluation of this candidate from an earlier session of this run is valid for one of
 * the present devices. */
bool hone__tuning_candidate_holds_here(struct hone__candidate *candidate,
                                       const struct hone__evaluation *old);
/* True if the store, or an equal object in this run, has the answer: the evaluation then holds it.
 */
bool hone__tuning_candidate_known_by_key(struct hone__candidate *candidate);
bool hone__tuning_candidate_known_by_object(struct hone__candidate *candidate, size_t site);

#endif
