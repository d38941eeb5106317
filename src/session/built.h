/* built.h - constraints on the costs of a build: registers, spills, shared memory.
 *
 * They are the spec's constraints that name built.x, and `build.limits`. A candidate that violates
 * one is not run. The baseline may violate them, because others are compared with it.
 */
#ifndef HONE_SESSION_BUILT_H
#define HONE_SESSION_BUILT_H

#include "session/session.h"

/* `costs` may be NULL: not known. False: a constraint is violated, and `why` names it. A constraint
 * on an unknown cost is not checked; that gives one warning. */
bool hone__built_allows(struct hone__candidate *candidate, const struct hone__named *costs,
                        size_t cost_count, struct hone__text *why);

#endif
