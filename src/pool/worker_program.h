/* worker_program.h - the file that workers are started from: the installed program `hone`.
 *
 * A program that uses the library is never started again as a worker: its main knows nothing of
 * workers. The file that is found must be of this version, which the worker's HELLO tells.
 */
#ifndef HONE_POOL_WORKER_PROGRAM_H
#define HONE_POOL_WORKER_PROGRAM_H

#include "base/status.h"
#include "base/words.h"

/* The first of: `given` (may be NULL), $HONE_PROGRAM, `hone` in the installation of the shared
 * library, `hone` where it was to be installed, `hone` in PATH. The first two must be executable
 * files if they are set. UNAVAILABLE: the message lists where it was searched. free(). */
hone_status hone__worker_program_find(const char *given, char **out_program);

/* Adds the program to the words of a launcher, after which it is expected at the same path, unless
 * $HONE_REMOTE_PROGRAM names another, as a shell there would read it. ssh joins its words, and a
 * shell at the other end splits them again: a path is quoted for that. Without a launcher it is
 * `program` itself. The result is the plain path, for messages; it lives as long as the process. */
const char *hone__worker_program_add(struct hone__words *command, const char *program);

#endif
