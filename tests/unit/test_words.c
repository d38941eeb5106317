#include "base/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void check(const char *line, const char *const *expected)
{
  struct hone__words words = {0};
  size_t count = 0;

  assert_null(hone__words_split(&words, line));
  while (expected[count])
    count++;
  assert_int_equal(words.count, count);
  for (size_t i = 0; i < count; i++)
    assert_string_equal(words.data[i], expected[i]);
  if (count) assert_null(words.data[count]);
  hone__words_release(&words);
}
#define CHECK(line, ...) check(line, (const char *const[]){__VA_ARGS__, NULL})

static void blanks(void **state)
{
  (void)state;
  check("", (const char *const[]){NULL});
  check(" \t\n ", (const char *const[]){NULL});
  CHECK("ssh", "ssh");
  CHECK("  ssh  -p 22\tgpu7\n", "ssh", "-p", "22", "gpu7");
  CHECK("a b c d e f g h i j", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
}

/* What sh makes of the same lines. */
static void quotes(void **state)
{
  (void)state;
  CHECK("ssh -p 22 'my host'", "ssh", "-p", "22", "my host");
  CHECK("a\"b c\"d'e f'", "ab cde f");
  CHECK("'' \"\"", "", "");
  CHECK("'a\\b' \"a\\b\" a\\b", "a\\b", "a\\b", "ab");
  CHECK("\"\\\"\\\\\\$\\`\"", "\"\\$`");
  CHECK("\\'x\\ y", "'x y");
  CHECK("a\\\nb \"c\\\nd\"", "ab", "cd");
  CHECK("$HOME ~ * 'it'\\''s'", "$HOME", "~", "*", "it's");
}

static void open_quotes(void **state)
{
  static const char *const lines[] = {"ssh 'my host", "a \"b", "a\\", "'", "\"a\\\"", "x 'a' \"'"};

  (void)state;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    struct hone__words words = {0};
    hone_status status;
    hone__words_add(&words, "kept");
    status = hone__words_split(&words, lines[i]);
    assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
    assert_non_null(strstr(hone_status_message(status), "not closed"));
    assert_int_equal(words.count, 1);
    assert_string_equal(words.data[0], "kept");
    assert_null(words.data[1]);
    hone_status_free(status);
    hone__words_release(&words);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blanks),
      cmocka_unit_test(quotes),
      cmocka_unit_test(open_quotes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
