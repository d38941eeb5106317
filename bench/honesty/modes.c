/* What bench/honesty/run tunes, too: the chain of chain.c, against a baseline that has two times.
 * Whenever it is loaded it takes 1 or 1.3 times as long, by chance, as a kernel may for which its
 * memory can lie well or badly. All others always take the geometric mean of the two. */
#include <time.h>

enum { LINKS = 150000 };

static const double middle = 1.14017542509914; /* sqrt(1.3) */
static const double own = ID == PLANTED ? LINKS : LINKS / 100 * (100 + PERCENT);
const int id = ID; /* else equal objects would be measured once */

static double choose(void)
{
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (unsigned long)now.tv_nsec * 0x9e3779b97f4a7c15u >> 63 ? 1.3 : 1;
}

void chain(const unsigned *start, unsigned *end)
{
  static double mode;
  unsigned product = *start;

  if (mode == 0) mode = ID == 0 ? choose() : middle;
  for (unsigned left = (unsigned)(own * mode); left; left--)
    product *= product;
  *end = product;
}
