/* accelerators.h - the accelerators that programs are built for, and those of this machine. */
#ifndef CLI_ACCELERATORS_H
#define CLI_ACCELERATORS_H

#include <stdbool.h>
#include <stddef.h>

extern const char *const accelerator_names[]; /* such as "nvidia:sm_90"; NULL-terminated */

/* False after a message if the name is unknown. */
bool accelerator_check(const char *name);

/* How many GPUs of this kind may be used: those of the machine, or those listed in the variable
 * that hides the others. False if not known. */
bool accelerator_count(const char *name, size_t *out_count);

/* The first `count` of them as devices, "program:gpu0,program:gpu1"; the caller frees it. */
char *accelerator_devices(const char *name, size_t count);

#endif
