/* simt_fault.h - what an error of CUDA or HIP means for a candidate.
 *
 *   if (hone__simt_fails(gpu, gpu->api->MemAlloc(&address, bytes), "memory")) return false;
 */
#ifndef HONE_BACKEND_SIMT_SIMT_FAULT_H
#define HONE_BACKEND_SIMT_SIMT_FAULT_H

#include "backend/simt/simt_kind.h"
#include "backend/gpu/gpu_driver.h"
#include "base/text.h"

/* "an illegal memory access was encountered (SIMT_ERROR_ILLEGAL_ADDRESS, 700)" */
void hone__simt_describe(const struct hone__simt_library *api, simt_result result,
                         struct hone__text *text);
/* Sets the class, whether the context is lost, and the message "what: ..."; `what` may be NULL. */
void hone__simt_judge(const struct hone__simt_library *api, simt_result result, const char *what,
                      struct hone__gpu_fault *out_fault);

#endif
