#include "base/text.h"
#include "spec/annotation.h"
#include "spec/yaml.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

struct extracted {
  struct hone__arena arena;
  struct hone__diagnostics diagnostics;
  struct hone__source source;
  char *yaml;
  size_t size;
};

static void extract(struct extracted *extracted, const char *text)
{
  struct hone__source *source = &extracted->source;

  *extracted = (struct extracted){.source = {.path = "k.cu", .text = text, .size = strlen(text)}};
  hone__source_index(source, &extracted->arena);
  hone__annotation_extract(text, source->size, source, &extracted->arena, &extracted->diagnostics,
                           &extracted->yaml, &extracted->size, &source->line_map,
                           &source->line_count);
}

static void release(struct extracted *extracted)
{
  hone__diagnostics_release(&extracted->diagnostics);
  hone__arena_release(&extracted->arena);
}

/* Every line of the YAML stands in the source where the map says. */
static void check_map(const struct extracted *extracted)
{
  const struct hone__source *source = &extracted->source;
  const char *line = extracted->yaml;

  for (size_t i = 0; i < source->line_count; i++) {
    const char *end = strchr(line, '\n'), *p = source->text;
    size_t length = end ? (size_t)(end - line) : strlen(line);
    for (uint32_t n = 1; n < source->line_map[i].line; n++)
      p = strchr(p, '\n') + 1;
    assert_memory_equal(p + source->line_map[i].column_shift, line, length);
    if (!end) assert_int_equal(i, source->line_count - 1);
    line += length + (end != NULL);
  }
  assert_ptr_equal(line, extracted->yaml + extracted->size);
}

static void expect_yaml(const char *text, const char *yaml)
{
  struct extracted extracted;

  extract(&extracted, text);
  assert_int_equal(extracted.diagnostics.count, 0);
  assert_non_null(extracted.yaml);
  assert_string_equal(extracted.yaml, yaml);
  assert_int_equal(extracted.size, strlen(yaml));
  check_map(&extracted);
  release(&extracted);
}

static void expect_nothing(const char *text)
{
  struct extracted extracted;

  extract(&extracted, text);
  assert_null(extracted.yaml);
  assert_int_equal(extracted.size, 0);
  assert_null(extracted.source.line_map);
  assert_int_equal(extracted.diagnostics.count, 0);
  release(&extracted);
}

static void test_no_annotation(void **state)
{
  (void)state;
  expect_nothing("");
  expect_nothing("int x;\n// @hone a: 1\n//hone a: 1\n/* @hone a: 1 */\n");
  expect_nothing("//@honey a: 1\n//@hone: x\n/*@hones a: 1 */\n");
  expect_nothing("int x; //@hone a: 1\nint y; /*@hone a: 1 */\n");
  expect_nothing("char *s = \"//@hone a: 1\";\n");
}

static void test_line_form(void **state)
{
  (void)state;
  expect_yaml("//@hone a: 1", "a: 1\n");
  expect_yaml("  //@hone a: 1\n\t//@hone b: 2\nint x;\n", "a: 1\nb: 2\n");
  expect_yaml("//@hone params:\n//@hone   BM: [1, 2]\n//@hone\n//@hone   BN: 3\n",
              "params:\n  BM: [1, 2]\n\n  BN: 3\n");
  expect_yaml("//@hone     a:\n//@hone       b: 1\n", "a:\n  b: 1\n");
  expect_yaml("//@hone\ta: 1\n//@hone\tb: 2\n", "a: 1\nb: 2\n");
  expect_yaml("//@hone\t a: 1\n//@hone  b: 2\n", "\t a: 1\n  b: 2\n"); /* nothing in common */
  expect_yaml("//@hone\n", "\n");
  expect_yaml("//@hone   \n//@hone a: 1\n", "  \na: 1\n");
}

static void test_blocks_are_dedented_by_themselves(void **state)
{
  (void)state;
  expect_yaml("//@hone a: 1\nint x;\n//@hone     b:\n//@hone       c: 2\n", "a: 1\nb:\n  c: 2\n");
  expect_yaml("//@hone   a: 1\n\n//@hone b: 2\n", "a: 1\nb: 2\n");
  expect_yaml("//@hone   a: 1\n/*@hone\n     b: 2\n*/\n//@hone  c: 3\n", "a: 1\nb: 2\nc: 3\n");
}

static void test_comment_form(void **state)
{
  (void)state;
  expect_yaml("/*@hone\na: 1\nb: 2\n*/\nint x;\n", "a: 1\nb: 2\n");
  expect_yaml("  /*@hone\n     a:\n\n       b: 2\n   */\n", "a:\n\n  b: 2\n");
  expect_yaml("/*@hone a: 1 */ int x;\n", "a: 1\n");
  expect_yaml("/*@hone a: 1*/\n/*@hone b: 2 */\n", "a: 1\nb: 2\n");
  expect_yaml("/*@hone a: 1\n        b: 2 */\n", "a: 1\nb: 2\n");
  expect_yaml("/*@hone a: 1\n  b: 2\n  c:\n    d: 3\n*/\n", "a: 1\nb: 2\nc:\n  d: 3\n");
  expect_yaml("/*@hone*/", "");
  expect_yaml("/*@hone\n*/", "");
  expect_yaml("/*@hone\n//@hone a\n*/\n", "//@hone a\n");
  expect_yaml("//@hone /*@hone a: 1\n", "/*@hone a: 1\n");
}

static void test_decoration(void **state)
{
  (void)state;
  expect_yaml("/*@hone\n * a: 1\n * b:\n *   c: 2\n */\n", "a: 1\nb:\n  c: 2\n");
  expect_yaml("/*@hone a: 1\n * b: 2\n *\n * c: 3\n **/\n", "a: 1\nb: 2\n\nc: 3\n\n");
  expect_yaml("/*@hone\n * a: 1\n\n * b: 2 */\n", "a: 1\n\nb: 2\n");
  /* one line without it: not a decoration */
  expect_yaml("/*@hone\n a: &x 1\n *x : 2\n*/\n", "a: &x 1\n*x : 2\n");
  expect_yaml("/*@hone\n * a: 1\n b: 2\n*/\n", "* a: 1\nb: 2\n");
}

/* What follows a key on the first line is its value. */
static void test_first_line_opens_a_value(void **state)
{
  (void)state;
  expect_yaml("/*@hone params:\n     BM: 1\n     BN: 2\n*/\n", "params:\n BM: 1\n BN: 2\n");
  expect_yaml("/*@hone params: # tiles\n *   BM: 1\n *   BN: 2\n */\n",
              "params: # tiles\n BM: 1\n BN: 2\n");
  expect_yaml("/*@hone doc: |-\n     text\n*/\n", "doc: |-\n text\n");
  expect_yaml("/*@hone params:\n   BM: 1\n rules:\n   - x\n*/\n",
              "params:\n  BM: 1\nrules:\n  - x\n");
}

static void test_line_breaks(void **state)
{
  (void)state;
  expect_yaml("//@hone a: 1\r\n//@hone\r\n//@hone b: 2\r\n", "a: 1\n\nb: 2\n");
  expect_yaml("/*@hone\r\n * a: 1\r\n * b: 2\r\n */\r\n", "a: 1\nb: 2\n");
  expect_yaml("\xef\xbb\xbf//@hone a: 1\n", "a: 1\n");
}

static void test_no_end(void **state)
{
  struct extracted extracted;

  (void)state;
  extract(&extracted, "//@hone a: 1\n  /*@hone b: 2\n c: 3\n");
  assert_null(extracted.yaml);
  assert_int_equal(extracted.diagnostics.errors, 1);
  assert_int_equal(extracted.diagnostics.items[0].place.line, 2);
  assert_int_equal(extracted.diagnostics.items[0].place.column, 3);
  assert_string_equal(extracted.diagnostics.items[0].message,
                      "unterminated annotation; '*/' is missing");
  release(&extracted);
}

static void expect_diagnostic(const char *text, const char *expected)
{
  struct extracted extracted;
  struct hone__node *root;
  char *got;

  extract(&extracted, text);
  assert_non_null(extracted.yaml);
  hone__yaml_parse(extracted.yaml, extracted.size, &extracted.source, &extracted.arena,
                   &extracted.diagnostics, &root);
  assert_null(root);
  got = hone__diagnostics_text(&extracted.diagnostics, HONE__ERROR);
  assert_string_equal(got, expected);
  free(got);
  release(&extracted);
}

/* A diagnostic about the YAML shows the line and column of the source. */
static void test_places(void **state)
{
  (void)state;
  expect_diagnostic("int x;\n  //@hone a: *b\n",
                    "k.cu:2:14: error: unknown alias '*b': no anchor '&b' is defined before it; "
                    "quote it if it is text\n"
                    "      2 |   //@hone a: *b\n"
                    "        |              ^\n");
  expect_diagnostic("/*@hone\n * a: 1\n *   b: 2\n */\n",
                    "k.cu:3:7: error: a ':' is not expected here; is the indentation right? text "
                    "that holds ': ' needs quotes\n"
                    "      3 |  *   b: 2\n"
                    "        |       ^\n");
  expect_diagnostic("//@hone a: [1,\nint x;\n",
                    "k.cu:1:15: error: the text ends here; is a ']' or '}' missing?\n"
                    "      1 | //@hone a: [1,\n"
                    "        |               ^\n");
  expect_diagnostic("//@hone a: 1\n\nint x;\n//@hone b: {x: 1\n//@hone c: 2\n",
                    "k.cu:5:10: error: a ',' or '}' is missing in the mapping that begins at line "
                    "4\n"
                    "      5 | //@hone c: 2\n"
                    "        |          ^\n");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_annotation),
      cmocka_unit_test(test_line_form),
      cmocka_unit_test(test_blocks_are_dedented_by_themselves),
      cmocka_unit_test(test_comment_form),
      cmocka_unit_test(test_decoration),
      cmocka_unit_test(test_first_line_opens_a_value),
      cmocka_unit_test(test_line_breaks),
      cmocka_unit_test(test_no_end),
      cmocka_unit_test(test_places),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
