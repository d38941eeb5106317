/* control.h - the loop of a session, and when it ends: requests, the budget, failures.
 *
 * A stage submits jobs and waits in hone__control_wait, which runs the loop; replies go to the
 * stage's callbacks. Two flags end a session early: `stopping` (a request, or the budget: start
 * nothing new, confirm what can be confirmed) and `aborting` (a second request, or a store that
 * fails: exit at once).
 */
#ifndef HONE_SESSION_CONTROL_H
#define HONE_SESSION_CONTROL_H

#include "base/clock.h"
#include "base/status.h"
#include "proc/broken_pipe.h"

#include <stdbool.h>
#include <stddef.h>
#include <uv.h>

struct hone__control {
  uv_loop_t loop;
  struct hone__broken_pipe held;
  uv_timer_t tick; /* wakes the loop for budgets and progress */
  struct hone__clock clock;
  const struct hone_cancel *cancel; /* may be NULL */
  bool end_asked;                   /* by the function that gets events */
  bool stopping, aborting, interrupted;
  /* `cut_at` is over: jobs without a reply are abandoned, and no other is waited for. */
  bool is_cut;
  /* By `clock`. stop_at: end of the search, then of the grace; ends_at: end of the budget, which
   * bounds the whole run; INFINITY */
  double started, stop_at, ends_at;
  double cut_at;       /* nothing is waited for after it; INFINITY */
  hone_status failure; /* why it is aborting; NULL: the caller interrupted it */

  void *stage;                  /* the running stage; passed to its callbacks */
  void (*on_stop)(void *stage); /* called once when `stopping` is noticed; may be NULL */
  /* The stage may start more: a device is back, or is idle while a job waits. */
  void (*on_capacity)(void *stage);
};

/* Runs the loop until something has happened. */
void hone__control_step(struct hone__control *control);
/* Runs the loop until `*pending` is 0, or the session aborts, or is cut off. Abandon what is left.
 */
void hone__control_wait(struct hone__control *control, const size_t *pending);
/* Runs the loop until the counter differs from `seen`: a reply arrived. */
void hone__control_wait_change(struct hone__control *control, const size_t *pending, size_t seen);
/* Keeps a failure that ends the session; later ones are dropped. Takes over the status. */
void hone__control_fail(struct hone__control *control, hone_status status);
/* True if nothing new may be started. */
bool hone__control_over(const struct hone__control *control);
/* The moment by the session's clock. */
double hone__control_now(const struct hone__control *control);
/* True if the caller wants the session to end. */
bool hone__control_is_cancelled(const struct hone__control *control);
/* Seconds until `stop_at`. */
double hone__control_left_s(const struct hone__control *control);

#endif
