/* hip_flags.h - options for hiprtc and hipcc, which are both clang's, from a candidate's flags,
 * definitions, includes and architecture. Lists of flags end with NULL, or are NULL. */
#ifndef HONE_BACKEND_HIP_HIP_FLAGS_H
#define HONE_BACKEND_HIP_HIP_FLAGS_H

#include "backend/kernel/kernel_candidate.h"
#include "base/words.h"

/* The architecture that flags name ("--offload-arch=gfx90a"), lent from them; NULL: none. */
const char *hone__hip_flags_arch(const char *const *flags);

/* Options for hiprtc. `headers` is NULL: it has its own. */
void hone__hip_options(const struct hone__kernel_candidate *candidate, const char *headers,
                       struct hone__words *out_options);

/* Adds the words of a command that makes a code object. `is_for_people`: without options that only
 * Hone needs. */
void hone__hip_command(const struct hone__kernel_candidate *candidate, const char *source,
                       const char *output, bool is_for_people, struct hone__words *out_words);

#endif
