/* The arguments of the entry: their types and shapes, and what inputs hold. Files travel in the
 * payload, so that a worker elsewhere needs no shared folder. */
#include "backend/kernel/describer.h"
#include "backend/kernel/kernel_values.h"

#include "backend/setting.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/npy.h"
#include "spec/schema.h"

#include <math.h>
#include <stdlib.h>

enum { PAYLOAD_ALIGNMENT = 64 };
static const int64_t most_elements = INT64_C(1) << 40;

const char *hone__describer_text(const struct hone__node *mapping, const char *key,
                                 const char *fallback)
{
  const struct hone__node *node = hone__node_get(mapping, key);

  return node && node->kind == HONE__SCALAR ? node->text : fallback;
}

/* ---- Numbers that all candidates share ---- */

static hone_status evaluate(const struct hone__describer *d, const struct hone__node *node,
                            const char *what, struct hone_value *out_value)
{
  struct hone__text name = {0};
  hone_status status = NULL;

  if (hone__task_row_name(d->task, node, &name))
    status = hone__spec_error(d->task->spec, node,
                              "the %s of '%s' depends on '%s'; %s are shared by all "
                              "candidates: give %s",
                              what, d->arg, name.data,
                              strcmp(what, "shape") == 0 ? "arguments" : "inputs",
                              strcmp(what, "shape") == 0 ? "its largest size" : "one value");
  else
    status = hone__task_evaluate(d->task, NULL, node, out_value);
  hone__text_release(&name);
  return status;
}

static hone_status add_size(const struct hone__describer *d, const struct hone__node *node,
                            json_t *shape, int64_t *elements)
{
  struct hone_value value;
  hone_status status = evaluate(d, node, "shape", &value);
  int64_t size = 0;

  if (status) return status;
  if (value.type == HONE_INT)
    size = value.integer;
  else if (value.type != HONE_FLOAT || !hone__real_is_int(value.real, &size)) /* M / 2 */
    size = 0;
  if (size < 1)
    return hone__spec_error(d->task->spec, node, "a size of '%s' is not an integer of at least 1",
                            d->arg);
  if (__builtin_mul_overflow(*elements, size, elements) || *elements > most_elements)
    return hone__spec_error(d->task->spec, node, "'%s' has too many elements", d->arg);
  json_array_append_new(shape, json_integer(size));
  return NULL;
}

static hone_status add_shape(const struct hone__describer *d, const struct hone__node *node,
                             json_t *out, int64_t *out_elements)
{
  json_t *shape = json_array();
  hone_status status = NULL;

  *out_elements = 1;
  json_object_set_new(out, "shape", shape);
  if (node->kind == HONE__SCALAR) return add_size(d, node, shape, out_elements);
  for (size_t i = 0; i < node->count && !status; i++)
    status = add_size(d, node->items[i], shape, out_elements);
  return status;
}

/* ---- Files ---- */

static hone_status add_file(const struct hone__describer *d, const struct hone__node *node,
                            json_t *out, size_t *out_offset, size_t *out_size)
{
  static const char zeros[PAYLOAD_ALIGNMENT];
  struct hone__text *payload = d->payload;
  size_t room = HONE__FRAME_LONGEST_PAYLOAD - PAYLOAD_ALIGNMENT;
  char *path = hone__setting_path(d->task, node->text), *bytes, digest[HONE__DIGEST_SIZE];
  hone_status status, placed;

  status =
      hone__file_read(path, payload->length < room ? room - payload->length : 0, &bytes, out_size);
  free(path);
  if (status) {
    placed = hone__spec_error(d->task->spec, node, "%s", hone_status_message(status));
    hone_status_free(status);
    return placed;
  }
  hone__text_addn(payload, zeros, (-payload->length) % PAYLOAD_ALIGNMENT);
  *out_offset = payload->length;
  hone__text_addn(payload, bytes, *out_size);
  hone__digest(bytes, *out_size, digest);
  free(bytes);
  json_object_set_new(out, "offset", json_integer((json_int_t)*out_offset));
  json_object_set_new(out, "size", json_integer((json_int_t)*out_size));
  json_object_set_new(out, "digest", json_string(digest));
  return NULL;
}

static bool has_shape(const struct hone__npy *npy, const json_t *shape)
{
  bool same = npy->dimensions == json_array_size(shape);

  for (size_t i = 0; same && i < npy->dimensions; i++)
    same = (json_int_t)npy->shape[i] == json_integer_value(json_array_get(shape, i));
  return same;
}

static hone_status wrong_shape(const struct hone__describer *d, const struct hone__node *node,
                               const struct hone__npy *npy)
{
  struct hone__text own = {0};
  char *wanted = json_dumps(d->shape, 0);
  hone_status status;

  for (size_t i = 0; i < npy->dimensions; i++)
    hone__text_addf(&own, "%s%zu", i ? ", " : "", npy->shape[i]);
  status = hone__spec_error(d->task->spec, node, "'%s' has the shape [%s], but '%s' has %s",
                            node->text, own.length ? own.data : "", d->arg, wanted);
  hone__text_release(&own);
  free(wanted);
  return status;
}

static hone_status check_npy(const struct hone__describer *d, const struct hone__node *node,
                             const char *bytes, size_t size, int64_t elements)
{
  struct hone__npy npy;
  hone_status status = hone__npy_parse(bytes, size, &npy), placed;

  if (status) {
    placed = hone__spec_error(d->task->spec, node, "'%s' cannot be read: %s", node->text,
                              hone_status_message(status));
    hone_status_free(status);
    return placed;
  }
  if (!hone__npy_holds(&npy, d->element))
    return hone__spec_error(d->task->spec, node, "'%s' holds %s, but '%s' is %s", node->text,
                            hone__element_name(npy.element), d->arg,
                            hone__element_name(d->element));
  if (npy.count != (size_t)elements)
    return hone__spec_error(d->task->spec, node, "'%s' holds %zu elements, but '%s' has %lld",
                            node->text, npy.count, d->arg, (long long)elements);
  if (!has_shape(&npy, d->shape)) return wrong_shape(d, node, &npy);
  if (npy.fortran && npy.dimensions > 1)
    return hone__spec_error(d->task->spec, node,
                            "'%s' is in Fortran order: save it with numpy.ascontiguousarray",
                            node->text);
  return NULL;
}

static bool is_npy(const char *path)
{
  const char *dot = strrchr(path, '.');

  return dot && strcmp(dot, ".npy") == 0;
}

hone_status hone__describer_array(const struct hone__describer *d, const struct hone__node *node,
                                  json_t *out, int64_t elements)
{
  size_t offset = 0, size = 0, expected = (size_t)elements * hone__element_size(d->element);
  hone_status status = add_file(d, node, out, &offset, &size);

  if (status) return status;
  json_object_set_new(out, "format", json_string(is_npy(node->text) ? "npy" : "bin"));
  if (is_npy(node->text)) return check_npy(d, node, d->payload->data + offset, size, elements);
  if (size == expected) return NULL;
  return hone__spec_error(d->task->spec, node, "'%s' has %zu bytes, but '%s' takes %zu", node->text,
                          size, d->arg, expected);
}

/* ---- Fills ---- */

static hone_status add_number(const struct hone__describer *d, const struct hone__node *node,
                              const char *what, const char *key, json_t *out)
{
  struct hone_value value;
  hone_status status;

  if (!node) return NULL;
  status = evaluate(d, node, what, &value);
  if (status) return status;
  if (value.type == HONE_INT || value.type == HONE_BOOL)
    json_object_set_new(out, key, json_integer(value.integer));
  else if (value.type == HONE_FLOAT && isfinite(value.real))
    json_object_set_new(out, key, json_real(value.real));
  else
    return hone__spec_error(d->task->spec, node, "the %s of '%s' is not a number", what, d->arg);
  return NULL;
}

static const char *fill_kind(const struct hone__node *arg, const struct hone__node *fill)
{
  if (fill)
    return fill->kind == HONE__MAPPING ? hone__describer_text(fill, "kind", "auto") : fill->text;
  if (hone__node_get(arg, "value")) return "constant";
  return hone__node_get(arg, "file") ? "file" : "auto";
}

/* Integers are often indices: what is in range is for the user to say. */
static bool needs_range(enum hone__element element, const char *kind, const json_t *fill)
{
  const struct hone__element_info *info = hone__element_info(element);

  return strcmp(kind, "auto") == 0 && !json_object_get(fill, "low") &&
         !json_object_get(fill, "high") && info->size > 1 &&
         (info->kind == HONE__KIND_SIGNED || info->kind == HONE__KIND_UNSIGNED);
}

static hone_status add_range(const struct hone__describer *d, const struct hone__node *holder,
                             json_t *out)
{
  const struct hone__node *range = hone__node_get(holder, "range");
  bool pair = range && range->kind == HONE__SEQUENCE && range->count == 2;
  hone_status status =
      add_number(d, pair ? range->items[0] : hone__node_get(holder, "low"), "range", "low", out);

  if (status) return status;
  return add_number(d, pair ? range->items[1] : hone__node_get(holder, "high"), "range", "high",
                    out);
}

static hone_status add_fill(const struct hone__describer *d, const struct hone__node *arg,
                            json_t *out, int64_t elements)
{
  const struct hone__node *fill = hone__node_get(arg, "fill");
  const struct hone__node *holder = fill && fill->kind == HONE__MAPPING ? fill : arg;
  const struct hone__node *file = hone__node_get(holder, "file");
  const char *kind = fill_kind(arg, fill);
  json_t *json = json_object(), *place;
  hone_status status = add_range(d, holder, json);

  json_object_set_new(out, "fill", json);
  json_object_set_new(json, "kind", json_string(kind));
  if (!status) status = add_number(d, hone__node_get(holder, "value"), "value", "value", json);
  if (!status && !json_object_get(json, "low") != !json_object_get(json, "high"))
    status =
        hone__spec_error(d->task->spec, holder, "'low' and 'high' of '%s' belong together", d->arg);
  if (!status && needs_range(d->element, kind, json))
    status = hone__spec_error(d->task->spec, arg,
                              "'%s' holds integers but has no range: give 'range: [low, high]' "
                              "(high excluded), or 'fill: zero', 'arange', 'integer' ...",
                              d->arg);
  if (!status && strcmp(kind, "file") == 0) {
    place = json_object();
    json_object_set_new(json, "file", place);
    status = file ? hone__describer_array(d, file, place, elements)
                  : hone__spec_error(d->task->spec, arg, "fill 'file' needs 'file'");
  }
  return status;
}

/* ---- Arguments ---- */

static hone_status add_tensor(struct hone__describer *d, const struct hone__node *arg, json_t *out)
{
  const char *role = hone__describer_text(arg, "role", "in");
  int64_t elements = 1;
  hone_status status = add_shape(d, hone__node_get(arg, "shape"), out, &elements);

  json_object_set_new(out, "role", json_string(role));
  d->shape = json_object_get(out, "shape");
  if (!status && strcmp(role, "out") != 0) status = add_fill(d, arg, out, elements);
  return status;
}

static hone_status add_type(struct hone__describer *d, const struct hone__node *arg, json_t *out)
{
  const char *type = hone__describer_text(arg, "type", "");

  if (!hone__element_parse(type, &d->element))
    return hone__spec_error(d->task->spec, arg, "unknown type '%s'; known types: %s", type,
                            hone__element_names());
  json_object_set_new(out, "type", json_string(type));
  return NULL;
}

static hone_status add_scalar(struct hone__describer *d, const struct hone__node *arg, json_t *out)
{
  (void)d, (void)arg;
  json_object_set_new(out, "scalar", json_true());
  return NULL;
}

static hone_status add_local(struct hone__describer *d, const struct hone__node *arg, json_t *out)
{
  (void)d, (void)arg;
  json_object_set_new(out, "local", json_true());
  return NULL;
}

static hone_status add_struct(struct hone__describer *d, const struct hone__node *arg, json_t *out)
{
  size_t size = hone__kernel_struct_size(hone__node_get(arg, "struct"));

  (void)d;
  json_object_set_new(out, "struct", json_true());
  json_object_set_new(out, "size", json_integer((json_int_t)size));
  return NULL;
}

static hone_status add_map(struct hone__describer *d, const struct hone__node *arg, json_t *out)
{
  const struct hone__node *map = hone__node_get(arg, "tensor_map");

  (void)d;
  json_object_set_new(out, "map", json_true());
  json_object_set_new(out, "of", json_string(hone__describer_text(map, "of", "")));
  return NULL;
}

/* By the key that an argument has. `backends`: that take such a one; none: all do. */
static const struct arg_kind {
  const char *key;
  bool has_type;
  hone_status (*add)(struct hone__describer *d, const struct hone__node *arg, json_t *out);
  const char *backends[3], *instead;
} arg_kinds[] = {
    {"shape", true, add_tensor, {NULL}, NULL},
    {"local", true, add_local, {"opencl"}, "CUDA has 'launch: {shared: BYTES}', C has arrays"},
    {"struct", false, add_struct, {"cuda", "opencl"}, "give its members as arguments"},
    {"tensor_map", false, add_map, {"cuda"}, "give the tensor alone"},
    {"value", true, add_scalar, {NULL}, NULL},
};

static hone_status check_kind(const struct hone__describer *d, const struct hone__node *arg,
                              const struct arg_kind *kind)
{
  if (!*kind->backends || hone__is_one_of(d->kind->backend, kind->backends)) return NULL;
  return hone__spec_error(d->task->spec, hone__node_get(arg, kind->key),
                          "backend '%s' does not support arguments with '%s': %s", d->kind->backend,
                          kind->key, kind->instead);
}

static hone_status add_arg(struct hone__describer *d, const struct hone__node *arg, json_t *args)
{
  const struct arg_kind *kind = arg_kinds;
  json_t *out = json_object();
  hone_status status;

  json_array_append_new(args, out);
  d->arg = hone__describer_text(arg, "name", "?");
  json_object_set_new(out, "name", json_string(d->arg));
  while (kind->add != add_scalar && !hone__node_get(arg, kind->key))
    kind++;
  status = check_kind(d, arg, kind);
  if (!status && kind->has_type) status = add_type(d, arg, out);
  return status ? status : kind->add(d, arg, out);
}

static void add_inputs_key(const struct hone__describer *d)
{
  struct hone__digester *digester = hone__digest_begin();
  char *args = json_dumps(json_object_get(d->setup, "args"), JSON_COMPACT | JSON_SORT_KEYS);
  char key[HONE__DIGEST_SIZE];

  hone__digest_add_text(digester, args);
  hone__digest_add(digester, &d->task->seed, sizeof d->task->seed);
  hone__digest_end(digester, key);
  json_object_set_new(d->setup, "inputs_key", json_string(key));
  free(args);
}

hone_status hone__describer_args(struct hone__describer *d)
{
  const struct hone__node *nodes = hone__task_setting(d->task, "args");
  json_t *args = json_array();
  hone_status status = NULL;

  json_object_set_new(d->setup, "args", args);
  for (size_t i = 0; nodes && i < nodes->count && !status; i++)
    status = add_arg(d, nodes->items[i], args);
  if (!status) add_inputs_key(d);
  return status;
}
