/* C = A * B^T in single precision; A is m x k, B is n x k, C is m x n, all row-major. sgemm.yaml is
 * its spec.
 *
 *   gcc -O3 -march=native -DBM=64 -DBN=8 -DBK=64 -DUNROLL=8 -shared -fPIC sgemm.c -o sgemm.so
 *
 * A block is BM x BN x BK; these must divide m, n and k, and UNROLL must divide BK. The text means
 * the same in C and C++ and includes nothing, so that each contender can compile it its own way. */
void sgemm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m,
           int n, int k)
{
  for (int i = 0; i < m * n; i++)
    c[i] = 0;
  for (int i0 = 0; i0 < m; i0 += BM)
    for (int j0 = 0; j0 < n; j0 += BN)
      for (int p0 = 0; p0 < k; p0 += BK)
        for (int i = i0; i < i0 + BM; i++)
          for (int j = j0; j < j0 + BN; j++) {
            float sums[UNROLL] = {0}; /* independent, so that the compiler may use vectors */
            for (int p = p0; p < p0 + BK; p += UNROLL)
              for (int u = 0; u < UNROLL; u++)
                sums[u] += a[i * k + p + u] * b[j * k + p + u];
            for (int u = 0; u < UNROLL; u++)
              c[i * n + j] += sums[u];
          }
}
