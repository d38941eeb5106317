/* What programs say, read as times and tables. */
#include "backend/program/program_result.h"
#include "base/time_unit.h"
#include "folder.h"
#include "wire/packed_json.h"

#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct hone__program_terms terms = {.name = "gemm_BM-64", .unit_ns = 1e6};

static struct hone__program_result read_all(const char *output)
{
  struct hone__text said = {.data = (char *)(uintptr_t)output, .length = strlen(output)};
  struct hone__program_result result;

  hone__program_result_read(folder, &said, &terms, &result);
  return result;
}

static void expect_words(const char *text, const char *words)
{
  if (!text || !strstr(text, words)) print_message("no '%s' in '%s'\n", words, text ? text : "");
  assert_non_null(text ? strstr(text, words) : NULL);
}

/* `table` as JSON, or NULL. */
static void expect_of(struct hone__program_result result, enum hone_outcome outcome, double time_ns,
                      const char *evidence, const char *table)
{
  if (result.outcome != outcome)
    print_message("%s: %s\n", hone_outcome_name(result.outcome),
                  result.evidence.data ? result.evidence.data : "");
  assert_int_equal(result.outcome, outcome);
  if (outcome == HONE_OUTCOME_OK)
    assert_true(fabs(result.time_ns - time_ns) <= 1e-9 * time_ns);
  else
    expect_words(result.evidence.data, evidence);
  if (table) {
    struct hone__table view = hone__program_table_view(result.table);
    struct hone__packed *packed = hone__table_pack(&view);
    char *found = json_dumps(hone__packed_json(packed),
                             JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(9));
    assert_string_equal(found, table);
    free(found);
    hone__packed_drop(packed);
  }
  hone__program_result_release(&result);
}

static void expect_csv(const char *text, enum hone_outcome outcome, double time_ns,
                       const char *evidence, const char *table)
{
  write_text("output.csv", text);
  expect_of(read_all(""), outcome, time_ns, evidence, table);
  hone__program_result_forget(folder);
}

static void expect_said(const char *output, enum hone_outcome outcome, double time_ns,
                        const char *table)
{
  struct hone__program_result result = read_all(output);

  if (result.outcome != outcome) print_message("of: %s\n", output);
  expect_of(result, outcome, time_ns, "", table);
}

/* Up to a NULL. */
static void expect_each(const char *const *outputs, enum hone_outcome outcome)
{
  for (; *outputs; outputs++)
    expect_said(*outputs, outcome, 0, NULL);
}

/* ---- Files ---- */

static void files_of_kbench(void **state)
{
  (void)state;
  expect_csv("name,met (ms),iters,Arithmetic (GFLOPS/s)\n\"gemm/m=1, n=2\",10.5,1,26.375\n",
             HONE_OUTCOME_OK, 10.5e6, NULL,
             "{\"columns\":[\"name\",\"met (ms)\",\"iters\",\"Arithmetic (GFLOPS/s)\"],"
             "\"rows\":[[\"gemm/m=1, n=2\",10.5,1,26.375]]}");
  expect_csv("name,met (s),iters,A (GB/s)\r\n\"gemm\",0.125,3,N/A\r\n", HONE_OUTCOME_OK, 0.125e9,
             NULL,
             "{\"columns\":[\"name\",\"met (s)\",\"iters\",\"A (GB/s)\"],"
             "\"rows\":[[\"gemm\",0.125,3,\"\"]]}");
}

static void columns_of_times(void **state)
{
  (void)state;
  expect_csv("a,time_us\n1,2\n", HONE_OUTCOME_OK, 2e3, NULL, NULL);
  expect_csv("time (ns),met (us)\n1,2\n", HONE_OUTCOME_OK, 2e3, NULL, NULL);
  expect_csv("timestamp,time\n1,2\n", HONE_OUTCOME_OK, 2e6, NULL, NULL);
  expect_csv("Time [s]\n\"0.5\"", HONE_OUTCOME_OK, 0.5e9, NULL,
             "{\"columns\":[\"Time [s]\"],\"rows\":[[0.5]]}");
  expect_csv("name,met (\xc2\xb5s)\nx,7\n", HONE_OUTCOME_OK, 7e3, NULL, NULL);
  expect_csv("name,ms\nx,1\n", HONE_OUTCOME_BAD_RESULT, 0, "its columns are 'name', 'ms'", NULL);
  expect_csv("name,met (furlongs)\nx,1\n", HONE_OUTCOME_BAD_RESULT, 0,
             "no column such as 'met (ms)'", NULL);
}

static void columns_have_one_type(void **state)
{
  (void)state;
  expect_csv("name,met (ms),a,b,c\n5,1,\"8\",7,NA\n6,2,N/A,foo,inf\n", HONE_OUTCOME_OK, 3e6, NULL,
             "{\"columns\":[\"name\",\"met (ms)\",\"a\",\"b\",\"c\"],"
             "\"rows\":[[\"5\",1,8,\"7\",\"\"],[\"6\",2,\"\",\"foo\",\"inf\"]]}");
}

static void names_group_rows(void **state)
{
  (void)state;
  expect_csv("name,met (ms)\na,1\na,3\n", HONE_OUTCOME_OK, 2e6, NULL, NULL);
  expect_csv("name,met (ms)\na,1\nb,10\na,3\n", HONE_OUTCOME_OK, 12e6, NULL, NULL);
  expect_csv("met (ms)\n1\n3\n", HONE_OUTCOME_OK, 2e6, NULL, NULL);
}

static void half_a_file(void **state)
{
  (void)state;
  expect_csv("name,met (ms),iters\n\"a\",1,1\n\"b\",2", HONE_OUTCOME_BAD_RESULT, 0,
             "output.csv, line 3: 2 cells, where the header has 3", NULL);
  expect_csv("name,met (ms)\n\"gemm/inp", HONE_OUTCOME_BAD_RESULT, 0,
             "output.csv, line 2: a quote is not closed", NULL);
  expect_csv("name,met (ms)\na,1,2\n", HONE_OUTCOME_BAD_RESULT, 0, "line 2: 3 cells", NULL);
}

static void what_is_no_time(void **state)
{
  const char *const times[] = {"nan", "NaN", "inf", "-1", "0", "abc", "", "N/A", "1e999", "0x10"};

  (void)state;
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
    char text[128], evidence[64];
    snprintf(text, sizeof text, "name,met (ms)\na,1\na,%s\n", times[i]);
    snprintf(evidence, sizeof evidence, "line 3: '%s' in column 'met (ms)' is not a valid time",
             times[i]);
    expect_csv(text, HONE_OUTCOME_BAD_RESULT, 0, evidence, NULL);
  }
  expect_csv("met (s)\n1e308\n", HONE_OUTCOME_BAD_RESULT, 0, "not a valid time", NULL);
}

static void files_without_a_row(void **state)
{
  (void)state;
  expect_csv("", HONE_OUTCOME_NO_RESULT, 0, "output.csv is empty", NULL);
  expect_csv("name,met (ms),iters\n", HONE_OUTCOME_NO_RESULT, 0,
             "output.csv has a header and no row", NULL);
  write_text("output.csv", "name,met (ms),iters\n");
  expect_of(read_all("12.5 us\n"), HONE_OUTCOME_OK, 12.5e3, NULL, NULL);
  hone__program_result_forget(folder);
}

static void files_of_several_processes(void **state)
{
  (void)state;
  write_text("output_10.csv", "name,met (ms)\nc,3\n");
  write_text("output_2.csv", "name,met (ms),extra\nb,2,x\n");
  write_text("output_0.csv", "name,met (ms)\na,1\n");
  write_text("other.csv", "nothing");
  write_text("output.txt", "nothing");
  expect_of(read_all(""), HONE_OUTCOME_OK, 6e6, NULL,
            "{\"columns\":[\"name\",\"met (ms)\",\"extra\"],\"files\":[1,1,1],"
            "\"rows\":[[\"a\",1,\"\"],[\"b\",2,\"x\"],[\"c\",3,\"\"]]}");
  write_text("output_1.csv", "name,met (ms)\nb\n");
  expect_of(read_all(""), HONE_OUTCOME_BAD_RESULT, 0, "output_1.csv, line 2", NULL);
  hone__program_result_forget(folder);
  expect_of(read_all(""), HONE_OUTCOME_NO_RESULT, 0, "no output.csv", NULL);
}

static void files_that_are_none(void **state)
{
  const char *path = path_of("output.csv");

  (void)state;
  assert_int_equal(mkfifo(path, 0600), 0);
  expect_of(read_all("1"), HONE_OUTCOME_BAD_RESULT, 0, "output.csv is not a file", NULL);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(mkdir(path, 0700), 0);
  expect_of(read_all("1"), HONE_OUTCOME_BAD_RESULT, 0, "output.csv is not a file", NULL);
  assert_int_equal(rmdir(path), 0);
}

static void files_that_are_too_large(void **state)
{
  (void)state;
  write_text("output.csv", "name,met (ms)\na,1\n");
  assert_int_equal(truncate(path_of("output.csv"), (off_t)HONE__PROGRAM_LARGEST_CSV + 1), 0);
  expect_of(read_all("1"), HONE_OUTCOME_BAD_RESULT, 0, "larger than 64 MiB", NULL);
  hone__program_result_forget(folder);
}

static void many_rows_count_but_are_not_kept(void **state)
{
  struct hone__text text = {0};
  struct hone__program_result result;

  (void)state;
  hone__text_add(&text, "name,met (ns)\n");
  for (int i = 0; i < HONE__PROGRAM_MOST_ROWS + 10; i++)
    hone__text_addf(&text, "n%d,1\n", i);
  write_text("output.csv", text.data);
  hone__text_release(&text);
  result = read_all("");
  assert_int_equal(result.left_out, 10);
  assert_int_equal(result.table->kept_count, HONE__PROGRAM_MOST_ROWS);
  expect_of(result, HONE_OUTCOME_OK, HONE__PROGRAM_MOST_ROWS + 10, NULL, NULL);
  hone__program_result_forget(folder);
}

static void bytes_that_are_no_text(void **state)
{
  static const char bytes[] = "name,met (ms),\xff\n\xc3\x28\0x,1,\xfe\n";

  (void)state;
  write_file("output.csv", bytes, sizeof bytes - 1);
  expect_of(read_all("\xff\xfe"), HONE_OUTCOME_OK, 1e6, NULL,
            "{\"columns\":[\"name\",\"met (ms)\",\"?\"],\"rows\":[[\"?(?x\",1,\"?\"]]}");
  hone__program_result_forget(folder);
}

static void a_column_that_stands_twice(void **state)
{
  (void)state;
  expect_csv("met (ms),a,a\n1,2,3\n", HONE_OUTCOME_OK, 1e6, NULL,
             "{\"columns\":[\"met (ms)\",\"a\",\"a\"],\"rows\":[[1,2,3]]}");
}

/* ---- JSON ---- */

static void lines_of_json(void **state)
{
  (void)state;
  expect_said("hello\n{\"time_ns\": 1500000, \"gflops\": 2.5, \"ok\": true}\nbye\n",
              HONE_OUTCOME_OK, 1.5e6,
              "{\"columns\":[\"name\",\"met (ms)\",\"iters\",\"gflops\"],"
              "\"rows\":[[\"gemm_BM-64\",1.5,1,2.5]]}");
  expect_said("{\"name\": \"k\", \"met (s)\": 2, \"iters\": 7}", HONE_OUTCOME_OK, 2e9,
              "{\"columns\":[\"name\",\"met (s)\",\"iters\"],\"rows\":[[\"k\",2,7]]}");
  expect_said("{\"time\": 2}\n", HONE_OUTCOME_OK, 2e6, NULL);
  expect_said("  {\"time_us\": 2}  \r\n\r\n", HONE_OUTCOME_OK, 2e3, NULL);
  expect_said("{\"time_ms\": 1}\n{\"time_ms\": 2}\n{\"other\": 3}\n", HONE_OUTCOME_OK, 2e6, NULL);
  expect_said("{\"time_s\": 0.5}\n12\n", HONE_OUTCOME_OK, 0.5e9, NULL);
}

static void several_samples(void **state)
{
  (void)state;
  expect_said("{\"times_us\": [1, 2, 6], \"iters\": 4}\n", HONE_OUTCOME_OK, 3e3,
              "{\"columns\":[\"name\",\"met (ms)\",\"iters\"],\"rows\":[[\"gemm_BM-64\",0.001,4],"
              "[\"gemm_BM-64\",0.002,4],[\"gemm_BM-64\",0.006,4]]}");
  expect_said("{\"times_us\": []}\n", HONE_OUTCOME_BAD_RESULT, 0, NULL);
  expect_said("{\"times_us\": [1, null]}\n", HONE_OUTCOME_BAD_RESULT, 0, NULL);
}

static void json_that_is_too_wide(void **state)
{
  struct hone__text line = {0};

  (void)state;
  hone__text_add(&line, "{\"time\": 1");
  for (int i = 0; i < HONE__PROGRAM_MOST_COLUMNS; i++)
    hone__text_addf(&line, ",\"%d\":1", i);
  hone__text_add(&line, "}\n");
  expect_of(read_all(line.data), HONE_OUTCOME_BAD_RESULT, 0, "1025 keys: the limit is 1024", NULL);
  hone__text_release(&line);
}

static void json_without_a_time(void **state)
{
  static const char *const wrong[] = {"{\"time_ns\": NaN}\n",
                                      "{\"time_ns\": Infinity}\n",
                                      "{\"time_ns\": -5}\n",
                                      "{\"time_ns\": 0}\n",
                                      "{\"time_ns\": \"5\"}\n",
                                      "{\"time_ns\": 5}\n{\"time_ns\": NaN}\n",
                                      NULL};
  static const char *const nothing[] = {"{\"speed\": 5}\n", "{ not json\n", "[1, 2]\n", NULL};

  (void)state;
  expect_each(wrong, HONE_OUTCOME_BAD_RESULT);
  expect_each(nothing, HONE_OUTCOME_NO_RESULT);
}

/* ---- Numbers ---- */

static void numbers(void **state)
{
  static const struct {
    const char *output;
    double time_ns;
  } cases[] = {{"3 s", 3e9},  {"3ms", 3e6},      {"3 \xc2\xb5s\r\n", 3e3},
               {"3 us", 3e3}, {"2e-3 s\n", 2e6}, {".5\tns", 0.5}};

  (void)state;
  expect_said("warming up\n12.5\n\n", HONE_OUTCOME_OK, 12.5e6,
              "{\"columns\":[\"name\",\"met (ms)\",\"iters\"],\"rows\":[[\"gemm_BM-64\",12.5,1]]}");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_said(cases[i].output, HONE_OUTCOME_OK, cases[i].time_ns, NULL);
}

static void what_is_no_number(void **state)
{
  static const char *const wrong[] = {"nan",   "inf ms", "-inf",   "-1",        "0",
                                      "0.0 s", "1e999",  "1e-300", "0.0009 ns", NULL};
  static const char *const nothing[] = {"",     "\n\n",         "done",   "3 ms left",
                                        "0x10", "1.5 furlongs", "5\nend", NULL};

  (void)state;
  expect_each(wrong, HONE_OUTCOME_BAD_RESULT);
  expect_each(nothing, HONE_OUTCOME_NO_RESULT);
}

static void units(void **state)
{
  (void)state;
  assert_true(hone__time_column_ns("met (ms)", "met", 5) == 1e6);
  assert_true(hone__time_column_ns("MET(S)", "met", 5) == 1e9);
  assert_true(hone__time_column_ns("met", "met", 5) == 5);
  assert_true(hone__time_column_ns("metric", "met", 5) == 0);
  assert_true(hone__time_column_ns("met_", "met", 5) == 0);
  assert_true(hone__time_column_ns("time/us", "time", 5) == 1e3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(files_of_kbench),
      cmocka_unit_test(columns_of_times),
      cmocka_unit_test(columns_have_one_type),
      cmocka_unit_test(names_group_rows),
      cmocka_unit_test(half_a_file),
      cmocka_unit_test(what_is_no_time),
      cmocka_unit_test(files_without_a_row),
      cmocka_unit_test(files_of_several_processes),
      cmocka_unit_test(files_that_are_none),
      cmocka_unit_test(files_that_are_too_large),
      cmocka_unit_test(many_rows_count_but_are_not_kept),
      cmocka_unit_test(bytes_that_are_no_text),
      cmocka_unit_test(a_column_that_stands_twice),
      cmocka_unit_test(lines_of_json),
      cmocka_unit_test(several_samples),
      cmocka_unit_test(json_that_is_too_wide),
      cmocka_unit_test(json_without_a_time),
      cmocka_unit_test(numbers),
      cmocka_unit_test(what_is_no_number),
      cmocka_unit_test(units),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
