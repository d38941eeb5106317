/* Maps of tensors (CUtensorMap), which bulk copies read: in numbers here, encoded by the driver. */
#include "backend/kernel/describer.h"
#include "backend/kernel/kernel_values.h"

#include <stdlib.h>

struct map { /* in the making */
  const struct hone__task *task;
  const uint32_t *row;
  const struct hone__node *node, *tensor;
  const char *name;
  json_t *json;
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
static hone_status add_sizes(const struct map *map, const uint32_t *row, const char *key,
                             const struct hone__node *node, bool reversed)
{
  const struct hone__node *one[] = {node};
  struct hone__node *const *items = node->kind == HONE__SCALAR ? NULL : node->items;
  size_t count = items ? node->count : 1;
  json_t *sizes = json_array();
  hone_status status = NULL;

  json_object_set_new(map->json, key, sizes);
  for (size_t i = 0; i < count && !status; i++) {
    size_t at = reversed ? count - 1 - i : i;
    int64_t size = 0;
    status = whole_of(map, row, items ? items[at] : one[0], key, &size);
    json_array_append_new(sizes, json_integer(size));
  }
  return status;
}

/* What the hardware knows; 0 is: none. */
static const struct map_choice {
  const char *key;
  int64_t known[5];
  const char *words;
} map_choices[] = {
    {"swizzle", {0, 32, 64, 128, 0}, "0, 32, 64 or 128"},
    {"l2", {0, 64, 128, 256, 0}, "0, 64, 128 or 256"},
    {"interleave", {0, 16, 32, 0, 0}, "0, 16 or 32"},
};

static hone_status add_choice(const struct map *map, const struct map_choice *choice)
{
  const struct hone__node *node = hone__node_get(map->node, choice->key);
  int64_t value = 0;
  hone_status status = node ? whole_of(map, map->row, node, choice->key, &value) : NULL;
  bool known = false;
  char *config;

  for (size_t i = 0; i < sizeof choice->known / sizeof *choice->known; i++)
    known = known || choice->known[i] == value;
  json_object_set_new(map->json, choice->key, json_integer(value));
  if (status || known) return status;
  config = hone__task_config(map->task, map->row);
  status = hone__spec_error(map->task->spec, node, "'%s' of '%s' is %lld, not %s, for %s",
                            choice->key, map->name, (long long)value, choice->words, config);
  free(config);
  return status;
}

static double product(const json_t *sizes)
{
  double elements = 1;

  for (size_t i = 0; i < json_array_size(sizes); i++)
    elements *= json_number_value(json_array_get(sizes, i));
  return elements;
}

/* A map that is larger than its tensor would let a kernel leave it. */
static hone_status check_map(const struct map *map)
{
  const json_t *sizes = json_object_get(map->json, "sizes");
  size_t given = json_array_size(json_object_get(map->json, "box"));
  const struct hone__node *own = hone__node_get(map->node, "sizes");
  struct map whole = {map->task, NULL, map->node, map->tensor, map->name, json_object()};
  hone_status status =
      add_sizes(&whole, NULL, "shape", hone__node_get(map->tensor, "shape"), false);

  if (!status && json_array_size(sizes) > 5)
    status = hone__spec_error(map->task->spec, map->node,
                              "'%s' has %zu sizes, but a tensor map has at most 5: give 'sizes'",
                              map->name, json_array_size(sizes));
  if (!status && given != json_array_size(sizes))
    status = hone__spec_error(map->task->spec, hone__node_get(map->node, "box"),
                              "the box of '%s' has %zu size%s, its tensor %zu", map->name, given,
                              given == 1 ? "" : "s", json_array_size(sizes));
  if (!status && own && product(sizes) > product(json_object_get(whole.json, "shape")))
    status = hone__spec_error(map->task->spec, own, "the sizes of '%s' are more than '%s' has",
                              map->name, hone__describer_text(map->tensor, "name", ""));
  json_decref(whole.json);
  return status;
}

static hone_status fill_map(const struct map *map)
{
  const struct hone__node *sizes = hone__node_get(map->node, "sizes");
  const char *fill = hone__describer_text(map->node, "fill", "");
  hone_status status;

  json_object_set_new(map->json, "type",
                      json_string(hone__describer_text(map->tensor, "type", "")));
  json_object_set_new(map->json, "fill", json_string(*fill ? fill : "zero"));
  status = add_sizes(map, sizes ? map->row : NULL, "sizes",
                     sizes ? sizes : hone__node_get(map->tensor, "shape"), !sizes);
  if (!status) status = add_sizes(map, map->row, "box", hone__node_get(map->node, "box"), false);
  for (size_t i = 0; i < sizeof map_choices / sizeof *map_choices && !status; i++)
    status = add_choice(map, &map_choices[i]);
  return status ? status : check_map(map);
}

hone_status hone__kernel_map(const struct hone__task *task, const uint32_t *row,
                             const struct hone__node *arg, json_t **out_json)
{
  const struct hone__node *node = hone__node_get(arg, "tensor_map");
  const char *of = hone__describer_text(node, "of", "");
  struct map map = {
      task, row, node, find_arg(task, of), hone__describer_text(arg, "name", ""), json_object()};
  hone_status status =
      map.tensor ? fill_map(&map) : hone__spec_error(task->spec, node, "no tensor '%s'", of);

  if (!status) *out_json = json_pack("{sOss}", "map", map.json, "of", of);
  json_decref(map.json);
  return status;
}
