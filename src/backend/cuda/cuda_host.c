/* A CUDA kernel in the program that launches it: a module of the program's current context. */
#include "backend/cuda/cuda_gpu.h"
#include "backend/gpu/gpu_host.h"
#include "backend/gpu/gpu_probe.h"

#include <stdio.h>
#include <stdlib.h>

struct own { /* of a loaded object */
  struct hone__cuda_gpu gpu;
  struct hone__gpu_kernel *kernel;
};

/* CUDA does not work in a fork of a process that uses it. */
static hone_status enter(const struct hone__host *host)
{
  const struct hone__cuda_library *cuda;
  hone_status status = hone__cuda_library(&cuda);

  (void)host;
  if (!status && (!cuda->CtxGetCurrent || !cuda->CtxGetDevice))
    status = hone__error(HONE_UNAVAILABLE, "libcuda has no cuCtxGetCurrent");
  if (!status) hone__gpu_probe_here(&hone__gpu_cuda);
  return status;
}

static uintptr_t current(const struct hone__host *host)
{
  const struct hone__cuda_library *cuda;
  cuda_context context = NULL;
  hone_status status = hone__cuda_library(&cuda);

  (void)host;
  hone_status_free(status);
  if (!status && cuda->CtxGetCurrent(&context) != 0) context = NULL;
  return (uintptr_t)context;
}

static hone_status no_context(void)
{
  return hone__error(HONE_INVALID_ARGUMENT,
                     "no CUDA context is current in this thread: call cuCtxSetCurrent, or "
                     "cudaSetDevice and cudaFree(0), before hone_kernel_get");
}

/* A thread of the library has no context: the program's is current only meanwhile. */
static cuda_context exchange(const struct hone__cuda_library *cuda, cuda_context context)
{
  cuda_context before = NULL;

  cuda->CtxGetCurrent(&before);
  cuda->CtxSetCurrent(context);
  return before;
}

static bool find_index(const struct hone__cuda_library *cuda, cuda_device device, int *out_index)
{
  int count = 0;
  cuda_device one;

  cuda->DeviceGetCount(&count);
  for (*out_index = 0; *out_index < count; ++*out_index)
    if (cuda->DeviceGet(&one, *out_index) == 0 && one == device) return true;
  return false;
}

static hone_status find_device(const struct hone__cuda_library *cuda, uintptr_t context,
                               cuda_device *out_device, int *out_index)
{
  cuda_context before;
  bool found;

  if (!context) return no_context();
  before = exchange(cuda, (cuda_context)context);
  found = cuda->CtxGetDevice(out_device) == 0 && find_index(cuda, *out_device, out_index);
  cuda->CtxSetCurrent(before);
  return found ? NULL : hone__error(HONE_UNAVAILABLE, "the CUDA context has no known device");
}

static hone_status name_device(const struct hone__host *host, uintptr_t context, char **out_device)
{
  const struct hone__cuda_library *cuda;
  hone_status status = hone__cuda_library(&cuda);
  struct hone__text name = {0};
  cuda_device device;
  int index;

  (void)host;
  if (!status) status = find_device(cuda, context, &device, &index);
  if (status) return status;
  hone__text_addf(&name, "cuda:%d", index);
  *out_device = hone__text_take(&name);
  return NULL;
}

static hone_status load_into(struct own *own, cuda_context context,
                             const struct hone__packed *candidate, const void *object, size_t size,
                             struct hone__loaded *out_loaded)
{
  cuda_context before = exchange(own->gpu.cuda, context);
  hone_status status = hone__gpu_host_load(&hone__gpu_cuda, &own->gpu.base, candidate, object, size,
                                           out_loaded, &own->kernel);

  own->gpu.cuda->CtxSetCurrent(before);
  if (status) return status;
  out_loaded->module = own->kernel->module;
  out_loaded->function = own->kernel->function;
  out_loaded->own = own;
  return NULL;
}

static hone_status load(const struct hone__host *host, uintptr_t context,
                        const struct hone__packed *candidate, const void *object, size_t size,
                        struct hone__loaded *out_loaded)
{
  struct own *own = hone__alloc(sizeof *own);
  hone_status status = hone__cuda_library(&own->gpu.cuda);

  (void)host;
  if (!status) status = find_device(own->gpu.cuda, context, &own->gpu.device, &own->gpu.index);
  if (!status) status = load_into(own, (cuda_context)context, candidate, object, size, out_loaded);
  if (status) free(own);
  return status;
}

static void unload(uintptr_t context, struct hone__loaded *loaded)
{
  struct own *own = loaded->own;
  cuda_context before = exchange(own->gpu.cuda, (cuda_context)context);

  hone__cuda_unload(&own->gpu.base, own->kernel);
  own->gpu.cuda->CtxSetCurrent(before);
  free(own);
}

const struct hone__backend_host hone__host_cuda = {
    .enter = enter, .context = current, .device = name_device, .load = load, .unload = unload};
