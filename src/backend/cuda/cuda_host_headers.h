/* cuda_host_headers.h - what NVRTC finds for <stdio.h>, <math.h> and other headers of the host.
 *
 * Sources of kernels often include some of them, directly or by <cuda.h>, and NVRTC has none of
 * them. Most of what a kernel uses of them is built into NVRTC; the rest is here.
 */
#ifndef HONE_BACKEND_CUDA_CUDA_HOST_HEADERS_H
#define HONE_BACKEND_CUDA_CUDA_HOST_HEADERS_H

#include "backend/simt/simt_rtc.h"

extern const struct hone__rtc_header hone__cuda_host_headers[]; /* the last is {0} */

#endif
