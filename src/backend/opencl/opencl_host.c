/* An OpenCL kernel in the program that launches it: a program of its context. */
#include "backend/gpu/gpu_host.h"
#include "backend/gpu/gpu_probe.h"
#include "backend/opencl/opencl_gpu.h"

#include <stdlib.h>

struct own { /* of a loaded object */
  struct hone__opencl_gpu gpu;
  struct hone__gpu_kernel *kernel;
};

static hone_status enter(const struct hone__host *host)
{
  const struct hone__opencl_library *cl;
  hone_status status;

  if (!host->context || !host->device)
    return hone__error(HONE_INVALID_ARGUMENT, "a kernel in OpenCL needs `opencl_context` and "
                                              "`opencl_device` of the options");
  hone__opencl_use_host();
  status = hone__opencl_enter(&cl);
  if (!status) hone__gpu_probe_here(&hone__gpu_opencl);
  return status;
}

static hone_status name_device(const struct hone__host *host, uintptr_t context, char **out_device)
{
  struct hone__opencl_device device;
  hone_status status = hone__opencl_find_id(host->device, &device);

  (void)context;
  if (!status) *out_device = hone__strdup(device.name);
  return status;
}

static hone_status make_kernel(struct own *own, struct hone__loaded *loaded)
{
  char error[HONE__OPENCL_ERROR_SIZE];
  int code;

  loaded->module = own->kernel->program;
  loaded->function = own->gpu.cl->CreateKernel(own->kernel->program, own->kernel->entry, &code);
  loaded->own = own;
  if (loaded->function) return NULL;
  return hone__error(HONE_UNAVAILABLE, "the kernel cannot be loaded: %s",
                     hone__opencl_error(code, error));
}

static void release(struct own *own)
{
  hone__opencl_unload(&own->gpu.gpu, own->kernel);
  free(own);
}

static hone_status load(const struct hone__host *host, uintptr_t context,
                        const struct hone__packed *candidate, const void *object, size_t size,
                        struct hone__loaded *out_loaded)
{
  struct own *own = hone__alloc(sizeof *own);
  hone_status status = hone__opencl_find_id(host->device, &own->gpu.at);

  (void)context;
  own->gpu.cl = own->gpu.at.cl;
  own->gpu.context = host->context;
  if (!status)
    status = hone__gpu_host_load(&hone__gpu_opencl, &own->gpu.gpu, candidate, object, size,
                                 out_loaded, &own->kernel);
  if (!status) status = make_kernel(own, out_loaded);
  if (status) release(own);
  return status;
}

static void unload(uintptr_t context, struct hone__loaded *loaded)
{
  struct own *own = loaded->own;

  (void)context;
  own->gpu.cl->ReleaseKernel(loaded->function);
  release(own);
}

const struct hone__backend_host hone__host_opencl = {
    .enter = enter, .device = name_device, .load = load, .unload = unload};
