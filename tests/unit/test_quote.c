/* Words for a shell: how they are written, and that a shell reads them as they were. */
#include "base/quote.h"
#include "hone.h"
#include "hone_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct {
  const char *word, *quoted;
} words[] = {
    {"gemm.yaml", "gemm.yaml"},
    {"--set=BM=64,BN=%d/a:b@c+d-e_F", "--set=BM=64,BN=%d/a:b@c+d-e_F"},
    {"", "''"},
    {"a b", "'a b'"},
    {"it's", "'it'\\''s'"},
    {"'", "''\\'''"},
    {"a\\b", "'a\\b'"},
    {"$HOME `x` \"y\"", "'$HOME `x` \"y\"'"},
    {"^a", "'^a'"},
    {"~", "'~'"},
    {"a*?[b]{c}(d)<e>|&;#!", "'a*?[b]{c}(d)<e>|&;#!'"},
    {"gr\xc3\xb6\xc3\x9f"
     "e",
     "'gr\xc3\xb6\xc3\x9f"
     "e'"},
    {"a\nb", "$'a\\012b'"},
    {"a\tb", "$'a\\011b'"},
    {"\033[31m'\\", "$'\\033[31m\\047\\134'"},
    {"a\xff", "$'a\\377'"},
    {"\xe2\x80\xae", "$'\\342\\200\\256'"}, /* turns the direction of what follows */
};
enum { COUNT = sizeof words / sizeof *words };

static void words_are_quoted_where_a_shell_needs_it(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT; i++) {
    struct hone__text text = {0};
    hone__quote_shell(&text, words[i].word);
    assert_string_equal(text.data, words[i].quoted);
    hone__text_release(&text);
  }
}

static void a_shell_reads_the_same_word(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT; i++) {
    struct hone__text command = {0}, inner = {0};
    char read[256];
    FILE *shell;

    hone__text_addf(&inner, "printf %%s %s", words[i].quoted);
    hone__text_add(&command, "bash -c ");
    hone__quote_shell(&command, inner.data);
    shell = popen(command.data, "r");
    assert_non_null(shell);
    read[fread(read, 1, sizeof read - 1, shell)] = '\0';
    assert_int_equal(pclose(shell), 0);
    assert_string_equal(read, words[i].word);
    hone__text_release(&inner);
    hone__text_release(&command);
  }
}

static void a_buffer_holds_what_fits(void **state)
{
  char buffer[8] = "1234567";

  (void)state;
  assert_int_equal(hone_shell_word("a b", NULL, 0), 5);
  assert_int_equal(hone_shell_word("a b", buffer, 4), 5);
  assert_string_equal(buffer, "'a ");
  assert_int_equal(hone_shell_word("a b", buffer, sizeof buffer), 5);
  assert_string_equal(buffer, "'a b'");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_are_quoted_where_a_shell_needs_it),
      cmocka_unit_test(a_shell_reads_the_same_word),
      cmocka_unit_test(a_buffer_holds_what_fits),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
