/* Tables are written down as "a|b;c|d": cells and rows; a quoted cell is in <>. */
#include "base/csv.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void print(const struct hone__csv *csv, struct hone__text *text)
{
  for (size_t i = 0; i < csv->row_count; i++) {
    const struct hone__csv_row *row = &csv->rows[i];
    if (i) hone__text_add(text, ";");
    for (size_t k = 0; k < row->count; k++) {
      assert_int_equal(row->cells[k].text[row->cells[k].length], 0);
      hone__text_addf(text, row->cells[k].is_quoted ? "%s<%s>" : "%s%s", k ? "|" : "",
                      row->cells[k].text);
    }
  }
}

static void expect_of(const char *bytes, size_t size, const char *expected)
{
  struct hone__csv csv;
  struct hone__text text = {0};

  assert_null(hone__csv_parse(bytes, size, &csv));
  hone__text_add(&text, "");
  print(&csv, &text);
  assert_string_equal(text.data, expected);
  hone__text_release(&text);
  hone__csv_release(&csv);
}

static void expect(const char *text, const char *expected)
{
  expect_of(text, strlen(text), expected);
}

static void plain_cells(void **state)
{
  (void)state;
  expect("", "");
  expect("a", "a");
  expect("a,b\nc,d\n", "a|b;c|d");
  expect("a,b\nc,d", "a|b;c|d");
  expect("a,b,c\nd\n", "a|b|c;d");
  expect(",\n,,", "|;||");
  expect(" a , b\t\n", " a | b\t");
}

static void ends_of_lines(void **state)
{
  (void)state;
  expect("a\r\nb\r\n", "a;b");
  expect("a\rb\r", "a;b");
  expect("\n\na\n\r\n\nb\n\n", "a;b");
  expect("\xef\xbb\xbf"
         "a,b\n",
         "a|b");
  expect("\xef\xbb\xbf", "");
}

static void quotes(void **state)
{
  (void)state;
  expect("\"a,b\",c\n", "<a,b>|c");
  expect("\"a\"\"b\",\"\"\n", "<a\"b>|<>");
  expect("\"a\nb\r\nc\",d\ne", "<a\nb\r\nc>|d;e");
  expect("\"\"\n", "<>");
  expect("a\"b,c\"\n", "a\"b|c\"");
  expect("\"a\"b,c\n", "<ab>|c");
  expect("\"\"\"\"", "<\">");
}

static void any_bytes(void **state)
{
  struct hone__csv csv;

  (void)state;
  assert_null(hone__csv_parse("a\0b,\xff\n", 6, &csv));
  assert_int_equal(csv.row_count, 1);
  assert_int_equal(csv.rows[0].cells[0].length, 3);
  assert_memory_equal(csv.rows[0].cells[0].text, "a\0b", 4);
  assert_string_equal(csv.rows[0].cells[1].text, "\xff");
  hone__csv_release(&csv);
}

static void lines_are_counted(void **state)
{
  struct hone__csv csv;
  const char text[] = "a\n\n\"b\nc\"\r\nd\re\n";
  const size_t lines[] = {1, 3, 5, 6};

  (void)state;
  assert_null(hone__csv_parse(text, strlen(text), &csv));
  assert_int_equal(csv.row_count, 4);
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(csv.rows[i].line, lines[i]);
  hone__csv_release(&csv);
}

static void a_quote_that_is_not_closed(void **state)
{
  const char *const texts[] = {"a,b\n\nc,\"d\ne\n", "x\ny\n\"", "x\ny\n\"\"\"",
                               "x\ny\na,\"b\"\"\n"};

  (void)state;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    struct hone__csv csv;
    hone_status status = hone__csv_parse(texts[i], strlen(texts[i]), &csv);
    assert_int_equal(hone_status_code(status), HONE_INVALID_SPEC);
    assert_non_null(strstr(hone_status_message(status), "quote is not closed"));
    assert_int_equal(csv.error_line, 3);
    assert_null(csv.rows);
    hone_status_free(status);
  }
}

static void too_many_cells(void **state)
{
  size_t size = HONE__CSV_MOST_CELLS + 2;
  char *text = hone__alloc(size);
  struct hone__csv csv;
  hone_status status;

  (void)state;
  memset(text, ',', size);
  status = hone__csv_parse(text, size, &csv);
  assert_int_equal(hone_status_code(status), HONE_EXHAUSTED);
  assert_int_equal(csv.error_line, 1);
  hone_status_free(status);
  free(text);
}

static void numbers(void **state)
{
  const char *const texts[] = {"",    " ",   "nan", "inf",   "-inf", "0x10", "1e",    "e5",
                               "1 2", "1,5", "--1", "1e999", "1.5x", "+",    "1.2.3", "."};
  double number = 0;

  (void)state;
  assert_true(hone__csv_number("10.177576", &number));
  assert_true(number > 10.177575 && number < 10.177577);
  assert_true(hone__csv_number(" -3e-2\t", &number));
  assert_true(fabs(number + 0.03) < 1e-12);
  assert_true(hone__csv_number(".5", &number));
  assert_true(hone__csv_number("+7", &number));
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (hone__csv_number(texts[i], &number)) fail_msg("'%s' is a number", texts[i]);
}

static void words_for_nothing(void **state)
{
  (void)state;
  assert_true(hone__csv_is_nothing(""));
  assert_true(hone__csv_is_nothing("N/A"));
  assert_true(hone__csv_is_nothing("null"));
  assert_false(hone__csv_is_nothing("-"));
  assert_false(hone__csv_is_nothing("0"));
}

static void fields_are_read_as_they_were_written(void **state)
{
  const char *const fields[] = {"", "a", "a,b", "\"", "\"\"", "x\"y\n", "\r\n", " "};
  struct hone__text text = {0};
  struct hone__csv csv;
  size_t count = sizeof fields / sizeof *fields;

  (void)state;
  for (size_t i = 0; i < count; i++) {
    if (i) hone__text_add(&text, ",");
    hone__csv_quote(&text, fields[i]);
  }
  assert_null(hone__csv_parse(text.data, text.length, &csv));
  assert_int_equal(csv.row_count, 1);
  assert_int_equal(csv.rows[0].count, count);
  for (size_t i = 0; i < count; i++)
    assert_string_equal(csv.rows[0].cells[i].text, fields[i]);
  hone__csv_release(&csv);
  hone__text_release(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_cells),
      cmocka_unit_test(ends_of_lines),
      cmocka_unit_test(quotes),
      cmocka_unit_test(any_bytes),
      cmocka_unit_test(lines_are_counted),
      cmocka_unit_test(a_quote_that_is_not_closed),
      cmocka_unit_test(too_many_cells),
      cmocka_unit_test(numbers),
      cmocka_unit_test(words_for_nothing),
      cmocka_unit_test(fields_are_read_as_they_were_written),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
