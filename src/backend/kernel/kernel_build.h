/* kernel_build.h - what builds of kernels share, whichever compiler works; in a builder. */
#ifndef HONE_BACKEND_KERNEL_KERNEL_BUILD_H
#define HONE_BACKEND_KERNEL_KERNEL_BUILD_H

#include "backend/kernel/kernel.h"

/* Whether a candidate is in C: a reference beside kernels of another kind. */
bool hone__kernel_is_c(const json_t *candidate);

/* The candidate's source, to be released. False: the answer says that it cannot be read, or is not
 * the text that the driver saw. */
bool hone__kernel_source_read(const json_t *candidate, struct hone__answer *answer,
                              struct hone__source_text *out_source);
/* The source's name as messages shall show it: without the folder that the compiler runs in. */
const char *hone__kernel_short_name(const char *source, const char *folder);

/* Words as a person can paste them; `needs_folder`: they mean nothing elsewhere than in the spec's.
 */
void hone__kernel_print_command(const json_t *setup, const json_t *words, bool needs_folder,
                                struct hone__text *out_command);
/* Adds "command" to an answer; `print` is the backend's build_command. */
void hone__kernel_add_command(const json_t *setup, const json_t *candidate,
                              hone_status (*print)(const json_t *setup, const json_t *candidate,
                                                   struct hone__text *out_command),
                              struct hone__answer *answer);

#endif
