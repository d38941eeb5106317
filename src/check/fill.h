/* fill.h - what a kernel's inputs hold.
 *
 * Element i depends on the fill, the type and i only: any part may be filled alone, in any order,
 * and is the same on every machine.
 *
 *   auto      floats: uniform in [-1, 1); others: integer
 *   integer   whole numbers in [-2, 3); unsigned: [0, 3); bool: 0 or 1
 *   uniform   as auto
 *   normal    mean 0, deviation 1; integers: rounded and saturated; bool: whether it rounds to 0
 *             or not
 *   randn     another name of normal
 *   zero, one, constant: one value
 *   arange    0, 1, 2, ...; integers wrap as in C, floats restart where they cease to hold
 *             every whole number (f16: 2047 is followed by 0), bool alternates
 *   file      not filled here: a .npy file holds the elements; zeros
 *
 * With `ranged`, auto, integer and uniform draw from [low, high) instead: low is included, high is
 * not, as in Python's range. What of it the type cannot hold is cut off; if nothing lies between
 * them, all is low.
 */
#ifndef HONE_CHECK_FILL_H
#define HONE_CHECK_FILL_H

#include "base/element.h"

#define HONE__FILL_KINDS(X)                                                                        \
  X(HONE__FILL_AUTO, "auto")                                                                       \
  X(HONE__FILL_INTEGER, "integer")                                                                 \
  X(HONE__FILL_UNIFORM, "uniform")                                                                 \
  X(HONE__FILL_NORMAL, "normal")                                                                   \
  X(HONE__FILL_RANDN, "randn")                                                                     \
  X(HONE__FILL_ZERO, "zero")                                                                       \
  X(HONE__FILL_ONE, "one")                                                                         \
  X(HONE__FILL_ARANGE, "arange")                                                                   \
  X(HONE__FILL_CONSTANT, "constant")                                                               \
  X(HONE__FILL_FILE, "file")

enum hone__fill_kind {
#define X(constant, name) constant,
  HONE__FILL_KINDS(X)
#undef X
      HONE__FILL_KIND_COUNT
};

struct hone__fill { /* { 0 } is auto */
  enum hone__fill_kind kind;
  double low, high;
  bool ranged;     /* low and high count */
  double value;    /* of a constant */
  int64_t whole;   /* the same for 64-bit integers, if not 0: a double may not represent it */
  uint64_t seed;   /* of the run */
  uint64_t stream; /* the argument's number: equal fills of two arguments differ */
};

bool hone__fill_kind_parse(const char *name, enum hone__fill_kind *out);
const char *hone__fill_kind_name(enum hone__fill_kind kind);
const char *hone__fill_kind_names(void); /* "auto, integer, ..." for messages */

/* Writes the elements [first, first + count) of the array to the start of `out`. */
void hone__fill(const struct hone__fill *fill, enum hone__element element, void *out, size_t first,
                size_t count);
/* The same for the first `count` elements, on all usable CPUs: not where others measure. */
void hone__fill_in_parts(const struct hone__fill *fill, enum hone__element element, void *out,
                         size_t count);

#endif
