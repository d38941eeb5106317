/* clock.h - seconds that only go forward: those of the machine, and those of a tuning.
 *
 * A tuning owns one clock, which tells when budgets, races and confirmations end. It is the
 * machine's. If all times are recorded it is virtual: it stands still until a job ends, and then
 * moves by the seconds that were recorded for it.
 */
#ifndef HONE_BASE_CLOCK_H
#define HONE_BASE_CLOCK_H

#include <stdbool.h>
#include <time.h>

static inline double hone__clock(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds since 1970, as this machine has them: to be compared with those of other hosts. */
static inline double hone__clock_since_1970(void)
{
  struct timespec now;

  clock_gettime(CLOCK_REALTIME, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct hone__clock { /* { 0 }: the machine's */
  bool is_virtual;
  double now_s;                /* virtual */
  void (*on_move)(void *data); /* called after a virtual clock was moved; may be NULL */
  void *data;
};

static inline double hone__clock_now(const struct hone__clock *clock)
{
  return clock->is_virtual ? clock->now_s : hone__clock();
}

/* Moves a virtual clock forward to this moment; does nothing if it is later. */
static inline void hone__clock_reach(struct hone__clock *clock, double moment_s)
{
  if (!clock->is_virtual || !(moment_s > clock->now_s)) return;
  clock->now_s = moment_s;
  if (clock->on_move) clock->on_move(clock->data);
}

#endif
