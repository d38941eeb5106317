/* identity.h - what makes two runs the same run: all that decides what they do. */
#ifndef HONE_SESSION_IDENTITY_H
#define HONE_SESSION_IDENTITY_H

#include "session/session.h"

/* Fills in session->entry.run and session->problem.setup_key. */
hone_status hone__identity_make(struct hone__session *session);
/* session->problem.setup_key alone: what of the setup changes an answer or a time. */
void hone__identity_setup(struct hone__session *session);

#endif
