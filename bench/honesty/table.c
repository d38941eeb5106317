/* What bench/honesty/run tunes, too: a walk through a table that is the object's own, so that where
 * its pages lie and what the caches hold differ between equal configurations. */

enum { ENTRIES = 1 << 16, STEPS = 30000 };

static unsigned table[ENTRIES];
const int id = ID; /* else equal objects would be measured once */

void walk(const unsigned *start, unsigned *end)
{
  unsigned at = *start, sum = 0;

  if (!table[0])
    for (unsigned i = 0; i < ENTRIES; i++)
      table[i] = (i * 40503u + 12345u) % ENTRIES;
  for (unsigned step = 0; step < STEPS; step++) {
    at = table[(at + 17 * step) % ENTRIES];
    sum = at & 64 ? sum + at : sum ^ at;
  }
  *end = sum;
}
