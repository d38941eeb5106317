/* worker.h - `hone worker`: a supervisor and its runner.
 *
 * The supervisor reads frames from standard input and writes frames to standard output, after
 * moving both to private descriptors. It executes no code of a candidate. It starts the runner (the
 * same binary, in a PID namespace where the machine allows), forwards frames, sends a heartbeat
 * once a second, kills the runner's process tree when a job passes its deadline, starts a new
 * runner for the next job, and exits with its process tree when its driver is gone.
 */
#ifndef HONE_WORKER_WORKER_H
#define HONE_WORKER_WORKER_H

#include "hone.h"

/* Both return the exit status. `device` has the form of --devices; "" for builders. */
int hone__supervisor_main(const char *role, const char *device);
/* The runner: reads frames from descriptor 3, writes them to descriptor 4. */
int hone__runner_main(const char *role, const char *device);

#endif
