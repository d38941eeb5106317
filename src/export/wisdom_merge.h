/* wisdom_merge.h - entries of several origins as one list: each subject once. */
#ifndef HONE_EXPORT_WISDOM_MERGE_H
#define HONE_EXPORT_WISDOM_MERGE_H

#include "base/words.h"
#include "export/wisdom_text.h"

struct hone__export_wisdom_merging { /* { 0 } */
  struct hone__export_wisdom_draft *drafts;
  size_t count, capacity;
  struct hone__words notes;
  struct hone__arena arena; /* of lists of aliases */
};

/* Adds it, or settles a conflict with the one that is there, with a note. */
void hone__export_wisdom_merge_add(struct hone__export_wisdom_merging *merging,
                                   const struct hone__export_wisdom_draft *draft);
/* Notes on devices and versions, if there are several. */
void hone__export_wisdom_merge_remark(struct hone__export_wisdom_merging *merging);
void hone__export_wisdom_merging_release(struct hone__export_wisdom_merging *merging);

#endif
