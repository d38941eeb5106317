#include "base/memory.h"
#include "report/report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "hone_results.h"

static struct hone_report_row baseline[] = {
    {.config = "A=1", .is_baseline = true, .outcome = HONE_OUTCOME_OK},
};

/* A run whose winner is `winner`; "": its baseline. */
static struct hone_report make(int64_t run, const char *problem, const char *kind,
                               const char *winner, double speedup)
{
  bool is_improved = *winner;

  return (struct hone_report){.run = run,
                              .name = "k",
                              .problem = problem,
                              .kind = kind,
                              .baseline = "A=1",
                              .rows = baseline,
                              .row_count = 1,
                              .winner = winner,
                              .speedup = speedup,
                              .verdict = is_improved ? HONE_VERDICT_IMPROVED
                                                     : HONE_VERDICT_NO_IMPROVEMENT};
}

static void expect_cell(const struct hone_matrix *matrix, size_t best, size_t place, double speedup,
                        const char *note)
{
  const char *got;
  double value = hone_matrix_speedup(matrix, 0, best, place, &got);

  assert_string_equal(got, note);
  if (isnan(speedup))
    assert_true(isnan(value));
  else
    assert_true(fabs(value - speedup) < 1e-9);
}

static void problems_are_beside_each_other(void **state)
{
  struct hone_report_row rows[] = {
      {.config = "A=1", .is_baseline = true, .outcome = HONE_OUTCOME_OK},
      {.config = "A=2", .screen_speedup = 1.5, .speedup = NAN, .outcome = HONE_OUTCOME_OK},
      {.config = "A=3", .confirmed = true, .speedup = 1.25, .outcome = HONE_OUTCOME_OK},
  };
  struct hone__report_failed failed[] = {{.config = "A=3", .outcome = HONE_OUTCOME_CRASH}};
  struct hone_report one = make(1, "n=1 m=4", "", "A=3", 1.25),
                     two = make(2, "n=2 m=4", "", "A=2", 1.75),
                     three = make(3, "n=3 m=4", "", "", NAN),
                     without_baseline = make(4, "n=4 m=4", "", "", NAN);
  const struct hone_report *reports[] = {&one, NULL, &two, &three, &without_baseline};
  struct hone_matrix *matrix;

  (void)state;
  one.rows = rows;
  one.row_count = 3;
  two.failed_rows = failed;
  two.failed_row_count = 1;
  without_baseline.row_count = 0;
  matrix = hone_matrix_make(reports, 5);
  assert_int_equal(hone_matrix_table_count(matrix), 1);
  assert_int_equal(hone_matrix_subject(matrix, 0), HONE_MATRIX_PROBLEMS);
  assert_string_equal(hone_matrix_about(matrix, 0), "m=4");
  assert_int_equal(hone_matrix_size(matrix, 0), 3);
  assert_string_equal(hone_matrix_place(matrix, 0, 1), "n=2");
  assert_string_equal(hone_matrix_config(matrix, 0, 2), "A=1");
  assert_int_equal(hone_matrix_run(matrix, 0, 2), 3);
  expect_cell(matrix, 0, 0, 1.25, "");
  expect_cell(matrix, 1, 0, 1.5, "screen");
  expect_cell(matrix, 2, 0, 1, "");
  expect_cell(matrix, 0, 1, NAN, "crash");
  expect_cell(matrix, 2, 1, 1, "");
  expect_cell(matrix, 2, 2, 1, "");
  expect_cell(matrix, 9, 9, NAN, "");
  assert_null(hone_matrix_place(matrix, 0, 3));
  hone_matrix_free(matrix);
}

static void kinds_have_a_table_of_their_problem(void **state)
{
  struct hone_report a = make(1, "n=1", "A", "A=2", 2), b = make(2, "n=1", "B", "A=3", 3);
  struct hone_report_elsewhere there = {.run = 2, .config = "A=3", .outcome = "ok", .speedup = 0.5};
  const struct hone_report *reports[] = {&a, &b};
  struct hone_matrix *matrix;

  (void)state;
  a.elsewhere = &there;
  a.elsewhere_count = 1;
  matrix = hone_matrix_make(reports, 2);
  assert_int_equal(hone_matrix_table_count(matrix), 1);
  assert_int_equal(hone_matrix_subject(matrix, 0), HONE_MATRIX_KINDS);
  assert_string_equal(hone_matrix_about(matrix, 0), "n=1");
  expect_cell(matrix, 1, 0, 0.5, "");
  expect_cell(matrix, 0, 1, NAN, "");
  hone_matrix_free(matrix);
}

static void what_tells_nothing_is_left_out(void **state)
{
  struct hone_report one = make(1, "n=1", "", "A=2", 2), two = make(2, "n=2", "", "A=2", 2),
                     other = make(3, "n=3", "", "A=4", 2), sweep = other;
  const struct hone_report *reports[] = {&one, &two, &sweep, &other};
  struct hone_matrix *matrix;

  (void)state;
  other.name = "another";
  sweep.is_sweep = true;
  matrix = hone_matrix_make(reports, 4);
  assert_int_equal(hone_matrix_table_count(matrix), 0);
  assert_int_equal(hone_matrix_size(matrix, 0), 0);
  assert_string_equal(hone_matrix_about(matrix, 0), "");
  hone_matrix_free(matrix);
  hone_matrix_free(NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(problems_are_beside_each_other),
      cmocka_unit_test(kinds_have_a_table_of_their_problem),
      cmocka_unit_test(what_tells_nothing_is_left_out),
  };

  return cmocka_run_group_tests_name("best_matrix", tests, NULL, NULL);
}
