/* own_program.h - the program that workers are started from. */
#ifndef HONE_BASE_OWN_PROGRAM_H
#define HONE_BASE_OWN_PROGRAM_H

#include "base/status.h"

/* $HONE_PROGRAM, else the file that this process was started from, to be executed again: its path,
 * or, where that is another file by now, a link that leads to the old one. free(). */
char *hone__own_program(void);
/* UNAVAILABLE: it is not `hone`, but a program that uses the library; has advice. */
hone_status hone__own_program_check(void);

#endif
