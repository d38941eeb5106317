/* What a learner makes of the time that evaluations take. */
#include "search/learner.h"
#include "search_spaces.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const char grid[] = "params: {A: range(20), B: range(20)}\n";

/* Costs that are the same on both sides of A = 9.5, of rows that cost `low` and `high` of a budget
 * on them. */
static void tell_both_sides(struct hone__trail *trail, double low, double high)
{
  for (uint32_t a = 0; a < 20; a += a == 6 ? 7 : 3)
    for (uint32_t b = 1; b < 20; b += 9) {
      const uint32_t row[] = {0, a, b};
      double side = a < 10 ? a : 19 - a;
      const struct hone__observation answer = {
          .outcome = HONE_OUTCOME_OK, .cost = 10 - side + b / 4.0, .share = a < 10 ? low : high};
      hone__trail_tell(trail, row, &answer);
    }
}

/* Of the twenty that look newest: how many have a low A. */
static int count_low(double low, double high)
{
  struct hone__search_options options = {.seed = 3};
  struct hone__learner learner;
  struct hone__trail trail;
  int count = 0;

  build(grid);
  options.space = space;
  hone__trail_open(&trail, &options);
  hone__learner_open(&learner, &trail, 3, NULL);
  tell_both_sides(&trail, low, high);
  hone__learner_follow(&learner);
  for (int i = 0; i < 20; i++) {
    uint32_t row[3];
    assert_true(hone__learner_best(&learner, HONE__LEARNER_NOVELTY, row));
    count += row[1] < 10;
  }
  hone__learner_release(&learner);
  hone__trail_release(&trail);
  release();
  return count;
}

static void new_rows_are_cheap(void **state)
{
  (void)state;
  assert_in_range(count_low(NAN, NAN), 4, 16);
  assert_true(count_low(0.001, 0.1) > 16);
  assert_true(count_low(0.1, 0.001) < 4);
}

static double price_far_away(struct hone__gaussian *model)
{
  static const float none[HONE__GAUSSIAN_POINTS];

  hone__gaussian_settle(model);
  return hone__gaussian_forecast(model, none, 0, 0).price;
}

/* Results that were there before a search began have none. */
static void some_prices_are_not_known(void **state)
{
  struct hone__features features;
  struct hone__feature point[8];
  struct hone__gaussian model;

  (void)state;
  build(grid);
  hone__features_open(&features, space);
  hone__gaussian_open(&model, &features);
  for (uint32_t i = 0; i < 4; i++) {
    const uint32_t row[] = {0, 5 * i, 5 * i};
    hone__features_of(&features, row, point);
    hone__gaussian_add(&model, point, (float)i, 0);
  }
  assert_true(price_far_away(&model) == 0);
  hone__gaussian_set_price(&model, 2, -3);
  assert_true(fabs(price_far_away(&model) + 3) < 1e-5);
  hone__gaussian_set_price(&model, 3, -1);
  assert_true(price_far_away(&model) > -2.9 && price_far_away(&model) < -1.5);
  hone__gaussian_add(&model, point, 1, 0); /* asked for, and not known yet */
  assert_true(fabs(model.prices[4] + 2.5) < 1e-5);
  hone__gaussian_release(&model);
  hone__features_release(&features);
  release();
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(new_rows_are_cheap),
      cmocka_unit_test(some_prices_are_not_known),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
