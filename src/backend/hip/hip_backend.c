/* The backend for HIP: code objects, launched by a process that owns the device. */
#include "backend/hip/hip_backend.h"

#define HONE__SIMT_COMPILER hone__simt_compiler_hip
#define HONE__SIMT_KIND     hone__kernel_kind_hip
#define HONE__SIMT_GPU      hone__gpu_hip
#include "backend/simt/simt_methods.h"

const struct hone__kernel_kind hone__kernel_kind_hip = {.backend = "hip",
                                                        .complete = complete,
                                                        .identify = identify,
                                                        .functions = HONE__FUNCTIONS_CUDA,
                                                        .launch = hone__gpu_stage_launch};

static const char *const suffixes[] = {".hip", ".hip.cpp", ".hsaco", NULL};

const struct hone__backend hone__backend_hip = {
    .name = "hip",
    .suffixes = suffixes,
    HONE__SIMT_TIMES,
    .host = &hone__host_hip,
    HONE__SIMT_METHODS,
};
