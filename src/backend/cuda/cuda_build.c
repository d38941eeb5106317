/* The compilers of CUDA: NVRTC and nvcc. */
#include "backend/cuda/cuda_backend.h"

#include "backend/cuda/cuda_costs.h"
#include "backend/cuda/cuda_cubin.h"
#include "backend/cuda/cuda_flags.h"
#include "backend/cuda/cuda_ptx.h"
#include "backend/cuda/nvrtc_library.h"
#include "backend/kernel/generator.h"
#include "backend/simt/simt_host_headers.h"

/* What HIP's words mean in CUDA. */
static const char words_of_hip[] =
    "#define __shfl(...) __shfl_sync(0xffffffffu, __VA_ARGS__)\n"
    "#define __shfl_up(...) __shfl_up_sync(0xffffffffu, __VA_ARGS__)\n"
    "#define __shfl_down(...) __shfl_down_sync(0xffffffffu, __VA_ARGS__)\n"
    "#define __shfl_xor(...) __shfl_xor_sync(0xffffffffu, __VA_ARGS__)\n"
    "#define __ballot(predicate) __ballot_sync(0xffffffffu, predicate)\n"
    "#define __any(predicate) __any_sync(0xffffffffu, predicate)\n"
    "#define __all(predicate) __all_sync(0xffffffffu, predicate)\n"
    "#define hipThreadIdx_x threadIdx.x\n"
    "#define hipThreadIdx_y threadIdx.y\n"
    "#define hipThreadIdx_z threadIdx.z\n"
    "#define hipBlockIdx_x blockIdx.x\n"
    "#define hipBlockIdx_y blockIdx.y\n"
    "#define hipBlockIdx_z blockIdx.z\n"
    "#define hipBlockDim_x blockDim.x\n"
    "#define hipBlockDim_y blockDim.y\n"
    "#define hipBlockDim_z blockDim.z\n"
    "#define hipGridDim_x gridDim.x\n"
    "#define hipGridDim_y gridDim.y\n"
    "#define hipGridDim_z gridDim.z\n"
    "#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];\n"
    "#define hipTextureObject_t cudaTextureObject_t\n"
    "#define hipSurfaceObject_t cudaSurfaceObject_t\n"
    "#define hipReadModeElementType cudaReadModeElementType\n"
    "#define hipReadModeNormalizedFloat cudaReadModeNormalizedFloat\n"
    "#define hipTextureType1D cudaTextureType1D\n"
    "#define hipTextureType2D cudaTextureType2D\n"
    "#define hipTextureType3D cudaTextureType3D\n"
    "#define hipBoundaryModeZero cudaBoundaryModeZero\n"
    "#define hipBoundaryModeClamp cudaBoundaryModeClamp\n"
    "#define hipBoundaryModeTrap cudaBoundaryModeTrap\n";

static const char runtime_of_hip[] = "#include <stdint.h>\n";
static const char fp16_of_hip[] = "#include <cuda_fp16.h>\n";
static const char groups_of_hip[] = "#include <cooperative_groups.h>\n";

#define HEADERS_OF_HIP                                                                             \
  {"hip/hip_runtime.h", "hip/hip_fp16.h", "hip/hip_cooperative_groups.h"},                         \
  {                                                                                                \
    runtime_of_hip, fp16_of_hip, groups_of_hip                                                     \
  }

/* nvcc has them from the host's headers. */
static const char words_of_cuda[] =
    "typedef unsigned int uint;\ntypedef unsigned short ushort;\ntypedef unsigned long ulong;\n";

static const struct hone__rtc_dialect dialects[] = {{".hip", words_of_hip, HEADERS_OF_HIP},
                                                    {".hip.cpp", words_of_hip, HEADERS_OF_HIP},
                                                    {.suffix = "", .words = words_of_cuda},
                                                    {0}};

static const char *flags_arch(const char *const *flags, struct hone__arena *arena)
{
  char arch[HONE__CUDA_ARCH_SIZE];

  return hone__cuda_flags_arch(flags, arch) ? hone__arena_strdup(arena, arch) : NULL;
}

static void print_command(const struct hone__kernel_order *order, struct hone__text *out_command)
{
  hone__simt_print_command(&hone__simt_compiler_cuda, order, out_command);
}

/* Code is a cubin, a fat binary or PTX. */
static const char *recognise(const struct hone__kernel_candidate *candidate, const char *bytes,
                             size_t size)
{
  (void)candidate;
  return hone__generator_is_text(bytes, size) && !hone__ptx_is(bytes, size) ? ".cu" : NULL;
}

static void visit_kernels(const void *code, size_t size,
                          bool (*visit)(void *data, const char *name), void *data)
{
  (hone__ptx_is(code, size) ? hone__ptx_kernels : hone__cubin_kernels)(code, size, visit, data);
}

const struct hone__simt_compiler hone__simt_compiler_cuda = {
    .steps = {.object = "kernel.cubin",
              .print = print_command,
              .recognise = recognise,
              HONE__SIMT_STEPS},
    .word = HONE__CUDA_NVRTC,
    .title = "NVRTC",
    .platform = "CUDA",
    .prefix = "cuda",
    .arch_option = "-arch=",
    .usual_arch = "sm_90a",
    .identity = "cuda 7",
    .broken = "libnvrtc-builtins in the same folder cannot be loaded",
    .missing_file = "could not open source file",
    .wrapper = "kernel.cu",
    .dialects = dialects,
    .host_headers = hone__simt_host_headers_cuda,
    .flags_arch = flags_arch,
    .library = hone__nvrtc_library,
    .library_file = hone__nvrtc_library_file,
    .headers = hone__cuda_headers,
    .options = hone__cuda_nvrtc_options,
    .command = hone__cuda_nvcc_words,
    .kernels = visit_kernels,
    .costs = hone__cuda_costs,
    .strip_log = hone__cuda_log_strip,
    .occupancy = hone__cuda_occupancy,
};
