/* C = A * B in single precision, row-major, in blocks of BM x BN; sgemm.yaml is its spec.
 *
 *   cc -O3 -march=native -DBM=64 -DBN=64 -DUNROLL=4 -DALGO=packed -shared -fPIC sgemm.c -o sgemm.so
 *
 * BM must divide m, and BN must divide n. ALGO packed copies each panel of B first, so that the
 * innermost loops read it front to back; direct reads B where it lies. */
#include <string.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

enum { DEPTH = 128 }; /* of a panel */

/* One block of C gets `depth` more products; b has rows of `ldb`. */
static void add_block(int depth, const float *restrict a, int lda, const float *restrict b, int ldb,
                      float *restrict c, int ldc)
{
  for (int i = 0; i < BM; i++) {
    int p = 0;
    for (; p + UNROLL <= depth; p += UNROLL)
      for (int j = 0; j < BN; j++) {
        float sum = c[i * ldc + j];
        for (int u = 0; u < UNROLL; u++) /* known length: the compiler unrolls it */
          sum += a[i * lda + p + u] * b[(p + u) * ldb + j];
        c[i * ldc + j] = sum;
      }
    for (; p < depth; p++)
      for (int j = 0; j < BN; j++)
        c[i * ldc + j] += a[i * lda + p] * b[p * ldb + j];
  }
}

static inline const float *panel_direct(int depth, const float *b, int n, float *room, int *out_ldb)
{
  (void)depth, (void)room;
  *out_ldb = n;
  return b;
}

static inline const float *panel_packed(int depth, const float *b, int n, float *room, int *out_ldb)
{
  for (int p = 0; p < depth; p++)
    memcpy(room + p * BN, b + p * n, BN * sizeof *room);
  *out_ldb = BN;
  return room;
}

void sgemm(const float *a, const float *b, float *c, int m, int n, int k)
{
  float room[DEPTH * BN];

  memset(c, 0, (size_t)m * n * sizeof *c);
  for (int j = 0; j < n; j += BN)
    for (int p = 0; p < k; p += DEPTH) {
      int depth = k - p < DEPTH ? k - p : DEPTH, ldb;
      const float *panel = JOIN(panel_, ALGO)(depth, b + p * n + j, n, room, &ldb);
      for (int i = 0; i < m; i += BM)
        add_block(depth, a + i * k + p, k, panel, ldb, c + i * n + j, n);
    }
}
