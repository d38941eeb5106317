/* The loop: signals, budgets, and waiting for replies. */
#include "session/session.h"

#include <signal.h>

enum { TICK_MS = 100 };

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

static void on_signal(uv_signal_t *handle, int number)
{
  struct hone__session *session = handle->data;

  if (session->control.interrupted) {
    session->control.aborting = true;
    uv_stop(&session->control.loop);
    return;
  }
  session->control.interrupted = session->control.stopping = true;
  session->settings.purpose->on_interrupt(session,
                                          number == SIGINT ? "interrupted" : strsignal(number));
}

static void check_budget(void *data)
{
  struct hone__session *session = data;
  bool over = hone__control_left_s(&session->control) <= 0;

  if (hone__control_is_cancelled(&session->control)) {
    session->control.interrupted = session->control.aborting = true;
  } else if (over && session->control.interrupted) {
    session->control.aborting = true; /* all remaining work took longer than the grace */
  } else if (over && !session->control.stopping) {
    session->control.stopping = true;
    session->control.stop_at = INFINITY; /* the budget is for searching; the proof has no limit */
    hone__session_log(session, "the budget is exhausted");
  }
}

static void on_tick(uv_timer_t *timer)
{
  check_budget(timer->data);
  hone__session_progress(timer->data, false);
}

static bool is_ignored(int number)
{
  struct sigaction action;

  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
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
  for (int i = 0; session->settings.options->handle_signals && i < 3 && !error; i++) {
    uv_signal_t *signal = &session->control.signals[session->control.signal_count];
    if (numbers[i] == SIGHUP && is_ignored(SIGHUP)) continue; /* nohup */
    error = uv_signal_init(&session->control.loop, signal);
    if (error) break;
    signal->data = session;
    session->control.signal_count++;
    error = uv_signal_start(signal, on_signal, numbers[i]);
  }
  if (!error) return NULL;
  hone__session_close_loop(session);
  return hone__error(HONE_IO, "cannot watch for signals: %s", uv_strerror(error));
}

void hone__session_close_loop(struct hone__session *session)
{
  uv_close((uv_handle_t *)&session->control.tick, NULL);
  for (int i = 0; i < session->control.signal_count; i++)
    uv_close((uv_handle_t *)&session->control.signals[i], NULL);
  uv_run(&session->control.loop, UV_RUN_DEFAULT);
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
