/* The winner of a run is the same in its report, rows, page, comparison and exports. */
#include "export/tuned.h"
#include "report/report.h"
#include "results/comparison.h"
#include "results/results.h"
#include "stored_run.h"

#include <stdlib.h>

static int64_t put(struct stored_run *stored, const char *config, enum hone_outcome outcome,
                   double time_ns)
{
  struct hone__evaluation evaluation = evaluated(config, outcome, time_ns, NULL);

  evaluation.mesh_idx = -1;
  evaluation.is_baseline = strcmp(config, "U=1") == 0;
  return put_stored(stored, evaluation);
}

static void confirm(struct stored_run *stored, int64_t id, double speedup, double time_ns)
{
  struct hone__confirmation confirmation = {.verdict = HONE_VERDICT_IMPROVED,
                                            .speedup = speedup,
                                            .low = speedup - 0.06,
                                            .high = speedup + 0.06,
                                            .pairs = 20,
                                            .restarts = 5,
                                            .time_ns = time_ns,
                                            .baseline_ns = 1100};

  assert_null(hone__store_confirm(stored->store, id, &confirmation));
}

/* What was only screened, and what was cut off, looks faster than what was proved; and of those
 * that were confirmed the one with the smaller time has the smaller speedup, since the machine
 * drifted. */
static void fill(struct stored_run *stored, enum hone_verdict verdict, const char *winner)
{
  begin_stored(stored, stored_record());
  put(stored, "U=1", HONE_OUTCOME_OK, 1000);
  confirm(stored, put(stored, "U=2", HONE_OUTCOME_OK, 820), 1.2, 850);
  confirm(stored, put(stored, "U=4", HONE_OUTCOME_OK, 810), 1.1, 840);
  confirm(stored, put(stored, "U=5", HONE_OUTCOME_OK, 810), 1.01, 840);
  put(stored, "U=8", HONE_OUTCOME_OK, 700);
  put(stored, "U=16", HONE_OUTCOME_SLOW, 600);
  finish_stored(stored, &(struct hone__store_run_result){.state = HONE_RUN_FINISHED,
                                                         .verdict = verdict,
                                                         .baseline = "U=1",
                                                         .winner = winner,
                                                         .speedup = winner ? 1.2 : NAN,
                                                         .low = winner ? 1.14 : NAN,
                                                         .high = winner ? 1.26 : NAN,
                                                         .confidence = 0.95,
                                                         .pairs = 20,
                                                         .restarts = 5,
                                                         .drift = NAN});
}

static struct hone_results *load(struct stored_run *stored)
{
  struct hone_results *results = NULL;

  assert_null(hone_results_load(stored->store, stored->run, &results));
  return results;
}

/* "U=2 U=4 ...": configurations in the order of every table. */
static void expect_order(const struct hone_results *results, const char *const *configs)
{
  size_t *order, count = hone_results_order(results, results->aim_column, false, &order);

  assert_int_equal(count, 6);
  for (size_t i = 0; i < count; i++)
    assert_string_equal(results->rows[order[i]].config, configs[i]);
  free(order);
}

static void expect_tuned(struct stored_run *stored, const char *config)
{
  struct hone__arena arena = {0};
  struct hone__tuned tuned;

  assert_null(hone__tuned_load(stored->store, stored->run, NULL, &arena, &tuned));
  assert_string_equal(tuned.config, config);
  hone__arena_release(&arena);
}

static void expect_page(struct stored_run *stored, const char *part)
{
  struct hone_results *results = load(stored);
  struct hone_report *report = NULL;
  struct hone_page_options options;
  char *html = NULL;

  assert_null(hone_report_load(stored->store, stored->run, &report));
  hone_page_options_init(&options);
  options.results = (const struct hone_results *const *)&results;
  options.reports = (const struct hone_report *const *)&report;
  options.count = 1;
  assert_null(hone_results_page(&options, &html));
  if (!strstr(html, part)) fail_msg("no '%s' in %s", part, html);
  free(html);
  hone_report_free(report);
  hone_results_free(results);
}

static void the_winner_is_the_same_everywhere(void **state)
{
  static const char *const order[] = {"U=2", "U=4", "U=5", "U=1", "U=8", "U=16"};
  struct stored_run stored = {0};
  struct hone_results *results;
  char *yaml = NULL;

  (void)state;
  fill(&stored, HONE_VERDICT_IMPROVED, "U=2");
  results = load(&stored);
  expect_order(results, order);
  expect_tuned(&stored, "U=2");
  expect_page(&stored, "Best: <code>U=2</code></p>");
  expect_page(&stored, "U=2 is 1.20 times as fast");
  assert_null(
      hone_results_best_yaml((const struct hone_results *const *)&results, 1, NULL, NULL, &yaml));
  assert_non_null(strstr(yaml, "U: 2\n"));
  free(yaml);
  hone_results_free(results);
  close_stored(&stored);
}

static void without_an_improvement_it_is_the_baseline(void **state)
{
  static const char *const order[] = {"U=1", "U=2", "U=4", "U=5", "U=8", "U=16"};
  struct stored_run stored = {0};
  struct hone_results *results;

  (void)state;
  fill(&stored, HONE_VERDICT_NO_IMPROVEMENT, "U=2");
  results = load(&stored);
  expect_order(results, order);
  expect_tuned(&stored, "U=1");
  expect_page(&stored,
              "Best: <code>U=1</code> (the baseline: no candidate is proved to be faster)");
  hone_results_free(results);
  close_stored(&stored);
}

/* What was confirmed before the run was interrupted goes before what was screened. */
static void without_a_verdict_the_order_decides(void **state)
{
  struct stored_run stored = {0};

  (void)state;
  fill(&stored, HONE_VERDICT_NONE, NULL);
  expect_tuned(&stored, "U=2");
  expect_page(&stored, "Best: <code>U=2</code> (not proved to be faster)");
  close_stored(&stored);
}

static void rows_say_what_they_rest_on(void **state)
{
  struct stored_run stored = {0};
  struct hone_results *results;
  char *csv = NULL;

  (void)state;
  fill(&stored, HONE_VERDICT_IMPROVED, "U=2");
  results = load(&stored);
  assert_int_equal(hone_results_valid_count(results), 6);
  assert_int_equal(hone_results_slow_count(results), 1);
  assert_null(hone_results_print(results, HONE_RESULTS_CSV, &csv));
  assert_string_equal(csv, "\"name\",\"met (ms)\",\"iters\",\"spec\",\"kbench_filter\",\"basis\","
                           "\"mark\",\"speedup\",\"low\",\"high\"\n"
                           "\"sgemm/U=1\",0.0011,0,\"sgemm/U=1\",\"U=1\",\"confirmed\","
                           "\"baseline\",1.0000,\"\",\"\"\n"
                           "\"sgemm/U=2\",0.00085,0,\"sgemm/U=2\",\"U=2\",\"confirmed\","
                           "\"best\",1.2000,1.1400,1.2600\n"
                           "\"sgemm/U=4\",0.00084,0,\"sgemm/U=4\",\"U=4\",\"confirmed\","
                           "\"tied\",1.1000,1.0400,1.1600\n"
                           "\"sgemm/U=5\",0.00084,0,\"sgemm/U=5\",\"U=5\",\"confirmed\","
                           "\"\",1.0100,0.9500,1.0700\n"
                           "\"sgemm/U=8\",0.0007,0,\"sgemm/U=8\",\"U=8\",\"screening\","
                           "\"\",1.4286,\"\",\"\"\n"
                           "\"sgemm/U=16\",0.0006,0,\"sgemm/U=16\",\"U=16\",\"slow\","
                           "\"\",1.6667,\"\",\"\"\n");
  free(csv);
  hone_results_free(results);
  close_stored(&stored);
}

/* By another column the numbers alone decide. */
static void other_columns_have_their_own_order(void **state)
{
  struct stored_run stored = {0};
  struct hone_results *results;
  size_t *order;

  (void)state;
  fill(&stored, HONE_VERDICT_IMPROVED, "U=2");
  results = load(&stored);
  assert_int_equal(hone_results_order(results, results->aim_column, true, &order), 6);
  assert_string_equal(results->rows[order[0]].config, "U=1"); /* the slowest */
  free(order);
  hone_results_free(results);
  close_stored(&stored);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(the_winner_is_the_same_everywhere),   TEST(without_an_improvement_it_is_the_baseline),
      TEST(without_a_verdict_the_order_decides), TEST(rows_say_what_they_rest_on),
      TEST(other_columns_have_their_own_order),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
