/* compare.h - whether a kernel's output is correct.
 *
 * Two elements agree if |got - expected| <= atol + rtol * |expected|. NaN agrees with NaN, an
 * infinity with itself only. Poison (guard.h), where it is certain, agrees only with poison: an
 * expected NaN does not hide an element that was never written. Integers are subtracted in 64 bits,
 * so that without tolerances they are compared exactly. Of `count` elements floor(count * ratio)
 * may disagree.
 */
#ifndef HONE_CHECK_COMPARE_H
#define HONE_CHECK_COMPARE_H

#include "base/element.h"
#include "base/text.h"

struct hone__tolerance { /* { 0 }: exact */
  double rtol, atol;
  double ratio; /* share of the elements that may disagree, 0 to 1 */
};

struct hone__difference {
  enum hone__element element;
  double ratio;
  size_t count, mismatched, allowed;
  size_t unwritten;  /* mismatched elements that still hold poison, certainly or probably */
  size_t unexpected; /* mismatched elements whose expected value is certainly poison */
  size_t not_finite; /* other mismatched elements with a NaN or an infinity on one side */
  /* of the first mismatched element, if there is one */
  size_t first;
  double first_got, first_expected;
  uint64_t first_got_bits, first_expected_bits; /* as stored in memory, zero-extended */
  bool first_unwritten;
  /* over all elements with two finite values, including those that agree; relative to the expected
   * value where that is not 0 */
  double greatest_abs, greatest_rel;
};

/* Returns whether no more than the allowed number of elements disagree; fills in `out` in both
 * cases. */
bool hone__compare(enum hone__element element, const void *got, const void *expected, size_t count,
                   const struct hone__tolerance *tolerance, struct hone__difference *out);

/* "c: 12 of 262144 elements differ (0.0046 %, allowed 0 %); first at [3, 17]: got 1.5, expected
 * 1.25; largest difference 0.25 absolute, 0.2 relative", in one line. */
void hone__difference_message(const struct hone__difference *difference, const char *name,
                              const size_t *shape, size_t dimensions, struct hone__text *out);

#endif
