/* pairs.h - a list of names with values: definitions, arguments, files with their digests. */
#ifndef HONE_BASE_PAIRS_H
#define HONE_BASE_PAIRS_H

#include <stddef.h>
#include <stdint.h>

struct hone__name_value {
  const char *name, *value;
};

struct hone__pairs { /* { 0 } is an empty list, which owns its texts */
  struct hone__name_value *data;
  size_t count, capacity;
  uint32_t *places; /* private: of names, by their hash */
  size_t place_count;
};

/* Appends it; a name may come again, and is then found as it was first. */
void hone__pairs_add(struct hone__pairs *pairs, const char *name, const char *value);
/* NULL: there is no such name. */
const char *hone__pairs_find(const struct hone__pairs *pairs, const char *name);
/* Replaces the value, or appends the pair. */
void hone__pairs_set(struct hone__pairs *pairs, const char *name, const char *value);
void hone__pairs_add_all(struct hone__pairs *pairs, const struct hone__name_value *data,
                         size_t count);
void hone__pairs_release(struct hone__pairs *pairs); /* empty again */

#endif
