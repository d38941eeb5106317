/* A box blur of an image in CUDA, as a pipeline; blur-cuda.yaml is its spec, README.md explains the
 * knobs, blur.cl is the same in OpenCL. A thread makes ITEMS pixels, one below the other.
 *
 *   nvcc -arch=native -cubin -DR=4 -DITEMS=4 blur.cu
 */
enum { WIDTH = 2 * R + 1 };

static __device__ int inside(int i, int n)
{
  return min(max(i, 0), n - 1);
}

static __device__ float row_sum(const float *row, int x, int width)
{
  float sum = 0;

  for (int k = x - R; k <= x + R; k++)
    sum += row[inside(k, width)];
  return sum;
}

extern "C" __global__ void blur_rows(const float *src, float *tmp, int width, int height)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int first = (blockIdx.y * blockDim.y + threadIdx.y) * ITEMS;

  for (int y = first; y < first + ITEMS && y < height && x < width; y++)
    tmp[y * width + x] = row_sum(src + y * width, x, width) / WIDTH;
}

/* The window moves down by one: a pixel comes, another goes. */
extern "C" __global__ void blur_cols(const float *tmp, float *dst, int width, int height)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int first = (blockIdx.y * blockDim.y + threadIdx.y) * ITEMS;
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

extern "C" __global__ void blur_both(const float *src, float *dst, int width, int height)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int first = (blockIdx.y * blockDim.y + threadIdx.y) * ITEMS;

  for (int y = first; y < first + ITEMS && y < height && x < width; y++) {
    float sum = 0;
    for (int k = y - R; k <= y + R; k++)
      sum += row_sum(src + inside(k, height) * width, x, width);
    dst[y * width + x] = sum / WIDTH / WIDTH;
  }
}
