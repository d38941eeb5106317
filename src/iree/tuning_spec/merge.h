/* merge.h - shared by the files of merging. */
#ifndef HONE_IREE_TUNING_SPEC_MERGE_H
#define HONE_IREE_TUNING_SPEC_MERGE_H

#include "iree/tuning_spec/tuning_spec_parts.h"

struct hone__merge_item { /* a matcher that stays */
  const struct hone__iree_tuning_spec *spec;
  const struct hone__iree_spec_matcher *matcher;
};

/* merge_print.c: one spec of them, in this order; `inserts_batch`: after HONE__TUNING_BATCH_PASS.
 */
void hone__merge_print(const struct hone__merge_item *items, size_t count, bool inserts_batch,
                       struct hone__text *text);

#endif
