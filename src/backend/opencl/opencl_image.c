/* Arguments that are images, and samplers. The elements of an image are copied from the tensor's
 * buffer before a launch, and those of an output back after it. An image belongs to the buffer, so
 * that the stages of a pipeline share it. */
#include "backend/opencl/opencl_gpu.h"

#include <stdio.h>

enum {
  CL_R = 0x10b0,
  CL_RG = 0x10b2,
  CL_RGBA = 0x10b5,
  CL_MEM_OBJECT_IMAGE2D = 0x10f1,
  CL_MEM_OBJECT_IMAGE3D = 0x10f2,
  CL_MEM_OBJECT_IMAGE1D = 0x10f4,
  CL_ADDRESS_CLAMP_TO_EDGE = 0x1131,
  CL_ADDRESS_CLAMP = 0x1132,
  CL_ADDRESS_REPEAT = 0x1133,
  CL_ADDRESS_MIRRORED_REPEAT = 0x1134,
  CL_FILTER_NEAREST = 0x1140,
  CL_FILTER_LINEAR = 0x1141
};

/* By element: read as it is, and as a fraction. */
static uint32_t data_type(const struct hone__image *image)
{
  static const struct {
    enum hone__element element;
    uint32_t plain, fraction;
  } types[] = {{HONE__ELEMENT_I8, 0x10d7, 0x10d0},  {HONE__ELEMENT_I16, 0x10d8, 0x10d1},
               {HONE__ELEMENT_I32, 0x10d9, 0x10d9}, {HONE__ELEMENT_U8, 0x10da, 0x10d2},
               {HONE__ELEMENT_U16, 0x10db, 0x10d3}, {HONE__ELEMENT_U32, 0x10dc, 0x10dc},
               {HONE__ELEMENT_F16, 0x10dd, 0x10dd}};

  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].element == image->element)
      return image->reads_float ? types[i].fraction : types[i].plain;
  return 0x10de; /* f32 */
}

static uint32_t type_of(const struct hone__image *image)
{
  static const uint32_t types[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D,
                                   CL_MEM_OBJECT_IMAGE3D};

  return types[image->dimensions - 1];
}

static cl_memory create(struct hone__opencl_gpu *gpu, const struct hone__image *image)
{
  struct cl_image_format format = {.order = image->channels == 1   ? CL_R
                                            : image->channels == 2 ? CL_RG
                                                                   : CL_RGBA,
                                   .type = data_type(image)};
  struct cl_image_shape shape = {.type = type_of(image),
                                 .width = image->sizes[0],
                                 .height = image->sizes[1],
                                 .depth = image->sizes[2]};
  char what[160];
  int code;
  cl_memory made =
      gpu->cl->CreateImage(gpu->context, CL_MEM_READ_WRITE, &format, &shape, NULL, &code);

  snprintf(what, sizeof what,
           "cannot create an image of %zu x %zu x %zu elements with %zu channel%s", image->sizes[0],
           image->sizes[1], image->sizes[2], image->channels, image->channels == 1 ? "" : "s");
  return hone__opencl_is_ok(gpu, code, HONE__OPENCL_ALLOCATING, what) ? made : NULL;
}

bool hone__opencl_image(struct hone__opencl_gpu *gpu, struct hone__opencl_set *set,
                        const struct hone__gpu_arg *arg, cl_memory *out_image)
{
  if (!arg->memory->image) arg->memory->image = create(gpu, arg->image);
  *out_image = arg->memory->image;
  set->images[set->image_count++] = *arg;
  return *out_image;
}

bool hone__opencl_sampler(struct hone__opencl_gpu *gpu, struct hone__opencl_set *set,
                          const struct hone__image *image, cl_sampler *out_sampler)
{
  static const uint32_t addresses[] = {[HONE__IMAGE_CLAMP] = CL_ADDRESS_CLAMP_TO_EDGE,
                                       [HONE__IMAGE_BORDER] = CL_ADDRESS_CLAMP,
                                       [HONE__IMAGE_WRAP] = CL_ADDRESS_REPEAT,
                                       [HONE__IMAGE_MIRROR] = CL_ADDRESS_MIRRORED_REPEAT};
  int code;

  *out_sampler =
      gpu->cl->CreateSampler(gpu->context, image->is_normalized, addresses[image->address],
                             image->is_smooth ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &code);
  if (!hone__opencl_is_ok(gpu, code, HONE__OPENCL_ALLOCATING, "cannot create a sampler"))
    return false;
  set->samplers[set->sampler_count++] = *out_sampler;
  return true;
}

/* ---- Content ---- */

static bool copy(struct hone__opencl_gpu *gpu, const struct hone__gpu_arg *arg, bool to_image)
{
  static const size_t origin[3] = {0};
  cl_memory buffer = arg->memory->memory, image = arg->memory->image;
  int code = to_image
                 ? gpu->cl->EnqueueCopyBufferToImage(gpu->queue, buffer, image, arg->offset, origin,
                                                     arg->image->sizes, 0, NULL, NULL)
                 : gpu->cl->EnqueueCopyImageToBuffer(gpu->queue, image, buffer, origin,
                                                     arg->image->sizes, arg->offset, 0, NULL, NULL);

  return hone__opencl_is_ok(gpu, code, HONE__OPENCL_MOVING, "cannot copy an image");
}

bool hone__opencl_images_copy(struct hone__opencl_gpu *gpu, const struct hone__gpu_work *work,
                              size_t set, bool to_image)
{
  bool copied = true, any = false;

  for (size_t k = 0; k < work->count; k++) {
    const struct hone__gpu_kernel *kernel = work->kernels[k];
    const struct hone__opencl_set *own = set < kernel->set_count ? &kernel->sets[set] : NULL;
    for (size_t i = 0; own && i < own->image_count && copied; i++)
      if (to_image || own->images[i].is_written) {
        any = true;
        copied = copy(gpu, &own->images[i], to_image);
      }
  }
  if (any && copied)
    copied = hone__opencl_is_ok(gpu, gpu->cl->Finish(gpu->queue), HONE__OPENCL_MOVING,
                                "cannot copy an image");
  return copied;
}
