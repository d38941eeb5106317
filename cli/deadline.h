/* deadline.h - a time of the clock, as the user writes it. */
#ifndef CLI_DEADLINE_H
#define CLI_DEADLINE_H

#include <stdbool.h>

/* "17:30", "17:30:15" (today, or tomorrow if it has passed), "2026-11-17 17:30",
 * "2026-11-17T17:30:15", in local time; "@1794936600" as seconds since 1970. False, after a
 * message, for another text and for a time that has passed. NULL: 0. */
bool deadline_parse(const char *text, double *out_seconds);

#endif
