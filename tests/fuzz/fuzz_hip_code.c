/* Any bytes as what a builder made of a HIP kernel: only those bytes are read, and every kernel
 * that is listed is found. */
#include "backend/hip/hip_code.h"
#include "backend/hip/hip_costs.h"
#include "backend/hip/msgpack.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct file {
  const uint8_t *bytes;
  size_t size;
};

static bool look_at(void *file_data, const char *name)
{
  const struct file *file = file_data;
  static struct hone__hip_kernel kernel;
  struct hone__arena arena = {0};
  struct hone__named_list costs = {.arena = &arena};

  hone__hip_code_kernel(file->bytes, file->size, name, &kernel);
  if (kernel.param_count > HONE__HIP_MOST_PARAMS) abort();
  hone__hip_costs(file->bytes, file->size, name, NULL, &costs);
  hone__arena_release(&arena);
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct file file = {data, size};
  struct hone__msgpack cursor = {.at = data, .left = size};
  char arch[HONE__HIP_ARCH_SIZE];

  hone__hip_code_kernels(data, size, look_at, &file);
  hone__hip_code_arch(data, size, arch);
  while (cursor.left)
    hone__msgpack_skip(&cursor);
  if (cursor.at > data + size) abort();
  return 0;
}
