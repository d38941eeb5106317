/* worker.h - `hone worker`: a supervisor and its runner.
 *
 * The supervisor reads frames from standard input and writes frames to standard output, both moved
 * to private descriptors first. It never executes anything of a candidate: it starts the runner
 * (the same binary, in a PID namespace where the machine allows), hands frames through, beats once
 * a second, kills the runner's whole tree when a job passes its deadline, starts a new one for the
 * next job, and leaves, tree and all, when its driver is gone.
 */
#ifndef HONE_WORKER_WORKER_H
#define HONE_WORKER_WORKER_H

#include "hone.h"

/* Both return the exit status. `device` is as in --devices, "" for builders. */
int hone__supervisor_main(const char *role, const char *device);
/* The runner: frames on descriptors 3 (in) and 4 (out). */
int hone__runner_main(const char *role, const char *device);

#endif
