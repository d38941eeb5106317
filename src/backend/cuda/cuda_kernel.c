/* A loaded candidate. Sizes that the driver would refuse with "invalid argument" are checked first,
 * so that the message names the wrong one.
 */
#include "backend/cuda/cuda_gpu.h"

#include "backend/cuda/cuda_cubin.h"
#include "backend/cuda/cuda_object.h"

#include <stdio.h>
#include <stdlib.h>

enum function_attribute {
  FUNCTION_MAX_THREADS = 0,
  FUNCTION_SHARED = 1,
  FUNCTION_LOCAL = 3,
  FUNCTION_REGISTERS = 4,
  FUNCTION_DYNAMIC_SHARED = 8,
  FUNCTION_NON_PORTABLE_CLUSTER = 14
};
enum { PORTABLE_CLUSTER = 8, SHARED_WITHOUT_ASKING = 48 << 10 };

static int function_attribute(const struct hone__cuda_gpu *gpu, cuda_function function,
                              enum function_attribute attribute)
{
  int value = 0;

  return gpu->cuda->FuncGetAttribute(&value, attribute, function) == 0 ? value : 0;
}

/* ---- Sizes ---- */

static bool fits_dimension(struct hone__cuda_gpu *gpu, const struct hone__gpu_launch *launch, int i)
{
  struct hone__gpu_fault *fault = &gpu->base.fault;
  size_t block = launch->local[i], grid = block ? launch->global[i] / block : 0;
  int most_block = hone__cuda_attribute(gpu->cuda, gpu->device, CUDA_MAX_BLOCK_X + (unsigned)i);
  int most_grid = hone__cuda_attribute(gpu->cuda, gpu->device, CUDA_MAX_GRID_X + (unsigned)i);

  if (!block || !grid)
    return hone__gpu_refuse(fault, "a grid or a block of size 0 in %c", "xyz"[i]);
  if (launch->global[i] % block)
    return hone__gpu_refuse(fault, "%zu threads in %c are not a multiple of the block's %zu",
                            launch->global[i], "xyz"[i], block);
  if (most_block > 0 && block > (size_t)most_block)
    return hone__gpu_refuse(fault, "a block of %zu threads in %c: the limit is %d", block, "xyz"[i],
                            most_block);
  if (most_grid > 0 && grid > (size_t)most_grid)
    return hone__gpu_refuse(fault, "a grid of %zu blocks in %c: the limit is %d", grid, "xyz"[i],
                            most_grid);
  if (launch->cluster[i] > 1 && grid % launch->cluster[i])
    return hone__gpu_refuse(fault,
                            "a grid of %zu blocks in %c is not a multiple of the cluster's %zu",
                            grid, "xyz"[i], launch -> cluster[i]);
  return true;
}

static bool take_sizes(struct hone__cuda_gpu *gpu, const struct hone__gpu_launch *launch,
                       struct hone__gpu_kernel *kernel)
{
  if (!launch->has_local)
    return hone__gpu_refuse(&gpu->base.fault, "no block size: CUDA does not choose one");
  for (int i = 0; i < 3; i++) {
    if (!fits_dimension(gpu, launch, i)) return false;
    kernel->block[i] = (unsigned)launch->local[i];
    kernel->grid[i] = (unsigned)(launch->global[i] / launch->local[i]);
    kernel->cluster[i] = launch->cluster[i] ? (unsigned)launch->cluster[i] : 1;
    kernel->has_cluster = kernel->has_cluster || kernel->cluster[i] > 1;
  }
  return true;
}

static bool take_threads(struct hone__cuda_gpu *gpu, struct hone__gpu_kernel *kernel)
{
  size_t threads = (size_t)kernel->block[0] * kernel->block[1] * kernel->block[2];

  kernel->most_threads = function_attribute(gpu, kernel->function, FUNCTION_MAX_THREADS);
  if (kernel->most_threads > 0 && threads > (size_t)kernel->most_threads)
    return hone__gpu_refuse(
        &gpu->base.fault,
        "a block of %zu threads: the limit of this kernel is %d, with %d registers per thread",
        threads, kernel->most_threads,
        function_attribute(gpu, kernel->function, FUNCTION_REGISTERS));
  return true;
}

static bool take_shared(struct hone__cuda_gpu *gpu, size_t bytes, struct hone__gpu_kernel *kernel)
{
  int most = hone__cuda_attribute(gpu->cuda, gpu->device, CUDA_SHARED_OPTIN_BYTES);

  kernel->static_shared = function_attribute(gpu, kernel->function, FUNCTION_SHARED);
  if (most > 0 && bytes + (size_t)kernel->static_shared > (size_t)most)
    return hone__gpu_refuse(
        &gpu->base.fault,
        "%zu bytes of dynamic and %d of static shared memory: the limit of a block is %d", bytes,
        kernel->static_shared, most);
  kernel->shared = (unsigned)bytes;
  return bytes + (size_t)kernel->static_shared <= SHARED_WITHOUT_ASKING ||
         !hone__cuda_fails(
             gpu,
             gpu->cuda->FuncSetAttribute(kernel->function, FUNCTION_DYNAMIC_SHARED, (int)bytes),
             "shared memory");
}

static bool take_cluster(struct hone__cuda_gpu *gpu, struct hone__gpu_kernel *kernel)
{
  size_t blocks = (size_t)kernel->cluster[0] * kernel->cluster[1] * kernel->cluster[2];

  if (!kernel->has_cluster) return true;
  if (!gpu->cuda->LaunchKernelEx)
    return hone__gpu_refuse(&gpu->base.fault, "clusters of blocks need a newer driver");
  return blocks <= PORTABLE_CLUSTER ||
         !hone__cuda_fails(
             gpu, gpu->cuda->FuncSetAttribute(kernel->function, FUNCTION_NON_PORTABLE_CLUSTER, 1),
             "a cluster of more than 8 blocks");
}

/* ---- Loading ---- */

static void take_params(const void *cubin, size_t size, const char *name,
                        struct hone__gpu_kernel *kernel)
{
  struct hone__cubin_kernel *known = hone__alloc(sizeof *known);

  kernel->params_are_known = hone__cubin_kernel(cubin, size, name, known);
  kernel->param_count = known->param_count;
  kernel->params = hone__alloc((known->param_count + 1) * sizeof *kernel->params);
  for (size_t i = 0; i < known->param_count; i++)
    kernel->params[i] = (struct hone__cuda_param){known->params[i].offset, known->params[i].size};
  free(known);
}

static bool load_module(struct hone__cuda_gpu *gpu, const void *cubin, size_t size,
                        struct hone__gpu_kernel *kernel)
{
  cuda_result result = gpu->cuda->ModuleLoadDataEx(&kernel->module, cubin, 0, NULL, NULL);
  unsigned built = hone__cubin_capability(cubin, size);
  unsigned own = (unsigned)hone__cuda_capability(gpu->cuda, gpu->device);
  size_t length;

  if (!hone__cuda_fails(gpu, result, "cannot be loaded")) return true;
  length = strlen(gpu->base.fault.message);
  if (built && built != own && !gpu->base.fault.is_fatal)
    snprintf(gpu->base.fault.message + length, sizeof gpu->base.fault.message - length,
             "; it was built for sm_%u, this device is sm_%u", built, own);
  return false;
}

static bool load_kernel(struct hone__cuda_gpu *gpu, const void *bytes,
                        const struct hone__cuda_object *object,
                        const struct hone__gpu_launch *launch, struct hone__gpu_kernel *kernel)
{
  if (!take_sizes(gpu, launch, kernel) || !load_module(gpu, bytes, object->cubin_size, kernel))
    return false;
  if (hone__cuda_fails(
          gpu, gpu->cuda->ModuleGetFunction(&kernel->function, kernel->module, object->name),
          object->name))
    return false;
  take_params(bytes, object->cubin_size, object->name, kernel);
  return take_threads(gpu, kernel) && take_shared(gpu, launch->shared, kernel) &&
         take_cluster(gpu, kernel);
}

bool hone__cuda_load(struct hone__gpu *base, const void *bytes, size_t size, const char *entry,
                     const struct hone__gpu_launch *launch, struct hone__gpu_kernel **out_kernel)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);
  struct hone__gpu_kernel *kernel = hone__alloc(sizeof *kernel);
  struct hone__cuda_object object;

  if (!hone__cuda_object_read(bytes, size, &object)) { /* a cubin from another source */
    object.cubin_size = size;
    object.name = hone__strdup(entry);
  }
  if (load_kernel(gpu, bytes, &object, launch, kernel)) {
    *out_kernel = kernel;
  } else {
    *out_kernel = NULL;
    hone__cuda_unload(base, kernel);
  }
  free(object.name);
  return *out_kernel != NULL;
}

void hone__cuda_unload(struct hone__gpu *base, struct hone__gpu_kernel *kernel)
{
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);

  if (!kernel) return;
  hone__cuda_graph_release(gpu, kernel);
  hone__cuda_sets_release(kernel);
  if (kernel->module) gpu->cuda->ModuleUnload(kernel->module);
  free(kernel->params);
  free(kernel);
}

/* ---- Launching ---- */

static cuda_result launch_cluster(const struct hone__cuda_gpu *gpu,
                                  const struct hone__gpu_kernel *kernel, void **params)
{
  struct cuda_launch_attribute cluster = {.id = CUDA_LAUNCH_CLUSTER};
  struct cuda_launch_config config = {.shared_bytes = kernel->shared,
                                      .stream = gpu->stream,
                                      .attributes = &cluster,
                                      .attribute_count = 1};

  memcpy(config.grid, kernel->grid, sizeof config.grid);
  memcpy(config.block, kernel->block, sizeof config.block);
  memcpy(cluster.value.cluster, kernel->cluster, sizeof kernel->cluster);
  return gpu->cuda->LaunchKernelEx(&config, kernel->function, params, NULL);
}

bool hone__cuda_queue(struct hone__cuda_gpu *gpu, struct hone__gpu_kernel *kernel, size_t set)
{
  const unsigned *grid = kernel->grid, *block = kernel->block;
  void **params = set < kernel->set_count ? kernel->sets[set].params : NULL;
  cuda_result result;

  if (!params && !(kernel->params_are_known && !kernel->param_count))
    return hone__gpu_refuse(&gpu->base.fault, "launched without arguments");
  if (kernel->has_cluster)
    result = launch_cluster(gpu, kernel, params);
  else
    result = gpu->cuda->LaunchKernel(kernel->function, grid[0], grid[1], grid[2], block[0],
                                     block[1], block[2], kernel->shared, gpu->stream, params, NULL);
  return !hone__cuda_fails(gpu, result, "launch");
}

/* ---- Facts ---- */

static void add_occupancy(const struct hone__cuda_gpu *gpu, const struct hone__gpu_kernel *kernel,
                          struct hone__named_list *facts)
{
  int most = hone__cuda_attribute(gpu->cuda, gpu->device, CUDA_MAX_THREADS_PER_SM);
  size_t threads = (size_t)kernel->block[0] * kernel->block[1] * kernel->block[2];
  int blocks = 0;

  if (most > 0 && gpu->cuda->OccupancyMaxActiveBlocksPerMultiprocessor(
                      &blocks, kernel->function, (int)threads, kernel->shared) == 0)
    hone__named_real(facts, "occupancy",
                     (double)blocks * (double)((threads + 31) / 32 * 32) / most);
}

void hone__cuda_kernel_facts(struct hone__gpu *base, struct hone__gpu_kernel *kernel,
                             struct hone__named_list *facts)
{
  static const struct {
    const char *name;
    enum function_attribute attribute;
  } known[] = {{"registers", FUNCTION_REGISTERS},
               {"local_bytes", FUNCTION_LOCAL},
               {"shared_bytes", FUNCTION_SHARED},
               {"max_threads", FUNCTION_MAX_THREADS}};
  struct hone__cuda_gpu *gpu = hone__cuda_gpu(base);

  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    hone__named_int(facts, known[i].name,
                    function_attribute(gpu, kernel->function, known[i].attribute));
  add_occupancy(gpu, kernel, facts);
}
