/* utilisation.h - how well devices were used during screening.
 *
 * A device is wanted while a built candidate waits for it or is on it. It is busy as long as its
 * runner reports. In the rest of the time in which it was wanted it was idle although there was
 * work: frames were in transit, a runner was restarted, or the driver was busy.
 *
 * The caller reports each change, closes it, and reads the result. Times are those of the session's
 * clock.
 */
#ifndef HONE_TUNE_UTILISATION_H
#define HONE_TUNE_UTILISATION_H

#include "wire/record.h"

#include <stdbool.h>
#include <stddef.h>

struct hone__utilisation_device {
  bool is_wanted;
  double since; /* when `wanted_s` was last updated */
  double wanted_s, worked_s;
};

struct hone__utilisation {
  double began, wall_s; /* wall_s: set on close */
  struct hone__utilisation_device *devices;
  size_t count;
};

void hone__utilisation_open(struct hone__utilisation *use, size_t devices, double now);
void hone__utilisation_want(struct hone__utilisation *use, size_t device, bool is_wanted,
                            double now);
void hone__utilisation_work(struct hone__utilisation *use, size_t device, double seconds);
void hone__utilisation_close(struct hone__utilisation *use, double now);
/* The share of the devices' time in which they were idle although there was work. */
double hone__utilisation_idle_ready(const struct hone__utilisation *use);
/* {"devices", "wall_s", "ended_s", "busy_s", "idle_s", "idle_ready_s", "overlap"}: sums over
 * devices, except `wall_s` and `ended_s`, which is the end by the clock of the run.
 */
struct hone__packed *hone__utilisation_pack(const struct hone__utilisation *use, bool overlap,
                                            double ended_s);
void hone__utilisation_release(struct hone__utilisation *use);

#endif
