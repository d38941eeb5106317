/* As far as code of a device can use them. */
#include "backend/simt/simt_host_headers.h"

#define EMPTY "#pragma once\n"

/* Compilers have size_t, but nothing else of it. */
#define STDDEF                                                                                     \
  EMPTY "typedef long ptrdiff_t;\n"                                                                \
        "#ifndef NULL\n#define NULL 0\n#endif\n"                                                   \
        "#ifndef offsetof\n#define offsetof(type, member) ((size_t)&((type *)0)->member)\n"        \
        "#endif\n"

/* hiprtc and CUDA's C++ library declare the same types, so a second declaration does no harm. */
#define TYPES                                                                                      \
  EMPTY "typedef signed char int8_t;\ntypedef unsigned char uint8_t;\n"                            \
        "typedef short int16_t;\ntypedef unsigned short uint16_t;\n"                               \
        "typedef int int32_t;\ntypedef unsigned int uint32_t;\n"                                   \
        "typedef long long int64_t;\ntypedef unsigned long long uint64_t;\n"                       \
        "typedef int64_t intptr_t;\ntypedef uint64_t uintptr_t;\n"

#define STDINT                                                                                     \
  TYPES "#ifndef INT8_MIN\n"                                                                       \
        "#define INT8_MIN (-128)\n#define INT8_MAX 127\n#define UINT8_MAX 255\n"                   \
        "#define INT16_MIN (-32768)\n#define INT16_MAX 32767\n#define UINT16_MAX 65535\n"          \
        "#define INT32_MIN (-2147483647 - 1)\n#define INT32_MAX 2147483647\n"                      \
        "#define UINT32_MAX 4294967295u\n"                                                         \
        "#define INT64_MIN (-9223372036854775807ll - 1)\n"                                         \
        "#define INT64_MAX 9223372036854775807ll\n#define UINT64_MAX 18446744073709551615ull\n"    \
        "#endif\n"

#define LIMITS                                                                                     \
  EMPTY "#define CHAR_BIT 8\n#define SCHAR_MIN (-128)\n#define SCHAR_MAX 127\n"                    \
        "#define UCHAR_MAX 255\n#define SHRT_MIN (-32768)\n#define SHRT_MAX 32767\n"               \
        "#define USHRT_MAX 65535\n#define INT_MIN (-2147483647 - 1)\n"                             \
        "#define INT_MAX 2147483647\n#define UINT_MAX 4294967295u\n"                               \
        "#define LONG_MIN (-9223372036854775807l - 1)\n#define LONG_MAX 9223372036854775807l\n"    \
        "#define ULONG_MAX 18446744073709551615ul\n"                                               \
        "#define LLONG_MIN (-9223372036854775807ll - 1)\n"                                         \
        "#define LLONG_MAX 9223372036854775807ll\n#define ULLONG_MAX 18446744073709551615ull\n"

#define FLOAT                                                                                      \
  EMPTY "#define FLT_MIN 1.17549435e-38f\n#define FLT_MAX 3.40282347e+38f\n"                       \
        "#define FLT_EPSILON 1.19209290e-7f\n#define DBL_MIN 2.2250738585072014e-308\n"            \
        "#define DBL_MAX 1.7976931348623157e+308\n#define DBL_EPSILON 2.2204460492503131e-16\n"

/* A header of CUDA may have defined them. */
#define MATH                                                                                       \
  EMPTY "#ifndef M_PI\n#define M_PI 3.14159265358979323846\n#endif\n"                              \
        "#ifndef M_PI_2\n#define M_PI_2 1.57079632679489661923\n#endif\n"                          \
        "#ifndef M_E\n#define M_E 2.7182818284590452354\n#endif\n"                                 \
        "#ifndef M_SQRT2\n#define M_SQRT2 1.41421356237309504880\n#endif\n"                        \
        "#ifndef INFINITY\n#define INFINITY __int_as_float(0x7f800000)\n#endif\n"                  \
        "#ifndef NAN\n#define NAN __int_as_float(0x7fc00000)\n#endif\n"

/* As in a release: a kernel that is tuned checks nothing of its own. */
#define ASSERT                                                                                     \
  EMPTY "#ifndef assert\n#define assert(condition) ((void)0)\n"                                    \
        "#endif\n"

#define BOTH(c_name, cxx_name, text)                                                               \
  {c_name, text},                                                                                  \
  {                                                                                                \
    cxx_name, text                                                                                 \
  }

/* For code of the host, which is dropped (simt_host_code.h). Those of C++ bring types with them. */
#define HOST_ONLY(X)                                                                               \
  X("iostream"), X("iomanip"), X("fstream"), X("sstream"), X("string"), X("vector"), X("map"),     \
      X("algorithm"), X("iterator"), X("numeric"), X("memory"), X("functional"), X("random"),      \
      X("chrono"), X("thread"), X("stdexcept"), X("sys/time.h"), X("time.h"), X("unistd.h"),       \
      X("stdarg.h"), X("cstdarg"), X("ctime"), X("ctype.h"), X("cctype"), X("errno.h"),            \
      X("cerrno"), X("malloc.h"), X("getopt.h"), X("signal.h"), X("sys/types.h"), X("sys/stat.h"), \
      X("set"), X("list"), X("unordered_map"), X("queue"), X("mutex"), X("typeinfo"),              \
      X("exception"), X("sys/resource.h"), X("sched.h"), X("omp.h"), X("fcntl.h"), X("error.h"),   \
      X("err.h"), X("strings.h"), X("inttypes.h"), X("cinttypes"), X("libgen.h"), X("locale.h"),   \
      X("clocale"), X("setjmp.h"), X("csignal"), X("pthread.h"), X("sys/mman.h"), X("sys/wait.h"), \
      X("sys/ioctl.h"), X("sys/sysinfo.h"), X("sys/times.h"), X("dirent.h"), X("new"), X("deque"), \
      X("stack"), X("bitset"), X("unordered_set"), X("filesystem"), X("regex"), X("future"),       \
      X("condition_variable"), X("atomic"), X("ostream"), X("istream"), X("ios"), X("iosfwd"),     \
      X("locale"), X("any"), X("variant"), X("optional"), X("string_view"), X("forward_list"),     \
      X("valarray"), X("system_error"), X("mpi.h"), X("helper_cuda.h"), X("helper_functions.h"),   \
      X("helper_string.h"), X("helper_timer.h"), X("cuda_profiler_api.h"), X("nvToolsExt.h"),      \
      X("cublas_v2.h"), X("cublas.h"), X("cublasLt.h"), X("cusparse.h"), X("cusolverDn.h"),        \
      X("cufft.h"), X("curand.h"), X("nccl.h"), X("cudnn.h"), X("thrust/host_vector.h"),           \
      X("thrust/device_vector.h"), X("thrust/device_ptr.h"), X("thrust/device_malloc.h"),          \
      X("thrust/device_free.h"), X("thrust/sort.h"), X("thrust/scan.h"), X("thrust/reduce.h"),     \
      X("thrust/copy.h"), X("thrust/fill.h"), X("thrust/sequence.h"), X("thrust/transform.h"),     \
      X("thrust/transform_reduce.h"), X("thrust/execution_policy.h"), X("thrust/generate.h"),      \
      X("thrust/random.h"), X("thrust/count.h"), X("thrust/unique.h"), X("thrust/extrema.h"),      \
      X("thrust/for_each.h"), X("thrust/inner_product.h"), X("thrust/gather.h"),                   \
      X("thrust/scatter.h"), X("thrust/remove.h"), X("thrust/binary_search.h"),                    \
      X("thrust/merge.h"), X("thrust/adjacent_difference.h"), X("thrust/logical.h"),               \
      X("thrust/equal.h")
#define EMPTY_HEADER(name)                                                                         \
  {                                                                                                \
    name, EMPTY                                                                                    \
  }
#define HOST_HEADER(name)                                                                          \
  {                                                                                                \
    name, TYPES                                                                                    \
  }

#define HEADERS                                                                                    \
  BOTH("stdio.h", "cstdio", EMPTY), BOTH("stdlib.h", "cstdlib", EMPTY),                            \
      BOTH("string.h", "cstring", EMPTY), BOTH("stddef.h", "cstddef", STDDEF),                     \
      BOTH("stdint.h", "cstdint", STDINT), BOTH("limits.h", "climits", LIMITS),                    \
      BOTH("float.h", "cfloat", FLOAT), BOTH("math.h", "cmath", MATH),                             \
      BOTH("assert.h", "cassert", ASSERT), EMPTY_HEADER("stdbool.h"), HOST_ONLY(HOST_HEADER)

/* Kernels use them too: as CUDA's library has them, if it is there. */
#define CXX_HEADERS(X) X("limits"), X("type_traits"), X("utility"), X("array"), X("tuple")
#define FROM_CUDA(name)                                                                            \
  {                                                                                                \
    name, EMPTY "#if __has_include(<cuda/std/" name ">)\n#include <cuda/std/" name ">\n"           \
                "namespace std { using namespace cuda::std; }\n#endif\n"                           \
  }

/* Of CUB, what threads, warps and blocks do: the rest is called by the host, and NVRTC refuses it.
 */
#define CUB(name) "#if __has_include(<cub/" name ".cuh>)\n#include <cub/" name ".cuh>\n#endif\n"
#define CUB_ALL                                                                                    \
  EMPTY "#include <type_traits>\n#include <limits>\n" CUB("block/block_adjacent_difference")       \
      CUB("block/block_discontinuity") CUB("block/block_exchange") CUB("block/block_histogram")    \
          CUB("block/block_load") CUB("block/block_merge_sort") CUB("block/block_radix_rank")      \
              CUB("block/block_radix_sort") CUB("block/block_reduce")                              \
                  CUB("block/block_run_length_decode") CUB("block/block_scan")                     \
                      CUB("block/block_shuffle") CUB("block/block_store")                          \
                          CUB("warp/warp_exchange") CUB("warp/warp_load")                          \
                              CUB("warp/warp_merge_sort") CUB("warp/warp_reduce")                  \
                                  CUB("warp/warp_scan") CUB("warp/warp_store")                     \
                                      CUB("thread/thread_operators") CUB("thread/thread_load")     \
                                          CUB("thread/thread_store") CUB("thread/thread_reduce")   \
                                              CUB("util_type")

const struct hone__rtc_header hone__simt_host_headers_cuda[] = {HEADERS,
                                                                CXX_HEADERS(FROM_CUDA),
                                                                EMPTY_HEADER("cuda.h"),
                                                                EMPTY_HEADER("cuda_runtime.h"),
                                                                EMPTY_HEADER("cuda_runtime_api.h"),
                                                                {"cub/cub.cuh", CUB_ALL},
                                                                {0}};

/* hiprtc includes the contents of these headers before a source that may include them by name. */
const struct hone__rtc_header hone__simt_host_headers_hip[] = {
    HEADERS, CXX_HEADERS(EMPTY_HEADER), {"hip/hip_fp16.h", EMPTY}, {"hip/hip_ext.h", EMPTY}, {0}};
