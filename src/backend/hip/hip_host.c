/* HIP kernels in the program that launches them. */
#include "backend/hip/hip_gpu.h"
#include "backend/simt/simt_host.h"

HONE__SIMT_HOST(hone__host_hip, hone__simt_kind_hip);
