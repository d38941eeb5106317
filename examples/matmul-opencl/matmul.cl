/* C = A * B in OpenCL, single precision, row-major: A is M x K, B is K x N. matmul.yaml is its
 * spec, README.md explains the knobs.
 *
 * A group computes BM x BN elements of C, a work-item TM x TN of these, which stay in registers. In
 * each step BK columns of A and as many rows of B are copied to local memory (VIA copied), or read
 * where they lie (VIA direct). BM, BN and BK must divide M, N and K. */
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

#define VIA_direct      0
#define VIA_copied      1
#define LAYOUT_strided  0
#define LAYOUT_adjacent 1

#define IS_COPIED   (JOIN(VIA_, VIA) == VIA_copied)
#define IS_ADJACENT (JOIN(LAYOUT_, LAYOUT) == LAYOUT_adjacent)

#define ITEMS_X (BN / TN) /* work-items of a group */
#define ITEMS_Y (BM / TM)
#define ITEMS   (ITEMS_X * ITEMS_Y)
#define PITCH_A (BK + PAD * VEC) /* of what is in local memory */
#define PITCH_B (BN + PAD * VEC)

#if VEC == 1
#define COPY(from, to) (*(to) = *(from))
#else
#define COPY(from, to) JOIN(vstore, VEC)(JOIN(vload, VEC)(0, from), 0, to)
#endif

/* All work-items of the group together. */
void copy_block(__global const float *from, int from_pitch, __local float *to, int to_pitch,
                int rows, int columns)
{
  int item = get_local_id(1) * ITEMS_X + get_local_id(0);

  for (int i = item; i < rows * columns / VEC; i += ITEMS) {
    int row = i * VEC / columns, column = i * VEC % columns;
    COPY(from + row * from_pitch + column, to + row * to_pitch + column);
  }
}

__kernel __attribute__((reqd_work_group_size(ITEMS_X, ITEMS_Y, 1))) void
matmul(__global const float *restrict A, __global const float *restrict B,
       __global float *restrict C)
{
  int x = get_local_id(0) * (IS_ADJACENT ? TN : 1), dx = IS_ADJACENT ? 1 : ITEMS_X;
  int y = get_local_id(1) * TM;
  float sums[TM][TN] = {{0}};

  A += get_group_id(1) * BM * K;
  B += get_group_id(0) * BN;
  C += get_group_id(1) * BM * N + get_group_id(0) * BN;
#if IS_COPIED
  __local float block_a[BM * PITCH_A], block_b[BK * PITCH_B];
#endif

  for (int step = 0; step < K; step += BK, A += BK, B += BK * N) {
#if IS_COPIED
    copy_block(A, K, block_a, PITCH_A, BM, BK);
    copy_block(B, N, block_b, PITCH_B, BK, BN);
    barrier(CLK_LOCAL_MEM_FENCE);
#define AT_A(row, column) block_a[(row) * PITCH_A + (column)]
#define AT_B(row, column) block_b[(row) * PITCH_B + (column)]
#else
#define AT_A(row, column) A[(row) * K + (column)]
#define AT_B(row, column) B[(row) * N + (column)]
#endif
#pragma unroll UNROLL
    for (int k = 0; k < BK; k++) {
      float b[TN];
#pragma unroll
      for (int j = 0; j < TN; j++)
        b[j] = AT_B(k, x + j * dx);
#pragma unroll
      for (int i = 0; i < TM; i++) {
        float a = AT_A(y + i, k);
#pragma unroll
        for (int j = 0; j < TN; j++)
          sums[i][j] += a * b[j];
      }
    }
#if IS_COPIED
    barrier(CLK_LOCAL_MEM_FENCE); /* before the next step overwrites the blocks */
#endif
  }

#pragma unroll
  for (int i = 0; i < TM; i++)
#pragma unroll
    for (int j = 0; j < TN; j++)
      C[(y + i) * N + x + j * dx] = sums[i][j];
}
