/* What bench/tune/run tunes for its last row: a sum of products, in UNROLL parts of WIDTH lanes. */
float dot(const float *a, const float *b, int n)
{
  float sums[UNROLL][WIDTH] = {{0}}, sum = 0;

  for (int i = 0; i < n; i += UNROLL * WIDTH)
    for (int u = 0; u < UNROLL; u++)
      for (int w = 0; w < WIDTH; w++)
        sums[u][w] += a[i + u * WIDTH + w] * b[i + u * WIDTH + w];
  for (int u = 0; u < UNROLL; u++)
    for (int w = 0; w < WIDTH; w++)
      sum += sums[u][w];
  return sum;
}

void dots(const float *a, const float *b, float *c, int rows, int n)
{
  for (int i = 0; i < rows; i++)
    c[i] = dot(a + (long)i * n, b, n);
}
