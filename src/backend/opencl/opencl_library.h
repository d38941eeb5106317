/* opencl_library.h - the part of OpenCL 1.2 that is used, looked up at run time.
 *
 * No header of OpenCL is needed to build: its objects are opaque pointers, and constants have the
 * numbers that the standard gives them. $HONE_OPENCL names another libOpenCL, or its folder.
 *
 * Drivers keep what they compiled in the user's home. As long as the user did not choose a folder
 * for that, hone__opencl_enter gives them one of ours, which hone__opencl_leave removes.
 */
#ifndef HONE_BACKEND_OPENCL_OPENCL_LIBRARY_H
#define HONE_BACKEND_OPENCL_OPENCL_LIBRARY_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cl_platform_object *cl_platform;
typedef struct cl_device_object *cl_device;
typedef struct cl_context_object *cl_context;
typedef struct cl_queue_object *cl_queue;
typedef struct cl_memory_object *cl_memory;
typedef struct cl_sampler_object *cl_sampler;
typedef struct cl_program_object *cl_program;
typedef struct cl_kernel_object *cl_kernel;
typedef struct cl_event_object *cl_event;
typedef void cl_context_notify(const char *, const void *, size_t, void *);
typedef void cl_program_notify(cl_program, void *);

struct cl_region {
  size_t origin, size;
};

struct cl_image_format {
  uint32_t order, type;
};
struct cl_image_shape { /* cl_image_desc */
  uint32_t type;
  size_t width, height, depth, array_size, row_pitch, slice_pitch;
  uint32_t mipmap_levels, samples;
  cl_memory buffer;
};

enum { /* platforms and devices */
       CL_PLATFORM_VERSION = 0x0901,
       CL_PLATFORM_NAME = 0x0902,
       CL_DEVICE_TYPE = 0x1000,
       CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
       CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
       CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT = 0x100a,
       CL_DEVICE_MAX_CLOCK_FREQUENCY = 0x100c,
       CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
       CL_DEVICE_MEM_BASE_ADDR_ALIGN = 0x1019, /* in bits */
       CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE = 0x101d,
       CL_DEVICE_GLOBAL_MEM_CACHE_SIZE = 0x101e,
       CL_DEVICE_GLOBAL_MEM_SIZE = 0x101f,
       CL_DEVICE_LOCAL_MEM_SIZE = 0x1023,
       CL_DEVICE_NAME = 0x102b,
       CL_DRIVER_VERSION = 0x102d,
       CL_DEVICE_VERSION = 0x102f,
       CL_DEVICE_EXTENSIONS = 0x1030,
       CL_DEVICE_IL_VERSION = 0x105b,
       CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV = 0x4000,
       CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV = 0x4001,
       CL_DEVICE_REGISTERS_PER_BLOCK_NV = 0x4002,
       CL_DEVICE_WARP_SIZE_NV = 0x4003,
       CL_DEVICE_WAVEFRONT_WIDTH_AMD = 0x4043
};
enum { CL_DEVICE_TYPE_CPU = 2, CL_DEVICE_TYPE_GPU = 4, CL_DEVICE_TYPE_ACCELERATOR = 8 };
#define CL_DEVICE_TYPE_ALL UINT64_C(0xffffffff)

enum { /* queues, memory, programs, kernels, events */
       CL_QUEUE_PROFILING_ENABLE = 2,
       CL_MEM_READ_WRITE = 1,
       CL_BUFFER_CREATE_TYPE_REGION = 0x1220,
       CL_PROGRAM_BINARY_SIZES = 0x1165,
       CL_PROGRAM_BINARIES = 0x1166,
       CL_PROGRAM_KERNEL_NAMES = 0x1168,
       CL_PROGRAM_BUILD_LOG = 0x1183,
       CL_KERNEL_NUM_ARGS = 0x1191,
       CL_KERNEL_WORK_GROUP_SIZE = 0x11b0,
       CL_KERNEL_COMPILE_WORK_GROUP_SIZE = 0x11b1,
       CL_KERNEL_LOCAL_MEM_SIZE = 0x11b2,
       CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE = 0x11b3,
       CL_KERNEL_PRIVATE_MEM_SIZE = 0x11b4,
       CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11d3,
       CL_PROFILING_COMMAND_START = 0x1282,
       CL_PROFILING_COMMAND_END = 0x1283
};

/* Codes with consequences; opencl_error.c has the names of all. */
enum {
  CL_SUCCESS = 0,
  CL_DEVICE_NOT_FOUND = -1,
  CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
  CL_OUT_OF_RESOURCES = -5,
  CL_OUT_OF_HOST_MEMORY = -6,
  CL_INVALID_CONTEXT = -34,
  CL_INVALID_COMMAND_QUEUE = -36,
  CL_INVALID_KERNEL_NAME = -46,
  CL_INVALID_WORK_GROUP_SIZE = -54,
  CL_INVALID_BUFFER_SIZE = -61,
  CL_PLATFORM_NOT_FOUND_KHR = -1001
};

/* result, name without "cl", arguments */
#define HONE__OPENCL_SYMBOLS(X)                                                                    \
  X(int, GetPlatformIDs, (uint32_t, cl_platform *, uint32_t *))                                    \
  X(int, GetPlatformInfo, (cl_platform, uint32_t, size_t, void *, size_t *))                       \
  X(int, GetDeviceIDs, (cl_platform, uint64_t, uint32_t, cl_device *, uint32_t *))                 \
  X(int, GetDeviceInfo, (cl_device, uint32_t, size_t, void *, size_t *))                           \
  X(cl_context, CreateContext,                                                                     \
    (const intptr_t *, uint32_t, const cl_device *, cl_context_notify *, void *, int *))           \
  X(int, ReleaseContext, (cl_context))                                                             \
  X(cl_queue, CreateCommandQueue, (cl_context, cl_device, uint64_t, int *))                        \
  X(int, ReleaseCommandQueue, (cl_queue))                                                          \
  X(int, Flush, (cl_queue))                                                                        \
  X(int, Finish, (cl_queue))                                                                       \
  X(cl_memory, CreateBuffer, (cl_context, uint64_t, size_t, void *, int *))                        \
  X(cl_memory, CreateSubBuffer, (cl_memory, uint64_t, uint32_t, const void *, int *))              \
  X(int, ReleaseMemObject, (cl_memory))                                                            \
  X(int, EnqueueWriteBuffer,                                                                       \
    (cl_queue, cl_memory, uint32_t, size_t, size_t, const void *, uint32_t, const cl_event *,      \
     cl_event *))                                                                                  \
  X(int, EnqueueReadBuffer,                                                                        \
    (cl_queue, cl_memory, uint32_t, size_t, size_t, void *, uint32_t, const cl_event *,            \
     cl_event *))                                                                                  \
  X(int, EnqueueCopyBuffer,                                                                        \
    (cl_queue, cl_memory, cl_memory, size_t, size_t, size_t, uint32_t, const cl_event *,           \
     cl_event *))                                                                                  \
  X(int, EnqueueFillBuffer,                                                                        \
    (cl_queue, cl_memory, const void *, size_t, size_t, size_t, uint32_t, const cl_event *,        \
     cl_event *))                                                                                  \
  X(cl_memory, CreateImage,                                                                        \
    (cl_context, uint64_t, const struct cl_image_format *, const struct cl_image_shape *, void *,  \
     int *))                                                                                       \
  X(cl_sampler, CreateSampler, (cl_context, uint32_t, uint32_t, uint32_t, int *))                  \
  X(int, ReleaseSampler, (cl_sampler))                                                             \
  X(int, EnqueueCopyBufferToImage,                                                                 \
    (cl_queue, cl_memory, cl_memory, size_t, const size_t *, const size_t *, uint32_t,             \
     const cl_event *, cl_event *))                                                                \
  X(int, EnqueueCopyImageToBuffer,                                                                 \
    (cl_queue, cl_memory, cl_memory, const size_t *, const size_t *, size_t, uint32_t,             \
     const cl_event *, cl_event *))                                                                \
  X(cl_program, CreateProgramWithSource,                                                           \
    (cl_context, uint32_t, const char **, const size_t *, int *))                                  \
  X(cl_program, CreateProgramWithBinary,                                                           \
    (cl_context, uint32_t, const cl_device *, const size_t *, const unsigned char **, int *,       \
     int *))                                                                                       \
  X(int, BuildProgram,                                                                             \
    (cl_program, uint32_t, const cl_device *, const char *, cl_program_notify *, void *))          \
  X(int, ReleaseProgram, (cl_program))                                                             \
  X(int, GetProgramInfo, (cl_program, uint32_t, size_t, void *, size_t *))                         \
  X(int, GetProgramBuildInfo, (cl_program, cl_device, uint32_t, size_t, void *, size_t *))         \
  X(cl_kernel, CreateKernel, (cl_program, const char *, int *))                                    \
  X(int, ReleaseKernel, (cl_kernel))                                                               \
  X(int, SetKernelArg, (cl_kernel, uint32_t, size_t, const void *))                                \
  X(int, GetKernelInfo, (cl_kernel, uint32_t, size_t, void *, size_t *))                           \
  X(int, GetKernelWorkGroupInfo, (cl_kernel, cl_device, uint32_t, size_t, void *, size_t *))       \
  X(int, EnqueueNDRangeKernel,                                                                     \
    (cl_queue, cl_kernel, uint32_t, const size_t *, const size_t *, const size_t *, uint32_t,      \
     const cl_event *, cl_event *))                                                                \
  X(int, WaitForEvents, (uint32_t, const cl_event *))                                              \
  X(int, GetEventInfo, (cl_event, uint32_t, size_t, void *, size_t *))                             \
  X(int, GetEventProfilingInfo, (cl_event, uint32_t, size_t, void *, size_t *))                    \
  X(int, ReleaseEvent, (cl_event))

/* Symbols that older libraries lack; NULL there. */
#define HONE__OPENCL_NEWER_SYMBOLS(X)                                                              \
  X(cl_program, CreateProgramWithIL, (cl_context, const void *, size_t, int *))

struct hone__opencl_library {
#define HONE__OPENCL_FIELD(result, name, arguments) result(*name) arguments;
  HONE__OPENCL_SYMBOLS(HONE__OPENCL_FIELD)
  HONE__OPENCL_NEWER_SYMBOLS(HONE__OPENCL_FIELD)
#undef HONE__OPENCL_FIELD
};

/* UNAVAILABLE: libOpenCL is missing; has advice. */
hone_status hone__opencl_enter(const struct hone__opencl_library **out_library);
/* In a program that uses OpenCL itself: drivers keep what they compile where the program has it. */
void hone__opencl_use_host(void);
/* For a process whose forks use drivers: it then knows the folder to remove. */
void hone__opencl_make_folder(void);
/* Removes our folder; nothing may be compiled then before the next enter. */
void hone__opencl_leave(void);
/* The folder; NULL: the user chose one. */
const char *hone__opencl_folder(void);

/* Call before the first call into a driver. After that, a fork can only build programs with PoCL,
 * because threads are not inherited. */
void hone__opencl_note_use(void);
bool hone__opencl_is_inherited(void);

/* opencl_error.c: "CL_INVALID_WORK_GROUP_SIZE, -54" */
enum { HONE__OPENCL_ERROR_SIZE = 80 };
const char *hone__opencl_error(int code, char out_text[HONE__OPENCL_ERROR_SIZE]);

#endif
