/* Maps of tensors (CUtensorMap), which bulk copies read: in numbers here, encoded by the driver. */
#include "backend/kernel/describer.h"
#include "backend/kernel/kernel_values.h"

#include <stdlib.h>

struct map { /* in the making */
  const struct hone__task *task;
  const uint32_t *row;
  const struct hone__node *node, *tensor;
  const char *name;
  struct hone__arena *arena;
};

static const struct hone__node *find_arg(const struct hone__task *task, const char *name)
{
  const struct hone__node *args = hone__task_setting(task, "args");

  for (size_t i = 0; args && i < args->count; i++)
    if (strcmp(hone__describer_text(args->items[i], "name", ""), name) == 0) return args->items[i];
  return NULL;
}

static hone_status whole_of(const struct map *map, const uint32_t *row,
                            const struct hone__node *node, const char *key, int64_t *out_whole)
{
  struct hone__text what = {0};
  hone_status status;

  hone__text_addf(&what, "'%s' of '%s'", key, map->name);
  status = hone__kernel_whole(map->task, row, node, what.data, out_whole);
  hone__text_release(&what);
  return status;
}

/* One number or a list of them; `reversed`: the last comes first. */
static hone_status read_sizes(const struct map *map, const uint32_t *row, const char *key,
                              const struct hone__node *node, bool reversed, int64_t **out_sizes,
                              size_t *out_count)
{
  bool is_one = node->kind == HONE__SCALAR;
  size_t count = is_one ? 1 : node->count;
  int64_t *sizes = hone__arena_alloc(map->arena, (count + 1) * sizeof *sizes);
  hone_status status = NULL;

  *out_sizes = sizes;
  *out_count = count;
  for (size_t i = 0; i < count && !status; i++)
    status = whole_of(map, row, is_one ? node : node->items[reversed ? count - 1 - i : i], key,
                      &sizes[i]);
  return status;
}

/* The values that the hardware supports; 0: none. */
static const struct map_choice {
  const char *key;
  int64_t known[5];
  const char *words;
} map_choices[] = {
    {"swizzle", {0, 32, 64, 128, 0}, "0, 32, 64 or 128"},
    {"l2", {0, 64, 128, 256, 0}, "0, 64, 128 or 256"},
    {"interleave", {0, 16, 32, 0, 0}, "0, 16 or 32"},
};

static hone_status read_choice(const struct map *map, const struct map_choice *choice,
                               int64_t *out_value)
{
  const struct hone__node *node = hone__node_get(map->node, choice->key);
  int64_t value = 0;
  hone_status status = node ? whole_of(map, map->row, node, choice->key, &value) : NULL;
  bool known = false;
  char *config;

  for (size_t i = 0; i < sizeof choice->known / sizeof *choice->known; i++)
    known = known || choice->known[i] == value;
  *out_value = value;
  if (status || known) return status;
  config = hone__task_config(map->task, map->row);
  status =
      hone__backend_spec_error(map->task->spec, node, "'%s' of '%s' is %lld, not %s, for %s",
                               choice->key, map->name, (long long)value, choice->words, config);
  free(config);
  return status;
}

static double product(const int64_t *sizes, size_t count)
{
  double elements = 1;

  for (size_t i = 0; i < count; i++)
    elements *= (double)sizes[i];
  return elements;
}

/* A map that is larger than its tensor would let a kernel leave it. */
static hone_status check_map(const struct map *map, const struct hone__tensor_map *made)
{
  const struct hone__node *own = hone__node_get(map->node, "sizes");
  int64_t *shape;
  size_t count;
  hone_status status =
      read_sizes(map, NULL, "shape", hone__node_get(map->tensor, "shape"), false, &shape, &count);

  if (status) return status;
  if (made->sizes_count > 5)
    return hone__backend_spec_error(
        map->task->spec, map->node,
        "'%s' has %zu sizes, but a tensor map has at most 5: give 'sizes'", map->name,
        made->sizes_count);
  if (made->box_count != made->sizes_count)
    return hone__backend_spec_error(map->task->spec, hone__node_get(map->node, "box"),
                                    "the box of '%s' has %zu size%s, its tensor %zu", map->name,
                                    made->box_count, made->box_count == 1 ? "" : "s",
                                    made->sizes_count);
  if (own && product(made->sizes, made->sizes_count) > product(shape, count))
    return hone__backend_spec_error(map->task->spec, own,
                                    "the sizes of '%s' are more than '%s' has", map->name,
                                    hone__describer_text(map->tensor, "name", ""));
  return NULL;
}

static hone_status fill_map(const struct map *map, struct hone__tensor_map *out)
{
  const struct hone__node *sizes = hone__node_get(map->node, "sizes");
  const char *fill = hone__describer_text(map->node, "fill", "");
  int64_t *const chosen[] = {&out->swizzle, &out->l2, &out->interleave}; /* as map_choices */
  hone_status status;

  out->type = hone__describer_text(map->tensor, "type", "");
  out->fill = *fill ? fill : "zero";
  status = read_sizes(map, sizes ? map->row : NULL, "sizes",
                      sizes ? sizes : hone__node_get(map->tensor, "shape"), !sizes, &out->sizes,
                      &out->sizes_count);
  if (!status)
    status = read_sizes(map, map->row, "box", hone__node_get(map->node, "box"), false, &out->box,
                        &out->box_count);
  for (size_t i = 0; i < sizeof map_choices / sizeof *map_choices && !status; i++)
    status = read_choice(map, &map_choices[i], chosen[i]);
  return status ? status : check_map(map, out);
}

hone_status hone__kernel_map(const struct hone__task *task, const uint32_t *row,
                             const struct hone__node *arg, struct hone__arena *arena,
                             struct hone__kernel_value *out_value)
{
  const struct hone__node *node = hone__node_get(arg, "tensor_map");
  const char *of = hone__describer_text(node, "of", "");
  struct map map = {task, row, node, find_arg(task, of), hone__describer_text(arg, "name", ""),
                    arena};
  struct hone__tensor_map *made = hone__arena_alloc(arena, sizeof *made);

  out_value->map = made;
  out_value->of = of;
  return map.tensor ? fill_map(&map, made)
                    : hone__backend_spec_error(task->spec, node, "no tensor '%s'", of);
}
