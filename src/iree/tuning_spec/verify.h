/* verify.h - shared by the files of verification. */
#ifndef HONE_IREE_TUNING_SPEC_VERIFY_H
#define HONE_IREE_TUNING_SPEC_VERIFY_H

#include "iree/tuning_spec/tuning_spec_parts.h"
#include "hone.h"
#include "hone_iree.h"

struct hone_iree_spec_hit {
  char *dispatch, *operation, *configuration, *why_not;
  bool is_applied;
};

struct hone_iree_spec_use {
  char *matcher, *matches, *why_none;
  struct hone_iree_spec_hit *hits;
  size_t hit_count;
};

struct hone_iree_verification {
  struct hone_iree_spec_use *uses;
  size_t use_count;
  char *problems, *conflicts, *older, *refusal;
  char *run, *failure; /* of the whole model; "" if it was not compiled to the end */
  bool is_good;
};

/* verify_mark.c: the unchanged spec, except that every matcher marks the operations it matches,
 * with the unit attribute HONE__SPEC_MARK and the matcher's number. */
#define HONE__SPEC_MARK "hone_matcher_"

/* True if an attribute of this name (NULL: none) is a mark. */
bool hone__iree_spec_mark_read(const char *key, size_t *out_number);
void hone__verify_mark(const struct hone__iree_tuning_spec *spec, struct hone__text *text);

/* verify_report.c: what the configured model shows. `plain` is the model without the spec. */
void hone__verify_report(const struct hone__iree_tuning_spec *spec, struct hone__mlir *configured,
                         struct hone__mlir *plain, struct hone_iree_verification *report);

#endif
