/* hip_backend.h - HIP C++: see backend/kernel/kernel.h for what is common to all kernels,
 * backend/gpu/gpu_candidate.h for how they are launched, and simt_compiler.h for how they are
 * compiled: by hiprtc, or by hipcc.
 */
#ifndef HONE_BACKEND_HIP_HIP_BACKEND_H
#define HONE_BACKEND_HIP_HIP_BACKEND_H

#include "backend/kernel/kernel.h"
#include "backend/simt/simt_compiler.h"

#define HONE__HIP_HIPRTC "hiprtc"

extern const struct hone__kernel_kind hone__kernel_kind_hip;
extern const struct hone__simt_compiler hone__simt_compiler_hip; /* hip_build.c */

#endif
