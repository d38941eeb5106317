/* What a run would do, as text and as JSON. */
#include "sim_tuning.h"

#include <unistd.h>

/* K=2 is twice as fast as the baseline, and K=4 does not work. */
static const double times_ms[] = {2.0, 2.4, 1.0, 1.9, 0, 2.2};
enum { COUNT = sizeof times_ms / sizeof *times_ms };

static int begin(void **state)
{
  if (make_run_folder(state)) return -1;
  write_recording(times_ms, COUNT);
  return 0;
}

static void a_plan_says_what_would_be_done(void **state)
{
  static const char *const seeds[] = {"K=5"};
  struct hone_tune_options options = sim_options();
  struct hone_spec *loaded = sim_spec("objective: time\n");
  char *text = NULL;

  (void)state;
  options.seed_configs = seeds;
  options.seed_config_count = 1;
  assert_null(hone_tune_plan(loaded, &options, &text));
  expect_part(text, "K=0");
  expect_part(text, "exhaustive");
  expect_part(text, "6 ");
  assert_int_not_equal(access(path_of("store.db"), F_OK), 0);
  free(text);
  hone_spec_free(loaded);
}

static void a_plan_as_json_has_the_same(void **state)
{
  static const char *const seeds[] = {"K=5"};
  struct hone_tune_options options = sim_options();
  struct hone_spec *loaded = sim_spec("");
  char *text = NULL;
  json_t *json, *first;

  (void)state;
  options.seed_configs = seeds;
  options.seed_config_count = 1;
  assert_null(hone_tune_plan_json(loaded, &options, &text));
  json = json_loads(text, 0, NULL);
  assert_non_null(json);
  assert_string_equal(text_at(json, "space"), "6");
  assert_string_equal(text_at(json, "strategy"), "exhaustive");
  assert_string_equal(text_at(json, "devices"), "sim");
  assert_string_equal(text_at(json_object_get(json, "baseline"), "config"), "K=0");
  assert_int_equal(
      json_integer_value(json_object_get(json_object_get(json, "begins_with"), "given")), 1);
  first = json_array_get(json_object_get(json, "first"), 0);
  assert_string_equal(text_at(first, "config"), "K=5");
  json_decref(json);
  free(text);
  hone_spec_free(loaded);
}

static void objectives_and_budgets_are_planned(void **state)
{
  struct hone_tune_options options = sim_options();
  struct hone_spec *loaded =
      sim_spec("metrics: {size: 10 - K}\nobjective: [time, {maximise: size}]\n");
  char *text = NULL;
  json_t *json, *objectives;

  (void)state;
  options.evaluations = 4;
  options.budget_s = 7;
  assert_null(hone_tune_plan(loaded, &options, &text));
  expect_part(text, "size");
  expect_part(text, "at most 4");
  free(text);
  assert_null(hone_tune_plan_json(loaded, &options, &text));
  json = json_loads(text, 0, NULL);
  assert_int_equal(json_integer_value(json_object_get(json, "evaluations")), 4);
  assert_true(json_number_value(json_object_get(json, "budget_s")) == 7);
  objectives = json_object_get(json, "objectives");
  assert_int_equal(json_array_size(objectives), 2);
  assert_string_equal(text_at(json_array_get(objectives, 1), "name"), "size");
  assert_true(json_is_true(json_object_get(json_array_get(objectives, 1), "maximise")));
  json_decref(json);
  free(text);
  hone_spec_free(loaded);
}

static void a_first_configuration_must_be_legal(void **state)
{
  static const char *const seeds[] = {"K=99"};
  struct hone_tune_options options = sim_options();
  struct hone_spec *loaded = sim_spec("");
  hone_status status;
  char *text = NULL;

  (void)state;
  options.seed_configs = seeds;
  options.seed_config_count = 1;
  status = hone_tune_plan(loaded, &options, &text);
  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  expect_part(hone_status_message(status), "99");
  assert_null(text);
  hone_status_free(status);
  hone_spec_free(loaded);
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(a_plan_says_what_would_be_done),
      TEST(a_plan_as_json_has_the_same),
      TEST(objectives_and_budgets_are_planned),
      TEST(a_first_configuration_must_be_legal),
  };
  int status = worker_status(argc, argv);

  return status >= 0 ? status : cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
