/* image.h - arguments that devices read and write as images: textures and surfaces of CUDA and HIP,
 * images and samplers of OpenCL. All but samplers are tensors, whose elements are copied to the
 * image before a call and back after it. */
#ifndef HONE_BACKEND_KERNEL_IMAGE_H
#define HONE_BACKEND_KERNEL_IMAGE_H

#include "backend/kernel/kernel_setup.h"
#include "base/element.h"
#include "base/memory.h"

enum hone__image_kind { HONE__TEXTURE, HONE__SURFACE, HONE__IMAGE, HONE__SAMPLER };
enum hone__image_address {
  HONE__IMAGE_CLAMP,
  HONE__IMAGE_BORDER,
  HONE__IMAGE_WRAP,
  HONE__IMAGE_MIRROR
};

struct hone__image {
  enum hone__image_kind kind;
  enum hone__image_address address;
  bool is_smooth;     /* reads are interpolated */
  bool is_normalized; /* coordinates are */
  bool reads_float;   /* integers are read as fractions of the greatest one */
  bool is_linear;     /* it is the tensor's own memory: nothing is copied */
  /* Not of samplers: */
  enum hone__element element;
  size_t channels, dimensions; /* 1, 2 or 4; 1 to 3 */
  size_t sizes[3];             /* width, height, depth; 1 where there is none */
};

/* NULL: the argument is not an image. The describer has refused invalid records. */
const struct hone__image *hone__image_take(const struct hone__kernel_arg *arg,
                                           struct hone__arena *arena);

size_t hone__image_texel_bytes(const struct hone__image *image);

#endif
