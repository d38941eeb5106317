/* The transpose of a matrix of floats in CUDA: `in` is H x W, `out` W x H. transpose.yaml is its
 * spec, README.md explains the knobs, transpose.cl is the same in OpenCL.
 *
 *   nvcc -arch=native -cubin -DW=4096 -DH=4096 -DTX=32 -DTY=32 -DTHREADS=256 -DVEC=1 -DVIA=tile \
 *     -DBANKS=pad -DORDER=rows transpose.cu
 *
 * A block of THREADS moves a tile of TY rows and TX columns, VEC elements of a row at a time.
 * `tile` turns it in shared memory, so that both matrices are read and written along their rows;
 * `direct` writes along columns. TX and TY are powers of two that divide W and H. */
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

enum { VIA_direct, VIA_tile };
enum { BANKS_plain, BANKS_pad, BANKS_swizzle };
enum { ORDER_rows, ORDER_diagonal };

constexpr bool IS_TILE = JOIN(VIA_, VIA) == VIA_tile;
constexpr bool IS_PADDED = JOIN(BANKS_, BANKS) == BANKS_pad;
constexpr bool IS_SWIZZLED = JOIN(BANKS_, BANKS) == BANKS_swizzle;
constexpr bool IS_DIAGONAL = JOIN(ORDER_, ORDER) == ORDER_diagonal;
constexpr int VECTORS = TX * TY / VEC / THREADS; /* of a thread */

static_assert(W % TX == 0 && H % TY == 0 && TX * TY % (VEC * THREADS) == 0, "whole tiles");

struct alignas(4 * VEC) lanes {
  float at[VEC];
};

/* Where an element lies in shared memory. A column is read by threads of one warp at once: without
 * a measure, all from one bank. The swizzle moves row r, or VEC rows together, by r columns. */
__device__ inline int place(int row, int column)
{
  return row * (TX + (IS_PADDED ? 1 : 0)) +
         (IS_SWIZZLED ? column ^ (row / VEC & (TX - 1)) : column);
}

extern "C" __global__ void __launch_bounds__(THREADS) transpose(const float *in, float *out)
{
  __shared__ float tile[IS_TILE ? TY * (TX + 1) : 1];
  unsigned block_x = blockIdx.x, block_y = blockIdx.y;

  if (IS_DIAGONAL) block_y = (block_x + block_y) % gridDim.y;
  in += (size_t)block_y * TY * W + block_x * TX;
  out += (size_t)block_x * TX * H + block_y * TY;

#pragma unroll
  for (int i = 0; i < VECTORS; i++) {
    int at = (i * THREADS + threadIdx.x) * VEC, row = at / TX, column = at % TX;
    lanes vector = *(const lanes *)&in[row * W + column];
#pragma unroll
    for (int v = 0; v < VEC; v++)
      (IS_TILE ? tile[place(row, column + v)] : out[(column + v) * H + row]) = vector.at[v];
  }
  if (!IS_TILE) return;

  __syncthreads();
#pragma unroll
  for (int i = 0; i < VECTORS; i++) {
    int at = (i * THREADS + threadIdx.x) * VEC, row = at / TY, column = at % TY;
    lanes vector;
#pragma unroll
    for (int v = 0; v < VEC; v++)
      vector.at[v] = tile[place(column + v, row)];
    *(lanes *)&out[row * H + column] = vector;
  }
}
