/* A kernel in the program that launches it: a module of the program's current context. */
#include "backend/simt/simt_host.h"

#include "backend/gpu/gpu_host.h"
#include "backend/gpu/gpu_probe.h"
#include "backend/simt/simt_gpu.h"

#include <stdio.h>
#include <stdlib.h>

struct own { /* of a loaded object */
  struct hone__simt_gpu gpu;
  struct hone__gpu_kernel *kernel;
};

/* The libraries do not work in a fork of a process that uses them. */
hone_status hone__simt_host_enter(const struct hone__simt_kind *kind)
{
  const struct hone__simt_library *api;
  hone_status status = kind->library(&api);

  if (!status && (!api->CtxGetCurrent || !api->CtxGetDevice))
    status =
        hone__error(HONE_UNAVAILABLE, "%s is too old: it has no current contexts", kind->vendor);
  if (!status) hone__gpu_probe_here(kind->driver);
  return status;
}

uintptr_t hone__simt_host_context(const struct hone__simt_kind *kind)
{
  const struct hone__simt_library *api;
  simt_context context = NULL;
  hone_status status = kind->library(&api);

  hone_status_free(status);
  if (!status && api->CtxGetCurrent(&context) != 0) context = NULL;
  return (uintptr_t)context;
}

static hone_status no_context(const struct hone__simt_kind *kind)
{
  return hone__error(HONE_INVALID_ARGUMENT,
                     "no %s context is current in this thread: %s, before hone_kernel_get",
                     kind->title, kind->no_context);
}

/* A thread of the library has no context: the program's is current only meanwhile. */
static simt_context exchange(const struct hone__simt_library *api, simt_context context)
{
  simt_context before = NULL;

  api->CtxGetCurrent(&before);
  api->CtxSetCurrent(context);
  return before;
}

static bool find_index(const struct hone__simt_library *api, simt_device device, int *out_index)
{
  int count = 0;
  simt_device one;

  api->DeviceGetCount(&count);
  for (*out_index = 0; *out_index < count; ++*out_index)
    if (api->DeviceGet(&one, *out_index) == 0 && one == device) return true;
  return false;
}

static hone_status find_device(const struct hone__simt_library *api, uintptr_t context,
                               simt_device *out_device, int *out_index)
{
  simt_context before;
  bool found;

  if (!context) return no_context(api->kind);
  before = exchange(api, (simt_context)context);
  found = api->CtxGetDevice(out_device) == 0 && find_index(api, *out_device, out_index);
  api->CtxSetCurrent(before);
  return found ? NULL
               : hone__error(HONE_UNAVAILABLE, "the %s context has no known device",
                             api->kind->title);
}

hone_status hone__simt_host_device(const struct hone__simt_kind *kind, uintptr_t context,
                                   char **out_device)
{
  const struct hone__simt_library *api;
  hone_status status = kind->library(&api);
  struct hone__text name = {0};
  simt_device device;
  int index;

  if (!status) status = find_device(api, context, &device, &index);
  if (status) return status;
  hone__text_addf(&name, "%s:%d", kind->name, index);
  *out_device = hone__text_take(&name);
  return NULL;
}

static hone_status load_into(struct own *own, simt_context context,
                             const struct hone__packed *candidate, const void *object, size_t size,
                             struct hone__loaded *out_loaded)
{
  simt_context before = exchange(own->gpu.api, context);
  hone_status status = hone__gpu_host_load(own->gpu.api->kind->driver, &own->gpu.base, candidate,
                                           object, size, out_loaded, &own->kernel);

  own->gpu.api->CtxSetCurrent(before);
  if (status) return status;
  out_loaded->module = own->kernel->module;
  out_loaded->function = own->kernel->function;
  out_loaded->own = own;
  return NULL;
}

hone_status hone__simt_host_load(const struct hone__simt_kind *kind, uintptr_t context,
                                 const struct hone__packed *candidate, const void *object,
                                 size_t size, struct hone__loaded *out_loaded)
{
  struct own *own = hone__alloc(sizeof *own);
  hone_status status = kind->library(&own->gpu.api);

  if (!status) status = find_device(own->gpu.api, context, &own->gpu.device, &own->gpu.index);
  if (!status) status = load_into(own, (simt_context)context, candidate, object, size, out_loaded);
  if (status) free(own);
  return status;
}

void hone__simt_host_unload(uintptr_t context, struct hone__loaded *loaded)
{
  struct own *own = loaded->own;
  simt_context before = exchange(own->gpu.api, (simt_context)context);

  hone__simt_unload(&own->gpu.base, own->kernel);
  own->gpu.api->CtxSetCurrent(before);
  free(own);
}
