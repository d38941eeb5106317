/* gpu_arguments.h - the arguments of a kernel on a device: the values of its stage, its tensors. */
#ifndef HONE_BACKEND_GPU_GPU_ARGUMENTS_H
#define HONE_BACKEND_GPU_GPU_ARGUMENTS_H

#include "backend/gpu/gpu_tensors.h"

/* Binds sets first_set ... sets - 1. False: gpu->fault has the reason; values that do not fit are a
 * LAUNCH_FAILURE. */
bool hone__gpu_arguments_bind(struct hone__gpu_tensors *tensors, struct hone__gpu_kernel *kernel,
                              const struct hone__kernel_stage *stage, size_t first_set,
                              size_t sets);

#endif
