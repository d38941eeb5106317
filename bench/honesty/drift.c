/* What bench/honesty/run tunes, too: the chain of chain.c, on a clock that changes. All
 * configurations share the clock, as they would on a processor that becomes hot or is throttled:
 * within 3 s it slows down by 20 % and recovers, and every 0.7 s it takes a step of up to 10 %. How
 * much faster one is than another does not change. */
#include <time.h>

enum { LINKS = 150000, PERIOD_MS = 3000, STEP_MS = 700 };

static const double links = ID == PLANTED ? LINKS : LINKS / 100 * (100 + PERCENT);
const int id = ID; /* else equal objects would be measured once */

/* Of the clock, now: 1 to 1.3. */
static double slowness(void)
{
  struct timespec now;
  unsigned long ms, step;
  double phase;

  clock_gettime(CLOCK_MONOTONIC, &now);
  ms = (unsigned long)now.tv_sec * 1000 + (unsigned long)now.tv_nsec / 1000000;
  phase = (double)(ms % PERIOD_MS) / PERIOD_MS;
  step = ms / STEP_MS * 0x9e3779b97f4a7c15u >> 56;
  return 1 + 0.2 * (phase < 0.5 ? 2 * phase : 2 - 2 * phase) + 0.1 * (double)step / 255;
}

void chain(const unsigned *start, unsigned *end)
{
  unsigned product = *start;

  for (unsigned left = (unsigned)(links * slowness()); left; left--)
    product *= product;
  *end = product;
}
