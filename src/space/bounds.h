/* bounds.h - what is known of a node while some variables are still free.
 *
 * Bounds are always sound: every value that the node can take lies within them. A constraint that
 * is false within its bounds cuts off all that lies below, before anything is enumerated.
 */
#ifndef HONE_SPACE_BOUNDS_H
#define HONE_SPACE_BOUNDS_H

#include "spec/program.h"

enum hone__bounds_kind {
  HONE__BOUNDS_EXACT, /* one value, of any type, a fault included */
  HONE__BOUNDS_INT,   /* integers lo..hi, all multiples of `factor` (0: only 0) */
  HONE__BOUNDS_REAL,  /* numbers low..high, not NaN */
  HONE__BOUNDS_ANY    /* nothing is known, a fault is possible */
};

struct hone__bounds {
  enum hone__bounds_kind kind;
  union {
    struct hone_value exact;
    struct {
      int64_t lo, hi, factor;
    };
    struct {
      double low, high;
    };
  };
};

/* A common divisor, as large as an integer can be. */
int64_t hone__common_factor(int64_t a, int64_t b);

struct hone__bounds hone__bounds_exact(struct hone_value value);
/* Of all numbers from low to high. */
struct hone__bounds hone__bounds_between(struct hone_value low, struct hone_value high);
struct hone__bounds hone__bounds_run(const struct hone__instruction *node,
                                     const struct hone__bounds *bounds);

/* -1: false for certain; 1: true for certain; 0: open. Never certain where a fault is possible. */
int hone__bounds_truth(const struct hone__bounds *bounds);

#endif
