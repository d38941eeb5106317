/* serve_run.h - checks and measurements of a served program, in a runner. */
#ifndef HONE_BACKEND_PROGRAM_SERVE_RUN_H
#define HONE_BACKEND_PROGRAM_SERVE_RUN_H

#include "backend/program/program_job.h"

/* Starts the program of a new bench. UNAVAILABLE: it does not start. INVALID_SPEC: it has no check,
 * and the spec wants one. */
hone_status hone__serve_prepare(struct hone__program_bench *bench);

/* Samples of one candidate, into the job's times. */
void hone__serve_screen(struct hone__program_job *job, size_t index);
/* A method of struct hone__process_turns; `data` is the job. */
size_t hone__serve_sample(void *job, size_t index, size_t wanted, double *ns);

#endif
