/* A runner's times may differ slightly from the driver's clock: no time is negative, and none is
 * longer than the whole.
 */
#include "tune/utilisation.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

struct sums {
  double busy_s, idle_s, idle_ready_s;
};

void hone__utilisation_open(struct hone__utilisation *use, size_t devices, double now)
{
  *use = (struct hone__utilisation){.began = now, .count = devices};
  use->devices = hone__alloc((devices + 1) * sizeof *use->devices);
  for (size_t i = 0; i < devices; i++)
    use->devices[i].since = now;
}

void hone__utilisation_want(struct hone__utilisation *use, size_t device, bool is_wanted,
                            double now)
{
  struct hone__utilisation_device *one = &use->devices[device];

  if (one->is_wanted) one->wanted_s += now - one->since;
  one->since = now;
  one->is_wanted = is_wanted;
}

void hone__utilisation_work(struct hone__utilisation *use, size_t device, double seconds)
{
  use->devices[device].worked_s += seconds;
}

void hone__utilisation_close(struct hone__utilisation *use, double now)
{
  for (size_t i = 0; i < use->count; i++)
    hone__utilisation_want(use, i, false, now);
  use->wall_s = now - use->began;
}

static struct sums sum_up(const struct hone__utilisation *use)
{
  struct sums sums = {0};

  for (size_t i = 0; i < use->count; i++) {
    double busy_s = fmin(fmax(use->devices[i].worked_s, 0), use->wall_s);
    sums.busy_s += busy_s;
    sums.idle_s += use->wall_s - busy_s;
    sums.idle_ready_s += fmax(use->devices[i].wanted_s - busy_s, 0);
  }
  return sums;
}

double hone__utilisation_idle_ready(const struct hone__utilisation *use)
{
  double all_s = (double)use->count * use->wall_s;

  return all_s > 0 ? sum_up(use).idle_ready_s / all_s : 0;
}

struct packed_use {
  size_t devices;
  double wall_s, ended_s, busy_s, idle_s, idle_ready_s;
  bool overlap; /* builds ran in parallel */
};
static const struct hone__field use_fields[] = {
    HONE__SIZE(struct packed_use, devices, HONE__SENT),
    HONE__REAL(struct packed_use, wall_s, HONE__SENT, 0, INFINITY),
    HONE__REAL(struct packed_use, ended_s, HONE__SENT, 0, INFINITY),
    HONE__REAL(struct packed_use, busy_s, HONE__SENT, 0, INFINITY),
    HONE__REAL(struct packed_use, idle_s, HONE__SENT, 0, INFINITY),
    HONE__REAL(struct packed_use, idle_ready_s, HONE__SENT, 0, INFINITY),
    HONE__BOOL(struct packed_use, overlap, HONE__SENT),
};
static const struct hone__record_type use_type =
    HONE__RECORD_TYPE("use of devices", struct packed_use, use_fields);

struct hone__packed *hone__utilisation_pack(const struct hone__utilisation *use, bool overlap,
                                            double ended_s)
{
  struct sums sums = sum_up(use);
  struct packed_use packed = {.devices = use->count,
                              .wall_s = use->wall_s,
                              .ended_s = ended_s,
                              .busy_s = sums.busy_s,
                              .idle_s = sums.idle_s,
                              .idle_ready_s = sums.idle_ready_s,
                              .overlap = overlap};

  return hone__pack(&use_type, &packed);
}

void hone__utilisation_release(struct hone__utilisation *use)
{
  free(use->devices);
  *use = (struct hone__utilisation){0};
}
