/* simt_backend.h - what the backends of CUDA and HIP have in common beside their compilers.
 *
 * A backend takes its methods from simt_methods.h.
 */
#ifndef HONE_BACKEND_SIMT_SIMT_BACKEND_H
#define HONE_BACKEND_SIMT_SIMT_BACKEND_H

#include "backend/c/c_backend.h"
#include "backend/gpu/gpu_bench.h"
#include "backend/gpu/gpu_probe.h"
#include "backend/kernel/kernel.h"
#include "backend/kernel/signature.h"
#include "backend/simt/simt_compiler.h"

bool hone__simt_is_beside_cpu(const char *device);

/* Adds the compiler, the architecture and the launch to a candidate. INVALID_SPEC: neither a device
 * nor a flag names an architecture. */
hone_status hone__simt_complete(const struct hone__simt_compiler *compiler,
                                const struct hone__kernel_origin *origin, const uint32_t *row,
                                struct hone__arena *arena,
                                struct hone__kernel_candidate *candidate);

/* Of a kernel, or of a reference in C. */
hone_status hone__simt_build_command(const struct hone__simt_compiler *compiler,
                                     const struct hone__packed *setup,
                                     const struct hone__packed *candidate,
                                     struct hone__text *out_command);
void hone__simt_build(const struct hone__simt_compiler *compiler, const struct hone__packed *setup,
                      const struct hone__packed *job, struct hone__answer *answer);

#define HONE__SIMT_TIMES                                                                           \
  .start_s = HONE__GPU_START_S, .renews = true, .batch_ns = HONE__GPU_BATCH_NS

#endif
