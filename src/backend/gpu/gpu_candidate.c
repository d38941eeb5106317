/* Launch sizes. CUDA's words (grid, block) and OpenCL's (global, local) mean the same two lists
 * here: all threads, and those of a block. Both backends take both. */
#include "backend/gpu/gpu_candidate.h"

#include "backend/backend.h"
#include "backend/kernel/kernel_values.h"

#include <stdlib.h>

enum { DIMENSIONS = 3 };
static const int64_t most_threads = INT64_C(1) << 62;

struct sizes {
  int64_t at[DIMENSIONS];
  size_t count; /* 0: not given */
};

/* ---- Driver ---- */

static hone_status read_size(const struct hone__task *task, const uint32_t *row,
                             const struct hone__node *node, const char *key, int64_t *out_size)
{
  struct hone__text what = {0};
  hone_status status;

  hone__text_addf(&what, "'launch.%s'", key);
  status = hone__kernel_whole(task, row, node, what.data, out_size);
  hone__text_release(&what);
  if (!status && *out_size == 0 && !hone__task_depends_on_row(task, node))
    status = hone__backend_spec_error(task->spec, node,
                                      "'launch.%s' is 0: nothing would be launched", key);
  return status;
}

/* One number or up to three; what is not given is 1. */
static hone_status read_sizes(const struct hone__task *task, const uint32_t *row,
                              const struct hone__node *launch, const char *key,
                              struct sizes *out_sizes)
{
  const struct hone__node *node = hone__node_get(launch, key);
  hone_status status = NULL;

  *out_sizes = (struct sizes){.at = {1, 1, 1}};
  if (!node) return NULL;
  out_sizes->count = node->kind == HONE__SEQUENCE ? node->count : 1;
  if (out_sizes->count < 1 || out_sizes->count > DIMENSIONS)
    return hone__backend_spec_error(task->spec, node, "'launch.%s' takes one to three sizes", key);
  for (size_t i = 0; i < out_sizes->count && !status; i++)
    status = read_size(task, row, node->kind == HONE__SEQUENCE ? node->items[i] : node, key,
                       &out_sizes->at[i]);
  return status;
}

/* Whole blocks: CUDA has no others. */
static void round_up(struct sizes *global, const struct sizes *local)
{
  for (size_t i = 0; i < DIMENSIONS; i++) {
    int64_t rest = local->at[i] ? global->at[i] % local->at[i] : 0;
    if (rest) global->at[i] += local->at[i] - rest;
  }
}

static hone_status too_many(const struct hone__task *task, const uint32_t *row,
                            const struct hone__node *launch)
{
  char *config = hone__task_config(task, row);
  hone_status status =
      hone__backend_spec_error(task->spec, launch, "'launch' has too many threads, for %s", config);

  free(config);
  return status;
}

static hone_status multiply(const struct hone__task *task, const uint32_t *row,
                            const struct hone__node *launch, const struct sizes *grid,
                            const struct sizes *block, struct sizes *out_global)
{
  out_global->count = grid->count > block->count ? grid->count : block->count;
  for (size_t i = 0; i < DIMENSIONS; i++)
    if (__builtin_mul_overflow(grid->at[i], block->at[i], &out_global->at[i]) ||
        out_global->at[i] > most_threads)
      return too_many(task, row, launch);
  return NULL;
}

/* From grid and block, or from global and local. */
static hone_status read_threads(const struct hone__task *task, const uint32_t *row,
                                const struct hone__node *launch, struct sizes *global,
                                struct sizes *local)
{
  bool has_blocks = strcmp(task->backend->name, "opencl") != 0;
  bool has_grid = hone__node_get(launch, "grid");
  struct sizes grid = {0};
  hone_status status = read_sizes(task, row, launch, has_grid ? "grid" : "global", global);

  if (!status) status = read_sizes(task, row, launch, has_grid ? "block" : "local", local);
  if (status) return status;
  if (!global->count || (has_grid && !local->count))
    return hone__backend_spec_error(task->spec, launch,
                                    "'launch' needs 'grid' and 'block', or 'global'");
  grid = *global;
  if (has_grid) return multiply(task, row, launch, &grid, local, global);
  if (has_blocks && !local->count)
    return hone__backend_spec_error(
        task->spec, launch,
        "'launch' needs 'local' (or 'grid' and 'block'): only OpenCL chooses block sizes");
  if (has_blocks) round_up(global, local);
  return NULL;
}

static int64_t *keep_sizes(const struct sizes *sizes, struct hone__arena *arena)
{
  int64_t *kept = hone__arena_alloc(arena, sizeof sizes->at);

  memcpy(kept, sizes->at, sizeof sizes->at);
  return kept;
}

static bool is_cooperative(const struct hone__node *launch)
{
  const struct hone__node *node = hone__node_get(launch, "cooperative");

  return node && node->value.type == HONE_BOOL && node->value.integer;
}

static hone_status make_launch(const struct hone__task *task, const uint32_t *row,
                               const struct hone__node *given, struct hone__arena *arena,
                               struct hone__kernel_launch *out_launch)
{
  const struct hone__node *node = hone__node_get(given, "shared");
  struct sizes global, local, cluster;
  int64_t shared = 0;
  hone_status status = read_threads(task, row, given, &global, &local);

  if (!status) status = read_sizes(task, row, given, "cluster", &cluster);
  if (!status && node) status = hone__kernel_whole(task, row, node, "'launch.shared'", &shared);
  if (status) return status;
  if (local.count > global.count) global.count = local.count;
  *out_launch =
      (struct hone__kernel_launch){.dimensions = (int64_t)global.count,
                                   .global = keep_sizes(&global, arena),
                                   .global_count = DIMENSIONS,
                                   .local = local.count ? keep_sizes(&local, arena) : NULL,
                                   .local_count = local.count ? DIMENSIONS : 0,
                                   .cluster = keep_sizes(&cluster, arena),
                                   .cluster_count = DIMENSIONS,
                                   .shared = shared,
                                   .cooperative = is_cooperative(given)};
  return NULL;
}

hone_status hone__gpu_stage_launch(const struct hone__task *task, const uint32_t *row,
                                   const struct hone__node *node, struct hone__arena *arena,
                                   const struct hone__kernel_launch **out_launch)
{
  struct hone__kernel_launch *launch = hone__arena_alloc(arena, sizeof *launch);

  *out_launch = launch;
  return make_launch(task, row, node, arena, launch);
}

/* `measure.power_limit`, in watts. */
static hone_status add_power_limit(const struct hone__task *task, const uint32_t *row,
                                   struct hone__kernel_candidate *candidate)
{
  const struct hone__node *node = hone__task_setting(task, "measure.power_limit");

  return node ? hone__kernel_whole(task, row, node, "'measure.power_limit'",
                                   &candidate->power_limit_w)
              : NULL;
}

hone_status hone__gpu_complete(const struct hone__kernel_origin *origin, const uint32_t *row,
                               struct hone__arena *arena, struct hone__kernel_candidate *candidate)
{
  const struct hone__task *task = origin->task;
  const struct hone__node *own =
      origin->is_reference ? hone__task_setting(task, "reference.launch") : NULL;
  const struct hone__node *node = own ? own : hone__task_setting(task, "launch");
  hone_status status = add_power_limit(task, row, candidate);

  if (status || candidate->stages) return status; /* they have their own */
  if (!node || node->kind != HONE__MAPPING)
    return hone__backend_spec_error(
        task->spec, NULL,
        "a kernel for a GPU needs 'launch': how many threads run it, as in "
        "'launch: {grid: N // 256, block: 256}'");
  return hone__gpu_stage_launch(task, row, node, arena, &candidate->launch);
}

/* ---- Worker ---- */

static bool take_sizes(const int64_t *sizes, size_t count, size_t out_sizes[DIMENSIONS])
{
  double all = 1;

  if (count != DIMENSIONS) return false;
  for (size_t i = 0; i < DIMENSIONS; i++) {
    if (sizes[i] < 1) return false;
    out_sizes[i] = (size_t)sizes[i];
    all *= (double)sizes[i];
  }
  return all <= (double)most_threads;
}

bool hone__gpu_launch_read(const struct hone__kernel_launch *launch,
                           struct hone__gpu_launch *out_launch)
{
  if (!launch) return false;
  *out_launch = (struct hone__gpu_launch){
      .dimensions = launch->dimensions ? (unsigned)launch->dimensions : DIMENSIONS,
      .local = {1, 1, 1},
      .has_local = launch->local,
      .shared = launch->shared > 0 ? (size_t)launch->shared : 0,
      .is_cooperative = launch->cooperative};
  return take_sizes(launch->global, launch->global_count, out_launch->global) &&
         (!launch->local || take_sizes(launch->local, launch->local_count, out_launch->local)) &&
         take_sizes(launch->cluster, launch->cluster_count, out_launch->cluster);
}
