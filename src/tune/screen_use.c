/* Utilisation of the devices in screening. */
#include "tune/screen_use.h"

#include <math.h>
#include <stdlib.h>

static const double TOO_IDLE = 0.05;

/* Adds the devices' work so far, with this sign. */
static void count_work(struct hone__utilisation *use, const struct hone__tuning *tuning, int sign)
{
  for (size_t site = 0; site < use->count; site++)
    hone__utilisation_work(use, site,
                           sign * hone__pool_worked_s(tuning->session.workers.runners, site));
}

void hone__screen_use_open(struct hone__utilisation *use, const struct hone__tuning *tuning,
                           size_t devices)
{
  hone__utilisation_open(use, devices, hone__control_now(&tuning->session.control));
  count_work(use, tuning, -1);
}

double hone__screen_use_idle(const struct hone__utilisation *use, const struct hone__tuning *tuning)
{
  double all_s = (double)use->count * (hone__control_now(&tuning->session.control) - use->began);
  double worked_s = 0;

  for (size_t site = 0; site < use->count; site++)
    worked_s +=
        use->devices[site].worked_s + hone__pool_worked_s(tuning->session.workers.runners, site);
  return all_s > 0 ? fmin(fmax(1 - worked_s / all_s, 0), 1) : NAN;
}

static void report(const struct hone__utilisation *use, struct hone__tuning *tuning)
{
  double idle_ready = hone__utilisation_idle_ready(use);
  struct hone__text text = {0};

  hone__packed_drop(tuning->session.entry.use);
  tuning->session.entry.use =
      hone__utilisation_pack(use, tuning->session.workers.overlap,
                             use->began + use->wall_s - tuning->session.control.started);
  hone__packed_print(tuning->session.entry.use, &text);
  hone__session_log(&tuning->session, "screening: %s", text.data);
  hone__text_release(&text);
  /* With turns devices wait by design; a virtual clock does not know what overlaps. */
  if (tuning->session.workers.overlap && !tuning->session.control.clock.is_virtual &&
      idle_ready > TOO_IDLE)
    hone__session_say(
        &tuning->session, HONE_EVENT_NOTE,
        "devices were idle for %.0f %% of screening although built candidates were waiting",
        100 * idle_ready);
}

void hone__screen_use_close(struct hone__utilisation *use, struct hone__tuning *tuning)
{
  count_work(use, tuning, 1);
  hone__utilisation_close(use, hone__control_now(&tuning->session.control));
  if (use->count) report(use, tuning);
  hone__utilisation_release(use);
}
