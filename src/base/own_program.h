/* own_program.h - the file that this process was started from. */
#ifndef HONE_BASE_OWN_PROGRAM_H
#define HONE_BASE_OWN_PROGRAM_H

/* To be executed again: its path, or, where that is another file by now, a link that leads to the
 * old one. free(). */
char *hone__own_program(void);

#endif
