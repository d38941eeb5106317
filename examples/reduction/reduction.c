/* The sum of n floats; reduction.yaml is its spec, README.md explains the knobs.
 *
 *   cc -O3 -march=native -DLANES=8 -DSUMS=4 -DUNROLL=1 -DAHEAD=0 -shared -fPIC reduction.c \
 *     -o reduction.so
 *
 * SUMS vectors of LANES floats are summed up side by side, UNROLL times in a step, and added up at
 * the end. One sum alone waits for itself: each addition needs the one before. Every choice adds in
 * an order of its own, so that the answers differ in their last digits. LANES * SUMS * UNROLL must
 * divide n. */
enum { STEP = LANES * SUMS * UNROLL, LINE = 16 /* floats in a cache line */ };

#if LANES == 1
typedef float lanes;
#else
typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
#endif

void reduction(const float *restrict x, float *restrict out, int n)
{
  lanes sums[SUMS] = {0};
  float sum = 0;

  for (int i = 0; i < n; i += STEP) {
    if (AHEAD && i + AHEAD + STEP <= n)
      for (int s = 0; s < STEP; s += LINE)
        __builtin_prefetch(x + i + AHEAD + s);
#pragma GCC unroll 16
    for (int u = 0; u < UNROLL; u++)
#pragma GCC unroll 16
      for (int s = 0; s < SUMS; s++)
        sums[s] += *(const lanes *)(x + i + (u * SUMS + s) * LANES);
  }
  for (int s = 1; s < SUMS; s++)
    sums[0] += sums[s];
  for (int lane = 0; lane < LANES; lane++)
    sum += ((const float *)sums)[lane];
  *out = sum;
}
