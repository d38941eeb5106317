/* child_idle.h - tells when a child is deadlocked: it uses no processor time, writes nothing, all
 * its threads wait for an event, and it has no children that may work for it.
 */
#ifndef HONE_PROC_CHILD_IDLE_H
#define HONE_PROC_CHILD_IDLE_H

#include <stdbool.h>
#include <sys/types.h>

struct hone__child_idle {
  double cpu_s, looked;
  /* In a row without progress; looks, not seconds: this process may be paused, too. */
  unsigned looks;
};

/* To be called often. `limit_s` 0: never. True if it made no progress for so long. */
bool hone__child_is_idle(struct hone__child_idle *idle, pid_t pid, bool has_output, double limit_s);

#endif
