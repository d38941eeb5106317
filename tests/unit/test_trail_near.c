/* Rows near others: the middle of a space, and random steps from a row; and rows far from them. */
#include "search/learner.h"
#include "search/middles.h"
#include "search/trail.h"
#include "search_spaces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- The middle ---- */

struct closest {
  double distance;
  size_t knob; /* SIZE_MAX: of all rows, else of those with this value */
  uint32_t value;
};

static double distance_from_middle(const uint32_t *row)
{
  double distance = 0;

  for (size_t i = 0; i < hone_space_param_count(space, row[0]); i++) {
    double count = hone_space_value_count(space, row[0], i);
    distance += fabs(row[1 + i] - (count - 1) / 2) / count;
  }
  return distance;
}

static bool look_closer(void *data, const uint32_t *row)
{
  struct closest *closest = data;
  double distance = distance_from_middle(row);

  if (closest->knob != SIZE_MAX && row[1 + closest->knob] != closest->value) return true;
  if (distance < closest->distance) closest->distance = distance;
  return true;
}

static void test_middle(void **state)
{
  (void)state;
  for (size_t i = 0; i < SMALL_SPECS; i++) {
    struct closest closest = {.distance = INFINITY, .knob = SIZE_MAX};
    uint32_t row[8];
    build(small_specs[i]);
    assert_true(hone__middle_row(space, HONE__MIDDLE_LOWER, row));
    assert_true(hone_space_contains(space, row));
    hone_space_each(space, 0, look_closer, &closest);
    assert_true(distance_from_middle(row) <= closest.distance + 1e-6);
    release();
  }
}

static void test_no_middle_of_nothing(void **state)
{
  uint32_t row[8];

  (void)state;
  build("params: {A: [1, 2]}\nconstraints: [A > 2]\n");
  assert_false(hone__middle_row(space, HONE__MIDDLE_LOWER, row));
  release();
}

static void expect_middle_with(size_t knob, uint32_t value)
{
  struct closest closest = {.distance = INFINITY, .knob = knob, .value = value};
  uint32_t row[8];

  hone_space_each(space, 0, look_closer, &closest);
  assert_int_equal(hone__middle_with(space, 0, knob, value, row), isfinite(closest.distance));
  if (!isfinite(closest.distance)) return;
  assert_true(hone_space_contains(space, row));
  assert_int_equal(row[1 + knob], value);
  assert_true(distance_from_middle(row) <= closest.distance + 1e-6);
}

static void test_middle_with_a_value(void **state)
{
  (void)state;
  for (size_t i = 0; i < SMALL_SPECS; i++) {
    if (small_specs[i] == two_groups) continue;
    build(small_specs[i]);
    for (size_t knob = 0; knob < hone_space_param_count(space, 0); knob++)
      for (uint32_t value = 0; value < hone_space_value_count(space, 0, knob); value++)
        expect_middle_with(knob, value);
    release();
  }
}

/* The middles of a space, in words. */
static void expect_middles(const char *yaml, const char *seed, const char *const *expected)
{
  struct hone__search_options options = {.seed = 1};
  struct hone__middles middles;
  struct hone__trail trail;
  uint32_t row[8], wanted[8];

  build(yaml);
  options.space = space;
  hone__trail_open(&trail, &options);
  if (seed) {
    assert_null(hone_space_parse(space, seed, row));
    hone__trail_ask(&trail, row);
  }
  hone__middles_find(&middles, &trail);
  for (; *expected; expected++) {
    memset(wanted, 0,
           sizeof wanted); /* a group may have fewer parameters than the row has room for */
    assert_null(hone_space_parse(space, *expected, wanted));
    assert_true(hone__middles_next(&middles, &trail, row));
    assert_memory_equal(row, wanted, hone_space_width(space) * sizeof *row);
    assert_true(hone__trail_ask(&trail, row));
  }
  assert_false(hone__middles_next(&middles, &trail, row));
  hone__middles_release(&middles);
  hone__trail_release(&trail);
  release();
}

static void test_middles_of_texts(void **state)
{
  /* No step leads from one algorithm to another; the two of TREE are near each other. */
  static const char flat[] =
      "params: {ALGO: [plain, tiled, split], T: [0, 1, 2, 3],\n"
      "  TREE: [shared, shuffle], N: [1, 2, 3]}\n"
      "constraints: [(ALGO == 'plain') == (T == 0), ALGO != 'split' or T == 3]\n";
  static const char free_texts[] = "params: {A: [x, y, z], B: [1, 2, 3]}\n";
  const char *const all[] = {"ALGO=tiled,T=1,TREE=shared,N=2", "ALGO=tiled,T=2,TREE=shuffle,N=2",
                             "ALGO=plain,T=0,TREE=shared,N=2", "ALGO=split,T=3,TREE=shared,N=2",
                             NULL};
  const char *const without_split[] = {all[0], all[1], all[2], NULL};
  const char *const one[] = {"A=y,B=2", NULL};

  (void)state;
  expect_middles(flat, NULL, all);
  expect_middles(flat, "ALGO=split,T=3,TREE=shuffle,N=1", without_split);
  expect_middles(free_texts, NULL, one);
}

static void test_middles_of_groups(void **state)
{
  const char *const all[] = {"way=plain,C=4", "way=tiled,A=2,B=3", "way=split,A=2,B=1", NULL};

  (void)state;
  expect_middles(two_groups, NULL, all);
}

/* ---- Steps ---- */

struct census {
  const uint32_t *centre;
  bool adjacent;
  size_t expected;
  unsigned counts[128]; /* by index */
};

static bool is_near(const uint32_t *row, const uint32_t *centre, bool adjacent)
{
  size_t changed = 0;

  if (row[0] != centre[0]) return false;
  for (size_t i = 1; i <= hone_space_param_count(space, row[0]); i++) {
    if (adjacent && row[i] > centre[i] + 1) return false;
    if (adjacent && row[i] + 1 < centre[i]) return false;
    changed += row[i] != centre[i];
  }
  return adjacent ? changed > 0 : changed == 1;
}

static bool count_near(void *data, const uint32_t *row)
{
  struct census *census = data;

  census->expected += is_near(row, census->centre, census->adjacent);
  return true;
}

static void expect_equally_likely(struct hone__trail *trail, const uint32_t *centre, bool adjacent)
{
  struct census census = {.centre = centre, .adjacent = adjacent};
  uint32_t row[8];
  uint64_t index;
  size_t reached = 0;

  hone_space_each(space, 0, count_near, &census);
  for (size_t i = 0; i < 1000 * census.expected; i++) {
    assert_true(adjacent ? hone__search_random_adjacent(trail, centre, row)
                         : hone__search_random_neighbour(trail, centre, row));
    assert_true(is_near(row, centre, adjacent));
    assert_true(hone_space_index_of(space, row, &index));
    census.counts[index]++;
  }
  for (size_t i = 0; i < 128; i++) {
    if (!census.counts[i]) continue;
    reached++;
    assert_in_range(census.counts[i], 800, 1200);
  }
  assert_int_equal(reached, census.expected);
}

static void test_random_steps(void **state)
{
  struct hone__search_options options = {.seed = 5};
  struct hone__trail trail;
  uint32_t centre[8];

  (void)state;
  build(constrained);
  options.space = space;
  hone__trail_open(&trail, &options);
  for (uint64_t i = 0; i < hone_space_count(space); i += 9) {
    hone_space_at(space, i, centre);
    expect_equally_likely(&trail, centre, true);
    expect_equally_likely(&trail, centre, false);
  }
  hone__trail_release(&trail);
  release();
}

static void test_no_steps(void **state)
{
  struct hone__search_options options = {.seed = 5};
  struct hone__trail trail;
  uint32_t centre[8], row[8];

  (void)state;
  build("params: {A: range(60), B: range(9)}\nconstraints: [A % 7 == 3, B == A // 7]\n");
  options.space = space;
  hone__trail_open(&trail, &options);
  hone_space_at(space, 4, centre);
  assert_false(hone__search_random_adjacent(&trail, centre, row));
  assert_false(hone__search_random_neighbour(&trail, centre, row));
  hone__trail_release(&trail);
  release();
}

/* ---- Rows around others ---- */

struct tally {
  const uint32_t *centre;
  uint64_t sum; /* of indices: which rows they were */
  size_t count, wanted;
};

static bool tally_row(void *data, const uint32_t *row)
{
  struct tally *tally = data;
  uint64_t index;

  assert_true(hone_space_index_of(space, row, &index));
  assert_true(row[0] != tally->centre[0] || is_near(row, tally->centre, false));
  tally->sum += hone__mix(index);
  return ++tally->count != tally->wanted;
}

static void test_rows_around(void **state)
{
  struct hone__search_options options = {.seed = 5};
  struct hone__trail trail;
  uint32_t centre[8];

  (void)state;
  for (size_t s = 0; s < SMALL_SPECS; s++) {
    build(small_specs[s]);
    options.space = space;
    hone__trail_open(&trail, &options);
    for (uint64_t i = 0; i < hone_space_count(space); i += 5) {
      struct tally all = {.centre = centre}, ours = all, adjacent = all, our_adjacent = all;
      hone_space_at(space, i, centre);
      hone_space_neighbours(space, centre, false, tally_row, &all);
      hone__nearby_rows(&trail, centre, 1000, tally_row, &ours);
      hone_space_neighbours(space, centre, true, tally_row, &adjacent);
      hone__adjacent_rows(&trail, centre, tally_row, &our_adjacent);
      assert_int_equal(all.sum, ours.sum);
      assert_int_equal(adjacent.sum, our_adjacent.sum);
    }
    hone__trail_release(&trail);
    release();
  }
}

/* A knob of a million values does not crowd out the others, nor are all of them looked at. */
static void test_long_lists(void **state)
{
  struct hone__search_options options = {.seed = 5};
  struct hone__trail trail;
  uint32_t centre[8], row[8];
  struct tally tally = {.centre = centre}, first = {.centre = centre, .wanted = 3};

  (void)state;
  build("alternatives:\n"
        "  - params: {A: 'range(1, 10**6)', B: range(5)}\n"
        "  - params: {A: 'range(1, 10**6)', B: range(9)}\n");
  options.space = space;
  hone__trail_open(&trail, &options);
  hone_space_at(space, 4000000, centre);
  hone__nearby_rows(&trail, centre, 100, tally_row, &tally);
  assert_in_range(tally.count, 4 + 26 + 25, 110);
  hone__nearby_rows(&trail, centre, 100, tally_row, &first);
  assert_int_equal(first.count, 3);
  assert_true(hone__search_random_neighbour(&trail, centre, row));
  assert_true(hone_space_contains(space, row));
  hone__trail_release(&trail);
  release();
}

/* ---- Models ---- */

/* One of all works, and it is better than the baseline. */
static void test_model_of_one(void **state)
{
  const struct hone__observation good = {.outcome = HONE_OUTCOME_OK, .cost = 0.5, .share = NAN};
  const struct hone__observation bad = {.outcome = HONE_OUTCOME_HANG, .cost = NAN, .share = NAN};
  struct hone__search_options options = {.seed = 5};
  struct hone__learner learner;
  struct hone__forecast forecast;
  struct hone__trail trail;
  uint32_t row[8];

  (void)state;
  build(constrained);
  options.space = space;
  hone__trail_open(&trail, &options);
  hone__learner_open(&learner, &trail, 5, NULL);
  for (uint64_t i = 0; i < 20; i++) {
    const struct hone__observation answer = i == 9 ? good : bad;
    hone_space_at(space, i, row);
    hone__trail_tell(&trail, row, &answer);
    hone__learner_follow(&learner);
    forecast = hone__learner_forecast(&learner, row);
    assert_true(isfinite(forecast.mean) && isfinite(forecast.deviation));
  }
  hone_space_at(space, 9, row);
  assert_true(forecast.mean > hone__learner_forecast(&learner, row).mean); /* it failed */
  hone__learner_release(&learner);
  hone__trail_release(&trail);
  release();
}

/* ---- Far away ---- */

static double squares_apart(const uint32_t *a, const uint32_t *b)
{
  double x = (double)a[1] - b[1], y = (double)a[2] - b[2];

  return x * x + y * y;
}

/* The same draws, one by one and at once. */
static void test_far_rows(void **state)
{
  const struct hone__observation good = {.outcome = HONE_OUTCOME_OK, .cost = 1, .share = NAN};
  const uint32_t corner[] = {0, 0, 0};
  struct hone__search_options options = {.seed = 5};
  struct hone__trail trail, other;
  uint32_t far[3], row[3];

  (void)state;
  build("params: {A: range(20), B: range(20)}\n");
  options.space = space;
  hone__trail_open(&trail, &options);
  hone__trail_open(&other, &options);
  hone__trail_tell(&trail, corner, &good);
  hone__trail_tell(&other, corner, &good);
  assert_true(hone__trail_draw_far(&trail, 30, far));
  for (int i = 0; i < 30; i++) {
    assert_true(hone__trail_draw(&other, row));
    assert_true(row[1] + row[2] <= far[1] + far[2]);
  }
  hone__trail_tell(&trail, far, &good);
  assert_true(hone__trail_draw_far(&trail, 300, row));
  assert_true(squares_apart(row, corner) > 100 && squares_apart(row, far) > 100);
  hone__trail_release(&trail);
  hone__trail_release(&other);
  release();
}

/* In any space, to its end. */
static void test_far_rows_of_small_spaces(void **state)
{
  (void)state;
  for (size_t i = 0; i < SMALL_SPECS; i++) {
    struct hone__search_options options = {.seed = 5};
    struct hone__trail trail;
    uint32_t row[8];
    uint64_t count = 0;
    build(small_specs[i]);
    options.space = space;
    hone__trail_open(&trail, &options);
    for (; hone__trail_draw_far(&trail, 64, row); count++)
      assert_true(hone__trail_ask(&trail, row));
    assert_int_equal(count, hone_space_count(space));
    hone__trail_release(&trail);
    release();
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_middle),           cmocka_unit_test(test_no_middle_of_nothing),
      cmocka_unit_test(test_random_steps),     cmocka_unit_test(test_no_steps),
      cmocka_unit_test(test_rows_around),      cmocka_unit_test(test_long_lists),
      cmocka_unit_test(test_model_of_one),     cmocka_unit_test(test_middle_with_a_value),
      cmocka_unit_test(test_middles_of_texts), cmocka_unit_test(test_middles_of_groups),
      cmocka_unit_test(test_far_rows),         cmocka_unit_test(test_far_rows_of_small_spaces),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
