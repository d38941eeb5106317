/* What the samples of two rows prove about a change. */
#include "results/taken.h"

#include "results/results.h"
#include "stores.h"

enum { COUNT = 12 };

/* Samples around this time, and processes around it. */
static struct hone__taken taken(double *logs, size_t processes, double *samples_ns, size_t samples,
                                double time_ns)
{
  for (size_t i = 0; i < processes; i++)
    logs[i] = log(time_ns * (1 + 0.001 * (double)(i % 3)));
  for (size_t i = 0; i < samples; i++)
    samples_ns[i] = time_ns * (1 + 0.001 * (double)(i % 3));
  return (struct hone__taken){logs, processes, samples_ns, samples};
}

static enum hone_change judge(size_t processes, size_t samples, double first_ns, double second_ns,
                              double *out_ratio)
{
  double logs[2][COUNT], samples_ns[2][COUNT];
  struct hone__taken first = taken(logs[0], processes, samples_ns[0], samples, first_ns);
  struct hone__taken second = taken(logs[1], processes, samples_ns[1], samples, second_ns);
  struct hone__estimate difference = hone__taken_difference(&first, &second);

  *out_ratio = exp(difference.value);
  assert_true(isnan(difference.value) ||
              (difference.low <= difference.value && difference.value <= difference.high));
  return hone__taken_judge(&difference, 0.02);
}

static void expect_judged(size_t processes, size_t samples)
{
  double ratio;

  assert_int_equal(judge(processes, samples, 1000, 1200, &ratio), HONE_CHANGE_SLOWER);
  assert_true(fabs(ratio - 1.2) < 1e-6);
  assert_int_equal(judge(processes, samples, 1200, 1000, &ratio), HONE_CHANGE_FASTER);
  assert_int_equal(judge(processes, samples, 1000, 1001, &ratio), HONE_CHANGE_SAME);
}

static void processes_are_the_units(void **state)
{
  (void)state;
  expect_judged(6, 0);
}

static void samples_of_one_process_are(void **state)
{
  (void)state;
  expect_judged(1, COUNT);
}

static void few_samples_prove_nothing(void **state)
{
  double ratio;

  (void)state;
  assert_int_equal(judge(1, 3, 1000, 1200, &ratio), HONE_CHANGE_INCONCLUSIVE);
  assert_true(fabs(ratio - 1.2) < 1e-6);
  assert_int_equal(judge(0, 0, 1000, 1200, &ratio), HONE_CHANGE_NONE);
}

static void changes_have_names(void **state)
{
  (void)state;
  assert_string_equal(hone_change_name(HONE_CHANGE_FASTER), "FASTER");
  assert_string_equal(hone_change_name((enum hone_change)99), "");
}

/* ---- From a store ---- */

static int64_t put(struct hone_store *store, int64_t run, const char *config, bool is_baseline)
{
  static const double screened[] = {4000, 4000, 4000};
  static const struct hone__samples samples = {
      .phase = HONE_PHASE_SCREEN, .times_ns = screened, .count = 3};
  struct hone__evaluation evaluation = some_evaluation(config);

  evaluation.is_baseline = is_baseline;
  evaluation.device = "c:0";
  evaluation.samples = &samples;
  evaluation.sample_count = 1;
  assert_null(hone__store_evaluation_put(store, run, &evaluation));
  return evaluation.id;
}

/* Two processes, each of which measured it in pairs with the baseline. */
static void confirm(struct hone_store *store, int64_t evaluation)
{
  static const double fast[] = {900, 1000, 1100}, slow[] = {1900, 2000, 2100};
  struct hone__samples samples = {
      .phase = HONE_PHASE_CONFIRM, .times_ns = fast, .baseline_ns = slow, .count = 3};
  struct hone__confirmation confirmation = {.verdict = HONE_VERDICT_IMPROVED,
                                            .speedup = 2,
                                            .low = 1.9,
                                            .high = 2.1,
                                            .pairs = 6,
                                            .restarts = 2,
                                            .time_ns = 1000,
                                            .baseline_ns = 2000};

  for (; samples.restart < 2; samples.restart++)
    assert_null(hone__store_samples_add(store, evaluation, &samples));
  assert_null(hone__store_confirm(store, evaluation, &confirmation));
}

static void expect_taken(const struct hone_result_row *row, size_t processes, double time_ns)
{
  assert_int_equal(row->taken.process_count, processes);
  assert_int_equal(row->taken.time_count, 3 * processes);
  for (size_t i = 0; i < processes; i++)
    assert_true(fabs(exp(row->taken.logs[i]) - time_ns) < 1e-6);
}

static void confirmed_samples_replace_those_before(void **state)
{
  struct hone_store *store = open_store(false);
  struct hone_results *results;
  int64_t run = begin(store, "k"), winner;

  (void)state;
  put(store, run, "BM=1", true);
  winner = put(store, run, "BM=2", false);
  put(store, run, "BM=3", false);
  confirm(store, winner);
  assert_null(hone_results_load(store, run, &results));
  assert_null(hone_results_load_samples(store, results));
  assert_int_equal(results->row_count, 3);
  expect_taken(&results->rows[0], 2, 2000); /* of the winner's pairs */
  expect_taken(&results->rows[1], 2, 1000);
  expect_taken(&results->rows[2], 1, 4000);
  hone_results_free(results);
  hone__store_close(store);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(processes_are_the_units),
      cmocka_unit_test(samples_of_one_process_are),
      cmocka_unit_test(few_samples_prove_nothing),
      cmocka_unit_test(changes_have_names),
      cmocka_unit_test(confirmed_samples_replace_those_before),
  };

  return cmocka_run_group_tests_name("taken", tests, make_open_folder, remove_folder);
}
