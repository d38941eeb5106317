/* child_start.h - what happens in the child between the fork and its work. */
#ifndef HONE_PROC_CHILD_START_H
#define HONE_PROC_CHILD_START_H

#include "proc/child.h"

#include <sys/types.h>

struct hone__child_note { /* shared with the parent until the work begins */
  pid_t parent;
  int error;         /* errno: the work could not begin */
  size_t base_bytes; /* that the fork had in memory */
};

_Noreturn void hone__child_begin(const struct hone__child_options *options, int output, int errors,
                                 struct hone__child_note *note);

/* No handlers and no mask of the parent: signals as a fresh process has them. */
void hone__child_reset_signals(void);
/* "NAME=value", or "NAME" to take it away; ended by NULL; may be NULL. */
void hone__child_take_variables(const char *const *variables);
/* Closes all descriptors from `first` on but those in `keep` (ended by -1; may be NULL). */
void hone__child_close_files(int first, const int *keep);

#endif
