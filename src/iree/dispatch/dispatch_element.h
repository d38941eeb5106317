/* dispatch_element.h - element types by their MLIR names: the values that fill them, and how their
 * answers are compared.
 */
#ifndef HONE_IREE_DISPATCH_DISPATCH_ELEMENT_H
#define HONE_IREE_DISPATCH_DISPATCH_ELEMENT_H

#include "base/element.h"

#include <stdint.h>

struct hone__iree_element {
  const char *name;           /* "f16"; "": any that is not known */
  enum hone__element element; /* that its bytes are read as */
  int low, high;              /* whole numbers of [low, high); both 0: as check/fill.h fills */
  bool is_bits;               /* every byte is a valid value */
  bool has_no_minus_zero;     /* its pattern is a NaN */
};

/* Never NULL. */
const struct hone__iree_element *hone__iree_element(const char *name);

/* Whole elements of a block that is repeated: an odd number of words, so that rows of a matrix,
 * which are mostly powers of 2 long, do not repeat each other. */
size_t hone__iree_element_block(const struct hone__iree_element *element);
/* The block, of that many bytes. */
void hone__iree_element_fill(const struct hone__iree_element *element, uint64_t seed, void *block);

#endif
