/* A 2D convolution a row at a time, in double precision: what convolution.cu and convolution.cl are
 * compared with. Built like the kernels, it gets the sizes W, H, FW and FH as macros. */
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("O3") /* 4.8 billion products for 4096 x 4096, whatever the flags are */
#endif

static void add_row(const float *restrict in, double weight, double *restrict sums)
{
  for (int x = 0; x < W; x++)
    sums[x] += weight * in[x];
}

void convolution_ref(const float *in, const float *filter, float *out)
{
  static double sums[W];

  for (int y = 0; y < H; y++) {
    for (int x = 0; x < W; x++)
      sums[x] = 0;
    for (int fy = 0; fy < FH; fy++)
      for (int fx = 0; fx < FW; fx++)
        add_row(in + (long)(y + fy) * (W + FW - 1) + fx, filter[fy * FW + fx], sums);
    for (int x = 0; x < W; x++)
      out[(long)y * W + x] = (float)sums[x];
  }
}
