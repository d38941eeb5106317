/* Arguments that are __constant__ or __device__ arrays of the module. Copies stay on the device and
 * in the stream of the launches. */
#include "backend/simt/simt_gpu.h"

#include <stdlib.h>

static bool find(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                 const struct hone__gpu_arg *arg, struct hone__simt_symbol *out)
{
  size_t bytes = 0;

  *out = (struct hone__simt_symbol){.buffer = arg->memory->address + arg->offset,
                                    .bytes = arg->size,
                                    .is_written = arg->is_written};
  if (gpu->api->ModuleGetGlobal(&out->array, &bytes, kernel->module, arg->symbol) != 0)
    return hone__gpu_refuse(&gpu->base.fault,
                            "its object has no array '%s', which 'args' has as a symbol: the "
                            "kernel must use it, and it must not be static",
                            arg->symbol);
  if (bytes < arg->size)
    return hone__gpu_refuse(&gpu->base.fault, "its array '%s' has %zu bytes, the argument %zu",
                            arg->symbol, bytes, arg->size);
  return true;
}

bool hone__simt_symbols_bind(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                             const struct hone__gpu_arg *args, size_t count,
                             struct hone__simt_set *set)
{
  bool found = true;

  set->symbols = hone__alloc((count + 1) * sizeof *set->symbols);
  for (size_t i = 0; i < count && found; i++)
    if (args[i].kind == HONE__GPU_SYMBOL && args[i].size)
      found = find(gpu, kernel, &args[i], &set->symbols[set->symbol_count++]);
  return found;
}

static bool copy(struct hone__simt_gpu *gpu, simt_address to, simt_address from, size_t bytes)
{
  return !hone__simt_fails(gpu, gpu->api->MemcpyDtoDAsync(to, from, bytes, gpu->stream),
                           "cannot copy a symbol");
}

static const struct hone__simt_set *set_of(const struct hone__gpu_kernel *kernel, size_t set)
{
  static const struct hone__simt_set none = {0};

  return set < kernel->set_count ? &kernel->sets[set] : &none;
}

bool hone__simt_symbols_write(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                              size_t set)
{
  const struct hone__simt_set *own = set_of(kernel, set);
  bool copied = true;

  for (size_t i = 0; i < own->symbol_count && copied; i++)
    copied = copy(gpu, own->symbols[i].array, own->symbols[i].buffer, own->symbols[i].bytes);
  return copied;
}

/* What reads the buffer next may not be in the stream. */
bool hone__simt_symbols_read(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                             size_t set)
{
  const struct hone__simt_set *own = set_of(kernel, set);
  bool copied = true, any = false;

  for (size_t i = 0; i < own->symbol_count && copied; i++) {
    const struct hone__simt_symbol *symbol = &own->symbols[i];
    any |= symbol->is_written;
    if (symbol->is_written) copied = copy(gpu, symbol->buffer, symbol->array, symbol->bytes);
  }
  return copied && (!any || !hone__simt_fails(gpu, gpu->api->StreamSynchronize(gpu->stream),
                                              "cannot copy a symbol"));
}
