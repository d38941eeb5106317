/* The loop: signals, budgets, and waiting for replies. */
#include "tune/tuning.h"

#include "base/clock.h"

#include <signal.h>

enum { TICK_MS = 100 };
static const double GRACE_S = 10; /* to confirm what can be confirmed after the first signal */

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};

double hone__tuning_left_s(const struct hone__tuning *tuning)
{
  return tuning->stop_at - hone__clock();
}

bool hone__tuning_over(struct hone__tuning *tuning)
{
  return tuning->stopping || tuning->aborting;
}

void hone__tuning_fail(struct hone__tuning *tuning, hone_status status)
{
  if (!status) return;
  if (tuning->failure)
    hone_status_free(status);
  else
    tuning->failure = status;
  tuning->aborting = true;
  uv_stop(&tuning->loop);
}

static void say_stopping(struct hone__tuning *tuning, const char *what)
{
  if (tuning->which.is_sweep)
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

  if (tuning->interrupted) {
    tuning->aborting = true;
    uv_stop(&tuning->loop);
    return;
  }
  tuning->interrupted = tuning->stopping = true;
  tuning->stop_at = hone__clock() + GRACE_S;
  if (!tuning->ranked) tuning->aborting = true; /* there is nothing to be confirmed */
  say_stopping(tuning, number == SIGINT ? "interrupted" : strsignal(number));
}

static void on_tick(uv_timer_t *timer)
{
  struct hone__tuning *tuning = timer->data;
  bool over = hone__tuning_left_s(tuning) <= 0;

  if (over && tuning->interrupted) {
    tuning->aborting = true; /* whatever is still under way took longer than the grace */
  } else if (over && !tuning->stopping) {
    tuning->stopping = true;
    tuning->stop_at = INFINITY; /* the budget is for searching; proving takes what it takes */
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
  int error = uv_loop_init(&tuning->loop);

  if (error) return hone__error(HONE_IO, "cannot make an event loop: %s", uv_strerror(error));
  uv_timer_init(&tuning->loop, &tuning->clock);
  tuning->clock.data = tuning;
  uv_timer_start(&tuning->clock, on_tick, TICK_MS, TICK_MS);
  for (int i = 0; tuning->options->handle_signals && i < 3 && !error; i++) {
    uv_signal_t *signal = &tuning->signals[tuning->signal_count];
    if (numbers[i] == SIGHUP && is_ignored(SIGHUP)) continue; /* nohup */
    error = uv_signal_init(&tuning->loop, signal);
    if (error) break;
    signal->data = tuning;
    tuning->signal_count++;
    error = uv_signal_start(signal, on_signal, numbers[i]);
  }
  if (!error) return NULL;
  hone__tuning_close_loop(tuning);
  return hone__error(HONE_IO, "cannot watch for signals: %s", uv_strerror(error));
}

void hone__tuning_close_loop(struct hone__tuning *tuning)
{
  uv_close((uv_handle_t *)&tuning->clock, NULL);
  for (int i = 0; i < tuning->signal_count; i++)
    uv_close((uv_handle_t *)&tuning->signals[i], NULL);
  uv_run(&tuning->loop, UV_RUN_DEFAULT);
  if (uv_loop_close(&tuning->loop) != 0) HONE__BUG("a handle is left in the loop");
}

static void see_stop(struct hone__tuning *tuning)
{
  void (*on_stop)(struct hone__tuning *) = tuning->on_stop;

  if (!tuning->stopping || !on_stop) return;
  tuning->on_stop = NULL;
  on_stop(tuning);
}

void hone__tuning_wait_change(struct hone__tuning *tuning, const size_t *pending, size_t seen)
{
  while (*pending == seen && !tuning->aborting) {
    uv_run(&tuning->loop, UV_RUN_ONCE);
    see_stop(tuning);
  }
}

void hone__tuning_wait(struct hone__tuning *tuning, const size_t *pending)
{
  while (*pending && !tuning->aborting) {
    uv_run(&tuning->loop, UV_RUN_ONCE);
    see_stop(tuning);
  }
}

void hone__tuning_abandon(struct hone__tuning *tuning, const size_t *pending)
{
  if (!*pending) return;
  hone__pool_cancel(tuning->builders);
  hone__pool_cancel(tuning->runners);
  while (*pending)
    uv_run(&tuning->loop, UV_RUN_ONCE);
}
