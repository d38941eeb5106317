/* cuda_flags.h - options for NVRTC and nvcc, from a candidate's flags, definitions, includes and
 * architecture. Lists of flags end with NULL, or are NULL. */
#ifndef HONE_BACKEND_CUDA_CUDA_FLAGS_H
#define HONE_BACKEND_CUDA_CUDA_FLAGS_H

#include "backend/kernel/kernel_candidate.h"
#include "base/words.h"

enum { HONE__CUDA_ARCH_SIZE = 16 };

/* The real architecture that flags name ("-arch=sm_90", "-gencode arch=compute_80,code=sm_80"):
 * "sm_80". False: they name none. */
bool hone__cuda_flags_arch(const char *const *flags, char out_arch[HONE__CUDA_ARCH_SIZE]);

/* Options that NVRTC supports: nvcc's options for the host's compiler and for optimisation are
 * dropped. `headers`: those of CUDA, or NULL. */
void hone__cuda_nvrtc_options(const struct hone__kernel_candidate *candidate, const char *headers,
                              struct hone__words *out_options);

/* Adds the words of a command that makes a cubin. `is_for_people`: without options that only Hone
 * needs. */
void hone__cuda_nvcc_words(const struct hone__kernel_candidate *candidate, const char *source,
                           const char *output, bool is_for_people, struct hone__words *out_words);

#endif
