/* cuda_library.h - CUDA's driver interface, loaded at run time. */
#ifndef HONE_BACKEND_CUDA_CUDA_LIBRARY_H
#define HONE_BACKEND_CUDA_CUDA_LIBRARY_H

#include "backend/simt/simt_library.h"

/* Opened on the first call, and never closed. HONE_CUDA names another file. UNAVAILABLE names the
 * file and where it comes from. */
hone_status hone__cuda_library(const struct hone__simt_library **out_library);

#endif
