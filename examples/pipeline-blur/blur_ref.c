/* A box blur in double precision: the mean of all pixels of the square, one by one. */
static int inside(int i, int n)
{
  return i < 0 ? 0 : i < n ? i : n - 1;
}

/* It needs no memory between two passes: `tmp` is not among its arguments. */
void blur_ref(const float *src, float *dst, int width, int height)
{
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      double sum = 0;
      for (int k = y - R; k <= y + R; k++)
        for (int i = x - R; i <= x + R; i++)
          sum += src[(long)inside(k, height) * width + inside(i, width)];
      dst[(long)y * width + x] = (float)(sum / (2 * R + 1) / (2 * R + 1));
    }
}
