/* gpu_candidate.h - the launch of a configuration's kernel, from `launch` in the spec to the
 * worker.
 */
#ifndef HONE_BACKEND_GPU_GPU_CANDIDATE_H
#define HONE_BACKEND_GPU_GPU_CANDIDATE_H

#include "backend/gpu/gpu_driver.h"
#include "backend/kernel/kernel.h"
#include "backend/kernel/kernel_candidate.h"
#include "backend/task.h"

/* Driver: adds `launch`, unless it is a pipeline; to a reference its own, if it has one.
 * INVALID_SPEC: the spec has none, or no whole numbers for this configuration. The worker refuses
 * sizes of 0 and sizes that no device supports.
 */
hone_status hone__gpu_complete(const struct hone__kernel_origin *origin, const uint32_t *row,
                               struct hone__arena *arena, struct hone__kernel_candidate *candidate);

/* The launch of one stage, from its node: the method of a kind. */
hone_status hone__gpu_stage_launch(const struct hone__task *task, const uint32_t *row,
                                   const struct hone__node *launch, struct hone__arena *arena,
                                   const struct hone__kernel_launch **out_launch);

/* Worker. `launch` may be NULL. False: there is none, a size is 0, or the number of threads
 * overflows: a LAUNCH_FAILURE.
 */
bool hone__gpu_launch_read(const struct hone__kernel_launch *launch,
                           struct hone__gpu_launch *out_launch);

#endif
