/* Characters in bytes: which bytes are one, and which are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/utf8.h"
#include "hone.h"
#include "hone_text.h"

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

static void characters_have_numbers_and_some_disturb(void **state)
{
  static const struct {
    const char *text;
    size_t length;
    uint32_t code;
    bool disturbs;
  } rows[] = {{"a", 1, 'a', false},
              {"\n", 1, '\n', false},
              {"\t", 1, '\t', false},
              {"\033", 1, 27, true},
              {"\x7f", 1, 127, true},
              {"\xc2\xb5s", 2, 0xb5, false},
              {"\xc2\x9b", 2, 0x9b, true},
              {"\xe2\x80\xae", 3, 0x202e, true},
              {"\xf0\x9f\x98\x80", 4, 0x1f600, false},
              {"\xff", 1, UINT32_MAX, true}};
  uint32_t code;

  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_int_equal(hone_text_character(rows[i].text, &code), rows[i].length);
    assert_int_equal(code, rows[i].code);
    assert_int_equal(hone_text_disturbs(code), rows[i].disturbs);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lengths_of_characters),
      cmocka_unit_test(no_characters),
      cmocka_unit_test(bytes_that_end),
      cmocka_unit_test(characters_have_numbers_and_some_disturb),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
