/* child.h - runs untrusted work in a separate process and waits for it with a deadline.
 *
 * A backend needs only this to run a compiler or a candidate. The call blocks. When it returns no
 * process of the child is left: neither its process group, nor, in a worker, processes that it
 * forked and hid with setsid (see hone__child_isolation). The parent's descriptors above 2 are
 * closed in the child.
 */
#ifndef HONE_PROC_CHILD_H
#define HONE_PROC_CHILD_H

#include "base/text.h"

#include <signal.h>

struct hone__child_options {
  const char *const
      *argv; /* a program, found in PATH; NULL: call `function` in a fork of this process */
  void (*function)(void *data); /* exit status 0 when it returns */
  void *data;
  const char *directory; /* working directory; NULL: the current one */
  double timeout_s;      /* 0: none */
  double idle_s;         /* ends it as at the deadline if it is deadlocked for so long: see
                            child_idle.h; 0: it may wait */
  double grace_s;        /* between SIGTERM and SIGKILL at the deadline; 0: SIGKILL at once */
  size_t memory_bytes;   /* address space beyond that of the fork; 0: no limit */
  size_t file_bytes;     /* largest file it may write; 0: no limit */
  int input;             /* becomes descriptor 0; 0: /dev/null does */
  const int *keep;       /* descriptors that stay open, terminated by -1; NULL: none */
  const char *const *variables; /* changes to its environment: "NAME=value" sets, "NAME" removes;
                                   terminated by NULL; NULL: no changes */
  bool splits_output;           /* capture descriptor 2 in `errors` instead of `output` */
  bool spares_others; /* afterwards kill only its process group: this process has another child that
                         must survive */
  bool is_guarded;    /* a guard can end it: see below */
};

enum hone__child_end {
  HONE__CHILD_EXITED,     /* code: exit status */
  HONE__CHILD_SIGNALLED,  /* code: a signal that this library did not send */
  HONE__CHILD_TIMED_OUT,  /* or `was_idle` */
  HONE__CHILD_STOPPED,    /* code: the signal that stopped it; it was then killed */
  HONE__CHILD_OOM,        /* it died at its memory limit, or when the machine ran out of memory */
  HONE__CHILD_NOT_STARTED /* code: errno of fork or exec */
};

struct hone__child_result {
  enum hone__child_end end;
  int code;
  double seconds, cpu_seconds;
  size_t peak_bytes;
  long forced_switches;     /* involuntary context switches */
  size_t swept;             /* processes it left behind, which were killed */
  struct hone__text output; /* from descriptors 1 and 2: the first 8 KiB and the last 64 KiB */
  struct hone__text errors; /* from descriptor 2, in the same bounds, if requested */
  bool output_cut;          /* one of them is incomplete */
  bool was_idle;            /* it was ended for `idle_s` */
};

void hone__child_run(const struct hone__child_options *options,
                     struct hone__child_result *out_result);
void hone__child_result_release(struct hone__child_result *result);

/* "signal 11 (SIGSEGV)", "exit status 3", "still running after 2.5 s": for evidence. */
void hone__child_describe(const struct hone__child_result *result, struct hone__text *text);
/* True if it did not exit with status 0; adds "exit status 3: the last line of its output". */
bool hone__child_failed(const struct hone__child_result *result, struct hone__text *why);

/* "signal 11 (SIGSEGV)" */
void hone__signal_describe(int signal, struct hone__text *text);
/* The last non-blank line, printable, at most 200 characters; "" if there is none. */
void hone__last_line(const struct hone__text *output, struct hone__text *line);

/* Within a guard a signal that would end this process (INT, TERM, HUP) ends its children first: the
 * signal is held back, a running child is killed, no other child is started, and the signal is
 * delivered when the guard ends, after cleanup. Guards may be nested. */
struct hone__child_guard {
  sigset_t before;
};
void hone__child_guard_begin(struct hone__child_guard *guard);
void hone__child_guard_end(const struct hone__child_guard *guard);
bool hone__child_guard_called(void); /* such a signal is pending: stop soon */

/* From a wait status and a peak of memory: the process was killed, or failed, while it held most of
 * the machine's memory. */
bool hone__child_looks_oom(int status, size_t peak_bytes);

/* How the process tree of a child is ended here: "pid namespace", "cgroup" or "descendants". The
 * runner calls it once, before its first child. */
const char *hone__child_isolation(void);

#endif
