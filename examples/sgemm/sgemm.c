/* C = A * B in single precision, row-major; sgemm.yaml is its spec, README.md explains the knobs.
 *
 *   cc -O2 -march=native -DBM=64 -DBN=128 -DBK=256 -DMR=8 -DNR=16 -DLANES=16 -DUNROLL=4 \
 *     -DALGO=direct -shared -fPIC sgemm.c -o sgemm.so
 *
 * Blocks of BM x BK of A and of BK x BN of B fit into the caches. They are cut into tiles: MR x NR
 * sums stay in registers until all BK products are added to them. ALGO packed copies each block
 * into the order in which its tiles read it, with zeros behind the edges of the matrix; direct
 * reads the matrices where they lie, so that whole tiles must fit: MR divides m, and NR divides n.
 *
 * The packed blocks are static: one call at a time. */
#include <string.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

#define INLINED static inline __attribute__((always_inline))

enum { ALGO_direct, ALGO_packed };
enum { PACKED = JOIN(ALGO_, ALGO) == ALGO_packed, VECTORS = NR / LANES };

_Static_assert(BM % MR == 0 && BN % NR == 0 && NR % LANES == 0, "blocks hold whole tiles");

typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

/* What a tile reads of A or B: (row, column) is at[row * row_step + column * column_step]. */
struct strip {
  const float *at;
  long row_step, column_step;
};

static float packed_a[PACKED ? BM * BK : 1] __attribute__((aligned(4096)));
static float packed_b[PACKED ? BK * BN : 1] __attribute__((aligned(4096)));

INLINED long least(long x, long y)
{
  return x < y ? x : y;
}

/* ---- Packing */

/* Strips of MR rows, one after the other; in each, the MR elements of a column lie side by side. */
static void pack_a(const float *a, long k, long rows, long depth)
{
  float *out = packed_a;

  for (long i = 0; i < rows; i += MR, out += MR * depth) {
    if (i + MR > rows) memset(out, 0, MR * depth * sizeof *out);
    for (long r = 0; r < least(MR, rows - i); r++)
      for (long p = 0; p < depth; p++)
        out[p * MR + r] = a[(i + r) * k + p];
  }
}

/* Strips of NR columns, one after the other; in each, the NR elements of a row lie side by side. */
static void pack_b(const float *b, long n, long depth, long columns)
{
  float *out = packed_b;

  for (long j = 0; j < columns; j += NR)
    for (long p = 0; p < depth; p++, out += NR) {
      if (j + NR <= columns)
        memcpy(out, b + p * n + j, NR * sizeof *out);
      else
        for (long v = 0; v < NR; v++)
          out[v] = j + v < columns ? b[p * n + j + v] : 0;
    }
}

/* ---- Tiles, whose loops are unrolled: else the sums would not stay in registers */

INLINED void add_products(lanes sum[MR][VECTORS], struct strip a, struct strip b, long p)
{
  const float *left = a.at + p * a.column_step, *right = b.at + p * b.row_step;

#pragma GCC unroll 16
  for (long r = 0; r < MR; r++)
#pragma GCC unroll 16
    for (long v = 0; v < VECTORS; v++)
      sum[r][v] += left[r * a.row_step] * *(const lanes *)(right + v * LANES);
}

/* MR x NR elements of C, whose rows are ldc apart, get `depth` more products. */
INLINED void add_tile(float *c, long ldc, struct strip a, struct strip b, long depth)
{
  lanes sum[MR][VECTORS] = {0};
  long p = 0;

  for (; p + UNROLL <= depth; p += UNROLL)
#pragma GCC unroll 16
    for (long u = 0; u < UNROLL; u++)
      add_products(sum, a, b, p + u);
  for (; p < depth; p++)
    add_products(sum, a, b, p);
#pragma GCC unroll 16
  for (long r = 0; r < MR; r++)
#pragma GCC unroll 16
    for (long v = 0; v < VECTORS; v++)
      *(lanes *)(c + r * ldc + v * LANES) += sum[r][v];
}

/* The same where the tile stands over the edge of C: it is computed apart. */
static void add_edge(float *c, long ldc, struct strip a, struct strip b, long depth, long rows,
                     long columns)
{
  float room[MR * NR] = {0};

  add_tile(room, NR, a, b, depth);
  for (long r = 0; r < rows; r++)
    for (long v = 0; v < columns; v++)
      c[r * ldc + v] += room[r * NR + v];
}

/* ---- Blocks */

INLINED struct strip strip_of_a(const float *a, long k, long i, long depth)
{
  return PACKED ? (struct strip){packed_a + i * depth, 1, MR} : (struct strip){a + i * k, k, 1};
}

INLINED struct strip strip_of_b(const float *b, long n, long j, long depth)
{
  return PACKED ? (struct strip){packed_b + j * depth, NR, 1} : (struct strip){b + j, n, 1};
}

static void add_block(float *c, const float *a, const float *b, long n, long k, long rows,
                      long columns, long depth)
{
  for (long j = 0; j < columns; j += NR)
    for (long i = 0; i < rows; i += MR) {
      struct strip left = strip_of_a(a, k, i, depth), right = strip_of_b(b, n, j, depth);
      if (!PACKED || (i + MR <= rows && j + NR <= columns))
        add_tile(c + i * n + j, n, left, right, depth);
      else
        add_edge(c + i * n + j, n, left, right, depth, least(MR, rows - i), least(NR, columns - j));
    }
}

void sgemm(const float *a, const float *b, float *c, int m, int n, int k)
{
  memset(c, 0, (size_t)m * n * sizeof *c);
  for (long j = 0; j < n; j += BN)
    for (long p = 0; p < k; p += BK) {
      long columns = least(BN, n - j), depth = least(BK, k - p);
      if (PACKED) pack_b(b + p * n + j, n, depth, columns);
      for (long i = 0; i < m; i += BM) {
        long rows = least(BM, m - i);
        if (PACKED) pack_a(a + i * k + p, k, rows, depth);
        add_block(c + i * n + j, a + i * k + p, b + p * n + j, n, k, rows, columns, depth);
      }
    }
}
