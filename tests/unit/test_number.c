#include "base/number.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void percentages_have_no_exponent(void **state)
{
  static const struct {
    double share;
    const char *text;
  } cases[] = {{0, "0 %"},         {1.234, "123 %"},       {1.2e2, "12000 %"}, {0.998, "100 %"},
               {0.0994, "9.9 %"},  {0.0999, "10 %"},       {0.0242, "2.4 %"},  {0.00999, "1.0 %"},
               {0.0012, "0.12 %"}, {0.000012, "0.0012 %"}, {-0.024, "-2.4 %"}};
  char text[64];

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hone__print_percent(text, sizeof text, cases[i].share);
    assert_string_equal(text, cases[i].text);
  }
}

static void times_have_a_unit(void **state)
{
  static const struct {
    double ns;
    const char *text;
  } cases[] = {
      {1e6, "1 ms"}, {999999, "1 ms"}, {1310000, "1.31 ms"}, {0.5, "0.5 ns"}, {2e9, "2 s"}};
  char text[64];

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    hone__print_time(text, sizeof text, cases[i].ns);
    assert_string_equal(text, cases[i].text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(percentages_have_no_exponent),
                                     cmocka_unit_test(times_have_a_unit)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
