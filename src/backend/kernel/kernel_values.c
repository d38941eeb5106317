/* Values of kernel arguments: numbers, and for GPUs also sizes of local memory, C structs, and
 * tensor maps. An invalid value is an error of the spec that names the configuration; limits of a
 * device are left to the device.
 */
#include "backend/kernel/kernel_values.h"

#include "backend/kernel/describer.h"
#include "base/element.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const int64_t most_whole = INT64_C(1) << 48;

/* ---- Numbers ---- */

/* "<what> is 1.5, which is not a valid i32, for BM=64": with the configuration only if it matters.
 */
static hone_status bad_value(const struct hone__task *task, const uint32_t *row,
                             const struct hone__node *node, const char *what, const char *wanted,
                             struct hone_value value)
{
  bool depends = row && hone__task_depends_on_row(task, node);
  char *config = depends ? hone__task_config(task, row) : NULL;
  struct hone__text text = {0};
  hone_status status;

  hone__value_repr(value, &text);
  status = hone__backend_spec_error(task->spec, node, "%s is %s, which is not a valid %s%s%s", what,
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

/* False: not a value of this element type. */
static bool to_number(enum hone__element element, struct hone_value value,
                      struct hone_value *out_number)
{
  int64_t integer;

  if (value.type != HONE_BOOL && value.type != HONE_INT && value.type != HONE_FLOAT) return false;
  if (hone__element_info(element)->is_float) {
    double real = value.type == HONE_FLOAT ? value.real : (double)value.integer;
    *out_number = hone__real(real);
    return isfinite(real);
  }
  if (!as_whole(value, &integer) || !fits(element, integer)) return false;
  *out_number = hone__int(integer);
  return true;
}

/* Whole numbers between 2^63 and 2^64 are beyond the values of expressions. */
static bool is_large_number(enum hone__element element, const struct hone__node *node)
{
  size_t digits = strspn(node->text, "0123456789");

  return element == HONE__ELEMENT_U64 && node->value.type == HONE_TEXT && !node->text[digits] &&
         digits >= 19 && digits <= 20 &&
         (digits < 20 || strcmp(node->text, "18446744073709551615") <= 0);
}

/* A value as the `type` of an argument or member takes it; `what` names it. */
static hone_status make_number(const struct hone__task *task, const uint32_t *row,
                               const struct hone__node *holder, const struct hone__node *node,
                               const char *what, struct hone_value *out_number)
{
  const char *type = hone__describer_text(holder, "type", "");
  enum hone__element element;
  struct hone_value value;
  hone_status status;

  if (!node || !hone__element_parse(type, &element))
    return hone__backend_spec_error(task->spec, holder, "%s has no value or no known type", what);
  if (is_large_number(element, node)) {
    *out_number = hone__string(node->text);
    return NULL;
  }
  status = hone__task_evaluate(task, row, node, &value);
  if (status || to_number(element, value, out_number)) return status;
  return bad_value(task, row, node, what, type, value);
}

static hone_status make_scalar_of(const struct hone__task *task, const uint32_t *row,
                                  const struct hone__node *arg, const struct hone__node *node,
                                  struct hone__kernel_value *out_value)
{
  struct hone__text what = {0};
  hone_status status;

  hone__text_addf(&what, "argument '%s'", hone__describer_text(arg, "name", ""));
  status = make_number(task, row, arg, node, what.data, &out_value->scalar);
  hone__text_release(&what);
  return status;
}

static hone_status make_scalar(const struct hone__task *task, const uint32_t *row,
                               const struct hone__node *arg, struct hone__arena *arena,
                               struct hone__kernel_value *out_value)
{
  (void)arena;
  return make_scalar_of(task, row, arg, hone__node_get(arg, "value"), out_value);
}

/* ---- Local memory ---- */

static hone_status make_local(const struct hone__task *task, const uint32_t *row,
                              const struct hone__node *arg, struct hone__arena *arena,
                              struct hone__kernel_value *out_value)
{
  const struct hone__node *node = hone__node_get(arg, "local");
  enum hone__element element = HONE__ELEMENT_F32;
  struct hone__text what = {0};
  int64_t elements = 0;
  hone_status status;

  (void)arena;
  hone__element_parse(hone__describer_text(arg, "type", ""), &element);
  hone__text_addf(&what, "the size of '%s'", hone__describer_text(arg, "name", ""));
  status = hone__kernel_whole(task, row, node, what.data, &elements);
  hone__text_release(&what);
  out_value->local = hone__int(elements * (int64_t)hone__element_size(element));
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
static void write_number(struct hone_value number, enum hone__element element, unsigned char *at)
{
  uint64_t bits =
      number.type == HONE_TEXT ? strtoull(number.text, NULL, 10) : (uint64_t)number.integer;

  if (hone__element_info(element)->is_float)
    hone__element_set(element, at, 0, number.real);
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
    struct hone_value number;
    what.length = 0;
    hone__text_addf(&what, "member %zu of '%s'", i + 1, hone__describer_text(arg, "name", ""));
    status = make_number(task, row, members->items[i], hone__node_get(members->items[i], "value"),
                         what.data, &number);
    hone__element_parse(hone__describer_text(members->items[i], "type", ""), &element);
    if (!status) write_number(number, element, bytes + place(&layout, element));
  }
  hone__text_release(&what);
  return status;
}

static const char *hex_of(const unsigned char *bytes, size_t size, struct hone__arena *arena)
{
  char *hex = hone__arena_alloc(arena, 2 * size + 1);

  for (size_t i = 0; i < size; i++)
    snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
  return hex;
}

static hone_status make_struct(const struct hone__task *task, const uint32_t *row,
                               const struct hone__node *arg, struct hone__arena *arena,
                               struct hone__kernel_value *out_value)
{
  size_t size = hone__kernel_struct_size(hone__node_get(arg, "struct"));
  unsigned char *bytes = hone__alloc(size + 1); /* padding is 0: equal structs have equal keys */
  hone_status status = fill_struct(task, row, arg, bytes);

  if (!status) out_value->bytes = hex_of(bytes, size, arena);
  free(bytes);
  return status;
}

/* ---- All arguments ---- */

/* By the key that an argument has. */
static const struct value_kind {
  const char *key;
  bool in_c;
  hone_status (*make)(const struct hone__task *task, const uint32_t *row,
                      const struct hone__node *arg, struct hone__arena *arena,
                      struct hone__kernel_value *out_value);
} kinds[] = {
    {"shape", true, NULL}, /* a buffer */
    {"local", false, make_local}, {"struct", false, make_struct},
    {"return", true, NULL},       {"tensor_map", false, hone__kernel_map},
    {"sampler", false, NULL}, /* the same for all candidates */
    {"value", true, make_scalar},
};

/* NULL: it has no value. */
static const struct value_kind *kind_of(const struct hone__node *arg, bool is_c)
{
  size_t kind = 0, count = sizeof kinds / sizeof *kinds;

  while (kind + 1 < count && !hone__node_get(arg, kinds[kind].key))
    kind++;
  return !kinds[kind].make || (is_c && !kinds[kind].in_c) ? NULL : &kinds[kind];
}

hone_status hone__kernel_value(const struct hone__task *task, const uint32_t *row,
                               const struct hone__kernel_kind *kind, const struct hone__node *arg,
                               const struct hone__node *given, struct hone__arena *arena,
                               struct hone__kernel_value *out_value, bool *out_has_value)
{
  bool is_foreign = strcmp(task->backend->name, kind->backend) != 0; /* a reference in C */
  const struct value_kind *own = kind_of(arg, kind == &hone__kernel_kind_c && is_foreign);

  *out_has_value = own;
  if (!own) return NULL;
  if (given && own->make == make_scalar) return make_scalar_of(task, row, arg, given, out_value);
  return own->make(task, row, arg, arena, out_value);
}

hone_status hone__kernel_values(const struct hone__task *task, const uint32_t *row,
                                const struct hone__kernel_kind *kind, struct hone__arena *arena,
                                struct hone__kernel_candidate *candidate)
{
  const struct hone__node *args = hone__task_setting(task, "args");
  size_t count = candidate->args ? candidate->args_count : args ? args->count : 0;
  hone_status status = NULL;

  candidate->values = hone__arena_alloc(arena, (count + 1) * sizeof *candidate->values);
  for (size_t i = 0; i < count && !status; i++) {
    const struct hone__node *arg = args->items[candidate->args ? (size_t)candidate->args[i] : i];
    bool has_value;
    status = hone__kernel_value(task, row, kind, arg, NULL, arena,
                                &candidate->values[candidate->values_count], &has_value);
    candidate->values_count += has_value;
  }
  return status;
}
