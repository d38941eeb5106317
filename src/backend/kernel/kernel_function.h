/* kernel_function.h - functions of the user's in C that make inputs (supply.file), check answers
 * (check.file) or are called between the kernels of a pipeline (kernel_step.h).
 *
 * The driver builds them, with sizes as macros. Each call of the first two is in a process of its
 * own; arguments are pointers, and numbers of elements.
 */
#ifndef HONE_BACKEND_KERNEL_KERNEL_FUNCTION_H
#define HONE_BACKEND_KERNEL_KERNEL_FUNCTION_H

#include "backend/kernel/describer.h"
#include "proc/child.h"

struct hone__kernel_word { /* an argument */
  const void *pointer;     /* NULL: it is the count */
  long count;
};

struct hone__kernel_function {
  const void *object;
  size_t object_size;
  const char *entry;
  const struct hone__kernel_word *words;
  size_t count;
  const char *directory;
  double timeout_s;
  bool spares_others; /* see proc/child.h */
};

/* Exit status 0: it returned 0, or nothing. The output has the reason if it cannot be called.
 * Memory that it writes to must be shared. */
void hone__kernel_function_call(const struct hone__kernel_function *function, bool has_result,
                                struct hone__child_result *out_result);

/* ---- In the driver ---- */

/* Builds a file, and puts its object into the payload. `entry` NULL: its only function.
 * `*out_entry` is in the arena. */
hone_status hone__kernel_function_build(struct hone__describer *describer,
                                        const struct hone__node *file, const char *entry,
                                        const char **out_entry,
                                        struct hone__kernel_file *out_object);
/* Whether supply.file makes this argument; and calls it, after all arguments are known. */
bool hone__kernel_function_supplies(const struct hone__describer *describer,
                                    const struct hone__kernel_arg *arg);
hone_status hone__kernel_function_supply(struct hone__describer *describer);

#endif
