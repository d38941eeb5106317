/* identity.h - the keys of runs: digests of everything that determines their results. */
#ifndef HONE_SESSION_IDENTITY_H
#define HONE_SESSION_IDENTITY_H

#include "session/session.h"

/* Sets session->entry.run and session->problem.setup_key. */
hone_status hone__identity_make(struct hone__session *session);
/* Sets session->problem.setup_key only: the parts of the setup that change an answer or a time. */
void hone__identity_setup(struct hone__session *session);

#endif
