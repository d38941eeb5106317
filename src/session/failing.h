/* failing.h - detects builds that all fail in the same way: the cause is in the spec or on the
 * machine. */
#ifndef HONE_SESSION_FAILING_H
#define HONE_SESSION_FAILING_H

#include "session/session.h"

/* Call after each build. When the first ten builds of a run, except a baseline that works, have
 * failed with the same message, the run ends with it, unless `keep_going` is set. */
void hone__failing_note(struct hone__candidate *candidate);

/* Adds the first error of the compiler, complete, from the candidate's `output`, or its evidence if
 * there is none. */
void hone__failing_print(const struct hone__candidate *candidate, struct hone__text *text);

#endif
