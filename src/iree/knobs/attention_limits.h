/* attention_limits.h - attention configurations that the compiler rejects though its constraints
 * allow them.
 *
 * A step of the reduction has whole tiles of the first product's intrinsic. Shared memory holds the
 * tiles of query, key and value, and the scores between the products, unless they stay in
 * registers. docs/benchmarks.md has the accuracy of this rule.
 */
#ifndef HONE_IREE_KNOBS_ATTENTION_LIMITS_H
#define HONE_IREE_KNOBS_ATTENTION_LIMITS_H

#include "iree/knobs/knob_writer.h"

struct hone__attention_tiles {
  const char *m, *n, *k2;          /* expressions */
  const char *qk_columns;          /* of the first product's intrinsic */
  const char *reuse;               /* scores stay in registers if this holds; "": always */
  int64_t k1;                      /* size of the dim */
  const char *query, *key, *value; /* element types */
  int64_t shared_bytes;            /* 0: not known */
};

void hone__attention_limits(struct hone__knob_writer *writer,
                            const struct hone__attention_tiles *tiles);

#endif
