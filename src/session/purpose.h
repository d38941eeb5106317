/* purpose.h - the differences between the sessions of `hone tune`, `hone sweep` and `hone run`. */
#ifndef HONE_SESSION_PURPOSE_H
#define HONE_SESSION_PURPOSE_H

#include "backend/task.h"
#include "hone.h"

struct hone__session;

struct hone__purpose {
  hone_status (*init_task)(struct hone__task *task, const struct hone_spec *spec,
                           const struct hone_space *space);
  bool is_stored;      /* results are written to the store */
  bool needs_baseline; /* a device takes part after it has timed the baseline */
  bool builds_anew;    /* build even if the cache has the object: to show the compiler's output */
  bool stops_at_equal_failures; /* builds that all fail alike end the session (failing.h) */
  /* Called for the first signal, whose name is `what`. */
  void (*on_interrupt)(struct hone__session *session, const char *what);
  /* Fills in the fields of the status line besides counts and times: eta_s, best_speedup, patience.
   */
  void (*fill_progress)(const struct hone__session *session, struct hone_event *event);
};

#endif
