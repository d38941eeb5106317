/* What bench/honesty/run tunes: a chain of products, none of which can begin before the last one is
 * done. All configurations have the same instructions; how long the chain is, and which
 * configuration it belongs to, stand in the data. One times one stays one, so that all answers are
 * equal. */

enum { LINKS = 180000 };

const volatile unsigned links = ID == PLANTED ? LINKS : LINKS / 100 * (100 + PERCENT);
const int id = ID; /* else equal objects would be measured once */

void chain(const unsigned *start, unsigned *end)
{
  unsigned product = *start;

  for (unsigned left = links; left; left--)
    product *= product;
  *end = product;
}
