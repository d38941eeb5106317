/* npy.h - numpy's file of one array: a header in front of the bare elements.
 *
 * Reads versions 1 to 3, little endian; writes version 1. Nothing is copied: the elements are
 * `count` times the element's size bytes from bytes + offset on, which need not be aligned.
 */
#ifndef HONE_BASE_NPY_H
#define HONE_BASE_NPY_H

#include "base/element.h"
#include "base/status.h"
#include "base/text.h"

enum { HONE__NPY_DIMENSIONS = 32 };

struct hone__npy {
  enum hone__element element;
  size_t shape[HONE__NPY_DIMENSIONS];
  size_t dimensions; /* 0: a scalar, count is 1 */
  bool fortran;      /* the first index runs fastest */
  bool opaque;       /* the file says "V1" or "V2": any f8 or bf16, element is only a guess */
  size_t offset;     /* of the first element */
  size_t count;
};

/* Fails unless all elements are within `size`; bytes after them are ignored. The message does not
 * name the file: hone__annotate it. */
hone_status hone__npy_parse(const void *bytes, size_t size, struct hone__npy *out);

/* Whether the elements can be taken as this type: they have it, or it is bf16 or an f8, which have
 * no name in numpy, and they are opaque or unsigned integers of its size. */
bool hone__npy_holds(const struct hone__npy *npy, enum hone__element element);

/* Adds all bytes that precede the elements (they may contain NULs: use out->length); at most
 * HONE__NPY_DIMENSIONS. */
void hone__npy_header(enum hone__element element, const size_t *shape, size_t dimensions,
                      struct hone__text *out);

#endif
