/* The transpose of an H x W matrix, in squares for the cache's sake: what transpose.cu and
 * transpose.cl are compared with. H and W are macros. */
enum { SQUARE = 32 };

static long least(long x, long y)
{
  return x < y ? x : y;
}

void transpose_ref(const float *in, float *out)
{
  for (long y = 0; y < H; y += SQUARE)
    for (long x = 0; x < W; x += SQUARE)
      for (long i = y; i < least(y + SQUARE, H); i++)
        for (long j = x; j < least(x + SQUARE, W); j++)
          out[j * H + i] = in[i * W + j];
}
