/* scratch.h - a folder in which a user's commands find and leave arrays.
 *
 * Arrays are NAME.npy. A command gets the folder in $HONE_OUTPUT_DIR, or by {dir} in its words,
 * and runs in the spec's folder.
 */
#ifndef HONE_BACKEND_KERNEL_SCRATCH_H
#define HONE_BACKEND_KERNEL_SCRATCH_H

#include "backend/kernel/trial.h"

/* `sub`: a folder in it, made if need be; NULL: none. */
hone_status hone__kernel_scratch_write(const char *folder, const char *sub,
                                       const struct hone__arg *arg, const unsigned char *elements);
/* The caller frees the file's bytes; the elements, `*out_size` bytes, are in them. */
hone_status hone__kernel_scratch_read(const char *folder, const struct hone__arg *arg,
                                      char **out_bytes, const unsigned char **out_elements,
                                      size_t *out_size);

/* INVALID_SPEC: no words. The caller releases the result. */
hone_status hone__kernel_scratch_command(const struct hone__bench *bench, const char *folder,
                                         const char *const *words, size_t count, double timeout_s,
                                         struct hone__child_result *out_result);

#endif
