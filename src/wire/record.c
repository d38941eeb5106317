/* Packing and unpacking are two tables of functions, one entry a kind. A depth bounds records
 * within records: their types are ours, but a message may nest `packed` ones as it likes. */
#include "wire/record.h"

#include "base/json_string.h"
#include "wire/packed_json.h"

#include <math.h>
#include <stdlib.h>

/* struct hone__packed is never defined: it is a json_t. */

static json_t *json_of(const struct hone__packed *packed)
{
  return (json_t *)(uintptr_t)packed;
}

static struct hone__packed *packed_of(json_t *json)
{
  return (struct hone__packed *)json;
}

static size_t count_at(const void *record, const struct hone__field *field)
{
  return *(const size_t *)((const char *)record + field->count_offset);
}

/* ---- Out ---- */

static json_t *pack_record(const struct hone__record_type *type, const void *record);

static json_t *pack_real(double value)
{
  if (isnan(value)) return json_null();
  if (isinf(value)) return json_string(value > 0 ? "inf" : "-inf");
  return json_real(value);
}

static json_t *pack_text(const char *text)
{
  return text ? hone__json_string(text, strlen(text)) : NULL;
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

/* NULL: there is nothing, which only an optional field may be. */
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
  case HONE__FIELD_PACKED: return *pointer ? json_incref(json_of(*pointer)) : NULL;
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

/* What an optional field need not say. A value that is there is said, whatever it is. */
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
  return packed_of(pack_record(type, record));
}

/* ---- In ---- */

enum { DEEPEST = 16 };

struct unpacking {
  struct hone__arena *arena;
  hone_status status; /* the first that is wrong */
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
  char *items = hone__arena_alloc(in->arena, (count + 1) * size); /* a NULL ends texts */

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

/* Members that are known to `type`, and those that are no values (a newer version's), are skipped;
 * NULL: all are taken, and have to be values. */
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

  if (json_is_object(json_of(packed)))
    unpack_record(&in, json_of(packed), type, out_record);
  else
    in.status = hone__error(HONE_INVALID_ARGUMENT, "it is not an object");
  return hone__annotate(in.status, "%s", type->name);
}

/* ---- Messages as wholes ---- */

json_t *hone__packed_json(const struct hone__packed *packed)
{
  return json_of(packed);
}

struct hone__packed *hone__json_packed(const json_t *json)
{
  return packed_of((json_t *)(uintptr_t)json);
}

struct hone__packed *hone__packed_new(void)
{
  return packed_of(json_object());
}

void hone__packed_add(struct hone__packed *packed, const struct hone__record_type *type,
                      const void *record)
{
  json_t *added = pack_record(type, record);

  json_object_update(json_of(packed), added);
  json_decref(added);
}

struct hone__packed *hone__packed_copy(const struct hone__packed *packed)
{
  return packed_of(json_deep_copy(json_of(packed)));
}

void hone__packed_merge(struct hone__packed *packed, const struct hone__packed *other)
{
  if (other) json_object_update(json_of(packed), json_of(other));
}

void hone__packed_remove(struct hone__packed *packed, const char *name)
{
  json_object_del(json_of(packed), name);
}

struct hone__packed *hone__packed_hold(const struct hone__packed *packed)
{
  return packed_of(json_incref(json_of(packed)));
}

void hone__packed_drop(struct hone__packed *packed)
{
  json_decref(json_of(packed));
}

bool hone__packed_equal(const struct hone__packed *a, const struct hone__packed *b)
{
  return json_equal(json_of(a), json_of(b));
}

static int add_piece(const char *bytes, size_t size, void *text)
{
  hone__text_addn(text, bytes, size);
  return 0;
}

void hone__packed_print(const struct hone__packed *packed, struct hone__text *text)
{
  json_dump_callback(json_of(packed), add_piece, text, JSON_COMPACT | JSON_SORT_KEYS);
}

void hone__field_print(const struct hone__record_type *type, const void *record, const char *name,
                       enum hone__member_order order, struct hone__text *text)
{
  json_t *object = json_object();
  const json_t *value;

  for (size_t i = 0; i < type->field_count; i++)
    if (strcmp(type->fields[i].name, name) == 0) pack_member(&type->fields[i], record, object);
  value = json_object_get(object, name);
  if (value)
    json_dump_callback(value, add_piece, text,
                       JSON_COMPACT | JSON_ENCODE_ANY |
                           (order == HONE__BY_NAME ? JSON_SORT_KEYS : 0));
  json_decref(object);
}

void hone__packed_digest_member(const struct hone__packed *packed, const char *name,
                                struct hone__digester *digester)
{
  char *text = json_dumps(json_object_get(json_of(packed), name),
                          JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);

  hone__digest_add_text(digester, text);
  free(text);
}

hone_status hone__packed_parse_first(const char *text, struct hone__packed **out_packed)
{
  json_error_t error;
  json_t *json = json_loads(text, JSON_DISABLE_EOF_CHECK, &error);

  *out_packed = packed_of(json);
  return json ? NULL : hone__error(HONE_INVALID_ARGUMENT, "%s", error.text);
}

void hone__record_print(const struct hone__record_type *type, const void *record,
                        struct hone__text *text)
{
  json_t *object = pack_record(type, record);

  json_dump_callback(object, add_piece, text, JSON_COMPACT);
  json_decref(object);
}

struct hone__packed *hone__packed_parse(const char *text, size_t size)
{
  json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);

  if (json_is_object(json)) return packed_of(json);
  json_decref(json);
  return NULL;
}
