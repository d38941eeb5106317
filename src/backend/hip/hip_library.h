/* hip_library.h - the HIP runtime, loaded at run time. */
#ifndef HONE_BACKEND_HIP_HIP_LIBRARY_H
#define HONE_BACKEND_HIP_HIP_LIBRARY_H

#include "backend/simt/simt_library.h"

/* Opened on the first call, and never closed: libamdhip64 as the loader knows it, else that of
 * /opt/rocm. HONE_HIP names another file. UNAVAILABLE names the file and where it comes from. */
hone_status hone__hip_library(const struct hone__simt_library **out_library);

#endif
