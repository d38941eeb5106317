/* The arguments of the entry: their types and shapes, and what inputs hold. Files travel in the
 * payload, so that a worker elsewhere needs no shared folder. */
#include "backend/kernel/describer.h"
#include "backend/kernel/kernel_function.h"
#include "backend/kernel/kernel_values.h"

#include "backend/command_template.h"
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
    status = hone__backend_spec_error(
        d->task->spec, node,
        "the %s of '%s' depends on '%s'; %s are shared by all "
        "candidates: give %s",
        what, d->arg->name, name.data, strcmp(what, "shape") == 0 ? "arguments" : "inputs",
        strcmp(what, "shape") == 0
            ? "its largest size; only 'role: out' and 'role: scratch' may depend on parameters"
            : "one value");
  else
    status = hone__task_evaluate(d->task, NULL, node, out_value);
  hone__text_release(&name);
  return status;
}

static hone_status read_size(const struct hone__describer *d, const struct hone__node *node,
                             int64_t *out_size, int64_t *elements)
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
    return hone__backend_spec_error(d->task->spec, node,
                                    "a size of '%s' is not an integer of at least 1", d->arg->name);
  if (__builtin_mul_overflow(*elements, size, elements)) *elements = INT64_MAX;
  *out_size = size;
  return NULL;
}

static hone_status add_fixed_shape(struct hone__describer *d, const struct hone__node *node,
                                   struct hone__kernel_arg *out, int64_t *out_elements)
{
  bool is_one = node->kind == HONE__SCALAR;
  hone_status status = NULL;

  *out_elements = 1;
  out->shape_count = is_one ? 1 : node->count;
  out->shape = hone__arena_alloc(&d->arena, (out->shape_count + 1) * sizeof *out->shape);
  for (size_t i = 0; i < out->shape_count && !status; i++)
    status = read_size(d, is_one ? node : node->items[i], &out->shape[i], out_elements);
  return status;
}

static hone_status add_shape(struct hone__describer *d, const struct hone__node *node,
                             struct hone__kernel_arg *out, int64_t *out_elements)
{
  bool may_vary = strcmp(out->role, "out") == 0 || strcmp(out->role, "scratch") == 0;
  bool is_variable = may_vary && hone__describer_is_variable(d, node);
  hone_status status =
      (is_variable ? hone__describer_largest : add_fixed_shape)(d, node, out, out_elements);

  if (!status && *out_elements > most_elements)
    status =
        hone__backend_spec_error(d->task->spec, node, "'%s' has too many elements", d->arg->name);
  return status;
}

/* ---- Files ---- */

/* {NAME} is the value of a size: each problem may have a file of its own. free(). */
static hone_status find_path(const struct hone__describer *d, const struct hone__node *node,
                             char **out_path)
{
  static const struct hone__placeholder no_places[] = {{NULL, NULL}};
  static const struct hone__placeholder_list no_lists[] = {{NULL, NULL}};
  const struct hone__command_template template = {.task = d->task,
                                                  .node = node,
                                                  .spelling = HONE__TRUE_IS_1,
                                                  .places = no_places,
                                                  .lists = no_lists};
  const char *const given[] = {node->text, NULL};
  struct hone__words words = {0};
  hone_status status = hone__command_expand(&template, given, &words);

  *out_path = status || !words.count ? NULL : hone__setting_path(d->task, words.data[0]);
  hone__words_release(&words);
  return status;
}

void hone__describer_bytes(struct hone__describer *d, const void *bytes, size_t size,
                           struct hone__kernel_file *out)
{
  static const char zeros[PAYLOAD_ALIGNMENT];
  char digest[HONE__DIGEST_SIZE];

  hone__text_addn(d->payload, zeros, (-d->payload->length) % PAYLOAD_ALIGNMENT);
  out->offset = d->payload->length;
  out->size = size;
  hone__text_addn(d->payload, bytes, size);
  hone__digest(bytes, size, digest);
  out->digest = hone__arena_strdup(&d->arena, digest);
}

static hone_status add_file(struct hone__describer *d, const struct hone__node *node,
                            struct hone__kernel_file *out)
{
  size_t room = HONE__FRAME_LONGEST_PAYLOAD - PAYLOAD_ALIGNMENT, size;
  char *path, *bytes;
  hone_status status = find_path(d, node, &path), placed;

  if (status) return status;
  status = hone__file_read(path, d->payload->length < room ? room - d->payload->length : 0, &bytes,
                           &size);
  free(path);
  if (status) {
    placed = hone__backend_spec_error(d->task->spec, node, "%s", hone_status_message(status));
    hone_status_free(status);
    return placed;
  }
  hone__describer_bytes(d, bytes, size, out);
  free(bytes);
  return NULL;
}

static bool has_shape(const struct hone__npy *npy, const struct hone__kernel_arg *arg)
{
  bool same = npy->dimensions == arg->shape_count;

  for (size_t i = 0; same && i < npy->dimensions; i++)
    same = (int64_t)npy->shape[i] == arg->shape[i];
  return same;
}

static hone_status wrong_shape(const struct hone__describer *d, const struct hone__node *node,
                               const struct hone__npy *npy)
{
  struct hone__text own = {0}, wanted = {0};
  hone_status status;

  for (size_t i = 0; i < npy->dimensions; i++)
    hone__text_addf(&own, "%s%zu", i ? ", " : "", npy->shape[i]);
  for (size_t i = 0; i < d->arg->shape_count; i++)
    hone__text_addf(&wanted, "%s%lld", i ? ", " : "", (long long)d->arg->shape[i]);
  status = hone__backend_spec_error(
      d->task->spec, node, "'%s' has the shape [%s], but '%s' has [%s]", node->text,
      own.length ? own.data : "", d->arg->name, wanted.length ? wanted.data : "");
  hone__text_release(&own);
  hone__text_release(&wanted);
  return status;
}

static hone_status check_npy(const struct hone__describer *d, const struct hone__node *node,
                             const char *bytes, size_t size, int64_t elements)
{
  struct hone__npy npy;
  hone_status status = hone__npy_parse(bytes, size, &npy), placed;

  if (status) {
    placed = hone__backend_spec_error(d->task->spec, node, "'%s' cannot be read: %s", node->text,
                                      hone_status_message(status));
    hone_status_free(status);
    return placed;
  }
  if (!hone__npy_holds(&npy, d->element))
    return hone__backend_spec_error(d->task->spec, node, "'%s' holds %s, but '%s' is %s",
                                    node->text, hone__element_name(npy.element), d->arg->name,
                                    hone__element_name(d->element));
  if (d->arg->reduce ? npy.count > (size_t)elements : npy.count != (size_t)elements)
    return hone__backend_spec_error(d->task->spec, node,
                                    "'%s' holds %zu elements, but '%s' has %lld", node->text,
                                    npy.count, d->arg->name, (long long)elements);
  if (d->arg->reduce) return NULL;
  if (!has_shape(&npy, d->arg)) return wrong_shape(d, node, &npy);
  if (npy.fortran && npy.dimensions > 1)
    return hone__backend_spec_error(
        d->task->spec, node, "'%s' is in Fortran order: save it with numpy.ascontiguousarray",
        node->text);
  return NULL;
}

static bool is_npy(const char *path)
{
  const char *dot = strrchr(path, '.');

  return dot && strcmp(dot, ".npy") == 0;
}

hone_status hone__describer_array(struct hone__describer *d, const struct hone__node *node,
                                  int64_t elements, struct hone__kernel_file *out_file)
{
  size_t expected = (size_t)elements * hone__element_size(d->element);
  hone_status status = add_file(d, node, out_file);

  if (status) return status;
  out_file->format = is_npy(node->text) ? "npy" : "bin";
  if (is_npy(node->text))
    return check_npy(d, node, d->payload->data + out_file->offset, out_file->size, elements);
  if (out_file->size == expected) return NULL;
  return hone__backend_spec_error(d->task->spec, node, "'%s' has %zu bytes, but '%s' takes %zu",
                                  node->text, out_file->size, d->arg->name, expected);
}

/* ---- Fills ---- */

static hone_status read_number(const struct hone__describer *d, const struct hone__node *node,
                               const char *what, struct hone_value *out_value)
{
  struct hone_value value;
  hone_status status;

  if (!node) return NULL;
  status = evaluate(d, node, what, &value);
  if (status) return status;
  if (value.type == HONE_BOOL) value.type = HONE_INT;
  if (value.type != HONE_INT && (value.type != HONE_FLOAT || !isfinite(value.real)))
    return hone__backend_spec_error(d->task->spec, node, "the %s of '%s' is not a number", what,
                                    d->arg->name);
  *out_value = value;
  return NULL;
}

static const char *fill_kind(const struct hone__node *arg, const struct hone__node *fill)
{
  if (fill)
    return fill->kind == HONE__MAPPING ? hone__describer_text(fill, "kind", "auto") : fill->text;
  if (hone__node_get(arg, "value")) return "constant";
  return hone__node_get(arg, "file") ? "file" : "auto";
}

/* Integers are often indices: the user has to give their range. */
static bool needs_range(enum hone__element element, const struct hone__kernel_fill *fill)
{
  const struct hone__element_info *info = hone__element_info(element);

  return strcmp(fill->kind, "auto") == 0 && fill->low.type == HONE_NONE &&
         fill->high.type == HONE_NONE && info->size > 1 &&
         (info->kind == HONE__KIND_SIGNED || info->kind == HONE__KIND_UNSIGNED);
}

static hone_status read_range(const struct hone__describer *d, const struct hone__node *holder,
                              struct hone__kernel_fill *out)
{
  const struct hone__node *range = hone__node_get(holder, "range");
  bool pair = range && range->kind == HONE__SEQUENCE && range->count == 2;
  hone_status status =
      read_number(d, pair ? range->items[0] : hone__node_get(holder, "low"), "range", &out->low);

  if (status) return status;
  return read_number(d, pair ? range->items[1] : hone__node_get(holder, "high"), "range",
                     &out->high);
}

static hone_status check_fill(const struct hone__describer *d, const struct hone__node *arg,
                              const struct hone__node *holder, const struct hone__kernel_fill *fill)
{
  if ((fill->low.type == HONE_NONE) != (fill->high.type == HONE_NONE))
    return hone__backend_spec_error(d->task->spec, holder,
                                    "'low' and 'high' of '%s' belong together", d->arg->name);
  if (!needs_range(d->element, fill)) return NULL;
  return hone__backend_spec_error(
      d->task->spec, arg,
      "'%s' holds integers but has no range: give 'range: [low, high]' (high "
      "excluded), or 'fill: zero', 'arange', 'integer' ...",
      d->arg->name);
}

static hone_status add_fill_file(struct hone__describer *d, const struct hone__node *arg,
                                 const struct hone__node *file, int64_t elements,
                                 struct hone__kernel_fill *fill)
{
  struct hone__kernel_file *place = hone__arena_alloc(&d->arena, sizeof *place);

  fill->file = place;
  if (file) return hone__describer_array(d, file, elements, place);
  return hone__backend_spec_error(d->task->spec, arg, "fill 'file' needs 'file'");
}

/* The file is described as if the spec named it. */
static hone_status add_supplied(struct hone__describer *d, const char *path,
                                struct hone__kernel_arg *out, int64_t elements)
{
  struct hone__kernel_fill *fill = hone__arena_alloc(&d->arena, sizeof *fill);
  struct hone__node node = *hone__task_setting(d->task, "supply.command");

  node.text = path;
  out->fill = fill;
  fill->kind = "file";
  return add_fill_file(d, &node, &node, elements, fill);
}

static hone_status add_fill(struct hone__describer *d, const struct hone__node *arg,
                            struct hone__kernel_arg *out, int64_t elements)
{
  const struct hone__node *node = hone__node_get(arg, "fill");
  const struct hone__node *holder = node && node->kind == HONE__MAPPING ? node : arg;
  struct hone__kernel_fill *fill = hone__arena_alloc(&d->arena, sizeof *fill);
  hone_status status = read_range(d, holder, fill);

  out->fill = fill;
  fill->kind = fill_kind(arg, node);
  if (!status) status = read_number(d, hone__node_get(holder, "value"), "value", &fill->value);
  if (!status) status = check_fill(d, arg, holder, fill);
  if (!status && strcmp(fill->kind, "file") == 0)
    status = add_fill_file(d, arg, hone__node_get(holder, "file"), elements, fill);
  return status;
}

/* ---- Arguments ---- */

static hone_status add_tensor(struct hone__describer *d, const struct hone__node *arg,
                              struct hone__kernel_arg *out)
{
  const char *supplied = hone__describer_supplied(d, out->name);
  int64_t elements = 1;
  hone_status status;

  out->role = hone__describer_text(arg, "role", "in");
  status = add_shape(d, hone__node_get(arg, "shape"), out, &elements);
  if (!status) status = hone__kernel_symbol(d, arg, out);
  if (!status) status = hone__kernel_image(d, arg, out);
  if (status || (strcmp(out->role, "in") != 0 && strcmp(out->role, "inout") != 0)) return status;
  if (hone__kernel_function_supplies(d, out)) return NULL;
  status = supplied ? add_supplied(d, supplied, out, elements) : add_fill(d, arg, out, elements);
  return status;
}

static hone_status add_type(struct hone__describer *d, const struct hone__node *arg,
                            struct hone__kernel_arg *out)
{
  const char *type = hone__describer_text(arg, "type", "");

  if (!hone__element_parse(type, &d->element))
    return hone__backend_spec_error(d->task->spec, arg, "unknown type '%s'; known types: %s", type,
                                    hone__element_names());
  out->type = type;
  return NULL;
}

static hone_status add_scalar(struct hone__describer *d, const struct hone__node *arg,
                              struct hone__kernel_arg *out)
{
  (void)d, (void)arg;
  out->is_scalar = true;
  return NULL;
}

static hone_status add_local(struct hone__describer *d, const struct hone__node *arg,
                             struct hone__kernel_arg *out)
{
  (void)d, (void)arg;
  out->is_local = true;
  return NULL;
}

static hone_status add_struct(struct hone__describer *d, const struct hone__node *arg,
                              struct hone__kernel_arg *out)
{
  const struct hone__node *members = hone__node_get(arg, "struct");

  out->is_struct = true;
  out->size = hone__kernel_struct_size(members);
  if (d->kind != &hone__kernel_kind_c) return NULL; /* its bytes are all that a GPU needs */
  out->members_count = members->count;
  out->members = hone__arena_alloc(&d->arena, (members->count + 1) * sizeof *out->members);
  for (size_t i = 0; i < members->count; i++)
    out->members[i] = hone__describer_text(members->items[i], "type", "");
  return NULL;
}

/* An output like others, but that no pointer leads to it. */
static hone_status add_return(struct hone__describer *d, const struct hone__node *arg,
                              struct hone__kernel_arg *out)
{
  (void)arg;
  out->is_return = true;
  out->role = "out";
  out->shape_count = 1;
  out->shape = hone__arena_alloc(&d->arena, sizeof *out->shape);
  out->shape[0] = 1;
  return NULL;
}

static hone_status add_map(struct hone__describer *d, const struct hone__node *arg,
                           struct hone__kernel_arg *out)
{
  (void)d;
  out->is_map = true;
  out->of = hone__describer_text(hone__node_get(arg, "tensor_map"), "of", "");
  return NULL;
}

/* By the key that an argument has. `backends`: that take such a one; none: all do. */
static const struct arg_kind {
  const char *key;
  bool has_type;
  hone_status (*add)(struct hone__describer *d, const struct hone__node *arg,
                     struct hone__kernel_arg *out);
  const char *backends[4], *instead;
} arg_kinds[] = {
    {"shape", true, add_tensor, {NULL}, NULL},
    {"local",
     true,
     add_local,
     {"opencl"},
     "CUDA and HIP have 'launch: {shared: BYTES}', C has arrays"},
    {"struct", false, add_struct, {NULL}, NULL},
    {"return", true, add_return, {"c"}, "its kernels return nothing"},
    {"tensor_map", false, add_map, {"cuda"}, "give the tensor alone"},
    {"sampler",
     false,
     hone__kernel_sampler,
     {"opencl"},
     "textures of CUDA and HIP have their own filter and address"},
    {"value", true, add_scalar, {NULL}, NULL},
};

static hone_status check_kind(const struct hone__describer *d, const struct hone__node *arg,
                              const struct arg_kind *kind)
{
  if (!*kind->backends || hone__spec_is_one_of(d->kind->backend, kind->backends)) return NULL;
  return hone__backend_spec_error(d->task->spec, hone__node_get(arg, kind->key),
                                  "backend '%s' does not support arguments with '%s': %s",
                                  d->kind->backend, kind->key, kind->instead);
}

static hone_status add_arg(struct hone__describer *d, const struct hone__node *arg,
                           struct hone__kernel_arg *out)
{
  const struct arg_kind *kind = arg_kinds;
  hone_status status;

  *out = (struct hone__kernel_arg){
      .name = hone__describer_text(arg, "name", "?"), .rtol = NAN, .atol = NAN, .ratio = NAN};
  d->arg = out;
  while (kind->add != add_scalar && !hone__node_get(arg, kind->key))
    kind++;
  status = check_kind(d, arg, kind);
  if (!status && kind->has_type) status = add_type(d, arg, out);
  return status ? status : kind->add(d, arg, out);
}

static void add_inputs_key(struct hone__describer *d)
{
  struct hone__digester *digester = hone__digest_begin();
  struct hone__text args = {0};
  char key[HONE__DIGEST_SIZE];

  hone__field_print(&hone__kernel_setup_type, &d->setup, "args", HONE__BY_NAME, &args);
  hone__digest_add_text(digester, args.data);
  hone__digest_add(digester, &d->task->seed, sizeof d->task->seed);
  hone__digest_end(digester, key);
  d->setup.inputs_key = hone__arena_strdup(&d->arena, key);
  hone__text_release(&args);
}

hone_status hone__describer_args(struct hone__describer *d)
{
  const struct hone__node *nodes = hone__task_setting(d->task, "args");
  hone_status status = NULL;

  d->setup.args_count = nodes ? nodes->count : 0;
  d->setup.args = hone__arena_alloc(&d->arena, (d->setup.args_count + 1) * sizeof *d->setup.args);
  for (size_t i = 0; i < d->setup.args_count && !status; i++)
    status = add_arg(d, nodes->items[i], &d->setup.args[i]);
  if (!status) status = hone__kernel_function_supply(d);
  if (!status) add_inputs_key(d);
  return status;
}
