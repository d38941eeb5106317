/* scratch.h - a folder for temporary files that goes with those who made them.
 *
 * A runner is killed rather than asked to leave, and a compiler or a candidate may leave anything
 * behind. So the supervisor gives them a TMPDIR of their own, and empties it after each runner.
 * What a killed supervisor leaves behind is removed by the next one that starts.
 */
#ifndef HONE_WORKER_SCRATCH_H
#define HONE_WORKER_SCRATCH_H

/* Makes the folder and names it in TMPDIR; NULL if that cannot be done: TMPDIR stays as it is. */
char *hone__scratch_open(void);
void hone__scratch_empty(const char *scratch);
/* Removes it and frees its name; TMPDIR is not set back. */
void hone__scratch_close(char *scratch);

#endif
