/* c_bench.h - where candidates of the C backend are run: a set of CPUs, inputs, expected answers.
 *
 * The runner opens the device once, prepares a bench for each setup, and runs jobs on it.
 * Candidates only ever execute in a child process of their own; see sampler.h for what happens
 * there. Setup and job are as backend.h and c_backend.h say; offsets in them are into `payload`.
 */
#ifndef HONE_BACKEND_KERNEL_KERNEL_BENCH_H
#define HONE_BACKEND_KERNEL_KERNEL_BENCH_H

#include "backend/backend.h"

hone_status hone__c_open(const char *device, json_t *facts, void **out_device);
hone_status hone__c_prepare(void *device, const json_t *setup, const void *payload,
                            size_t payload_size, json_t *facts, void **out_bench);
void hone__c_run(void *bench, const json_t *job, const void *payload, size_t payload_size,
                 struct hone_answer *answer);
void hone__c_release(void *bench);
void hone__c_close(void *device);

#endif
