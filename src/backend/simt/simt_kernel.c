/* A loaded candidate. Sizes that the driver would refuse with "invalid argument" are checked first,
 * so that the message names the wrong one.
 */
#include "backend/simt/simt_gpu.h"

#include "backend/simt/simt_object.h"

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

static int function_attribute(const struct hone__simt_gpu *gpu, simt_function function,
                              enum function_attribute attribute)
{
  int value = 0;

  return gpu->api->FuncGetAttribute(&value, attribute, function) == 0 ? value : 0;
}

/* ---- Sizes ---- */

static bool fits_dimension(struct hone__simt_gpu *gpu, const struct hone__gpu_launch *launch, int i)
{
  struct hone__gpu_fault *fault = &gpu->base.fault;
  size_t block = launch->local[i], grid = block ? launch->global[i] / block : 0;
  int most_block =
      hone__simt_attribute(gpu->api, gpu->device, (enum simt_attribute)(SIMT_MAX_BLOCK_X + i));
  int most_grid =
      hone__simt_attribute(gpu->api, gpu->device, (enum simt_attribute)(SIMT_MAX_GRID_X + i));

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

static bool take_sizes(struct hone__simt_gpu *gpu, const struct hone__gpu_launch *launch,
                       struct hone__gpu_kernel *kernel)
{
  if (!launch->has_local)
    return hone__gpu_refuse(&gpu->base.fault, "no block size: %s does not choose one",
                            gpu->api->kind->title);
  kernel->is_cooperative = launch->is_cooperative;
  for (int i = 0; i < 3; i++) {
    if (!fits_dimension(gpu, launch, i)) return false;
    kernel->block[i] = (unsigned)launch->local[i];
    kernel->grid[i] = (unsigned)(launch->global[i] / launch->local[i]);
    kernel->cluster[i] = launch->cluster[i] ? (unsigned)launch->cluster[i] : 1;
    kernel->has_cluster = kernel->has_cluster || kernel->cluster[i] > 1;
  }
  return true;
}

static bool take_threads(struct hone__simt_gpu *gpu, struct hone__gpu_kernel *kernel)
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

static bool take_shared(struct hone__simt_gpu *gpu, size_t bytes, struct hone__gpu_kernel *kernel)
{
  int most = hone__simt_attribute(gpu->api, gpu->device, SIMT_SHARED_OPTIN_BYTES);

  kernel->static_shared = function_attribute(gpu, kernel->function, FUNCTION_SHARED);
  if (most > 0 && bytes + (size_t)kernel->static_shared > (size_t)most)
    return hone__gpu_refuse(
        &gpu->base.fault,
        "%zu bytes of dynamic and %d of static shared memory: the limit of a block is %d", bytes,
        kernel->static_shared, most);
  kernel->shared = (unsigned)bytes;
  return bytes + (size_t)kernel->static_shared <= SHARED_WITHOUT_ASKING ||
         !hone__simt_fails(
             gpu, gpu->api->FuncSetAttribute(kernel->function, FUNCTION_DYNAMIC_SHARED, (int)bytes),
             "cannot use so much shared memory");
}

static bool take_cluster(struct hone__simt_gpu *gpu, struct hone__gpu_kernel *kernel)
{
  size_t blocks = (size_t)kernel->cluster[0] * kernel->cluster[1] * kernel->cluster[2];

  if (!kernel->has_cluster && !kernel->is_cooperative) return true;
  if (!gpu->api->LaunchKernelEx)
    return hone__gpu_refuse(&gpu->base.fault,
                            "clusters of blocks and cooperative launches need a newer driver");
  return blocks <= PORTABLE_CLUSTER ||
         !hone__simt_fails(
             gpu, gpu->api->FuncSetAttribute(kernel->function, FUNCTION_NON_PORTABLE_CLUSTER, 1),
             "cannot use a cluster of more than 8 blocks");
}

/* ---- Loading ---- */

static void take_params(const struct hone__simt_kind *kind, const void *code, size_t size,
                        const char *name, struct hone__gpu_kernel *kernel)
{
  kernel->params_are_known = kind->params(code, size, name, &kernel->params, &kernel->param_count);
}

static bool load_module(struct hone__simt_gpu *gpu, const void *code, size_t size,
                        struct hone__gpu_kernel *kernel)
{
  const struct hone__simt_kind *kind = gpu->api->kind;
  simt_result result = gpu->api->ModuleLoadDataEx(&kernel->module, code, 0, NULL, NULL);

  if (!hone__simt_fails(gpu, result, "cannot be loaded")) return true;
  if (kind->explain_load && !gpu->base.fault.is_fatal) kind->explain_load(gpu, code, size);
  return false;
}

static bool load_kernel(struct hone__simt_gpu *gpu, const void *bytes,
                        const struct hone__simt_object *object, const char *name,
                        const struct hone__gpu_launch *launch, struct hone__gpu_kernel *kernel)
{
  if (!take_sizes(gpu, launch, kernel) ||
      (!kernel->module && !load_module(gpu, bytes, object->code_size, kernel)))
    return false;
  if (hone__simt_fails(gpu, gpu->api->ModuleGetFunction(&kernel->function, kernel->module, name),
                       name))
    return false;
  take_params(gpu->api->kind, bytes, object->code_size, name, kernel);
  return take_threads(gpu, kernel) && take_shared(gpu, launch->shared, kernel) &&
         take_cluster(gpu, kernel);
}

/* `first` has the module; NULL: it is loaded. */
bool hone__simt_load_beside(struct hone__gpu *base, struct hone__gpu_kernel *first,
                            const void *bytes, size_t size, const char *entry,
                            const struct hone__gpu_launch *launch,
                            struct hone__gpu_kernel **out_kernel)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);
  struct hone__gpu_kernel *kernel = hone__alloc(sizeof *kernel);
  struct hone__simt_object object;
  char *name;

  if (!hone__simt_object_read(bytes, size, &object)) /* code from another source */
    object.code_size = size;
  name = hone__simt_object_entry(&object, entry);
  kernel->module = first ? first->module : NULL;
  kernel->is_beside = first;
  *out_kernel = load_kernel(gpu, bytes, &object, name, launch, kernel) ? kernel : NULL;
  if (!*out_kernel) hone__simt_unload(base, kernel);
  free(object.name);
  free(name);
  return *out_kernel != NULL;
}

bool hone__simt_load(struct hone__gpu *base, const void *bytes, size_t size, const char *entry,
                     const struct hone__gpu_launch *launch, struct hone__gpu_kernel **out_kernel)
{
  return hone__simt_load_beside(base, NULL, bytes, size, entry, launch, out_kernel);
}

void hone__simt_unload(struct hone__gpu *base, struct hone__gpu_kernel *kernel)
{
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);

  if (!kernel) return;
  hone__simt_graph_release(gpu, kernel);
  hone__simt_sets_release(gpu, kernel);
  if (kernel->module && !kernel->is_beside) gpu->api->ModuleUnload(kernel->module);
  free(kernel->params);
  free(kernel);
}

/* ---- Launching ---- */

static simt_result launch_with_attributes(const struct hone__simt_gpu *gpu,
                                          const struct hone__gpu_kernel *kernel, void **params)
{
  struct simt_launch_attribute attributes[2] = {{0}};
  struct simt_launch_config config = {
      .shared_bytes = kernel->shared, .stream = gpu->stream, .attributes = attributes};

  memcpy(config.grid, kernel->grid, sizeof config.grid);
  memcpy(config.block, kernel->block, sizeof config.block);
  if (kernel->has_cluster) {
    struct simt_launch_attribute *cluster = &attributes[config.attribute_count++];
    cluster->id = SIMT_LAUNCH_CLUSTER;
    memcpy(cluster->value.cluster, kernel->cluster, sizeof kernel->cluster);
  }
  if (kernel->is_cooperative)
    attributes[config.attribute_count++] =
        (struct simt_launch_attribute){.id = SIMT_LAUNCH_COOPERATIVE, .value = {.cooperative = 1}};
  return gpu->api->LaunchKernelEx(&config, kernel->function, params, NULL);
}

bool hone__simt_queue(struct hone__simt_gpu *gpu, struct hone__gpu_kernel *kernel, size_t set)
{
  const unsigned *grid = kernel->grid, *block = kernel->block;
  void **params = set < kernel->set_count ? kernel->sets[set].params : NULL;
  simt_result result;

  if (!params && !(kernel->params_are_known && !kernel->param_count))
    return hone__gpu_refuse(&gpu->base.fault, "launched without arguments");
  if (kernel->has_cluster || kernel->is_cooperative)
    result = launch_with_attributes(gpu, kernel, params);
  else
    result = gpu->api->LaunchKernel(kernel->function, grid[0], grid[1], grid[2], block[0], block[1],
                                    block[2], kernel->shared, gpu->stream, params, NULL);
  return !hone__simt_fails(gpu, result, "cannot launch the kernel");
}

/* ---- Facts ---- */

static void add_occupancy(const struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                          struct hone__named_list *facts)
{
  int most = hone__simt_attribute(gpu->api, gpu->device, SIMT_MAX_THREADS_PER_SM);
  size_t threads = (size_t)kernel->block[0] * kernel->block[1] * kernel->block[2];
  int blocks = 0;

  if (most > 0 && gpu->api->OccupancyMaxActiveBlocks(&blocks, kernel->function, (int)threads,
                                                     kernel->shared) == 0)
    hone__named_real(facts, "occupancy",
                     (double)blocks * (double)((threads + 31) / 32 * 32) / most);
}

void hone__simt_kernel_facts(struct hone__gpu *base, struct hone__gpu_kernel *kernel,
                             struct hone__named_list *facts)
{
  static const struct {
    const char *name;
    enum function_attribute attribute;
  } known[] = {{"registers", FUNCTION_REGISTERS},
               {"local_bytes", FUNCTION_LOCAL},
               {"shared_bytes", FUNCTION_SHARED},
               {"max_threads", FUNCTION_MAX_THREADS}};
  struct hone__simt_gpu *gpu = hone__simt_gpu(base);

  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    hone__named_int(facts, known[i].name,
                    function_attribute(gpu, kernel->function, known[i].attribute));
  add_occupancy(gpu, kernel, facts);
}
