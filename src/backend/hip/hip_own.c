/* Our own kernels (simt/simt_own.c) as source, which hiprtc compiles when a device is opened: code
 * objects are for one architecture each, and the driver compiles none.
 */
#include "backend/hip/hip_gpu.h"
#include "backend/hip/hiprtc_library.h"

#include <stdlib.h>

static const char source[] =
    "typedef unsigned long long word;\n"
    "extern \"C\" __global__ void hone_empty() {}\n"
    "extern \"C\" __global__ void hone_spin(word cycles)\n"
    "{\n"
    "  word begin = clock64();\n"
    "  while ((word)clock64() - begin < cycles) {}\n"
    "}\n"
    "extern \"C\" __global__ void hone_many(const word *table, word offset, const char *other,\n"
    "                                     word count, word width, word *first)\n"
    "{\n"
    "  char *own = (char *)table[blockIdx.y] + offset;\n"
    "  word step = (word)blockDim.x * gridDim.x;\n"
    "  for (word i = (word)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {\n"
    "    unsigned a, b;\n"
    "    if (width == 16) {\n"
    "      word *to = (word *)own + 2 * i;\n"
    "      word x = ((const word *)other)[2 * i], y = ((const word *)other)[2 * i + 1];\n"
    "      if (!first) {\n"
    "        to[0] = x;\n"
    "        to[1] = y;\n"
    "      } else if (to[0] != x || to[1] != y) {\n"
    "        atomicMin(first, (word)blockIdx.y);\n"
    "        return;\n"
    "      }\n"
    "      continue;\n"
    "    }\n"
    "    if (!first) {\n"
    "      if (width == 4) ((unsigned *)own)[i] = ((const unsigned *)other)[i];\n"
    "      else own[i] = other[i];\n"
    "      continue;\n"
    "    }\n"
    "    a = width == 4 ? ((unsigned *)own)[i] : (unsigned char)own[i];\n"
    "    b = width == 4 ? ((const unsigned *)other)[i] : (unsigned char)other[i];\n"
    "    if (a != b) {\n"
    "      atomicMin(first, (word)blockIdx.y);\n"
    "      return;\n"
    "    }\n"
    "  }\n"
    "}\n"
    "extern \"C\" __global__ void hone_differ(const char *one, const char *other, word count,\n"
    "                                       word width, word *first)\n"
    "{\n"
    "  word step = (word)blockDim.x * gridDim.x;\n"
    "  for (word i = (word)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {\n"
    "    const word *a = (const word *)one + 2 * i, *b = (const word *)other + 2 * i;\n"
    "    bool same = width == 16 ? a[0] == b[0] && a[1] == b[1] : one[i] == other[i];\n"
    "    if (!same) atomicMin(first, i);\n"
    "  }\n"
    "}\n";

/* free(); NULL: it does not compile. */
static char *compile(const struct hone__rtc_library *rtc, const char *arch)
{
  struct hone__text option = {0};
  const char *options[1];
  rtc_program program = NULL;
  char *code = NULL;
  size_t size = 0;

  hone__text_addf(&option, "--offload-arch=%s", arch);
  options[0] = option.data;
  if (rtc->CreateProgram(&program, source, "hone_own.hip", 0, NULL, NULL) == 0 &&
      rtc->CompileProgram(program, 1, options) == 0 && rtc->GetCodeSize(program, &size) == 0)
    code = hone__alloc(size + 1);
  if (code && rtc->GetCode(program, code) != 0) {
    free(code);
    code = NULL;
  }
  hone__text_release(&option);
  return code;
}

char *hone__hip_own_module(struct hone__simt_gpu *gpu)
{
  struct hone__arena arena = {0};
  const struct hone__rtc_library *rtc;
  hone_status status = hone__hiprtc_library(&rtc);
  const char *arch = hone__hip_arch(gpu->api, gpu->device, &arena);
  char *code = rtc && arch ? compile(rtc, arch) : NULL;

  hone_status_free(status);
  hone__arena_release(&arena);
  return code;
}
