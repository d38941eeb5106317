/* The backend for CUDA: cubins, launched by a process that owns the device. */
#include "backend/cuda/cuda_backend.h"

#define HONE__SIMT_COMPILER hone__simt_compiler_cuda
#define HONE__SIMT_KIND     hone__kernel_kind_cuda
#define HONE__SIMT_GPU      hone__gpu_cuda
#include "backend/simt/simt_methods.h"

const struct hone__kernel_kind hone__kernel_kind_cuda = {.backend = "cuda",
                                                         .complete = complete,
                                                         .identify = identify,
                                                         .functions = HONE__FUNCTIONS_CUDA,
                                                         .launch = hone__gpu_stage_launch};

static const char *const suffixes[] = {".cu", ".cuh", ".cubin", ".ptx", NULL};

const struct hone__backend hone__backend_cuda = {
    .name = "cuda",
    .suffixes = suffixes,
    HONE__SIMT_TIMES,
    .host = &hone__host_cuda,
    HONE__SIMT_METHODS,
};
