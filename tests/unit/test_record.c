/* Structs as messages: what goes out comes in again, and what is wrong is named. */
#include "wire/record.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum colour { RED, GREEN };
static const char *colour_name(int colour)
{
  static const char *const names[] = {"red", "green"};

  return colour < 2 ? names[colour] : NULL;
}

struct point {
  int64_t x, y;
};
static const struct hone__field point_fields[] = {
    HONE__INT(struct point, x, HONE__NEEDED, -100, 100),
    HONE__INT(struct point, y, HONE__OPTIONAL, -100, 100),
};
static const struct hone__record_type point_type =
    HONE__RECORD_TYPE("point", struct point, point_fields);

struct shape {
  const char *name;
  bool is_closed;
  size_t bytes;
  double area, slope;
  int colour;
  const struct point *centre;
  const struct hone__packed *extra;
  const char **words;
  double *weights;
  int64_t *numbers;
  struct point *corners;
  struct hone__name_value *sizes;
  size_t words_count, weights_count, numbers_count, corners_count, sizes_count;
};
static const struct hone__field shape_fields[] = {
    HONE__TEXT(struct shape, name, HONE__NEEDED),
    HONE__BOOL(struct shape, is_closed, HONE__OPTIONAL),
    HONE__SIZE(struct shape, bytes, HONE__OPTIONAL),
    HONE__REAL(struct shape, area, HONE__NEEDED, 0, INFINITY),
    HONE__REAL(struct shape, slope, HONE__OPTIONAL, -INFINITY, INFINITY),
    HONE__CHOICE(struct shape, colour, HONE__NEEDED, colour_name),
    HONE__RECORD(struct shape, centre, HONE__OPTIONAL, &point_type),
    HONE__PACKED(struct shape, extra, HONE__OPTIONAL),
    HONE__TEXTS(struct shape, words, HONE__OPTIONAL),
    HONE__REALS(struct shape, weights, HONE__OPTIONAL),
    HONE__INTS(struct shape, numbers, HONE__OPTIONAL),
    HONE__RECORDS(struct shape, corners, HONE__OPTIONAL, &point_type),
    HONE__PAIRS(struct shape, sizes, HONE__OPTIONAL),
};
static const struct hone__record_type shape_type =
    HONE__RECORD_TYPE("shape", struct shape, shape_fields);

static void test_all_kinds(void **state)
{
  const char *words[] = {"a", "b \xff"};
  double weights[] = {1.5, NAN, -INFINITY};
  int64_t numbers[] = {INT64_MIN, INT64_MAX};
  struct point corners[] = {{1, 2}, {3, 0}}, inner = {4, 5}, again;
  struct hone__arena arena = {0};
  struct hone__packed *extra = hone__pack(&point_type, &inner), *packed;
  struct hone__name_value sizes[] = {{"width", "1"}, {"", "\xff"}};
  struct shape shape = {"box",   true,    7,       1e300, NAN, GREEN, corners, extra, words,
                        weights, numbers, corners, sizes, 2,   3,     2,       2,     2};
  struct shape got;

  (void)state;
  packed = hone__pack(&shape_type, &shape);
  assert_null(hone__unpack(packed, &shape_type, &arena, &got));
  assert_string_equal(got.name, "box");
  assert_true(got.is_closed && got.bytes == 7 && got.area == 1e300 && isnan(got.slope));
  assert_int_equal(got.colour, GREEN);
  assert_true(got.centre->x == 1 && got.centre->y == 2);
  assert_null(hone__unpack(got.extra, &point_type, &arena, &again));
  assert_true(again.x == 4 && again.y == 5);
  assert_true(got.words_count == 2 && strcmp(got.words[1], "b ?") == 0 && !got.words[2]);
  assert_true(got.weights_count == 3 && isnan(got.weights[1]) && got.weights[2] == -INFINITY);
  assert_true(got.numbers[0] == INT64_MIN && got.numbers[1] == INT64_MAX);
  assert_true(got.corners_count == 2 && got.corners[1].x == 3 && got.corners[1].y == 0);
  assert_true(got.sizes_count == 2 && strcmp(got.sizes[0].name, "width") == 0);
  assert_string_equal(got.sizes[1].value, "?");
  hone__packed_drop(packed);
  hone__packed_drop(extra);
  hone__arena_release(&arena);
}

static void expect(const char *text, const char *message)
{
  struct hone__packed *packed = hone__packed_parse(text, strlen(text));
  struct hone__arena arena = {0};
  struct shape shape;
  hone_status status;

  assert_non_null(packed);
  status = hone__unpack(packed, &shape_type, &arena, &shape);
  if (message)
    assert_string_equal(hone_status_message(status), message);
  else
    assert_null(status);
  hone_status_free(status);
  hone__packed_drop(packed);
  hone__arena_release(&arena);
}

#define WHOLE "\"name\": \"n\", \"colour\": \"red\", \"area\": 1"

static void test_what_is_wrong_is_named(void **state)
{
  (void)state;
  expect("{" WHOLE "}", NULL);
  expect("{" WHOLE ", \"newer\": [1, {}]}", NULL);
  expect("{\"area\": 1, \"colour\": \"red\"}", "shape: 'name' is missing");
  expect("{\"name\": 1}", "shape: 'name' is not a string");
  expect("{\"name\": \"n\", \"area\": -1}", "shape: 'area' is -1, which is less than 0");
  expect("{\"name\": \"n\", \"area\": \"big\"}", "shape: 'area' is not a number");
  expect("{\"name\": \"n\", \"area\": 1, \"colour\": \"blue\"}",
         "shape: 'colour' has an unknown value");
  expect("{" WHOLE ", \"bytes\": 1.5}", "shape: 'bytes' is not an integer");
  expect("{" WHOLE ", \"is_closed\": 1}", "shape: 'is_closed' is neither true nor false");
  expect("{" WHOLE ", \"centre\": {\"x\": 101}}", "shape: 'x' is 101, which is more than 100");
  expect("{" WHOLE ", \"centre\": []}", "shape: 'centre' is not an object");
  expect("{" WHOLE ", \"words\": [1]}", "shape: 'words' has an item of the wrong type");
  expect("{" WHOLE ", \"sizes\": [[\"width\"]]}", "shape: 'sizes' has an item of the wrong type");
  expect("{" WHOLE ", \"sizes\": [[\"width\", 1]]}",
         "shape: 'sizes' has an item of the wrong type");
  expect("{" WHOLE ", \"corners\": {}}", "shape: 'corners' is not a list");
  expect("{" WHOLE ", \"corners\": [{}]}", "shape: 'x' is missing");
}

static void test_optional_fields(void **state)
{
  struct shape shape = {.name = "n", .slope = NAN};
  struct hone__packed *packed = hone__pack(&shape_type, &shape);
  struct hone__text text = {0};

  (void)state;
  hone__packed_print(packed, &text);
  assert_string_equal(text.data, "{\"area\":0.0,\"colour\":\"red\",\"name\":\"n\"}");
  hone__text_release(&text);
  hone__packed_drop(packed);
  hone__record_print(&shape_type, &shape, &text);
  assert_string_equal(text.data, "{\"name\":\"n\",\"area\":0.0,\"colour\":\"red\"}");
  hone__text_release(&text);
  assert_null(hone__packed_parse("[]", 2));
  assert_null(hone__packed_parse("{", 1));
}

/* ---- Values, pairs, names ---- */

struct part { /* a value alone, or a size */
  struct hone_value value;
  size_t bytes;
};
static const struct hone__field part_fields[] = {
    HONE__VALUE(struct part, value, HONE__OPTIONAL),
    HONE__SIZE(struct part, bytes, HONE__OPTIONAL),
};
static const struct hone__record_type part_type =
    HONE__PLAIN_RECORD_TYPE("part", struct part, part_fields);

struct bag {
  struct hone_value one;
  bool is_sent;
  struct hone_value *values;
  struct hone__name_value *pairs;
  struct hone__named *costs, *rest;
  struct part *parts;
  size_t values_count, pairs_count, costs_count, rest_count, parts_count;
};
static const struct hone__field bag_fields[] = {
    HONE__VALUE(struct bag, one, HONE__OPTIONAL),
    HONE__BOOL_AS(struct bag, "sent", is_sent, HONE__SENT),
    HONE__VALUES(struct bag, values, HONE__OPTIONAL),
    HONE__PAIRS(struct bag, pairs, HONE__OPTIONAL),
    HONE__NAMED(struct bag, costs, HONE__OPTIONAL),
    HONE__RECORDS(struct bag, parts, HONE__OPTIONAL, &part_type),
    HONE__REST(struct bag, rest),
};
static const struct hone__record_type bag_type = HONE__RECORD_TYPE("bag", struct bag, bag_fields);

/* What comes in goes out again. */
static void expect_bag(const char *text, const char *message, const char *again)
{
  struct hone__packed *packed = hone__packed_parse(text, strlen(text)), *second;
  struct hone__arena arena = {0};
  struct hone__text out = {0};
  struct bag bag;
  hone_status status = hone__unpack(packed, &bag_type, &arena, &bag);

  if (message) {
    assert_string_equal(hone_status_message(status), message);
  } else {
    assert_null(status);
    second = hone__pack(&bag_type, &bag);
    hone__packed_print(second, &out);
    assert_string_equal(out.data, again);
    hone__packed_drop(second);
  }
  hone_status_free(status);
  hone__text_release(&out);
  hone__packed_drop(packed);
  hone__arena_release(&arena);
}

static void test_values(void **state)
{
  static const char whole[] = "{\"costs\":{\"a\":0,\"b\":0.5},\"one\":0,"
                              "\"pairs\":[[\"BM\",\"64\"]],"
                              "\"parts\":[1,\"big\",{\"bytes\":4}],\"sent\":false,"
                              "\"values\":[true,1,1.5,\"x\",null],\"zone\":\"z\"}";

  (void)state;
  expect_bag(whole, NULL, whole);
  expect_bag("{}", NULL, "{\"sent\":false}");
  expect_bag("{\"pairs\": [], \"costs\": null}", NULL, "{\"pairs\":[],\"sent\":false}");
  expect_bag("{\"later\": {\"x\": 1}, \"n\": 2}", NULL, "{\"n\":2,\"sent\":false}");
  expect_bag("{\"one\": []}", "bag: 'one' is neither a number nor a string", NULL);
  expect_bag("{\"pairs\": [[\"a\"]]}", "bag: 'pairs' has an item of the wrong type", NULL);
  expect_bag("{\"costs\": {\"a\": []}}", "bag: 'costs' has an item of the wrong type", NULL);
  expect_bag("{\"costs\": 1}", "bag: 'costs' is not an object", NULL);
  expect_bag("{\"parts\": [[]]}", "bag: 'value' is neither a number nor a string", NULL);
  expect_bag("{\"parts\": [{\"bytes\": -1}]}", "bag: 'bytes' is -1, which is less than 0", NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_kinds),
      cmocka_unit_test(test_what_is_wrong_is_named),
      cmocka_unit_test(test_optional_fields),
      cmocka_unit_test(test_values),
  };

  return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
