/* Looking at results: comparing, correlating, what the top has in common. */
#include "base/text.h"
#include "folder.h"
#include "results/kendall.h"

#include <hone.h>
#include "hone_results.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- Helpers ---- */

static struct hone_results *read_text(const char *csv)
{
  struct hone_results *results = NULL;
  hone_status status;

  write_text("a.csv", csv);
  status = hone_results_read(path_of("a.csv"), &results);
  if (status) print_message("# %s\n", hone_status_message(status));
  assert_null(status);
  return results;
}

static void expect(hone_status status, enum hone_code code, const char *part)
{
  if (hone_status_code(status) != code || !strstr(hone_status_message(status), part))
    print_message("# got: %s\n", hone_status_message(status));
  assert_int_equal(hone_status_code(status), code);
  assert_non_null(strstr(hone_status_message(status), part));
  hone_status_free(status);
}

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-9)

struct pair {
  struct hone_results *results[2];
};

static struct pair read_pair(const char *first, const char *second)
{
  return (struct pair){{read_text(first), read_text(second)}};
}

static void free_pair(struct pair *pair)
{
  hone_results_free(pair->results[0]);
  hone_results_free(pair->results[1]);
}

static hone_status compare(const struct pair *pair, const char *metric, enum hone_match match,
                           struct hone_comparison **out_comparison)
{
  struct hone_compare_options options;

  hone_compare_options_init(&options);
  options.metric = metric;
  options.match = match;
  return hone_results_compare((const struct hone_results *const *)pair->results, 2, &options,
                              out_comparison);
}

/* ---- Comparing ---- */

#define HEAD "name,met (ms),iters,Rate (GB/s),spec\n"

static void test_partners(void **state)
{
  struct pair pair = read_pair(HEAD "x,2,1,8,k/A=1\ny,4,1,4,k/A=2\nz,1,1,1,k/A=3\n",
                               HEAD "y,8,1,2,k/A=2\nx,1.96,1,8,k/A=1\nw,5,1,5,k/A=4\n");
  struct hone_comparison *comparison;

  (void)state;
  assert_null(compare(&pair, NULL, HONE_MATCH_SPEC, &comparison));
  assert_string_equal(comparison->metric, "met (ms)");
  assert_false(comparison->maximise);
  assert_true(comparison->is_time);
  assert_int_equal(comparison->row_count, 4);
  assert_string_equal(comparison->rows[0].key, "k/A=1");
  assert_near(comparison->rows[0].ratios[1], 0.98);
  assert_near(comparison->rows[1].ratios[1], 2);
  assert_null(comparison->rows[2].rows[1]);
  assert_true(isnan(comparison->rows[2].ratios[1]));
  assert_string_equal(comparison->rows[3].key, "k/A=4");
  assert_null(comparison->rows[3].rows[0]);
  assert_int_equal(comparison->results[1].equal, 1);
  assert_int_equal(comparison->results[1].worse, 1);
  assert_int_equal(comparison->results[1].better, 0);
  assert_int_equal(comparison->results[1].missing, 1);
  assert_int_equal(comparison->results[1].extra, 1);
  assert_near(comparison->results[1].mean_ratio, sqrt(1.96));
  assert_near(comparison->results[1].worst_ratio, 2);
  assert_near(comparison->results[0].best_value, 1);
  hone_comparison_free(comparison);
  free_pair(&pair);
}

static void test_more_is_better(void **state)
{
  struct pair pair =
      read_pair(HEAD "x,2,1,8,k/A=1\ny,4,1,4,k/A=2\n", HEAD "x,2,1,4,k/A=1\ny,4,1,8,k/A=2\n");
  struct hone_comparison *comparison;

  (void)state;
  assert_null(compare(&pair, "rate", HONE_MATCH_SPEC, &comparison));
  assert_true(comparison->maximise);
  assert_false(comparison->is_time);
  assert_int_equal(comparison->results[1].better, 1);
  assert_int_equal(comparison->results[1].worse, 1);
  assert_near(comparison->results[1].worst_ratio, 0.5);
  assert_string_equal(comparison->results[1].best->spec, "k/A=2");
  hone_comparison_free(comparison);
  free_pair(&pair);
}

static void test_units(void **state)
{
  struct pair pair =
      read_pair(HEAD "x,2,1,8,k/A=1\n", "name,met (us),Rate (TB/s),spec\nx,3000,1,k/A=1\n");
  struct hone_comparison *comparison;

  (void)state;
  assert_null(compare(&pair, "met", HONE_MATCH_SPEC, &comparison));
  assert_near(comparison->rows[0].values[1], 3);
  assert_near(comparison->rows[0].ratios[1], 1.5);
  hone_comparison_free(comparison);
  expect(compare(&pair, "Rate", HONE_MATCH_SPEC, &comparison), HONE_INVALID_ARGUMENT,
         "cannot be converted");
  assert_null(comparison);
  expect(compare(&pair, "iters", HONE_MATCH_SPEC, &comparison), HONE_NOT_FOUND,
         "has no column 'iters'");
  free_pair(&pair);
}

static void test_duplicates(void **state)
{
  struct pair pair = read_pair(HEAD "x,1,1,8,k/A=1\nx,2,1,8,k/A=1\ny,3,1,8,k/A=2\n", HEAD
                               "y,3,1,8,k/A=2\nx,10,1,8,k/A=1\nx,20,1,8,k/A=1\nx,30,1,8,k/A=1\n");
  struct hone_comparison *comparison;

  (void)state;
  assert_null(compare(&pair, NULL, HONE_MATCH_NAME, &comparison));
  assert_int_equal(comparison->row_count, 4);
  assert_near(comparison->rows[0].values[1], 10);
  assert_near(comparison->rows[1].values[1], 20);
  assert_near(comparison->rows[2].ratios[1], 1);
  assert_near(comparison->rows[3].values[1], 30);
  assert_int_equal(comparison->results[1].extra, 1);
  hone_comparison_free(comparison);
  free_pair(&pair);
}

/* What was not measured has no ratio. */
static void test_holes(void **state)
{
  struct pair pair = read_pair(HEAD "x,0,1,8,k/A=1\ny,N/A,1,8,k/A=2\nz,1,1,0,k/A=3\n",
                               HEAD "x,1,1,8,k/A=1\ny,2,1,8,k/A=2\nz,inf,1,8,k/A=3\n");
  struct hone_comparison *comparison;

  (void)state;
  assert_null(compare(&pair, NULL, HONE_MATCH_SPEC, &comparison));
  assert_true(isnan(comparison->results[1].mean_ratio));
  assert_int_equal(comparison->results[1].extra, 2);
  assert_int_equal(comparison->results[1].missing, 1);
  hone_comparison_free(comparison);
  assert_null(compare(&pair, "Rate", HONE_MATCH_SPEC, &comparison));
  assert_near(comparison->results[1].mean_ratio, 1); /* a rate of 0 has no ratio */
  hone_comparison_free(comparison);
  free_pair(&pair);
}

static void test_one_alone(void **state)
{
  struct hone_results *results = read_text(HEAD);
  const struct hone_results *lent = results;
  struct hone_compare_options options;
  struct hone_comparison *comparison;

  (void)state;
  hone_compare_options_init(&options);
  expect(hone_results_compare(&lent, 1, &options, &comparison), HONE_INVALID_ARGUMENT, "two");
  hone_comparison_free(NULL);
  hone_results_free(results);
}

/* ---- Names, queries, the top ---- */

static void test_names(void **state)
{
  struct hone_results *results =
      read_text("name,met (ms),spec\na,1,k/A=1/$B=x/C=3\nb,1,k/A=2/$B=x\n");
  const struct hone_results *lent = results;
  struct hone_result_name *names;

  (void)state;
  assert_int_equal(hone_results_names(&lent, 1, &names), 3);
  assert_string_equal(names[0].name, "A");
  assert_null(names[0].value);
  assert_string_equal(names[1].value, "x");
  assert_null(names[2].value); /* a row lacks it */
  free(names);
  assert_int_equal(hone_results_names(NULL, 0, &names), 0);
  free(names);
  hone_results_free(results);
}

/* Rows of one instance are told apart. */
static void test_input_ids(void **state)
{
  struct hone_results *results =
      read_text("name,met (ms),spec\na,1,k/A=1/input_id=p\na,2,k/A=1/input_id=q\n");
  const struct hone_results *lent = results;
  struct hone_result_name *names;

  (void)state;
  assert_int_equal(hone_results_names(&lent, 1, &names), 2);
  assert_string_equal(names[1].name, "input_id");
  assert_null(names[1].value);
  assert_string_equal(hone_result_value(&results->rows[1], "input_id"), "q");
  free(names);
  hone_results_free(results);
}

static void test_select(void **state)
{
  struct hone_results *results =
      read_text("name,met (ms),spec\na,1,k/A=1/T=f16\nb,1,k/A=20/T=f32\nc,1,k/T=f32\n");
  bool *selected;

  (void)state;
  assert_null(hone_results_select(results, "A > 3 and T == 'f32'", &selected));
  assert_false(selected[0]);
  assert_true(selected[1]);
  assert_false(selected[2]);
  free(selected);
  expect(hone_results_select(results, "B > 3", &selected), HONE_INVALID_ARGUMENT, "'B'");
  assert_null(selected);
  expect(hone_results_select(results, "A >", &selected), HONE_INVALID_ARGUMENT, "'A >'");
  expect(hone_results_select(results, "A > T", &selected), HONE_INVALID_ARGUMENT, "A > T");
  hone_results_free(results);
}

static void test_top(void **state)
{
  struct hone_results *results =
      read_text("name,met (ms),R (GB/s),spec\na,100,1,k/A=1/$B=1\nb,11,50,k/A=2/$B=1\n"
                "c,14,100,k/A=3/$B=2\nd,10,90,k/A=2/$B=2\ne,N/A,,k/A=9/$B=9\n");
  struct hone_top *top;

  (void)state;
  assert_null(hone_results_top(results, NULL, 0.05, &top)); /* below 10 + 5 */
  assert_int_equal(top->row_count, 3);
  assert_int_equal(top->rows[0], 3);
  assert_int_equal(top->param_count, 2);
  assert_string_equal(top->params[0].value, "2");
  assert_int_equal(top->counts[0], 2);
  assert_string_equal(top->params[1].value, "2"); /* once as often as 1: with the best */
  assert_true(top->params[1].is_runtime);
  hone_top_free(top);
  assert_null(hone_results_top(results, "R", 0.2, &top)); /* above 100 - 20 */
  assert_int_equal(top->row_count, 2);
  assert_string_equal(top->params[1].value, "2");
  hone_top_free(top);
  hone_results_free(results);
  results = read_text(HEAD);
  expect(hone_results_top(results, NULL, 0.05, &top), HONE_NOT_FOUND, "no row with a number");
  hone_results_free(results);
}

/* ---- Correlation ---- */

/* By the definition, pair by pair. */
static double slow_kendall(const double *x, const double *y, size_t count)
{
  double sum = 0, x_pairs = 0, y_pairs = 0;

  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++) {
      double dx = (x[i] > x[j]) - (x[i] < x[j]), dy = (y[i] > y[j]) - (y[i] < y[j]);
      sum += dx * dy;
      x_pairs += dx * dx;
      y_pairs += dy * dy;
    }
  return sum / sqrt(x_pairs) / sqrt(y_pairs);
}

static void test_kendall(void **state)
{
  double x[40], y[40];
  unsigned random = 1;

  (void)state;
  for (int round = 0; round < 500; round++) {
    size_t count = 2 + (size_t)round % 39;
    for (size_t i = 0; i < count; i++) {
      random = random * 1103515245u + 12345u;
      x[i] = (random >> 16) % (1 + (unsigned)round % 17);
      random = random * 1103515245u + 12345u;
      y[i] = (random >> 16) % (1 + (unsigned)round % 23);
    }
    double fast = hone__kendall(x, y, count), slow = slow_kendall(x, y, count);
    assert_true(isnan(slow) ? isnan(fast) : fabs(fast - slow) < 1e-12);
  }
  assert_true(isnan(hone__kendall(x, y, 0)));
  assert_true(isnan(hone__kendall(x, y, 1)));
}

static void test_kendall_holes(void **state)
{
  const double x[] = {1, NAN, 3, 4, 5}, y[] = {2, 3, NAN, 5, 9};

  (void)state;
  assert_near(hone__kendall(x, y, 5), 1);
}

/* Two files as one table: the time in the first one's unit. */
static void test_correlate(void **state)
{
  struct pair pair = read_pair("name,met (ms),iters,R (GB/s),spec\na,1,7,9,k/A=1/F=True/T=x/C=1\n"
                               "b,2,7,8,k/A=2/F=False/T=y/C=1\n",
                               "name,met (s),iters,spec\nc,0.003,7,k/A=3/F=False/T=x/C=1\n");
  struct hone_correlation *correlation;

  (void)state;
  assert_null(
      hone_results_correlate((const struct hone_results *const *)pair.results, 2, &correlation));
  assert_int_equal(correlation->count, 5);
  assert_string_equal(correlation->names[0], "met (ms)");
  assert_string_equal(correlation->names[1], "R (GB/s)");
  assert_string_equal(correlation->names[2], "A");
  assert_string_equal(correlation->names[3], "F");
  assert_near(correlation->values[0], 1);
  assert_near(correlation->values[1], -1);
  assert_near(correlation->values[2], 1);
  assert_near(correlation->values[3], -2 / sqrt(6));
  assert_true(isnan(correlation->values[4]));
  hone_correlation_free(correlation);
  free_pair(&pair);
}

/* ---- What results must share ---- */

static void test_differences(void **state)
{
  const struct hone_results first = {.name = "gemm",
                                     .problem = "M=1",
                                     .objective = "",
                                     .devices = "cuda:0",
                                     .machine = "a"},
                            second = {.name = "gemm",
                                      .problem = "M=2",
                                      .objective = "GB/s",
                                      .devices = "cuda:0",
                                      .machine = "b"},
                            file = {.name = "",
                                    .problem = "",
                                    .objective = "",
                                    .devices = "",
                                    .machine = ""};
  struct hone_subject_difference *differences;

  (void)state;
  assert_int_equal(hone_results_differences(&first, &second, &differences), 2);
  assert_string_equal(differences[0].what, "problem");
  assert_string_equal(differences[0].first, "M=1");
  assert_string_equal(differences[0].second, "M=2");
  assert_string_equal(differences[1].what, "machine");
  free(differences);
  assert_int_equal(hone_results_differences(&first, &first, &differences), 0);
  free(differences);
  assert_int_equal(hone_results_differences(&file, &second, &differences), 0);
  free(differences);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_partners),  cmocka_unit_test(test_more_is_better),
      cmocka_unit_test(test_units),     cmocka_unit_test(test_duplicates),
      cmocka_unit_test(test_holes),     cmocka_unit_test(test_one_alone),
      cmocka_unit_test(test_names),     cmocka_unit_test(test_input_ids),
      cmocka_unit_test(test_select),    cmocka_unit_test(test_top),
      cmocka_unit_test(test_kendall),   cmocka_unit_test(test_kendall_holes),
      cmocka_unit_test(test_correlate), cmocka_unit_test(test_differences),
  };
  return cmocka_run_group_tests_name("compare_results", tests, make_folder, remove_folder);
}
