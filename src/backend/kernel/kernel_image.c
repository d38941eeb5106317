/* Tensors that a kernel takes as a texture, a surface or an image, and samplers. */
#include "backend/kernel/describer.h"

#include "spec/schema.h"

/* By the key that an argument has. */
static const struct image_kind {
  const char *key, *backends[3], *instead;
} image_kinds[] = {
    {"texture", {"cuda", "hip"}, "OpenCL has 'image' and 'sampler', others have the tensor alone"},
    {"surface", {"cuda", "hip"}, "OpenCL has 'image', others have the tensor alone"},
    {"image", {"opencl"}, "CUDA and HIP have 'texture' and 'surface', others the tensor alone"},
};
enum { IMAGE_KINDS = sizeof image_kinds / sizeof *image_kinds };

static const struct hone__node *find(const struct hone__node *arg, const struct image_kind **out)
{
  for (size_t i = 0; i < IMAGE_KINDS; i++) {
    const struct hone__node *node = hone__node_get(arg, image_kinds[i].key);
    *out = &image_kinds[i];
    if (node && (node->kind == HONE__MAPPING || node->value.integer)) return node;
  }
  return NULL;
}

static bool is_true(const struct hone__node *mapping, const char *key)
{
  const struct hone__node *node = hone__node_get(mapping, key);

  return node && node->value.integer;
}

static struct hone__kernel_image *take_keys(struct hone__describer *d, const char *kind,
                                            const struct hone__node *node)
{
  struct hone__kernel_image *image = hone__arena_alloc(&d->arena, sizeof *image);
  const struct hone__node *keys = node->kind == HONE__MAPPING ? node : NULL;
  const struct hone__node *channels = keys ? hone__node_get(keys, "channels") : NULL;

  *image = (struct hone__kernel_image){.kind = kind,
                                       .channels = channels ? channels->value.integer : 1,
                                       .filter = "point",
                                       .address = "clamp",
                                       .read = "element",
                                       .memory = "array"};
  if (!keys) return image;
  image->filter = hone__describer_text(keys, "filter", image->filter);
  image->address = hone__describer_text(keys, "address", image->address);
  image->read = hone__describer_text(keys, "read", image->read);
  image->memory = hone__describer_text(keys, "memory", image->memory);
  image->normalized = is_true(keys, "normalized");
  return image;
}

/* ---- Checks ---- */

/* Texels have no 64-bit numbers: two of 32 bits stand for one. */
static hone_status check_type(const struct hone__describer *d, const struct hone__node *arg)
{
  const struct hone__element_info *info = hone__element_info(d->element);
  bool is_known =
      info->size <= 4 && info->kind != HONE__KIND_BOOL &&
      (!info->is_float || d->element == HONE__ELEMENT_F16 || d->element == HONE__ELEMENT_F32);

  if (is_known) return NULL;
  return hone__backend_spec_error(
      d->task->spec, hone__node_get(arg, "type"),
      "'%s' is %s, which images do not support: known are f16, f32, and integers "
      "of up to 32 bits",
      d->arg->name, hone__element_name(d->element));
}

static hone_status check_shape(const struct hone__describer *d, const struct hone__node *node,
                               const struct hone__kernel_arg *arg)
{
  int64_t channels = arg->image->channels;
  size_t sizes = arg->shape_count - (channels > 1);

  if (channels == 3)
    return hone__backend_spec_error(d->task->spec, node,
                                    "'%s' has 3 channels: images have 1, 2 or 4", arg->name);
  if (channels > 1 && (arg->shape_count < 2 || arg->shape[arg->shape_count - 1] != channels))
    return hone__backend_spec_error(d->task->spec, node,
                                    "'%s' has %lld channels: they must be the last size of its "
                                    "'shape', such as [height, width, %lld]",
                                    arg->name, (long long)channels, (long long)channels);
  if (!sizes || sizes > 3)
    return hone__backend_spec_error(d->task->spec, node,
                                    "'%s' has %zu sizes: images have 1 to 3, width last", arg->name,
                                    sizes);
  if (arg->is_variable)
    return hone__backend_spec_error(
        d->task->spec, node, "the shape of '%s' depends on parameters; images have one shape",
        arg->name);
  return NULL;
}

hone_status hone__kernel_image(struct hone__describer *d, const struct hone__node *arg,
                               struct hone__kernel_arg *out)
{
  const struct image_kind *kind;
  const struct hone__node *node = find(arg, &kind);
  hone_status status;

  if (!node) return NULL;
  if (!hone__spec_is_one_of(d->kind->backend, kind->backends))
    return hone__backend_spec_error(d->task->spec, node,
                                    "backend '%s' does not support arguments with '%s': %s",
                                    d->kind->backend, kind->key, kind->instead);
  out->image = take_keys(d, kind->key, node);
  status = check_type(d, arg);
  return status ? status : check_shape(d, node, out);
}

hone_status hone__kernel_sampler(struct hone__describer *d, const struct hone__node *arg,
                                 struct hone__kernel_arg *out)
{
  out->image = take_keys(d, "sampler", hone__node_get(arg, "sampler"));
  return NULL;
}
