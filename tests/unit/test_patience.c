/* When a search has gone on for long enough. */
#include "tune/patience.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void note(struct hone__patience *patience, double cost, size_t times)
{
  while (times-- > 0)
    hone__patience_note(patience, &cost, 1);
}

static void without_end(void **state)
{
  struct hone__patience patience = {0};

  (void)state;
  assert_int_equal(hone__patience_left(&patience), UINT64_MAX);
  note(&patience, 2, 100000);
  assert_int_equal(hone__patience_left(&patience), UINT64_MAX);
}

static void ends_without_gain(void **state)
{
  struct hone__patience patience;

  (void)state;
  hone__patience_open(&patience, 20, 0);
  assert_int_equal(hone__patience_left(&patience), 20);
  note(&patience, 1.5, 10); /* slower than the baseline */
  note(&patience, NAN, 9);  /* failed */
  assert_int_equal(hone__patience_left(&patience), 1);
  note(&patience, 0.998, 1); /* no more than chance */
  assert_int_equal(hone__patience_left(&patience), 0);
  assert_int_equal(hone__patience_used(&patience), 20);
}

static void gains_renew_it(void **state)
{
  struct hone__patience patience;

  (void)state;
  hone__patience_open(&patience, 20, 0);
  note(&patience, 0.5, 19); /* once a gain, then the same again */
  assert_int_equal(hone__patience_left(&patience), 2);
  note(&patience, 0.49, 1);
  assert_int_equal(hone__patience_left(&patience), 20);
  for (int i = 0; i < 20; i++) /* in small steps, of which none is one */
    note(&patience, 0.49 - 0.0001 * i, 1);
  assert_int_equal(hone__patience_left(&patience), 0);
}

static void grows_with_what_was_evaluated(void **state)
{
  struct hone__patience patience;

  (void)state;
  hone__patience_open(&patience, 150, 0.5);
  note(&patience, 1, 149);
  note(&patience, 0.9, 1);
  assert_int_equal(hone__patience_left(&patience), 150);
  note(&patience, 1, 149);
  assert_int_equal(hone__patience_left(&patience), 1); /* 150 is half of 300 */
  note(&patience, 0.8, 1);
  note(&patience, 1, 150);
  assert_int_equal(hone__patience_left(&patience), 75); /* half of 450, less 150 */
}

static void a_gain_of_any_cost_counts(void **state)
{
  struct hone__patience patience;

  (void)state;
  hone__patience_open(&patience, 20, 0);
  for (int i = 0; i < 10; i++)
    hone__patience_note(&patience, (const double[]){1, 1}, 2);
  hone__patience_note(&patience, (const double[]){1.2, 0.7}, 2);
  assert_int_equal(hone__patience_left(&patience), 20);
  hone__patience_note(&patience, (const double[]){0.9, 0.9}, 2);
  assert_int_equal(hone__patience_left(&patience), 20);
  hone__patience_note(&patience, (const double[]){0.9, 0.9}, 2);
  assert_int_equal(hone__patience_left(&patience), 19);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_end),
      cmocka_unit_test(ends_without_gain),
      cmocka_unit_test(gains_renew_it),
      cmocka_unit_test(grows_with_what_was_evaluated),
      cmocka_unit_test(a_gain_of_any_cost_counts),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
