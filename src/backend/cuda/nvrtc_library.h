/* nvrtc_library.h - NVIDIA's run-time compiler, and CUDA's headers.
 *
 * Where it is looked for:
 *   HONE_NVRTC (a file, or the folder that it lies in; then nowhere else)
 *   names that the loader knows: libnvrtc.so.13, .12, .11.2, libnvrtc.so
 *   $CUDA_HOME/lib64, /usr/local/cuda*, and the site-packages of the python3 in PATH, where pip
 * puts the wheels nvidia-cuda-nvrtc-cu12 and nvidia-cuda-nvrtc.
 */
#ifndef HONE_BACKEND_CUDA_NVRTC_LIBRARY_H
#define HONE_BACKEND_CUDA_NVRTC_LIBRARY_H

#include "backend/simt/rtc_library.h"

/* See rtc_library.h. */
hone_status hone__nvrtc_library(const struct hone__rtc_library **out_library);
const char *hone__nvrtc_library_file(void);

/* The folder with cuda_fp16.h and mma.h that fits this library best: next to it, in CUDA_HOME, in
 * /usr/local/cuda, in pip wheels. `library` may be NULL. NULL: not found. free(). */
char *hone__cuda_headers(const char *library);

#endif
