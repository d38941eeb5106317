/* A 2D convolution in OpenCL: each pixel of `out` (H x W) is the sum of FH x FW pixels of `in`,
 * which has FH - 1 more rows and FW - 1 more columns, weighted by `filter`.
 * convolution-opencl.yaml is its spec, README.md explains the knobs; convolution.cu is the same in
 * CUDA.
 *
 * A group of BX x BY work-items computes BX * TX x BY * TY pixels; these sizes must divide W and H.
 * What of the input these need is read straight from memory, or copied to local memory first. */
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

#define LAYOUT_strided   0
#define LAYOUT_adjacent  1
#define INPUT_direct     0
#define INPUT_tile       1
#define FILTER_direct    0
#define FILTER_constants 1
#define FILTER_copied    2

#define IS_ADJACENT (JOIN(LAYOUT_, LAYOUT) == LAYOUT_adjacent)
#define IS_TILE     (JOIN(INPUT_, INPUT) == INPUT_tile)
#define IS_COPIED   (JOIN(FILTER_, FILTER) == FILTER_copied)

#if JOIN(FILTER_, FILTER) == FILTER_constants
#define FILTER_SPACE __constant
#else
#define FILTER_SPACE __global
#endif

#define PITCH        (W + FW - 1) /* of the input */
#define TILE_COLUMNS (BX * TX + FW - 1)
#define TILE_ROWS    (BY * TY + FH - 1)
#define TILE_PITCH   (TILE_COLUMNS + PAD * VEC)

#if VEC == 1
#define COPY(from, to) (*(to) = *(from))
#else
#define COPY(from, to) JOIN(vstore, VEC)(JOIN(vload, VEC)(0, from), 0, to)
#endif

__kernel __attribute__((reqd_work_group_size(BX, BY, 1))) void
convolution(__global const float *restrict in, FILTER_SPACE const float *restrict filter,
            __global float *restrict out)
{
  int thread = get_local_id(1) * BX + get_local_id(0);
  int x = get_local_id(0) * (IS_ADJACENT ? TX : 1), dx = IS_ADJACENT ? 1 : BX;
  int y = get_local_id(1) * (IS_ADJACENT ? TY : 1), dy = IS_ADJACENT ? 1 : BY;
  float sums[TY][TX] = {{0}};

  in += get_group_id(1) * (BY * TY) * PITCH + get_group_id(0) * (BX * TX);
  out += get_group_id(1) * (BY * TY) * W + get_group_id(0) * (BX * TX);
#if IS_TILE
  __local float tile[TILE_ROWS * TILE_PITCH];
  for (int i = thread; i < TILE_ROWS * (TILE_COLUMNS / VEC); i += BX * BY) {
    int row = i / (TILE_COLUMNS / VEC), column = i % (TILE_COLUMNS / VEC) * VEC;
    COPY(in + row * PITCH + column, tile + row * TILE_PITCH + column);
  }
#endif
#if IS_COPIED
  __local float own_filter[FH * FW];
  for (int i = thread; i < FH * FW; i += BX * BY)
    own_filter[i] = filter[i];
#endif
#if IS_TILE || IS_COPIED
  barrier(CLK_LOCAL_MEM_FENCE);
#endif

#pragma unroll UNROLL_Y
  for (int fy = 0; fy < FH; fy++)
#pragma unroll UNROLL_X
    for (int fx = 0; fx < FW; fx++) {
#if IS_COPIED
      float w = own_filter[fy * FW + fx];
#else
      float w = filter[fy * FW + fx];
#endif
#pragma unroll
      for (int j = 0; j < TY; j++)
#pragma unroll
        for (int i = 0; i < TX; i++) {
          int row = y + j * dy + fy, column = x + i * dx + fx;
#if IS_TILE
          sums[j][i] += w * tile[row * TILE_PITCH + column];
#else
          sums[j][i] += w * in[row * PITCH + column];
#endif
        }
    }

#pragma unroll
  for (int j = 0; j < TY; j++)
#pragma unroll
    for (int i = 0; i < TX; i++)
      out[(y + j * dy) * W + x + i * dx] = sums[j][i];
}
