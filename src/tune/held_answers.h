/* held_answers.h - what the search is told, and when.
 *
 * An answer goes to the search at once, unless answers are held: then it waits until the search may
 * know it, which is a matter of how many were asked for and not of time.
 */
#ifndef HONE_TUNE_HELD_ANSWERS_H
#define HONE_TUNE_HELD_ANSWERS_H

#include "tune/tuning.h"

/* From now on answers of candidates wait. */
void hone__held_answers_hold(struct hone__tuning *tuning);
/* The answers of all candidates whose number is below this one. */
void hone__held_answers_pass(struct hone__tuning *tuning, uint64_t number);
/* All of them, and later ones at once. */
void hone__held_answers_release(struct hone__tuning *tuning);

#endif
