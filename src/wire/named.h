/* named.h - builds a list of named values: costs of an object, facts of a device. */
#ifndef HONE_WIRE_NAMED_H
#define HONE_WIRE_NAMED_H

#include "wire/record.h"

struct hone__named_list {    /* { .arena } */
  struct hone__arena *arena; /* owns everything in the list */
  struct hone__named *items;
  size_t count, capacity;
};

/* Replaces a value of the same name. Names and texts are copied. */
void hone__named_set(struct hone__named_list *list, const char *name, struct hone_value value);
void hone__named_int(struct hone__named_list *list, const char *name, int64_t value);
void hone__named_bool(struct hone__named_list *list, const char *name, bool value);
void hone__named_real(struct hone__named_list *list, const char *name, double value);
void hone__named_text(struct hone__named_list *list, const char *name, const char *text);
/* Sets all of them. */
void hone__named_add(struct hone__named_list *list, const struct hone__named *items, size_t count);

/* A copy in the arena, including names and texts. */
struct hone__named *hone__named_copy(struct hone__arena *arena, const struct hone__named *items,
                                     size_t count);

/* As a separate message: {"registers": 32, ...}. */
struct hone__named_record {
  struct hone__named *all;
  size_t all_count;
};
extern const struct hone__record_type hone__named_type;

/* NULL: no value has this name. */
const struct hone_value *hone__named_find(const struct hone__named *items, size_t count,
                                          const char *name);
/* The number of this name; 0: there is none. */
double hone__named_number(const struct hone__named *items, size_t count, const char *name);

#endif
