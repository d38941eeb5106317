/* Looking at results: comparing, correlating, what the top has in common. */
#include "base/text.h"
#include "folder.h"
#include "results/kendall.h"
#include "results/results.h"

#include <hone.h>
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
  assert_string_equal(hone_comparison_metric(comparison), "met (ms)");
  assert_false(hone_comparison_is_maximised(comparison));
  assert_true(hone_comparison_is_time(comparison));
  assert_int_equal(hone_comparison_row_count(comparison), 4);
  assert_string_equal(hone_compared_row_key(hone_comparison_row(comparison, 0)), "k/A=1");
  assert_near(hone_compared_row_ratio(hone_comparison_row(comparison, 0), 1), 0.98);
  assert_near(hone_compared_row_ratio(hone_comparison_row(comparison, 1), 1), 2);
  assert_null(hone_compared_row_row(hone_comparison_row(comparison, 2), 1));
  assert_true(isnan(hone_compared_row_ratio(hone_comparison_row(comparison, 2), 1)));
  assert_string_equal(hone_compared_row_key(hone_comparison_row(comparison, 3)), "k/A=4");
  assert_null(hone_compared_row_row(hone_comparison_row(comparison, 3), 0));
  assert_int_equal(hone_compared_equal(hone_comparison_at(comparison, 1)), 1);
  assert_int_equal(hone_compared_worse(hone_comparison_at(comparison, 1)), 1);
  assert_int_equal(hone_compared_better(hone_comparison_at(comparison, 1)), 0);
  assert_int_equal(hone_compared_missing(hone_comparison_at(comparison, 1)), 1);
  assert_int_equal(hone_compared_extra(hone_comparison_at(comparison, 1)), 1);
  assert_near(hone_compared_mean_ratio(hone_comparison_at(comparison, 1)), sqrt(1.96));
  assert_near(hone_compared_worst_ratio(hone_comparison_at(comparison, 1)), 2);
  assert_near(hone_compared_best_value(hone_comparison_at(comparison, 0)), 1);
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
  assert_true(hone_comparison_is_maximised(comparison));
  assert_false(hone_comparison_is_time(comparison));
  assert_int_equal(hone_compared_better(hone_comparison_at(comparison, 1)), 1);
  assert_int_equal(hone_compared_worse(hone_comparison_at(comparison, 1)), 1);
  assert_near(hone_compared_worst_ratio(hone_comparison_at(comparison, 1)), 0.5);
  assert_string_equal(hone_result_row_spec(hone_compared_best(hone_comparison_at(comparison, 1))),
                      "k/A=2");
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
  assert_near(hone_compared_row_value(hone_comparison_row(comparison, 0), 1), 3);
  assert_near(hone_compared_row_ratio(hone_comparison_row(comparison, 0), 1), 1.5);
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
  assert_int_equal(hone_comparison_row_count(comparison), 4);
  assert_near(hone_compared_row_value(hone_comparison_row(comparison, 0), 1), 10);
  assert_near(hone_compared_row_value(hone_comparison_row(comparison, 1), 1), 20);
  assert_near(hone_compared_row_ratio(hone_comparison_row(comparison, 2), 1), 1);
  assert_near(hone_compared_row_value(hone_comparison_row(comparison, 3), 1), 30);
  assert_int_equal(hone_compared_extra(hone_comparison_at(comparison, 1)), 1);
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
  assert_true(isnan(hone_compared_mean_ratio(hone_comparison_at(comparison, 1))));
  assert_int_equal(hone_compared_extra(hone_comparison_at(comparison, 1)), 2);
  assert_int_equal(hone_compared_missing(hone_comparison_at(comparison, 1)), 1);
  hone_comparison_free(comparison);
  assert_null(compare(&pair, "Rate", HONE_MATCH_SPEC, &comparison));
  assert_near(hone_compared_mean_ratio(hone_comparison_at(comparison, 1)),
              1); /* a rate of 0 has no ratio */
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
  struct hone_result_names *names;

  (void)state;
  names = hone_results_names(&lent, 1);
  assert_int_equal(hone_result_names_count(names), 3);
  assert_string_equal(hone_result_names_name(names, 0), "A");
  assert_null(hone_result_names_value(names, 0));
  assert_string_equal(hone_result_names_value(names, 1), "x");
  assert_null(hone_result_names_value(names, 2)); /* a row lacks it */
  hone_result_names_free(names);
  names = hone_results_names(NULL, 0);
  assert_int_equal(hone_result_names_count(names), 0);
  assert_null(hone_result_names_name(names, 0));
  hone_result_names_free(names);
  hone_results_free(results);
}

/* Rows of one instance are told apart. */
static void test_input_ids(void **state)
{
  struct hone_results *results =
      read_text("name,met (ms),spec\na,1,k/A=1/input_id=p\na,2,k/A=1/input_id=q\n");
  const struct hone_results *lent = results;
  struct hone_result_names *names;

  (void)state;
  names = hone_results_names(&lent, 1);
  assert_int_equal(hone_result_names_count(names), 2);
  assert_string_equal(hone_result_names_name(names, 1), "input_id");
  assert_null(hone_result_names_value(names, 1));
  assert_string_equal(hone_result_row_value(hone_results_row(results, 1), "input_id"), "q");
  hone_result_names_free(names);
  hone_results_free(results);
}

static void test_keep(void **state)
{
  struct hone_results *results =
      read_text("name,met (ms),spec\na,1,k/A=1/T=f16\nb,1,k/A=20/T=f32\nc,1,k/T=f32\n"
                "d,1,k/A=5/T=f32\n");

  (void)state;
  expect(hone_results_keep(results, "B > 3"), HONE_INVALID_ARGUMENT, "'B'");
  expect(hone_results_keep(results, "A >"), HONE_INVALID_ARGUMENT, "'A >'");
  expect(hone_results_keep(results, "A > T"), HONE_INVALID_ARGUMENT, "A > T");
  assert_int_equal(hone_results_row_count(results), 4);
  assert_null(hone_results_keep(results, "A > 3 and T == 'f32'"));
  assert_int_equal(hone_results_row_count(results), 2);
  assert_string_equal(hone_result_row_spec(hone_results_row(results, 0)), "k/A=20/T=f32");
  assert_string_equal(hone_result_row_spec(hone_results_row(results, 1)), "k/A=5/T=f32");
  assert_null(hone_results_row(results, 2));
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
  assert_int_equal(hone_top_row_count(top), 3);
  assert_int_equal(hone_top_row(top, 0), 3);
  assert_int_equal(hone_params_count(hone_top_params(top)), 2);
  assert_string_equal(hone_params_text(hone_top_params(top), 0), "2");
  assert_int_equal(hone_top_frequency(top, 0), 2);
  assert_string_equal(hone_params_text(hone_top_params(top), 1),
                      "2"); /* once as often as 1: with the best */
  assert_true(hone_params_is_runtime(hone_top_params(top), 1));
  hone_top_free(top);
  assert_null(hone_results_top(results, "R", 0.2, &top)); /* above 100 - 20 */
  assert_int_equal(hone_top_row_count(top), 2);
  assert_string_equal(hone_params_text(hone_top_params(top), 1), "2");
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
  assert_int_equal(hone_correlation_count(correlation), 5);
  assert_string_equal(hone_correlation_name(correlation, 0), "met (ms)");
  assert_string_equal(hone_correlation_name(correlation, 1), "R (GB/s)");
  assert_string_equal(hone_correlation_name(correlation, 2), "A");
  assert_string_equal(hone_correlation_name(correlation, 3), "F");
  assert_near(hone_correlation_value(correlation, 0, 0), 1);
  assert_near(hone_correlation_value(correlation, 0, 1), -1);
  assert_near(hone_correlation_value(correlation, 0, 2), 1);
  assert_near(hone_correlation_value(correlation, 0, 3), -2 / sqrt(6));
  assert_true(isnan(hone_correlation_value(correlation, 0, 4)));
  assert_near(hone_correlation_value(correlation, 2, 0), 1);
  assert_true(isnan(hone_correlation_value(correlation, 0, 5)));
  hone_correlation_free(correlation);
  free_pair(&pair);
}

/* ---- Samples ---- */

/* A kernel with two times, one of them by chance in each process: the quotient of what two runs
 * report says little, and is not in the interval. */
static void test_samples(void **state)
{
  double logs[2][3] = {{log(100), log(190), log(190)}, {log(100), log(100), log(190)}};
  double times_ns[2][3] = {{100, 190, 190}, {100, 100, 190}};
  struct pair pair = read_pair(HEAD "a,0.00019,1,1,s\n", HEAD "a,0.000019,1,1,s\n");
  struct hone_comparison *comparison = NULL;
  const struct hone_compared_row *row;
  const struct hone_compared *sum;

  (void)state;
  for (int i = 0; i < 2; i++)
    pair.results[i]->rows[0].taken = (struct hone__taken){logs[i], 3, times_ns[i], 3};
  assert_null(compare(&pair, "met (ms)", HONE_MATCH_SPEC, &comparison));
  row = hone_comparison_row(comparison, 0);
  sum = hone_comparison_at(comparison, 1);
  assert_near(hone_compared_row_ratio(row, 1), exp((logs[1][1] - logs[0][1]) / 3));
  assert_near(hone_compared_mean_bounded(sum), hone_compared_row_ratio(row, 1));
  assert_true(hone_compared_mean_low(sum) < 1 && hone_compared_mean_high(sum) > 1);
  assert_near(hone_compared_best_ratio(sum), hone_compared_row_ratio(row, 1));
  assert_true(hone_compared_best_low(sum) < 1 && hone_compared_best_high(sum) > 1);
  assert_int_equal(hone_compared_best_change(sum), HONE_CHANGE_INCONCLUSIVE);
  assert_int_equal(hone_compared_best_change(hone_comparison_at(comparison, 0)), HONE_CHANGE_NONE);
  hone_comparison_free(comparison);
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
  struct hone_differences *differences = hone_results_differences(&first, &second);

  (void)state;
  assert_int_equal(hone_differences_count(differences), 2);
  assert_int_equal(hone_differences_subject(differences, 0), HONE_SUBJECT_PROBLEM);
  assert_string_equal(hone_differences_first(differences, 0), "M=1");
  assert_string_equal(hone_differences_second(differences, 0), "M=2");
  assert_int_equal(hone_differences_subject(differences, 1), HONE_SUBJECT_MACHINE);
  assert_string_equal(hone_subject_name(HONE_SUBJECT_MACHINE), "machine");
  assert_null(hone_differences_first(differences, 2));
  hone_differences_free(differences);
  differences = hone_results_differences(&first, &first);
  assert_int_equal(hone_differences_count(differences), 0);
  hone_differences_free(differences);
  differences = hone_results_differences(&file, &second);
  assert_int_equal(hone_differences_count(differences), 0);
  hone_differences_free(differences);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_samples),
      cmocka_unit_test(test_partners),
      cmocka_unit_test(test_more_is_better),
      cmocka_unit_test(test_units),
      cmocka_unit_test(test_duplicates),
      cmocka_unit_test(test_holes),
      cmocka_unit_test(test_one_alone),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_input_ids),
      cmocka_unit_test(test_keep),
      cmocka_unit_test(test_top),
      cmocka_unit_test(test_kendall),
      cmocka_unit_test(test_kendall_holes),
      cmocka_unit_test(test_correlate),
      cmocka_unit_test(test_differences),
  };
  return cmocka_run_group_tests_name("compare_results", tests, make_folder, remove_folder);
}
