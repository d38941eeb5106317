/* The sine of n floats from 0 to 2 pi, looked up in a table; sine.yaml is its spec, README.md
 * explains the knobs.
 *
 *   cc -O3 -march=native -DENTRIES=2048 -DORDER=1 -DDOUBLE=0 -DBLOCK=8 -shared -fPIC sine.c -lm \
 *     -o sine.so
 *
 * The table has ENTRIES of the period. Between them ORDER 0 takes the nearest one, 1 a line through
 * the two around, 2 a parabola through three. BLOCK elements are looked up side by side. */
#include <math.h>

#define PI 3.14159265358979323846

#if DOUBLE
typedef double entry;
#else
typedef float entry;
#endif

static entry table[ENTRIES + 3];

static void fill_table(void)
{
  for (int i = 0; i < ENTRIES + 3; i++)
    table[i] = (entry)sin(2 * PI * i / ENTRIES);
}

static inline float look_up(float x)
{
  entry at = (entry)x * (entry)(ENTRIES / (2 * PI));
  int i = (int)(ORDER == 0 ? at + (entry)0.5 : at);
  entry t = at - (entry)i, a = table[i], b = table[i + 1], c = table[i + 2];

  if (ORDER == 0) return (float)a;
  if (ORDER == 1) return (float)(a + t * (b - a));
  return (float)(a + t * ((b - a) + (t - 1) * (entry)0.5 * (c - 2 * b + a)));
}

void sine(const float *restrict x, float *restrict out, int n)
{
  if (table[1] == 0) fill_table();
  for (int i = 0; i < n; i += BLOCK)
#pragma GCC unroll 16
    for (int k = 0; k < BLOCK; k++)
      out[i + k] = look_up(x[i + k]);
}
