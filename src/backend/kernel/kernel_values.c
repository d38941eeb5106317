/* Values that kernels are called with: numbers, and for GPUs also sizes of local memory, structs as
 * C lays them out, and maps of tensors. What makes no sense for a configuration is an error of the
 * spec that names the configuration; what only a device can judge is left to the device. */
#include "backend/kernel/kernel_values.h"

#include "base/element.h"

#include <math.h>
#include <stdlib.h>

static const int64_t most_whole = INT64_C(1) << 48;

static const char *text_of(const struct hone_node *mapping, const char *key)
{
  const struct hone_node *node = hone__node_get(mapping, key);

  return node && node->kind == HONE_SCALAR ? node->text : "";
}

/* ---- Numbers ---- */

/* "<what> is 1.5, which is no i32, for BM=64": the configuration only where it matters. */
static hone_status bad_value(const struct hone_task *task, const uint32_t *row,
                             const struct hone_node *node, const char *what, const char *wanted,
                             struct hone_value value)
{
  bool depends = row && hone__task_depends_on_row(task, node);
  char *config = depends ? hone__task_config(task, row) : NULL;
  struct hone_text text = {0};
  hone_status status;

  hone__value_repr(value, &text);
  status = hone__spec_error(task->spec, node, "%s is %s, which is no %s%s%s", what,
                            text.data ? text.data : "", wanted, depends ? ", for " : "",
                            depends ? config : "");
  hone__text_release(&text);
  free(config);
  return status;
}

static bool as_whole(struct hone_value value, int64_t *out_whole)
{
  *out_whole = value.integer;
  if (value.type == HONE_INT || value.type == HONE_BOOL) return true;
  return value.type == HONE_FLOAT && hone__real_is_int(value.real, out_whole);
}

hone_status hone__kernel_whole(const struct hone_task *task, const uint32_t *row,
                               const struct hone_node *node, const char *what, int64_t *out_whole)
{
  struct hone_value value;
  hone_status status = hone__task_evaluate(task, row, node, &value);

  if (status) return status;
  if (!as_whole(value, out_whole) || *out_whole < 0)
    return bad_value(task, row, node, what, "whole number of at least 0", value);
  if (*out_whole >= most_whole)
    return bad_value(task, row, node, what, "size that a device could have", value);
  return NULL;
}

static bool fits(enum hone_element element, int64_t integer)
{
  const struct hone_element_info *info = hone__element_info(element);
  int bits = (int)info->size * 8;

  if (info->kind == HONE_KIND_BOOL) return integer == 0 || integer == 1;
  if (info->kind == HONE_KIND_UNSIGNED) return integer >= 0 && (bits == 64 || !(integer >> bits));
  return bits == 64 ||
         (integer >= -(INT64_C(1) << (bits - 1)) && integer < INT64_C(1) << (bits - 1));
}

static json_t *number(enum hone_element element, struct hone_value value)
{
  int64_t integer;

  if (value.type != HONE_BOOL && value.type != HONE_INT && value.type != HONE_FLOAT) return NULL;
  if (hone__element_info(element)->is_float) {
    double real = value.type == HONE_FLOAT ? value.real : (double)value.integer;
    return isfinite(real) ? json_real(real) : NULL;
  }
  return as_whole(value, &integer) && fits(element, integer) ? json_integer(integer) : NULL;
}

/* Whole numbers between 2^63 and 2^64 are beyond the values of expressions. */
static json_t *large_number(enum hone_element element, const struct hone_node *node)
{
  size_t digits = strspn(node->text, "0123456789");

  if (element != HONE_ELEMENT_U64 || node->value.type != HONE_TEXT || node->text[digits] ||
      digits < 19 || digits > 20 ||
      (digits == 20 && strcmp(node->text, "18446744073709551615") > 0))
    return NULL;
  return json_string(node->text);
}

/* The `value` of an argument or member, as its `type` takes it; `what` names it. */
static hone_status make_number(const struct hone_task *task, const uint32_t *row,
                               const struct hone_node *holder, const char *what, json_t **out_json)
{
  const struct hone_node *node = hone__node_get(holder, "value");
  const char *type = text_of(holder, "type");
  enum hone_element element;
  struct hone_value value;
  hone_status status = NULL;

  *out_json = NULL;
  if (!node || !hone__element_parse(type, &element))
    return hone__spec_error(task->spec, holder, "%s has no value or no known type", what);
  *out_json = large_number(element, node);
  if (!*out_json) status = hone__task_evaluate(task, row, node, &value);
  if (!*out_json && !status) *out_json = number(element, value);
  if (!*out_json && !status) status = bad_value(task, row, node, what, type, value);
  return status;
}

static hone_status make_scalar(const struct hone_task *task, const uint32_t *row,
                               const struct hone_node *arg, json_t **out_json)
{
  struct hone_text what = {0};
  hone_status status;

  hone__text_addf(&what, "argument '%s'", text_of(arg, "name"));
  status = make_number(task, row, arg, what.data, out_json);
  hone__text_release(&what);
  return status;
}

/* ---- Local memory ---- */

static hone_status make_local(const struct hone_task *task, const uint32_t *row,
                              const struct hone_node *arg, json_t **out_json)
{
  const struct hone_node *node = hone__node_get(arg, "local");
  enum hone_element element = HONE_ELEMENT_F32;
  struct hone_text what = {0};
  int64_t elements = 0;
  hone_status status;

  hone__element_parse(text_of(arg, "type"), &element);
  hone__text_addf(&what, "the size of '%s'", text_of(arg, "name"));
  status = hone__kernel_whole(task, row, node, what.data, &elements);
  hone__text_release(&what);
  if (!status)
    *out_json =
        json_pack("{sI}", "local", (json_int_t)(elements * (int64_t)hone__element_size(element)));
  return status;
}

/* ---- Structs ---- */

static size_t round_up(size_t size, size_t alignment)
{
  return (size + alignment - 1) / alignment * alignment;
}

/* Where the next member lies, and all of them aligned together. */
struct layout {
  size_t end, alignment;
};

static size_t place(struct layout *layout, enum hone_element element)
{
  size_t size = hone__element_size(element), at = round_up(layout->end, size);

  layout->end = at + size;
  if (layout->alignment < size) layout->alignment = size;
  return at;
}

size_t hone__kernel_struct_size(const struct hone_node *members)
{
  struct layout layout = {.alignment = 1};

  for (size_t i = 0; i < members->count; i++) {
    enum hone_element element;
    if (hone__element_parse(text_of(members->items[i], "type"), &element)) place(&layout, element);
  }
  return round_up(layout.end, layout.alignment);
}

/* Bytes are little endian, here and on every GPU. */
static void write_number(const json_t *json, enum hone_element element, unsigned char *at)
{
  uint64_t bits = json_is_string(json) ? strtoull(json_string_value(json), NULL, 10)
                                       : (uint64_t)json_integer_value(json);

  if (hone__element_info(element)->is_float)
    hone__element_set(element, at, 0, json_number_value(json));
  else
    memcpy(at, &bits, hone__element_size(element));
}

static hone_status fill_struct(const struct hone_task *task, const uint32_t *row,
                               const struct hone_node *arg, unsigned char *bytes)
{
  const struct hone_node *members = hone__node_get(arg, "struct");
  struct layout layout = {.alignment = 1};
  struct hone_text what = {0};
  hone_status status = NULL;

  for (size_t i = 0; i < members->count && !status; i++) {
    enum hone_element element = HONE_ELEMENT_U8;
    json_t *json = NULL;
    what.length = 0;
    hone__text_addf(&what, "member %zu of '%s'", i + 1, text_of(arg, "name"));
    status = make_number(task, row, members->items[i], what.data, &json);
    hone__element_parse(text_of(members->items[i], "type"), &element);
    if (!status) write_number(json, element, bytes + place(&layout, element));
    json_decref(json);
  }
  hone__text_release(&what);
  return status;
}

static json_t *hex_of(const unsigned char *bytes, size_t size)
{
  struct hone_text text = {0};
  json_t *json;

  for (size_t i = 0; i < size; i++)
    hone__text_addf(&text, "%02x", bytes[i]);
  json = json_string(text.data ? text.data : "");
  hone__text_release(&text);
  return json;
}

static hone_status make_struct(const struct hone_task *task, const uint32_t *row,
                               const struct hone_node *arg, json_t **out_json)
{
  size_t size = hone__kernel_struct_size(hone__node_get(arg, "struct"));
  unsigned char *bytes = hone__alloc(size + 1); /* padding is 0: equal structs have equal keys */
  hone_status status = fill_struct(task, row, arg, bytes);

  if (!status) *out_json = json_pack("{so}", "bytes", hex_of(bytes, size));
  free(bytes);
  return status;
}

/* ---- Maps of tensors ---- */

struct map { /* in the making */
  const struct hone_task *task;
  const uint32_t *row;
  const struct hone_node *node, *tensor;
  const char *name;
  json_t *json;
};

static const struct hone_node *find_arg(const struct hone_task *task, const char *name)
{
  const struct hone_node *args = hone__task_setting(task, "args");

  for (size_t i = 0; args && i < args->count; i++)
    if (strcmp(text_of(args->items[i], "name"), name) == 0) return args->items[i];
  return NULL;
}

static hone_status whole_of(const struct map *map, const uint32_t *row,
                            const struct hone_node *node, const char *key, int64_t *out_whole)
{
  struct hone_text what = {0};
  hone_status status;

  hone__text_addf(&what, "'%s' of '%s'", key, map->name);
  status = hone__kernel_whole(map->task, row, node, what.data, out_whole);
  hone__text_release(&what);
  return status;
}

/* One number or a list of them; `reversed`: the last comes first. */
static hone_status add_sizes(const struct map *map, const uint32_t *row, const char *key,
                             const struct hone_node *node, bool reversed)
{
  const struct hone_node *one[] = {node};
  struct hone_node *const *items = node->kind == HONE_SCALAR ? NULL : node->items;
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
  const struct hone_node *node = hone__node_get(map->node, choice->key);
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
  const struct hone_node *own = hone__node_get(map->node, "sizes");
  struct map whole = {map->task, NULL, map->node, map->tensor, map->name, json_object()};
  hone_status status =
      add_sizes(&whole, NULL, "shape", hone__node_get(map->tensor, "shape"), false);

  if (!status && json_array_size(sizes) > 5)
    status = hone__spec_error(map->task->spec, map->node,
                              "'%s' has %zu sizes, and a map at most 5: give 'sizes'", map->name,
                              json_array_size(sizes));
  if (!status && given != json_array_size(sizes))
    status = hone__spec_error(map->task->spec, hone__node_get(map->node, "box"),
                              "the box of '%s' has %zu size%s, its tensor %zu", map->name, given,
                              given == 1 ? "" : "s", json_array_size(sizes));
  if (!status && own && product(sizes) > product(json_object_get(whole.json, "shape")))
    status = hone__spec_error(map->task->spec, own, "the sizes of '%s' are more than '%s' has",
                              map->name, text_of(map->tensor, "name"));
  json_decref(whole.json);
  return status;
}

static hone_status fill_map(const struct map *map)
{
  const struct hone_node *sizes = hone__node_get(map->node, "sizes");
  const char *fill = text_of(map->node, "fill");
  hone_status status;

  json_object_set_new(map->json, "type", json_string(text_of(map->tensor, "type")));
  json_object_set_new(map->json, "fill", json_string(*fill ? fill : "zero"));
  status = add_sizes(map, sizes ? map->row : NULL, "sizes",
                     sizes ? sizes : hone__node_get(map->tensor, "shape"), !sizes);
  if (!status) status = add_sizes(map, map->row, "box", hone__node_get(map->node, "box"), false);
  for (size_t i = 0; i < sizeof map_choices / sizeof *map_choices && !status; i++)
    status = add_choice(map, &map_choices[i]);
  return status ? status : check_map(map);
}

static hone_status make_map(const struct hone_task *task, const uint32_t *row,
                            const struct hone_node *arg, json_t **out_json)
{
  const struct hone_node *node = hone__node_get(arg, "tensor_map");
  const char *of = text_of(node, "of");
  struct map map = {task, row, node, find_arg(task, of), text_of(arg, "name"), json_object()};
  hone_status status =
      map.tensor ? fill_map(&map) : hone__spec_error(task->spec, node, "no tensor '%s'", of);

  if (!status) *out_json = json_pack("{sOss}", "map", map.json, "of", of);
  json_decref(map.json);
  return status;
}

/* ---- All arguments ---- */

/* By the key that an argument has. */
static const struct {
  const char *key;
  bool in_c;
  hone_status (*make)(const struct hone_task *task, const uint32_t *row,
                      const struct hone_node *arg, json_t **out_json);
} kinds[] = {
    {"shape", true, NULL}, /* a buffer */
    {"local", false, make_local},    {"struct", false, make_struct},
    {"tensor_map", false, make_map}, {"value", true, make_scalar},
};

static hone_status add_value(const struct hone_task *task, const uint32_t *row, bool is_c,
                             const struct hone_node *arg, json_t *values)
{
  size_t kind = 0, count = sizeof kinds / sizeof *kinds;
  json_t *json = NULL;
  hone_status status;

  while (kind + 1 < count && !hone__node_get(arg, kinds[kind].key))
    kind++;
  if (!kinds[kind].make || (is_c && !kinds[kind].in_c)) return NULL;
  status = kinds[kind].make(task, row, arg, &json);
  if (!status) json_array_append_new(values, json);
  return status;
}

hone_status hone__kernel_values(const struct hone_task *task, const uint32_t *row,
                                const struct hone_kernel_kind *kind, json_t *candidate)
{
  const struct hone_node *args = hone__task_setting(task, "args");
  bool is_c = kind == &hone__kernel_kind_c;
  json_t *values = json_array();
  hone_status status = NULL;

  json_object_set_new(candidate, "values", values);
  for (size_t i = 0; args && i < args->count && !status; i++)
    status = add_value(task, row, is_c, args->items[i], values);
  return status;
}
