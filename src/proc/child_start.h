/* child_start.h - the child's steps between the fork and its work. */
#ifndef HONE_PROC_CHILD_START_H
#define HONE_PROC_CHILD_START_H

#include "proc/child.h"

#include <sys/types.h>

struct hone__child_note { /* shared with the parent until the work starts */
  pid_t parent;
  int error;          /* errno: the work could not start */
  size_t space_bytes; /* address space of the parent at the fork */
  size_t base_bytes;  /* resident memory at the fork */
};

/* Before the fork, in the parent: memory that both share; NULL and errno. */
struct hone__child_note *hone__child_note_make(const struct hone__child_options *options);
void hone__child_note_free(struct hone__child_note *note); /* NULL is fine */

_Noreturn void hone__child_begin(const struct hone__child_options *options, int output, int errors,
                                 struct hone__child_note *note);

/* Resets signal handlers and the signal mask to the defaults of a new process. */
void hone__child_reset_signals(void);
/* "NAME=value" sets, "NAME" removes; terminated by NULL; may be NULL. */
void hone__child_take_variables(const char *const *variables);
/* Closes all descriptors from `first` on, except those in `keep` (terminated by -1; may be NULL).
 */
void hone__child_close_files(int first, const int *keep);

#endif
