/* Readings of the baseline: what it took between them, and how far that may be wrong. */
#include "session/readings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define assert_close(a, b) assert_true(fabs((a) - (b)) < 1e-9 * (b))

static void add(struct hone__readings *readings, double at, double ns)
{
  const double times[] = {ns, 1.5 * ns, 2 * ns};

  hone__readings_add(readings, at, times, 3);
}

static void test_none_and_one(void **state)
{
  struct hone__readings readings = {0};

  (void)state;
  assert_true(isnan(hone__readings_at(&readings, 1)));
  assert_true(hone__readings_step_at(&readings, 1) == 0);
  hone__readings_add(&readings, 1, NULL, 0); /* of no samples: none */
  assert_true(isnan(hone__readings_at(&readings, 1)));
  add(&readings, 1, 100);
  for (double at = 0; at < 3; at++) {
    assert_close(hone__readings_at(&readings, at), 150);
    assert_close(hone__readings_least_at(&readings, at), 100);
    assert_true(hone__readings_step_at(&readings, at) == 0);
  }
  assert_true(hone__readings_greatest_step(&readings) == 0);
  hone__readings_release(&readings);
}

/* A machine that becomes slower by the same factor all the time. */
static void test_steady_drift(void **state)
{
  struct hone__readings readings = {0};

  (void)state;
  for (int i = 0; i <= 10; i++)
    add(&readings, i, 100 * exp(0.03 * i));
  for (double at = 0; at < 9; at += 0.25)
    assert_close(hone__readings_least_at(&readings, at), 100 * exp(0.03 * at));
  assert_close(hone__readings_step_at(&readings, 4.5), 0.03);
  assert_close(hone__readings_usual_step(&readings), 0.03);
  hone__readings_release(&readings);
}

/* One reading of many is half as long again: what was measured beside it is not faster for it. */
static void test_disturbed_reading(void **state)
{
  struct hone__readings readings = {0};

  (void)state;
  for (int i = 0; i < 9; i++)
    add(&readings, i, i == 4 || i == 8 ? 150 : 100); /* the last one, too */
  for (double at = 0; at < 10; at += 0.5)
    assert_close(hone__readings_least_at(&readings, at), 100);
  assert_close(hone__readings_step_at(&readings, 3.5), log(1.5)); /* but it is in doubt */
  assert_close(hone__readings_step_at(&readings, 4.5), log(1.5));
  assert_true(hone__readings_step_at(&readings, 1.5) == 0);
  assert_close(hone__readings_greatest_step(&readings), log(1.5));
  assert_close(hone__readings_last_step(&readings), log(1.5));
  assert_true(hone__readings_usual_step(&readings) > 0);
  hone__readings_release(&readings);
}

/* The machine becomes faster at once: both sides keep their own level. */
static void test_jump(void **state)
{
  struct hone__readings readings = {0};

  (void)state;
  for (int i = 0; i < 8; i++)
    add(&readings, i, i < 4 ? 150 : 100);
  assert_close(hone__readings_least_at(&readings, 2.9), 150);
  assert_close(hone__readings_least_at(&readings, 4.1), 100);
  assert_close(hone__readings_step_at(&readings, 3.5), log(1.5));
  assert_true(hone__readings_step_at(&readings, 4.5) == 0);
  for (int i = 8; i < 30; i++)
    add(&readings, i, 100);
  assert_true(hone__readings_usual_step(&readings) == 0); /* once is not usual */
  hone__readings_release(&readings);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_none_and_one),
      cmocka_unit_test(test_steady_drift),
      cmocka_unit_test(test_disturbed_reading),
      cmocka_unit_test(test_jump),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
