/* Runs that were put into a store by hand, as T4: to the byte, and read again as recordings. */
#include "base/text.h"

#include "folder.h"
#include "hone_replay.h"
#include "replay/recording.h"
#include "replay/t4.h"
#include "space/space.h"
#include "store/origin.h"

#include <jansson.h>
#include <math.h>

struct fixture {
  struct hone_store *store;
  int64_t run;
  struct hone_t4 *t4;
};

static int64_t begin_run(struct fixture *fixture, const char *key, const char *options)
{
  struct hone__store_run_record run = {.key = key,
                                       .name = "gemm",
                                       .spec = "/a/gemm.yaml",
                                       .problem = "N=64",
                                       .options = options,
                                       .space = "12",
                                       .strategy = "exhaustive"};
  bool resumed;

  assert_null(hone__store_run_begin(fixture->store, &run, &resumed));
  return run.id;
}

static int begin(void **state)
{
  struct fixture *fixture = hone__alloc(sizeof *fixture);

  if (make_folder(state) != 0) return -1;
  assert_null(hone__store_open(path_of("hone.db"), false, &fixture->store));
  fixture->run = begin_run(fixture, "k", NULL);
  *state = fixture;
  return 0;
}

static int end(void **state)
{
  struct fixture *fixture = *state;

  hone_t4_free(fixture->t4);
  hone__store_close(fixture->store);
  free(fixture);
  return remove_folder(state);
}

/* ---- Helpers ---- */

static struct hone__evaluation evaluation(const char *config, enum hone_outcome outcome,
                                          double time_ns)
{
  return (struct hone__evaluation){.config = config,
                                   .outcome = outcome,
                                   .tries = 1,
                                   .compile_s = NAN,
                                   .time_ns = time_ns,
                                   .baseline_ns = NAN,
                                   .cold_ns = NAN,
                                   .cap_ns = NAN,
                                   .mesh_idx = -1};
}

static int64_t put(struct fixture *fixture, struct hone__evaluation e)
{
  assert_null(hone__store_evaluation_put(fixture->store, fixture->run, &e));
  return e.id;
}

static int64_t put_simple(struct fixture *fixture, const char *config, enum hone_outcome outcome,
                          double time_ns)
{
  return put(fixture, evaluation(config, outcome, time_ns));
}

static void add_samples(struct fixture *fixture, int64_t id, enum hone_phase phase, double time_ns)
{
  double times_ns[] = {time_ns, 2 * time_ns};
  struct hone__samples samples = {
      .phase = phase, .times_ns = times_ns, .count = 2, .facts = "{\"repeats\": 5}"};

  assert_null(hone__store_samples_add(fixture->store, id, &samples));
}

static void write_run(struct fixture *fixture)
{
  hone_t4_free(fixture->t4);
  assert_null(hone_t4_export(fixture->store, fixture->run, &fixture->t4));
}

/* The n-th result; json_decref. */
static json_t *result_of(const struct fixture *fixture, size_t n)
{
  json_t *file = json_loads(hone_t4_text(fixture->t4), 0, NULL), *result;

  assert_non_null(file);
  result = json_incref(json_array_get(json_object_get(file, "results"), n));
  assert_non_null(result);
  json_decref(file);
  return result;
}

static void expect_part(const struct fixture *fixture, size_t n, const char *key,
                        const char *expected)
{
  json_t *result = result_of(fixture, n);
  char *text = json_dumps(json_object_get(result, key), JSON_ENCODE_ANY);

  assert_string_equal(text ? text : "", expected);
  free(text);
  json_decref(result);
}

static struct hone__recording *read_again(const struct fixture *fixture)
{
  struct hone__recording *recording;
  hone_status status = hone__recording_parse("gemm.json", strdup(hone_t4_text(fixture->t4)),
                                             strlen(hone_t4_text(fixture->t4)), NULL, &recording);

  if (status) fail_msg("%s", hone_status_message(status));
  return recording;
}

static const struct hone__recorded *recorded(const struct hone__recording *recording,
                                             const char *config)
{
  uint32_t row[16];
  uint64_t index;

  assert_null(hone_space_parse(recording->space, config, row));
  assert_true(hone_space_index_of(recording->space, row, &index));
  return &recording->at[index];
}

/* ---- Words ---- */

static void test_outcomes_have_words(void **state)
{
  (void)state;
  for (int i = 0; i < HONE_OUTCOME_COUNT; i++) {
    enum hone_outcome outcome = (enum hone_outcome)i;
    bool is_told =
        hone__outcome_works(outcome) || hone__outcome_blame(outcome) == HONE__BLAME_CANDIDATE;
    if (is_told != (hone__t4_validity(outcome) != NULL))
      fail_msg("'%s' should %shave a word", hone_outcome_name(outcome), is_told ? "" : "not ");
  }
  assert_string_equal(hone__t4_validity(HONE_OUTCOME_SLOW), "correct");
  assert_string_equal(hone__t4_validity(HONE_OUTCOME_NONDETERMINISTIC), "correctness");
  assert_string_equal(hone__t4_validity(HONE_OUTCOME_COMPILE_TIMEOUT), "compile");
  assert_string_equal(hone__t4_validity(HONE_OUTCOME_HANG), "timeout");
}

/* ---- The file ---- */

/* All but the timestamps, which are today's. */
static char *without_times(const char *text)
{
  struct hone__text plain = {0};
  const char *mark = "\"timestamp\": \"", *at;

  while ((at = strstr(text, mark)) != NULL) {
    hone__text_addn(&plain, text, (size_t)(at - text));
    at += strlen(mark);
    assert_int_equal(strcspn(at, "\""), strlen("2026-11-15 23:05:36+00:00"));
    text = at + strcspn(at, "\"") + strlen("\", ");
  }
  hone__text_add(&plain, text);
  return hone__text_take(&plain);
}

static void test_to_the_byte(void **state)
{
  struct fixture *fixture = *state;
  struct hone__evaluation good = evaluation("BM=64,w=fast,b=True,s=0.5", HONE_OUTCOME_OK, 1500);
  struct hone__evaluation bad =
      evaluation("BM=32,w='a,b',b=False,s=1.0", HONE_OUTCOME_WRONG_RESULT, NAN);
  char *plain;

  good.compile_s = 0.25;
  good.cold_ns = 4e6;
  good.metrics = "{\"GFLOP/s\": 12.5}";
  add_samples(fixture, put(fixture, good), HONE_PHASE_SCREEN, 1000);
  bad.compile_s = 0.125;
  put(fixture, bad);
  write_run(fixture);
  plain = without_times(hone_t4_text(fixture->t4));
  assert_string_equal(
      plain,
      "{\n"
      "  \"schema_version\": \"1.0.0\",\n"
      "  \"metadata\": {\n"
      "    \"timeunit\": \"milliseconds\",\n"
      "    \"tuner\": \"hone\",\n"
      "    \"tuner_version\": \"0.1.0\",\n"
      "    \"run\": 1,\n"
      "    \"name\": \"gemm\",\n"
      "    \"problem\": \"N=64\",\n"
      "    \"strategy\": \"exhaustive\",\n"
      "    \"configurations\": 12\n"
      "  },\n"
      "  \"results\": [\n"
      "    {\"configuration\": {\"BM\": 64, \"w\": \"fast\", \"b\": true, \"s\": 0.5}, "
      "\"times\": {\"compilation_time\": 250, \"framework\": 0.012, \"search_algorithm\": 0, "
      "\"validation\": 4, \"runtimes\": [0.001, 0.002]}, "
      "\"invalidity\": \"correct\", \"correctness\": 1, "
      "\"measurements\": [{\"name\": \"time\", \"value\": 0.0015, \"unit\": \"milliseconds\"}, "
      "{\"name\": \"GFLOP/s\", \"value\": 12.5, \"unit\": \"\"}], \"objectives\": [\"time\"]},\n"
      "    {\"configuration\": {\"BM\": 32, \"w\": \"a,b\", \"b\": false, \"s\": 1.0}, "
      "\"times\": {\"compilation_time\": 125, \"framework\": 0, \"search_algorithm\": 0, "
      "\"validation\": 0, \"runtimes\": []}, "
      "\"invalidity\": \"correctness\", \"correctness\": 0, "
      "\"measurements\": [{\"name\": \"time\", \"value\": \"wrong_result\", \"unit\": \"\"}], "
      "\"objectives\": [\"time\"]}\n"
      "  ]\n"
      "}\n");
  assert_int_equal(hone_t4_config_count(fixture->t4), 2);
  assert_int_equal(hone_t4_working_count(fixture->t4), 1);
  assert_string_equal(hone_t4_space(fixture->t4), "12");
  free(plain);
}

static void test_objectives_of_the_run(void **state)
{
  struct fixture *fixture = *state;
  struct hone__evaluation e = evaluation("BM=64", HONE_OUTCOME_OK, 1000);

  fixture->run = begin_run(fixture, "other",
                           "{\"objectives\": [{\"name\": \"energy\", \"maximise\": false}, "
                           "{\"name\": \"time\", \"maximise\": false}]}");
  e.metrics = "{\"energy_j\": 0.75, \"note\": \"none\"}";
  put(fixture, e);
  write_run(fixture);
  expect_part(fixture, 0, "objectives", "[\"time\", \"energy\"]");
  expect_part(fixture, 0, "measurements",
              "[{\"name\": \"time\", \"value\": 0.001, \"unit\": \"milliseconds\"}, "
              "{\"name\": \"energy\", \"value\": 0.75, \"unit\": \"J\"}]");
}

/* Of alternatives each has some of the parameters; digits may be too many for a number. */
static void test_configurations(void **state)
{
  struct fixture *fixture = *state;

  put_simple(fixture, "A=1,B=2", HONE_OUTCOME_OK, 1000);
  put_simple(fixture, "A=-7,C=123456789012345678901234", HONE_OUTCOME_OK, 2000);
  put_simple(fixture, "C=1e-07,A=None", HONE_OUTCOME_OK, 3000);
  write_run(fixture);
  expect_part(fixture, 0, "configuration", "{\"A\": 1, \"B\": 2, \"C\": null}");
  expect_part(fixture, 1, "configuration",
              "{\"A\": -7, \"B\": null, \"C\": \"123456789012345678901234\"}");
  expect_part(fixture, 2, "configuration",
              "{\"A\": null, \"B\": null, \"C\": 9.9999999999999995e-8}");
  hone__recording_free(read_again(fixture));
}

/* ---- Which evaluations ---- */

static void test_the_baseline_is_there_once(void **state)
{
  struct fixture *fixture = *state;
  struct hone__evaluation baseline = evaluation("BM=64", HONE_OUTCOME_OK, 5000);

  baseline.is_baseline = true;
  baseline.device = "c:0";
  put(fixture, baseline);
  baseline.device = "c:1";
  put(fixture, baseline);
  put_simple(fixture, "BM=32", HONE_OUTCOME_OK, 1000);
  write_run(fixture);
  assert_int_equal(hone_t4_config_count(fixture->t4), 2);
  put_simple(fixture, "BM=64", HONE_OUTCOME_OK, 4000);
  write_run(fixture);
  assert_int_equal(hone_t4_config_count(fixture->t4), 2);
  expect_part(fixture, 1, "measurements",
              "[{\"name\": \"time\", \"value\": 0.0040000000000000001, "
              "\"unit\": \"milliseconds\"}]");
}

static void test_rows_without_content_are_left_out(void **state)
{
  struct fixture *fixture = *state;
  hone_status status;

  put_simple(fixture, "BM=1", HONE_OUTCOME_WORKER_LOST, NAN);
  put_simple(fixture, "BM=2", HONE_OUTCOME_OK, NAN); /* built, and no more */
  put_simple(fixture, "BM=3", HONE_OUTCOME_INTERRUPTED, NAN);
  status = hone_t4_export(fixture->store, 0, &fixture->t4);
  assert_int_equal(hone_status_code(status), HONE_NOT_FOUND);
  assert_null(fixture->t4);
  hone_status_free(status);
  put_simple(fixture, "BM=4", HONE_OUTCOME_SLOW, 9000);
  put_simple(fixture, "BM=5", HONE_OUTCOME_HANG, NAN);
  write_run(fixture);
  assert_int_equal(hone_t4_config_count(fixture->t4), 2);
  assert_int_equal(hone_t4_working_count(fixture->t4), 1);
  assert_int_equal(hone_t4_left_out_count(fixture->t4), 2);
}

static void test_a_run_that_is_not_there(void **state)
{
  struct fixture *fixture = *state;
  hone_status status = hone_t4_export(fixture->store, 77, &fixture->t4);

  assert_int_equal(hone_status_code(status), HONE_NOT_FOUND);
  hone_status_free(status);
}

/* ---- Times ---- */

static void test_samples_of_screening(void **state)
{
  struct fixture *fixture = *state;
  int64_t id = put_simple(fixture, "BM=64", HONE_OUTCOME_OK, 3000);

  add_samples(fixture, id, HONE_PHASE_BASELINE, 7000);
  add_samples(fixture, id, HONE_PHASE_RACE, 8000);
  add_samples(fixture, id, HONE_PHASE_SCREEN, 2000);
  add_samples(fixture, id, HONE_PHASE_CONFIRM, 9000);
  write_run(fixture);
  assert_non_null(strstr(hone_t4_text(fixture->t4), "\"runtimes\": [0.002, 0.004]"));
}

static void test_the_baselines_first_reading(void **state)
{
  struct fixture *fixture = *state;
  int64_t id = put_simple(fixture, "BM=64", HONE_OUTCOME_OK, 3000);

  add_samples(fixture, id, HONE_PHASE_BASELINE, 7000);
  add_samples(fixture, id, HONE_PHASE_BASELINE, 8000);
  write_run(fixture);
  assert_non_null(strstr(hone_t4_text(fixture->t4), "\"runtimes\": [0.007, 0.014]"));
}

/* All have one time, and so has the recording: that of screening. */
static void test_confirmed_times_are_not_in_it(void **state)
{
  struct fixture *fixture = *state;
  struct hone__confirmation confirmation = {.verdict = HONE_VERDICT_IMPROVED, .time_ns = 777};

  assert_null(hone__store_confirm(
      fixture->store, put_simple(fixture, "BM=64", HONE_OUTCOME_OK, 3000), &confirmation));
  write_run(fixture);
  assert_non_null(strstr(hone_t4_text(fixture->t4), "\"value\": 0.003,"));
  assert_null(strstr(hone_t4_text(fixture->t4), "777"));
}

/* From another run, there the same object as a third one. */
static void test_times_of_another_evaluation(void **state)
{
  struct fixture *fixture = *state;
  struct hone__evaluation measured = evaluation("BM=1", HONE_OUTCOME_OK, 3000);
  struct hone__evaluation same = evaluation("BM=2", HONE_OUTCOME_OK, 3000);
  struct hone__evaluation reused = evaluation("BM=3", HONE_OUTCOME_OK, 3000);
  struct hone__origin origin;

  measured.compile_s = 0.5;
  same.same_as = put(fixture, measured);
  add_samples(fixture, same.same_as, HONE_PHASE_SCREEN, 2500);
  same.compile_s = 0.25;
  reused.reused_from = put(fixture, same);
  fixture->run = begin_run(fixture, "other", NULL);
  reused.id = put(fixture, reused);
  assert_null(hone__store_origin(fixture->store, &reused, &origin));
  assert_int_equal(origin.evaluation, same.same_as);
  assert_true(origin.compile_s == 0.25);
  write_run(fixture);
  assert_non_null(strstr(hone_t4_text(fixture->t4), "\"compilation_time\": 250,"));
  assert_non_null(strstr(hone_t4_text(fixture->t4), "\"runtimes\": [0.0025, 0.005]"));
}

static void test_an_origin_that_is_gone(void **state)
{
  struct fixture *fixture = *state;
  struct hone__evaluation lost = evaluation("BM=1", HONE_OUTCOME_OK, 3000);
  struct hone__evaluation circle = evaluation("BM=2", HONE_OUTCOME_OK, 3000);
  struct hone__origin origin;

  lost.reused_from = 4711;
  lost.id = put(fixture, lost);
  assert_null(hone__store_origin(fixture->store, &lost, &origin));
  assert_int_equal(origin.evaluation, lost.id);
  assert_true(isnan(origin.compile_s));
  circle.same_as = lost.id + 1;
  circle.id = put(fixture, circle);
  assert_int_equal(circle.id, circle.same_as);
  assert_null(hone__store_origin(fixture->store, &circle, &origin));
  assert_int_equal(origin.evaluation, circle.id);
}

/* ---- Read again ---- */

static void test_round_trip(void **state)
{
  struct fixture *fixture = *state;
  struct hone__evaluation good = evaluation("BM=64,w=fast,b=True", HONE_OUTCOME_OK, 1500);
  struct hone__recording *recording;
  const struct hone__recorded *at;

  good.compile_s = 0.25;
  good.cold_ns = 5e8;
  add_samples(fixture, put(fixture, good), HONE_PHASE_SCREEN, 1e8);
  put_simple(fixture, "BM=64,w=fast,b=False", HONE_OUTCOME_CRASH, NAN);
  put_simple(fixture, "BM=32,w=fast,b=True", HONE_OUTCOME_COMPILE_OOM, NAN);
  put_simple(fixture, "BM=32,w=slow,b=True", HONE_OUTCOME_SLOW, 9000);
  write_run(fixture);
  recording = read_again(fixture);
  assert_int_equal(recording->count, 4);
  assert_int_equal(recording->working, 2);
  assert_string_equal(
      recording->remark,
      "only 4 of the space's 12 configurations were measured: searches are limited to these");
  at = recorded(recording, "BM=64,w=fast,b=True");
  assert_true(fabs(at->time_ms - 0.0015) < 1e-12);
  assert_int_equal(at->sample_count, 2);
  assert_true(fabs(at->cost_s - (0.25 + 0.5 + 5 * 0.3)) < 1e-9);
  assert_int_equal(recorded(recording, "BM=64,w=fast,b=False")->outcome,
                   HONE_OUTCOME_LAUNCH_FAILURE);
  assert_int_equal(recorded(recording, "BM=32,w=fast,b=True")->outcome, HONE_OUTCOME_COMPILE_ERROR);
  assert_int_equal(recorded(recording, "BM=32,w=slow,b=True")->outcome, HONE_OUTCOME_OK);
  hone__recording_free(recording);
}

/* A sweep's configurations may stand in it twice. */
static void test_places_of_a_mesh(void **state)
{
  struct fixture *fixture = *state;
  struct hone__recording *recording;

  for (int64_t i = 0; i < 12; i++) {
    struct hone__evaluation e = evaluation(i < 11 ? "x=1" : "x=2", HONE_OUTCOME_OK, 1000);
    e.mesh_idx = i;
    put(fixture, e);
  }
  write_run(fixture);
  assert_int_equal(hone_t4_config_count(fixture->t4), 12);
  recording = read_again(fixture);
  assert_int_equal(recording->count, 2);
  assert_string_equal(recording->remark,
                      "10 duplicate configurations are ignored: the first of each counts");
  hone__recording_free(recording);
}

/* The whole space may have more than any number of JSON can say. */
static void test_a_part_of_a_large_space(void **state)
{
  struct fixture *fixture = *state;
  struct hone__store_run_record run = {
      .key = "large", .name = "large", .space = "98765432109876543210"};
  struct hone__recording *recording;
  bool resumed;

  assert_null(hone__store_run_begin(fixture->store, &run, &resumed));
  fixture->run = run.id;
  put_simple(fixture, "x=1", HONE_OUTCOME_OK, 1000);
  write_run(fixture);
  recording = read_again(fixture);
  assert_string_equal(recording->remark,
                      "only 1 of the space's 98765432109876543210 configurations were measured: "
                      "searches are limited to these");
  hone__recording_free(recording);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_outcomes_have_words),
      TEST(test_to_the_byte),
      TEST(test_objectives_of_the_run),
      TEST(test_configurations),
      TEST(test_the_baseline_is_there_once),
      TEST(test_rows_without_content_are_left_out),
      TEST(test_a_run_that_is_not_there),
      TEST(test_samples_of_screening),
      TEST(test_the_baselines_first_reading),
      TEST(test_confirmed_times_are_not_in_it),
      TEST(test_times_of_another_evaluation),
      TEST(test_an_origin_that_is_gone),
      TEST(test_round_trip),
      TEST(test_places_of_a_mesh),
      TEST(test_a_part_of_a_large_space),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
