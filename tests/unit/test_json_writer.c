/* JSON as text: what is written can be read again, and nests as it should. */
#include "spec/json_writer.h"
#include "spec/value.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static json_t *read_back(struct hone__json_writer *writer)
{
  json_t *json = json_loads(writer->text.data, JSON_DECODE_ANY, NULL);

  if (!json) fail_msg("no JSON: %s", writer->text.data);
  hone__text_release(&writer->text);
  return json;
}

static void values_have_their_types(void **state)
{
  struct hone__json_writer out = {0};
  json_t *json;

  (void)state;
  hone__json_open(&out, NULL, '{');
  hone__json_value(&out, "none", (struct hone_value){.type = HONE_NONE});
  hone__json_value(&out, "yes", hone__bool(true));
  hone__json_value(&out, "least", hone__int(INT64_MIN));
  hone__json_value(&out, "tenth", hone__real(0.1));
  hone__json_value(&out, "inf", hone__real(INFINITY));
  hone__json_value(&out, "text", hone__string("a\"b\\\n\x01"));
  hone__json_text_or_null(&out, "empty", "");
  hone__json_real(&out, "nan", NAN);
  hone__json_bool(&out, "no", false);
  hone__json_raw(&out, "raw", "[1,2]");
  hone__json_close(&out, '}');
  assert_non_null(strstr(out.text.data, "\"tenth\": 0.1,"));
  json = read_back(&out);
  assert_true(json_is_null(json_object_get(json, "none")));
  assert_true(json_is_true(json_object_get(json, "yes")));
  assert_true(json_integer_value(json_object_get(json, "least")) == INT64_MIN);
  assert_true(json_real_value(json_object_get(json, "tenth")) == 0.1);
  assert_true(json_is_string(json_object_get(json, "inf")));
  assert_string_equal(json_string_value(json_object_get(json, "text")), "a\"b\\\n\x01");
  assert_true(json_is_null(json_object_get(json, "empty")));
  assert_true(json_is_null(json_object_get(json, "nan")));
  assert_true(json_is_false(json_object_get(json, "no")));
  assert_int_equal(json_array_size(json_object_get(json, "raw")), 2);
  json_decref(json);
}

static void lists_and_objects_nest(void **state)
{
  struct hone__json_writer out = {0};

  (void)state;
  hone__json_open(&out, NULL, '[');
  hone__json_open(&out, NULL, '{');
  hone__json_close(&out, '}');
  hone__json_open(&out, NULL, '[');
  hone__json_integer(&out, NULL, 1);
  hone__json_null(&out, NULL);
  hone__json_close(&out, ']');
  hone__json_close(&out, ']');
  assert_string_equal(out.text.data, "[\n  {},\n  [\n    1,\n    null\n  ]\n]");
  hone__text_release(&out.text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_have_their_types),
      cmocka_unit_test(lists_and_objects_nest),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
