/* simt_library.h - the functions of a device's library: CUDA's driver interface, or HIP's.
 *
 * HIP follows CUDA function by function, so there is one table with two columns of names, and two
 * libraries fill it: cuda/cuda_library.c and hip/hip_library.c. Building needs no header of either:
 * objects are opaque pointers, enums are numbers, and an address of HIP, which is a pointer, is
 * passed as a number of the same size. CUDA's numbers never change, its names may get a _v2.
 */
#ifndef HONE_BACKEND_SIMT_SIMT_LIBRARY_H
#define HONE_BACKEND_SIMT_SIMT_LIBRARY_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int simt_result; /* 0: success; the numbers of both libraries agree */
typedef int simt_device;
typedef uint64_t simt_address;
typedef struct simt_context_object *simt_context;
typedef struct simt_stream_object *simt_stream;
typedef struct simt_event_object *simt_event;
typedef struct simt_module_object *simt_module;
typedef struct simt_function_object *simt_function;
typedef struct simt_graph_object *simt_graph;
typedef struct simt_graph_exec_object *simt_graph_exec;
typedef struct simt_array_object *simt_array;

enum { SIMT_UUID_BYTES = 16 };

/* name, number in CUDA, number in HIP; -1: it has none */
#define HONE__SIMT_ATTRIBUTES(X)                                                                   \
  X(SIMT_MAX_THREADS, 1, 56) /* of a block */                                                      \
  X(SIMT_MAX_BLOCK_X, 2, 26)                                                                       \
  X(SIMT_MAX_BLOCK_Y, 3, 27)                                                                       \
  X(SIMT_MAX_BLOCK_Z, 4, 28)                                                                       \
  X(SIMT_MAX_GRID_X, 5, 29)                                                                        \
  X(SIMT_MAX_GRID_Y, 6, 30)                                                                        \
  X(SIMT_MAX_GRID_Z, 7, 31)                                                                        \
  X(SIMT_SHARED_BYTES, 8, 74)                                                                      \
  X(SIMT_WARP_SIZE, 10, 87)                                                                        \
  X(SIMT_REGISTERS, 12, 71)                                                                        \
  X(SIMT_CLOCK_KHZ, 13, 5)                                                                         \
  X(SIMT_SM_COUNT, 16, 63)                                                                         \
  X(SIMT_COMPUTE_MODE, 20, 6)                                                                      \
  X(SIMT_MEMORY_CLOCK_KHZ, 36, 60)                                                                 \
  X(SIMT_BUS_BITS, 37, 59)                                                                         \
  X(SIMT_L2_BYTES, 38, 19)                                                                         \
  X(SIMT_MAX_THREADS_PER_SM, 39, 57)                                                               \
  X(SIMT_CAPABILITY_MAJOR, 75, 23)                                                                 \
  X(SIMT_CAPABILITY_MINOR, 76, 61)                                                                 \
  X(SIMT_SHARED_PER_SM_BYTES, 81, 76)                                                              \
  X(SIMT_REGISTERS_PER_SM, 82, 72)                                                                 \
  X(SIMT_SHARED_OPTIN_BYTES, 97, 75)                                                               \
  X(SIMT_MAX_BLOCKS_PER_SM, 106, 25)                                                               \
  X(SIMT_SHARED_RESERVED_BYTES, 111, 73)                                                           \
  X(SIMT_MPS_ENABLED, 133, -1)

enum simt_attribute {
#define HONE__SIMT_NAME(name, cuda, hip) name,
  HONE__SIMT_ATTRIBUTES(HONE__SIMT_NAME)
#undef HONE__SIMT_NAME
      SIMT_ATTRIBUTE_COUNT
};

enum simt_launch_attribute_id { SIMT_LAUNCH_COOPERATIVE = 2, SIMT_LAUNCH_CLUSTER = 4 };
struct simt_launch_attribute {
  int id;
  char padding[4];
  union {
    char bytes[64];
    unsigned cluster[3];
    int cooperative;
  } value;
};
struct simt_launch_config {
  unsigned grid[3], block[3], shared_bytes;
  simt_stream stream;
  struct simt_launch_attribute *attributes;
  unsigned attribute_count;
};

struct simt_tensor_map { /* opaque except to the device; aligned as in CUDA 13 */
  _Alignas(128) uint64_t words[16];
};

struct simt_array_shape {
  size_t width, height, depth; /* 0: it has fewer dimensions */
  int format;
  unsigned channels, flags;
};

struct simt_resource_memory { /* one row of `sizes[0]` bytes, or rows of texels with a pitch */
  simt_address address;
  int format;
  unsigned channels;
  size_t sizes[3];
};
struct simt_resource { /* what a texture or surface is of */
  int type;
  union {
    simt_array array;
    struct simt_resource_memory memory;
    int reserved[32];
  } of;
  unsigned flags;
};

struct simt_texture {
  int address[3], filter;
  unsigned flags, anisotropy;
  int mipmap_filter;
  float mipmap[3], border[4];
  int reserved[12];
};

/* name, arguments, its name in CUDA, its name in HIP. "": the library's file makes one of its own.
 */
#define HONE__SIMT_FUNCTIONS(X)                                                                    \
  X(Init, (unsigned), "cuInit", "hipInit")                                                         \
  X(DriverGetVersion, (int *), "cuDriverGetVersion", "hipDriverGetVersion")                        \
  X(GetErrorName, (simt_result, const char **), "cuGetErrorName", "")                              \
  X(GetErrorString, (simt_result, const char **), "cuGetErrorString", "")                          \
  X(DeviceGetCount, (int *), "cuDeviceGetCount", "hipGetDeviceCount")                              \
  X(DeviceGet, (simt_device *, int), "cuDeviceGet", "hipDeviceGet")                                \
  X(DeviceGetName, (char *, int, simt_device), "cuDeviceGetName", "hipDeviceGetName")              \
  X(DeviceGetUuid, (unsigned char *, simt_device), "cuDeviceGetUuid", "hipDeviceGetUuid")          \
  X(DeviceGetAttribute, (int *, int, simt_device), "cuDeviceGetAttribute",                         \
    "hipDeviceGetAttribute")                                                                       \
  X(DeviceTotalMem, (size_t *, simt_device), "cuDeviceTotalMem_v2", "hipDeviceTotalMem")           \
  X(DevicePrimaryCtxRetain, (simt_context *, simt_device), "cuDevicePrimaryCtxRetain",             \
    "hipDevicePrimaryCtxRetain")                                                                   \
  X(DevicePrimaryCtxRelease, (simt_device), "cuDevicePrimaryCtxRelease_v2",                        \
    "hipDevicePrimaryCtxRelease")                                                                  \
  X(CtxSetCurrent, (simt_context), "cuCtxSetCurrent", "hipCtxSetCurrent")                          \
  X(CtxSynchronize, (void), "cuCtxSynchronize", "hipDeviceSynchronize")                            \
  X(MemAlloc, (simt_address *, size_t), "cuMemAlloc_v2", "hipMalloc")                              \
  X(MemFree, (simt_address), "cuMemFree_v2", "hipFree")                                            \
  X(MemcpyHtoD, (simt_address, const void *, size_t), "cuMemcpyHtoD_v2", "hipMemcpyHtoD")          \
  X(MemcpyDtoH, (void *, simt_address, size_t), "cuMemcpyDtoH_v2", "hipMemcpyDtoH")                \
  X(MemcpyDtoDAsync, (simt_address, simt_address, size_t, simt_stream), "cuMemcpyDtoDAsync_v2",    \
    "hipMemcpyDtoDAsync")                                                                          \
  X(MemsetD8Async, (simt_address, unsigned char, size_t, simt_stream), "cuMemsetD8Async",          \
    "hipMemsetD8Async")                                                                            \
  X(ModuleLoadDataEx, (simt_module *, const void *, unsigned, int *, void **),                     \
    "cuModuleLoadDataEx", "hipModuleLoadDataEx")                                                   \
  X(ModuleUnload, (simt_module), "cuModuleUnload", "hipModuleUnload")                              \
  X(ModuleGetFunction, (simt_function *, simt_module, const char *), "cuModuleGetFunction",        \
    "hipModuleGetFunction")                                                                        \
  X(ModuleGetGlobal, (simt_address *, size_t *, simt_module, const char *),                        \
    "cuModuleGetGlobal_v2", "hipModuleGetGlobal")                                                  \
  X(FuncGetAttribute, (int *, int, simt_function), "cuFuncGetAttribute", "hipFuncGetAttribute")    \
  X(FuncSetAttribute, (simt_function, int, int), "cuFuncSetAttribute", "")                         \
  X(OccupancyMaxActiveBlocks, (int *, simt_function, int, size_t),                                 \
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",                                                 \
    "hipModuleOccupancyMaxActiveBlocksPerMultiprocessor")                                          \
  X(LaunchKernel,                                                                                  \
    (simt_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,          \
     simt_stream, void **, void **),                                                               \
    "cuLaunchKernel", "hipModuleLaunchKernel")                                                     \
  X(StreamCreate, (simt_stream *, unsigned), "cuStreamCreate", "hipStreamCreateWithFlags")         \
  X(StreamDestroy, (simt_stream), "cuStreamDestroy_v2", "hipStreamDestroy")                        \
  X(StreamSynchronize, (simt_stream), "cuStreamSynchronize", "hipStreamSynchronize")               \
  X(StreamBeginCapture, (simt_stream, int), "cuStreamBeginCapture_v2", "hipStreamBeginCapture")    \
  X(StreamEndCapture, (simt_stream, simt_graph *), "cuStreamEndCapture", "hipStreamEndCapture")    \
  X(EventCreate, (simt_event *, unsigned), "cuEventCreate", "hipEventCreateWithFlags")             \
  X(EventDestroy, (simt_event), "cuEventDestroy_v2", "hipEventDestroy")                            \
  X(EventRecord, (simt_event, simt_stream), "cuEventRecord", "hipEventRecord")                     \
  X(EventSynchronize, (simt_event), "cuEventSynchronize", "hipEventSynchronize")                   \
  X(EventElapsedTime, (float *, simt_event, simt_event), "cuEventElapsedTime",                     \
    "hipEventElapsedTime")                                                                         \
  X(GraphLaunch, (simt_graph_exec, simt_stream), "cuGraphLaunch", "hipGraphLaunch")                \
  X(GraphExecDestroy, (simt_graph_exec), "cuGraphExecDestroy", "hipGraphExecDestroy")              \
  X(GraphDestroy, (simt_graph), "cuGraphDestroy", "hipGraphDestroy")

/* Functions that older libraries lack, or that only programs with contexts of their own need; NULL
 * there. */
#define HONE__SIMT_NEWER_FUNCTIONS(X)                                                              \
  X(CtxGetCurrent, (simt_context *), "cuCtxGetCurrent", "hipCtxGetCurrent")                        \
  X(CtxGetDevice, (simt_device *), "cuCtxGetDevice", "hipCtxGetDevice")                            \
  X(DeviceGetUuid_v2, (unsigned char *, simt_device), "cuDeviceGetUuid_v2", "")                    \
  X(GraphInstantiateWithFlags, (simt_graph_exec *, simt_graph, unsigned long long),                \
    "cuGraphInstantiateWithFlags", "hipGraphInstantiateWithFlags")                                 \
  X(GraphUpload, (simt_graph_exec, simt_stream), "cuGraphUpload", "hipGraphUpload")                \
  X(LaunchKernelEx, (const struct simt_launch_config *, simt_function, void **, void **),          \
    "cuLaunchKernelEx", "")                                                                        \
  X(TensorMapEncodeTiled,                                                                          \
    (struct simt_tensor_map *, int, uint32_t, void *, const uint64_t *, const uint64_t *,          \
     const uint32_t *, const uint32_t *, int, int, int, int),                                      \
    "cuTensorMapEncodeTiled", "")                                                                  \
  X(ArrayCreate, (simt_array *, const struct simt_array_shape *), "cuArray3DCreate_v2",            \
    "hipArray3DCreate")                                                                            \
  X(ArrayDestroy, (simt_array), "cuArrayDestroy", "hipArrayDestroy")                               \
  X(Memcpy3DAsync, (const void *, simt_stream), "cuMemcpy3DAsync_v2", "hipMemcpy3DAsync")          \
  X(TexObjectCreate,                                                                               \
    (uint64_t *, const struct simt_resource *, const struct simt_texture *, const void *),         \
    "cuTexObjectCreate", "hipTexObjectCreate")                                                     \
  X(TexObjectDestroy, (uint64_t), "cuTexObjectDestroy", "hipTexObjectDestroy")                     \
  X(SurfObjectCreate, (uint64_t *, const struct simt_resource *), "cuSurfObjectCreate",            \
    "hipCreateSurfaceObject")                                                                      \
  X(SurfObjectDestroy, (uint64_t), "cuSurfObjectDestroy", "hipDestroySurfaceObject")               \
  X(GetDeviceProperties, (void *, int), "", "hipGetDeviceProperties")                              \
  X(GetDevicePropertiesR0600, (void *, int), "", "hipGetDevicePropertiesR0600")

struct hone__simt_kind;

struct hone__simt_library {
#define HONE__SIMT_FIELD(name, arguments, cuda, hip) simt_result(*name) arguments;
  HONE__SIMT_FUNCTIONS(HONE__SIMT_FIELD)
  HONE__SIMT_NEWER_FUNCTIONS(HONE__SIMT_FIELD)
#undef HONE__SIMT_FIELD
  const struct hone__simt_kind *kind; /* simt_kind.h */
};

/* The names of one column. */
struct simt_names {
#define HONE__SIMT_NAME_FIELD(name, arguments, cuda, hip) const char *name;
  HONE__SIMT_FUNCTIONS(HONE__SIMT_NAME_FIELD)
  HONE__SIMT_NEWER_FUNCTIONS(HONE__SIMT_NAME_FIELD)
#undef HONE__SIMT_NAME_FIELD
};

/* Opens the file `name`, and never closes it. False: `*out_why` is the loader's reason, or
 * `*out_missing` the first needed function that the file lacks. Functions with the name "" keep
 * what they were set to. */
bool hone__simt_library_open(const char *name, const struct simt_names *names,
                             struct hone__simt_library *library, const char **out_why,
                             const char **out_missing);

#endif
