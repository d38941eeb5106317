/* C = A * B a row at a time, in double precision: what matmul.cl is compared with. M, N and K are
 * macros. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("O3") /* whatever the flags are */
#endif

static void add_row(const float *restrict b, double a, double *restrict sums)
{
  for (int j = 0; j < N; j++)
    sums[j] += a * b[j];
}

void matmul_ref(const float *a, const float *b, float *c)
{
  static double sums[N];

  for (long i = 0; i < M; i++) {
    for (int j = 0; j < N; j++)
      sums[j] = 0;
    for (long p = 0; p < K; p++)
      add_row(b + p * N, a[i * K + p], sums);
    for (int j = 0; j < N; j++)
      c[i * N + j] = (float)sums[j];
  }
}
