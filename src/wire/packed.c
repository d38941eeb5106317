/* Operations on whole messages. struct hone__packed is never defined: it is a json_t. */
#include "wire/record.h"

#include "wire/packed_json.h"

#include <stdlib.h>
#include <string.h>

json_t *hone__packed_json(const struct hone__packed *packed)
{
  return (json_t *)(uintptr_t)packed;
}

struct hone__packed *hone__wire_json_packed(const json_t *json)
{
  return (struct hone__packed *)(uintptr_t)json;
}

static int add_piece(const char *bytes, size_t size, void *text)
{
  hone__text_addn(text, bytes, size);
  return 0;
}

void hone__wire_json_print(const json_t *json, size_t flags, struct hone__text *text)
{
  json_dump_callback(json, add_piece, text, JSON_COMPACT | JSON_ENCODE_ANY | flags);
}

struct hone__packed *hone__packed_new(void)
{
  return hone__wire_json_packed(json_object());
}

void hone__packed_add(struct hone__packed *packed, const struct hone__record_type *type,
                      const void *record)
{
  struct hone__packed *added = hone__pack(type, record);

  hone__packed_merge(packed, added);
  hone__packed_drop(added);
}

struct hone__packed *hone__packed_copy(const struct hone__packed *packed)
{
  return hone__wire_json_packed(json_deep_copy(hone__packed_json(packed)));
}

void hone__packed_merge(struct hone__packed *packed, const struct hone__packed *other)
{
  if (other) json_object_update(hone__packed_json(packed), hone__packed_json(other));
}

void hone__packed_remove(struct hone__packed *packed, const char *name)
{
  json_object_del(hone__packed_json(packed), name);
}

struct hone__packed *hone__packed_hold(const struct hone__packed *packed)
{
  return hone__wire_json_packed(json_incref(hone__packed_json(packed)));
}

void hone__packed_drop(struct hone__packed *packed)
{
  json_decref(hone__packed_json(packed));
}

bool hone__packed_equal(const struct hone__packed *a, const struct hone__packed *b)
{
  return json_equal(hone__packed_json(a), hone__packed_json(b));
}

void hone__packed_print(const struct hone__packed *packed, struct hone__text *text)
{
  hone__wire_json_print(hone__packed_json(packed), JSON_SORT_KEYS, text);
}

const char *hone__record_text(struct hone__arena *arena, const struct hone__record_type *type,
                              const void *record)
{
  struct hone__packed *packed = hone__pack(type, record);
  struct hone__text text = {0};
  const char *kept;

  hone__packed_print(packed, &text);
  kept = hone__arena_strdup(arena, text.data);
  hone__text_release(&text);
  hone__packed_drop(packed);
  return kept;
}

void hone__packed_digest_member(const struct hone__packed *packed, const char *name,
                                struct hone__digester *digester)
{
  char *text = json_dumps(json_object_get(hone__packed_json(packed), name),
                          JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);

  hone__digest_add_text(digester, text);
  free(text);
}

hone_status hone__packed_parse_first(const char *text, struct hone__packed **out_packed)
{
  json_error_t error;
  json_t *json = json_loads(text, JSON_DISABLE_EOF_CHECK, &error);

  *out_packed = hone__wire_json_packed(json);
  return json ? NULL : hone__error(HONE_INVALID_ARGUMENT, "%s", error.text);
}

struct hone__packed *hone__packed_parse(const char *text, size_t size)
{
  json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);

  if (json_is_object(json)) return hone__wire_json_packed(json);
  json_decref(json);
  return NULL;
}
