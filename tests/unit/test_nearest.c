/* "did you mean". */
#include "hone.h"
#include "hone_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const commands[] = {"run",    "tune",           "space",   "export",
                                       "report", "replay",         "devices", "iree",
                                       "params", "workgroup_size", "Metal:1", NULL};

static void expect(const char *word, const char *best)
{
  struct hone_nearest nearest = {.word = word};

  for (const char *const *known = commands; *known; known++)
    hone_nearest_try(&nearest, *known);
  if (!best)
    assert_null(nearest.best);
  else
    assert_string_equal(nearest.best, best);
}

static void a_letter_more_less_other_or_swapped_is_near(void **state)
{
  (void)state;
  expect("spcae", "space");
  expect("parms", "params");
  expect("exxport", "export");
  expect("tunw", "tune");
  expect("workgruop_sizes", "workgroup_size");
}

static void case_does_not_count(void **state)
{
  (void)state;
  expect("TUNE", "tune");
  expect("metal:1", "Metal:1");
}

static void a_beginning_is_near(void **state)
{
  (void)state;
  expect("dev", "devices");
  expect("work", "workgroup_size");
  expect("d", NULL);
}

static void short_words_must_be_nearer_than_long_ones(void **state)
{
  (void)state;
  expect("foo", NULL);
  expect("rxx", NULL);
  expect("sXYce", NULL);
  expect("workgrXYp_sZze", "workgroup_size");
  expect("", NULL);
}

static void the_nearest_wins_and_the_first_of_equals(void **state)
{
  (void)state;
  expect("rep", "report");
  expect("repay", "replay");
}

static void a_very_long_word_is_near_to_nothing(void **state)
{
  char word[200];

  (void)state;
  memset(word, 'a', sizeof word - 1);
  word[sizeof word - 1] = '\0';
  expect(word, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_letter_more_less_other_or_swapped_is_near),
      cmocka_unit_test(case_does_not_count),
      cmocka_unit_test(a_beginning_is_near),
      cmocka_unit_test(short_words_must_be_nearer_than_long_ones),
      cmocka_unit_test(the_nearest_wins_and_the_first_of_equals),
      cmocka_unit_test(a_very_long_word_is_near_to_nothing),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
