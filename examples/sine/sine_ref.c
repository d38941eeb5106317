/* The sine of n floats by the C library: what sine.c is compared with. */
#include <math.h>

void sine_ref(const float *x, float *out, int n)
{
  for (int i = 0; i < n; i++)
    out[i] = (float)sin(x[i]);
}
