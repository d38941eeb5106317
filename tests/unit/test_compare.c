#include "check/compare.h"
#include "check/guard.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct hone__tolerance exact = {0};

/* Whether one value agrees with another. */
static bool agree(enum hone__element element, double got, double expected, double rtol, double atol)
{
  struct hone__tolerance tolerance = {.rtol = rtol, .atol = atol};
  struct hone__difference difference;
  unsigned char a[8], b[8];

  hone__element_set(element, a, 0, got);
  hone__element_set(element, b, 0, expected);
  return hone__compare(element, a, b, 1, &tolerance, &difference);
}

static void single_values(void **state)
{
  static const double inf = (double)INFINITY, nan = (double)NAN;
  static const struct {
    double got, expected, rtol, atol;
    bool agree;
  } rows[] = {
      {1, 1, 0, 0, true},           {0.0, -0.0, 0, 0, true},    {1, 1.5, 0, 0, false},
      {1.5, 1, 0, 0.5, true},       {1.5, 1, 0.5, 0, true},     {1, 1.5, 0.25, 0, false},
      {110, 100, 0.05, 5, true},                          /* both tolerances together */
      {110.5, 100, 0.05, 5, false}, {3, 2, 0.5, 0, true}, /* relative to what is expected */
      {2, 3, 0.34, 0, true},        {2, 3, 0.33, 0, false},     {nan, nan, 0, 0, true},
      {nan, 1, 1, 100, false},      {1, nan, 1, 100, false},    {inf, inf, 0, 0, true},
      {-inf, -inf, 0, 0, true},     {inf, -inf, 1, 100, false}, {inf, 1, 1, 100, false},
      {1, inf, 1, 100, false},      {inf, nan, 1, 100, false},  {57344, inf, 1e9, 1e9, false},
  };
  static const enum hone__element elements[] = {HONE__ELEMENT_F64, HONE__ELEMENT_F32,
                                                HONE__ELEMENT_F16, HONE__ELEMENT_BF16};

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (size_t j = 0; j < sizeof elements / sizeof *elements; j++)
      if (agree(elements[j], rows[i].got, rows[i].expected, rows[i].rtol, rows[i].atol) !=
              rows[i].agree &&
          !(elements[j] == HONE__ELEMENT_BF16 && rows[i].got > 110 && rows[i].got < 111))
        fail_msg("row %zu, %s", i, hone__element_name(elements[j]));
}

static void integers(void **state)
{
  static const int64_t big = INT64_C(1) << 60;
  int64_t got = big + 1, expected = big;
  uint64_t zero = 0, most = UINT64_MAX;
  int64_t low = INT64_MIN, high = INT64_MAX;
  struct hone__tolerance tolerance = {.atol = 1};
  struct hone__difference difference;

  (void)state;
  assert_false(hone__compare(HONE__ELEMENT_I64, &got, &expected, 1, &exact, &difference));
  assert_true(difference.greatest_abs == 1);
  assert_true(hone__compare(HONE__ELEMENT_I64, &got, &expected, 1, &tolerance, &difference));
  assert_false(hone__compare(HONE__ELEMENT_U64, &got, &expected, 1, &exact, &difference));
  assert_false(hone__compare(HONE__ELEMENT_U64, &zero, &most, 1, &tolerance, &difference));
  assert_true(difference.greatest_abs == 0x1p64);
  assert_false(hone__compare(HONE__ELEMENT_I64, &low, &high, 1, &tolerance, &difference));
  assert_true(difference.greatest_abs == 0x1p64);
  assert_true(agree(HONE__ELEMENT_I8, -128, 127, 0, 255));
  assert_false(agree(HONE__ELEMENT_I8, -128, 127, 0, 254));
  assert_true(agree(HONE__ELEMENT_U32, 4000000000, 4000000000, 0, 0));
  assert_false(agree(HONE__ELEMENT_U32, 4294967295, 4294967294, 0, 0));
}

static void bools(void **state)
{
  unsigned char got[] = {0, 1, 2, 0xa5}, expected[] = {0, 1, 1, 1};
  struct hone__difference difference;

  (void)state;
  assert_false(hone__compare(HONE__ELEMENT_BOOL, got, expected, 4, &exact, &difference));
  assert_int_equal(difference.mismatched, 1);
  assert_int_equal(difference.first, 3);
  assert_true(difference.first_unwritten);
}

static void ratios(void **state)
{
  static const struct {
    size_t count;
    double ratio;
    size_t allowed;
  } rows[] = {
      {99, 0.01, 0}, {100, 0.01, 1},  {199, 0.01, 1}, {100, 0.29, 29},       {1000000, 0.01, 10000},
      {100, 0, 0},   {100, -1, 0},    {100, 1, 100},  {100, 7, 100},         {0, 0.5, 0},
      {3, 0.999, 2}, {50, 0.0199, 0}, {50, 0.02, 1},  {100, (double)NAN, 0},
  };
  float *got = calloc(1000000, sizeof *got), *expected = calloc(1000000, sizeof *expected);

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct hone__tolerance tolerance = {.ratio = rows[i].ratio};
    struct hone__difference difference;
    for (size_t j = 0; j < rows[i].count; j++)
      got[j] = j < rows[i].allowed;
    assert_true(
        hone__compare(HONE__ELEMENT_F32, got, expected, rows[i].count, &tolerance, &difference));
    assert_int_equal(difference.allowed, rows[i].allowed);
    assert_int_equal(difference.mismatched, rows[i].allowed);
    if (rows[i].allowed == rows[i].count) continue;
    got[rows[i].count - 1] = 1;
    assert_false(
        hone__compare(HONE__ELEMENT_F32, got, expected, rows[i].count, &tolerance, &difference));
    assert_int_equal(difference.mismatched, rows[i].allowed + 1);
  }
  free(got);
  free(expected);
}

/* Wherever the one difference is, before, on and behind the bounds of blocks. */
static void places(void **state)
{
  enum { COUNT = 2600 };
  unsigned char got[COUNT * 8 + 1], expected[COUNT * 8 + 1];

  (void)state;
  for (int e = 0; e < HONE__ELEMENT_COUNT; e++) {
    enum hone__element element = (enum hone__element)e;
    struct hone__difference difference;
    for (size_t i = 0; i < COUNT; i++) {
      hone__element_set(element, got + 1, i, i & 1);
      hone__element_set(element, expected + 1, i, i & 1);
    }
    assert_true(hone__compare(element, got + 1, expected + 1, COUNT, &exact, &difference));
    for (size_t i = 0; i<COUNT; i += i % 1024> 1020 || i % 1024 < 3 ? 1 : 97) {
      hone__element_set(element, got + 1, i, !(i & 1));
      assert_false(hone__compare(element, got + 1, expected + 1, COUNT, &exact, &difference));
      assert_int_equal(difference.mismatched, 1);
      assert_int_equal(difference.first, i);
      assert_true(difference.first_got == !(i & 1) && difference.first_expected == (i & 1));
      hone__element_set(element, got + 1, i, i & 1);
    }
  }
}

static void greatest(void **state)
{
  double got[] = {1, 2.5, -3, (double)NAN, 0.001, (double)INFINITY, 7},
         expected[] = {1, 2, -4, 1, 0, 5, (double)INFINITY};
  struct hone__difference difference;

  (void)state;
  assert_false(hone__compare(HONE__ELEMENT_F64, got, expected, 7, &exact, &difference));
  assert_int_equal(difference.mismatched, 6);
  assert_int_equal(difference.not_finite, 3);
  assert_int_equal(difference.unwritten, 0);
  assert_true(difference.greatest_abs == 1);
  assert_true(difference.greatest_rel == 0.25);
  assert_int_equal(difference.first, 1);
  got[0] = DBL_MAX, expected[0] = -DBL_MAX;
  assert_false(hone__compare(HONE__ELEMENT_F64, got, expected, 1, &exact, &difference));
}

static void poison(void **state)
{
  unsigned char bytes[64], expected[64];
  struct hone__difference difference;

  (void)state;
  for (int e = 0; e < HONE__ELEMENT_COUNT; e++) {
    enum hone__element element = (enum hone__element)e;
    const struct hone__element_info *info = hone__element_info(element);
    size_t count = 56 / info->size;
    memset(bytes, 0, sizeof bytes);
    hone__poison(element, bytes, 57);
    assert_int_equal(bytes[57], 0);
    for (size_t i = 0; i < count; i++) {
      assert_true(hone__check_is_poison(element, bytes, i));
      assert_true(!info->is_float || isnan(hone__element_get(element, bytes, i)));
    }
    assert_true(hone__compare(element, bytes, bytes, count, &exact, &difference));
    for (size_t i = 0; i < count; i++)
      hone__element_set(element, expected, i, info->is_float && i % 2 ? (double)NAN : 1);
    assert_false(hone__check_is_poison(element, expected, 0));
    assert_false(hone__compare(element, bytes, expected, count, &exact, &difference));
    assert_int_equal(difference.mismatched, info->is_float && info->size == 1 ? 28 : count);
    assert_int_equal(difference.unwritten, difference.mismatched);
    assert_true(difference.first_unwritten);
    assert_true(!info->is_float || info->size == 1 || !hone__check_is_poison(element, expected, 1));
  }
}

/* An addition keeps what a NaN carries, so poison that was added to is still told. */
static void poison_stays(void **state)
{
  volatile float value;

  (void)state;
  hone__poison(HONE__ELEMENT_F32, (void *)&value, sizeof value);
  value = value + 1;
  assert_true(hone__check_is_poison(HONE__ELEMENT_F32, (const void *)&value, 0));
}

static void guards(void **state)
{
  unsigned char zone[700];

  (void)state;
  hone__guard_fill(zone, sizeof zone);
  assert_int_equal(hone__guard_broken(zone, sizeof zone), sizeof zone);
  assert_int_equal(hone__guard_broken(zone, 0), 0);
  for (size_t i = 0; i < sizeof zone; i++) {
    unsigned char before = zone[i];
    zone[i] ^= 0x80;
    assert_int_equal(hone__guard_broken(zone, sizeof zone), i);
    assert_int_equal(hone__guard_broken(zone, i), i);
    zone[i] = before;
  }
  memset(zone, 0xee, sizeof zone);
  hone__guard_fill(zone + 8, 600);
  assert_int_equal(zone[7], 0xee);
  assert_int_equal(zone[608], 0xee);
  for (int e = 0; e < HONE__ELEMENT_COUNT; e++)
    for (size_t i = 0; i < 600 / 8; i++)
      if (hone__element_info((enum hone__element)e)->is_float && (e != HONE__ELEMENT_BF16 || i % 2))
        assert_true(isnan(hone__element_get((enum hone__element)e, zone + 8, i)));
}

static void assert_message(const struct hone__difference *difference, const size_t *shape,
                           size_t dimensions, const char *expected)
{
  struct hone__text text = {0};

  hone__difference_message(difference, "c", shape, dimensions, &text);
  assert_string_equal(text.data, expected);
  hone__text_release(&text);
}

static void messages(void **state)
{
  static const size_t shape[] = {512, 512}, flat[] = {6}, wrong[] = {0, 3};
  float *got = calloc(262144, sizeof *got), *expected = calloc(262144, sizeof *expected);
  struct hone__tolerance tolerance = {.ratio = 1e-6};
  struct hone__difference difference;
  int64_t a = INT64_C(9007199254740993), b = -1;
  float sum = 2048, none = 0;
  uint8_t bools[] = {1, 0, 0, 1, 1, 1}, others[] = {1, 1, 1, 1, 1, 1};

  (void)state;
  hone__compare(HONE__ELEMENT_F32, got, expected, 262144, &exact, &difference);
  assert_message(&difference, shape, 2, "c: all 262144 elements agree");
  for (size_t i = 0; i < 12; i++)
    got[3 * 512 + 17 + i] = 1.5f, expected[3 * 512 + 17 + i] = 1.25f;
  hone__compare(HONE__ELEMENT_F32, got, expected, 262144, &exact, &difference);
  assert_message(&difference, shape, 2,
                 "c: 12 of 262144 elements differ (0.00458 %, allowed 0 %); first at [3, 17]: got "
                 "1.5, expected 1.25; largest difference 0.25 absolute, 0.2 relative");
  hone__poison(HONE__ELEMENT_F32, got + 3 * 512 + 17, 8);
  got[3 * 512 + 20] = NAN;
  expected[3 * 512 + 17] = 0.1f;
  hone__compare(HONE__ELEMENT_F32, got, expected, 262144, &tolerance, &difference);
  assert_message(&difference, shape, 2,
                 "c: 12 of 262144 elements differ (0.00458 %, allowed 0.0001 %); 2 of them never "
                 "written; 1 of them with a NaN or an infinity on one side; first at [3, 17]: "
                 "never written, expected 0.1; largest difference 0.25 absolute, 0.2 relative");
  hone__compare(HONE__ELEMENT_F32, got + 3 * 512 + 17, expected + 3 * 512 + 17, 2, &exact,
                &difference);
  assert_message(&difference, wrong, 2,
                 "c: 2 of 2 elements differ (100 %, allowed 0 %); all of them never written; first "
                 "at [0]: never written, expected 0.1");
  hone__compare(HONE__ELEMENT_I64, &a, &b, 1, &exact, &difference);
  assert_message(&difference, NULL, 0,
                 "c: 1 of 1 elements differ (100 %, allowed 0 %); got 9007199254740993, expected "
                 "-1; largest difference 9007199254740994 absolute, 9007199254740994 relative");
  hone__compare(HONE__ELEMENT_F32, &sum, &none, 1, &exact, &difference);
  assert_message(&difference, NULL, 0,
                 "c: 1 of 1 elements differ (100 %, allowed 0 %); got 2048, expected 0; largest "
                 "difference 2048 absolute");
  hone__poison(HONE__ELEMENT_I64, &a, sizeof a);
  hone__compare(HONE__ELEMENT_I64, &a, &a, 1, &exact, &difference);
  assert_message(&difference, NULL, 0, "c: all 1 elements agree");
  hone__compare(HONE__ELEMENT_BOOL, bools, others, 6, &exact, &difference);
  assert_message(&difference, flat, 1,
                 "c: 2 of 6 elements differ (33.3 %, allowed 0 %); first at [1]: got false, "
                 "expected true");
  free(got);
  free(expected);
}

/* As by a reference that leaves the border of a stencil alone. */
static void elements_that_are_not_expected(void **state)
{
  struct hone__difference difference;
  float got[4] = {1, 2, 3, 4}, expected[4] = {1, 2, 3, 4};
  int32_t whole = 7, poison;

  (void)state;
  hone__poison(HONE__ELEMENT_F32, expected + 1, 2 * sizeof *expected);
  hone__compare(HONE__ELEMENT_F32, got, expected, 4, &exact, &difference);
  assert_message(&difference, NULL, 0,
                 "c: 2 of 4 elements differ (50 %, allowed 0 %); all of them where the expected "
                 "answer is never written; first at [1]: got 2, expected to stay unwritten");
  hone__poison(HONE__ELEMENT_F32, got + 1, 2 * sizeof *got);
  hone__compare(HONE__ELEMENT_F32, got, expected, 4, &exact, &difference);
  assert_message(&difference, NULL, 0, "c: all 4 elements agree");
  hone__poison(HONE__ELEMENT_I32, &poison, sizeof poison);
  hone__compare(HONE__ELEMENT_I32, &whole, &poison, 1, &exact, &difference);
  assert_message(&difference, NULL, 0,
                 "c: 1 of 1 elements differ (100 %, allowed 0 %); got 7, expected -1515870811 "
                 "(possibly to stay unwritten); largest difference 1515870818 absolute, 1 "
                 "relative");
}

static void numbers_in_messages(void **state)
{
  static const struct {
    enum hone__element element;
    double got, expected;
    const char *text;
  } rows[] = {
      {HONE__ELEMENT_F32, 0.1, 1e20, "got 0.1, expected 1e+20;"},
      {HONE__ELEMENT_F64, 0.1, 1.0 / 3, "got 0.1, expected 0.3333333333333333;"},
      {HONE__ELEMENT_F32, 16777216, 3e-7, "got 16777216, expected 3e-07;"},
      {HONE__ELEMENT_F16, 0.1, 65504, "got 0.1, expected 65504;"},
      {HONE__ELEMENT_BF16, (double)NAN, -0.0, "got NaN, expected -0"},
      {HONE__ELEMENT_F8E4M3, -448, 0.5, "got -448, expected 0.5;"},
      {HONE__ELEMENT_F32, (double)-INFINITY, 1, "got -inf, expected 1"},
      {HONE__ELEMENT_U32, 4294967295, 7, "got 4294967295, expected 7;"},
      {HONE__ELEMENT_I8, -91, 7, "got -91 (possibly never written), expected 7;"},
  };

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    unsigned char a[8], b[8];
    struct hone__difference difference;
    struct hone__text text = {0};
    hone__element_set(rows[i].element, a, 0, rows[i].got);
    hone__element_set(rows[i].element, b, 0, rows[i].expected);
    hone__compare(rows[i].element, a, b, 1, &exact, &difference);
    hone__difference_message(&difference, "x", NULL, 0, &text);
    if (!strstr(text.data, rows[i].text)) fail_msg("%s", text.data);
    hone__text_release(&text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(single_values),
      cmocka_unit_test(integers),
      cmocka_unit_test(bools),
      cmocka_unit_test(ratios),
      cmocka_unit_test(places),
      cmocka_unit_test(greatest),
      cmocka_unit_test(poison),
      cmocka_unit_test(poison_stays),
      cmocka_unit_test(guards),
      cmocka_unit_test(messages),
      cmocka_unit_test(elements_that_are_not_expected),
      cmocka_unit_test(numbers_in_messages),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
