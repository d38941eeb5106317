/* kernel_entry.h - the function to call: `entry` of the spec, or the only candidate in the source.
 */
#ifndef HONE_BACKEND_KERNEL_KERNEL_ENTRY_H
#define HONE_BACKEND_KERNEL_KERNEL_ENTRY_H

#include "backend/kernel/kernel.h"

/* Lives as long as the task. INVALID_SPEC: there is none, or there are several, which the message
 * lists. */
hone_status hone__kernel_entry(const struct hone__task *task, const struct hone__kernel_kind *kind,
                               const char **out_entry);
/* For a reference without `entry`: the only function of its file, unless the file, or one that it
 * includes, mentions the kernel's; otherwise the kernel's. `includes`: folders, or NULL. free(). */
char *hone__kernel_reference_entry(const char *path, const char *const *includes,
                                   const struct hone__kernel_kind *kind, const char *kernel_entry);

#endif
