/* Prefix sums: out[i] = in[0] + ... + in[i]. Each work-group sums up a piece of CHUNK elements, the
 * sums of the pieces are summed up (by scan_sums, or by the host), and each work-group scans its
 * piece once more, beginning with what the pieces before it have. */
#define CHUNK (GROUP * ITEMS)

__kernel void piece_sums(__global const float *in, __global float *sums, int n)
{
  __local float parts[GROUP];
  int id = get_local_id(0), first = get_group_id(0) * CHUNK;
  float sum = 0;

  for (int i = 0; i < ITEMS; i++) {
    int at = first + i * GROUP + id;
    sum += at < n ? in[at] : 0;
  }
  parts[id] = sum;
  for (int rest = GROUP / 2; rest > 0; rest /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < rest) parts[id] += parts[id + rest];
  }
  if (id == 0) sums[get_group_id(0)] = parts[0];
}

/* One work-item: few sums are not worth more. */
__kernel void scan_sums(__global float *sums, int pieces)
{
  float sum = 0;

  for (int i = 0; i < pieces; i++) {
    float own = sums[i];
    sums[i] = sum;
    sum += own;
  }
}

__kernel void scan_pieces(__global const float *in, __global const float *sums,
                          __global float *out, int n)
{
  __local float parts[GROUP];
  int id = get_local_id(0), first = get_group_id(0) * CHUNK + id * ITEMS;
  float own[ITEMS], sum = 0, before;

  for (int i = 0; i < ITEMS; i++)
    own[i] = sum += first + i < n ? in[first + i] : 0;
  parts[id] = sum;
  for (int step = 1; step < GROUP; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    before = id >= step ? parts[id - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    parts[id] += before;
  }
  before = sums[get_group_id(0)] + parts[id] - sum;
  for (int i = 0; i < ITEMS; i++)
    if (first + i < n) out[first + i] = before + own[i];
}
