/* What the process of candidates does: loads, calls, watches and times kernels. Real kernels run in
 * this process, so that what the sampler reports of each can be read here. */
#include "made_bench.h"

#include "backend/kernel/sampler.h"
#include "backend/kernel/verdict.h"
#include "base/file.h"

#include <math.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

/* Each does 2 x, but for its fault. */
static const char kernels[] =
    "#include <time.h>\n"
    "enum { N = 64 };\n"
    "static void twice(const float *x, float *y) { for (int i = 0; i < N; i++) y[i] = 2 * x[i]; }\n"
    "void good(const float *x, float *y) { twice(x, y); }\n"
    "void also_good(const float *x, float *y) { twice(x, y); }\n"
    "void wrong(const float *x, float *y) { twice(x, y); y[5] += 1; }\n"
    "void wrong_later(const float *x, float *y) {\n"
    "  static int calls; twice(x, y); if (++calls > 6) y[5] += 1; }\n"
    "void idle_later(const float *x, float *y) { static int calls; if (++calls < 6) twice(x, y); "
    "}\n"
    "void past_the_end(const float *x, float *y) { twice(x, y); y[N] = 1; }\n"
    "void before_the_start(const float *x, float *y) { twice(x, y); y[-1] = 1; }\n"
    "void writes_input(float *x, float *y) { twice(x, y); x[3] = 9; }\n"
    "void slow(const float *x, float *y) {\n"
    "  struct timespec from, now; clock_gettime(CLOCK_MONOTONIC, &from);\n"
    "  do clock_gettime(CLOCK_MONOTONIC, &now);\n"
    "  while ((now.tv_sec - from.tv_sec) * 1000000000L + now.tv_nsec - from.tv_nsec < 4000000);\n"
    "  twice(x, y); }\n"
    "void short_one(const float *x, float *y) {\n"
    "  for (volatile int i = 0; i < 1000; i++) {} twice(x, y); }\n";

static char *object;
static size_t object_size;
static struct hone__engine here; /* as C's, but it executes in this process */

static void execute_here(struct hone__trial *trial)
{
  hone__spots_init(&trial->spots, &trial->bench->buffers, trial->plan.seed);
  hone__sampler_run(trial);
  trial->end = (struct hone__child_result){.end = HONE__CHILD_EXITED};
}

static int begin(void **state)
{
  const char *argv[] = {"cc", "-shared", "-fPIC", "-O1", "-o", NULL, NULL, NULL};
  pid_t pid;
  int status;

  if (make_folder(state)) return -1;
  write_text("k.c", kernels);
  argv[5] = path_of("k.so");
  argv[6] = path_of("k.c");
  if (posix_spawnp(&pid, "cc", NULL, NULL, (char *const *)(uintptr_t)argv, environ)) return -1;
  if (waitpid(pid, &status, 0) != pid || status) return -1;
  here = hone__engine_c;
  here.execute = execute_here;
  return hone__file_read(path_of("k.so"), 1 << 24, &object, &object_size) ? -1 : 0;
}

/* ---- Trials ---- */

/* The loader knows an object by the number of its file: none is closed before the end. */
static struct made {
  struct hone__trial trial;
  struct hone__bench *bench;
  json_t *messages[4];
  size_t count;
} all[32];
static size_t all_count;

static int end(void **state)
{
  for (size_t i = 0; i < all_count; i++) {
    hone__trial_release(&all[i].trial);
    for (size_t k = 0; k < all[i].count; k++)
      json_decref(all[i].messages[k]);
    hone__bench_free(all[i].bench);
  }
  free(object);
  return remove_folder(state);
}

static const struct hone__trial_plan screening = {.mode = HONE__TRIAL_SCREEN,
                                                  .check = true,
                                                  .checking = HONE__CHECK_SAMPLED,
                                                  .samples = 5,
                                                  .warmup = 1,
                                                  .min_sample_ns = 1,
                                                  .seed = 3};

/* Tries these entries together; the second may be NULL. */
static struct hone__trial *run(struct hone__trial_plan plan, const char *first, const char *second)
{
  const char *const entries[] = {first, second};
  struct made *made = &all[all_count++];

  assert_true(all_count < sizeof all / sizeof *all);
  made->bench = make_bench(&here, IN_X "," OUT_Y,
                           ", \"arguments_s\": 30, "
                           "\"reference\": {\"kind\": \"command\", \"argv\": [\"true\"]}, "
                           "\"check\": {\"enabled\": true, \"rtol\": 1e-6}");
  for (size_t c = 0; c < made->bench->contents; c++) { /* as its reference would answer */
    made->bench->expected[c] = hone__alloc(made->bench->buffers.snapshot_bytes);
    for (size_t i = 0; i < ELEMENTS; i++)
      floats_at(made->bench, made->bench->expected[c], 1)[i] = 2 * input_of(made->bench, c, 0)[i];
  }
  made->trial = (struct hone__trial){.bench = made->bench, .engine = &here, .plan = plan};
  for (size_t i = 0; i < 2 && entries[i]; i++) {
    hone_status status;
    made->messages[i] = json_pack("{s:s, s:[]}", "entry", entries[i], "values");
    made->count++;
    status = hone__trial_add(&made->trial, hone__wire_json_packed(made->messages[i]), object,
                             object_size);
    if (status) fail_msg("%s", hone_status_message(status));
  }
  assert_null(hone__trial_run(&made->trial));
  assert_true(hone__trial_complete(&made->trial));
  return &made->trial;
}

static void expect_verdict(const struct hone__trial *trial, size_t index, enum hone_outcome outcome,
                           const char *part)
{
  struct hone__trial_verdict verdict = {0};

  hone__kernel_verdict_of_record(trial, index, &verdict);
  if (verdict.outcome != outcome || !strstr(verdict.evidence.data, part))
    fail_msg("%s: %s", hone_outcome_name(verdict.outcome), verdict.evidence.data);
  hone__text_release(&verdict.evidence);
}

static void a_right_kernel_gets_its_samples(void **state)
{
  const struct hone__trial *trial = run(screening, "good", NULL);
  const struct hone__kernel_record *record = hone__trial_record(trial, 0);

  (void)state;
  expect_verdict(trial, 0, HONE_OUTCOME_OK, "");
  assert_int_equal(record->samples, 5);
  for (size_t i = 0; i < 5; i++)
    assert_true(trial->times[i] > 0);
  assert_true(record->cold_ns > 0 && record->calls > 5);
  assert_true(record->has_first[0] && record->has_first[1] && record->has_last);
  assert_true(record->compared > 0 && record->compared_whole > 0);
  assert_int_equal(record->changed, 0);
  assert_int_equal(trial->report->stage, HONE__TRIAL_ENDED);
}

/* ---- Large arguments ---- */

static bool arrange_slowly(struct hone__trial *trial, size_t index, uint64_t repeats,
                           enum hone__extent extent)
{
  nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
  return hone__engine_c.arrange(trial, index, repeats, extent);
}

/* Otherwise this process is killed. */
static void preparing_arguments_is_not_a_call(void **state)
{
  struct hone__trial_plan plan = screening;

  (void)state;
  plan.call_timeout_s = 0.04;
  plan.samples = 2;
  here.arrange = arrange_slowly;
  expect_verdict(run(plan, "good", NULL), 0, HONE_OUTCOME_OK, "");
  here.arrange = hone__engine_c.arrange;
}

/* ---- Answers that are known ---- */

static uint32_t claim;

static bool recognise_all(struct hone__trial *trial, size_t index, size_t set)
{
  if (index) hone__trial_record(trial, index)->first_like[set] = claim;
  return true;
}

/* Only an engine can say so, and only of an earlier candidate. */
static void an_answer_may_be_that_of_another(void **state)
{
  const struct hone__trial *trial;

  (void)state;
  claim = 1;
  here.recognise = recognise_all;
  trial = run(screening, "good", "good");
  assert_ptr_equal(hone__trial_first(trial, 1, 0), hone__trial_snapshot(trial, 0, 0));
  assert_ptr_equal(hone__trial_first(trial, 0, 1), hone__trial_snapshot(trial, 0, 1));
  hone__trial_record(trial, 1)->first_like[0] = HONE__TRIAL_KNOWN;
  assert_null(hone__trial_first(trial, 1, 0));
  hone__trial_record(trial, 1)->first_like[0] = 2; /* itself */
  assert_ptr_equal(hone__trial_first(trial, 1, 0), hone__trial_snapshot(trial, 1, 0));
  hone__trial_record(trial, 1)->first_like[0] = HONE__TRIAL_KNOWN;
  here.recognise = NULL;
  assert_ptr_equal(hone__trial_first(trial, 1, 0), hone__trial_snapshot(trial, 1, 0));
}

static void every_call_can_be_compared(void **state)
{
  struct hone__trial_plan plan = screening;
  const struct hone__trial *trial;

  (void)state;
  plan.checking = HONE__CHECK_EVERY;
  trial = run(plan, "good", NULL);
  assert_int_equal(hone__trial_record(trial, 0)->compared,
                   hone__trial_record(trial, 0)->compared_whole);
  plan.checking = HONE__CHECK_FIRST;
  trial = run(plan, "good", NULL);
  assert_int_equal(hone__trial_record(trial, 0)->compared, 0);
  plan.check = false;
  trial = run(plan, "wrong", NULL); /* nobody looks */
  expect_verdict(trial, 0, HONE_OUTCOME_OK, "");
}

/* First answers are copied: the runner compares them. Later ones are compared here. */
static void wrong_answers_are_found_later_too(void **state)
{
  const struct hone__trial *trial = run(screening, "wrong_later", NULL);

  (void)state;
  expect_verdict(trial, 0, HONE_OUTCOME_NONDETERMINISTIC, "correct at first, wrong after ");
  assert_int_equal(hone__trial_record(trial, 0)->fault, HONE__TRIAL_WRONG);
  assert_true(hone__trial_record(trial, 0)->has_last);
}

/* What is left of an old answer is poisoned before a sample. */
static void an_old_answer_does_not_pass_for_a_new_one(void **state)
{
  const struct hone__trial *trial = run(screening, "idle_later", NULL);

  (void)state;
  assert_int_equal(hone__trial_record(trial, 0)->fault, HONE__TRIAL_WRONG);
  expect_verdict(trial, 0, HONE_OUTCOME_NONDETERMINISTIC, "correct at first");
}

static void writes_beside_an_output_are_found(void **state)
{
  (void)state;
  expect_verdict(run(screening, "past_the_end", NULL), 0, HONE_OUTCOME_WRONG_RESULT,
                 "wrote past the end of 'y' (first changed byte at +");
  expect_verdict(run(screening, "before_the_start", NULL), 0, HONE_OUTCOME_WRONG_RESULT,
                 "wrote before the start of 'y' (first changed byte at -");
}

static void a_written_input_is_noted(void **state)
{
  const struct hone__trial *trial = run(screening, "writes_input", NULL);

  (void)state;
  assert_int_equal(hone__trial_record(trial, 0)->changed, 1);
}

static void a_missing_function_is_an_outcome(void **state)
{
  const struct hone__trial *trial = run(screening, "missing", "good");

  (void)state;
  assert_int_equal(hone__trial_record(trial, 0)->fault, HONE__TRIAL_FAILED);
  expect_verdict(trial, 0, hone__trial_record(trial, 0)->outcome, "missing");
  assert_int_equal(hone__trial_record(trial, 0)->calls, 0);
  expect_verdict(trial, 1, HONE_OUTCOME_OK, ""); /* the other one goes on */
}

/* A cap ends a screening; one that is fast is not stopped by it. */
static void slow_kernels_are_cut_off(void **state)
{
  struct hone__trial_plan plan = screening;
  const struct hone__trial *trial;

  (void)state;
  plan.cap_ns = 100;
  plan.samples = 50;
  trial = run(plan, "slow", NULL);
  expect_verdict(trial, 0, HONE_OUTCOME_SLOW, "above the cap of 0.100 us");
  assert_int_equal(hone__trial_record(trial, 0)->samples, 1);
  assert_int_equal(hone__trial_record(trial, 0)->calls, 2); /* both are above it: that is enough */
  plan.cap_ns = 1;
  trial = run(plan, "short_one", NULL); /* its first calls are cold: they do not tell */
  expect_verdict(trial, 0, HONE_OUTCOME_SLOW, "above the cap");
  assert_true(hone__trial_record(trial, 0)->calls > 2);
  plan.cap_ns = 1e12;
  plan.samples = 3;
  expect_verdict(run(plan, "good", NULL), 0, HONE_OUTCOME_OK, "");
}

static void rows_have_a_time_of_each(void **state)
{
  struct hone__trial_plan plan = screening;
  const struct hone__trial *trial;

  (void)state;
  plan.mode = HONE__TRIAL_ROWS;
  plan.samples = 0;
  plan.rows = 4;
  plan.late_check = true;
  trial = run(plan, "good", "also_good");
  assert_int_equal(trial->report->rows, 4);
  for (size_t i = 0; i < 8; i++)
    assert_true(trial->times[i] > 0);
  for (size_t i = 0; i < 2; i++) {
    expect_verdict(trial, i, HONE_OUTCOME_OK, "");
    assert_int_equal(hone__trial_record(trial, i)->samples, 4);
    assert_true(hone__trial_record(trial, i)->has_last);
  }
}

/* The baseline of a row was checked when the device was set up. */
static void who_is_known_is_called_less(void **state)
{
  struct hone__trial_plan plan = screening;
  const struct hone__trial *trial;
  uint64_t calls, others;

  (void)state;
  plan.mode = HONE__TRIAL_ROWS;
  plan.samples = 0;
  plan.rows = 4;
  plan.late_check = true;
  trial = run(plan, "good", "also_good");
  calls = hone__trial_record(trial, 0)->calls;
  others = hone__trial_record(trial, 1)->calls;
  plan.first_is_known = true;
  trial = run(plan, "good", "also_good");
  assert_true(hone__trial_record(trial, 0)->calls < calls);
  assert_int_equal(hone__trial_record(trial, 1)->calls, others);
  assert_int_equal(trial->report->rows, 4);
  assert_false(hone__trial_record(trial, 0)->has_last);
  expect_verdict(trial, 0, HONE_OUTCOME_OK, "");
  plan.rows = 12;
  plan.checking = HONE__CHECK_EVERY;
  expect_verdict(run(plan, "wrong_later", "good"), 0, HONE_OUTCOME_NONDETERMINISTIC, "");
}

/* ---- Calls that check and time ---- */

static double given_ns; /* what calls take, by their own account; grows if `growth` is above 1 */
static double growth;

static bool call_in_given_time(struct hone__trial *trial, size_t index, size_t place,
                               double *out_ns)
{
  bool called = hone__engine_c.call(trial, index, place, out_ns);

  *out_ns = given_ns *= growth;
  return called;
}

static bool sample_in_given_time(struct hone__trial *trial, size_t index, uint64_t repeats,
                                 double *out_ns)
{
  bool called = hone__engine_c.sample(trial, index, repeats, out_ns);

  *out_ns = given_ns *= growth;
  return called;
}

static uint64_t calls_for_samples(bool calls_are_samples, double call_ns, double times)
{
  struct hone__trial_plan plan = screening;
  const struct hone__trial *trial;

  plan.warmup = -1;
  given_ns = call_ns;
  growth = times;
  here.calls_are_samples = calls_are_samples;
  here.call = call_in_given_time;
  here.sample = sample_in_given_time;
  trial = run(plan, "good", NULL);
  here = hone__engine_c;
  here.execute = execute_here;
  expect_verdict(trial, 0, HONE_OUTCOME_OK, "");
  assert_int_equal(hone__trial_record(trial, 0)->samples, 5);
  return hone__trial_record(trial, 0)->calls;
}

/* One call with each content and two that check it: they are samples, if they agree. The cold one
 * would be one of many more. */
static void checking_calls_are_samples(void **state)
{
  (void)state;
  assert_int_equal(calls_for_samples(true, 2e6, 1), 2 + 2 + 2);
  assert_int_equal(calls_for_samples(false, 2e6, 1), 2 + 2 + 1 + 4);
  assert_int_equal(calls_for_samples(true, 2e6, 1.5), 2 + 2 + 3 + 5); /* never settled */
}

/* Its place in later rows stays empty, and the others go on. */
static void who_fails_in_a_row_drops_out(void **state)
{
  struct hone__trial_plan plan = screening;
  const struct hone__trial *trial;

  (void)state;
  plan.mode = HONE__TRIAL_ROWS;
  plan.samples = 0;
  plan.rows = 12;
  plan.checking = HONE__CHECK_EVERY;
  trial = run(plan, "wrong_later", "good");
  expect_verdict(trial, 0, HONE_OUTCOME_NONDETERMINISTIC, "");
  expect_verdict(trial, 1, HONE_OUTCOME_OK, "");
  assert_true(isnan(trial->times[2 * 11]));
  assert_true(trial->times[2 * 11 + 1] > 0);
}

static void a_budget_ends_the_rows(void **state)
{
  struct hone__trial_plan plan = screening;
  const struct hone__trial *trial;

  (void)state;
  plan.mode = HONE__TRIAL_ROWS;
  plan.samples = 0;
  plan.rows = 100000;
  plan.budget_s = 1e-6;
  trial = run(plan, "good", NULL);
  assert_int_equal(trial->report->rows, 1);
}

/* ---- The report ---- */

/* A candidate may write anywhere: what cannot be is not believed. */
static void a_changed_report_is_not_complete(void **state)
{
  struct hone__trial *trial = run(screening, "good", NULL);
  struct hone__trial_report *report = trial->report;
  struct hone__kernel_record *record = hone__trial_record(trial, 0), saved = *record;

  (void)state;
  trial->times[1] += 1;
  assert_false(hone__trial_complete(trial));
  trial->times[1] = NAN; /* even with the right checksum */
  report->checksum = hone__trial_checksum(trial);
  assert_false(hone__trial_complete(trial));
  trial->times[1] = 5;
  record->samples = 6;
  report->checksum = hone__trial_checksum(trial);
  assert_false(hone__trial_complete(trial));
  *record = saved;
  memset(record->message, 'x', sizeof record->message);
  report->checksum = hone__trial_checksum(trial);
  assert_false(hone__trial_complete(trial));
  *record = saved;
  report->checksum = hone__trial_checksum(trial);
  assert_true(hone__trial_complete(trial));
  trial->end.code = 1;
  assert_false(hone__trial_complete(trial));
  trial->end.code = 0;
}

static void too_many_samples_are_refused(void **state)
{
  struct hone__bench *bench = make_bench(&here, OUT_Y, "");
  struct hone__trial trial = {.bench = bench, .engine = &here, .plan = {.samples = SIZE_MAX / 16}};
  json_t *message = json_pack("{s:s, s:[]}", "entry", "good", "values");
  hone_status status;

  (void)state;
  assert_null(hone__trial_add(&trial, hone__wire_json_packed(message), object, object_size));
  status = hone__trial_run(&trial);
  assert_int_equal(hone_status_code(status), HONE_EXHAUSTED);
  hone_status_free(status);
  hone__trial_release(&trial);
  hone__bench_free(bench);
  json_decref(message);
}

static void a_candidate_needs_an_entry(void **state)
{
  struct hone__bench *bench = make_bench(&here, OUT_Y, "");
  struct hone__trial trial = {.bench = bench, .engine = &here};
  json_t *without = json_pack("{s:[]}", "values"), *wrong = json_pack("{s:i}", "entry", 7);
  hone_status status =
      hone__trial_add(&trial, hone__wire_json_packed(without), object, object_size);

  (void)state;
  assert_int_equal(hone_status_code(status), HONE_INVALID_SPEC);
  hone_status_free(status);
  status = hone__trial_add(&trial, hone__wire_json_packed(wrong), object, object_size);
  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  hone_status_free(status);
  hone__trial_release(&trial);
  hone__bench_free(bench);
  json_decref(without);
  json_decref(wrong);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_right_kernel_gets_its_samples),
      cmocka_unit_test(preparing_arguments_is_not_a_call),
      cmocka_unit_test(an_answer_may_be_that_of_another),
      cmocka_unit_test(every_call_can_be_compared),
      cmocka_unit_test(wrong_answers_are_found_later_too),
      cmocka_unit_test(an_old_answer_does_not_pass_for_a_new_one),
      cmocka_unit_test(writes_beside_an_output_are_found),
      cmocka_unit_test(a_written_input_is_noted),
      cmocka_unit_test(a_missing_function_is_an_outcome),
      cmocka_unit_test(slow_kernels_are_cut_off),
      cmocka_unit_test(checking_calls_are_samples),
      cmocka_unit_test(rows_have_a_time_of_each),
      cmocka_unit_test(who_is_known_is_called_less),
      cmocka_unit_test(who_fails_in_a_row_drops_out),
      cmocka_unit_test(a_budget_ends_the_rows),
      cmocka_unit_test(a_changed_report_is_not_complete),
      cmocka_unit_test(too_many_samples_are_refused),
      cmocka_unit_test(a_candidate_needs_an_entry),
  };

  return cmocka_run_group_tests_name("sampler", tests, begin, end);
}
