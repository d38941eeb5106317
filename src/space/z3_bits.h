/* z3_bits.h - truth values and whole numbers as Z3 terms over bit vectors.
 *
 * A term says what a value is and when there is none, because evaluating it faults; a fault that is
 * NULL never happens. Terms are exact: nothing wraps, and the bounds lo..hi always hold. They
 * belong to Z3's context, and go with it.
 */
#ifndef HONE_SPACE_Z3_BITS_H
#define HONE_SPACE_Z3_BITS_H

#include "space/z3_library.h"
#include "spec/operators.h"

struct hone__z3 {
  const struct hone__z3_library *api;
  z3_context context;
};

enum hone__z3_term_kind {
  HONE__Z3_OPAQUE, /* no term: only the evaluator knows */
  HONE__Z3_TRUTH,
  HONE__Z3_WHOLE,
  HONE__Z3_FRACTION
};

struct hone__z3_term {
  enum hone__z3_term_kind kind;
  z3_ast value; /* a Bool of TRUTH; else bits: a WHOLE, a FRACTION's numerator */
  z3_ast below; /* a FRACTION's denominator, always positive */
  z3_ast fault;
  unsigned bits, below_bits;
  int64_t lo, hi; /* of the value, or numerator */
  int64_t below_lo, below_hi;
};

typedef __int128 hone__z3_wide; /* holds every sum and product of two int64_t */

/* Conditions. */
z3_ast hone__z3_boolean(const struct hone__z3 *z, bool b);
z3_ast hone__z3_not(const struct hone__z3 *z, z3_ast a);
z3_ast hone__z3_and(const struct hone__z3 *z, z3_ast a, z3_ast b);
z3_ast hone__z3_or(const struct hone__z3 *z, z3_ast a, z3_ast b);
z3_ast hone__z3_choose(const struct hone__z3 *z, z3_ast test, z3_ast yes, z3_ast no);
z3_ast hone__z3_either(const struct hone__z3 *z, z3_ast a, z3_ast b); /* of two faults */

/* Bits: how many lo..hi needs, in two's complement, and a number in that many. */
unsigned hone__z3_bits_for(hone__z3_wide lo, hone__z3_wide hi);
z3_ast hone__z3_number(const struct hone__z3 *z, int64_t integer, unsigned bits);

/* Terms. A whole number beyond 64 bits faults, which is added to the `fault` given. */
struct hone__z3_term hone__z3_truth_term(z3_ast value, z3_ast fault);
struct hone__z3_term hone__z3_whole_term(const struct hone__z3 *z, z3_ast value, unsigned bits,
                                         z3_ast fault, hone__z3_wide lo, hone__z3_wide hi);
struct hone__z3_term hone__z3_constant(const struct hone__z3 *z, int64_t integer);
struct hone__z3_term hone__z3_as_whole(const struct hone__z3 *z, struct hone__z3_term a);
hone__z3_wide hone__z3_magnitude(const struct hone__z3_term *a); /* bound of |value| */

/* Questions to a term; but for the first, to a whole number. */
z3_ast hone__z3_truth(const struct hone__z3 *z, const struct hone__z3_term *a);
z3_ast hone__z3_is_less(const struct hone__z3 *z, const struct hone__z3_term *a,
                        const struct hone__z3_term *b);
z3_ast hone__z3_is_equal(const struct hone__z3 *z, const struct hone__z3_term *a,
                         const struct hone__z3_term *b);
z3_ast hone__z3_is_negative(const struct hone__z3 *z, const struct hone__z3_term *a);

/* Whole numbers of whole numbers. */
struct hone__z3_term hone__z3_add(const struct hone__z3 *z, struct hone__z3_term a,
                                  struct hone__z3_term b);
struct hone__z3_term hone__z3_subtract(const struct hone__z3 *z, struct hone__z3_term a,
                                       struct hone__z3_term b);
struct hone__z3_term hone__z3_multiply(const struct hone__z3 *z, struct hone__z3_term a,
                                       struct hone__z3_term b);
struct hone__z3_term hone__z3_floor_divide(const struct hone__z3 *z, struct hone__z3_term a,
                                           struct hone__z3_term b);
struct hone__z3_term hone__z3_negative(const struct hone__z3 *z, struct hone__z3_term a);
struct hone__z3_term hone__z3_absolute(const struct hone__z3 *z, struct hone__z3_term a);
z3_ast hone__z3_divide_fault(const struct hone__z3 *z, const struct hone__z3_term *a,
                             const struct hone__z3_term *divisor);
/* One of two; the faults are the caller's. */
struct hone__z3_term hone__z3_pick(const struct hone__z3 *z, z3_ast test, struct hone__z3_term yes,
                                   struct hone__z3_term no);

/* An operator on whole numbers that gives one, or a truth value. False where it has no exact term.
 */
bool hone__z3_whole_one(const struct hone__z3 *z, enum hone__operator op, struct hone__z3_term a,
                        struct hone__z3_term *out);
bool hone__z3_whole_two(const struct hone__z3 *z, enum hone__operator op, struct hone__z3_term a,
                        struct hone__z3_term b, struct hone__z3_term *out);

#endif
