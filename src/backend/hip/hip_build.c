/* The compilers of HIP: hiprtc and hipcc. */
#include "backend/hip/hip_backend.h"

#include "backend/hip/hip_code.h"
#include "backend/hip/hip_costs.h"
#include "backend/hip/hip_flags.h"
#include "backend/hip/hiprtc_library.h"
#include "backend/kernel/generator.h"
#include "backend/simt/simt_host_headers.h"

/* What CUDA's words mean in HIP: lanes of a wave are always in step. */
static const char words_of_cuda[] = "#define __shfl_sync(mask, ...) __shfl(__VA_ARGS__)\n"
                                    "#define __shfl_up_sync(mask, ...) __shfl_up(__VA_ARGS__)\n"
                                    "#define __shfl_down_sync(mask, ...) __shfl_down(__VA_ARGS__)\n"
                                    "#define __shfl_xor_sync(mask, ...) __shfl_xor(__VA_ARGS__)\n"
                                    "#define __ballot_sync(mask, predicate) __ballot(predicate)\n"
                                    "#define __any_sync(mask, predicate) __any(predicate)\n"
                                    "#define __all_sync(mask, predicate) __all(predicate)\n"
                                    "#define __activemask() __ballot(1)\n"
                                    "#define __syncwarp(...) __builtin_amdgcn_wave_barrier()\n"
                                    "#define cudaTextureObject_t hipTextureObject_t\n"
                                    "#define cudaSurfaceObject_t hipSurfaceObject_t\n"
                                    "#define cudaReadModeElementType 0\n"
                                    "#define cudaReadModeNormalizedFloat 1\n"
                                    "#define cudaTextureType1D 1\n"
                                    "#define cudaTextureType2D 2\n"
                                    "#define cudaTextureType3D 3\n"
                                    "#define cudaSurfaceType1D 1\n"
                                    "#define cudaSurfaceType2D 2\n"
                                    "#define cudaSurfaceType3D 3\n"
                                    "#define cudaBoundaryModeZero hipBoundaryModeZero\n"
                                    "#define cudaBoundaryModeClamp hipBoundaryModeClamp\n"
                                    "#define cudaBoundaryModeTrap hipBoundaryModeTrap\n";

#define HEADERS_OF_CUDA                                                                            \
  {"cuda.h",      "cuda_runtime.h",   "cuda_runtime_api.h", "device_launch_parameters.h",          \
   "cuda_fp16.h", "hip/hip_runtime.h"},                                                            \
  {                                                                                                \
    "\n", "\n", "\n", "\n", "\n", "\n"                                                             \
  }

static const struct hone__rtc_dialect dialects[] = {{".cu", words_of_cuda, HEADERS_OF_CUDA},
                                                    {".cuh", words_of_cuda, HEADERS_OF_CUDA},
                                                    {"", "", {"hip/hip_runtime.h"}, {"\n"}},
                                                    {0}};

static const char *flags_arch(const char *const *flags, struct hone__arena *arena)
{
  const char *arch = hone__hip_flags_arch(flags);

  return arch ? hone__arena_strdup(arena, arch) : NULL;
}

static void print_command(const struct hone__kernel_order *order, struct hone__text *out_command)
{
  hone__simt_print_command(&hone__simt_compiler_hip, order, out_command);
}

/* Code is a code object, or a bundle of them. */
static const char *recognise(const struct hone__kernel_candidate *candidate, const char *bytes,
                             size_t size)
{
  (void)candidate;
  return hone__generator_is_text(bytes, size) ? ".hip" : NULL;
}

const struct hone__simt_compiler hone__simt_compiler_hip = {
    .steps = {.object = "kernel.hsaco",
              .print = print_command,
              .recognise = recognise,
              HONE__SIMT_STEPS},
    .word = HONE__HIP_HIPRTC,
    .title = "hiprtc",
    .platform = "HIP",
    .prefix = "hip",
    .arch_option = "--offload-arch=",
    .usual_arch = "gfx90a",
    .identity = "hip 5",
    .broken = "libhiprtc-builtins cannot be loaded",
    .missing_file = "file not found",
    .wrapper = "kernel.hip",
    .needs_mark = true,
    .dialects = dialects,
    .host_headers = hone__simt_host_headers_hip,
    .flags_arch = flags_arch,
    .library = hone__hiprtc_library,
    .library_file = hone__hiprtc_library_file,
    .options = hone__hip_options,
    .command = hone__hip_command,
    .kernels = hone__hip_code_kernels,
    .costs = hone__hip_costs,
    .occupancy = hone__hip_occupancy,
};
