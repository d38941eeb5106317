/* Recordings in the place of kernels: as a space, built, and run as a runner runs them. */
#include "wire/packed_json.h"
#include "backend/sim/sim_backend.h"
#include "backend/sim/sim_fault.h"
#include "backend/sim/sim_object.h"
#include "backend/sim/sim_recording.h"
#include "folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const char tiny[] = "tests/data/sim/tiny.json";

/* ---- Specs ---- */

struct world {
  struct hone_spec *spec;
  struct hone_space *space;
  struct hone__task task;
};

static void load(struct world *world, const char *path)
{
  struct hone_spec_options options;
  struct hone_space_options space_options;
  hone_status status;

  *world = (struct world){0};
  hone_spec_options_init(&options);
  options.files = &path;
  options.file_count = 1;
  status = hone_spec_load(&options, &world->spec);
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
  hone_space_options_init(&space_options);
  assert_null(hone_space_build(world->spec, &space_options, &world->space));
  status = hone__task_init(&world->task, world->spec, world->space);
  if (status) print_message("%s\n", hone_status_message(status));
  assert_null(status);
}

/* A spec beside a copy of the recording. */
static void load_text(struct world *world, const char *more)
{
  char text[2048], *real = realpath(tiny, NULL);

  snprintf(text, sizeof text, "backend: sim\nfile: %s\n%s", real, more);
  write_text("t.yaml", text);
  free(real);
  load(world, path_of("t.yaml"));
}

static void unload(struct world *world)
{
  hone__task_release(&world->task);
  hone_space_free(world->space);
  hone_spec_free(world->spec);
}

static void test_space(void **state)
{
  struct world world;
  uint32_t row[4];
  uint64_t index;

  (void)state;
  load(&world, tiny);
  assert_string_equal(hone_spec_name(world.spec), "tiny");
  assert_int_equal(hone_space_count(world.space), 22);
  assert_int_equal(hone_space_param_count(world.space, 0), 3);
  for (uint64_t i = 0; i < 22; i++) {
    assert_true(hone_space_at(world.space, i, row));
    assert_true(hone_space_index_of(world.space, row, &index));
    assert_int_equal(index, i);
  }
  assert_null(hone_space_parse(world.space, "A=8,B=30,MODE=safe", row));
  assert_false(hone_space_contains(world.space, row));
  assert_ptr_equal(world.task.backend, &hone__backend_sim);
  assert_true(world.task.baseline_given);
  unload(&world);
}

static void test_constraints_and_more_parameters(void **state)
{
  struct world world;

  (void)state;
  load_text(&world, "constraints: [A * B > 30, MODE == 'fast' or A < 4]\nbaseline: {A: 4, B: 10, "
                    "MODE: fast}\n");
  assert_int_equal(hone_space_count(world.space), 9);
  unload(&world);
  load_text(&world, "constraints: [A == 1, B == 10]\n"); /* of its two the first has failed */
  assert_int_equal(hone_space_count(world.space), 2);
  unload(&world);
}

static void test_faulting_constraint(void **state)
{
  struct hone_spec_options options;
  struct hone_space_options space_options;
  struct hone_space *space;
  struct hone_spec *spec;
  char *real = realpath(tiny, NULL), text[1024];
  const char *path = path_of("t.yaml");
  hone_status status;

  (void)state;
  snprintf(text, sizeof text, "backend: sim\nfile: %s\nconstraints: [B / (A - 4) > 0]\n", real);
  write_text("t.yaml", text);
  hone_spec_options_init(&options);
  options.files = &path;
  options.file_count = 1;
  assert_null(hone_spec_load(&options, &spec));
  hone_space_options_init(&space_options);
  status = hone_space_build(spec, &space_options, &space);
  assert_int_equal(hone_status_code(status), HONE_INVALID_SPEC);
  assert_non_null(strstr(hone_status_message(status), "A=4"));
  hone_status_free(status);
  hone_spec_free(spec);
  free(real);
}

/* ---- Objects and samples ---- */

static void test_object(void **state)
{
  static const double samples[] = {2, NAN, 3};
  struct hone__recorded recorded = {
      .time_ms = 2.5, .outcome = HONE_OUTCOME_OK, .samples_ms = samples, .sample_count = 3};
  struct hone__sim_object object;
  struct hone__text text = {0};

  (void)state;
  hone__sim_object_write("A=1", &recorded, &text);
  assert_true(hone__sim_object_read(text.data, text.length, &object));
  assert_int_equal(object.outcome, HONE_OUTCOME_OK);
  assert_int_equal(object.sample_count, 2);
  for (uint64_t i = 0; i < 20; i++) {
    double ns = hone__sim_sample_ns(&object, 0, 1, i);
    assert_true(ns == 2e6 || ns == 3e6);
    assert_true(ns == hone__sim_sample_ns(&object, 0, 1, i));
  }
  hone__sim_object_release(&object);
  for (size_t cut = 0; cut < text.length; cut++) {
    assert_false(hone__sim_object_read(text.data, cut, &object));
    hone__sim_object_release(&object);
  }
  assert_false(hone__sim_object_read(NULL, 0, &object));
  hone__sim_object_release(&object);
  hone__text_release(&text);
}

static void test_noise(void **state)
{
  struct hone__sim_object object = {.time_ms = 1, .key = 7}, other = {.time_ms = 1, .key = 8};
  double sum = 0, squares = 0;
  int differ = 0;

  (void)state;
  assert_true(hone__sim_sample_ns(&object, 0, 1, 5) == 1e6);
  for (uint64_t i = 0; i < 4000; i++) {
    double log_time = log(hone__sim_sample_ns(&object, 0.1, 1, i) / 1e6);
    sum += log_time;
    squares += log_time * log_time;
    differ += hone__sim_sample_ns(&object, 0.1, 1, i) != hone__sim_sample_ns(&other, 0.1, 1, i) &&
              hone__sim_sample_ns(&object, 0.1, 1, i) != hone__sim_sample_ns(&object, 0.1, 2, i);
  }
  assert_true(fabs(sum / 4000) < 0.01);
  assert_true(fabs(sqrt(squares / 4000) - 0.1) < 0.01);
  assert_true(differ > 3990);
}

/* ---- Building ---- */

static json_t *describe(const struct world *world)
{
  struct hone__message setup;

  assert_null(hone__backend_sim.driver.describe(&world->task, &setup));
  return hone__packed_json(setup.head);
}

static json_t *candidate_of(const struct world *world, const char *config)
{
  uint32_t row[8];
  struct hone__packed *candidate;

  assert_null(hone_space_parse(world->space, config, row));
  assert_null(hone__backend_sim.driver.candidate(&world->task, row, &candidate));
  return hone__packed_json(candidate);
}

/* Takes the candidate over. */
static void build(const json_t *setup, json_t *candidate, struct hone__answer *answer)
{
  json_t *job =
      json_pack("{s:s, s:f, s:o}", "op", "build", "timeout_s", 5.0, "candidate", candidate);

  *answer = (struct hone__answer){0};
  hone__backend_sim.worker.build(hone__wire_json_packed(setup), hone__wire_json_packed(job),
                                 answer);
  json_decref(job);
}

static void release(struct hone__answer *answer)
{
  hone__text_release(&answer->evidence);
  hone__text_release(&answer->payload);
  hone__packed_drop(answer->head);
}

static void test_build(void **state)
{
  struct world world;
  struct hone__answer answer;
  json_t *setup, *candidate;

  (void)state;
  load(&world, tiny);
  setup = describe(&world);
  build(setup, candidate_of(&world, "A=4,B=20,MODE=fast"), &answer);
  assert_int_equal(answer.outcome, HONE_OUTCOME_OK);
  assert_non_null(json_object_get(hone__packed_json(answer.head), "object"));
  assert_true(fabs(json_number_value(json_object_get(hone__packed_json(answer.head), "compile_s")) -
                   0.407) < 1e-6);
  release(&answer);
  build(setup, candidate_of(&world, "A=2,B=30,MODE=safe"), &answer);
  assert_int_equal(answer.outcome, HONE_OUTCOME_COMPILE_ERROR);
  release(&answer);
  candidate = candidate_of(&world, "A=4,B=20,MODE=fast");
  json_object_set_new(candidate, "config", json_string("A=16,B=20,MODE=fast"));
  build(setup, candidate, &answer);
  assert_int_equal(answer.outcome, HONE_OUTCOME_INVALID);
  assert_non_null(strstr(answer.evidence.data, "it was not recorded"));
  release(&answer);
  candidate = candidate_of(&world, "A=4,B=20,MODE=fast");
  json_object_set_new(candidate, "fault", json_string("earthquake"));
  build(setup, candidate, &answer);
  assert_int_equal(answer.outcome, HONE_OUTCOME_PROTOCOL);
  release(&answer);
  json_decref(setup);
  unload(&world);
}

/* A message that lacks something is refused, and what it lacks is named. */
static void test_messages_that_lack_a_field(void **state)
{
  struct world world;
  struct hone__answer answer;
  json_t *setup, *candidate, *facts = json_object();
  void *bench;
  hone_status status;

  (void)state;
  load(&world, tiny);
  setup = describe(&world);
  candidate = candidate_of(&world, "A=4,B=20,MODE=fast");
  json_object_del(candidate, "config");
  build(setup, candidate, &answer);
  assert_int_equal(answer.outcome, HONE_OUTCOME_PROTOCOL);
  assert_string_equal(answer.evidence.data, "candidate of a recording: 'config' is missing");
  release(&answer);
  json_object_set_new(setup, "drift", json_pack("[{s:f}]", "from", 1.0));
  status = hone__backend_sim.worker.prepare(NULL, hone__wire_json_packed(setup), NULL, 0,
                                            hone__wire_json_packed(facts), &bench);
  assert_string_equal(hone_status_message(status), "setup of a recording: 'factor' is missing");
  assert_null(bench);
  hone_status_free(status);
  json_decref(facts);
  json_decref(setup);
  unload(&world);
}

/* A file that is not the one that the driver saw. */
static void test_changed_recording(void **state)
{
  struct world world;
  struct hone__answer answer;
  json_t *setup, *candidate;

  (void)state;
  load(&world, tiny);
  setup = describe(&world);
  candidate = candidate_of(&world, "A=4,B=20,MODE=fast");
  json_object_set_new(candidate, "digest", json_string("0123"));
  build(setup, candidate, &answer);
  assert_int_equal(answer.outcome, HONE_OUTCOME_NOT_BUILT);
  assert_non_null(strstr(answer.evidence.data, "changed, or"));
  release(&answer);
  json_object_set_new(setup, "recording", json_string("/nowhere.json"));
  build(setup, candidate_of(&world, "A=4,B=20,MODE=fast"), &answer);
  assert_int_equal(answer.outcome, HONE_OUTCOME_NOT_BUILT);
  release(&answer);
  json_decref(setup);
  unload(&world);
}

static void test_keys(void **state)
{
  struct world one, other;
  json_t *a, *b;

  (void)state;
  load(&one, tiny);
  load_text(&other, "sim: {faults: [{when: A == 4 and MODE == 'fast', outcome: crash}]}\n");
  a = candidate_of(&one, "A=2,B=20,MODE=fast");
  b = candidate_of(&other, "A=2,B=20,MODE=fast");
  assert_true(json_equal(a, b));
  json_decref(a);
  json_decref(b);
  a = candidate_of(&one, "A=4,B=20,MODE=fast");
  b = candidate_of(&other, "A=4,B=20,MODE=fast");
  assert_string_equal(json_string_value(json_object_get(b, "fault")), "crash");
  assert_false(json_equal(json_object_get(a, "key"), json_object_get(b, "key")));
  json_decref(a);
  json_decref(b);
  unload(&one);
  unload(&other);
}

/* The spec takes every word of the table of faults. */
static void test_fault_names(void **state)
{
  const struct hone__sim_fault *fault;

  (void)state;
  for (size_t i = 0; (fault = hone__sim_fault_at(i)); i++) {
    struct world world;
    char text[128];
    assert_ptr_equal(hone__sim_fault_find(fault->name), fault);
    snprintf(text, sizeof text, "sim: {faults: [{when: A == 4, outcome: %s}]}\n", fault->name);
    load_text(&world, text);
    unload(&world);
  }
  assert_null(hone__sim_fault_find("crush"));
}

/* ---- Running ---- */

struct bench {
  struct world world;
  json_t *setup, *facts, *candidates;
  void *bench;
  struct hone__text objects;
  struct hone__answer answer;
};

static void open_bench(struct bench *bench, const char *spec)
{
  *bench = (struct bench){.facts = json_object(), .candidates = json_array()};
  load_text(&bench->world, spec);
  bench->setup = describe(&bench->world);
  assert_null(hone__backend_sim.worker.prepare(NULL, hone__wire_json_packed(bench->setup), NULL, 0,
                                               hone__wire_json_packed(bench->facts),
                                               &bench->bench));
}

static void add(struct bench *bench, const char *config)
{
  json_t *candidate = candidate_of(&bench->world, config);
  struct hone__answer answer;

  build(bench->setup, json_incref(candidate), &answer);
  assert_int_equal(answer.outcome, HONE_OUTCOME_OK);
  json_array_append_new(bench->candidates, json_pack("{s:o, s:I, s:I}", "candidate", candidate,
                                                     "offset", (json_int_t)bench->objects.length,
                                                     "size", (json_int_t)answer.payload.length));
  hone__text_addn(&bench->objects, answer.payload.data, answer.payload.length);
  release(&answer);
}

static void run_job(struct bench *bench, json_t *job)
{
  json_object_set(job, "candidates", bench->candidates);
  json_object_set_new(job, "timeout_s", json_real(20));
  bench->answer = (struct hone__answer){0};
  hone__backend_sim.worker.run(bench->bench, hone__wire_json_packed(job), bench->objects.data,
                               bench->objects.length, &bench->answer);
  json_decref(job);
}

static const char *class_of(const struct bench *bench, size_t index)
{
  const json_t *results = json_object_get(hone__packed_json(bench->answer.head), "results");

  return json_string_value(json_object_get(json_array_get(results, index), "class"));
}

static void close_bench(struct bench *bench)
{
  release(&bench->answer);
  hone__backend_sim.worker.release(bench->bench);
  hone__text_release(&bench->objects);
  json_decref(bench->candidates);
  json_decref(bench->facts);
  json_decref(bench->setup);
  unload(&bench->world);
}

static void test_screen(void **state)
{
  struct bench bench;
  const double *times;

  (void)state;
  open_bench(&bench, "");
  add(&bench, "A=2,B=10,MODE=safe");
  run_job(&bench, json_pack("{s:s, s:i}", "mode", "screen", "samples", 3));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_OK);
  assert_int_equal(bench.answer.payload.length, 3 * sizeof *times);
  times = (const double *)(const void *)bench.answer.payload.data;
  assert_true(times[0] == 2e6 && times[2] == 2e6);
  assert_non_null(strstr(json_string_value(json_object_get(bench.facts, "name")),
                         "tiny on a GPU that never was"));
  release(&bench.answer);
  run_job(&bench, json_pack("{s:s, s:i, s:f}", "mode", "screen", "samples", 3, "cap_ns", 1.5e6));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_SLOW);
  assert_int_equal(bench.answer.payload.length, sizeof *times);
  close_bench(&bench);
}

static void test_rows(void **state)
{
  struct bench bench;
  const double *times;

  (void)state;
  open_bench(&bench, "");
  add(&bench, "A=2,B=10,MODE=safe");
  add(&bench, "A=8,B=20,MODE=safe"); /* its answer was wrong */
  add(&bench, "A=4,B=20,MODE=fast");
  run_job(&bench, json_pack("{s:s, s:i, s:i}", "mode", "rows", "rows", 5, "seed", 3));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_WRONG_RESULT);
  assert_string_equal(class_of(&bench, 0), "ok");
  assert_string_equal(class_of(&bench, 1), "wrong_result");
  assert_string_equal(class_of(&bench, 2), "ok");
  assert_int_equal(
      json_integer_value(json_object_get(hone__packed_json(bench.answer.head), "rows")), 5);
  assert_int_equal(bench.answer.payload.length, 15 * sizeof *times);
  times = (const double *)(const void *)bench.answer.payload.data;
  for (size_t i = 0; i < 5; i++) {
    assert_true(times[3 * i] == 2e6);
    assert_true(isnan(times[3 * i + 1]));
    assert_true(times[3 * i + 2] > 0.99e6 && times[3 * i + 2] < 1.01e6);
  }
  close_bench(&bench);
}

/* ---- Seconds ---- */

static bool is_recorded(const struct hone__answer *answer, double seconds)
{
  return answer->is_recorded && fabs(answer->recorded_s - seconds) < 1e-9;
}

static void test_recorded_seconds(void **state)
{
  struct bench bench;
  struct hone__answer answer;

  (void)state;
  open_bench(&bench, "");
  assert_true(hone__backend_sim.driver.is_recorded(&bench.world.task));
  add(&bench, "A=1,B=10,MODE=safe");
  build(bench.setup, candidate_of(&bench.world, "A=1,B=10,MODE=safe"), &answer);
  assert_true(is_recorded(&answer, 0.11));
  release(&answer);
  build(bench.setup, candidate_of(&bench.world, "A=2,B=30,MODE=safe"), &answer);
  assert_int_equal(answer.outcome, HONE_OUTCOME_COMPILE_ERROR);
  assert_true(answer.is_recorded && answer.recorded_s > 0.1);
  release(&answer);
  run_job(&bench, json_pack("{s:s, s:i}", "mode", "screen", "samples", 3));
  assert_true(is_recorded(&bench.answer, 4 * 2.5e-3)); /* with the first call */
  close_bench(&bench);
}

/* A row takes 2.5 ms, and so does the first call: the sixth call ends after the budget. */
static void test_budget_of_recorded_seconds(void **state)
{
  struct bench bench;

  (void)state;
  open_bench(&bench, "");
  add(&bench, "A=1,B=10,MODE=safe");
  run_job(&bench, json_pack("{s:s, s:i, s:f}", "mode", "rows", "rows", 1000, "budget_s", 14.9e-3));
  assert_int_equal(
      json_integer_value(json_object_get(hone__packed_json(bench.answer.head), "rows")), 5);
  assert_true(is_recorded(&bench.answer, 6 * 2.5e-3));
  close_bench(&bench);
}

static void test_real_seconds(void **state)
{
  struct bench bench;
  struct hone__answer answer;

  (void)state;
  open_bench(&bench, "sim: {pace: 0.001}\n");
  assert_false(hone__backend_sim.driver.is_recorded(&bench.world.task));
  build(bench.setup, candidate_of(&bench.world, "A=1,B=10,MODE=safe"), &answer);
  assert_false(answer.is_recorded);
  release(&answer);
  close_bench(&bench);
  open_bench(&bench, "sim: {faults: [{when: A == 1, outcome: crash}]}\n");
  add(&bench, "A=1,B=10,MODE=safe");
  run_job(&bench, json_pack("{s:s, s:i}", "mode", "screen", "samples", 3));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_CRASH);
  assert_false(bench.answer.is_recorded);
  close_bench(&bench);
}

static void test_death_among_others(void **state)
{
  struct bench bench;

  (void)state;
  open_bench(&bench, "sim: {faults: [{when: A == 4, outcome: crash}]}\n");
  add(&bench, "A=2,B=10,MODE=safe");
  add(&bench, "A=4,B=20,MODE=fast");
  run_job(&bench, json_pack("{s:s, s:i}", "mode", "rows", "rows", 5));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_CRASH);
  assert_string_equal(class_of(&bench, 0), "interrupted");
  assert_string_equal(class_of(&bench, 1), "crash");
  assert_int_equal(bench.answer.payload.length, 0);
  close_bench(&bench);
}

static void test_hang(void **state)
{
  struct bench bench;

  (void)state;
  open_bench(&bench, "sim: {faults: [{when: A == 4, outcome: hang}]}\n");
  add(&bench, "A=4,B=20,MODE=fast");
  run_job(&bench,
          json_pack("{s:s, s:i, s:f}", "mode", "screen", "samples", 3, "call_timeout_s", 0.2));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_HANG);
  assert_non_null(strstr(bench.answer.evidence.data, "0.2 s"));
  close_bench(&bench);
}

static void test_unchecked(void **state)
{
  struct bench bench;

  (void)state;
  open_bench(&bench, "sim: {faults: [{when: A == 4, outcome: wrong_result}]}\n");
  add(&bench, "A=4,B=20,MODE=fast");
  run_job(&bench, json_pack("{s:s, s:i}", "mode", "screen", "samples", 3));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_WRONG_RESULT);
  release(&bench.answer);
  run_job(&bench, json_pack("{s:s, s:i, s:b}", "mode", "screen", "samples", 3, "check", 0));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_OK);
  close_bench(&bench);
}

/* A fault from the race on: nobody notices before. */
static void test_late_fault(void **state)
{
  static const struct {
    const char *phase;
    enum hone_outcome outcome;
  } rows[] = {{"", HONE_OUTCOME_OK},
              {"baseline", HONE_OUTCOME_OK},
              {"screen", HONE_OUTCOME_OK},
              {"check", HONE_OUTCOME_OK},
              {"race", HONE_OUTCOME_WRONG_RESULT},
              {"confirm", HONE_OUTCOME_WRONG_RESULT}};
  struct bench bench;

  (void)state;
  open_bench(&bench, "sim: {faults: [{when: A == 4, outcome: wrong_result, from: race}]}\n");
  add(&bench, "A=4,B=20,MODE=fast");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    run_job(&bench,
            json_pack("{s:s, s:i, s:s}", "mode", "screen", "samples", 3, "phase", rows[i].phase));
    assert_int_equal(bench.answer.outcome, rows[i].outcome);
    release(&bench.answer);
  }
  bench.answer = (struct hone__answer){0};
  close_bench(&bench);
}

static void test_drift(void **state)
{
  static const double factors[] = {1, 1, 1, 1.5, 1.5, 0.5, 0.5};
  struct bench bench;

  (void)state;
  open_bench(&bench, "sim: {drift: [{from: 3, factor: 1.5}, {from: 5, factor: 0.5}]}\n");
  add(&bench, "A=2,B=10,MODE=safe");
  for (int i = 0; i < (int)(sizeof factors / sizeof *factors); i++) {
    run_job(&bench, json_pack("{s:s, s:i, s:i}", "mode", "screen", "samples", 1, "number", i));
    assert_int_equal(bench.answer.outcome, HONE_OUTCOME_OK);
    assert_true(*(const double *)(const void *)bench.answer.payload.data == 2e6 * factors[i]);
    release(&bench.answer);
  }
  bench.answer = (struct hone__answer){0};
  close_bench(&bench);
}

static void test_bad_jobs(void **state)
{
  struct bench bench;

  (void)state;
  open_bench(&bench, "");
  run_job(&bench, json_pack("{s:s}", "mode", "screen"));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_PROTOCOL);
  release(&bench.answer);
  add(&bench, "A=4,B=20,MODE=fast");
  bench.objects.data[0] = '?';
  run_job(&bench, json_pack("{s:s, s:i}", "mode", "screen", "samples", 3));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_PROTOCOL);
  release(&bench.answer);
  bench.objects.length /= 2;
  run_job(&bench, json_pack("{s:s, s:i}", "mode", "screen", "samples", 3));
  assert_int_equal(bench.answer.outcome, HONE_OUTCOME_PROTOCOL);
  close_bench(&bench);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_space),
      cmocka_unit_test(test_constraints_and_more_parameters),
      cmocka_unit_test(test_faulting_constraint),
      cmocka_unit_test(test_object),
      cmocka_unit_test(test_noise),
      cmocka_unit_test(test_build),
      cmocka_unit_test(test_messages_that_lack_a_field),
      cmocka_unit_test(test_changed_recording),
      cmocka_unit_test(test_keys),
      cmocka_unit_test(test_fault_names),
      cmocka_unit_test(test_screen),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_recorded_seconds),
      cmocka_unit_test(test_budget_of_recorded_seconds),
      cmocka_unit_test(test_real_seconds),
      cmocka_unit_test(test_death_among_others),
      cmocka_unit_test(test_hang),
      cmocka_unit_test(test_unchecked),
      cmocka_unit_test(test_late_fault),
      cmocka_unit_test(test_drift),
      cmocka_unit_test(test_bad_jobs),
  };

  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
