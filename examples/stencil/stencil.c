/* A 3 x 3 stencil on threads: each point of `out` is the weighted sum of nine points of `in`, which
 * has one more row and column on each side. stencil.yaml is its spec, README.md explains the knobs.
 *
 *   cc -O3 -march=native -fopenmp -DTHREADS=2 -DSCHEDULE=static -DTY=32 -DTX=256 -DROWS=2 \
 *     -DSIMD=8 -shared -fPIC stencil.c -o stencil.so
 *
 * Threads take tiles of TY x TX points. ROWS points of a column are computed in one go, so that
 * what they have in common is read once; ROWS must divide TY, and TY must divide h. */
#define PRAGMA_(text) _Pragma(#text)
#define PRAGMA(text)  PRAGMA_(text)

#if SIMD
#define VECTORS PRAGMA(omp simd simdlen(SIMD))
#else
#define VECTORS /* left to the compiler */
#endif

static void add_rows(const float *restrict in, const float weights[restrict 9], float *restrict out,
                     long w, long columns)
{
  long pitch = w + 2;

  VECTORS
  for (long x = 0; x < columns; x++)
#pragma GCC unroll 4
    for (long r = 0; r < ROWS; r++) {
      float sum = 0;
#pragma GCC unroll 3
      for (long dy = 0; dy < 3; dy++)
#pragma GCC unroll 3
        for (long dx = 0; dx < 3; dx++)
          sum += weights[dy * 3 + dx] * in[(r + dy) * pitch + x + dx];
      out[r * w + x] = sum;
    }
}

void stencil(const float *in, const float *weights, float *out, int h, int w)
{
#pragma omp parallel for collapse(2) num_threads(THREADS) schedule(SCHEDULE)
  for (long y = 0; y < h; y += TY)
    for (long x = 0; x < w; x += TX) {
      long columns = w - x < TX ? w - x : TX;
      for (long row = y; row < y + TY; row += ROWS)
        add_rows(in + row * (w + 2) + x, weights, out + row * w + x, w, columns);
    }
}
