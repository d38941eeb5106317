/* hiprtc_library.h - AMD's run-time compiler.
 *
 * Where it is looked for:
 *   HONE_HIPRTC (a file, or the folder that it lies in; then nowhere else)
 *   names that the loader knows: libhiprtc.so.7, .6, .5, libhiprtc.so, and libamdhip64.so.5, which
 *   contains it before ROCm 5.3
 *   $ROCM_PATH/lib, /opt/rocm/lib, /opt/rocm-*, the highest version first
 */
#ifndef HONE_BACKEND_HIP_HIPRTC_LIBRARY_H
#define HONE_BACKEND_HIP_HIPRTC_LIBRARY_H

#include "backend/simt/rtc_library.h"

/* See rtc_library.h. */
hone_status hone__hiprtc_library(const struct hone__rtc_library **out_library);
const char *hone__hiprtc_library_file(void);

#endif
