/* hone_wisdom.h - tuned configurations for programs that run: libhone-wisdom.
 *
 * A wisdom file (`hone export --format wisdom`, `hone merge`; see hone-wisdom(5)) has the proved
 * configurations of kernels for problems and devices. A program opens it once and asks for the
 * configuration of each call. The library needs libc alone, and is separate from libhone.
 *
 *   struct hone_wisdom *wisdom;
 *   struct hone_wisdom_query query;
 *   const struct hone_wisdom_entry *entry;
 *
 *   if (hone_wisdom_open("sgemm.wisdom", &wisdom, &error)) ... error.message ...
 *   hone_wisdom_query_init(&query);
 *   query.kernel = "sgemm", query.device = "NVIDIA H200", query.problem = sizes, ...
 *   if (hone_wisdom_find(wisdom, &query, &entry, NULL) != HONE_WISDOM_DEFAULT)
 *     block = hone_wisdom_entry_integer(entry, "BM", block);
 *   hone_wisdom_free(wisdom);
 *
 * OWNERSHIP. What is stored through `out_x` belongs to the caller and is given to the matching
 * _free, which takes NULL. Entries, names and texts are lent until the wisdom is freed.
 *
 * THREADS. A wisdom never changes: any number of threads may ask it. A struct hone_wisdom_file may
 * be used by any number of threads, too. The last hone_wisdom_free of a wisdom ends it.
 *
 * ERRORS. No file can crash the program: what is truncated, damaged, foreign or of a newer version
 * is an error that says what is wrong, where, and what to do.
 */
#ifndef HONE_WISDOM_H
#define HONE_WISDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(HONE_BUILDING_WISDOM)
#define HONE_WISDOM_API __attribute__((visibility("default")))
#else
#define HONE_WISDOM_API
#endif

/* ---- Errors ---------------------------------------------------------------------------------- */

enum hone_wisdom_code {
  HONE_WISDOM_OK,
  HONE_WISDOM_IO,       /* the file cannot be read */
  HONE_WISDOM_INVALID,  /* it is damaged, or not a wisdom file */
  HONE_WISDOM_NEWER,    /* its version is newer than this library */
  HONE_WISDOM_NO_MEMORY /* there is not enough memory */
};
struct hone_wisdom_error {
  enum hone_wisdom_code code;
  size_t line, column; /* from 1; 0: it concerns the whole file */
  char message[512];   /* "a.wisdom:3:12: ...", with what to do */
};

/* ---- Opening --------------------------------------------------------------------------------- */

struct hone_wisdom; /* opaque */

enum { HONE_WISDOM_VERSION = 1 }; /* of the format, the newest that is read */

/* `error` may be NULL. */
HONE_WISDOM_API enum hone_wisdom_code hone_wisdom_open(const char *path,
                                                       struct hone_wisdom **out_wisdom,
                                                       struct hone_wisdom_error *error);
/* The same of text in memory, which is copied. `name` is for messages. */
HONE_WISDOM_API enum hone_wisdom_code hone_wisdom_open_memory(const void *data, size_t size,
                                                              const char *name,
                                                              struct hone_wisdom **out_wisdom,
                                                              struct hone_wisdom_error *error);
HONE_WISDOM_API void hone_wisdom_free(struct hone_wisdom *wisdom);

/* ---- Values ---------------------------------------------------------------------------------- */

enum hone_wisdom_type {
  HONE_WISDOM_NONE,
  HONE_WISDOM_BOOL,
  HONE_WISDOM_INTEGER,
  HONE_WISDOM_REAL,
  HONE_WISDOM_TEXT
};
struct hone_wisdom_value {
  enum hone_wisdom_type type;
  int64_t integer;  /* INTEGER; BOOL as 0 or 1 */
  double real;      /* REAL, and INTEGER too */
  const char *text; /* TEXT */
};
struct hone_wisdom_pair { /* a parameter, or a size of a problem */
  const char *name;
  struct hone_wisdom_value value;
};

/* Sizes for a query. */
static inline struct hone_wisdom_pair hone_wisdom_integer(const char *name, int64_t integer)
{
  struct hone_wisdom_pair pair = {name, {HONE_WISDOM_INTEGER, integer, (double)integer, NULL}};
  return pair;
}
static inline struct hone_wisdom_pair hone_wisdom_text(const char *name, const char *text)
{
  struct hone_wisdom_pair pair = {name, {HONE_WISDOM_TEXT, 0, 0, text}};
  return pair;
}

/* ---- Looking up ------------------------------------------------------------------------------ */

struct hone_wisdom_entry; /* opaque: a kernel, a problem and a device with their configuration */

struct hone_wisdom_query {
  size_t size; /* of this struct, set by _init */
  const char *kernel;
  const char *device; /* its name, or an alias of it: "NVIDIA H200"; see hone_wisdom_cpu */
  const char *family; /* "sm_90"; NULL: what the file says of this device */
  const struct hone_wisdom_pair *problem;
  size_t problem_count;
  /* How far sizes may be from those of an entry: the product of the ratios of all sizes, larger to
   * smaller. 2: one size is doubled or halved. 1: exact problems only. 0: the file's bound. */
  double bound;
};
HONE_WISDOM_API void hone_wisdom_query_init(struct hone_wisdom_query *query);

enum hone_wisdom_match {
  HONE_WISDOM_DEFAULT, /* there is nothing: use the kernel's own defaults */
  HONE_WISDOM_EXACT,   /* this device and this problem */
  HONE_WISDOM_NEAREST, /* this device, the nearest problem within the bound */
  HONE_WISDOM_FAMILY   /* another device of the family: this problem, else the nearest */
};
/* Looks in the order exact, nearest, family, default. *out_entry is NULL for DEFAULT. *out_distance
 * (may be NULL) is the product of ratios, 1 for the same problem. An answer that is not exact is
 * searched for once and remembered, as long as there are less than some hundred of them. */
HONE_WISDOM_API enum hone_wisdom_match hone_wisdom_find(const struct hone_wisdom *wisdom,
                                                        const struct hone_wisdom_query *query,
                                                        const struct hone_wisdom_entry **out_entry,
                                                        double *out_distance);
HONE_WISDOM_API const char *hone_wisdom_match_name(enum hone_wisdom_match match); /* "exact" */

/* Names of this machine's CPU as device and as family, as hone writes them, like snprintf: the
 * length that was needed. */
HONE_WISDOM_API size_t hone_wisdom_cpu(char *buffer, size_t size);
HONE_WISDOM_API size_t hone_wisdom_cpu_family(char *buffer, size_t size);

/* ---- Entries --------------------------------------------------------------------------------- */

HONE_WISDOM_API size_t hone_wisdom_count(const struct hone_wisdom *wisdom);
/* In the order of the file; NULL: there are not that many. */
HONE_WISDOM_API const struct hone_wisdom_entry *hone_wisdom_at(const struct hone_wisdom *wisdom,
                                                               size_t index);
HONE_WISDOM_API double hone_wisdom_bound(const struct hone_wisdom *wisdom); /* the file's */

enum hone_wisdom_verdict {
  HONE_WISDOM_UNPROVED,      /* it was exported although nothing was proved */
  HONE_WISDOM_IMPROVED,      /* the configuration is faster than the default */
  HONE_WISDOM_NO_IMPROVEMENT /* the configuration is the default, and nothing faster was found */
};
/* Texts are "" and numbers NaN where there is nothing. */
HONE_WISDOM_API const char *hone_wisdom_entry_kernel(const struct hone_wisdom_entry *entry);
HONE_WISDOM_API const char *hone_wisdom_entry_device(const struct hone_wisdom_entry *entry);
HONE_WISDOM_API const char *hone_wisdom_entry_family(const struct hone_wisdom_entry *entry);
/* Other names of the device; NULL: there are not that many. */
HONE_WISDOM_API const char *hone_wisdom_entry_alias(const struct hone_wisdom_entry *entry,
                                                    size_t index);
HONE_WISDOM_API const char *
hone_wisdom_verdict_name(enum hone_wisdom_verdict verdict); /* "IMPROVED" */
HONE_WISDOM_API enum hone_wisdom_verdict
hone_wisdom_entry_verdict(const struct hone_wisdom_entry *entry);
HONE_WISDOM_API double hone_wisdom_entry_speedup(const struct hone_wisdom_entry *entry);
HONE_WISDOM_API double hone_wisdom_entry_low(const struct hone_wisdom_entry *entry);
HONE_WISDOM_API double hone_wisdom_entry_high(const struct hone_wisdom_entry *entry);
HONE_WISDOM_API double hone_wisdom_entry_confidence(const struct hone_wisdom_entry *entry);

/* The i-th pair of the problem, of the configuration, and of the environment (compiler, driver,
 * hone, date ...); NULL: there are not that many. */
HONE_WISDOM_API const struct hone_wisdom_pair *
hone_wisdom_entry_size(const struct hone_wisdom_entry *entry, size_t index);
HONE_WISDOM_API const struct hone_wisdom_pair *
hone_wisdom_entry_param(const struct hone_wisdom_entry *entry, size_t index);
HONE_WISDOM_API const struct hone_wisdom_pair *
hone_wisdom_entry_environment(const struct hone_wisdom_entry *entry, size_t index);

/* The value of a parameter; NULL, or the fallback: it has none of this name and type. An integer is
 * a real, too, and a truth value is an integer. */
HONE_WISDOM_API const struct hone_wisdom_value *
hone_wisdom_entry_value(const struct hone_wisdom_entry *entry, const char *name);
HONE_WISDOM_API int64_t hone_wisdom_entry_integer(const struct hone_wisdom_entry *entry,
                                                  const char *name, int64_t fallback);
HONE_WISDOM_API double hone_wisdom_entry_real(const struct hone_wisdom_entry *entry,
                                              const char *name, double fallback);
HONE_WISDOM_API const char *hone_wisdom_entry_text(const struct hone_wisdom_entry *entry,
                                                   const char *name, const char *fallback);

/* ---- A file that changes --------------------------------------------------------------------- */

struct hone_wisdom_file; /* opaque: a file, and the wisdom that was last read from it */

HONE_WISDOM_API enum hone_wisdom_code hone_wisdom_file_open(const char *path,
                                                            struct hone_wisdom_file **out_file,
                                                            struct hone_wisdom_error *error);
/* The wisdom as it is now. It stays valid until it is given to hone_wisdom_free, also when the file
 * is read again or freed. */
HONE_WISDOM_API struct hone_wisdom *hone_wisdom_file_get(struct hone_wisdom_file *file);
/* Reads the file again if it has changed, which one call of stat() tells. If it cannot be read, the
 * wisdom stays as it was. *out_changed may be NULL. */
HONE_WISDOM_API enum hone_wisdom_code hone_wisdom_file_reload(struct hone_wisdom_file *file,
                                                              bool *out_changed,
                                                              struct hone_wisdom_error *error);
HONE_WISDOM_API void hone_wisdom_file_free(struct hone_wisdom_file *file);

#ifdef __cplusplus
}
#endif

#endif
