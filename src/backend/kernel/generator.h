/* generator.h - build.command of kernels: a program of the user's that writes code, or its source.
 *
 * The driver expands the command's words for a configuration. A builder runs it, and looks at the
 * file that it wrote: code is the object; anything else is compiled as the kernel's source would
 * be, without the macros of parameters and sizes, whose values the command has.
 */
#ifndef HONE_BACKEND_KERNEL_GENERATOR_H
#define HONE_BACKEND_KERNEL_GENERATOR_H

#include "backend/kernel/kernel_build.h"

/* ---- In the driver ---- */

/* Sets the candidate's command, if the spec has one for this source. */
hone_status hone__generator_command(const struct hone__kernel_origin *origin, const uint32_t *row,
                                    struct hone__arena *arena,
                                    struct hone__kernel_candidate *candidate);

/* ---- In a builder ---- */

/* Adds the words to execute. `deps`: where to write the list of files that were read, or NULL for a
 * command to show to the user. */
void hone__generator_words(const struct hone__kernel_candidate *candidate, const char *source,
                           const char *output, const char *deps, struct hone__words *out_words);
/* True if there is a command, which then is printed. */
bool hone__generator_print(const struct hone__kernel_order *order, const char *object,
                           struct hone__text *out_command);
/* As the compiler's method `look`: the files that the command may read, as far as they are known
 * before it runs. */
void hone__generator_look(struct hone__kernel_build *build);
/* As the compiler's method `compile`. */
void hone__generator_compile(struct hone__kernel_build *build);
/* True if the kernel's file is code that needs no compiler; then the build has ended. */
bool hone__generator_is_done(struct hone__kernel_build *build);

/* ---- What a file is ---- */

bool hone__generator_is_text(const char *bytes, size_t size);
/* The machine of an ELF file, and its type; false: it is not one. */
bool hone__generator_is_elf(const char *bytes, size_t size, unsigned *out_machine,
                            unsigned *out_type);

#endif
