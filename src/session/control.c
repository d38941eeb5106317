#include "session/control.h"

#include "base/cancel.h"

double hone__control_now(const struct hone__control *control)
{
  return hone__clock_now(&control->clock);
}

double hone__control_left_s(const struct hone__control *control)
{
  return control->stop_at - hone__control_now(control);
}

bool hone__control_over(const struct hone__control *control)
{
  return control->stopping || control->aborting;
}

bool hone__control_is_cancelled(const struct hone__control *control)
{
  return hone__cancel_requests(control->cancel) > 0;
}

void hone__control_fail(struct hone__control *control, hone_status status)
{
  if (!status) return;
  if (control->failure)
    hone_status_free(status);
  else
    control->failure = status;
  control->aborting = true;
  uv_stop(&control->loop);
}

static void call_on_stop(struct hone__control *control)
{
  void (*on_stop)(void *stage) = control->on_stop;

  if (!control->stopping || !on_stop) return;
  control->on_stop = NULL;
  on_stop(control->stage);
}

void hone__control_step(struct hone__control *control)
{
  uv_run(&control->loop, UV_RUN_ONCE);
  call_on_stop(control);
}

void hone__control_wait_change(struct hone__control *control, const size_t *pending, size_t seen)
{
  while (*pending == seen && !control->aborting)
    hone__control_step(control);
}

void hone__control_wait(struct hone__control *control, const size_t *pending)
{
  while (*pending && !control->aborting && !control->is_cut)
    hone__control_step(control);
}
