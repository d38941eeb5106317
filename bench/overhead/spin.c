/* What bench/overhead/run tunes: about 60 us of work, whatever `number` is. It is longer than the
 * least that hone tune takes for a sample, so that every sample is one call. */

enum { LINKS = 75000 };

void spin(const unsigned *start, unsigned *end, int number)
{
  unsigned product = *start;

  (void)number;
  for (unsigned left = LINKS; left; left--) {
    product *= product;
    __asm__ volatile("" : "+r"(product));
  }
  *end = product;
}
