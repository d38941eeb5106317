/* Outputs that are compared by what they are reduced to. */
#include "check/guard.h"
#include "check/reduce.h"

#include "base/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 4096 };

struct sides {
  enum hone__element element;
  const void *got;
  size_t got_count;
  const void *expected;
  size_t expected_count;
};

static struct hone__text why;

static bool agree(enum hone__reduction reduction, struct sides sides, double rtol, double atol)
{
  size_t most = sides.got_count > sides.expected_count ? sides.got_count : sides.expected_count;
  struct hone__reducing how = {
      .reduction = reduction,
      .element = sides.element,
      .tolerance = {.rtol = rtol, .atol = atol},
      .room = malloc(hone__reduction_room(reduction, sides.element, most) + 1)};
  struct hone__reduced_side got = {sides.got, sides.got_count, false};
  struct hone__reduced_side expected = {sides.expected, sides.expected_count, true};
  bool with = true, without;

  hone__text_release(&why);
  with = hone__reduced_agree(&how, got, expected, "y", &why);
  without = hone__reduced_agree(&how, got, expected, "y", NULL);
  assert_int_equal(with, without);
  assert_int_equal(with, why.length == 0);
  free(how.room);
  return with;
}

static void expect_why(const char *words)
{
  if (!why.data || strcmp(why.data, words) != 0)
    fail_msg("'%s', not '%s'", why.data ? why.data : "", words);
}

static void names_are_known(void **state)
{
  enum hone__reduction reduction = HONE__REDUCE_NOTHING;

  (void)state;
  assert_true(hone__reduction_parse("sorted", &reduction));
  assert_int_equal(reduction, HONE__REDUCE_SORTED);
  assert_false(hone__reduction_parse("product", &reduction));
  assert_false(hone__reduction_parse(NULL, &reduction));
}

static void partial_sums_are_summed(void **state)
{
  const float parts[] = {1, 2, 3, -4, 8}, others[] = {10}, wrong[] = {10.5f};
  struct sides sides = {HONE__ELEMENT_F32, parts, 5, others, 1};

  (void)state;
  assert_true(agree(HONE__REDUCE_SUM, sides, 0, 0));
  sides.expected = wrong;
  assert_false(agree(HONE__REDUCE_SUM, sides, 0, 0));
  expect_why("y: the sum of 5 elements is 10, expected 10.5, of 1 element");
  assert_true(agree(HONE__REDUCE_SUM, sides, 0.05, 0));
  assert_true(agree(HONE__REDUCE_SUM, sides, 0, 0.5));
}

/* The tolerance follows the size of the elements: their sum may be 0. */
static void sums_that_cancel_have_a_tolerance(void **state)
{
  const float one[] = {1000, -1000.01f}, other[] = {1000, -1000};
  struct sides sides = {HONE__ELEMENT_F32, one, 2, other, 2};

  (void)state;
  assert_true(agree(HONE__REDUCE_SUM, sides, 1e-4, 0));
  assert_false(agree(HONE__REDUCE_SUM, sides, 1e-6, 0));
}

static void large_integers_are_exact(void **state)
{
  const int64_t parts[] = {INT64_MAX, INT64_MAX, 1}, others[] = {1, INT64_MAX, INT64_MAX};
  const int64_t off[] = {INT64_MAX, INT64_MAX, 2};
  struct sides sides = {HONE__ELEMENT_I64, parts, 3, others, 3};

  (void)state;
  assert_true(agree(HONE__REDUCE_SUM, sides, 0, 0));
  assert_true(agree(HONE__REDUCE_SORTED, sides, 0, 0));
  assert_true(agree(HONE__REDUCE_MAX, sides, 0, 0));
  sides.expected = off;
  assert_false(agree(HONE__REDUCE_SUM, sides, 0, 0));
  assert_false(agree(HONE__REDUCE_SORTED, sides, 0, 0));
  assert_false(agree(HONE__REDUCE_MIN, sides, 0, 0));
  expect_why("y: the least element of 3 elements is 1, expected 2");
}

static void extremes_and_norms(void **state)
{
  const double one[] = {-3, 4, 0}, other[] = {4, -3, 1};
  struct sides sides = {HONE__ELEMENT_F64, one, 3, other, 3};

  (void)state;
  assert_true(agree(HONE__REDUCE_MIN, sides, 0, 0));
  assert_true(agree(HONE__REDUCE_MAX, sides, 0, 0));
  assert_false(agree(HONE__REDUCE_NORM, sides, 1e-3, 0));
  assert_true(agree(HONE__REDUCE_NORM, sides, 0.1, 0));
}

static void a_nan_is_never_passed_over(void **state)
{
  static const enum hone__reduction all[] = {HONE__REDUCE_SUM, HONE__REDUCE_MIN, HONE__REDUCE_MAX,
                                             HONE__REDUCE_NORM, HONE__REDUCE_SORTED};
  const double one[] = {1, NAN, 3}, other[] = {1, 2, 3}, infinite[] = {1, INFINITY, 3};

  (void)state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    struct sides sides = {HONE__ELEMENT_F64, one, 3, other, 3};
    assert_false(agree(all[i], sides, 1, 1));
    sides.expected = one;
    assert_true(agree(all[i], sides, 0, 0));
    sides.got = infinite, sides.expected = other;
    assert_int_equal(agree(all[i], sides, 1, 1), all[i] == HONE__REDUCE_MIN);
    sides.got = other, sides.expected = infinite;
    assert_int_equal(agree(all[i], sides, 0, 1), all[i] == HONE__REDUCE_MIN);
  }
}

static void a_reference_may_leave_elements_out(void **state)
{
  float expected[4], got[] = {1, 2, 3, 4};
  int32_t integers[4], own[] = {1, 2, 3, 4};
  struct sides sides = {HONE__ELEMENT_F32, got, 4, expected, 4};

  (void)state;
  hone__poison(HONE__ELEMENT_F32, expected, sizeof expected);
  expected[0] = 10;
  assert_true(agree(HONE__REDUCE_SUM, sides, 0, 0));
  assert_false(agree(HONE__REDUCE_SORTED, sides, 0, 0));
  expect_why("y: it has 4 elements, expected 1");
  hone__poison(HONE__ELEMENT_F32, &got[2], sizeof *got);
  assert_false(agree(HONE__REDUCE_SUM, sides, 1, 10));
  expect_why("y: 1 of 4 elements were never written; first at [2]");
  hone__poison(HONE__ELEMENT_I32, integers, sizeof integers);
  integers[1] = 10;
  sides = (struct sides){HONE__ELEMENT_I32, own, 4, integers, 4};
  assert_true(agree(HONE__REDUCE_SUM, sides, 0, 0));
  hone__poison(HONE__ELEMENT_I32, own, sizeof *own);
  integers[1] = 9; /* without the first, which is not left out of these */
  assert_false(agree(HONE__REDUCE_SUM, sides, 0, 0));
}

static void nothing_at_all_is_wrong(void **state)
{
  const float got[] = {0};
  float expected[1];
  struct sides sides = {HONE__ELEMENT_F32, got, 1, expected, 1};

  (void)state;
  hone__poison(HONE__ELEMENT_F32, expected, sizeof expected);
  assert_false(agree(HONE__REDUCE_SUM, sides, 1, 1));
}

static void shuffle(struct hone__random *random, unsigned char *elements, size_t size, size_t count)
{
  unsigned char spare[8];

  for (size_t i = count; i > 1; i--) {
    size_t k = hone__random_below(random, i);
    memcpy(spare, elements + k * size, size);
    memcpy(elements + k * size, elements + (i - 1) * size, size);
    memcpy(elements + (i - 1) * size, spare, size);
  }
}

/* Of every type, and of one with another element: only the first agrees. */
static void permutations_are_sorted(void **state)
{
  struct hone__random random = {7};
  unsigned char one[8 * MOST], other[8 * MOST];

  (void)state;
  for (int element = 0; element < HONE__ELEMENT_COUNT; element++) {
    size_t size = hone__element_size(element), count = 1 + hone__random_below(&random, MOST);
    struct sides sides = {element, one, count, other, count};
    for (size_t i = 0; i < count; i++)
      hone__element_set(element, one, i, (double)hone__random_below(&random, 2) - 0.25);
    memcpy(other, one, count * size);
    shuffle(&random, other, size, count);
    assert_true(agree(HONE__REDUCE_SORTED, sides, 0, 0));
    hone__element_set(element, other, count / 2, 1 - hone__element_get(element, other, count / 2));
    if (hone__element_get(element, other, count / 2) >= 0)
      assert_false(agree(HONE__REDUCE_SORTED, sides, 0, 0));
  }
}

static int free_why(void **state)
{
  (void)state;
  hone__text_release(&why);
  return 0;
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_known),
      cmocka_unit_test(partial_sums_are_summed),
      cmocka_unit_test(sums_that_cancel_have_a_tolerance),
      cmocka_unit_test(large_integers_are_exact),
      cmocka_unit_test(extremes_and_norms),
      cmocka_unit_test(a_nan_is_never_passed_over),
      cmocka_unit_test(a_reference_may_leave_elements_out),
      cmocka_unit_test(nothing_at_all_is_wrong),
      cmocka_unit_test(permutations_are_sorted),
  };

  return cmocka_run_group_tests(tests, NULL, free_why);
}
