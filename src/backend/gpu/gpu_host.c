#include "backend/gpu/gpu_host.h"

#include "backend/gpu/gpu_candidate.h"

static void take_launch(const struct hone__gpu_launch *launch, struct hone__loaded *loaded)
{
  loaded->dimensions = launch->dimensions;
  loaded->shared_bytes = launch->shared;
  for (int i = 0; i < 3; i++) {
    loaded->global[i] = launch->global[i];
    loaded->local[i] = launch->has_local ? launch->local[i] : 0;
    loaded->cluster[i] = launch->cluster[i] ? launch->cluster[i] : 1;
  }
}

hone_status hone__gpu_host_load(const struct hone__gpu_driver *driver, struct hone__gpu *gpu,
                                const struct hone__packed *candidate, const void *object,
                                size_t size, struct hone__loaded *out_loaded,
                                struct hone__gpu_kernel **out_kernel)
{
  struct hone__kernel_candidate read;
  struct hone__arena arena = {0};
  struct hone__gpu_launch launch;
  hone_status status = hone__unpack(candidate, &hone__kernel_candidate_type, &arena, &read);

  *out_loaded = (struct hone__loaded){0};
  *out_kernel = NULL;
  gpu->driver = driver;
  if (!status && read.stages_count)
    status = hone__error(HONE_UNAVAILABLE, "a pipeline ('stages') is not a single kernel to call");
  if (!status && !hone__gpu_launch_read(read.launch, &launch))
    status = hone__error(HONE_INVALID_SPEC, "the kernel has no valid launch");
  if (!status && !driver->load(gpu, object, size, read.entry, &launch, out_kernel))
    status = hone__error(HONE_UNAVAILABLE, "the kernel cannot be loaded: %s", gpu->fault.message);
  if (!status) take_launch(&launch, out_loaded);
  hone__arena_release(&arena);
  return status;
}
