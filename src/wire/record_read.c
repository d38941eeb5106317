/* Decodes records. The depth of nested records is bounded: their types are ours, but a message may
 * nest `packed` ones to any depth.
 */
#include "wire/record.h"

#include "wire/packed_json.h"

#include <math.h>
#include <string.h>

enum { DEEPEST = 16 };

struct unpacking {
  struct hone__arena *arena;
  hone_status status; /* the first error */
  int depth;
};

static void unpack_record(struct unpacking *in, const json_t *json,
                          const struct hone__record_type *type, void *record);

static bool fail(struct unpacking *in, const char *name, const char *what)
{
  if (!in->status) in->status = hone__error(HONE_INVALID_ARGUMENT, "'%s' %s", name, what);
  return false;
}

static bool is_within(struct unpacking *in, const struct hone__field *field, double value)
{
  bool is_low = value<field->least, is_high = value> field->most;

  if (!is_low && !is_high) return true;
  if (!in->status)
    in->status = hone__error(HONE_INVALID_ARGUMENT, "'%s' is %g, which is %s than %g", field->name,
                             value, is_low ? "less" : "more", is_low ? field->least : field->most);
  return false;
}

static bool read_real(const json_t *json, double *out)
{
  const char *word = json_string_value(json);

  *out = json_is_null(json) ? NAN : json_number_value(json);
  if (json_is_null(json) || json_is_number(json)) return true;
  if (!word || (strcmp(word, "inf") != 0 && strcmp(word, "-inf") != 0)) return false;
  *out = *word == '-' ? -INFINITY : INFINITY;
  return true;
}

static bool read_value(const json_t *json, struct hone_value *out)
{
  struct hone_value value = {.type = HONE_NONE};

  if (json_is_boolean(json))
    value = (struct hone_value){HONE_BOOL, {.integer = json_is_true(json)}};
  if (json_is_integer(json))
    value = (struct hone_value){HONE_INT, {.integer = json_integer_value(json)}};
  if (json_is_real(json)) value = (struct hone_value){HONE_FLOAT, {.real = json_real_value(json)}};
  if (json_is_string(json))
    value = (struct hone_value){HONE_TEXT, {.text = json_string_value(json)}};
  *out = value;
  return value.type != HONE_NONE || json_is_null(json);
}

static bool read_choice(const struct hone__field *field, const char *word, int *out)
{
  const char *name;

  for (int i = 0; word && (name = field->choice_name(i)); i++)
    if (strcmp(name, word) == 0) {
      *out = i;
      return true;
    }
  return false;
}

static size_t item_size(const struct hone__field *field)
{
  switch (field->kind) {
  case HONE__FIELD_TEXTS: return sizeof(char *);
  case HONE__FIELD_REALS: return sizeof(double);
  case HONE__FIELD_INTS: return sizeof(int64_t);
  case HONE__FIELD_VALUES: return sizeof(struct hone_value);
  case HONE__FIELD_PAIRS: return sizeof(struct hone__name_value);
  default: return field->type->size;
  }
}

static bool read_pair(const json_t *json, struct hone__name_value *pair)
{
  pair->name = json_string_value(json_array_get(json, 0));
  pair->value = json_string_value(json_array_get(json, 1));
  return json_array_size(json) == 2 && pair->name && pair->value;
}

static bool read_item(struct unpacking *in, const struct hone__field *field, const json_t *json,
                      void *at)
{
  switch (field->kind) {
  case HONE__FIELD_TEXTS: return (*(const char **)at = json_string_value(json)) != NULL;
  case HONE__FIELD_REALS: return read_real(json, at);
  case HONE__FIELD_INTS: *(int64_t *)at = json_integer_value(json); return json_is_integer(json);
  case HONE__FIELD_VALUES: return read_value(json, at);
  case HONE__FIELD_PAIRS: return read_pair(json, at);
  default:
    if (!json_is_object(json) && !field->type->is_plain) return false;
    unpack_record(in, json, field->type, at);
    return !in->status;
  }
}

static bool unpack_list(struct unpacking *in, const struct hone__field *field, const json_t *json,
                        void *record)
{
  size_t count = json_array_size(json), size = item_size(field);
  char *items = hone__arena_alloc(in->arena, (count + 1) * size); /* texts end with a NULL */

  if (!json_is_array(json)) return fail(in, field->name, "is not a list");
  for (size_t i = 0; i < count; i++)
    if (!read_item(in, field, json_array_get(json, i), items + i * size))
      return fail(in, field->name, "has an item of the wrong type");
  *(void **)((char *)record + field->offset) = items;
  *(size_t *)((char *)record + field->count_offset) = count;
  return true;
}

static bool has_field(const struct hone__record_type *type, const char *name)
{
  for (size_t i = 0; i < type->field_count; i++)
    if (strcmp(type->fields[i].name, name) == 0 && type->fields[i].kind != HONE__FIELD_REST)
      return true;
  return false;
}

/* Skips members that are fields of `type`, and those that are not values (from a newer version). If
 * `type` is NULL, all are taken and must be values. */
static bool unpack_named(struct unpacking *in, const struct hone__field *field, const json_t *json,
                         const struct hone__record_type *type, void *record)
{
  struct hone__named *named =
      hone__arena_alloc(in->arena, (json_object_size(json) + 1) * sizeof *named);
  size_t count = 0;
  const char *name;
  json_t *value;

  if (!json_is_object(json)) return fail(in, field->name, "is not an object");
  json_object_foreach((json_t *)(uintptr_t)json, name, value)
  {
    if (type && has_field(type, name)) continue;
    named[count].name = name;
    if (read_value(value, &named[count].value))
      count++;
    else if (!type)
      return fail(in, field->name, "has an item of the wrong type");
  }
  *(void **)((char *)record + field->offset) = named;
  *(size_t *)((char *)record + field->count_offset) = count;
  return true;
}

static bool unpack_inner(struct unpacking *in, const struct hone__field *field, const json_t *json,
                         const void **out)
{
  void *record;

  if (!json_is_object(json)) return fail(in, field->name, "is not an object");
  if (field->kind == HONE__FIELD_PACKED) {
    *out = json;
    return true;
  }
  record = hone__arena_alloc(in->arena, field->type->size);
  unpack_record(in, json, field->type, record);
  *out = record;
  return !in->status;
}

static bool unpack_number(struct unpacking *in, const struct hone__field *field, const json_t *json,
                          void *at)
{
  double real;

  if (field->kind == HONE__FIELD_REAL) {
    if (!read_real(json, &real)) return fail(in, field->name, "is not a number");
    *(double *)at = real;
    return isnan(real) || is_within(in, field, real);
  }
  if (!json_is_integer(json)) return fail(in, field->name, "is not an integer");
  if (!is_within(in, field, (double)json_integer_value(json))) return false;
  if (field->kind == HONE__FIELD_SIZE)
    *(size_t *)at = (size_t)json_integer_value(json);
  else
    *(int64_t *)at = json_integer_value(json);
  return true;
}

static bool unpack_field(struct unpacking *in, const struct hone__field *field, const json_t *json,
                         void *record)
{
  void *at = (char *)record + field->offset;

  switch (field->kind) {
  case HONE__FIELD_BOOL:
    *(bool *)at = json_is_true(json);
    return json_is_boolean(json) || fail(in, field->name, "is neither true nor false");
  case HONE__FIELD_INT:
  case HONE__FIELD_SIZE:
  case HONE__FIELD_REAL: return unpack_number(in, field, json, at);
  case HONE__FIELD_TEXT:
    *(const char **)at = json_string_value(json);
    return json_is_string(json) || fail(in, field->name, "is not a string");
  case HONE__FIELD_CHOICE:
    return read_choice(field, json_string_value(json), at) ||
           fail(in, field->name, "has an unknown value");
  case HONE__FIELD_RECORD:
  case HONE__FIELD_PACKED: return unpack_inner(in, field, json, at);
  case HONE__FIELD_VALUE:
    return read_value(json, at) || fail(in, field->name, "is neither a number nor a string");
  case HONE__FIELD_NAMED: return unpack_named(in, field, json, NULL, record);
  default: return unpack_list(in, field, json, record);
  }
}

static void unpack_member(struct unpacking *in, const struct hone__field *field,
                          const json_t *value, void *record)
{
  bool is_null = json_is_null(value) && field->is_optional;

  if (value && (!is_null || field->kind == HONE__FIELD_REAL))
    unpack_field(in, field, value, record);
  else if (!field->is_optional)
    fail(in, field->name, "is missing");
  else if (field->kind == HONE__FIELD_REAL)
    *(double *)((char *)record + field->offset) = NAN;
}

static void unpack_record(struct unpacking *in, const json_t *json,
                          const struct hone__record_type *type, void *record)
{
  memset(record, 0, type->size);
  if (++in->depth > DEEPEST) fail(in, type->name, "is nested too deeply");
  if (type->is_plain && !json_is_object(json) && !in->status)
    unpack_field(in, &type->fields[0], json, record);
  for (size_t i = 0; i < type->field_count && !in->status && json_is_object(json); i++) {
    const struct hone__field *field = &type->fields[i];
    if (field->kind == HONE__FIELD_REST)
      unpack_named(in, field, json, type, record);
    else
      unpack_member(in, field, json_object_get(json, field->name), record);
  }
  in->depth--;
}

hone_status hone__unpack(const struct hone__packed *packed, const struct hone__record_type *type,
                         struct hone__arena *arena, void *out_record)
{
  struct unpacking in = {.arena = arena};

  if (json_is_object(hone__packed_json(packed)))
    unpack_record(&in, hone__packed_json(packed), type, out_record);
  else
    in.status = hone__error(HONE_INVALID_ARGUMENT, "it is not an object");
  return hone__annotate(in.status, "%s", type->name);
}
