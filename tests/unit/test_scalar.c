/* Scalar arguments: from the value in a message to the bytes that a kernel gets. */
#include "backend/kernel/scalar.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static hone_status set(enum hone__element element, struct hone_value value, uint64_t *word)
{
  const struct hone__arg arg = {.name = "n", .element = element, .kind = HONE__ARG_SCALAR};
  const struct hone__kernel_value given = {.scalar = value};

  *word = 0;
  return hone__scalar_set(&arg, &given, word);
}

static struct hone_value whole(int64_t integer)
{
  return (struct hone_value){.type = HONE_INT, .integer = integer};
}

static struct hone_value real(double number)
{
  return (struct hone_value){.type = HONE_FLOAT, .real = number};
}

static struct hone_value text(const char *words)
{
  return (struct hone_value){.type = HONE_TEXT, .text = words};
}

static void integers_keep_their_value(void **state)
{
  static const struct {
    enum hone__element element;
    int64_t value;
  } cases[] = {{HONE__ELEMENT_I8, -128},        {HONE__ELEMENT_I8, 127},
               {HONE__ELEMENT_U8, 255},         {HONE__ELEMENT_I16, -32768},
               {HONE__ELEMENT_U16, 65535},      {HONE__ELEMENT_I32, INT32_MIN},
               {HONE__ELEMENT_U32, UINT32_MAX}, {HONE__ELEMENT_I64, INT64_MIN},
               {HONE__ELEMENT_I64, INT64_MAX},  {HONE__ELEMENT_BOOL, 1},
               {HONE__ELEMENT_BOOL, 0}};
  uint64_t word;

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t bytes = hone__element_size(cases[i].element);
    assert_null(set(cases[i].element, whole(cases[i].value), &word));
    assert_memory_equal(&word, &cases[i].value, bytes);
  }
}

static void values_that_do_not_fit_are_refused(void **state)
{
  const struct {
    enum hone__element element;
    struct hone_value value;
  } cases[] = {
      {HONE__ELEMENT_I8, whole(128)},
      {HONE__ELEMENT_I8, whole(-129)},
      {HONE__ELEMENT_U8, whole(256)},
      {HONE__ELEMENT_U8, whole(-1)},
      {HONE__ELEMENT_U32, whole(-1)},
      {HONE__ELEMENT_I32, real(1.5)},
      {HONE__ELEMENT_I64, real(1e19)},
      {HONE__ELEMENT_I64, real(NAN)},
      {HONE__ELEMENT_BOOL, whole(2)},
      {HONE__ELEMENT_I32, text("")},
      {HONE__ELEMENT_I32, text("12x")},
      {HONE__ELEMENT_I32, text("-")},
      {HONE__ELEMENT_I32, text("--5")},
      {HONE__ELEMENT_U64, text(" -5")},
      {HONE__ELEMENT_U64, text("+-5")},
      {HONE__ELEMENT_U64, text("-1")},
      {HONE__ELEMENT_F32, text("fast")},
      {HONE__ELEMENT_F32, text("")},
      {HONE__ELEMENT_U64, text("18446744073709551616")},
  };
  uint64_t word;

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hone_status status = set(cases[i].element, cases[i].value, &word);
    if (!status) print_message("case %zu is taken as %llu\n", i, (unsigned long long)word);
    assert_int_equal(hone_status_code(status), HONE_INVALID_SPEC);
    assert_non_null(strstr(hone_status_message(status), "the scalar argument 'n' is "));
    hone_status_free(status);
  }
}

static void large_numbers_come_as_text(void **state)
{
  uint64_t word;

  (void)state;
  assert_null(set(HONE__ELEMENT_U64, text("18446744073709551615"), &word));
  assert_true(word == UINT64_MAX);
  assert_null(set(HONE__ELEMENT_I64, text("-9223372036854775808"), &word));
  assert_true((int64_t)word == INT64_MIN);
}

static void floats_take_every_number(void **state)
{
  uint64_t word;
  double number;
  float single;

  (void)state;
  assert_null(set(HONE__ELEMENT_F64, text("inf"), &word));
  memcpy(&number, &word, sizeof number);
  assert_true(isinf(number) && number > 0);
  assert_null(set(HONE__ELEMENT_F64, text("nan"), &word));
  memcpy(&number, &word, sizeof number);
  assert_true(isnan(number));
  assert_null(set(HONE__ELEMENT_F32, whole(3), &word));
  memcpy(&single, &word, sizeof single);
  assert_true(single == 3);
  assert_null(set(HONE__ELEMENT_F32, real(0.5), &word));
  memcpy(&single, &word, sizeof single);
  assert_true(single == 0.5f);
}

static void whole_floats_are_integers(void **state)
{
  uint64_t word;

  (void)state;
  assert_null(set(HONE__ELEMENT_I32, real(-4), &word));
  assert_int_equal((int32_t)word, -4);
}

static void a_missing_value_is_an_error(void **state)
{
  const struct hone__arg arg = {.name = "n", .element = HONE__ELEMENT_I32};
  uint64_t word;
  hone_status status = hone__scalar_set(&arg, NULL, &word);

  (void)state;
  assert_string_equal(hone_status_message(status), "the scalar argument 'n' has no value");
  hone_status_free(status);
  status = set(HONE__ELEMENT_I32, (struct hone_value){.type = HONE_NONE}, &word);
  assert_int_equal(hone_status_code(status), HONE_INVALID_SPEC);
  hone_status_free(status);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers_keep_their_value),
      cmocka_unit_test(values_that_do_not_fit_are_refused),
      cmocka_unit_test(large_numbers_come_as_text),
      cmocka_unit_test(floats_take_every_number),
      cmocka_unit_test(whole_floats_are_integers),
      cmocka_unit_test(a_missing_value_is_an_error),
  };

  return cmocka_run_group_tests_name("scalar", tests, NULL, NULL);
}
