/* knobs.h - parameters that change nothing: does the source read them?
 *
 * Every build is told; two that differ in one parameter alone make a pair. If there are pairs for a
 * parameter and none of them differs in its object, the parameter is idle.
 */
#ifndef HONE_SESSION_KNOBS_H
#define HONE_SESSION_KNOBS_H

#include "session/session.h"

struct hone__knobs;

struct hone__knobs *hone__knobs_new(void);
void hone__knobs_free(struct hone__knobs *knobs);
/* One build: the parameters that it got, and what came of it. */
void hone__knobs_add(struct hone__knobs *knobs, const char *const *names, const uint64_t *values,
                     size_t count, const char *object);
/* The i-th idle one; NULL: there are no more. */
const char *hone__knobs_idle(const struct hone__knobs *knobs, size_t i);

/* A candidate that was built, unless its backend does not say what the build gets. */
void hone__knobs_note(const struct hone__candidate *candidate);
/* A warning for each idle one. */
void hone__knobs_warn(struct hone__session *session);

#endif
