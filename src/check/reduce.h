/* reduce.h - whether two outputs agree in what they are reduced to.
 *
 * Outputs whose elements cannot be compared one by one: partial sums, whose number differs between
 * configurations, or results in any order. Both sides are reduced in the same way, and the two
 * results are compared:
 *   sum     |got - expected| <= atol + rtol * (sum of the |expected elements|)
 *   min     the least element, compared as an element
 *   max     the greatest one
 *   norm    the square root of the sum of the squares
 *   sorted  all elements in rising order, compared one by one; both sides need the same number
 * Sums and extremes of integers are exact. An expected element that still holds poison (guard.h)
 * was never written and does not count: a reference may leave one total where a kernel leaves many
 * partial ones. One of the other side that was certainly never written is wrong.
 */
#ifndef HONE_CHECK_REDUCE_H
#define HONE_CHECK_REDUCE_H

#include "check/compare.h"

#define HONE__REDUCTIONS(X)                                                                        \
  X(NOTHING, "nothing")                                                                            \
  X(SUM, "sum")                                                                                    \
  X(MIN, "min")                                                                                    \
  X(MAX, "max")                                                                                    \
  X(NORM, "norm")                                                                                  \
  X(SORTED, "sorted")

enum hone__reduction {
#define HONE__REDUCTION_ENUM(id, name) HONE__REDUCE_##id,
  HONE__REDUCTIONS(HONE__REDUCTION_ENUM)
#undef HONE__REDUCTION_ENUM
};

bool hone__reduction_parse(const char *name, enum hone__reduction *out_reduction);

struct hone__reducing {
  enum hone__reduction reduction;
  enum hone__element element;
  struct hone__tolerance tolerance;
  void *room; /* hone__reduction_room bytes, aligned for uint64_t */
};

struct hone__reduced_side {
  const unsigned char *elements;
  size_t count;
  bool is_expected;
};

/* Bytes that comparing up to this many elements needs; 0: none. */
size_t hone__reduction_room(enum hone__reduction reduction, enum hone__element element,
                            size_t count);
/* Adds the reason to `why`, unless it is NULL: then nothing is allocated. */
bool hone__reduced_agree(const struct hone__reducing *how, struct hone__reduced_side got,
                         struct hone__reduced_side expected, const char *name,
                         struct hone__text *why);

#endif
