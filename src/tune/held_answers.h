/* held_answers.h - when the search receives answers.
 *
 * An answer goes to the search at once, unless answers are held. A held answer waits until the
 * search has asked for a certain number of configurations, so that the order does not depend on
 * time.
 */
#ifndef HONE_TUNE_HELD_ANSWERS_H
#define HONE_TUNE_HELD_ANSWERS_H

#include "tune/tuning.h"

/* From now on answers of candidates are held. */
void hone__held_answers_hold(struct hone__tuning *tuning);
/* Passes on the answers of all candidates whose number is below this one. */
void hone__held_answers_pass(struct hone__tuning *tuning, uint64_t number);
/* Passes on all answers, and later ones at once. */
void hone__held_answers_release(struct hone__tuning *tuning);

#endif
