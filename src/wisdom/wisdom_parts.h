/* wisdom_parts.h - the inside of libhone-wisdom, which uses libc alone.
 *
 *   text -> hone__wisdom_parse -> nodes -> hone__wisdom_decode -> entries -> hone__wisdom_index
 *
 * All of a wisdom is in its arena. An allocation that fails gives NULL and NO_MEMORY.
 */
#ifndef HONE_WISDOM_PARTS_H
#define HONE_WISDOM_PARTS_H

#include "hone_wisdom.h"

#include <stdatomic.h>

/* ---- Memory ---- */

struct hone__wisdom_arena { /* { 0 } */
  struct hone__wisdom_block *newest;
};
/* Zeroed; NULL: there is no memory. */
void *hone__wisdom_alloc(struct hone__wisdom_arena *arena, size_t count, size_t size);
void hone__wisdom_arena_release(struct hone__wisdom_arena *arena);

/* ---- Nodes: the file as JSON ---- */

enum hone__wisdom_kind {
  HONE__NODE_NULL,
  HONE__NODE_BOOL,
  HONE__NODE_INTEGER,
  HONE__NODE_REAL,
  HONE__NODE_TEXT,
  HONE__NODE_LIST,
  HONE__NODE_OBJECT
};
struct hone__wisdom_node {
  enum hone__wisdom_kind kind;
  size_t offset;    /* in the file */
  int64_t integer;  /* INTEGER, BOOL */
  double real;      /* REAL, INTEGER */
  const char *text; /* TEXT */
  const char *name; /* of a member of an object */
  struct hone__wisdom_node *first, *next;
  size_t count; /* of a LIST or an OBJECT */
};

struct hone__wisdom_source { /* where messages point to */
  const char *name;          /* of the file */
  const char *text;
  size_t size;
};

/* Fills the error; returns the code. `offset` SIZE_MAX: the whole file. */
enum hone_wisdom_code hone__wisdom_fail(const struct hone__wisdom_source *source, size_t offset,
                                        struct hone_wisdom_error *error, enum hone_wisdom_code code,
                                        const char *format, ...)
    __attribute__((format(printf, 5, 6)));
enum hone_wisdom_code hone__wisdom_no_memory(const struct hone__wisdom_source *source,
                                             struct hone_wisdom_error *error);

enum hone_wisdom_code hone__wisdom_parse(const struct hone__wisdom_source *source,
                                         struct hone__wisdom_arena *arena,
                                         struct hone__wisdom_node **out_node,
                                         struct hone_wisdom_error *error);

/* ---- Entries ---- */

struct hone__wisdom_pairs {
  struct hone_wisdom_pair *items;
  size_t count;
};
struct hone_wisdom_entry {
  const char *kernel, *device, *family;
  const char **aliases;
  size_t alias_count;
  struct hone__wisdom_pairs problem, config, environment;
  enum hone_wisdom_verdict verdict;
  double speedup, low, high, confidence;
  size_t offset; /* in the file, for messages */
};

struct hone__wisdom_slot { /* of the table */
  uint64_t hash;
  uint32_t first; /* the number of its first link, plus 1; 0: the slot is empty */
  uint32_t last;
};
struct hone__wisdom_link {
  uint32_t entry, next; /* next: as in `first` */
};
struct hone_wisdom {
  struct hone__wisdom_arena arena;
  struct hone_wisdom_entry *entries;
  size_t count;
  double bound;
  struct hone__wisdom_slot *slots; /* open addressing; a power of two, at most half of them used */
  size_t mask;
  struct hone__wisdom_link *links; /* entries with the same hash, in the order of the file */
  size_t link_count;
  atomic_uintptr_t *memo; /* HONE__WISDOM_ANSWERS places of struct hone__wisdom_answer *, or 0 */
  atomic_size_t references;
};

/* Fills entries, count and bound. */
enum hone_wisdom_code hone__wisdom_decode(struct hone_wisdom *wisdom,
                                          const struct hone__wisdom_source *source,
                                          const struct hone__wisdom_node *root,
                                          struct hone_wisdom_error *error);
/* The last step. INVALID: two entries have the same kernel, device and problem. */
enum hone_wisdom_code hone__wisdom_index(struct hone_wisdom *wisdom,
                                         const struct hone__wisdom_source *source,
                                         struct hone_wisdom_error *error);

/* ---- Hashes: what entries are found by ---- */

uint64_t hone__wisdom_hash_device(const char *kernel, const char *device);
uint64_t hone__wisdom_hash_family(const char *kernel, const char *family);
uint64_t hone__wisdom_hash_name(const char *device);
/* Whatever the order of its sizes. */
uint64_t hone__wisdom_hash_problem(uint64_t hash, const struct hone_wisdom_pair *sizes,
                                   size_t count);
/* The number of the first link, as in struct hone__wisdom_slot. */
uint32_t hone__wisdom_links(const struct hone_wisdom *wisdom, uint64_t hash);

bool hone__wisdom_has_device(const struct hone_wisdom_entry *entry, const char *device);
/* The product of ratios, 1 for the same problem; 0: the problems cannot be compared. */
double hone__wisdom_distance(const struct hone_wisdom_entry *entry,
                             const struct hone_wisdom_pair *sizes, size_t count);

/* ---- Answers that are known: all but exact ones ---- */

enum { HONE__WISDOM_ANSWERS = 1024 };

struct hone__wisdom_reply {
  enum hone_wisdom_match match;
  const struct hone_wisdom_entry *entry;
  double distance;
};
/* `hash`: of the query with its problem; `bound`: what is in force. */
bool hone__wisdom_recall(const struct hone_wisdom *wisdom, const struct hone_wisdom_query *query,
                         uint64_t hash, double bound, struct hone__wisdom_reply *out_reply);
void hone__wisdom_remember(const struct hone_wisdom *wisdom, const struct hone_wisdom_query *query,
                           uint64_t hash, double bound, const struct hone__wisdom_reply *reply);
/* Frees them. */
void hone__wisdom_forget(struct hone_wisdom *wisdom);

/* One more owner. */
struct hone_wisdom *hone__wisdom_share(struct hone_wisdom *wisdom);

#endif
