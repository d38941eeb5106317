/* Whole runs: from the baseline to the verdict, on recordings, with real workers and a real store.
 */
#include "hone_results.h"
#include "sim_tuning.h"

#include <math.h>

/* K=2 is twice as fast as the baseline, and K=4 does not work. */
static const double times_ms[] = {2.0, 2.4, 1.0, 1.9, 0, 2.2};
enum { COUNT = sizeof times_ms / sizeof *times_ms };

static int begin(void **state)
{
  if (make_run_folder(state)) return -1;
  write_recording(times_ms, COUNT);
  return 0;
}

/* The report of a run as JSON; json_decref. */
static json_t *report_of(int64_t run)
{
  struct hone_store *store = NULL;
  char *text = NULL;
  json_t *json;

  assert_null(hone_store_open(getenv("HONE_STORE"), &store));
  assert_null(hone_report_json(store, run, &text));
  json = json_loads(text, 0, NULL);
  assert_non_null(json);
  free(text);
  hone_store_free(store);
  return json;
}

static json_t *evaluation_of(const json_t *report, const char *config)
{
  json_t *list = json_object_get(report, "evaluations"), *entry;
  size_t i;

  json_array_foreach(list, i,
                     entry) if (strcmp(text_at(entry, "config"), config) == 0) return entry;
  fail_msg("no evaluation of %s", config);
  return NULL;
}

static void expect_outcome(const json_t *report, const char *config, const char *outcome)
{
  assert_string_equal(text_at(evaluation_of(report, config), "outcome"), outcome);
}

static void the_faster_one_is_proved(void **state)
{
  const struct hone_tune_options options = sim_options();
  int64_t run = tune("", &options);
  json_t *report = report_of(run);

  (void)state;
  assert_string_equal(text_at(report, "verdict"), "IMPROVED");
  assert_string_equal(text_at(report, "winner"), "K=2");
  assert_true(fabs(json_real_value(json_object_get(report, "speedup")) - 2) < 1e-6);
  expect_outcome(report, "K=2", "ok");
  assert_int_equal(json_array_size(json_object_get(report, "evaluations")), COUNT);
  assert_string_not_equal(text_at(evaluation_of(report, "K=4"), "outcome"), "ok");
  json_decref(report);
}

/* The same request is answered from the store; a fresh one is a new run. */
static void a_finished_run_is_the_answer(void **state)
{
  struct hone_tune_options options = sim_options();
  int64_t first = tune("", &options);

  (void)state;
  assert_int_equal(tune("", &options), first);
  options.fresh = true;
  assert_true(tune("", &options) > first);
}

static void without_a_faster_one_there_is_no_improvement(void **state)
{
  static const double slower[] = {1.0, 1.5, 2.0};
  const struct hone_tune_options options = sim_options();
  json_t *report;

  (void)state;
  write_recording(slower, 3);
  report = report_of(tune("", &options));
  assert_string_equal(text_at(report, "verdict"), "NO IMPROVEMENT");
  assert_true(json_is_null(json_object_get(report, "winner")) || !*text_at(report, "winner"));
  json_decref(report);
}

/* K=1 looks best by far and is wrong in a later phase: it is out, and K=3 wins. */
static void who_fails_late_is_withdrawn(void **state)
{
  static const double cheat[] = {2.0, 0.5, 2.5, 1.0};
  static const char *const phases[] = {"check", "race", "confirm"};
  const struct hone_tune_options options = sim_options();

  (void)state;
  write_recording(cheat, 4);
  for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
    char lines[256];
    json_t *report;
    snprintf(lines, sizeof lines,
             "sim: {faults: [{when: K == 1, outcome: wrong_result, from: %s}]}\n", phases[i]);
    report = report_of(tune(lines, &options));
    assert_string_equal(text_at(report, "winner"), "K=3");
    expect_outcome(report, "K=1", "wrong_result");
    json_decref(report);
  }
}

static void without_confirmation_there_is_no_verdict(void **state)
{
  struct hone_tune_options options = sim_options();
  json_t *report;

  (void)state;
  options.no_confirm = true;
  report = report_of(tune("", &options));
  assert_string_equal(text_at(report, "verdict"), "");
  expect_part(text_at(report, "sentence"), "the best candidate in screening is K=2");
  json_decref(report);
}

static void a_budget_limits_the_candidates(void **state)
{
  struct hone_tune_options options = sim_options();
  json_t *report;

  (void)state;
  options.evaluations = 2;
  options.stop_after = HONE_STAGE_SCREEN;
  report = report_of(tune("", &options));
  assert_int_equal(json_array_size(json_object_get(report, "evaluations")), 3);
  json_decref(report);
}

/* By time and size: K=2 and K=3 are faster than K=5, which is smaller; the others lose in both. */
static void several_objectives_have_a_pareto_set(void **state)
{
  struct hone_tune_options options = sim_options();
  json_t *report, *members;

  (void)state;
  options.no_confirm = true;
  report = report_of(tune("metrics: {size: 10 - K}\nobjective: [time, size]\n", &options));
  members = json_object_get(json_object_get(report, "pareto"), "members");
  assert_int_equal(json_array_size(members), 3);
  assert_string_equal(text_at(json_array_get(members, 0), "config"), "K=2");
  assert_string_equal(text_at(json_array_get(members, 1), "config"), "K=3");
  assert_string_equal(text_at(json_array_get(members, 2), "config"), "K=5");
  json_decref(report);
}

/* No configuration works: there is none to compare with. */
static void without_a_baseline_there_is_no_run(void **state)
{
  static const double none[] = {0, 0};
  const struct hone_tune_options options = sim_options();
  struct hone_tuning *tuning = NULL;
  struct hone_spec *loaded;
  hone_status status;

  (void)state;
  write_recording(none, 2);
  loaded = sim_spec("");
  status = hone_tune(loaded, &options, &tuning);
  assert_non_null(status);
  expect_part(hone_status_message(status), "baseline");
  hone_status_free(status);
  hone_tuning_free(tuning);
  hone_spec_free(loaded);
}

/* Its build alone takes longer than the limit. */
static void a_slow_baseline_leaves_time_for_a_candidate(void **state)
{
  struct hone_tune_options options = sim_options();
  double many_ms[100];
  json_t *report;

  (void)state;
  for (size_t i = 0; i < 100; i++)
    many_ms[i] = 1;
  write_recording(many_ms, 100);
  options.search_limit_s = 0.5;
  options.stop_after = HONE_STAGE_SCREEN;
  report = report_of(tune("", &options));
  assert_true(json_array_size(json_object_get(report, "evaluations")) > 1);
  assert_true(json_array_size(json_object_get(report, "evaluations")) < 100);
  json_decref(report);
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(the_faster_one_is_proved),
      TEST(a_finished_run_is_the_answer),
      TEST(without_a_faster_one_there_is_no_improvement),
      TEST(who_fails_late_is_withdrawn),
      TEST(without_confirmation_there_is_no_verdict),
      TEST(a_budget_limits_the_candidates),
      TEST(a_slow_baseline_leaves_time_for_a_candidate),
      TEST(several_objectives_have_a_pareto_set),
      TEST(without_a_baseline_there_is_no_run),
  };
  int status = worker_status(argc, argv);

  return status >= 0 ? status : cmocka_run_group_tests_name("tune", tests, NULL, NULL);
}
