/* kept_options.h - the options of a run in the store. */
#ifndef HONE_SESSION_KEPT_OPTIONS_H
#define HONE_SESSION_KEPT_OPTIONS_H

#include "session/session.h"

/* Lives as long as the session. */
const char *hone__kept_options_print(struct hone__session *session);
/* The kernel's file in such a text; free(). NULL: it names none. */
char *hone__kept_options_file(const char *options);

#endif
