#include "tune/absent_kind.h"

enum { LOOK_MS = 200 }; /* whether the others are done: they do not wake this loop */

static void on_look(uv_timer_t *timer)
{
  (void)timer;
}

static void on_closed(uv_handle_t *handle)
{
  *(bool *)handle->data = true;
}

static bool is_awaited(struct hone__tuning *tuning, struct hone__tuning_kind_threads *threads)
{
  return !hone__session_find_own_kind(&tuning->session) &&
         !hone__control_over(&tuning->session.control) &&
         !hone__tuning_kind_threads_are_done(threads);
}

static void wait_for_kind(struct hone__tuning *tuning, struct hone__tuning_kind_threads *threads)
{
  struct hone__control *control = &tuning->session.control;
  bool is_closed = false;
  uv_timer_t timer;

  uv_timer_init(&control->loop, &timer);
  timer.data = &is_closed;
  uv_timer_start(&timer, on_look, LOOK_MS, LOOK_MS);
  while (is_awaited(tuning, threads))
    hone__control_step(control);
  uv_close((uv_handle_t *)&timer, on_closed);
  while (!is_closed)
    hone__control_step(control);
}

static hone_status time_baseline(struct hone__tuning *tuning)
{
  struct hone__session *session = &tuning->session;
  size_t pending = 0;

  hone__tuning_read_baseline(tuning, session->workers.leader, &pending);
  hone__control_wait(&session->control, &pending);
  hone__session_abandon(session, &pending);
  if (session->control.aborting) return NULL;
  hone__tuning_settle_timeout(tuning);
  return hone__workers_check(&session->workers);
}

hone_status hone__tuning_await_kind(struct hone__tuning *tuning,
                                    struct hone__tuning_kind_threads *threads)
{
  if (!threads->count) return NULL;
  hone__tuning_relay_show(threads->relay, 1);
  wait_for_kind(tuning, threads);
  if (tuning->session.workers.absent_kind) return NULL;
  hone__tuning_relay_show(threads->relay, 0);
  return time_baseline(tuning);
}
