/* CUDA kernels in the program that launches them. */
#include "backend/cuda/cuda_gpu.h"
#include "backend/simt/simt_host.h"

HONE__SIMT_HOST(hone__host_cuda, hone__simt_kind_cuda);
