/* simt_host_headers.h - what NVRTC and hiprtc find for <stdio.h>, <math.h> and other headers of the
 * host.
 *
 * Sources of kernels often include some of them. NVRTC has none, and hiprtc takes those of the
 * host, whose declarations contradict its own. Most of what a kernel uses of them is built into the
 * compilers; the rest is here.
 */
#ifndef HONE_BACKEND_SIMT_SIMT_HOST_HEADERS_H
#define HONE_BACKEND_SIMT_SIMT_HOST_HEADERS_H

#include "backend/simt/simt_rtc.h"

extern const struct hone__rtc_header hone__simt_host_headers_cuda[]; /* the last is {0} */
extern const struct hone__rtc_header hone__simt_host_headers_hip[];

#endif
