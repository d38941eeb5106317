/* named.h - a list of named values in the making: costs of an object, facts of a device. */
#ifndef HONE_WIRE_NAMED_H
#define HONE_WIRE_NAMED_H

#include "wire/record.h"

struct hone__named_list {    /* { .arena } */
  struct hone__arena *arena; /* all of it lies there */
  struct hone__named *items;
  size_t count, capacity;
};

/* What has the same name already is replaced. Names and texts are copied. */
void hone__named_set(struct hone__named_list *list, const char *name, struct hone_value value);
void hone__named_int(struct hone__named_list *list, const char *name, int64_t value);
void hone__named_bool(struct hone__named_list *list, const char *name, bool value);
void hone__named_real(struct hone__named_list *list, const char *name, double value);
void hone__named_text(struct hone__named_list *list, const char *name, const char *text);
/* All of them. */
void hone__named_add(struct hone__named_list *list, const struct hone__named *items, size_t count);

/* A copy that lies in the arena, with its names and texts. */
struct hone__named *hone__named_copy(struct hone__arena *arena, const struct hone__named *items,
                                     size_t count);

/* As a message of its own: {"registers": 32, ...}. */
struct hone__named_record {
  struct hone__named *all;
  size_t all_count;
};
extern const struct hone__record_type hone__named_type;

/* NULL: there is none of this name. */
const struct hone_value *hone__named_find(const struct hone__named *items, size_t count,
                                          const char *name);
/* A number as such; 0: there is none. */
double hone__named_number(const struct hone__named *items, size_t count, const char *name);

#endif
