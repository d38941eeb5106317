/* Arguments that are textures and surfaces. The texels of an array are copied from the tensor's
 * memory before a launch, and those of an output back after it; copies stay in the stream. The
 * array belongs to the memory, so that the stages of a pipeline share it; objects belong to a set
 * of arguments. */
#include "backend/simt/simt_gpu.h"

#include <stdlib.h>

enum array_flag { ARRAY_OF_SURFACE = 2 };
enum texture_flag { READ_INTEGERS = 1, NORMALIZED_COORDINATES = 2 };
enum resource { RESOURCE_ARRAY = 0, RESOURCE_LINEAR = 2, RESOURCE_PITCHED = 3 };

/* The numbers of formats are those of CUDA, which HIP shares. */
static int format_of(enum hone__element element)
{
  static const struct {
    enum hone__element element;
    int format;
  } formats[] = {{HONE__ELEMENT_U8, 0x01}, {HONE__ELEMENT_U16, 0x02}, {HONE__ELEMENT_U32, 0x03},
                 {HONE__ELEMENT_I8, 0x08}, {HONE__ELEMENT_I16, 0x09}, {HONE__ELEMENT_I32, 0x0a},
                 {HONE__ELEMENT_F16, 0x10}};

  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (formats[i].element == element) return formats[i].format;
  return 0x20; /* f32 */
}

static bool is_known(struct hone__simt_gpu *gpu, const struct hone__image *image)
{
  const struct hone__simt_library *api = gpu->api;
  bool has_object = image->kind == HONE__SURFACE ? api->SurfObjectCreate && api->SurfObjectDestroy
                                                 : api->TexObjectCreate && api->TexObjectDestroy;

  return (has_object && api->ArrayCreate && api->ArrayDestroy && api->Memcpy3DAsync) ||
         hone__gpu_refuse(&gpu->base.fault, "textures and surfaces need a newer %s library",
                          api->kind->title);
}

/* ---- Arrays ---- */

static bool make_array(struct hone__simt_gpu *gpu, const struct hone__image *image,
                       simt_array *out_array)
{
  const struct simt_array_shape shape = {
      .width = image->sizes[0],
      .height = image->dimensions > 1 ? image->sizes[1] : 0,
      .depth = image->dimensions > 2 ? image->sizes[2] : 0,
      .format = format_of(image->element),
      .channels = (unsigned)image->channels,
      .flags = image->kind == HONE__SURFACE ? ARRAY_OF_SURFACE : 0,
  };

  return *out_array || !hone__simt_fails(gpu, gpu->api->ArrayCreate(out_array, &shape),
                                         "cannot make the array of a texture or surface");
}

void hone__simt_array_release(struct hone__simt_gpu *gpu, struct hone__gpu_memory *memory)
{
  if (memory->array) gpu->api->ArrayDestroy(memory->array);
  memory->array = NULL;
}

static bool copy(struct hone__simt_gpu *gpu, const struct hone__simt_image *own, bool to_array)
{
  const struct hone__simt_copy what = {.array = own->memory->array,
                                       .address = own->memory->address + own->offset,
                                       .to_array = to_array,
                                       .texel_bytes = hone__image_texel_bytes(own->image),
                                       .sizes = own->image->sizes};

  return !hone__simt_fails(gpu, gpu->api->kind->copy_array(gpu, &what), "cannot copy an image");
}

/* ---- Objects ---- */

static void describe_memory(const struct hone__gpu_arg *arg, struct simt_resource *out)
{
  const struct hone__image *image = arg->image;
  struct simt_resource_memory *memory = &out->of.memory;

  out->type = image->dimensions > 1 ? RESOURCE_PITCHED : RESOURCE_LINEAR;
  memory->address = arg->memory->address + arg->offset;
  memory->format = format_of(image->element);
  memory->channels = (unsigned)image->channels;
  memory->sizes[0] = image->dimensions > 1 ? image->sizes[0] : arg->size; /* texels; bytes */
  memory->sizes[1] = image->sizes[1];
  memory->sizes[2] = image->sizes[0] * hone__image_texel_bytes(image);
}

static struct simt_texture describe_texture(const struct hone__image *image)
{
  static const int addresses[] = {[HONE__IMAGE_CLAMP] = 1,
                                  [HONE__IMAGE_BORDER] = 3,
                                  [HONE__IMAGE_WRAP] = 0,
                                  [HONE__IMAGE_MIRROR] = 2};
  bool is_float = hone__element_info(image->element)->is_float;
  struct simt_texture texture = {.filter = image->is_smooth};

  for (int i = 0; i < 3; i++)
    texture.address[i] = addresses[image->address];
  if (!is_float && !image->reads_float) texture.flags |= READ_INTEGERS;
  if (image->is_normalized) texture.flags |= NORMALIZED_COORDINATES;
  return texture;
}

static bool make_object(struct hone__simt_gpu *gpu, const struct hone__gpu_arg *arg,
                        uint64_t *out_object)
{
  const struct hone__image *image = arg->image;
  struct simt_texture texture = describe_texture(image);
  struct simt_resource resource = {.type = RESOURCE_ARRAY};

  if (image->is_linear)
    describe_memory(arg, &resource);
  else if (make_array(gpu, image, &arg->memory->array))
    resource.of.array = arg->memory->array;
  else
    return false;
  if (image->kind == HONE__SURFACE)
    return !hone__simt_fails(gpu, gpu->api->SurfObjectCreate(out_object, &resource),
                             "cannot make a surface object");
  return !hone__simt_fails(
      gpu, gpu->api->TexObjectCreate(out_object, &resource, &texture, NULL),
      image->is_linear ? "cannot make a texture object of linear memory: the rows of a 2-D one "
                         "must be multiples of 32 bytes"
                       : "cannot make a texture object");
}

bool hone__simt_image_bind(struct hone__simt_gpu *gpu, const struct hone__gpu_arg *arg,
                           struct hone__simt_set *set, uint64_t *out_object)
{
  struct hone__simt_image *own = &set->images[set->image_count];

  *own = (struct hone__simt_image){.image = arg->image,
                                   .memory = arg->memory,
                                   .offset = arg->offset,
                                   .is_written = arg->is_written};
  if (!is_known(gpu, arg->image) || !make_object(gpu, arg, &own->object)) return false;
  set->image_count++;
  *out_object = own->object;
  return true;
}

static bool find_variable(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                          const struct hone__gpu_arg *arg, simt_address *out_variable)
{
  size_t bytes = 0;

  return (gpu->api->ModuleGetGlobal(out_variable, &bytes, kernel->module, arg->symbol) == 0 &&
          bytes == sizeof(uint64_t)) ||
         hone__gpu_refuse(
             &gpu->base.fault,
             "its object has no texture or surface reference '%s', which 'args' has: the kernel "
             "must use it, and it must not be static",
             arg->symbol);
}

bool hone__simt_references_bind(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                                const struct hone__gpu_arg *args, size_t count,
                                struct hone__simt_set *set)
{
  bool bound = true;
  uint64_t object;

  for (size_t i = 0; i < count && bound; i++)
    if (args[i].kind == HONE__GPU_IMAGE && args[i].symbol)
      bound = hone__simt_image_bind(gpu, &args[i], set, &object) &&
              find_variable(gpu, kernel, &args[i], &set->images[set->image_count - 1].variable);
  return bound;
}

void hone__simt_images_release(struct hone__simt_gpu *gpu, struct hone__simt_set *set)
{
  for (size_t i = 0; i < set->image_count; i++) {
    const struct hone__simt_image *own = &set->images[i];
    (own->image->kind == HONE__SURFACE ? gpu->api->SurfObjectDestroy
                                       : gpu->api->TexObjectDestroy)(own->object);
  }
  free(set->images);
}

/* ---- Content ---- */

/* The copy may be under way when the call returns, and our stream would not wait for it. */
static bool set_reference(struct hone__simt_gpu *gpu, const struct hone__simt_image *own)
{
  return !own->variable ||
         (!hone__simt_fails(gpu,
                            gpu->api->MemcpyHtoD(own->variable, &own->object, sizeof own->object),
                            "cannot set a texture or surface reference") &&
          !hone__simt_fails(gpu, gpu->api->CtxSynchronize(),
                            "cannot set a texture or surface reference"));
}

bool hone__simt_images_write(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                             size_t set)
{
  const struct hone__simt_set *own = set < kernel->set_count ? &kernel->sets[set] : NULL;
  bool copied = true;

  for (size_t i = 0; own && i < own->image_count && copied; i++)
    copied = (own->images[i].image->is_linear || copy(gpu, &own->images[i], true)) &&
             set_reference(gpu, &own->images[i]);
  return copied;
}

/* What reads the memory next may not be in the stream. */
bool hone__simt_images_read(struct hone__simt_gpu *gpu, const struct hone__gpu_kernel *kernel,
                            size_t set)
{
  const struct hone__simt_set *own = set < kernel->set_count ? &kernel->sets[set] : NULL;
  bool copied = true, any = false;

  for (size_t i = 0; own && i < own->image_count && copied; i++) {
    if (!own->images[i].is_written || own->images[i].image->is_linear) continue;
    any = true;
    copied = copy(gpu, &own->images[i], false);
  }
  return copied && (!any || !hone__simt_fails(gpu, gpu->api->StreamSynchronize(gpu->stream),
                                              "cannot copy an image"));
}
