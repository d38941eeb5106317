/* A library that looks like CUDA's driver and like NVRTC at once. It has one device, on which every
 * kernel is y = x + shift, and builds whatever it is given. Every module has the arrays `shift`,
 * one float that is 1 at first, and `last`, one float that a kernel sets to its last y.
 * stand-in/misbehave.h says how it fails.
 */
#define _GNU_SOURCE
#include "../stand-in/misbehave.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef unsigned long long address;

int cuInit(unsigned flags)
{
  CALL("cuInit");
  (void)flags;
  return 0;
}
int cuDriverGetVersion(int *v)
{
  CALL("cuDriverGetVersion");
  *v = problem ? -7 : 12090;
  return 0;
}
int cuGetErrorName(int e, const char **t)
{
  CALL("cuGetErrorName");
  (void)e;
  *t = problem ? NULL : "CUDA_ERROR_OF_STUB";
  return 0;
}
int cuGetErrorString(int e, const char **t)
{
  CALL("cuGetErrorString");
  (void)e;
  *t = problem ? NULL : "an error of the stub";
  return 0;
}
int cuDeviceGetCount(int *n)
{
  CALL("cuDeviceGetCount");
  *n = problem ? 2147483647 : 1;
  return 0;
}
int cuDeviceGet(int *d, int i)
{
  CALL("cuDeviceGet");
  *d = i;
  return 0;
}
int cuDeviceGetName(char *t, int n, int d)
{
  CALL("cuDeviceGetName");
  (void)d;
  if (problem)
    memset(t, 0xff, n);
  else
    snprintf(t, n, "Stub");
  return 0;
}
int cuDeviceGetUuid(unsigned char *u, int d)
{
  CALL("cuDeviceGetUuid");
  (void)d;
  memset(u, 7, 16);
  return 0;
}
int cuDeviceGetUuid_v2(unsigned char *u, int d)
{
  CALL("cuDeviceGetUuid_v2");
  (void)d;
  memset(u, 7, 16);
  return 0;
}
int cuDeviceGetAttribute(int *v, int a, int d)
{
  CALL("cuDeviceGetAttribute");
  (void)d;
  switch (a) {
  case 75: *v = 9; break;
  case 76: *v = 0; break;
  case 1: *v = 1024; break;
  case 2:
  case 3: *v = 1024; break;
  case 4: *v = 64; break;
  case 5: *v = 2147483647; break;
  case 6:
  case 7: *v = 65535; break;
  case 10: *v = 32; break;
  case 38: *v = 1 << 20; break;
  case 8: *v = 49152; break;
  case 97: *v = 232448; break;
  case 16: *v = 4; break;
  case 13: *v = 1000000; break;
  default: *v = 0;
  }
  if (problem) *v = a % 2 ? -2147483647 : 2147483647;
  return 0;
}
int cuDeviceTotalMem_v2(size_t *n, int d)
{
  CALL("cuDeviceTotalMem_v2");
  (void)d;
  *n = problem ? SIZE_MAX : 1u << 30;
  return 0;
}
int cuDevicePrimaryCtxRetain(void **c, int d)
{
  CALL("cuDevicePrimaryCtxRetain");
  (void)d;
  *c = problem ? NULL : (void *)1;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int d)
{
  CALL("cuDevicePrimaryCtxRelease_v2");
  (void)d;
  return 0;
}
static _Thread_local void *current;

int cuCtxSetCurrent(void *c)
{
  CALL("cuCtxSetCurrent");
  current = c;
  return 0;
}
int cuCtxGetCurrent(void **c)
{
  CALL("cuCtxGetCurrent");
  *c = current;
  return 0;
}
int cuCtxGetDevice(int *d)
{
  CALL("cuCtxGetDevice");
  *d = 0;
  return current ? 0 : 201;
}
int cuCtxSynchronize(void)
{
  CALL("cuCtxSynchronize");
  return 0;
}
int cuMemAlloc_v2(address *a, size_t n)
{
  void *p = NULL;
  CALL("cuMemAlloc_v2");
  if (n > 1u << 30 || posix_memalign(&p, 4096, n)) return 2;
  *a = problem ? 0 : (address)(uintptr_t)p;
  return 0;
}
int cuMemFree_v2(address a)
{
  CALL("cuMemFree_v2");
  free((void *)(uintptr_t)a);
  return 0;
}
int cuMemcpyHtoD_v2(address to, const void *from, size_t n)
{
  CALL("cuMemcpyHtoD_v2");
  memcpy((void *)(uintptr_t)to, from, problem ? n / 2 : n);
  return 0;
}
int cuMemcpyDtoH_v2(void *to, address from, size_t n)
{
  CALL("cuMemcpyDtoH_v2");
  if (problem)
    memset(to, 0xff, n);
  else
    memcpy(to, (void *)(uintptr_t)from, n);
  return 0;
}
int cuMemcpyDtoDAsync_v2(address to, address from, size_t n, void *s)
{
  CALL("cuMemcpyDtoDAsync_v2");
  (void)s;
  memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, n);
  return 0;
}
int cuMemsetD8Async(address to, unsigned char b, size_t n, void *s)
{
  CALL("cuMemsetD8Async");
  (void)s;
  memset((void *)(uintptr_t)to, b, n);
  return 0;
}
int cuMemHostUnregister(void *p)
{
  CALL("cuMemHostUnregister");
  (void)p;
  return 0;
}
int cuModuleLoadDataEx(void **m, const void *image, unsigned n, int *o, void **v)
{
  CALL("cuModuleLoadDataEx");
  (void)image;
  (void)n;
  (void)o;
  (void)v;
  *m = problem ? NULL : (void *)2;
  return 0;
}
int cuModuleUnload(void *m)
{
  CALL("cuModuleUnload");
  (void)m;
  return 0;
}
int cuModuleGetFunction(void **f, void *m, const char *name)
{
  CALL("cuModuleGetFunction");
  (void)m;
  *f = (void *)(uintptr_t)(strcmp(name, "hone_empty") == 0    ? 10
                           : strcmp(name, "hone_spin") == 0   ? 11
                           : strcmp(name, "hone_differ") == 0 ? 12
                           : strcmp(name, "hone_many") == 0   ? 14
                                                              : 13);
  return 0;
}
int cuFuncGetAttribute(int *v, int a, void *f)
{
  CALL("cuFuncGetAttribute");
  (void)f;
  *v = problem ? -1 : a == 0 ? 1024 : 0;
  return 0;
}
int cuFuncSetAttribute(void *f, int a, int v)
{
  CALL("cuFuncSetAttribute");
  (void)f;
  (void)a;
  (void)v;
  return 0;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, void *f, int t, size_t s)
{
  CALL("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  (void)f;
  (void)t;
  (void)s;
  *n = problem ? -5 : 1;
  return 0;
}

static int is_capturing;
static double queued;
static float shift = 1, last;

int cuModuleGetGlobal_v2(address *at, size_t *bytes, void *m, const char *name)
{
  CALL("cuModuleGetGlobal_v2");
  (void)m;
  *at = (address)(uintptr_t)(strcmp(name, "shift") == 0 ? &shift : &last);
  *bytes = sizeof shift;
  return problem || (strcmp(name, "shift") != 0 && strcmp(name, "last") != 0) ? 500 : 0;
}

struct call { /* y = x + shift */
  const float *x;
  float *y;
  int n;
};
enum { MOST_CALLS = 1024 };
static struct graph { /* the same until it is launched */
  struct call calls[MOST_CALLS];
  int count;
} * graph;

static void run(const struct call *call)
{
  for (int i = 0; i < call->n; i++)
    call->y[i] = call->x[i] + shift;
  if (call->n > 0) last = call->y[call->n - 1];
}

static void capture(const struct call *call)
{
  if (graph && graph->count < MOST_CALLS) graph->calls[graph->count++] = *call;
}

/* Copies to all of a table, or says which of them differs. */
static void many(void **p, unsigned rows)
{
  unsigned char **table = *(unsigned char ***)p[0];
  uint64_t offset = *(uint64_t *)p[1], bytes = *(uint64_t *)p[3] * *(uint64_t *)p[4];
  const unsigned char *other = *(void **)p[2];
  uint64_t *first = *(uint64_t **)p[5];

  for (unsigned i = 0; i < rows; i++) {
    if (!first)
      memcpy(table[i] + offset, other, bytes);
    else if (i < *first && memcmp(table[i] + offset, other, bytes) != 0)
      *first = i;
  }
}

static void differ(void **p)
{
  const unsigned char *one = *(void **)p[0], *other = *(void **)p[1];
  uint64_t count = *(uint64_t *)p[2], width = *(uint64_t *)p[3], *first = *(uint64_t **)p[4];

  for (uint64_t i = 0; i < count; i++)
    if (memcmp(one + i * width, other + i * width, width) != 0) {
      if (i < *first) *first = i;
      return;
    }
}

int cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *s, void **p, void **extra)
{
  CALL("cuLaunchKernel");
  (void)gx;
  (void)gz;
  (void)bx;
  (void)by;
  (void)bz;
  (void)shared;
  (void)s;
  (void)extra;
  if (f == (void *)12) differ(p);
  if (f == (void *)14) many(p, gy);
  if (f == (void *)13) {
    struct call call = {*(float **)p[0], *(float **)p[1], *(int *)p[2]};
    queued += 0.02;
    (is_capturing ? capture : run)(&call);
  }
  return 0;
}
int cuLaunchKernelEx(const void *c, void *f, void **p, void **e)
{
  CALL("cuLaunchKernelEx");
  (void)c;
  (void)f;
  (void)p;
  (void)e;
  return 0;
}
int cuStreamCreate(void **s, unsigned f)
{
  CALL("cuStreamCreate");
  (void)f;
  *s = (void *)3;
  return 0;
}
int cuStreamDestroy_v2(void *s)
{
  CALL("cuStreamDestroy_v2");
  (void)s;
  return 0;
}
int cuStreamSynchronize(void *s)
{
  CALL("cuStreamSynchronize");
  (void)s;
  return 0;
}
int cuStreamBeginCapture_v2(void *s, int m)
{
  CALL("cuStreamBeginCapture_v2");
  (void)s;
  (void)m;
  is_capturing = 1;
  graph = calloc(1, sizeof *graph);
  return 0;
}
int cuStreamEndCapture(void *s, void **g)
{
  CALL("cuStreamEndCapture");
  (void)s;
  is_capturing = 0;
  *g = problem ? NULL : graph;
  return 0;
}
int cuEventCreate(void **e, unsigned f)
{
  CALL("cuEventCreate");
  (void)f;
  *e = (void *)5;
  return 0;
}
int cuEventDestroy_v2(void *e)
{
  CALL("cuEventDestroy_v2");
  (void)e;
  return 0;
}
int cuEventRecord(void *e, void *s)
{
  CALL("cuEventRecord");
  (void)e;
  (void)s;
  return 0;
}
int cuEventSynchronize(void *e)
{
  CALL("cuEventSynchronize");
  (void)e;
  return 0;
}
int cuEventElapsedTime(float *ms, void *a, void *b)
{
  static const float lies[] = {-1, 0, NAN, INFINITY, 1e30f};
  CALL("cuEventElapsedTime");
  (void)a;
  (void)b;
  *ms = (float)(queued > 0 ? queued * (1 + (double)(calls * 7919 % 97) / 2000) : 0.001);
  queued = 0;
  if (problem) *ms = lies[calls % 5];
  return 0;
}
int cuGraphInstantiateWithFlags(void **e, void *g, unsigned long long f)
{
  CALL("cuGraphInstantiateWithFlags");
  (void)f;
  *e = g;
  return 0;
}
int cuGraphUpload(void *e, void *s)
{
  CALL("cuGraphUpload");
  (void)e;
  (void)s;
  return 0;
}
int cuGraphLaunch(void *e, void *s)
{
  struct graph *launched = e;

  CALL("cuGraphLaunch");
  (void)s;
  for (int i = 0; launched && i < launched->count; i++)
    run(&launched->calls[i]);
  queued = 2;
  return 0;
}
int cuGraphExecDestroy(void *e)
{
  CALL("cuGraphExecDestroy");
  free(e);
  return 0;
}
int cuGraphDestroy(void *g)
{
  CALL("cuGraphDestroy");
  (void)g;
  return 0;
}

/* ---- NVRTC ---- */

static char cubin[512]; /* the definitions */

int nvrtcVersion(int *major, int *minor)
{
  CALL("nvrtcVersion");
  *major = 12;
  *minor = 9;
  return 0;
}
const char *nvrtcGetErrorString(int error)
{
  (void)error;
  return "an error of the NVRTC stub";
}
int nvrtcCreateProgram(void **program, const char *source, const char *name, int n,
                       const char *const *h, const char *const *i)
{
  CALL("nvrtcCreateProgram");
  (void)source;
  (void)name;
  (void)n;
  (void)h;
  (void)i;
  *program = (void *)1;
  return 0;
}
int nvrtcAddNameExpression(void *p, const char *e)
{
  CALL("nvrtcAddNameExpression");
  (void)p;
  (void)e;
  return 0;
}
int nvrtcCompileProgram(void *p, int count, const char *const *options)
{
  size_t length = 0;
  CALL("nvrtcCompileProgram");
  (void)p;
  for (int i = 0; i < count && length < sizeof cubin; i++)
    length += (size_t)snprintf(cubin + length, sizeof cubin - length, "%s\n", options[i]);
  return 0;
}
int nvrtcGetProgramLogSize(void *p, size_t *n)
{
  CALL("nvrtcGetProgramLogSize");
  (void)p;
  *n = 1;
  return 0;
}
int nvrtcGetProgramLog(void *p, char *log)
{
  CALL("nvrtcGetProgramLog");
  (void)p;
  *log = 0;
  return 0;
}
int nvrtcGetCUBINSize(void *p, size_t *n)
{
  CALL("nvrtcGetCUBINSize");
  (void)p;
  *n = sizeof cubin;
  return 0;
}
int nvrtcGetCUBIN(void *p, char *to)
{
  CALL("nvrtcGetCUBIN");
  (void)p;
  memcpy(to, cubin, sizeof cubin);
  return 0;
}
int nvrtcGetLoweredName(void *p, const char *e, const char **name)
{
  CALL("nvrtcGetLoweredName");
  (void)p;
  (void)e;
  *name = "add_one";
  return 0;
}
