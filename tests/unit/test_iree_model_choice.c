/* Options of the compiler or a tuning spec: the decision, with figures of real runs. */
#include "iree/model/model_choice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct hone__model_gain screened(double speedup)
{
  return (struct hone__model_gain){.speedup = speedup, .low = NAN, .high = NAN};
}

static struct hone__model_gain open_at(double speedup, double low, double high)
{
  return (struct hone__model_gain){.speedup = speedup, .low = low, .high = high};
}

static struct hone__model_gain proved(double speedup, double low, double high)
{
  return (struct hone__model_gain){.speedup = speedup, .low = low, .high = high, .is_proved = true};
}

static const struct hone__model_gain nothing = {.speedup = 1, .low = 1, .high = 1};

static struct hone_iree_tuned_option option(double speedup, double low, bool is_used)
{
  return (struct hone_iree_tuned_option){.speedup = speedup,
                                         .low = low,
                                         .high = speedup * 1.2,
                                         .is_used = is_used,
                                         .outcome = HONE_OUTCOME_OK};
}

/* bf16 512^3 on an Intel Xeon, 45 s: one entry was proved, data tiling was not compared with it. */
static void a_proved_entry_does_not_hide_faster_options(void **state)
{
  struct hone__model_gain entry = proved(1.27, 1.13, 1.41), tiling = screened(1.83),
                          measured = open_at(1.77, 1.52, 1.98),
                          proved_tiling = proved(1.83, 1.5, 2);

  (void)state;
  assert_true(hone__model_choice_is_open(&tiling, &entry));
  assert_true(hone__model_choice_apart(&tiling, &entry));
  assert_true(hone__model_choice_apart(&measured, &entry));
  assert_true(hone__model_choice_apart(&proved_tiling, &entry));
  assert_true(hone__model_choice_beside(&tiling, &measured, &entry));
}

/* The last contest proves the entry first, and ends before it proves the options again. */
static void options_that_were_proved_are_not_lost_in_a_short_contest(void **state)
{
  struct hone__model_gain before = proved(1.83, 1.5, 2), now = screened(1.7),
                          entry = proved(1.27, 1.13, 1.41), no_time = screened(NAN);

  (void)state;
  assert_true(hone__model_choice_beside(&before, &now, &entry));
  assert_true(hone__model_choice_beside(&before, &no_time, &entry));
}

/* matvec 1x1000x2048: nothing of its search is given to O3. magika: neither. */
static void options_that_look_alike_cost_nothing(void **state)
{
  struct hone__model_gain o3 = open_at(1.02, 0.97, 1.06), entry = proved(2.05, 1.9, 2.2),
                          small = proved(1.02, 1.01, 1.03);

  (void)state;
  assert_false(hone__model_gain_is_worth_time(&o3));
  assert_false(hone__model_gain_is_promising(&o3));
  assert_false(hone__model_choice_is_open(&o3, &entry));
  assert_false(hone__model_choice_apart(&o3, &entry));
  assert_false(hone__model_choice_apart(&o3, &nothing));
  assert_false(hone__model_gain_is_worth_base(&small, 0.25)); /* 6 of 25 seconds */
  assert_true(hone__model_gain_is_worth_base(&small, 0.01));
  assert_true(hone__model_choice_apart(&small, &nothing));
}

/* nsnet2: data tiling 2.20x (1.97 to 2.51); light_densenet121: channels last 7.2x, 3 pairs;
 * melspectrogram: data tiling 1.36x (0.71 to 2.53). */
static void clear_options_take_the_place_of_nothing(void **state)
{
  struct hone__model_gain nsnet2 = open_at(2.2, 1.97, 2.51), densenet = screened(7.2),
                          melspectrogram = open_at(1.36, 0.71, 2.53), none = screened(NAN);

  (void)state;
  assert_true(hone__model_choice_apart(&nsnet2, &nothing));
  assert_true(hone__model_choice_apart(&densenet, &nothing));
  assert_false(hone__model_choice_apart(&melspectrogram, &nothing));
  assert_true(hone__model_gain_is_promising(&melspectrogram));
  assert_false(hone__model_choice_apart(&none, &nothing));
}

/* What is proved is not given up for noise. */
static void a_proved_result_stays_unless_options_are_clearly_faster(void **state)
{
  struct hone__model_gain entry = proved(1.41, 1.36, 1.47), alike = open_at(1.45, 1.2, 1.8),
                          few = screened(1.6), lower = proved(1.38, 1.3, 1.5),
                          slower = proved(1.1, 1.05, 1.15);

  (void)state;
  assert_true(hone__model_choice_is_open(&alike, &entry));
  assert_false(hone__model_choice_apart(&alike, &entry));
  assert_false(hone__model_choice_beside(&alike, &alike, &entry));
  assert_false(hone__model_choice_apart(&few, &entry));
  assert_false(hone__model_choice_beside(&lower, &lower, &entry));
  assert_true(hone__model_choice_apart(&lower, &entry)); /* each in a contest of its own */
  assert_false(hone__model_choice_is_open(&slower, &entry));
  assert_false(hone__model_choice_apart(&slower, &entry));
}

/* Loop vectors won with 1.1x, and time ended before the pairs of data tiling sufficed. */
static void a_winner_may_have_a_faster_rival(void **state)
{
  struct hone_iree_tuned_option list[] = {option(1.1, 1.05, true), option(1.7, 1.2, false),
                                          option(2.4, NAN, false), option(3.0, 2.5, false)};
  struct hone_iree_tuned tuned = {
      .options = list, .option_count = 4, .verdict = HONE_VERDICT_IMPROVED};

  (void)state;
  list[3].outcome = HONE_OUTCOME_WRONG_RESULT;
  assert_int_equal(hone__model_choice_rival(&tuned), 2);
  list[1].speedup = 1.12; /* the same, within noise */
  assert_int_equal(hone__model_choice_rival(&tuned), 0);
}

static void without_a_winner_the_fastest_is_the_rival(void **state)
{
  struct hone_iree_tuned_option list[] = {option(0.9, 0.8, false), option(1.02, NAN, false),
                                          option(1.3, NAN, false)};
  struct hone_iree_tuned tuned = {
      .options = list, .option_count = 3, .verdict = HONE_VERDICT_INCONCLUSIVE};

  (void)state;
  assert_int_equal(hone__model_choice_rival(&tuned), 3);
  list[2].outcome = HONE_OUTCOME_COMPILE_ERROR;
  assert_int_equal(hone__model_choice_rival(&tuned), 2);
  list[0] = option(1.25, 1.1, false); /* surer than a screening with 1.3 */
  list[2].outcome = HONE_OUTCOME_OK;
  assert_int_equal(hone__model_choice_rival(&tuned), 1);
  tuned.verdict = HONE_VERDICT_NO_IMPROVEMENT;
  assert_int_equal(hone__model_choice_rival(&tuned), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_proved_entry_does_not_hide_faster_options),
      cmocka_unit_test(options_that_were_proved_are_not_lost_in_a_short_contest),
      cmocka_unit_test(options_that_look_alike_cost_nothing),
      cmocka_unit_test(clear_options_take_the_place_of_nothing),
      cmocka_unit_test(a_proved_result_stays_unless_options_are_clearly_faster),
      cmocka_unit_test(a_winner_may_have_a_faster_rival),
      cmocka_unit_test(without_a_winner_the_fastest_is_the_rival),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
