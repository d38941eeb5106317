/* Texts in quotes: what a reader of JSON makes of them is the text again. */
#include "base/quoted_text.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void expect(const char *text, const char *quoted)
{
  struct hone__text out = {0};
  json_t *read;

  hone__quote_text(&out, text);
  assert_string_equal(out.data, quoted);
  read = json_loads(out.data, JSON_DECODE_ANY, NULL);
  assert_non_null(read);
  if (!strchr(text, '\xff')) assert_string_equal(json_string_value(read), text);
  json_decref(read);
  hone__text_release(&out);
}

static void test_quoted(void **state)
{
  (void)state;
  expect("", "\"\"");
  expect("a/b c", "\"a/b c\"");
  expect("say \"x\\y\"", "\"say \\\"x\\\\y\\\"\"");
  expect("a\nb\tc\rd\be\f", "\"a\\nb\\tc\\rd\\be\\f\"");
  expect("\x01\x1f\x7f", "\"\\u0001\\u001F\x7f\"");
  expect("\xc3\xa9\xe2\x82\xac", "\"\xc3\xa9\xe2\x82\xac\"");
  expect("a\xff", "\"a?\"");
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_quoted)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
