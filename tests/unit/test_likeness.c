/* How alike points are: bounds, symmetry, and the same with and without a table. */
#include "search/likeness.h"
#include "search_spaces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct hone__features features;
static struct hone__likeness likeness;

static void begin(const char *yaml)
{
  build(yaml);
  hone__features_open(&features, space);
  hone__likeness_open(&likeness, &features);
}

static void end(void)
{
  hone__likeness_release(&likeness);
  hone__features_release(&features);
  release();
}

static float between(const uint32_t *a, const uint32_t *b)
{
  struct hone__feature one[8], other[8];
  float like;

  hone__features_of(&features, a, one);
  hone__features_of(&features, b, other);
  hone__likeness_of(&likeness, one, other, 1, &like);
  return like;
}

static void test_likeness_falls_with_distance(void **state)
{
  const uint32_t here[] = {0, 0, 0, 0}, near[] = {0, 1, 0, 0}, far[] = {0, 6, 0, 0},
                 other[] = {0, 6, 4, 3};

  (void)state;
  begin("params: {A: range(7), B: range(5), C: [x, y, z, w]}\n");
  assert_true(fabsf(between(here, here) - 1) < 1e-5f);
  assert_true(between(here, near) < between(here, here));
  assert_true(between(here, far) < between(here, near));
  assert_true(between(here, other) < between(here, far));
  assert_true(between(here, other) > 0);
  assert_true(between(far, here) == between(here, far));
  end();
}

/* Texts have no order. */
static void test_texts_are_equal_or_not(void **state)
{
  const uint32_t x[] = {0, 0, 0}, y[] = {0, 0, 1}, w[] = {0, 0, 3};

  (void)state;
  begin("params: {A: range(7), C: [x, y, z, w]}\n");
  assert_true(between(x, y) == between(x, w));
  assert_true(between(x, y) < 1);
  end();
}

/* A list of 61 values has a table, one of 121 has none: at the same places they are as alike. */
static void test_long_lists_need_no_table(void **state)
{
  const uint32_t a[] = {0, 0, 3}, b[] = {0, 15, 4}, c[] = {0, 30, 4};
  float short_list;

  (void)state;
  begin("params: {A: range(61), B: range(5)}\n");
  assert_non_null(likeness.parts[0].table);
  short_list = between(a, b);
  end();
  begin("params: {A: range(121), B: range(5)}\n");
  assert_null(likeness.parts[0].table);
  assert_true(fabsf(between(a, c) - short_list) < 1e-6f);
  end();
}

static void test_groups_are_features(void **state)
{
  const uint32_t tiled[] = {0, 0, 2, 3}, plain[] = {1, 0, 5, 0}, split[] = {2, 0, 2, 3};

  (void)state;
  begin(two_groups);
  assert_true(fabsf(between(plain, plain) - 1) < 1e-5f);
  assert_true(between(tiled, split) > between(tiled, plain));
  end();
}

/* What is varied can be set back, and its oddity is 0 only as it was opened. */
static void test_scales_can_be_set(void **state)
{
  const uint32_t a[] = {0, 0, 0}, b[] = {0, 3, 4};
  struct hone__random random = {.state = 7};
  double scales[16];
  float before;

  (void)state;
  begin("params: {A: range(7), B: range(5)}\n");
  before = between(a, b);
  assert_true(likeness.scale_count <= 16);
  memcpy(scales, likeness.scales, likeness.scale_count * sizeof *scales);
  assert_true(hone__likeness_oddity(&likeness) == 0);
  for (int i = 0; i < 10; i++)
    hone__likeness_vary(&likeness, &random);
  assert_true(hone__likeness_oddity(&likeness) > 0);
  assert_true(between(a, b) != before);
  hone__likeness_set(&likeness, scales);
  assert_true(between(a, b) == before);
  end();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_likeness_falls_with_distance),
      cmocka_unit_test(test_texts_are_equal_or_not),
      cmocka_unit_test(test_long_lists_need_no_table),
      cmocka_unit_test(test_groups_are_features),
      cmocka_unit_test(test_scales_can_be_set),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
