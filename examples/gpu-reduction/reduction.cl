/* The sum of n floats in OpenCL, in one launch; reduction-opencl.yaml is its spec, README.md
 * explains the knobs, reduction.cu is the same in CUDA.
 *
 * Each work-item sums ITEMS vectors of VEC floats, each group the sums of its work-items. COMBINE
 * says how the sums of groups meet: `last` leaves each in `partials`, and the group that finishes
 * last adds them up; `atomic` adds each to partials[0]. `done` counts the groups that are finished.
 * Both are zeros before a launch, and the last group leaves them so. n is BLOCK * VEC * ITEMS times
 * the number of groups. Nothing here needs more than OpenCL 1.2, which has no atomic sum of floats:
 * it is a loop around a comparison. */
#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

#define STRIDE_block   0
#define STRIDE_grid    1
#define TREE_halves    0
#define TREE_serial    1
#define COMBINE_last   0
#define COMBINE_atomic 1

#define IS_GRID   (JOIN(STRIDE_, STRIDE) == STRIDE_grid)
#define IS_ATOMIC (JOIN(COMBINE_, COMBINE) == COMBINE_atomic)

#if VEC == 1
typedef float lanes;
#else
typedef JOIN(float, VEC) lanes;
#endif

float sum_of_item(__global const lanes *x)
{
  size_t step = IS_GRID ? get_global_size(0) : BLOCK;
  lanes sums = 0;
  float sum = 0;

  x += get_group_id(0) * (IS_GRID ? BLOCK : BLOCK * ITEMS) + get_local_id(0);
#pragma unroll UNROLL
  for (int item = 0; item < ITEMS; item++)
    sums += x[item * step];
#pragma unroll
  for (int v = 0; v < VEC; v++)
    sum += ((const float *)&sums)[v];
  return sum;
}

/* Right in work-item 0. All work-items of the group call it. */
float sum_of_group(float sum, __local float *sums)
{
  int item = get_local_id(0);

  barrier(CLK_LOCAL_MEM_FENCE); /* the sums of the last call are read */
  sums[item] = sum;
#if JOIN(TREE_, TREE) == TREE_serial
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0)
    for (int i = 1; i < BLOCK; i++)
      sum += sums[i];
  return sum;
#else
  for (int distance = BLOCK / 2; distance > 0; distance /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < distance) sums[item] += sums[item + distance];
  }
  return sums[0]; /* work-item 0 itself has written it last */
#endif
}

void add(volatile __global float *to, float sum)
{
  volatile __global uint *bits = (volatile __global uint *)to;
  uint seen = *bits, expected;

  do {
    expected = seen;
    seen = atomic_cmpxchg(bits, expected, as_uint(as_float(expected) + sum));
  } while (seen != expected);
}

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
reduction(__global const float *x, __global float *out, volatile __global float *partials,
          volatile __global uint *done)
{
  __local float sums[BLOCK];
  __local int is_last;
  float sum = sum_of_group(sum_of_item((__global const lanes *)x), sums);

  if (get_local_id(0) == 0) {
    if (IS_ATOMIC)
      add(partials, sum);
    else
      atomic_xchg(partials + get_group_id(0), sum);
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    is_last = atomic_inc(done) == get_num_groups(0) - 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (!is_last) return;

  mem_fence(CLK_GLOBAL_MEM_FENCE);
  sum = 0;
  for (size_t i = get_local_id(0); i < (IS_ATOMIC ? 1 : get_num_groups(0)); i += BLOCK)
    sum += atomic_xchg(partials + i, 0.0f);
  sum = sum_of_group(sum, sums);
  if (get_local_id(0) == 0) {
    *out = sum;
    *done = 0;
  }
}
