/* cuda_backend.h - CUDA C++: see backend/kernel/kernel.h for what is common to all kernels, and
 * backend/gpu/gpu_candidate.h for how they are launched, and simt_compiler.h for how they are
 * compiled: by NVRTC, or by nvcc.
 */
#ifndef HONE_BACKEND_CUDA_CUDA_BACKEND_H
#define HONE_BACKEND_CUDA_CUDA_BACKEND_H

#include "backend/kernel/kernel.h"
#include "backend/simt/simt_compiler.h"

#define HONE__CUDA_NVRTC "nvrtc"

extern const struct hone__kernel_kind hone__kernel_kind_cuda;
extern const struct hone__simt_compiler hone__simt_compiler_cuda; /* cuda_build.c */

#endif
