/* purpose.h - what a command wants of its session: all in which `hone tune`, `hone sweep` and `hone
 * run` differ for the files that they share.
 */
#ifndef HONE_SESSION_PURPOSE_H
#define HONE_SESSION_PURPOSE_H

#include "backend/task.h"
#include "hone.h"

struct hone__session;

struct hone__purpose {
  hone_status (*init_task)(struct hone__task *task, const struct hone_spec *spec,
                           const struct hone_space *space);
  bool is_stored;               /* what is learned goes into the store */
  bool needs_baseline;          /* a device takes part once it has timed the baseline */
  bool builds_anew;             /* although the cache has it: to show what the compiler says */
  bool stops_at_equal_failures; /* builds that all fail alike end the session (failing.h) */
  /* The first signal, whose name is `what`. */
  void (*on_interrupt)(struct hone__session *session, const char *what);
  /* Fills in what the status line shows beside counts and times: eta_s, best_speedup, patience. */
  void (*fill_progress)(const struct hone__session *session, struct hone_event *event);
};

#endif
