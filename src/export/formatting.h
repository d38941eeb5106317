/* formatting.h - one call of hone_format_runs, and the formats that it may write. */
#ifndef HONE_EXPORT_FORMATTING_H
#define HONE_EXPORT_FORMATTING_H

#include "base/words.h"
#include "export/tuned.h"
#include "hone_export.h"

struct hone__formatting {
  struct hone_store *store;
  const int64_t *runs;
  size_t count;
  struct hone__tuned *tuned; /* one a run; NULL: the format lists evaluations */
  bool force;
  struct hone__arena arena;
  struct hone__text text; /* what is written */
  char *name;             /* of the file; free() */
  struct hone__words notes;
};

typedef hone_status hone__format_writer(struct hone__formatting *formatting);

hone__format_writer hone__export_header;                     /* header_export.c */
hone__format_writer hone__export_flags;                      /* flags_export.c */
hone__format_writer hone__export_wisdom;                     /* wisdom_export.c */
hone__format_writer hone__export_vllm;                       /* vllm_export.c */
hone__format_writer hone__export_kernel_tuner;               /* kernel_tuner_export.c */
hone__format_writer hone__export_markdown, hone__export_csv; /* table_export.c */

#endif
