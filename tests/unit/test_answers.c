/* What answers are compared with: names, words, and what counts as checked. */
#include "check/answers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void every_name_is_read_back(void **state)
{
  (void)state;
  for (int i = 0; i < HONE__ANSWERS_COUNT; i++) {
    enum hone__answers answers = HONE__ANSWERS_COUNT;
    assert_true(hone__answers_parse(hone__answers_name(i), &answers));
    assert_int_equal(answers, i);
  }
}

static void other_names_are_unknown(void **state)
{
  static const char *const names[] = {NULL, "", "Reference", "reference ", "of a later version"};
  enum hone__answers answers = HONE__ANSWERS_COUNT;

  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    assert_false(hone__answers_parse(names[i], &answers));
    assert_int_equal(answers, HONE__ANSWERS_COUNT); /* it stays as it was */
  }
}

static void words_say_whether_anything_was_compared(void **state)
{
  (void)state;
  for (int i = 0; i < HONE__ANSWERS_COUNT; i++) {
    bool is_checked = hone__answers_are_checked(i);
    assert_int_equal(strncmp(hone__answers_done(i), "NOT checked", 11) != 0, is_checked);
    assert_int_equal(strncmp(hone__answers_found(i), "NOT checked", 11) != 0, is_checked);
  }
}

/* Agreement with the baseline is no proof that both are right. */
static void only_a_reference_makes_correct(void **state)
{
  (void)state;
  assert_string_equal(hone__answers_found(HONE__ANSWERS_REFERENCE),
                      "correct: agrees with the reference");
  for (int i = 0; i < HONE__ANSWERS_COUNT; i++)
    if (i != HONE__ANSWERS_REFERENCE) assert_null(strstr(hone__answers_found(i), "correct"));
  assert_non_null(strstr(hone__answers_found(HONE__ANSWERS_BASELINE), "there is no reference"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_name_is_read_back),
      cmocka_unit_test(other_names_are_unknown),
      cmocka_unit_test(words_say_whether_anything_was_compared),
      cmocka_unit_test(only_a_reference_makes_correct),
  };

  return cmocka_run_group_tests_name("answers", tests, NULL, NULL);
}
