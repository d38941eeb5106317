/* Characters in bytes: what is one, and what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"

static void lengths_of_characters(void **state)
{
  (void)state;
  assert_int_equal(hone__utf8_length("a"), 1);
  assert_int_equal(hone__utf8_length(""), 1); /* the NUL */
  assert_int_equal(hone__utf8_length("\xc2\xb5s"), 2);
  assert_int_equal(hone__utf8_length("\xe2\x82\xac"), 3);
  assert_int_equal(hone__utf8_length("\xf0\x9f\x98\x80"), 4);
}

static void no_characters(void **state)
{
  static const char *const texts[] = {"\x80",
                                      "\xc0\x80",
                                      "\xc1\xbf",
                                      "\xc3",
                                      "\xe0\x9f\xbf",
                                      "\xed\xa0\x80",
                                      "\xe2\x82",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80"};

  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    assert_int_equal(hone__utf8_length(texts[i]), 0);
}

static void bytes_that_end(void **state)
{
  static const char euro[] = {'\xe2', '\x82', '\xac'};

  (void)state;
  assert_int_equal(hone__utf8_length_within(euro, 0), 0);
  assert_int_equal(hone__utf8_length_within(euro, 2), 0);
  assert_int_equal(hone__utf8_length_within(euro, 3), 3);
  assert_int_equal(hone__utf8_length_within("a", 1), 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lengths_of_characters),
      cmocka_unit_test(no_characters),
      cmocka_unit_test(bytes_that_end),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
