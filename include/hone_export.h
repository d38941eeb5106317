/* hone_export.h - results of runs for other programs: formats, wisdom files, imports.
 *
 * Ownership, errors and threads as in hone.h.
 */
#ifndef HONE_EXPORT_H
#define HONE_EXPORT_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Formats --------------------------------------------------------------------------------- */

enum hone_format {
  HONE_FORMAT_HEADER,       /* C and C++: macros; of several runs a function that chooses */
  HONE_FORMAT_FLAGS,        /* of a compiler: -DBM=64 -DBN=32 */
  HONE_FORMAT_WISDOM,       /* hone-wisdom(5), for libhone-wisdom */
  HONE_FORMAT_VLLM,         /* JSON of vLLM's fused kernels: {"M": {"BLOCK_SIZE_M": 64, ...}} */
  HONE_FORMAT_KERNEL_TUNER, /* a cache file of Kernel Tuner: all evaluations of one run */
  HONE_FORMAT_MARKDOWN,     /* a table of all evaluations of each run */
  HONE_FORMAT_CSV           /* the same of one run: a column for each parameter */
};

struct hone_format_options {
  size_t size; /* of this struct, set by _init */
  enum hone_format format;
  const int64_t *runs; /* 0: the newest */
  size_t run_count;
  const char *config; /* "BM=64,BN=32" instead of the winner's; NULL */
  bool force;         /* also what is not proved; the text says so */
};
HONE_API void hone_format_options_fill(struct hone_format_options *options, size_t size);
static inline void hone_format_options_init(struct hone_format_options *options)
{
  hone_format_options_fill(options, sizeof *options);
}

struct hone_formatted; /* opaque */

/* NOT_FOUND: a run is not proved (it has no verdict, or INCONCLUSIVE; it was interrupted or
 * imported; its winner is SUSPICIOUS), and `force` is not set. Lists of all evaluations make no
 * claim and need no proof. */
HONE_API hone_status hone_format_runs(struct hone_store *store,
                                      const struct hone_format_options *options,
                                      struct hone_formatted **out_formatted);
HONE_API const char *hone_formatted_text(const struct hone_formatted *formatted);
/* The name that other programs expect of the file; NULL: any. */
HONE_API const char *hone_formatted_name(const struct hone_formatted *formatted);
/* What a person should know of it: the i-th sentence, or NULL. */
HONE_API const char *hone_formatted_note(const struct hone_formatted *formatted, size_t i);
HONE_API void hone_formatted_free(struct hone_formatted *formatted);

/* ---- Wisdom files ---------------------------------------------------------------------------- */

struct hone_wisdom_merge_options {
  size_t size;              /* of this struct, set by _init */
  const char *const *files; /* wisdom files */
  size_t file_count;
  /* Of what is proved of these runs; others are left out with a note. */
  struct hone_store *store;
  const int64_t *runs;
  size_t run_count;
  const char *output; /* the file; it may be one of `files`, and need not exist */
  bool check;         /* write nothing */
};
HONE_API void hone_wisdom_merge_options_fill(struct hone_wisdom_merge_options *options,
                                             size_t size);
static inline void hone_wisdom_merge_options_init(struct hone_wisdom_merge_options *options)
{
  hone_wisdom_merge_options_fill(options, sizeof *options);
}

struct hone_wisdom_merged; /* opaque */

/* One file with the entries of all. Of two entries for the same kernel, device and problem the one
 * with the higher lower end of its interval stays; a run replaces what a file has of another source
 * or build of the kernel. The output is written aside and renamed, and
 * only if all inputs are good and it differs. */
HONE_API hone_status hone_wisdom_merge(const struct hone_wisdom_merge_options *options,
                                       struct hone_wisdom_merged **out_merged);
HONE_API const char *hone_wisdom_merged_text(const struct hone_wisdom_merged *merged);
HONE_API size_t hone_wisdom_merged_count(const struct hone_wisdom_merged *merged); /* entries */
/* The output differed. */
HONE_API bool hone_wisdom_merged_is_stale(const struct hone_wisdom_merged *merged);
/* Conflicts, other devices and versions, what was left out: the i-th sentence, or NULL. */
HONE_API const char *hone_wisdom_merged_note(const struct hone_wisdom_merged *merged, size_t i);
HONE_API void hone_wisdom_merged_free(struct hone_wisdom_merged *merged);

/* ---- Imports --------------------------------------------------------------------------------- */

struct hone_import_options {
  size_t size;            /* of this struct, set by _init */
  const char *file;       /* a Kernel Tuner cache, T4, results of KTT, or T1; plain or in gzip */
  const char *store;      /* file; NULL: $HONE_STORE, else in the user's data folder */
  const char *space_file; /* T1, of a recording; NULL */
  const char *name;       /* of the kernel; NULL: what the file says, else the file's name */
  const char *problem;    /* "M=256 N=512"; NULL: not known */
};
HONE_API void hone_import_options_fill(struct hone_import_options *options, size_t size);
static inline void hone_import_options_init(struct hone_import_options *options)
{
  hone_import_options_fill(options, sizeof *options);
}

struct hone_imported; /* opaque */

/* A recording becomes a run of the store that is marked as imported: reports, warm start and
 * exports see it, and no export takes it for proved. The same file again is the same run. A T1 file
 * becomes a spec, without the store. INVALID_SPEC: what of the file is wrong, and where. */
HONE_API hone_status hone_import(const struct hone_import_options *options,
                                 struct hone_imported **out_imported);
HONE_API int64_t hone_imported_run(const struct hone_imported *imported);      /* 0: it is a spec */
HONE_API bool hone_imported_was_there(const struct hone_imported *imported);   /* imported before */
HONE_API const char *hone_imported_spec(const struct hone_imported *imported); /* YAML, or NULL */
HONE_API const char *hone_imported_format(const struct hone_imported *imported); /* "T4" */
HONE_API const char *hone_imported_name(const struct hone_imported *imported);   /* the kernel's */
/* What of the file was left out; "". */
HONE_API const char *hone_imported_remark(const struct hone_imported *imported);
HONE_API uint64_t hone_imported_count(const struct hone_imported *imported);   /* configurations */
HONE_API uint64_t hone_imported_working(const struct hone_imported *imported); /* of them */
HONE_API void hone_imported_free(struct hone_imported *imported);

#ifdef __cplusplus
}
#endif

#endif
