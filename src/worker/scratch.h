/* scratch.h - a folder for the temporary files of one supervisor and its runners.
 *
 * A runner is killed rather than asked to exit, and a compiler or a candidate may leave files
 * behind. The supervisor therefore gives them a separate TMPDIR and empties it after each runner.
 * The next supervisor removes what a killed one left behind.
 */
#ifndef HONE_WORKER_SCRATCH_H
#define HONE_WORKER_SCRATCH_H

/* Creates the folder and sets TMPDIR to it. NULL if that fails: TMPDIR is unchanged. */
char *hone__scratch_open(void);
void hone__scratch_empty(const char *scratch);
/* Removes the folder and frees its name. TMPDIR is not restored. */
void hone__scratch_close(char *scratch);

#endif
