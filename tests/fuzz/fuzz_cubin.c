/* Any bytes as what a builder made of a CUDA kernel: only those bytes are read, and every name that
 * is found in them ends there. */
#include "backend/cuda/cuda_costs.h"
#include "backend/cuda/cuda_cubin.h"
#include "backend/cuda/cuda_ptx.h"
#include "backend/simt/simt_entry.h"
#include "backend/simt/simt_object.h"
#include "wire/named.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct file {
  const uint8_t *bytes;
  size_t size;
};

static bool look_at(void *file_data, const char *name)
{
  const struct file *file = file_data;
  static struct hone__cubin_kernel kernel;
  struct hone__arena arena = {0};
  struct hone__named_list costs = {.arena = &arena};

  if (!hone__cubin_kernel(file->bytes, file->size, name, &kernel)) abort();
  if (kernel.param_count > HONE__CUBIN_MOST_PARAMS) abort();
  hone__cuda_costs(file->bytes, file->size, name, name, &costs);
  hone__arena_release(&arena);
  return true;
}

static bool look_at_ptx(void *file_data, const char *name)
{
  const struct file *file = file_data;
  struct hone__simt_param *params;
  size_t count;

  if (hone__ptx_params(file->bytes, file->size, name, &params, &count) != (params != NULL)) abort();
  free(params);
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct file file = {data, size};
  struct hone__simt_object object;
  struct hone__text known = {0};

  if (hone__simt_object_read(data, size, &object) && object.code_size > size) abort();
  free(object.name);
  hone__cubin_kernels(data, size, look_at, &file);
  hone__cubin_capability(data, size);
  if (hone__ptx_is(data, size)) hone__ptx_kernels(data, size, look_at_ptx, &file);
  free(hone__simt_entry_find(hone__cubin_kernels, data, size, "gemm", 0, &known));
  hone__text_release(&known);
  return 0;
}
