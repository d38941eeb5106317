/* A dot product with LANES sums, UNROLL elements of each at a time. */
float dot(const float *x, const float *y, int n);

float dot(const float *x, const float *y, int n)
{
  float sums[LANES] = {0}, sum = 0;

  for (int i = 0; i + LANES * UNROLL <= n; i += LANES * UNROLL)
    for (int u = 0; u < UNROLL; u++)
      for (int lane = 0; lane < LANES; lane++)
        sums[lane] += x[i + u * LANES + lane] * y[i + u * LANES + lane];
  for (int lane = 0; lane < LANES; lane++)
    sum += sums[lane];
  return sum;
}
