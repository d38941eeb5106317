/* What is shown of tools that failed. */
#include "build/diagnosis.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

static const struct {
  const char *output, *line;
} telling[] = {
    {"", NULL},
    {"k.c: In function 'f':\nk.c:3:2: warning: unused\nk.c:4:2: error: first\nk.c:5:2: error: "
     "second\n",
     "k.c:4:2: error: first"},
    {"k.cu(12): error: identifier \"x\" is undefined\n1 error detected in the compilation of "
     "\"k.cu\".\n",
     "k.cu(12): error: identifier \"x\" is undefined"},
    {"ptxas info    : 0 bytes\nptxas error   : Entry function uses too much shared data\n",
     "ptxas error   : Entry function uses too much shared data"},
    {"k.c:(.text+0x5): undefined reference to `g'\ncollect2: error: ld returned 1 exit status\n",
     "k.c:(.text+0x5): undefined reference to `g'"},
    {"cc k.c\nk.c:1:1: error: bad\nmake: *** [Makefile:3: all] Error 1\n", "k.c:1:1: error: bad"},
    {"Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n"
     "    raise ValueError(\"x: error: y\")\nValueError: x\nmore of it\n",
     "ValueError: x"},
    {"Traceback (most recent call last):\n  File \"a.py\", line 1\n    f()\nKeyError: 1\n\nDuring "
     "handling "
     "of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n"
     "  File \"a.py\", line 2\nRuntimeError: second\n",
     "RuntimeError: second"},
    {"k.c:1:1: error: bad\nTraceback (most recent call last):\n  File \"b.py\", line 2\n"
     "subprocess.CalledProcessError: Command\n",
     "k.c:1:1: error: bad"},
    {"  File \"a.py\", line 1\n    f(\n     ^\nSyntaxError: '(' was never closed\n",
     "SyntaxError: '(' was never closed"},
    {"building\nsh: 1: nocc: not found\n", "sh: 1: nocc: not found"},
    {"step 1\nstep 2\n\n", "step 2"},
    {"   \n\n", NULL},
};

static void test_line(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof telling / sizeof *telling; i++) {
    struct hone__text text = {0};
    hone__diagnosis_line(telling[i].output, &text);
    if (telling[i].line)
      assert_string_equal(text.data, telling[i].line);
    else
      assert_int_equal(text.length, 0);
    hone__text_release(&text);
  }
}

static void expect_whole(const char *output, const char *expected, bool expected_cut)
{
  struct hone__text text = {0};
  bool is_cut;

  hone__diagnosis_whole(output, &text, &is_cut);
  assert_string_equal(text.data ? text.data : "", expected);
  assert_int_equal(is_cut, expected_cut);
  hone__text_release(&text);
}

static void test_whole(void **state)
{
  (void)state;
  expect_whole("", "", false);
  expect_whole(
      "k.c:1:1: warning: w\n    1 | w\n"
      "In file included from a.h:2,\n                 from k.c:1:\n"
      "b.h: In function 'f':\nb.h:3:1: error: bad\n    3 | bad\n      | ^\nb.h:1:1: note: here\n"
      "k.c:9:1: error: other\n",
      "In file included from a.h:2,\n                 from k.c:1:\n"
      "b.h: In function 'f':\nb.h:3:1: error: bad\n    3 | bad\n      | ^\nb.h:1:1: note: here",
      true);
  expect_whole("k.c:1:1: error: bad\n    1 | bad\n", "k.c:1:1: error: bad\n    1 | bad", false);
  expect_whole("said before\nTraceback (most recent call last):\n  File\nKeyError: 1\n",
               "Traceback (most recent call last):\n  File\nKeyError: 1", false);
}

static void test_long(void **state)
{
  struct hone__text output = {0}, text = {0};
  bool is_cut;

  (void)state;
  for (int i = 0; i < 1000; i++)
    hone__text_addf(&output, "line %d\n", i);
  hone__diagnosis_whole(output.data, &text, &is_cut);
  assert_true(is_cut);
  assert_true(text.length < 1000);
  hone__text_release(&output);
  hone__text_release(&text);
}

static void expect_kinds(const char *one, const char *other, bool expected)
{
  struct hone__text a = {0}, b = {0};

  hone__diagnosis_kind(one, &a);
  hone__diagnosis_kind(other, &b);
  assert_int_equal(strcmp(a.data ? a.data : "", b.data ? b.data : "") == 0, expected);
  hone__text_release(&a);
  hone__text_release(&b);
}

static void test_kind(void **state)
{
  (void)state;
  expect_kinds("k.c:3:2: error: 64 is too large", "k.c:3:2: error: 128 is too large", true);
  expect_kinds("/tmp/hone-1/k.c:3: error: x", "/tmp/hone-22/k.c:3: error: x", true);
  expect_kinds("error: 0x1f", "error: 0x2a", true);
  expect_kinds("k.c:3:2: error: a", "k.c:3:2: error: b", false);
  expect_kinds("a1", "a2", false); /* names */
  expect_kinds("", "", true);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_line), cmocka_unit_test(test_whole),
                                     cmocka_unit_test(test_long), cmocka_unit_test(test_kind)};

  return cmocka_run_group_tests(tests, NULL, NULL);
}
