/* identity.h - the keys of runs: digests of everything that determines their results. */
#ifndef HONE_SESSION_IDENTITY_H
#define HONE_SESSION_IDENTITY_H

#include "session/session.h"

/* Sets session->entry.run and session->problem.setup_key. */
hone_status hone__identity_make(struct hone__session *session);
/* Sets session->problem.setup_key only: the parts of the setup that change an answer or a time. */
void hone__identity_setup(struct hone__session *session);

/* Sets environment, fingerprint and host of a run; returns the machine in words. All of it is in
 * the arena. */
const char *hone__identity_machine(struct hone__arena *arena, struct hone__store_run_record *run);
/* Adds the space as it is written: comments and layout do not matter. A single shape is in the
 * problem's text: with `one_shape` the others do not matter. */
void hone__identity_add_space(struct hone__digester *digester, const struct hone_spec *spec,
                              bool one_shape);

#endif
