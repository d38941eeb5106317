/* The transpose of a matrix of floats in OpenCL: `in` is H x W, `out` W x H. transpose-opencl.yaml
 * is its spec, README.md explains the knobs, transpose.cu is the same in CUDA.
 *
 * A group of THREADS moves a tile of TY rows and TX columns, VEC elements of a row at a time.
 * `tile` turns it in local memory, so that both matrices are read and written along their rows;
 * `direct` writes along columns. TX and TY are powers of two that divide W and H. */
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

#define VIA_direct     0
#define VIA_tile       1
#define BANKS_plain    0
#define BANKS_pad      1
#define BANKS_swizzle  2
#define ORDER_rows     0
#define ORDER_diagonal 1

#define IS_TILE     (JOIN(VIA_, VIA) == VIA_tile)
#define IS_PADDED   (JOIN(BANKS_, BANKS) == BANKS_pad)
#define IS_SWIZZLED (JOIN(BANKS_, BANKS) == BANKS_swizzle)
#define IS_DIAGONAL (JOIN(ORDER_, ORDER) == ORDER_diagonal)
#define VECTORS     (TX * TY / VEC / THREADS) /* of a work-item */

#if VEC == 1
#define COPY(from, to) (*(to) = *(from))
#else
#define COPY(from, to) JOIN(vstore, VEC)(JOIN(vload, VEC)(0, from), 0, to)
#endif

/* Where an element lies in local memory. A column is read by many work-items at once: without a
 * measure, all from one bank. The swizzle moves row r, or VEC rows together, by r columns. */
int place(int row, int column)
{
  return row * (TX + (IS_PADDED ? 1 : 0)) +
         (IS_SWIZZLED ? column ^ (row / VEC & (TX - 1)) : column);
}

__kernel __attribute__((reqd_work_group_size(THREADS, 1, 1))) void
transpose(__global const float *restrict in, __global float *restrict out)
{
  size_t block_x = get_group_id(0), block_y = get_group_id(1);
  int thread = get_local_id(0);
  float vector[VEC];

  if (IS_DIAGONAL) block_y = (block_x + block_y) % get_num_groups(1);
  in += block_y * TY * W + block_x * TX;
  out += block_x * TX * H + block_y * TY;
#if IS_TILE
  __local float tile[TY * (TX + 1)];
#endif

#pragma unroll
  for (int i = 0; i < VECTORS; i++) {
    int at = (i * THREADS + thread) * VEC, row = at / TX, column = at % TX;
    COPY(in + row * W + column, vector);
#pragma unroll
    for (int v = 0; v < VEC; v++)
#if IS_TILE
      tile[place(row, column + v)] = vector[v];
#else
      out[(column + v) * H + row] = vector[v];
#endif
  }

#if IS_TILE
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (int i = 0; i < VECTORS; i++) {
    int at = (i * THREADS + thread) * VEC, row = at / TY, column = at % TY;
#pragma unroll
    for (int v = 0; v < VEC; v++)
      vector[v] = tile[place(column + v, row)];
    COPY(vector, out + row * H + column);
  }
#endif
}
