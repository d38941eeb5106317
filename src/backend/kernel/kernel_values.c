/* Values that kernels are called with: numbers, and for GPUs also sizes of local memory, structs as
 * C lays them out, and maps of tensors. What makes no sense for a configuration is an error of the
 * spec that names the configuration; what only a device can judge is left to the device. */
#include "backend/kernel/kernel_values.h"

#include "backend/kernel/describer.h"
#include "base/element.h"

#include <math.h>
#include <stdlib.h>

static const int64_t most_whole = INT64_C(1) << 48;

/* ---- Numbers ---- */

/* "<what> is 1.5, which is no i32, for BM=64": the configuration only where it matters. */
static hone_status bad_value(const struct hone__task *task, const uint32_t *row,
                             const struct hone__node *node, const char *what, const char *wanted,
                             struct hone_value value)
{
  bool depends = row && hone__task_depends_on_row(task, node);
  char *config = depends ? hone__task_config(task, row) : NULL;
  struct hone__text text = {0};
  hone_status status;

  hone__value_repr(value, &text);
  status = hone__spec_error(task->spec, node, "%s is %s, which is not a valid %s%s%s", what,
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

hone_status hone__kernel_whole(const struct hone__task *task, const uint32_t *row,
                               const struct hone__node *node, const char *what, int64_t *out_whole)
{
  struct hone_value value;
  hone_status status = hone__task_evaluate(task, row, node, &value);

  if (status) return status;
  if (!as_whole(value, out_whole) || *out_whole < 0)
    return bad_value(task, row, node, what, "non-negative integer", value);
  if (*out_whole >= most_whole) return bad_value(task, row, node, what, "device size", value);
  return NULL;
}

static bool fits(enum hone__element element, int64_t integer)
{
  const struct hone__element_info *info = hone__element_info(element);
  int bits = (int)info->size * 8;

  if (info->kind == HONE__KIND_BOOL) return integer == 0 || integer == 1;
  if (info->kind == HONE__KIND_UNSIGNED) return integer >= 0 && (bits == 64 || !(integer >> bits));
  return bits == 64 ||
         (integer >= -(INT64_C(1) << (bits - 1)) && integer < INT64_C(1) << (bits - 1));
}

static json_t *number(enum hone__element element, struct hone_value value)
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
static json_t *large_number(enum hone__element element, const struct hone__node *node)
{
  size_t digits = strspn(node->text, "0123456789");

  if (element != HONE__ELEMENT_U64 || node->value.type != HONE_TEXT || node->text[digits] ||
      digits < 19 || digits > 20 ||
      (digits == 20 && strcmp(node->text, "18446744073709551615") > 0))
    return NULL;
  return json_string(node->text);
}

/* The `value` of an argument or member, as its `type` takes it; `what` names it. */
static hone_status make_number(const struct hone__task *task, const uint32_t *row,
                               const struct hone__node *holder, const char *what, json_t **out_json)
{
  const struct hone__node *node = hone__node_get(holder, "value");
  const char *type = hone__describer_text(holder, "type", "");
  enum hone__element element;
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

static hone_status make_scalar(const struct hone__task *task, const uint32_t *row,
                               const struct hone__node *arg, json_t **out_json)
{
  struct hone__text what = {0};
  hone_status status;

  hone__text_addf(&what, "argument '%s'", hone__describer_text(arg, "name", ""));
  status = make_number(task, row, arg, what.data, out_json);
  hone__text_release(&what);
  return status;
}

/* ---- Local memory ---- */

static hone_status make_local(const struct hone__task *task, const uint32_t *row,
                              const struct hone__node *arg, json_t **out_json)
{
  const struct hone__node *node = hone__node_get(arg, "local");
  enum hone__element element = HONE__ELEMENT_F32;
  struct hone__text what = {0};
  int64_t elements = 0;
  hone_status status;

  hone__element_parse(hone__describer_text(arg, "type", ""), &element);
  hone__text_addf(&what, "the size of '%s'", hone__describer_text(arg, "name", ""));
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

static size_t place(struct layout *layout, enum hone__element element)
{
  size_t size = hone__element_size(element), at = round_up(layout->end, size);

  layout->end = at + size;
  if (layout->alignment < size) layout->alignment = size;
  return at;
}

size_t hone__kernel_struct_size(const struct hone__node *members)
{
  struct layout layout = {.alignment = 1};

  for (size_t i = 0; i < members->count; i++) {
    enum hone__element element;
    if (hone__element_parse(hone__describer_text(members->items[i], "type", ""), &element))
      place(&layout, element);
  }
  return round_up(layout.end, layout.alignment);
}

/* Bytes are little endian, here and on every GPU. */
static void write_number(const json_t *json, enum hone__element element, unsigned char *at)
{
  uint64_t bits = json_is_string(json) ? strtoull(json_string_value(json), NULL, 10)
                                       : (uint64_t)json_integer_value(json);

  if (hone__element_info(element)->is_float)
    hone__element_set(element, at, 0, json_number_value(json));
  else
    memcpy(at, &bits, hone__element_size(element));
}

static hone_status fill_struct(const struct hone__task *task, const uint32_t *row,
                               const struct hone__node *arg, unsigned char *bytes)
{
  const struct hone__node *members = hone__node_get(arg, "struct");
  struct layout layout = {.alignment = 1};
  struct hone__text what = {0};
  hone_status status = NULL;

  for (size_t i = 0; i < members->count && !status; i++) {
    enum hone__element element = HONE__ELEMENT_U8;
    json_t *json = NULL;
    what.length = 0;
    hone__text_addf(&what, "member %zu of '%s'", i + 1, hone__describer_text(arg, "name", ""));
    status = make_number(task, row, members->items[i], what.data, &json);
    hone__element_parse(hone__describer_text(members->items[i], "type", ""), &element);
    if (!status) write_number(json, element, bytes + place(&layout, element));
    json_decref(json);
  }
  hone__text_release(&what);
  return status;
}

static json_t *hex_of(const unsigned char *bytes, size_t size)
{
  struct hone__text text = {0};
  json_t *json;

  for (size_t i = 0; i < size; i++)
    hone__text_addf(&text, "%02x", bytes[i]);
  json = json_string(text.data ? text.data : "");
  hone__text_release(&text);
  return json;
}

static hone_status make_struct(const struct hone__task *task, const uint32_t *row,
                               const struct hone__node *arg, json_t **out_json)
{
  size_t size = hone__kernel_struct_size(hone__node_get(arg, "struct"));
  unsigned char *bytes = hone__alloc(size + 1); /* padding is 0: equal structs have equal keys */
  hone_status status = fill_struct(task, row, arg, bytes);

  if (!status) *out_json = json_pack("{so}", "bytes", hex_of(bytes, size));
  free(bytes);
  return status;
}

/* ---- All arguments ---- */

/* By the key that an argument has. */
static const struct {
  const char *key;
  bool in_c;
  hone_status (*make)(const struct hone__task *task, const uint32_t *row,
                      const struct hone__node *arg, json_t **out_json);
} kinds[] = {
    {"shape", true, NULL}, /* a buffer */
    {"local", false, make_local},
    {"struct", false, make_struct},
    {"tensor_map", false, hone__kernel_map},
    {"value", true, make_scalar},
};

static hone_status add_value(const struct hone__task *task, const uint32_t *row, bool is_c,
                             const struct hone__node *arg, json_t *values)
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

hone_status hone__kernel_values(const struct hone__task *task, const uint32_t *row,
                                const struct hone__kernel_kind *kind, json_t *candidate)
{
  const struct hone__node *args = hone__task_setting(task, "args");
  bool is_c = kind == &hone__kernel_kind_c;
  json_t *values = json_array();
  hone_status status = NULL;

  json_object_set_new(candidate, "values", values);
  for (size_t i = 0; args && i < args->count && !status; i++)
    status = add_value(task, row, is_c, args->items[i], values);
  return status;
}
