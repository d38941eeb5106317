/* The loop: signals, budgets, and waiting for replies. */
#include "tune/tuning.h"

#include "base/clock.h"

#include <signal.h>

enum { TICK_MS = 100 };
static const double GRACE_S = 10; /* to confirm what can be confirmed after the first signal */

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

static void say_stopping(struct hone__tuning *tuning, const char *what)
{
  if (tuning->session.problem.which.is_sweep)
    hone__tuning_say(tuning, HONE_EVENT_NOTE,
                     "%s: stopping; what is measured is kept, and the same command goes on from "
                     "there",
                     what);
  else
    hone__tuning_say(
        tuning, HONE_EVENT_NOTE,
        "%s: stopping; what is measured is kept, and the best is confirmed if that takes "
        "less than %.0f s (once more: stop at once)",
        what, GRACE_S);
}

static void on_signal(uv_signal_t *handle, int number)
{
  struct hone__tuning *tuning = handle->data;

  if (tuning->session.control.interrupted) {
    tuning->session.control.aborting = true;
    uv_stop(&tuning->session.control.loop);
    return;
  }
  tuning->session.control.interrupted = tuning->session.control.stopping = true;
  tuning->session.control.stop_at = hone__clock() + GRACE_S;
  if (!tuning->ranking.count)
    tuning->session.control.aborting = true; /* there is nothing to be confirmed */
  say_stopping(tuning, number == SIGINT ? "interrupted" : strsignal(number));
}

static void on_tick(uv_timer_t *timer)
{
  struct hone__tuning *tuning = timer->data;
  bool over = hone__control_left_s(&tuning->session.control) <= 0;

  if (over && tuning->session.control.interrupted) {
    tuning->session.control.aborting =
        true; /* whatever is still under way took longer than the grace */
  } else if (over && !tuning->session.control.stopping) {
    tuning->session.control.stopping = true;
    tuning->session.control.stop_at =
        INFINITY; /* the budget is for searching; proving takes what it takes */
    hone__tuning_log(tuning, "the budget is spent");
  }
  hone__tuning_progress(tuning, false);
}

static bool is_ignored(int number)
{
  struct sigaction action;

  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

hone_status hone__tuning_open_loop(struct hone__tuning *tuning)
{
  int error = uv_loop_init(&tuning->session.control.loop);

  if (error) return hone__error(HONE_IO, "cannot make an event loop: %s", uv_strerror(error));
  uv_timer_init(&tuning->session.control.loop, &tuning->session.control.clock);
  tuning->session.control.clock.data = tuning;
  uv_timer_start(&tuning->session.control.clock, on_tick, TICK_MS, TICK_MS);
  for (int i = 0; tuning->session.settings.options->handle_signals && i < 3 && !error; i++) {
    uv_signal_t *signal = &tuning->session.control.signals[tuning->session.control.signal_count];
    if (numbers[i] == SIGHUP && is_ignored(SIGHUP)) continue; /* nohup */
    error = uv_signal_init(&tuning->session.control.loop, signal);
    if (error) break;
    signal->data = tuning;
    tuning->session.control.signal_count++;
    error = uv_signal_start(signal, on_signal, numbers[i]);
  }
  if (!error) return NULL;
  hone__tuning_close_loop(tuning);
  return hone__error(HONE_IO, "cannot watch for signals: %s", uv_strerror(error));
}

void hone__tuning_close_loop(struct hone__tuning *tuning)
{
  uv_close((uv_handle_t *)&tuning->session.control.clock, NULL);
  for (int i = 0; i < tuning->session.control.signal_count; i++)
    uv_close((uv_handle_t *)&tuning->session.control.signals[i], NULL);
  uv_run(&tuning->session.control.loop, UV_RUN_DEFAULT);
  if (uv_loop_close(&tuning->session.control.loop) != 0) HONE__BUG("a handle is left in the loop");
}

void hone__tuning_abandon(struct hone__tuning *tuning, const size_t *pending)
{
  if (!*pending) return;
  hone__pool_cancel(tuning->session.workers.builders);
  hone__pool_cancel(tuning->session.workers.runners);
  while (*pending)
    uv_run(&tuning->session.control.loop, UV_RUN_ONCE);
}
