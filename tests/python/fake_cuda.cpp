// fake_cuda.cpp - a CUDA driver for tests on machines without a GPU (see test_triton.py).
//
// Memory is the host's, times are computed from the launch, and three kernels are known by name:
//   add_kernel(x, y, out, n)   adds floats
//   the two of _triton_device.cu, compiled for the host
// What a launch with a certain number of threads does wrong is said by environment variables:
//   FAKE_CUDA_FAULT=256   illegal access         FAKE_CUDA_WRONG=256   half of the answer
//   FAKE_CUDA_HANG=256    never ends             FAKE_CUDA_LOG=FILE    a line for each launch
//   c++ -O1 -shared -fPIC fake_cuda.cpp -o libfakecuda.so
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

#define __device__
#define __global__
struct dim { unsigned x, y, z; };
static dim blockIdx = {0, 0, 0}, threadIdx = {0, 0, 0}, blockDim = {1, 1, 1}, gridDim = {1, 1, 1};
static double __longlong_as_double(long long bits) { double value; memcpy(&value, &bits, 8); return value; }
static long long __double_as_longlong(double value) { long long bits; memcpy(&bits, &value, 8); return bits; }
static float __uint_as_float(unsigned bits) { float value; memcpy(&value, &bits, 4); return value; }
template <class T> static void atomicAdd(T *place, T value) { *place += value; }
template <class T> static void atomicMax(T *place, T value) { if (value > *place) *place = value; }
template <class T> static void atomicMin(T *place, T value) { if (value < *place) *place = value; }
using std::fabs;
using std::isinf;
#include "../../python/hone/_triton_device.cu"

struct config { unsigned grid[3], block[3], shared; void *stream, *attributes; unsigned attribute_count; };
struct event { double ns; };
struct function { std::string name; };

static double now_ns;
static int fault;

static bool is_for(const char *variable, unsigned threads)
{
  const char *value = getenv(variable);
  return value && (unsigned)atoi(value) == threads;
}

static void log_launch(const std::string &name, const config *launch)
{
  const char *path = getenv("FAKE_CUDA_LOG");
  FILE *file = path ? fopen(path, "a") : nullptr;
  if (!file) return;
  fprintf(file, "%s %u %u %u %u\n", name.c_str(), launch->grid[0], launch->grid[1], launch->block[0], launch->shared);
  fclose(file);
}

static void add(void **args, bool is_half)
{
  const float *x = *(const float **)args[0], *y = *(const float **)args[1];
  float *out = *(float **)args[2];
  int n = *(int *)args[3];
  for (int i = 0; i < (is_half ? n / 2 : n); i++) out[i] = x[i] + y[i];
}

extern "C" {
int cuInit(unsigned) { return getenv("FAKE_CUDA_GONE") ? 100 : 0; }
int cuDeviceGet(int *device, int index) { *device = index; return 0; }
int cuDevicePrimaryCtxRetain(void **context, int) { *context = &now_ns; return 0; }
int cuCtxSetCurrent(void *) { return 0; }
int cuDeviceGetAttribute(int *value, int number, int) { *value = number == 97 ? 232448 : 1 << 20; return 0; }
int cuMemAlloc_v2(uint64_t *address, size_t size)
{
  *address = (uint64_t)aligned_alloc(512, (size + 511) / 512 * 512);
  return *address ? 0 : 2;
}
int cuMemFree_v2(uint64_t address) { free((void *)address); return 0; }
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t size) { memcpy((void *)to, from, size); return fault; }
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size) { memcpy(to, (void *)from, size); return fault; }
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t size, void *) { memmove((void *)to, (void *)from, size); return fault; }
int cuMemsetD8Async(uint64_t to, unsigned char byte, size_t size, void *)
{
  if (size < 32u << 20) memset((void *)to, byte, size); // else: the buffer that flushes the cache
  return fault;
}
int cuMemsetD32Async(uint64_t, unsigned, size_t, void *) { return fault; }
int cuCtxSynchronize(void) { return fault; }
int cuModuleLoadData(void **module, const char *) { *module = &now_ns; return 0; }
int cuModuleGetFunction(void **found, void *, const char *name) { *found = new function{name}; return 0; }
int cuModuleUnload(void *) { return 0; }
int cuFuncGetAttribute(int *value, int number, void *) { *value = number == 0 ? 1024 : number == 4 ? 32 : 0; return 0; }
int cuFuncSetAttribute(void *, int, int) { return 0; }
int cuEventCreate(void **handle, unsigned) { *handle = new event{0}; return 0; }
int cuEventRecord(void *handle, void *) { ((event *)handle)->ns = now_ns; return fault; }
int cuEventElapsedTime(float *ms, void *begin, void *end) { *ms = (((event *)end)->ns - ((event *)begin)->ns) / 1e6; return fault; }
int cuGetErrorString(int code, const char **text) { *text = code == 700 ? "an illegal memory access was encountered" : "error"; return 0; }

int cuLaunchKernelEx(const config *launch, void *handle, void **args, void **)
{
  const std::string &name = ((function *)handle)->name;
  unsigned threads = launch->block[0];
  if (name == "hone_compare")
    hone_compare(*(void **)args[0], *(void **)args[1], *(u64 *)args[2], *(int *)args[3], *(double *)args[4],
                 *(double *)args[5], *(u64 **)args[6]);
  else if (name == "hone_digest") hone_digest(*(u64 **)args[0], *(u64 *)args[1], *(u64 **)args[2]);
  else {
    log_launch(name, launch);
    if (is_for("FAKE_CUDA_FAULT", threads)) fault = 700;
    while (is_for("FAKE_CUDA_HANG", threads)) sleep(1);
    if (name == "add_kernel" && !fault) add(args, is_for("FAKE_CUDA_WRONG", threads));
    now_ns += 1000.0 + 100000.0 / threads * (1 + rand() % 100 / 10000.0);
  }
  return fault;
}
}
