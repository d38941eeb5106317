/* The decoder of every type of message looks at every field: one that is missing, or of another
 * type or outside its range, is refused by its name. Messages are made from the tables of fields.
 */
#include "../fuzz/message_types.h"
#include "wire/packed_json.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static json_t *valid_record(const struct hone__record_type *type);

static json_t *list_of(json_t *item)
{
  json_t *list = json_array();

  json_array_append_new(list, item);
  return list;
}

static json_t *valid_real(const struct hone__field *field)
{
  return isfinite(field->least) ? json_real(field->least) : json_real(fmin(0, field->most));
}

static json_t *valid(const struct hone__field *field)
{
  switch (field->kind) {
  case HONE__FIELD_BOOL: return json_true();
  case HONE__FIELD_INT:
  case HONE__FIELD_SIZE: return json_integer(field->least < -1 ? 0 : (json_int_t)field->least);
  case HONE__FIELD_REAL: return valid_real(field);
  case HONE__FIELD_TEXT: return json_string("x");
  case HONE__FIELD_CHOICE: return json_string(field->choice_name(0));
  case HONE__FIELD_RECORD: return valid_record(field->type);
  case HONE__FIELD_RECORDS: return list_of(valid_record(field->type));
  case HONE__FIELD_TEXTS: return list_of(json_string("x"));
  case HONE__FIELD_REALS: return list_of(json_real(1));
  case HONE__FIELD_INTS: return list_of(json_integer(1));
  case HONE__FIELD_VALUES: return list_of(json_integer(1));
  case HONE__FIELD_PAIRS: return list_of(json_pack("[ss]", "a", "b"));
  case HONE__FIELD_VALUE: return json_integer(1);
  default: return json_object();
  }
}

/* A value of a type that the field does not take. */
static json_t *of_another_type(const struct hone__field *field)
{
  switch (field->kind) {
  case HONE__FIELD_TEXT:
  case HONE__FIELD_TEXTS:
  case HONE__FIELD_CHOICE: return json_integer(7);
  case HONE__FIELD_VALUE: return json_array();
  case HONE__FIELD_RECORD: return field->type->is_plain ? json_array() : json_string("x");
  default: return json_string("x");
  }
}

static json_t *valid_record(const struct hone__record_type *type)
{
  json_t *object = json_object();

  for (size_t i = 0; i < type->field_count; i++)
    if (!type->fields[i].is_optional)
      json_object_set_new(object, type->fields[i].name, valid(&type->fields[i]));
  return object;
}

/* The message, with this field replaced; NULL removes it. */
static hone_status decode(const struct hone__record_type *type, const char *name, json_t *value)
{
  json_t *json = valid_record(type);
  void *record = hone__alloc(type->size);
  struct hone__arena arena = {0};
  hone_status status;

  if (value)
    json_object_set_new(json, name, value);
  else if (name)
    json_object_del(json, name);
  status = hone__unpack(hone__wire_json_packed(json), type, &arena, record);
  hone__arena_release(&arena);
  free(record);
  json_decref(json);
  return status;
}

static void expect_named(const struct hone__record_type *type, const char *name, hone_status status)
{
  char quoted[80];

  snprintf(quoted, sizeof quoted, "'%s'", name);
  if (!strstr(hone_status_message(status), quoted) ||
      !strstr(hone_status_message(status), type->name))
    fail_msg("%s, %s: '%s'", type->name, name, hone_status_message(status));
  hone_status_free(status);
}

/* Bounds are doubles: beyond 2^52 the next integer is not the next double. */
static double beyond(double bound, double sign)
{
  return bound + sign * fmax(1, fabs(bound) / 2);
}

static json_t *number(const struct hone__field *field, double value)
{
  return field->kind == HONE__FIELD_REAL ? json_real(value) : json_integer((json_int_t)value);
}

static void check_range(const struct hone__record_type *type, const struct hone__field *field)
{
  const double outside[] = {beyond(field->least, -1), beyond(field->most, 1)};

  if (field->kind != HONE__FIELD_REAL && field->kind != HONE__FIELD_INT &&
      field->kind != HONE__FIELD_SIZE)
    return;
  for (size_t i = 0; i < 2; i++)
    if (fabs(outside[i]) < 0x1p62)
      expect_named(type, field->name, decode(type, field->name, number(field, outside[i])));
}

static void check_field(const struct hone__record_type *type, const struct hone__field *field)
{
  if (field->kind == HONE__FIELD_REST) return;
  assert_null(decode(type, field->name, valid(field)));
  if (!field->is_optional) expect_named(type, field->name, decode(type, field->name, NULL));
  expect_named(type, field->name, decode(type, field->name, of_another_type(field)));
  check_range(type, field);
}

static void every_field_is_checked(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof message_types / sizeof *message_types; i++)
    for (size_t k = 0; k < message_types[i]->field_count; k++)
      check_field(message_types[i], &message_types[i]->fields[k]);
}

/* A newer version may send more. */
static void unknown_fields_are_skipped(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof message_types / sizeof *message_types; i++) {
    const struct hone__record_type *type = message_types[i];
    hone_status status = decode(type, "of a later version", json_true());
    if (status) fail_msg("%s", hone_status_message(status));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_field_is_checked),
      cmocka_unit_test(unknown_fields_are_skipped),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
