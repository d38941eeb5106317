/* A box blur of an image in OpenCL, as a pipeline; blur-opencl.yaml is its spec, README.md explains
 * the knobs, blur.cu is the same in CUDA. A work-item makes ITEMS pixels, one below the other. */
enum { WIDTH = 2 * R + 1 };

int inside(int i, int n)
{
  return clamp(i, 0, n - 1);
}

float row_sum(__global const float *row, int x, int width)
{
  float sum = 0;

  for (int k = x - R; k <= x + R; k++)
    sum += row[inside(k, width)];
  return sum;
}

__kernel void blur_rows(__global const float *src, __global float *tmp, int width, int height)
{
  int x = get_global_id(0), first = get_global_id(1) * ITEMS;

  for (int y = first; y < first + ITEMS && y < height && x < width; y++)
    tmp[y * width + x] = row_sum(src + y * width, x, width) / WIDTH;
}

/* The window moves down by one: a pixel comes, another goes. */
__kernel void blur_cols(__global const float *tmp, __global float *dst, int width, int height)
{
  int x = get_global_id(0), first = get_global_id(1) * ITEMS;
  float sum = 0;

  if (x >= width) return;
  for (int k = first - R; k < first + R; k++)
    sum += tmp[inside(k, height) * width + x];
  for (int y = first; y < first + ITEMS && y < height; y++) {
    sum += tmp[inside(y + R, height) * width + x];
    dst[y * width + x] = sum / WIDTH;
    sum -= tmp[inside(y - R, height) * width + x];
  }
}

__kernel void blur_both(__global const float *src, __global float *dst, int width, int height)
{
  int x = get_global_id(0), first = get_global_id(1) * ITEMS;

  for (int y = first; y < first + ITEMS && y < height && x < width; y++) {
    float sum = 0;
    for (int k = y - R; k <= y + R; k++)
      sum += row_sum(src + inside(k, height) * width, x, width);
    dst[y * width + x] = sum / WIDTH / WIDTH;
  }
}
