/* A 2D convolution in CUDA: each pixel of `out` (H x W) is the sum of FH x FW pixels of `in`, which
 * has FH - 1 more rows and FW - 1 more columns, weighted by `filter`. convolution.yaml is its spec,
 * README.md explains the knobs; convolution.cl is the same in OpenCL.
 *
 *   nvcc -arch=native -cubin -DW=4096 -DH=4096 -DFW=17 -DFH=17 -DBX=32 -DBY=8 -DTX=4 -DTY=4 \
 *     -DLAYOUT=strided -DINPUT=tile -DPAD=0 -DVEC=4 -DFILTER=copied -DUNROLL_X=17 \
 *     -DUNROLL_Y=1 -DBLOCKS=1 convolution.cu
 *
 * A block of BX x BY threads computes BX * TX x BY * TY pixels; these sizes must divide W and H.
 * What of the input these need is read straight from memory, or copied to shared memory first. */
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

enum { LAYOUT_strided, LAYOUT_adjacent };
enum { INPUT_direct, INPUT_readonly, INPUT_tile };
enum { FILTER_direct, FILTER_readonly, FILTER_copied };

constexpr bool IS_ADJACENT = JOIN(LAYOUT_, LAYOUT) == LAYOUT_adjacent;
constexpr bool IS_TILE = JOIN(INPUT_, INPUT) == INPUT_tile;
constexpr bool IS_INPUT_READONLY = JOIN(INPUT_, INPUT) == INPUT_readonly;
constexpr bool IS_COPIED = JOIN(FILTER_, FILTER) == FILTER_copied;
constexpr bool IS_FILTER_READONLY = JOIN(FILTER_, FILTER) == FILTER_readonly;

constexpr int PITCH = W + FW - 1; /* of the input */
constexpr int TILE_COLUMNS = BX * TX + FW - 1, TILE_ROWS = BY * TY + FH - 1;
constexpr int TILE_PITCH = TILE_COLUMNS + PAD * VEC;

static_assert(W % (BX * TX) == 0 && H % (BY * TY) == 0, "blocks cover the image");
static_assert(PITCH % VEC == 0 && BX * TX % VEC == 0, "a tile holds whole vectors");

struct alignas(4 * VEC) lanes {
  float at[VEC];
};

/* In dynamic shared memory: the tile, if there is one, and the filter behind it. */
extern __shared__ __align__(16) float shared[];

__device__ inline void copy_tile(const float *in, int thread)
{
  constexpr int COLUMNS = TILE_COLUMNS / VEC;

  for (int i = thread; i < TILE_ROWS * COLUMNS; i += BX * BY) {
    int row = i / COLUMNS, column = i % COLUMNS * VEC;
    *(lanes *)&shared[row * TILE_PITCH + column] = *(const lanes *)&in[row * PITCH + column];
  }
}

extern "C" __global__ void __launch_bounds__(BX *BY, BLOCKS)
    convolution(const float *in, const float *filter, float *out)
{
  float *own_filter = shared + (IS_TILE ? TILE_ROWS * TILE_PITCH : 0);
  int thread = threadIdx.y * BX + threadIdx.x;
  int x = IS_ADJACENT ? threadIdx.x * TX : threadIdx.x, dx = IS_ADJACENT ? 1 : BX;
  int y = IS_ADJACENT ? threadIdx.y * TY : threadIdx.y, dy = IS_ADJACENT ? 1 : BY;
  float sums[TY][TX] = {};

  in += blockIdx.y * (BY * TY) * PITCH + blockIdx.x * (BX * TX);
  out += blockIdx.y * (BY * TY) * W + blockIdx.x * (BX * TX);
  if (IS_TILE) copy_tile(in, thread);
  if (IS_COPIED)
    for (int i = thread; i < FH * FW; i += BX * BY)
      own_filter[i] = filter[i];
  if (IS_TILE || IS_COPIED) __syncthreads();

#pragma unroll UNROLL_Y
  for (int fy = 0; fy < FH; fy++)
#pragma unroll UNROLL_X
    for (int fx = 0; fx < FW; fx++) {
      const float *weight = (IS_COPIED ? own_filter : filter) + fy * FW + fx;
      float w = IS_FILTER_READONLY ? __ldg(weight) : *weight;
#pragma unroll
      for (int j = 0; j < TY; j++)
#pragma unroll
        for (int i = 0; i < TX; i++) {
          int row = y + j * dy + fy, column = x + i * dx + fx;
          const float *pixel =
              IS_TILE ? &shared[row * TILE_PITCH + column] : &in[row * PITCH + column];
          sums[j][i] += w * (IS_INPUT_READONLY ? __ldg(pixel) : *pixel);
        }
    }

#pragma unroll
  for (int j = 0; j < TY; j++)
#pragma unroll
    for (int i = 0; i < TX; i++)
      out[(y + j * dy) * W + x + i * dx] = sums[j][i];
}
