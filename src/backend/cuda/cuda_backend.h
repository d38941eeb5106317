/* cuda_backend.h - CUDA C++: see backend/kernel/kernel.h for what is common to all kernels, and
 * backend/gpu/gpu_candidate.h for how they are launched.
 *
 * The compiler of a candidate is "nvrtc", or the words of a command: nvcc. Its entry is a C++
 * expression that names a kernel: "gemm", "tiled::gemm<BM, BN, float>".
 */
#ifndef HONE_BACKEND_CUDA_CUDA_BACKEND_H
#define HONE_BACKEND_CUDA_CUDA_BACKEND_H

#include "backend/kernel/kernel.h"

#define HONE__CUDA_NVRTC "nvrtc"

extern const struct hone__kernel_kind hone__kernel_kind_cuda;

/* cuda_candidate.c */
hone_status hone__cuda_describe_task(const struct hone__task *task,
                                     struct hone__message *out_setup);
hone_status hone__cuda_candidate(const struct hone__task *task, const uint32_t *row,
                                 struct hone__packed **out_candidate);

/* cuda_identity.c: adds everything that changes the object, except included files. `ask`: opens
 * NVRTC for its version, which only a worker should do. */
void hone__cuda_identify(const struct hone__kernel_candidate *candidate,
                         const struct hone__source_text *source, const char *folder, bool ask,
                         struct hone__digester *digester);
bool hone__cuda_uses_nvrtc(const struct hone__kernel_candidate *candidate);

/* cuda_build.c */
hone_status hone__cuda_build_command(const struct hone__packed *setup,
                                     const struct hone__packed *candidate,
                                     struct hone__text *out_command);
void hone__cuda_build(const struct hone__packed *setup, const struct hone__packed *job,
                      struct hone__answer *answer);

#endif
