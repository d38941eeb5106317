/* The loop: requests to end, budgets, and waiting for replies. */
#include "session/session.h"

#include "base/cancel.h"

enum { TICK_MS = 100 };

/* The first request stops the session in good order, the second one at once. */
static void take_requests(struct hone__session *session)
{
  struct hone__control *control = &session->control;
  unsigned requests = hone__cancel_requests(control->cancel);

  if (requests > 1 && !control->aborting) {
    control->interrupted = control->stopping = control->aborting = true;
    uv_stop(&control->loop);
  }
  if (control->interrupted || (!requests && !control->end_asked)) return;
  control->interrupted = control->stopping = true;
  session->settings.purpose->on_interrupt(session, "interrupted");
}

static void check_budget(void *data)
{
  struct hone__session *session = data;
  bool over;

  take_requests(session);
  session->control.is_cut = hone__control_now(&session->control) >= session->control.cut_at;
  over = hone__control_left_s(&session->control) <= 0;
  if (over && session->control.interrupted) {
    session->control.aborting = true; /* all remaining work took longer than the grace */
  } else if (over && !session->control.stopping) {
    session->control.stopping = true;
    session->control.stop_at = INFINITY; /* the proof ends at ends_at */
    hone__session_log(session, "the time for searching is over");
  }
}

static void on_tick(uv_timer_t *timer)
{
  check_budget(timer->data);
  hone__session_progress(timer->data, false);
}

hone_status hone__session_open_loop(struct hone__session *session)
{
  int error = uv_loop_init(&session->control.loop);

  if (error) return hone__error(HONE_IO, "cannot create an event loop: %s", uv_strerror(error));
  uv_timer_init(&session->control.loop, &session->control.tick);
  session->control.tick.data = session;
  uv_timer_start(&session->control.tick, on_tick, TICK_MS, TICK_MS);
  session->control.clock.on_move = check_budget; /* a virtual clock moves far between two ticks */
  session->control.clock.data = session;
  hone__broken_pipe_hold(&session->control.held);
  session->control.cancel = session->settings.options->cancel;
  return NULL;
}

void hone__session_close_loop(struct hone__session *session)
{
  uv_close((uv_handle_t *)&session->control.tick, NULL);
  uv_run(&session->control.loop, UV_RUN_DEFAULT);
  hone__broken_pipe_release(&session->control.held);
  if (uv_loop_close(&session->control.loop) != 0) HONE__BUG("a handle is left in the loop");
}

void hone__session_abandon(struct hone__session *session, const size_t *pending)
{
  if (!*pending) return;
  hone__pool_cancel(session->workers.builders);
  hone__pool_cancel(session->workers.runners);
  while (*pending)
    uv_run(&session->control.loop, UV_RUN_ONCE);
}
