/* A 3 x 3 stencil, as plain as can be: what stencil.c is compared with. */
void stencil_ref(const float *in, const float *weights, float *out, int h, int w)
{
  for (long y = 0; y < h; y++)
    for (long x = 0; x < w; x++) {
      double sum = 0;
      for (long dy = 0; dy < 3; dy++)
        for (long dx = 0; dx < 3; dx++)
          sum += (double)weights[dy * 3 + dx] * in[(y + dy) * (w + 2) + x + dx];
      out[y * w + x] = (float)sum;
    }
}
