/* A box blur of an image in C, as a pipeline; blur.yaml is its spec, README.md explains the knobs.
 *
 *   cc -O3 -shared -fPIC -DR=4 -DTILE=32 -DSUM=sliding -DFUSED=0 blur.c
 *
 * Each pixel becomes the mean of the (2 R + 1) x (2 R + 1) pixels around it; beyond the edge are
 * copies of the edge. The mean of a square is the mean over columns of means over rows, so two
 * cheap passes by way of `tmp` do what one expensive pass does. */
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

enum { SUM_whole, SUM_sliding };
enum { IS_SLIDING = JOIN(SUM_, SUM) == SUM_sliding, WIDTH = 2 * R + 1 };

static int inside(int i, int n)
{
  return i < 0 ? 0 : i < n ? i : n - 1;
}

static float row_sum(const float *row, int x, int width)
{
  float sum = 0;

  for (int k = x - R; k <= x + R; k++)
    sum += row[inside(k, width)];
  return sum;
}

/* Along a row the window moves by one: a pixel comes, another goes. */
void blur_rows(const float *src, float *tmp, int width, int height)
{
  for (int y = 0; y < height; y++) {
    const float *row = src + (long)y * width;
    float sum = row_sum(row, 0, width);
    for (int x = 0; x < width; x++) {
      if (IS_SLIDING && x)
        sum += row[inside(x + R, width)] - row[inside(x - R - 1, width)];
      else
        sum = row_sum(row, x, width);
      tmp[(long)y * width + x] = sum / WIDTH;
    }
  }
}

/* TILE columns at a time: their sums stay in the cache. */
void blur_cols(const float *tmp, float *dst, int width, int height)
{
  for (int begin = 0; begin < width; begin += TILE) {
    int count = width - begin < TILE ? width - begin : TILE;
    float sums[TILE];
    for (int y = 0; y < height; y++) {
      int first = IS_SLIDING && y ? y + R : y - R;
      for (int x = 0; x < count && !(IS_SLIDING && y); x++)
        sums[x] = 0;
      for (int k = first; k <= y + R; k++)
        for (int x = 0; x < count; x++)
          sums[x] += tmp[(long)inside(k, height) * width + begin + x];
      for (int x = 0; x < count; x++) {
        if (IS_SLIDING && y) sums[x] -= tmp[(long)inside(y - R - 1, height) * width + begin + x];
        dst[(long)y * width + begin + x] = sums[x] / WIDTH;
      }
    }
  }
}

void blur_both(const float *src, float *dst, int width, int height)
{
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      float sum = 0;
      for (int k = y - R; k <= y + R; k++)
        sum += row_sum(src + (long)inside(k, height) * width, x, width);
      dst[(long)y * width + x] = sum / WIDTH / WIDTH;
    }
}
