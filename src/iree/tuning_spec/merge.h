/* merge.h - what the files of merging share. */
#ifndef HONE_IREE_TUNING_SPEC_MERGE_H
#define HONE_IREE_TUNING_SPEC_MERGE_H

#include "iree/tuning_spec/tuning_spec_parts.h"

struct hone_merge_item { /* a matcher that stays */
  const struct hone_tuning_spec *spec;
  const struct hone_spec_matcher *matcher;
};

/* merge_print.c: one spec of them, in this order. */
void hone__merge_print(const struct hone_merge_item *items, size_t count, struct hone_text *text);

#endif
