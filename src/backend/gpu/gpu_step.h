/* gpu_step.h - functions in C that a pipeline calls on the host, between its kernels.
 *
 * A function gets pointers to copies of its tensors in the host's memory, which has guard zones.
 * All of them are copied from the device before a call. After it, those that are not inputs are
 * copied back, unless the parameter of the function is a pointer to constants.
 *
 * In the runner: hone__gpu_steps_take and _release. All else is in the helper, where a library
 * stays loaded once it is: its own threads would not survive unloading.
 */
#ifndef HONE_BACKEND_GPU_GPU_STEP_H
#define HONE_BACKEND_GPU_GPU_STEP_H

#include "backend/gpu/gpu_tensors.h"
#include "backend/kernel/kernel_candidate.h"
#include "base/text.h"

struct hone__gpu_step; /* opaque: a function */
struct hone__gpu_call; /* opaque: with the arguments of a stage */

struct hone__gpu_steps { /* { 0 } */
  struct hone__gpu_step *list;
  size_t count;                /* 0: the spec has none */
  struct hone__buffers staged; /* the copies of tensors */
};

/* INVALID_ARGUMENT: an object is not in the payload. */
hone_status hone__gpu_steps_take(struct hone__gpu_steps *steps,
                                 const struct hone__kernel_setup *setup, const void *payload,
                                 size_t payload_size);
void hone__gpu_steps_release(struct hone__gpu_steps *steps);

/* The memory for copies; nothing without steps. */
hone_status hone__gpu_steps_open(struct hone__gpu_steps *steps, const struct hone__buffers *host);
/* Guard zones are made whole; whether they are, with the first byte that is not. */
void hone__gpu_steps_restore(struct hone__gpu_steps *steps);
bool hone__gpu_steps_hold(const struct hone__gpu_steps *steps, struct hone__breach *out_breach);

/* False: `out_why` has the reason. */
bool hone__gpu_step_load(struct hone__gpu_steps *steps, struct hone__gpu_tensors *tensors,
                         const struct hone__kernel_stage *stage,
                         const struct hone__kernel_candidate *candidate,
                         struct hone__gpu_call **out_call, struct hone__text *out_why);
void hone__gpu_step_unload(struct hone__gpu_call *call);
/* With the tensors of a set. False: a copy failed, gpu->fault has the reason. */
bool hone__gpu_step_call(struct hone__gpu_call *call, size_t set);

#endif
