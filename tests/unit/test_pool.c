/* Jobs, answers and setups of a pool. */
#include "pool_fixture.h"

const bool test_is_host = true; /* orphans do not become its children */

/* ---- Jobs ---- */

static void jobs_on_three_slots(void **state)
{
  static const struct hone__slot_options slots[] = {
      {NULL, "a", NULL}, {"", "b", NULL}, {NULL, NULL, NULL}};
  struct fixture fixture;
  unsigned seen = 0;
  double seconds;

  (void)state;
  open_stage(&fixture, 5, slots, 3);
  fixture.expected = 24;
  setup(&fixture, "c");
  assert_int_equal(hone__pool_usable(fixture.pool), 3);
  assert_int_equal(hone__pool_idle(fixture.pool), 0);
  for (size_t i = 0; i < fixture.expected; i++)
    submit(&fixture, "work", "ok", HONE__ANY_SLOT, i * 100000);
  assert_int_equal(hone__pool_pending(fixture.pool), 24);
  seconds = (double)uv_hrtime() / 1e9;
  assert_int_equal(run(&fixture), 3);
  seconds = (double)uv_hrtime() / 1e9 - seconds;
  assert_int_equal(fixture.readies, 3);
  for (size_t i = 0; i < fixture.expected; i++) {
    expect(&fixture, i, HONE_OUTCOME_OK, 1);
    assert_string_equal(fixture.answers[i].evidence, "so it was told");
    seen |= 1u << fixture.answers[i].slot;
  }
  assert_int_equal(seen, 7);
  assert_true(seconds < 24 * 0.3); /* one after the other they take longer */
  leave(&fixture);
}

static void fixed_slots_in_order(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "a", NULL}, {NULL, "b", NULL}};
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 5, slots, 2);
  fixture.expected = 5;
  for (size_t i = 0; i < 5; i++)
    submit(&fixture, "", "ok", 1, 1 + i);
  assert_int_equal(run(&fixture), 2);
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(fixture.answers[i].slot, 1);
    assert_int_equal(fixture.answers[i].size, 1 + i);
  }
  leave(&fixture);
}

static void large_payload(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 10, NULL, NULL);
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 40u << 20);
  run(&fixture);
  expect(&fixture, 0, HONE_OUTCOME_OK, 1);
  assert_int_equal(fixture.answers[0].size, 40u << 20);
  leave(&fixture);
}

static void submit_again(void *data, const struct hone__reply *reply)
{
  struct fixture *fixture = data;

  on_done(fixture, reply);
  if (fixture->answered < fixture->expected) submit(fixture, "", "ok", HONE__ANY_SLOT, 0);
}

static void jobs_from_answers(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, NULL, NULL);
  fixture.expected = 3;
  setup(&fixture, "c");
  for (int i = 0; i < 2; i++)
    hone__pool_submit(fixture.pool,
                      &(struct hone__job){.head = hone__wire_json_packed(json_object()),
                                          .slot = HONE__ANY_SLOT,
                                          .done = submit_again,
                                          .data = &fixture});
  run(&fixture);
  assert_int_equal(fixture.answered, 4); /* the one that was left at the close too */
  expect(&fixture, 2, HONE_OUTCOME_OK, 1);
  expect(&fixture, 3, HONE_OUTCOME_INTERRUPTED, 1); /* handed out before the answer was given */
  leave(&fixture);
}

static void idle_counts(uv_timer_t *timer)
{
  struct fixture *fixture = timer->data;

  if (hone__pool_idle(fixture->pool) < 2) {
    in_a_while(fixture, idle_counts, 20);
    return;
  }
  submit(fixture, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(hone__pool_idle(fixture->pool), 1);
  submit(fixture, "", "ok", 1, 0);
  assert_int_equal(hone__pool_idle(fixture->pool), 0);
}

static void idle_slots_are_counted(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "a", NULL}, {NULL, "b", NULL}};
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 5, slots, 2);
  fixture.expected = 2;
  setup(&fixture, "c");
  in_a_while(&fixture, idle_counts, 0);
  run(&fixture);
  leave(&fixture);
}

/* ---- Answers that are tried again ---- */

static void crash_then_ok(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, NULL, NULL);
  fixture.expected = 2;
  submit(&fixture, "", "ok", 0, 0); /* the runner is used: the next job crashes in it */
  submit(&fixture, "crash-stale", "ok", 0, 7);
  assert_int_equal(run(&fixture), 1);
  expect(&fixture, 1, HONE_OUTCOME_OK, 2);
  assert_int_equal(fixture.answers[1].size, 7);
  leave(&fixture);
}

static void restart_when_asked(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, NULL, NULL);
  fixture.expected = 2;
  submit(&fixture, "", "ok", 0, 0);
  hone__pool_submit(fixture.pool, &(struct hone__job){.head = hone__wire_json_packed(
                                                          json_pack("{s:s}", "op", "crash-stale")),
                                                      .restart = true,
                                                      .done = on_done,
                                                      .data = &fixture});
  run(&fixture);
  expect(&fixture, 1, HONE_OUTCOME_OK, 1);
  leave(&fixture);
}

static void retries_by_class(void **state)
{
  static const struct {
    const char *class;
    enum hone_outcome outcome;
    int tries;
  } rows[] = {
      {"crash", HONE_OUTCOME_CRASH, 2},
      {"compile_crash", HONE_OUTCOME_COMPILE_CRASH, 2},
      {"wrong_result", HONE_OUTCOME_WRONG_RESULT, 1},
      {"hang", HONE_OUTCOME_HANG, 1},
      {"slow", HONE_OUTCOME_SLOW, 1},
      {"protocol", HONE_OUTCOME_PROTOCOL, 2},
      {"killed", HONE_OUTCOME_KILLED, 4},
  };
  const size_t count = sizeof rows / sizeof *rows;
  struct fixture fixture;
  double seconds = (double)uv_hrtime() / 1e9;

  (void)state;
  open_one(&fixture, 5, NULL, NULL);
  fixture.expected = count;
  setup(&fixture, "c");
  for (size_t i = 0; i < count; i++)
    submit(&fixture, "", rows[i].class, HONE__ANY_SLOT, 0);
  assert_int_equal(run(&fixture), 1);
  for (size_t i = 0; i < count; i++) {
    expect(&fixture, i, rows[i].outcome, rows[i].tries);
  }
  assert_true((double)uv_hrtime() / 1e9 - seconds > 2.0); /* those that were killed waited */
  leave(&fixture);
}

/* An answer of no class that is known is the worker's fault, not the job's. */
static void answers_without_sense(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "a", NULL}, {NULL, "b", NULL}};
  struct fixture fixture;
  size_t lost;

  (void)state;
  open_stage(&fixture, 5, slots, 2);
  fixture.expected = 2;
  submit(&fixture, "", "nonsense", HONE__ANY_SLOT, 0);
  submit(&fixture, "work", "ok", HONE__ANY_SLOT, 0);
  run(&fixture);
  lost = fixture.answers[0].outcome == HONE_OUTCOME_OK ? 1 : 0; /* whichever is over first */
  expect(&fixture, lost, HONE_OUTCOME_WORKER_LOST, 2);
  expect(&fixture, 1 - lost, HONE_OUTCOME_OK, 1);
  expect_text(&fixture.notes, "its reply is not valid");
  leave(&fixture);
}

/* ---- Setups ---- */

static void setup_fails_on_one_slot(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "refuse", NULL}, {NULL, NULL, NULL}};
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 5, slots, 2);
  fixture.expected = 3;
  setup(&fixture, "c");
  for (int i = 0; i < 2; i++)
    submit(&fixture, "work", "ok", HONE__ANY_SLOT, 0);
  submit(&fixture, "", "ok", 0, 0);
  assert_int_equal(run(&fixture), 2);
  assert_int_equal(fixture.losts, 1);
  expect_text(&fixture.lost, "0: worker 'refuse' cannot prepare: no such gpu");
  for (size_t i = 0; i < 3; i++) {
    bool is_lost = fixture.answers[i].outcome == HONE_OUTCOME_WORKER_LOST;
    if (is_lost) assert_non_null(strstr(fixture.answers[i].evidence, "no such gpu"));
    if (!is_lost) assert_int_equal(fixture.answers[i].slot, 1);
  }
  leave(&fixture);
}

static void setup_again(void *data, const struct hone__reply *reply)
{
  struct fixture *fixture = data;

  on_done(fixture, reply);
  if (fixture->answered > 1) return;
  assert_int_equal(hone__pool_usable(fixture->pool), 0);
  setup(fixture, "better");
  assert_int_equal(hone__pool_usable(fixture->pool), 1);
  submit(fixture, "", "ok", HONE__ANY_SLOT, 0);
}

static void later_setup_revives(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, NULL, "refuse");
  fixture.expected = 2;
  setup(&fixture, "c");
  hone__pool_submit(fixture.pool, &(struct hone__job){.head = hone__wire_json_packed(json_object()),
                                                      .slot = HONE__ANY_SLOT,
                                                      .done = setup_again,
                                                      .data = &fixture});
  assert_int_equal(run(&fixture), 1);
  expect(&fixture, 0, HONE_OUTCOME_WORKER_LOST, 0);
  expect(&fixture, 1, HONE_OUTCOME_OK, 1);
  leave(&fixture);
}

static void dies_of_its_setup(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, NULL, "dies-of-setup");
  setup(&fixture, "c");
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  assert_in_range(run(&fixture), 3, 4);
  expect(&fixture, 0, HONE_OUTCOME_WORKER_LOST, 0);
  expect_text(&fixture.lost, "ended during setup");
  leave(&fixture);
}

/* Each job is done under the setup that was the last when it was submitted. */
static void jobs_keep_their_setup(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, NULL, "refuse");
  fixture.expected = 3;
  setup(&fixture, "better");
  submit(&fixture, "work", "ok", HONE__ANY_SLOT, 0);
  setup(&fixture, "c");
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  setup(&fixture, "better");
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  run(&fixture);
  expect(&fixture, 0, HONE_OUTCOME_OK, 1);
  expect(&fixture, 1, HONE_OUTCOME_WORKER_LOST, 0);
  expect(&fixture, 2, HONE_OUTCOME_OK, 1);
  leave(&fixture);
}

/* ---- Stopping ---- */

/* False: not yet, and `callback` comes again. A moment after the last one is ready all are busy. */
static bool are_ready(struct fixture *fixture, size_t count, uv_timer_cb callback)
{
  bool were_ready = fixture->were_ready;

  fixture->were_ready = fixture->readies >= count;
  if (!were_ready) in_a_while(fixture, callback, 100);
  return were_ready;
}

static void cancel(uv_timer_t *timer)
{
  struct fixture *fixture = timer->data;

  if (!are_ready(fixture, 2, cancel)) return;
  fixture->in_call = true;
  hone__pool_cancel(fixture->pool);
  fixture->in_call = false;
  assert_int_equal(hone__pool_pending(fixture->pool), 3);
  submit(fixture, "", "ok", HONE__ANY_SLOT, 0);
}

static void cancel_while_busy(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "stubborn", NULL}, {NULL, NULL, NULL}};
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 5, slots, 2);
  fixture.expected = 4;
  setup(&fixture, "c");
  for (int i = 0; i < 3; i++)
    submit(&fixture, "hang", "ok", HONE__ANY_SLOT, 0);
  in_a_while(&fixture, cancel, 0);
  run(&fixture);
  for (size_t i = 0; i < 3; i++)
    expect(&fixture, i, HONE_OUTCOME_INTERRUPTED, i < 2);
  expect(&fixture, 3, HONE_OUTCOME_OK, 1); /* the pool goes on */
  leave(&fixture);
}

static void cancel_the_other(uv_timer_t *timer)
{
  struct fixture *fixture = timer->data;

  assert_int_equal(fixture->answered, 2);
  assert_int_equal(hone__pool_pending(fixture->pool), 1);
  hone__pool_cancel(fixture->pool);
}

static void cancel_waiting(uv_timer_t *timer)
{
  struct fixture *fixture = timer->data;

  if (!are_ready(fixture, 1, cancel_waiting)) return;
  hone__pool_cancel_waiting(fixture->pool);
  in_a_while(fixture, cancel_the_other, 200);
}

/* What a worker has begun goes on. */
static void cancel_those_who_wait(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, NULL, NULL}};
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 5, slots, 1);
  fixture.expected = 3;
  setup(&fixture, "c");
  submit(&fixture, "hang", "ok", HONE__ANY_SLOT, 0);
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  submit(&fixture, "", "ok", 0, 0);
  in_a_while(&fixture, cancel_waiting, 0);
  run(&fixture);
  expect(&fixture, 0, HONE_OUTCOME_INTERRUPTED, 0);
  expect(&fixture, 1, HONE_OUTCOME_INTERRUPTED, 0);
  expect(&fixture, 2, HONE_OUTCOME_INTERRUPTED, 1);
  hone__pool_cancel(NULL);
  leave(&fixture);
}

static void close_now(uv_timer_t *timer)
{
  close_pool(timer->data);
}

static void close_three(uv_timer_t *timer)
{
  if (are_ready(timer->data, 3, close_three)) close_pool(timer->data);
}

static void close_with_stubborn_workers(void **state)
{
  static const struct hone__slot_options slots[] = {
      {NULL, "stubborn", NULL},
      {"sh -c 'trap \"\" TERM; \"$@\"' sh", "stubborn", NULL},
      {NULL, "stubborn", NULL}};
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 5, slots, 3);
  fixture.expected = MOST_ANSWERS;
  setup(&fixture, "c");
  submit(&fixture, "hang", "ok", 2, 0);
  in_a_while(&fixture, close_three, 0);
  assert_int_equal(run(&fixture), 3);
  expect(&fixture, 0, HONE_OUTCOME_INTERRUPTED, 1);
  leave(&fixture);
}

static void close_at_any_time(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "die", NULL},
                                                    {"/no/such/program", NULL, NULL},
                                                    {NULL, "hush", NULL},
                                                    {NULL, "garbage", NULL}};

  (void)state;
  for (uint64_t ms = 0; ms < 640; ms = ms ? 2 * ms : 5) {
    struct fixture fixture;
    open_stage(&fixture, 0.2, slots, 4);
    fixture.expected = MOST_ANSWERS;
    setup(&fixture, "c");
    for (int slot = -1; slot < 4; slot++)
      submit(&fixture, "work", "ok", slot, 0);
    in_a_while(&fixture, close_now, ms);
    run(&fixture);
    assert_int_equal(fixture.answered, 5);
    leave(&fixture);
  }
}

static void close_without_slots(void **state)
{
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 5, NULL, 0);
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&fixture), 0);
  expect(&fixture, 0, HONE_OUTCOME_WORKER_LOST, 0);
  leave(&fixture);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jobs_on_three_slots),    cmocka_unit_test(fixed_slots_in_order),
      cmocka_unit_test(large_payload),          cmocka_unit_test(jobs_from_answers),
      cmocka_unit_test(idle_slots_are_counted), cmocka_unit_test(crash_then_ok),
      cmocka_unit_test(restart_when_asked),     cmocka_unit_test(retries_by_class),
      cmocka_unit_test(answers_without_sense),  cmocka_unit_test(setup_fails_on_one_slot),
      cmocka_unit_test(later_setup_revives),    cmocka_unit_test(dies_of_its_setup),
      cmocka_unit_test(jobs_keep_their_setup),  cmocka_unit_test(cancel_while_busy),
      cmocka_unit_test(cancel_those_who_wait),  cmocka_unit_test(close_with_stubborn_workers),
      cmocka_unit_test(close_at_any_time),      cmocka_unit_test(close_without_slots),
  };

  signal(SIGPIPE, SIG_IGN); /* as a session does */
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
