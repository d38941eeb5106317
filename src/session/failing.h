/* failing.h - builds that all fail in the same way: a mistake that no search will get around. */
#ifndef HONE_SESSION_FAILING_H
#define HONE_SESSION_FAILING_H

#include "session/session.h"

/* After each build. When the first ten of a run, but for a baseline that works, have failed with
 * the same message, the run is stopped with it, unless `keep_going` is set. */
void hone__failing_note(struct hone__candidate *candidate);

/* Adds the first error of the compiler, whole, as the candidate's `output` has it; its evidence
 * where it has none. */
void hone__failing_print(const struct hone__candidate *candidate, struct hone__text *text);

#endif
