// Device functions of the measuring process. The text in _triton_ptx.py is made from this file by
//   nvcc -ptx -arch=compute_75 -O3 _triton_device.cu
// with ".version 7.0", so that older drivers load it.
typedef unsigned long long u64;

/* How elements are compared; the numbers of KINDS in _triton_measure.py. */
enum { BITS8, BITS16, BITS32, BITS64, F16, BF16, F32, F64, F8E4M3, F8E5M2 };

static __device__ double half_bits(unsigned bits)
{
  unsigned sign = bits >> 15, exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent ? (1024.0 + mantissa) : (double)mantissa;
  int shift = (exponent ? (int)exponent : 1) - 25;

  if (exponent == 31) value = mantissa ? __longlong_as_double(0x7ff8000000000000ll) : __longlong_as_double(0x7ff0000000000000ll);
  else value = value * __longlong_as_double((long long)(1023 + shift) << 52);
  return sign ? -value : value;
}

static __device__ double e4m3_bits(unsigned bits)
{
  unsigned exponent = bits >> 3 & 15, mantissa = bits & 7;
  double value = exponent ? (8.0 + mantissa) : (double)mantissa;
  int shift = (exponent ? (int)exponent : 1) - 10;

  if ((bits & 127) == 127) return __longlong_as_double(0x7ff8000000000000ll);
  value = value * __longlong_as_double((long long)(1023 + shift) << 52);
  return bits & 128 ? -value : value;
}

static __device__ double number(const void *data, u64 i, int kind)
{
  switch (kind) {
  case F16: return half_bits(((const unsigned short *)data)[i]);
  case BF16: return __uint_as_float((unsigned)((const unsigned short *)data)[i] << 16);
  case F32: return ((const float *)data)[i];
  case F64: return ((const double *)data)[i];
  case F8E4M3: return e4m3_bits(((const unsigned char *)data)[i]);
  default: return half_bits((unsigned)((const unsigned char *)data)[i] << 8);
  }
}

static __device__ u64 raw(const void *data, u64 i, int kind)
{
  switch (kind) {
  case BITS8: case F8E4M3: case F8E5M2: return ((const unsigned char *)data)[i];
  case BITS16: case F16: case BF16: return ((const unsigned short *)data)[i];
  case BITS32: case F32: return ((const unsigned *)data)[i];
  default: return ((const u64 *)data)[i];
  }
}

/* out: the number of elements that differ, the index of the first one, the bits of the largest
 * absolute difference. An element is right if it is equal, both are NaN, or it differs by at most
 * atol + rtol * |expected|. */
extern "C" __global__ void hone_compare(const void *actual, const void *expected, u64 count, int kind, double rtol,
                                        double atol, u64 *out)
{
  u64 wrong = 0, first = ~0ull;
  double largest = 0;

  for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) {
    if (raw(actual, i, kind) == raw(expected, i, kind)) continue;
    if (kind >= F16) {
      double a = number(actual, i, kind), b = number(expected, i, kind), difference = fabs(a - b);
      if (a == b || (a != a && b != b)) continue;
      if (difference > largest) largest = difference;
      if (difference <= atol + rtol * fabs(b) && !isinf(b)) continue;
    }
    wrong++;
    if (i < first) first = i;
  }
  if (largest > 0) atomicMax(out + 2, (u64)__double_as_longlong(largest));
  if (!wrong) return;
  atomicAdd(out, wrong);
  atomicMin(out + 1, first);
}

/* A digest of words: it changes if a word changes. */
extern "C" __global__ void hone_digest(const u64 *words, u64 count, u64 *out)
{
  u64 sum = 0;

  for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < count; i += (u64)gridDim.x * blockDim.x) {
    u64 z = words[i] + (i + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    sum += z ^ z >> 31;
  }
  if (sum) atomicAdd(out, sum);
}
