/* built.h - constraints on what a build costs: registers, spills, shared memory.
 *
 * They are those of the spec's constraints that name built.x, and `build.limits`. A candidate that
 * breaks one is not run. The baseline may break them: it is what others are compared with.
 */
#ifndef HONE_SESSION_BUILT_H
#define HONE_SESSION_BUILT_H

#include "session/session.h"

/* `costs` may be NULL: nothing is known. False: one of them is not true, and `why` says which. What
 * names a cost that is not known is not checked; of that a warning is given, once. */
bool hone__built_allows(struct hone__candidate *candidate, const struct hone__named *costs,
                        size_t cost_count, struct hone__text *why);

#endif
