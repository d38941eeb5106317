/* identity.h - what makes two runs the same run: all that decides what they do. */
#ifndef HONE_TUNE_IDENTITY_H
#define HONE_TUNE_IDENTITY_H

#include "tune/tuning.h"

/* Fills in tuning->session.entry.run and tuning->session.problem.setup_key. */
hone_status hone__identity_make(struct hone__tuning *tuning);
/* tuning->session.problem.setup_key alone: what of the setup changes an answer or a time. */
void hone__identity_setup(struct hone__tuning *tuning);

#endif
