#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void texts_grow(void **state)
{
  struct hone__text text = {0};
  char *taken;

  (void)state;
  for (int i = 0; i < 1000; i++)
    hone__text_addf(&text, "%03d", i);
  hone__text_addn(&text, "abcdef", 3);
  assert_int_equal(text.length, 3003);
  assert_memory_equal(text.data, "000001", 6);
  assert_string_equal(text.data + 2997, "999abc");
  taken = hone__text_take(&text);
  assert_null(text.data);
  assert_int_equal(strlen(taken), 3003);
  free(taken);
  taken = hone__text_take(&text);
  assert_string_equal(taken, "");
  free(taken);
}

static void beginnings_and_ends(void **state)
{
  (void)state;
  assert_true(hone__starts_with("sm_90", "sm_"));
  assert_false(hone__starts_with("sm", "sm_"));
  assert_true(hone__ends_with("a.json", ".json"));
  assert_false(hone__ends_with(".json", ".json"));
  assert_false(hone__ends_with("json", ".json"));
}

static void words_and_identifiers(void **state)
{
  (void)state;
  assert_true(hone__has_word("a TILE_2 TILE", "TILE"));
  assert_false(hone__has_word("TILE_2 xTILE TILE3", "TILE"));
  assert_int_equal(hone__text_word_length("a_1-b"), 3);
  assert_int_equal(hone__text_word_length("-b"), 0);
  assert_int_equal(hone__text_word_length(""), 0);
  assert_true(hone__is_identifier("_a1"));
  assert_false(hone__is_identifier("1a"));
  assert_false(hone__is_identifier("a-b"));
  assert_false(hone__is_identifier(""));
}

static void variables(void **state)
{
  static const struct {
    const char *text;
    size_t length;
    const char *name;
  } cases[] = {{"$HOME/x", 5, "HOME"}, {"${HOME}/x", 7, "HOME"}, {"$", 0, NULL},
               {"$$", 0, NULL},        {"${HOME", 0, NULL},      {"${HOME:-x}", 0, NULL},
               {"${}", 0, NULL},       {"HOME", 0, NULL},        {"$-", 0, NULL}};

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *name = "";
    size_t length = 0;
    print_message("# %s\n", cases[i].text);
    assert_int_equal(hone__text_variable_length(cases[i].text, &name, &length), cases[i].length);
    if (!cases[i].name) continue;
    assert_int_equal(length, strlen(cases[i].name));
    assert_memory_equal(name, cases[i].name, length);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_grow),
      cmocka_unit_test(beginnings_and_ends),
      cmocka_unit_test(words_and_identifiers),
      cmocka_unit_test(variables),
  };

  return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
