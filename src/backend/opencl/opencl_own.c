/* Kernels of our own. Building them takes a driver up to a second, so that their binary is kept in
 * the cache. */
#include "backend/opencl/opencl_gpu.h"

#include "base/digest.h"
#include "store/cache.h"

#include <stdlib.h>

static const char source[] =
    "__kernel void hone_differ(__global const uchar *one, ulong one_offset,\n"
    "                          __global const uchar *other, ulong other_offset, uint count,\n"
    "                          volatile __global uint *first)\n"
    "{\n"
    "  for (uint i = get_global_id(0); i < count; i += get_global_size(0))\n"
    "    if (one[one_offset + i] != other[other_offset + i]) {\n"
    "      atomic_min(first, i);\n"
    "      return;\n"
    "    }\n"
    "}\n"
    "__kernel void hone_empty(__global uint *nothing)\n"
    "{\n"
    "}\n";

static void key_of(const struct hone__opencl_gpu *gpu, char key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, "opencl own");
  hone__digest_add_text(digester, gpu->fingerprint);
  hone__digest_add_text(digester, source);
  hone__digest_end(digester, key);
}

static bool build(struct hone__opencl_gpu *gpu, cl_program program)
{
  if (program && gpu->cl->BuildProgram(program, 1, &gpu->at.device, "", NULL, NULL) == CL_SUCCESS) {
    gpu->own = program;
    return true;
  }
  if (program) gpu->cl->ReleaseProgram(program);
  return false;
}

static bool build_cached(struct hone__opencl_gpu *gpu, const char *key)
{
  char *bytes = NULL;
  size_t size = 0;
  hone_status status = hone__cache_get("objects", key, &bytes, &size);
  const unsigned char *binary = (const unsigned char *)bytes;
  bool found = !status && size;
  int code, own_code;

  if (found)
    found = build(gpu, gpu->cl->CreateProgramWithBinary(gpu->context, 1, &gpu->at.device, &size,
                                                        &binary, &own_code, &code));
  hone_status_free(status);
  free(bytes);
  return found;
}

static void keep(const struct hone__opencl_gpu *gpu, const char *key)
{
  size_t size = 0;
  char *bytes;

  if (gpu->cl->GetProgramInfo(gpu->own, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) ||
      !size || size > 1 << 26)
    return;
  bytes = hone__alloc(size);
  if (gpu->cl->GetProgramInfo(gpu->own, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) ==
      CL_SUCCESS)
    hone_status_free(hone__cache_put("objects", key, bytes, size));
  free(bytes);
}

bool hone__opencl_own(struct hone__opencl_gpu *gpu, const char *name, cl_kernel *out_kernel)
{
  const char *text = source;
  char key[HONE__DIGEST_SIZE];
  int code = CL_SUCCESS;

  key_of(gpu, key);
  if (!gpu->own && !build_cached(gpu, key)) {
    if (!build(gpu, gpu->cl->CreateProgramWithSource(gpu->context, 1, &text, NULL, &code)))
      return hone__gpu_refuse(&gpu->gpu.fault, "the driver cannot build one of Hone's kernels");
    keep(gpu, key);
  }
  *out_kernel = gpu->cl->CreateKernel(gpu->own, name, &code);
  return hone__opencl_is_ok(gpu, code, HONE__OPENCL_LOADING, "cannot load one of Hone's kernels");
}

void hone__opencl_own_release(struct hone__opencl_gpu *gpu)
{
  if (gpu->differ) gpu->cl->ReleaseKernel(gpu->differ);
  if (gpu->differ_first) gpu->cl->ReleaseMemObject(gpu->differ_first);
  if (gpu->own) gpu->cl->ReleaseProgram(gpu->own);
}
