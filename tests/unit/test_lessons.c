/* What other devices teach a search: where it begins, what it expects, and how soon it stops
 * believing it. */
#include "search/learner.h"
#include "search/search.h"
#include "search_spaces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char grid[] = "params: {A: range(20), B: range(20)}\n";

typedef double device(double a, double b); /* what a configuration costs there */

static double low_corner(double a, double b)
{
  return 1 + a * a + b * b;
}

static double high_corner(double a, double b)
{
  return 1 + (19 - a) * (19 - a) + (19 - b) * (19 - b);
}

/* A fifth of the rows fails. */
static double with_failures(double a, double b)
{
  return fmod(a, 5) == 4 ? NAN : low_corner(a, b);
}

static double nothing_works(double a, double b)
{
  (void)a, (void)b;
  return NAN;
}

/* Every `every`-th row. */
static bool teach(struct hone__lessons *lessons, device *cost, uint64_t every)
{
  uint32_t rows[400 * 3];
  double costs[400];
  size_t count = 0;

  for (uint64_t i = 0; i < hone_space_count(space); i += every, count++) {
    uint32_t *row = rows + count * 3;
    assert_true(hone_space_at(space, i, row));
    costs[count] = cost(row[1], row[2]);
  }
  return hone__lessons_add(lessons, rows, costs, count);
}

static double expected_at(const struct hone__lessons *lessons, uint32_t a, uint32_t b)
{
  const uint32_t row[] = {0, a, b};
  struct hone__feature point[8];

  hone__features_of(&lessons->features, row, point);
  return hone__lessons_expect(lessons, row, point);
}

static void test_first_rows_cover_all_sources(void **state)
{
  struct hone__lessons lessons;
  uint32_t rows[8 * 3];

  (void)state;
  build(grid);
  hone__lessons_open(&lessons, space);
  assert_int_equal(hone__lessons_first(&lessons, 8, rows), 0);
  assert_true(teach(&lessons, low_corner, 1));
  assert_int_equal(hone__lessons_first(&lessons, 8, rows), 1);
  assert_true(rows[1] == 0 && rows[2] == 0);
  assert_true(teach(&lessons, high_corner, 1));
  assert_int_equal(hone__lessons_first(&lessons, 8, rows), 2);
  assert_true(rows[1] + rows[4] == 19 && rows[2] + rows[5] == 19);
  assert_int_equal(hone__lessons_first(&lessons, 1, rows), 1);
  hone__lessons_release(&lessons);
  release();
}

/* Of every seventh row, failures among them; and of rows that the source has not measured. */
static void test_expectations(void **state)
{
  struct hone__lessons lessons;

  (void)state;
  build(grid);
  hone__lessons_open(&lessons, space);
  assert_true(teach(&lessons, with_failures, 7));
  assert_true(fabs(expected_at(&lessons, 0, 0)) < 1e-6);
  assert_true(expected_at(&lessons, 1, 1) < expected_at(&lessons, 10, 10));
  assert_true(expected_at(&lessons, 10, 10) < expected_at(&lessons, 4, 4)); /* it failed */
  assert_true(expected_at(&lessons, 1, 2) < expected_at(&lessons, 10, 11));
  hone__lessons_release(&lessons);
  release();
}

/* As of a source with one parameter more, whose values are the turns: the worse ones come first and
 * last. */
static void test_best_of_a_row_counts(void **state)
{
  static const double turns[] = {3, NAN, 1, 2};
  uint32_t rows[4 * 20 * 3];
  double costs[4 * 20];
  struct hone__lessons lessons;

  (void)state;
  build(grid);
  hone__lessons_open(&lessons, space);
  for (uint32_t i = 0; i < 4 * 20; i++) {
    memcpy(rows + i * 3, (uint32_t[]){0, i % 20, i % 20}, 3 * sizeof *rows);
    costs[i] = (1 + i % 20) * (i % 20 == 5 && i / 20 == 2 ? 0.01 : turns[i / 20]);
  }
  assert_true(hone__lessons_add(&lessons, rows, costs, 4 * 20));
  assert_int_equal(lessons.all[0].count, 20);
  assert_int_equal(hone__lessons_first(&lessons, 1, rows), 1);
  assert_int_equal(rows[1], 5);
  assert_true(expected_at(&lessons, 5, 5) < expected_at(&lessons, 0, 0));
  assert_true(expected_at(&lessons, 0, 0) < expected_at(&lessons, 1, 1));
  assert_true(expected_at(&lessons, 1, 1) < expected_at(&lessons, 19, 19));
  hone__lessons_release(&lessons);
  release();
}

static void test_useless_sources(void **state)
{
  struct hone__lessons lessons;
  uint32_t illegal[8 * 3] = {0};
  double costs[8] = {1, 2, 3, 4, 5, 6, 7, 8};

  (void)state;
  build("params: {A: range(20), B: range(20)}\nconstraints: [A + B > 0]\n");
  hone__lessons_open(&lessons, space);
  assert_false(teach(&lessons, nothing_works, 1));
  assert_false(hone__lessons_add(&lessons, illegal, costs, 8));
  assert_false(hone__lessons_add(&lessons, illegal, costs, 0));
  assert_int_equal(lessons.count, 0);
  hone__lessons_release(&lessons);
  release();
}

/* Evaluations until `auto` finds the best of `cost`. */
static unsigned evaluations(const struct hone__lessons *lessons, device *cost)
{
  struct hone__search_options options = {.space = space, .seed = 1, .lessons = lessons};
  uint32_t row[3];
  unsigned count = 0;
  void *search;

  assert_null(hone__search_auto.open(&options, &search));
  while (hone__search_auto.ask(search, 1, row)) {
    double found = cost(row[1], row[2]);
    struct hone__observation told = {.outcome = HONE_OUTCOME_OK, .cost = found, .share = NAN};
    count++;
    if (found <= 1) break;
    hone__search_auto.tell(search, row, &told);
  }
  hone__search_auto.close(search);
  return count;
}

static void test_search_begins_where_others_ended(void **state)
{
  struct hone__lessons lessons;

  (void)state;
  build(grid);
  hone__lessons_open(&lessons, space);
  teach(&lessons, low_corner, 1);
  assert_int_equal(evaluations(&lessons, low_corner), 1);
  assert_true(evaluations(NULL, low_corner) > 1);
  hone__lessons_release(&lessons);
  release();
}

/* The opposite is true here: of 400 rows, few are wasted. */
static void test_contradiction_is_noticed(void **state)
{
  struct hone__lessons lessons;

  (void)state;
  build(grid);
  hone__lessons_open(&lessons, space);
  teach(&lessons, low_corner, 1);
  assert_true(evaluations(&lessons, high_corner) < 60);
  hone__lessons_release(&lessons);
  release();
}

/* Asks for `count` rows and tells what they cost. */
static void ask_some(const struct hone__lessons *lessons, device *cost, size_t count,
                     uint32_t *rows)
{
  struct hone__search_options options = {.space = space, .seed = 1, .lessons = lessons};
  void *search;

  assert_null(hone__search_auto.open(&options, &search));
  for (size_t i = 0; i < count; i++) {
    uint32_t *row = rows + 3 * i;
    struct hone__observation told = {.outcome = HONE_OUTCOME_OK, .share = NAN};
    assert_int_equal(hone__search_auto.ask(search, 1, row), 1);
    told.cost = cost(row[1], row[2]);
    hone__search_auto.tell(search, row, &told);
  }
  hone__search_auto.close(search);
}

static double near_low_corner(double a, double b)
{
  return 1 + (a - 3) * (a - 3) + (b - 2) * (b - 2);
}

static bool is_far(const uint32_t *row, double a, double b)
{
  return hypot(row[1] - a, row[2] - b) > 8;
}

/* The source's best is worse than the middle: it is forgotten, and the search goes on as one that
 * was taught nothing does after the middle, first far away. A source that begins well is believed.
 */
static void test_worse_than_the_middle(void **state)
{
  struct hone__lessons lessons;
  uint32_t taught[4 * 3], untaught[3 * 3];

  (void)state;
  build(grid);
  hone__lessons_open(&lessons, space);
  teach(&lessons, low_corner, 1);
  ask_some(&lessons, high_corner, 4, taught);
  ask_some(NULL, high_corner, 3, untaught);
  assert_memory_equal(taught, ((uint32_t[]){0, 0, 0}), 3 * sizeof *taught);
  assert_memory_equal(taught + 3, untaught, 3 * sizeof *taught);
  assert_true(is_far(untaught + 3, 9, 9));
  assert_memory_equal(taught + 6, untaught + 3, 3 * sizeof *taught);
  ask_some(&lessons, near_low_corner, 4, taught);
  ask_some(NULL, near_low_corner, 3, untaught);
  assert_memory_equal(taught + 3, untaught, 3 * sizeof *taught);
  assert_memory_not_equal(taught + 6, untaught + 3, 3 * sizeof *taught);
  hone__lessons_release(&lessons);
  release();
}

/* What was requested for wrong lessons is known, but no evidence. */
static void test_set_aside(void **state)
{
  const uint32_t rows[] = {0, 0, 0, 0, 9, 9, 0, 5, 3};
  struct hone__observation told = {.outcome = HONE_OUTCOME_OK, .cost = 1, .share = NAN};
  struct hone__search_options options = {.seed = 1};
  struct hone__trail trail;
  struct hone__learner learner;

  (void)state;
  build(grid);
  options.space = space;
  hone__trail_open(&trail, &options);
  for (size_t i = 0; i < 3; i++)
    hone__trail_tell(&trail, rows + 3 * i, &told);
  trail.trials[0].is_aside = true;
  hone__learner_open(&learner, &trail, 1, NULL);
  hone__learner_follow(&learner);
  assert_int_equal(learner.model.count, 2);
  assert_int_equal(learner.trials[0], 1);
  assert_false(hone__trail_ask(&trail, rows));
  hone__learner_release(&learner);
  hone__trail_release(&trail);
  release();
}

/* Three in ten requests are made as if nothing had been taught: a model has both views, and only
 * the one that was taught follows what was expected. */
static void test_a_view_without_lessons(void **state)
{
  struct hone__features features;
  struct hone__gaussian model;
  struct hone__feature point[8];
  float none[HONE__GAUSSIAN_POINTS] = {0};
  double with, without;

  (void)state;
  build(grid);
  hone__features_open(&features, space);
  hone__gaussian_open(&model, &features);
  for (uint32_t i = 0; i < 20; i++) {
    hone__features_of(&features, (const uint32_t[]){0, i, i}, point);
    hone__gaussian_add(&model, point, (float)i / 20, (float)i / 20);
  }
  hone__gaussian_settle(&model);
  with = hone__gaussian_forecast(&model, none, 0, 2).mean -
         hone__gaussian_forecast(&model, none, 0, 0).mean;
  model.is_own = true;
  without = hone__gaussian_forecast(&model, none, 0, 2).mean -
            hone__gaussian_forecast(&model, none, 0, 0).mean;
  assert_true(with > 0.2);
  assert_true(fabs(without) < 1e-9);
  hone__gaussian_release(&model);
  hone__features_release(&features);
  release();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_first_rows_cover_all_sources),
      cmocka_unit_test(test_expectations),
      cmocka_unit_test(test_best_of_a_row_counts),
      cmocka_unit_test(test_useless_sources),
      cmocka_unit_test(test_search_begins_where_others_ended),
      cmocka_unit_test(test_contradiction_is_noticed),
      cmocka_unit_test(test_worse_than_the_middle),
      cmocka_unit_test(test_set_aside),
      cmocka_unit_test(test_a_view_without_lessons),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
