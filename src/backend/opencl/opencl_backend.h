/* opencl_backend.h - OpenCL C: see backend/kernel/kernel.h for what all kernels share, and
 * backend/gpu/gpu_candidate.h for how they are launched.
 */
#ifndef HONE_BACKEND_OPENCL_OPENCL_BACKEND_H
#define HONE_BACKEND_OPENCL_OPENCL_BACKEND_H

#include "backend/kernel/kernel.h"

extern const struct hone__kernel_kind hone__kernel_kind_opencl;

/* opencl_build.c */
hone_status hone__opencl_build_command(const struct hone__packed *setup,
                                       const struct hone__packed *candidate,
                                       struct hone__text *out_command);
void hone__opencl_build(const struct hone__packed *setup, const struct hone__packed *job,
                        struct hone__answer *answer);
/* Adds all that changes the object, but for included files. */
void hone__opencl_identify(const struct hone__kernel_candidate *candidate,
                           const struct hone__build_source_text *source, const char *folder,
                           struct hone__digester *digester);

#endif
