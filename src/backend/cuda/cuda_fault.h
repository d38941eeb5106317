/* cuda_fault.h - what a CUDA error means for a candidate.
 *
 *   if (hone__cuda_fails(gpu, gpu->cuda->MemAlloc_v2(&address, bytes), "memory")) return false;
 */
#ifndef HONE_BACKEND_CUDA_CUDA_FAULT_H
#define HONE_BACKEND_CUDA_CUDA_FAULT_H

#include "backend/cuda/cuda_library.h"
#include "backend/gpu/gpu_driver.h"
#include "base/text.h"

/* "an illegal memory access was encountered (CUDA_ERROR_ILLEGAL_ADDRESS, 700)" */
void hone__cuda_describe(const struct hone__cuda_library *cuda, cuda_result result,
                         struct hone__text *text);
/* Sets the class, whether the context is lost, and the message "what: ..."; `what` may be NULL. */
void hone__cuda_judge(const struct hone__cuda_library *cuda, cuda_result result, const char *what,
                      struct hone__gpu_fault *out_fault);

#endif
