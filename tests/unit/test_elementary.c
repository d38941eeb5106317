/* Logarithms, exponentials and their kin: near those of the C library, and the same to the last bit
 * on every machine. */
#include "base/elementary.h"
#include "base/hash.h"
#include "base/normal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double a, double b)
{
  if (!(fabs(a - b) <= 4e-15 * fmax(fabs(b), 0.25))) fail_msg("%.17g is not near %.17g", a, b);
}

static void test_they_are_near_the_library(void **state)
{
  (void)state;
  for (double x = -700; x < 709; x += 0.37) {
    assert_near(hone__exp(x) / exp(x), 1);
    assert_near(hone__log(exp(x)), log(exp(x)));
    assert_near(hone__power(exp(x / 100), 0.3), pow(exp(x / 100), 0.3));
    assert_near(hone__cosine_of_turns(x), cos(2 * 3.14159265358979324 * (x - floor(x))));
  }
}

static void test_their_ends(void **state)
{
  (void)state;
  assert_true(hone__exp(0) == 1 && hone__exp(-INFINITY) == 0 && hone__exp(-800) == 0);
  assert_true(isinf(hone__exp(800)) && isinf(hone__exp(INFINITY)) && isnan(hone__exp(NAN)));
  assert_true(hone__log(1) == 0 && hone__log(0) == -INFINITY && isnan(hone__log(-1)));
  assert_true(isinf(hone__log(INFINITY)) && isnan(hone__log(NAN)));
  assert_near(hone__log(5e-324), -744.44007192138122);
  assert_true(hone__power(0, 0.4) == 0 && hone__power(7, 0) == 1 && hone__power(1, 0.4) == 1);
  for (int i = -1000; i < 1000; i++)
    assert_true(hone__log2(ldexp(1, i)) == i);
}

static void test_the_normal_share_is_near_in_its_tail_too(void **state)
{
  (void)state;
  for (double z = -30; z < 9; z += 0.013)
    assert_true(fabs(hone__normal_share_below(z) / (erfc(-z * sqrt(0.5)) / 2) - 1) < 1e-12);
  for (double p = 1e-9; p < 1; p *= 1.3)
    assert_true(fabs(hone__normal_share_below(hone__normal_quantile(p)) / p - 1) < 1e-13);
  assert_true(hone__normal_share_below(-INFINITY) == 0 && hone__normal_share_below(INFINITY) == 1);
  assert_true(isnan(hone__normal_share_below(NAN)));
}

static uint64_t add_bits(uint64_t sum, double value)
{
  uint64_t bits;

  memcpy(&bits, &value, sizeof bits);
  return hone__mix(sum ^ bits);
}

/* A machine on which one bit of one value is another has another sum. */
static void test_every_machine_has_the_same_bits(void **state)
{
  uint64_t sum = 0;

  (void)state;
  for (int i = 0; i < 20000; i++) {
    double x = (i - 10000) / 1024.0;
    sum = add_bits(sum, hone__exp(x));
    sum = add_bits(sum, hone__log(i + 0.375));
    sum = add_bits(sum, hone__log2(i + 0.375));
    sum = add_bits(sum, hone__power(i / 512.0, 0.4));
    sum = add_bits(sum, hone__cosine_of_turns(x));
    sum = add_bits(sum, hone__normal_share_below(x));
  }
  assert_int_equal(sum, UINT64_C(0xe9a93aa13f271687));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_they_are_near_the_library),
      cmocka_unit_test(test_their_ends),
      cmocka_unit_test(test_the_normal_share_is_near_in_its_tail_too),
      cmocka_unit_test(test_every_machine_has_the_same_bits),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
