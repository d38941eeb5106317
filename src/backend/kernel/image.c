#include "backend/kernel/image.h"

#include <string.h>

static const char *const kinds[] = {[HONE__TEXTURE] = "texture",
                                    [HONE__SURFACE] = "surface",
                                    [HONE__IMAGE] = "image",
                                    [HONE__SAMPLER] = "sampler"};
static const char *const addresses[] = {[HONE__IMAGE_CLAMP] = "clamp",
                                        [HONE__IMAGE_BORDER] = "border",
                                        [HONE__IMAGE_WRAP] = "wrap",
                                        [HONE__IMAGE_MIRROR] = "mirror"};

static bool is_word(const char *text, const char *word)
{
  return text && strcmp(text, word) == 0;
}

static size_t place_of(const char *text, const char *const *words, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (is_word(text, words[i])) return i;
  return 0;
}

/* The innermost size is the last of a shape; before channels, if there are several. */
static void take_sizes(const struct hone__kernel_arg *arg, struct hone__image *image)
{
  size_t count = arg->shape_count - (image->channels > 1 && arg->shape_count > 1);

  image->dimensions = count < 3 ? count : 3;
  for (size_t i = 0; i < 3; i++)
    image->sizes[i] = i < image->dimensions ? (size_t)arg->shape[count - 1 - i] : 1;
}

const struct hone__image *hone__image_take(const struct hone__kernel_arg *arg,
                                           struct hone__arena *arena)
{
  const struct hone__kernel_image *own = arg->image;
  struct hone__image *image = own ? hone__arena_alloc(arena, sizeof *image) : NULL;

  if (!own) return NULL;
  image->kind = (enum hone__image_kind)place_of(own->kind, kinds, sizeof kinds / sizeof *kinds);
  image->address = (enum hone__image_address)place_of(own->address, addresses,
                                                      sizeof addresses / sizeof *addresses);
  image->is_smooth = is_word(own->filter, "linear");
  image->is_normalized = own->normalized;
  image->reads_float = is_word(own->read, "float");
  image->is_linear = is_word(own->memory, "linear");
  image->channels = own->channels > 0 ? (size_t)own->channels : 1;
  if (arg->type) hone__element_parse(arg->type, &image->element);
  if (arg->shape) take_sizes(arg, image);
  return image;
}

size_t hone__image_texel_bytes(const struct hone__image *image)
{
  return image->channels * hone__element_size(image->element);
}
