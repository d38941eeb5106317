/* A baseline with two times: what is said of it, as text, as JSON, and of a run's stored samples.
 */
#include "opened_tuning.h"

#include "tune/baseline_modes.h"

static const struct hone__modes by_process = {.found = true,
                                              .by_process = true,
                                              .low_ns = 1e6,
                                              .high_ns = 1.31e6,
                                              .high_count = 2,
                                              .count = 7};
static const struct hone__modes within = {
    .found = true, .low_ns = 1e3, .high_ns = 2e3, .high_count = 20, .count = 60};

static int begin(void **state)
{
  if (make_run_folder(state)) return -1;
  write_equal_times(4);
  return 0;
}

static void two_groups_are_described(void **state)
{
  struct hone__text text = {0};

  (void)state;
  assert_true(hone__tuning_modes_describe(&by_process, "the baseline", &text));
  expect_part(text.data,
              "times of the baseline form two groups, 1 ms and 1.31 ms: 2 of 7 processes");
  text.length = 0;
  assert_true(hone__tuning_modes_describe(&within, "K=3", &text));
  expect_part(text.data,
              "times of K=3 form two groups, 1 us and 2 us, within one process: 20 of 60");
  hone__text_release(&text);
}

static void one_group_is_not_mentioned(void **state)
{
  const struct hone__modes none = {.found = false};
  struct hone__json_writer writer = {0};
  struct hone__text text = {0};

  (void)state;
  assert_false(hone__tuning_modes_describe(&none, "the baseline", &text));
  assert_int_equal(text.length, 0);
  hone__json_open(&writer, NULL, '{');
  hone__tuning_modes_write(&writer, "two_groups", &none, "c:0");
  hone__json_close(&writer, '}');
  expect_part(writer.text.data, "\"two_groups\": null");
  hone__text_release(&writer.text);
}

static void groups_are_written_as_json(void **state)
{
  struct hone__json_writer writer = {0};
  json_t *json;

  (void)state;
  hone__json_open(&writer, NULL, '[');
  hone__tuning_modes_write(&writer, NULL, &by_process, "c:0");
  hone__tuning_modes_write(&writer, NULL, &within, NULL);
  hone__json_close(&writer, ']');
  json = json_loads(writer.text.data, 0, NULL);
  assert_int_equal(json_array_size(json), 2);
  assert_string_equal(text_at(json_array_get(json, 0), "of"), "processes");
  assert_string_equal(text_at(json_array_get(json, 0), "device"), "c:0");
  assert_int_equal(json_integer_value(json_object_get(json_array_get(json, 0), "count")), 7);
  assert_string_equal(text_at(json_array_get(json, 1), "of"), "samples");
  assert_null(json_object_get(json_array_get(json, 1), "device"));
  json_decref(json);
  hone__text_release(&writer.text);
}

/* ---- Of a run ---- */

enum { READINGS = 12, SAMPLES = 5 };

/* Readings of the baseline; the times of every second one are `factor` times as long. */
static void put_baseline(struct opened *opened, struct hone__site *site, double factor)
{
  struct hone__evaluation evaluation = {.config = "K=0",
                                        .is_baseline = true,
                                        .device = "sim:0",
                                        .time_ns = 1000,
                                        .baseline_ns = 1000,
                                        .mesh_idx = -1};
  struct hone_store *store = opened->tuning.session.entry.store;

  assert_null(hone__store_evaluation_put(store, opened->tuning.session.entry.run.id, &evaluation));
  for (int i = 0; i < READINGS; i++) {
    double times[SAMPLES];
    const struct hone__samples samples = {.phase = HONE_PHASE_BASELINE,
                                          .restart = i,
                                          .times_ns = times,
                                          .count = SAMPLES,
                                          .facts = "{\"slot\": 0}"};
    for (int k = 0; k < SAMPLES; k++)
      times[k] = (i % 2 ? factor : 1) * (1000 + k);
    assert_null(hone__store_samples_add(store, evaluation.id, &samples));
  }
  site->evaluation = evaluation.id;
}

/* What the run keeps of it; free(). */
static char *note_modes(double factor, struct opened *opened)
{
  char device[] = "sim:0";
  struct hone__site site = {.device = device};
  char *kept;

  *opened = (struct opened){.options = sim_options()};
  open_tuning(opened, "");
  begin_run(opened);
  put_baseline(opened, &site, factor);
  opened->tuning.session.workers.sites = &site;
  opened->tuning.session.workers.site_count = 1;
  opened->said_count = 0;
  hone__tuning_note_modes(&opened->tuning);
  kept = (char *)opened->tuning.session.entry.result.two_groups;
  opened->tuning.session.workers.sites = NULL;
  opened->tuning.session.workers.site_count = 0;
  release_opened(opened);
  return kept;
}

static void a_run_warns_of_two_groups(void **state)
{
  struct opened opened;
  char *kept = note_modes(1.5, &opened);

  (void)state;
  assert_int_equal(opened.said_count, 1);
  expect_part(opened.said[0], "device 'sim:0': times of the baseline form two groups");
  assert_non_null(kept);
  expect_part(kept, "\"of\": \"processes\"");
  free(kept);
}

static void a_steady_run_has_nothing_to_say(void **state)
{
  struct opened opened;

  (void)state;
  assert_null(note_modes(1, &opened));
  assert_int_equal(opened.said_count, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(two_groups_are_described),        TEST(one_group_is_not_mentioned),
      TEST(groups_are_written_as_json),      TEST(a_run_warns_of_two_groups),
      TEST(a_steady_run_has_nothing_to_say),
  };

  return cmocka_run_group_tests_name("baseline_modes", tests, NULL, NULL);
}
