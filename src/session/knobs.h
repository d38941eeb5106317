/* knobs.h - detects parameters that change nothing, because the source does not read them.
 *
 * Every build is added; two that differ in one parameter alone make a pair. If a parameter has
 * pairs and none of them differs in its object, the parameter is idle.
 */
#ifndef HONE_SESSION_KNOBS_H
#define HONE_SESSION_KNOBS_H

#include "session/session.h"

struct hone__knobs;

struct hone__knobs *hone__session_knobs_new(void);
void hone__session_knobs_free(struct hone__knobs *knobs);
/* Adds one build: its parameters and its object. */
void hone__session_knobs_add(struct hone__knobs *knobs, const char *const *names,
                             const uint64_t *values, size_t count, const char *object);
/* The i-th idle one; NULL: there are no more. */
const char *hone__session_knobs_idle(const struct hone__knobs *knobs, size_t i);

/* Adds a built candidate, unless its backend does not report the build's parameters. Warns once of
 * each parameter that the source defines itself, by what the compiler says. */
void hone__session_knobs_note(const struct hone__candidate *candidate);
/* Warns about each idle parameter; those that the source defines were reported already. */
void hone__session_knobs_warn(struct hone__session *session);

#endif
