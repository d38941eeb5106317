/* Prefix sums: out[i] = in[0] + ... + in[i]. Each block sums up a piece of CHUNK elements, the
 * sums of the pieces are summed up (by scan_sums, or by the host), and each block scans its
 * piece once more, beginning with what the pieces before it have. */
#define CHUNK (GROUP * ITEMS)

extern "C" __global__ void piece_sums(const float *in, float *sums, int n)
{
  __shared__ float parts[GROUP];
  int id = threadIdx.x, first = blockIdx.x * CHUNK;
  float sum = 0;

  for (int i = 0; i < ITEMS; i++) {
    int at = first + i * GROUP + id;
    sum += at < n ? in[at] : 0;
  }
  parts[id] = sum;
  for (int rest = GROUP / 2; rest > 0; rest /= 2) {
    __syncthreads();
    if (id < rest) parts[id] += parts[id + rest];
  }
  if (id == 0) sums[blockIdx.x] = parts[0];
}

/* One thread: few sums are not worth more. */
extern "C" __global__ void scan_sums(float *sums, int pieces)
{
  float sum = 0;

  for (int i = 0; i < pieces; i++) {
    float own = sums[i];
    sums[i] = sum;
    sum += own;
  }
}

extern "C" __global__ void scan_pieces(const float *in, const float *sums, float *out, int n)
{
  __shared__ float parts[GROUP];
  int id = threadIdx.x, first = blockIdx.x * CHUNK + id * ITEMS;
  float own[ITEMS], sum = 0, before;

  for (int i = 0; i < ITEMS; i++)
    own[i] = sum += first + i < n ? in[first + i] : 0;
  parts[id] = sum;
  for (int step = 1; step < GROUP; step *= 2) {
    __syncthreads();
    before = id >= step ? parts[id - step] : 0;
    __syncthreads();
    parts[id] += before;
  }
  before = sums[blockIdx.x] + parts[id] - sum;
  for (int i = 0; i < ITEMS; i++)
    if (first + i < n) out[first + i] = before + own[i];
}
