/* simt_backend.h - what the backends of CUDA and HIP have in common beside their compilers.
 *
 * A backend has one line for each method that must know its compiler or its library, and takes the
 * others from the macros below.
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
#define HONE__SIMT_DRIVER_METHODS                                                                  \
  .deps_are_current = hone__c_deps_are_current, .explain_call = hone__signature_explain,           \
  .is_beside_cpu = hone__simt_is_beside_cpu
#define HONE__SIMT_WORKER_METHODS                                                                  \
  .prepare = hone__gpu_prepare, .run = hone__bench_run, .release = hone__gpu_release,              \
  .close = hone__gpu_close

#endif
