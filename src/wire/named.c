/* Lists are short: they are searched from the front. */
#include "wire/named.h"

#include <string.h>

static const struct hone__field fields[] = {
    HONE__REST(struct hone__named_record, all),
};
const struct hone__record_type hone__named_type =
    HONE__RECORD_TYPE("named values", struct hone__named_record, fields);

static void grow(struct hone__named_list *list)
{
  struct hone__named *old = list->items;

  list->capacity = list->capacity ? 2 * list->capacity : 16;
  list->items = hone__arena_alloc(list->arena, list->capacity * sizeof *list->items);
  if (old) memcpy(list->items, old, list->count * sizeof *old);
}

static struct hone__named *slot_of(struct hone__named_list *list, const char *name)
{
  for (size_t i = 0; i < list->count; i++)
    if (strcmp(list->items[i].name, name) == 0) return &list->items[i];
  if (list->count == list->capacity) grow(list);
  list->items[list->count].name = hone__arena_strdup(list->arena, name);
  return &list->items[list->count++];
}

void hone__named_set(struct hone__named_list *list, const char *name, struct hone_value value)
{
  if (value.type == HONE_TEXT) value.text = hone__arena_strdup(list->arena, value.text);
  slot_of(list, name)->value = value;
}

void hone__named_int(struct hone__named_list *list, const char *name, int64_t value)
{
  hone__named_set(list, name, (struct hone_value){HONE_INT, {.integer = value}});
}

void hone__named_bool(struct hone__named_list *list, const char *name, bool value)
{
  hone__named_set(list, name, (struct hone_value){HONE_BOOL, {.integer = value}});
}

void hone__named_real(struct hone__named_list *list, const char *name, double value)
{
  hone__named_set(list, name, (struct hone_value){HONE_FLOAT, {.real = value}});
}

void hone__named_text(struct hone__named_list *list, const char *name, const char *text)
{
  hone__named_set(list, name, (struct hone_value){HONE_TEXT, {.text = text}});
}

void hone__named_add(struct hone__named_list *list, const struct hone__named *items, size_t count)
{
  for (size_t i = 0; i < count; i++)
    hone__named_set(list, items[i].name, items[i].value);
}

const struct hone_value *hone__named_find(const struct hone__named *items, size_t count,
                                          const char *name)
{
  for (size_t i = 0; i < count; i++)
    if (strcmp(items[i].name, name) == 0) return &items[i].value;
  return NULL;
}

double hone__named_number(const struct hone__named *items, size_t count, const char *name)
{
  const struct hone_value *value = hone__named_find(items, count, name);

  if (value && value->type == HONE_FLOAT) return value->real;
  return value && value->type == HONE_INT ? (double)value->integer : 0;
}

struct hone__named *hone__named_copy(struct hone__arena *arena, const struct hone__named *items,
                                     size_t count)
{
  struct hone__named_list list = {.arena = arena};

  hone__named_add(&list, items, count);
  return list.items;
}
