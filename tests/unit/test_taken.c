/* What the samples of two rows prove about a change. */
#include "results/taken.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { COUNT = 12 };

/* Samples around this time, and processes around it. */
static struct hone__taken taken(double *logs, size_t processes, double *times, size_t samples,
                                double time_ns)
{
  for (size_t i = 0; i < processes; i++)
    logs[i] = log(time_ns * (1 + 0.001 * (double)(i % 3)));
  for (size_t i = 0; i < samples; i++)
    times[i] = time_ns * (1 + 0.001 * (double)(i % 3));
  return (struct hone__taken){logs, processes, times, samples};
}

static enum hone_change judge(size_t processes, size_t samples, double first_ns, double second_ns,
                              double *out_ratio)
{
  double logs[2][COUNT], times[2][COUNT];
  struct hone__taken first = taken(logs[0], processes, times[0], samples, first_ns);
  struct hone__taken second = taken(logs[1], processes, times[1], samples, second_ns);
  struct hone__estimate difference = hone__taken_difference(&first, &second);

  *out_ratio = exp(difference.value);
  assert_true(isnan(difference.value) ||
              (difference.low <= difference.value && difference.value <= difference.high));
  return hone__taken_judge(&difference, 0.02);
}

static void expect(size_t processes, size_t samples)
{
  double ratio;

  assert_int_equal(judge(processes, samples, 1000, 1200, &ratio), HONE_CHANGE_SLOWER);
  assert_true(fabs(ratio - 1.2) < 1e-6);
  assert_int_equal(judge(processes, samples, 1200, 1000, &ratio), HONE_CHANGE_FASTER);
  assert_int_equal(judge(processes, samples, 1000, 1001, &ratio), HONE_CHANGE_SAME);
}

static void processes_are_the_units(void **state)
{
  (void)state;
  expect(6, 0);
}

static void samples_of_one_process_are(void **state)
{
  (void)state;
  expect(1, COUNT);
}

static void few_samples_prove_nothing(void **state)
{
  double ratio;

  (void)state;
  assert_int_equal(judge(1, 3, 1000, 1200, &ratio), HONE_CHANGE_INCONCLUSIVE);
  assert_true(fabs(ratio - 1.2) < 1e-6);
  assert_int_equal(judge(0, 0, 1000, 1200, &ratio), HONE_CHANGE_NONE);
}

static void changes_have_names(void **state)
{
  (void)state;
  assert_string_equal(hone_change_name(HONE_CHANGE_FASTER), "FASTER");
  assert_string_equal(hone_change_name((enum hone_change)99), "");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(processes_are_the_units),
      cmocka_unit_test(samples_of_one_process_are),
      cmocka_unit_test(few_samples_prove_nothing),
      cmocka_unit_test(changes_have_names),
  };

  return cmocka_run_group_tests_name("taken", tests, NULL, NULL);
}
