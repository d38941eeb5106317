/* cuda_object.h - the object that a builder makes and a runner loads: a cubin, which is an ELF
 * file, followed by the kernel's name in it:
 *
 *   cubin | name | length of the name (4 bytes, little endian) | "honecuda"
 *
 * Readers of the cubin ignore the bytes after it.
 */
#ifndef HONE_BACKEND_CUDA_CUDA_OBJECT_H
#define HONE_BACKEND_CUDA_CUDA_OBJECT_H

#include "base/text.h"

struct hone__cuda_object {
  size_t cubin_size;
  char *name; /* free() */
};

void hone__cuda_object_finish(struct hone__text *cubin, const char *name);
/* False: not such an object. */
bool hone__cuda_object_read(const void *object, size_t size, struct hone__cuda_object *out_object);

#endif
