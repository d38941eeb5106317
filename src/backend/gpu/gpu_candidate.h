/* gpu_candidate.h - how a configuration's kernel is launched: from `launch` in the spec to the
 * worker.
 */
#ifndef HONE_BACKEND_GPU_GPU_CANDIDATE_H
#define HONE_BACKEND_GPU_GPU_CANDIDATE_H

#include "backend/gpu/gpu_driver.h"
#include "backend/kernel/kernel_candidate.h"
#include "backend/task.h"

/* Driver: adds `launch`. INVALID_SPEC: there is none in the spec, or it has no whole numbers for
 * this configuration. Sizes of 0, and sizes that no device takes, are the worker's to refuse. */
hone_status hone__gpu_complete(const struct hone__task *task, const uint32_t *row,
                               struct hone__arena *arena, struct hone__kernel_candidate *candidate);

/* Worker. False: there is none, a size is 0, or there are more threads than can be counted: nothing
 * can be launched like that, which is a LAUNCH_FAILURE. */
bool hone__gpu_launch_read(const struct hone__kernel_candidate *candidate,
                           struct hone__gpu_launch *out_launch);

#endif
