/* Classes and evidence of a trial: how its process ended, where it was, and what it reported. */
#include "made_bench.h"

#include "backend/kernel/verdict.h"

#include <signal.h>

enum { COUNT = 2 };

struct world {
  struct hone__bench *bench;
  struct hone__engine engine;
  struct hone__trial trial;
  struct hone__trial_verdict verdict;
  struct hone__trial_report *report; /* with a record of each candidate */
  double times[COUNT * 3];
};

static int begin(void **state)
{
  struct world *world = hone__alloc(sizeof *world);

  if (make_folder(state)) return -1;
  world->report = hone__alloc(sizeof *world->report + COUNT * sizeof *world->report->records);
  world->bench = make_bench(&hone__engine_c, IN_X "," OUT_Y, "");
  world->trial = (struct hone__trial){.bench = world->bench,
                                      .engine = &world->engine,
                                      .plan = {.samples = 3},
                                      .count = COUNT,
                                      .report = world->report,
                                      .times = world->times,
                                      .ended = 10};
  *state = world;
  return 0;
}

static int end(void **state)
{
  struct world *world = *state;

  hone__text_release(&world->verdict.evidence);
  hone__text_release(&world->trial.end.output);
  hone__bench_free(world->bench);
  free(world->report);
  free(world);
  return remove_folder(state);
}

/* The process of candidate 1 ended so, in this stage, which began a second before. */
static void die(struct world *world, enum hone__child_end end_, int code,
                enum hone__trial_stage stage)
{
  world->trial.end.end = end_;
  world->trial.end.code = code;
  world->trial.end.seconds = 7;
  world->trial.report->active = 1;
  world->trial.report->stage = stage;
  world->trial.report->stage_began = 9;
  assert_int_equal(hone__kernel_verdict_of_death(&world->trial, &world->verdict), 1);
}

static void expect(struct world *world, enum hone_outcome outcome, const char *evidence)
{
  assert_string_equal(world->verdict.evidence.data, evidence);
  assert_string_equal(hone_outcome_name(world->verdict.outcome), hone_outcome_name(outcome));
}

static void a_crash_names_its_stage(void **state)
{
  struct world *world = *state;

  die(world, HONE__CHILD_EXITED, 3, HONE__TRIAL_LOADING);
  expect(world, HONE_OUTCOME_CRASH, "exited with status 3 while it was loaded");
  die(world, HONE__CHILD_EXITED, 3, HONE__TRIAL_BEGINNING);
  expect(world, HONE_OUTCOME_CRASH, "exited with status 3 before it was loaded");
  die(world, HONE__CHILD_EXITED, 0, HONE__TRIAL_FIRST_CALL);
  expect(world, HONE_OUTCOME_CRASH, "exited with status 0 before it returned");
  die(world, HONE__CHILD_EXITED, 0, HONE__TRIAL_ENDED);
  expect(world, HONE_OUTCOME_CRASH, "overwrote the memory that holds its results");
  die(world, HONE__CHILD_SIGNALLED, SIGSEGV, HONE__TRIAL_FIRST_CALL);
  assert_int_equal(world->verdict.outcome, HONE_OUTCOME_CRASH);
  assert_non_null(strstr(world->verdict.evidence.data, " in its first call"));
}

static void calls_and_output_are_evidence(void **state)
{
  struct world *world = *state;

  world->report->records[1].calls = 12;
  hone__text_add(&world->trial.end.output, "first\nassertion failed\n");
  die(world, HONE__CHILD_EXITED, 1, HONE__TRIAL_TIMING);
  expect(world, HONE_OUTCOME_CRASH,
         "exited with status 1 after 12 calls; output: assertion failed");
}

/* Whom another process killed is not to blame, and neither is the one without memory. */
static void others_may_have_ended_it(void **state)
{
  struct world *world = *state;

  die(world, HONE__CHILD_SIGNALLED, SIGKILL, HONE__TRIAL_TIMING);
  assert_int_equal(world->verdict.outcome, HONE_OUTCOME_KILLED);
  die(world, HONE__CHILD_OOM, SIGKILL, HONE__TRIAL_TIMING);
  assert_int_equal(world->verdict.outcome, HONE_OUTCOME_OOM_HOST);
  die(world, HONE__CHILD_STOPPED, SIGSTOP, HONE__TRIAL_TIMING);
  assert_int_equal(world->verdict.outcome, HONE_OUTCOME_HANG);
  world->engine.cannot_stop = true;
  die(world, HONE__CHILD_STOPPED, SIGSTOP, HONE__TRIAL_TIMING);
  assert_int_equal(world->verdict.outcome, HONE_OUTCOME_KILLED);
  die(world, HONE__CHILD_NOT_STARTED, 11, HONE__TRIAL_BEGINNING);
  assert_int_equal(world->verdict.outcome, HONE_OUTCOME_WORKER_LOST);
  hone__text_add(&world->trial.end.output, "the device is gone");
  die(world, HONE__CHILD_NOT_STARTED, 0, HONE__TRIAL_BEGINNING);
  expect(world, HONE_OUTCOME_WORKER_LOST, "the device is gone");
}

/* The watchdog of the process kills it with SIGKILL: known by the time of the stage. */
static void a_kill_after_the_limit_is_a_hang(void **state)
{
  struct world *world = *state;

  world->trial.plan.call_timeout_s = 1;
  die(world, HONE__CHILD_SIGNALLED, SIGKILL, HONE__TRIAL_FIRST_CALL);
  expect(world, HONE_OUTCOME_HANG, "its first call did not return within 1.0 s");
  die(world, HONE__CHILD_SIGNALLED, SIGKILL, HONE__TRIAL_LOADING);
  expect(world, HONE_OUTCOME_HANG, "loading it did not return within 1.0 s");
  die(world, HONE__CHILD_SIGNALLED, SIGKILL, HONE__TRIAL_LATE_CALL);
  expect(world, HONE_OUTCOME_HANG, "its last call did not return within 1.0 s");
  world->trial.plan.call_timeout_s = 5; /* it was killed long before that */
  die(world, HONE__CHILD_SIGNALLED, SIGKILL, HONE__TRIAL_FIRST_CALL);
  assert_int_equal(world->verdict.outcome, HONE_OUTCOME_KILLED);
}

static void who_answered_before_is_slow(void **state)
{
  struct world *world = *state;

  world->report->records[1].calls = 40;
  world->report->records[1].samples = 2;
  die(world, HONE__CHILD_TIMED_OUT, 0, HONE__TRIAL_TIMING);
  expect(world, HONE_OUTCOME_SLOW, "timing did not finish within 7.0 s: 40 calls, 2 samples");
  world->trial.plan.call_timeout_s = 0.5; /* the last sample alone took longer */
  die(world, HONE__CHILD_TIMED_OUT, 0, HONE__TRIAL_TIMING);
  expect(world, HONE_OUTCOME_HANG, "a later call did not return within 1.0 s");
  world->trial.plan.call_timeout_s = 0;
  die(world, HONE__CHILD_TIMED_OUT, 0, HONE__TRIAL_FIRST_CALL);
  expect(world, HONE_OUTCOME_HANG, "its first call did not return within 7.0 s");
}

/* A candidate may have changed it: no index beyond the candidates is believed. */
static void a_changed_number_blames_one_that_exists(void **state)
{
  struct world *world = *state;

  world->trial.end.end = HONE__CHILD_EXITED;
  world->trial.end.code = 1;
  world->trial.report->active = 1000001;
  assert_int_equal(hone__kernel_verdict_of_death(&world->trial, &world->verdict), 1);
  world->trial.report->stage = 4711;
  assert_int_equal(hone__kernel_verdict_of_death(&world->trial, &world->verdict), 1);
}

/* ---- Records ---- */

static void records_become_classes(void **state)
{
  struct world *world = *state;
  struct hone__kernel_record *record = &world->report->records[1];

  hone__kernel_verdict_of_record(&world->trial, 1, &world->verdict);
  expect(world, HONE_OUTCOME_OK, "");
  assert_false(hone__kernel_record_fail(record, HONE_OUTCOME_LAUNCH_FAILURE, "%d blocks", 7));
  hone__kernel_verdict_of_record(&world->trial, 1, &world->verdict);
  expect(world, HONE_OUTCOME_LAUNCH_FAILURE, "7 blocks");
  *record = (struct hone__kernel_record){.fault = HONE__TRIAL_WRONG, .calls = 9};
  hone__kernel_verdict_of_record(&world->trial, 1, &world->verdict);
  expect(world, HONE_OUTCOME_NONDETERMINISTIC, "correct at first, wrong after 9 calls");
  *record =
      (struct hone__kernel_record){.fault = HONE__TRIAL_BREACH, .breach = {.arg = 1, .offset = 4}};
  hone__kernel_verdict_of_record(&world->trial, 1, &world->verdict);
  expect(world, HONE_OUTCOME_WRONG_RESULT, "wrote past the end of 'y' (first changed byte at +4)");
  record->breach.arg = 77;
  record->breach.before = true;
  hone__kernel_verdict_of_record(&world->trial, 1, &world->verdict);
  expect(world, HONE_OUTCOME_WRONG_RESULT,
         "wrote before the start of '?' (first changed byte at -4)");
}

static void long_messages_are_cut(void **state)
{
  struct world *world = *state;
  char text[1000];

  memset(text, 'x', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  hone__kernel_record_fail(&world->report->records[0], HONE_OUTCOME_CRASH, "%s", text);
  hone__kernel_verdict_of_record(&world->trial, 0, &world->verdict);
  assert_int_equal(world->verdict.evidence.length, 255);
}

static void a_cap_has_units(void **state)
{
  struct world *world = *state;

  world->report->records[1] =
      (struct hone__kernel_record){.fault = HONE__TRIAL_CAPPED, .samples = 2};
  world->times[4] = 7000; /* the second sample of candidate 1 */
  world->trial.plan.cap_ns = 3000;
  hone__kernel_verdict_of_record(&world->trial, 1, &world->verdict);
  expect(world, HONE_OUTCOME_SLOW, "7.000 us a call, above the cap of 3.000 us");
  world->times[4] = 7e6;
  world->trial.plan.cap_ns = 3e6;
  hone__kernel_verdict_of_record(&world->trial, 1, &world->verdict);
  expect(world, HONE_OUTCOME_SLOW, "7.000 ms a call, above the cap of 3.000 ms");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(a_crash_names_its_stage),
      TEST(calls_and_output_are_evidence),
      TEST(others_may_have_ended_it),
      TEST(a_kill_after_the_limit_is_a_hang),
      TEST(who_answered_before_is_slow),
      TEST(a_changed_number_blames_one_that_exists),
      TEST(records_become_classes),
      TEST(long_messages_are_cut),
      TEST(a_cap_has_units),
  };

  return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
