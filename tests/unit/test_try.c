/* One configuration, tried as `hone run` does it, on a recording with real workers. */
#include "sim_tuning.h"

/* K=2 is twice as fast as the baseline, and K=4 does not work. */
static const double times_ms[] = {2.0, 2.4, 1.0, 1.9, 0, 2.2};
enum { COUNT = sizeof times_ms / sizeof *times_ms };

static int begin(void **state)
{
  if (make_run_folder(state)) return -1;
  write_recording(times_ms, COUNT);
  return 0;
}

static void one_configuration_is_tried(void **state)
{
  const struct hone_tune_options options = sim_options();
  struct hone_spec *loaded = sim_spec("");
  char *text = NULL;
  bool works = false;

  (void)state;
  assert_null(hone_try(loaded, &options, "K=2", &text, &works));
  assert_true(works);
  expect_part(text, "K=2");
  expect_part(text, "speed       2.000 times the baseline");
  free(text);
  assert_null(hone_try(loaded, &options, "K=4", &text, &works));
  assert_false(works);
  expect_part(text, "config      K=4");
  assert_null(strstr(text, "speed"));
  free(text);
  hone_spec_free(loaded);
}

static void a_trial_as_json_has_every_sample(void **state)
{
  const struct hone_tune_options options = sim_options();
  struct hone_spec *loaded = sim_spec("");
  char *text = NULL;
  bool works = false;
  json_t *json;

  (void)state;
  assert_null(hone_try_json(loaded, &options, "K=2", &text, &works));
  assert_true(works);
  json = json_loads(text, 0, NULL);
  assert_non_null(json);
  assert_string_equal(text_at(json, "outcome"), "ok");
  assert_true(json_array_size(json_object_get(json, "samples")) > 2);
  json_decref(json);
  free(text);
  hone_spec_free(loaded);
}

static void a_wrong_configuration_is_refused(void **state)
{
  static const struct {
    const char *config, *part;
  } cases[] = {{"K=77", "77"}, {"Z=1", "Z"}, {"nonsense", "nonsense"}};
  const struct hone_tune_options options = sim_options();
  struct hone_spec *loaded = sim_spec("");

  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *text = NULL;
    bool works = true;
    hone_status status = hone_try(loaded, &options, cases[i].config, &text, &works);
    assert_non_null(status);
    expect_part(hone_status_message(status), cases[i].part);
    assert_null(text);
    hone_status_free(status);
  }
  hone_spec_free(loaded);
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(one_configuration_is_tried),
      TEST(a_trial_as_json_has_every_sample),
      TEST(a_wrong_configuration_is_refused),
  };
  int status = worker_status(argc, argv);

  return status >= 0 ? status : cmocka_run_group_tests_name("try", tests, NULL, NULL);
}
