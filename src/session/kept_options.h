/* kept_options.h - what a run was asked for, as the store keeps it. */
#ifndef HONE_SESSION_KEPT_OPTIONS_H
#define HONE_SESSION_KEPT_OPTIONS_H

#include "session/session.h"

/* It lives as long as the session. */
const char *hone__kept_options_print(struct hone__session *session);
/* The kernel's file in such a text; free(). NULL: it names none. */
char *hone__kept_options_file(const char *options);

#endif
