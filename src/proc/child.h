/* child.h - one piece of untrusted work in a separate process, waited for with a deadline.
 *
 * This is all that a backend needs to run a compiler or a candidate. The call blocks. When it
 * returns nothing of the child is left: not its process group, nor what it forked and hid with
 * setsid (see hone__child_isolation). The parent's descriptors beyond 2 are closed in the child.
 */
#ifndef HONE_PROC_CHILD_H
#define HONE_PROC_CHILD_H

#include "base/text.h"

#include <signal.h>

struct hone__child_options {
  const char *const
      *argv; /* a program, found in PATH; NULL: `function` in a fork of this process */
  void (*function)(void *data); /* returning is exit status 0 */
  void *data;
  const char *directory; /* to run in; NULL: this one */
  double timeout_s;      /* 0: none */
  double grace_s;        /* between SIGTERM and SIGKILL at the deadline; 0: SIGKILL at once */
  size_t memory_bytes;   /* address space beyond what the fork begins with; 0: no limit */
  size_t file_bytes;     /* largest file that it may write; 0: no limit */
  const int *keep;       /* descriptors that stay open, ended by -1; NULL: none */
  const char *const *variables; /* for its environment: "NAME=value", or "NAME" to take it away;
                                   ended by NULL; NULL: as ours */
  bool splits_output;           /* what it writes to 2 goes to `errors`, not to `output` */
  bool spares_others; /* of what it leaves behind only its group is killed: this process has
                         another child that lives on */
  bool is_guarded;    /* a guard ends it: see below */
};

enum hone__child_end {
  HONE__CHILD_EXITED,    /* code: exit status */
  HONE__CHILD_SIGNALLED, /* code: signal, not sent by us */
  HONE__CHILD_TIMED_OUT,
  HONE__CHILD_STOPPED,    /* code: the signal that stopped it; it was killed then */
  HONE__CHILD_OOM,        /* it died at its memory limit, or of the machine's */
  HONE__CHILD_NOT_STARTED /* code: errno of fork or exec */
};

struct hone__child_result {
  enum hone__child_end end;
  int code;
  double seconds, cpu_seconds;
  size_t peak_bytes;
  long forced_switches;     /* involuntary context switches */
  size_t swept;             /* processes that it left behind and that were killed */
  struct hone__text output; /* what it wrote to 1 and 2: the first 8 KiB and the last 64 KiB */
  struct hone__text errors; /* what it wrote to 2, in the same bounds, if that was requested */
  bool output_cut;          /* of either */
};

void hone__child_run(const struct hone__child_options *options,
                     struct hone__child_result *out_result);
void hone__child_result_release(struct hone__child_result *result);

/* "signal 11 (SIGSEGV)", "exit status 3", "still running after 2.5 s": for evidence. */
void hone__child_describe(const struct hone__child_result *result, struct hone__text *text);

/* "signal 11 (SIGSEGV)" */
void hone__signal_describe(int signal, struct hone__text *text);
/* The last line with anything on it, printable, 200 characters at most; "" if there is none. */
void hone__last_line(const struct hone__text *output, struct hone__text *line);

/* Between the two a signal that would end this process (INT, TERM, HUP) ends its children first: it
 * is held back, a child that runs is killed, the next ones are not started, and it arrives when the
 * guard ends. What is to be removed is removed before that. Guards may be within each other. */
struct hone__child_guard {
  sigset_t before;
};
void hone__child_guard_begin(struct hone__child_guard *guard);
void hone__child_guard_end(const struct hone__child_guard *guard);
bool hone__child_guard_called(void); /* such a signal waits: come to an end */

/* For a wait status and a peak of memory: it was killed, or failed, when it held most of the
 * machine's. */
bool hone__child_looks_oom(int status, size_t peak_bytes);

/* How the tree of a child is ended here: "pid namespace", "cgroup" or "descendants". The runner
 * calls it once, before its first child. */
const char *hone__child_isolation(void);

#endif
