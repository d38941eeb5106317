/* The sum of n floats in CUDA, in one launch; reduction.yaml is its spec, README.md explains the
 * knobs, reduction.cl is the same in OpenCL.
 *
 *   nvcc -arch=native -cubin -DBLOCK=256 -DVEC=4 -DITEMS=16 -DUNROLL=4 -DSTRIDE=block \
 *     -DTREE=shuffle -DCOMBINE=last reduction.cu
 *
 * Each thread sums ITEMS vectors of VEC floats, each block the sums of its threads. COMBINE says
 * how the sums of blocks meet: `last` leaves each in `partials`, and the block that finishes last
 * adds them up; `atomic` adds each to partials[0]. `done` counts the blocks that are finished. Both
 * are zeros before a launch, and the last block leaves them so. n is BLOCK * VEC * ITEMS *
 * gridDim.x. */
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

enum { STRIDE_block, STRIDE_grid };
enum { TREE_shuffle, TREE_shared };
enum { COMBINE_last, COMBINE_atomic };

constexpr bool IS_GRID = JOIN(STRIDE_, STRIDE) == STRIDE_grid;
constexpr bool IS_SHUFFLE = JOIN(TREE_, TREE) == TREE_shuffle;
constexpr bool IS_ATOMIC = JOIN(COMBINE_, COMBINE) == COMBINE_atomic;
constexpr int WARP = 32, WARPS = BLOCK / WARP;

static_assert(BLOCK % WARP == 0 && ITEMS % UNROLL == 0, "whole warps and whole steps");

struct alignas(4 * VEC) lanes {
  float at[VEC];
};

__device__ inline float sum_of_thread(const lanes *x)
{
  size_t step = IS_GRID ? (size_t)gridDim.x * BLOCK : BLOCK;
  float sums[VEC] = {}, sum = 0;

  x += blockIdx.x * (IS_GRID ? (size_t)BLOCK : (size_t)BLOCK * ITEMS) + threadIdx.x;
#pragma unroll UNROLL
  for (int item = 0; item < ITEMS; item++) {
    lanes next = x[item * step];
#pragma unroll
    for (int v = 0; v < VEC; v++)
      sums[v] += next.at[v];
  }
#pragma unroll
  for (int v = 0; v < VEC; v++)
    sum += sums[v];
  return sum;
}

__device__ inline float sum_of_warp(float sum)
{
#pragma unroll
  for (int distance = WARP / 2; distance > 0; distance /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, distance);
  return sum;
}

/* Right in thread 0. All threads of the block call it. */
__device__ inline float sum_of_block(float sum)
{
  __shared__ float sums[IS_SHUFFLE ? WARP : BLOCK];
  int thread = threadIdx.x;

  __syncthreads(); /* the sums of the last call are read */
  if (IS_SHUFFLE) {
    sum = sum_of_warp(sum);
    if (thread % WARP == 0) sums[thread / WARP] = sum;
    __syncthreads();
    return thread < WARP ? sum_of_warp(thread < WARPS ? sums[thread] : 0) : 0;
  }
  sums[thread] = sum;
#pragma unroll
  for (int distance = BLOCK / 2; distance > 0; distance /= 2) {
    __syncthreads();
    if (thread < distance) sums[thread] += sums[thread + distance];
  }
  return sums[0]; /* thread 0 itself has written it last */
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    reduction(const float *x, float *out, float *partials, unsigned *done)
{
  __shared__ bool is_last;
  float sum = sum_of_block(sum_of_thread((const lanes *)x));

  if (threadIdx.x == 0) {
    if (IS_ATOMIC)
      atomicAdd(partials, sum);
    else
      atomicExch(partials + blockIdx.x, sum);
    __threadfence();
    is_last = atomicAdd(done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) return;

  __threadfence();
  sum = 0;
  for (unsigned i = threadIdx.x; i < (IS_ATOMIC ? 1 : gridDim.x); i += BLOCK)
    sum += atomicExch(partials + i, 0);
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) *out = sum, *done = 0;
}
