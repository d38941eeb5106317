/* The fields of facts and states of devices, and lists of them. */
#include "wire/device_facts.h"

#include "wire/named.h"

#include <string.h>

static const struct hone__field facts_fields[] = {
    HONE__TEXT(struct hone__wire_device_facts, device, HONE__OPTIONAL),
    HONE__TEXT(struct hone__wire_device_facts, name, HONE__OPTIONAL),
    HONE__TEXT(struct hone__wire_device_facts, kind, HONE__OPTIONAL),
    HONE__TEXT(struct hone__wire_device_facts, arch, HONE__OPTIONAL),
    HONE__TEXT(struct hone__wire_device_facts, driver, HONE__OPTIONAL),
    HONE__TEXT(struct hone__wire_device_facts, platform, HONE__OPTIONAL),
    HONE__TEXT(struct hone__wire_device_facts, uuid, HONE__OPTIONAL),
    HONE__TEXT(struct hone__wire_device_facts, fingerprint, HONE__OPTIONAL),
    HONE__BOOL(struct hone__wire_device_facts, is_default, HONE__OPTIONAL),
    HONE__TEXTS(struct hone__wire_device_facts, notes, HONE__OPTIONAL),
    HONE__REST(struct hone__wire_device_facts, other),
};
const struct hone__record_type hone__wire_device_facts_type =
    HONE__RECORD_TYPE("facts of a device", struct hone__wire_device_facts, facts_fields);

static const struct hone__field list_fields[] = {
    HONE__RECORDS(struct hone__wire_device_list, devices, HONE__NEEDED,
                  &hone__wire_device_facts_type),
};
const struct hone__record_type hone__wire_device_list_type =
    HONE__RECORD_TYPE("list of devices", struct hone__wire_device_list, list_fields);

static const struct hone__field state_fields[] = {
    HONE__VALUE(struct hone__wire_device_state, clock_mhz_now, HONE__OPTIONAL),
    HONE__VALUE(struct hone__wire_device_state, memory_clock_mhz_now, HONE__OPTIONAL),
    HONE__VALUE(struct hone__wire_device_state, temperature_c, HONE__OPTIONAL),
    HONE__VALUE(struct hone__wire_device_state, power_w, HONE__OPTIONAL),
    HONE__TEXTS(struct hone__wire_device_state, throttled, HONE__OPTIONAL),
    HONE__VALUE(struct hone__wire_device_state, others, HONE__OPTIONAL),
};
const struct hone__record_type hone__wire_device_state_type =
    HONE__RECORD_TYPE("state of a device", struct hone__wire_device_state, state_fields);

void hone__wire_device_facts_note(struct hone__wire_device_facts *facts, struct hone__arena *arena,
                                  const char *note)
{
  const char **notes = hone__arena_alloc(arena, (facts->notes_count + 1) * sizeof *notes);

  if (facts->notes_count) memcpy(notes, facts->notes, facts->notes_count * sizeof *notes);
  notes[facts->notes_count++] = hone__arena_strdup(arena, note);
  facts->notes = notes;
}

static const char **text_at(struct hone__wire_device_facts *facts, const struct hone__field *field)
{
  return (const char **)(void *)((char *)facts + field->offset);
}

static bool set_member(struct hone__wire_device_facts *facts, struct hone__arena *arena,
                       const struct hone__field *field, struct hone_value value)
{
  if (field->kind != HONE__FIELD_TEXT || value.type != HONE_TEXT) return false;
  *text_at(facts, field) = hone__arena_strdup(arena, value.text);
  return true;
}

static void set_other(struct hone__wire_device_facts *facts, struct hone__arena *arena,
                      const struct hone__named *more, size_t count)
{
  struct hone__named_list list = {.arena = arena};

  hone__named_add(&list, facts->other, facts->other_count);
  hone__named_add(&list, more, count);
  facts->other = list.items;
  facts->other_count = list.count;
}

bool hone__wire_device_facts_set(struct hone__wire_device_facts *facts, struct hone__arena *arena,
                                 const char *name, struct hone_value value)
{
  const struct hone__record_type *type = &hone__wire_device_facts_type;

  for (size_t i = 0; i < type->field_count; i++)
    if (type->fields[i].kind != HONE__FIELD_REST && strcmp(type->fields[i].name, name) == 0)
      return set_member(facts, arena, &type->fields[i], value);
  set_other(facts, arena, &(struct hone__named){name, value}, 1);
  return true;
}

struct hone__wire_device_facts *
hone__wire_device_facts_copy(const struct hone__wire_device_facts *facts, struct hone__arena *arena)
{
  const struct hone__record_type *type = &hone__wire_device_facts_type;
  struct hone__wire_device_facts *copy;

  if (!facts) return NULL;
  copy = hone__arena_alloc(arena, sizeof *copy);
  *copy = *facts;
  for (size_t i = 0; i < type->field_count; i++) {
    const char **text = text_at(copy, &type->fields[i]);
    if (type->fields[i].kind == HONE__FIELD_TEXT && *text) *text = hone__arena_strdup(arena, *text);
  }
  copy->notes_count = 0;
  for (size_t i = 0; i < facts->notes_count; i++)
    hone__wire_device_facts_note(copy, arena, facts->notes[i]);
  set_other(copy, arena, NULL, 0);
  return copy;
}

static void grow(struct hone__wire_device_list *list)
{
  struct hone__wire_device_facts *old = list->devices;

  list->capacity = list->capacity ? 2 * list->capacity : 8;
  list->devices = hone__arena_alloc(&list->arena, list->capacity * sizeof *list->devices);
  if (old) memcpy(list->devices, old, list->devices_count * sizeof *old);
}

void hone__wire_device_list_add(struct hone__wire_device_list *list,
                                const struct hone__wire_device_facts *facts)
{
  if (list->devices_count == list->capacity) grow(list);
  list->devices[list->devices_count++] = *facts;
}

void hone__wire_device_list_release(struct hone__wire_device_list *list)
{
  hone__arena_release(&list->arena);
  hone__packed_drop(list->packed);
  *list = (struct hone__wire_device_list){0};
}
