/* cuda_library.h - the used part of CUDA's driver interface, loaded at run time.
 *
 * Building needs no CUDA header: its objects are opaque pointers, its enums are numbers, and the
 * prototypes below are those of libcuda.so.1. Its numbers never change, its names may get a _v2.
 */
#ifndef HONE_BACKEND_CUDA_CUDA_LIBRARY_H
#define HONE_BACKEND_CUDA_CUDA_LIBRARY_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

typedef int cuda_result; /* 0: success */
typedef int cuda_device;
typedef uint64_t cuda_address;
typedef struct cuda_context_object *cuda_context;
typedef struct cuda_stream_object *cuda_stream;
typedef struct cuda_event_object *cuda_event;
typedef struct cuda_module_object *cuda_module;
typedef struct cuda_function_object *cuda_function;
typedef struct cuda_graph_object *cuda_graph;
typedef struct cuda_graph_exec_object *cuda_graph_exec;

enum { CUDA_UUID_BYTES = 16 };

enum cuda_device_attribute {
  CUDA_MAX_THREADS = 1, /* of a block */
  CUDA_MAX_BLOCK_X = 2, /* Y and Z follow */
  CUDA_MAX_GRID_X = 5,  /* Y and Z follow */
  CUDA_SHARED_BYTES = 8,
  CUDA_WARP_SIZE = 10,
  CUDA_REGISTERS = 12,
  CUDA_CLOCK_KHZ = 13,
  CUDA_SM_COUNT = 16,
  CUDA_COMPUTE_MODE = 20,
  CUDA_MEMORY_CLOCK_KHZ = 36,
  CUDA_BUS_BITS = 37,
  CUDA_L2_BYTES = 38,
  CUDA_MAX_THREADS_PER_SM = 39,
  CUDA_CAPABILITY_MAJOR = 75,
  CUDA_CAPABILITY_MINOR = 76,
  CUDA_SHARED_PER_SM_BYTES = 81,
  CUDA_REGISTERS_PER_SM = 82,
  CUDA_SHARED_OPTIN_BYTES = 97,
  CUDA_MAX_BLOCKS_PER_SM = 106,
  CUDA_SHARED_RESERVED_BYTES = 111,
  CUDA_MPS_ENABLED = 133
};

enum cuda_launch_attribute_id { CUDA_LAUNCH_CLUSTER = 4 };
struct cuda_launch_attribute {
  int id;
  char padding[4];
  union {
    char bytes[64];
    unsigned cluster[3];
  } value;
};
struct cuda_launch_config {
  unsigned grid[3], block[3], shared_bytes;
  cuda_stream stream;
  struct cuda_launch_attribute *attributes;
  unsigned attribute_count;
};

struct cuda_tensor_map { /* opaque except to the device; aligned as in CUDA 13 */
  _Alignas(128) uint64_t words[16];
};

/* result, name without "cu", arguments */
#define HONE__CUDA_SYMBOLS(X)                                                                      \
  X(cuda_result, Init, (unsigned))                                                                 \
  X(cuda_result, DriverGetVersion, (int *))                                                        \
  X(cuda_result, GetErrorName, (cuda_result, const char **))                                       \
  X(cuda_result, GetErrorString, (cuda_result, const char **))                                     \
  X(cuda_result, DeviceGetCount, (int *))                                                          \
  X(cuda_result, DeviceGet, (cuda_device *, int))                                                  \
  X(cuda_result, DeviceGetName, (char *, int, cuda_device))                                        \
  X(cuda_result, DeviceGetUuid, (unsigned char *, cuda_device))                                    \
  X(cuda_result, DeviceGetAttribute, (int *, int, cuda_device))                                    \
  X(cuda_result, DeviceTotalMem_v2, (size_t *, cuda_device))                                       \
  X(cuda_result, DevicePrimaryCtxRetain, (cuda_context *, cuda_device))                            \
  X(cuda_result, DevicePrimaryCtxRelease_v2, (cuda_device))                                        \
  X(cuda_result, CtxSetCurrent, (cuda_context))                                                    \
  X(cuda_result, CtxSynchronize, (void))                                                           \
  X(cuda_result, MemAlloc_v2, (cuda_address *, size_t))                                            \
  X(cuda_result, MemFree_v2, (cuda_address))                                                       \
  X(cuda_result, MemcpyHtoD_v2, (cuda_address, const void *, size_t))                              \
  X(cuda_result, MemcpyDtoH_v2, (void *, cuda_address, size_t))                                    \
  X(cuda_result, MemcpyDtoDAsync_v2, (cuda_address, cuda_address, size_t, cuda_stream))            \
  X(cuda_result, MemsetD8Async, (cuda_address, unsigned char, size_t, cuda_stream))                \
  X(cuda_result, MemHostUnregister, (void *))                                                      \
  X(cuda_result, ModuleLoadDataEx, (cuda_module *, const void *, unsigned, int *, void **))        \
  X(cuda_result, ModuleUnload, (cuda_module))                                                      \
  X(cuda_result, ModuleGetFunction, (cuda_function *, cuda_module, const char *))                  \
  X(cuda_result, FuncGetAttribute, (int *, int, cuda_function))                                    \
  X(cuda_result, FuncSetAttribute, (cuda_function, int, int))                                      \
  X(cuda_result, OccupancyMaxActiveBlocksPerMultiprocessor, (int *, cuda_function, int, size_t))   \
  X(cuda_result, LaunchKernel,                                                                     \
    (cuda_function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,          \
     cuda_stream, void **, void **))                                                               \
  X(cuda_result, StreamCreate, (cuda_stream *, unsigned))                                          \
  X(cuda_result, StreamDestroy_v2, (cuda_stream))                                                  \
  X(cuda_result, StreamSynchronize, (cuda_stream))                                                 \
  X(cuda_result, StreamBeginCapture_v2, (cuda_stream, int))                                        \
  X(cuda_result, StreamEndCapture, (cuda_stream, cuda_graph *))                                    \
  X(cuda_result, EventCreate, (cuda_event *, unsigned))                                            \
  X(cuda_result, EventDestroy_v2, (cuda_event))                                                    \
  X(cuda_result, EventRecord, (cuda_event, cuda_stream))                                           \
  X(cuda_result, EventSynchronize, (cuda_event))                                                   \
  X(cuda_result, EventElapsedTime, (float *, cuda_event, cuda_event))                              \
  X(cuda_result, GraphLaunch, (cuda_graph_exec, cuda_stream))                                      \
  X(cuda_result, GraphExecDestroy, (cuda_graph_exec))                                              \
  X(cuda_result, GraphDestroy, (cuda_graph))

/* Symbols that older drivers lack, or that only programs with contexts of their own need; NULL
 * there. */
#define HONE__CUDA_NEWER_SYMBOLS(X)                                                                \
  X(cuda_result, CtxGetCurrent, (cuda_context *))                                                  \
  X(cuda_result, CtxGetDevice, (cuda_device *))                                                    \
  X(cuda_result, DeviceGetUuid_v2, (unsigned char *, cuda_device))                                 \
  X(cuda_result, GraphInstantiateWithFlags, (cuda_graph_exec *, cuda_graph, unsigned long long))   \
  X(cuda_result, GraphUpload, (cuda_graph_exec, cuda_stream))                                      \
  X(cuda_result, LaunchKernelEx,                                                                   \
    (const struct cuda_launch_config *, cuda_function, void **, void **))                          \
  X(cuda_result, TensorMapEncodeTiled,                                                             \
    (struct cuda_tensor_map *, int, uint32_t, void *, const uint64_t *, const uint64_t *,          \
     const uint32_t *, const uint32_t *, int, int, int, int))

struct hone__cuda_library {
#define HONE__CUDA_FIELD(result, name, arguments) result(*name) arguments;
  HONE__CUDA_SYMBOLS(HONE__CUDA_FIELD)
  HONE__CUDA_NEWER_SYMBOLS(HONE__CUDA_FIELD)
#undef HONE__CUDA_FIELD
};

/* Opened on the first call, and never closed. HONE_CUDA names another file. UNAVAILABLE names the
 * file and where it comes from. */
hone_status hone__cuda_library(const struct hone__cuda_library **out_library);

#endif
