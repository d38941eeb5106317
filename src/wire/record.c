/* Encodes records: one branch per kind of field. record_read.c decodes them. */
#include "wire/record.h"

#include "base/json_string.h"
#include "wire/packed_json.h"

#include <math.h>
#include <stdlib.h>

static size_t count_at(const void *record, const struct hone__field *field)
{
  return *(const size_t *)((const char *)record + field->count_offset);
}

static json_t *pack_record(const struct hone__record_type *type, const void *record);

static json_t *pack_real(double value)
{
  if (isnan(value)) return json_null();
  if (isinf(value)) return json_string(value > 0 ? "inf" : "-inf");
  return json_real(value);
}

static json_t *pack_text(const char *text)
{
  return text ? hone__text_to_json(text, strlen(text)) : NULL;
}

static json_t *pack_value(struct hone_value value)
{
  switch (value.type) {
  case HONE_BOOL: return json_boolean(value.integer);
  case HONE_INT: return json_integer(value.integer);
  case HONE_FLOAT: return pack_real(value.real);
  case HONE_TEXT: return pack_text(value.text);
  default: return NULL;
  }
}

static json_t *pack_pair(const struct hone__name_value *pair)
{
  json_t *two = json_array();

  json_array_append_new(two, pack_text(pair->name));
  json_array_append_new(two, pack_text(pair->value));
  return two;
}

static void pack_named(const struct hone__named *named, size_t count, json_t *object)
{
  for (size_t i = 0; i < count; i++) {
    json_t *value = pack_value(named[i].value);
    json_object_set_new(object, named[i].name, value ? value : json_null());
  }
}

static json_t *pack_list(const struct hone__field *field, const void *list, size_t count)
{
  json_t *array = json_array();

  for (size_t i = 0; i < count; i++) {
    json_t *item = NULL;
    switch (field->kind) {
    case HONE__FIELD_TEXTS: item = pack_text(((const char *const *)list)[i]); break;
    case HONE__FIELD_REALS: item = pack_real(((const double *)list)[i]); break;
    case HONE__FIELD_INTS: item = json_integer(((const int64_t *)list)[i]); break;
    case HONE__FIELD_VALUES: item = pack_value(((const struct hone_value *)list)[i]); break;
    case HONE__FIELD_PAIRS: item = pack_pair((const struct hone__name_value *)list + i); break;
    default: item = pack_record(field->type, (const char *)list + i * field->type->size);
    }
    json_array_append_new(array, item ? item : json_null());
  }
  return array;
}

static json_t *pack_members(const struct hone__named *named, size_t count)
{
  json_t *object = json_object();

  pack_named(named, count, object);
  return object;
}

/* NULL: there is no value, which only an optional field allows. */
static json_t *pack_field(const struct hone__field *field, const void *record)
{
  const void *at = (const char *)record + field->offset;
  const void *const *pointer = at;

  if (field->is_nullable && !*pointer) return json_null();
  switch (field->kind) {
  case HONE__FIELD_BOOL: return json_boolean(*(const bool *)at);
  case HONE__FIELD_INT: return json_integer(*(const int64_t *)at);
  case HONE__FIELD_SIZE: return json_integer((json_int_t) * (const size_t *)at);
  case HONE__FIELD_REAL: return pack_real(*(const double *)at);
  case HONE__FIELD_TEXT: return pack_text(*pointer);
  case HONE__FIELD_CHOICE: return pack_text(field->choice_name(*(const int *)at));
  case HONE__FIELD_RECORD: return *pointer ? pack_record(field->type, *pointer) : NULL;
  case HONE__FIELD_PACKED: return *pointer ? json_incref(hone__packed_json(*pointer)) : NULL;
  case HONE__FIELD_VALUE: return pack_value(*(const struct hone_value *)at);
  case HONE__FIELD_NAMED: return pack_members(*pointer, count_at(record, field));
  default: return pack_list(field, *pointer, count_at(record, field));
  }
}

static bool is_list(const struct hone__field *field)
{
  switch (field->kind) {
  case HONE__FIELD_TEXTS:
  case HONE__FIELD_REALS:
  case HONE__FIELD_INTS:
  case HONE__FIELD_RECORDS:
  case HONE__FIELD_VALUES:
  case HONE__FIELD_PAIRS:
  case HONE__FIELD_NAMED: return true;
  default: return false;
  }
}

/* Whether an optional field is omitted. A value that is set is always sent. */
static bool is_nothing(const struct hone__field *field, const void *record, const json_t *value)
{
  if (field->is_always_sent || field->kind == HONE__FIELD_VALUE) return false;
  if (is_list(field)) return !*(const void *const *)((const char *)record + field->offset);
  return json_is_null(value) || json_is_false(value) ||
         (json_is_integer(value) && !json_integer_value(value));
}

static void pack_member(const struct hone__field *field, const void *record, json_t *object)
{
  json_t *value = pack_field(field, record);

  if (!value && !field->is_optional) HONE__BUG("a required field of a message is missing");
  if (!value || (field->is_optional && is_nothing(field, record, value)))
    json_decref(value);
  else
    json_object_set_new(object, field->name, value);
}

static json_t *pack_record(const struct hone__record_type *type, const void *record)
{
  json_t *object = type->is_plain ? pack_field(&type->fields[0], record) : NULL;

  if (object) return object;
  object = json_object();
  for (size_t i = 0; i < type->field_count; i++) {
    const struct hone__field *field = &type->fields[i];
    if (field->kind == HONE__FIELD_REST)
      pack_named(*(void *const *)((const char *)record + field->offset), count_at(record, field),
                 object);
    else
      pack_member(field, record, object);
  }
  return object;
}

struct hone__packed *hone__pack(const struct hone__record_type *type, const void *record)
{
  return hone__wire_json_packed(pack_record(type, record));
}

/* ---- As text ---- */

void hone__field_print(const struct hone__record_type *type, const void *record, const char *name,
                       enum hone__packed_order order, struct hone__text *text)
{
  json_t *object = json_object();
  const json_t *value;

  for (size_t i = 0; i < type->field_count; i++)
    if (strcmp(type->fields[i].name, name) == 0) pack_member(&type->fields[i], record, object);
  value = json_object_get(object, name);
  if (value) hone__wire_json_print(value, order == HONE__BY_NAME ? JSON_SORT_KEYS : 0, text);
  json_decref(object);
}

void hone__record_print(const struct hone__record_type *type, const void *record,
                        struct hone__text *text)
{
  json_t *object = pack_record(type, record);

  hone__wire_json_print(object, 0, text);
  json_decref(object);
}
