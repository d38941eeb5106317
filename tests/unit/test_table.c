/* Tables as messages. */
#include "wire/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void test_there_and_back(void **state)
{
  const char *columns[] = {"name", "met (ms)", "iters"};
  struct hone__table_cell first[] = {{.text = "a\xff"},
                                     {.kind = HONE__CELL_REAL, .real = 0.25},
                                     {.kind = HONE__CELL_INT, .integer = INT64_MIN}};
  struct hone__table_cell second[] = {{.text = NULL}, {.kind = HONE__CELL_REAL, .real = NAN}};
  struct hone__table_row rows[] = {{first, 3}, {second, 2}};
  int64_t files[] = {1, 1};
  struct hone__table table = {columns, rows, files, 3, 2, 2}, got;
  struct hone__packed *packed = hone__table_pack(&table);
  struct hone__arena arena = {0};
  struct hone__text text = {0};

  (void)state;
  hone__packed_print(packed, &text);
  assert_string_equal(text.data, "{\"columns\":[\"name\",\"met (ms)\",\"iters\"],\"files\":[1,1],"
                                 "\"rows\":[[\"a?\",0.25,-9223372036854775808],[\"\",\"\",\"\"]]}");
  assert_null(hone__table_unpack(packed, &arena, &got));
  assert_true(got.columns_count == 3 && got.rows_count == 2 && got.files_count == 2);
  assert_string_equal(got.rows[0].cells[0].text, "a?");
  assert_true(got.rows[0].cells[1].real == 0.25 && got.rows[0].cells[2].integer == INT64_MIN);
  assert_true(got.rows[1].count == 3 && got.rows[1].cells[2].kind == HONE__CELL_TEXT);
  hone__text_release(&text);
  hone__packed_drop(packed);
  hone__arena_release(&arena);
}

static void expect(const char *json, const char *message)
{
  struct hone__packed *packed = hone__packed_parse(json, strlen(json));
  struct hone__arena arena = {0};
  struct hone__table table;
  hone_status status = hone__table_unpack(packed, &arena, &table);

  assert_string_equal(hone_status_message(status), message);
  hone_status_free(status);
  hone__packed_drop(packed);
  hone__arena_release(&arena);
}

static void test_what_is_wrong_is_named(void **state)
{
  (void)state;
  expect("{\"rows\": []}", "table: 'columns' is missing");
  expect("{\"columns\": []}", "table: 'rows' is not a list");
  expect("{\"columns\": [\"a\"], \"rows\": [[]]}", "table: 'rows' has a row of 0 cells, not 1");
  expect("{\"columns\": [\"a\"], \"rows\": [[null]]}",
         "table: 'rows' has a cell that is neither a string nor a number");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_there_and_back),
      cmocka_unit_test(test_what_is_wrong_is_named),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
