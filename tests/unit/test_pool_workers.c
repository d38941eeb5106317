/* Workers of a pool: their start, their loss, and hosts that fail. */
#include "pool_fixture.h"

const bool test_is_host = true; /* orphans do not become its children */

/* ---- Starting ---- */

static void noise_before_hello(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, NULL, "noise");
  submit(&fixture, "", "ok", 0, 0);
  assert_int_equal(run(&fixture), 1);
  expect(&fixture, 0, HONE_OUTCOME_OK, 1);
  leave(&fixture);
}

static void prefix_with_a_banner(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, "sh -c 'echo \"hello there\"; echo to stderr >&2; exec \"$@\"' sh",
           "noise");
  submit(&fixture, "", "ok", 0, 0);
  assert_int_equal(run(&fixture), 1);
  expect(&fixture, 0, HONE_OUTCOME_OK, 1);
  leave(&fixture);
}

static void too_much_noise(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, NULL, "flood");
  fixture.expected = 0;
  assert_int_equal(run(&fixture), 3);
  expect_text(&fixture.lost, "did not start");
  leave(&fixture);
}

static void dies_at_once(void **state)
{
  static const struct hone__slot_options slots[] = {{"env", "die", NULL}, {NULL, NULL, NULL}};
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 5, slots, 2);
  fixture.expected = 3;
  setup(&fixture, "c");
  submit(&fixture, "", "ok", 0, 0);
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  submit(&fixture, "work", "ok", 1, 0);
  assert_int_equal(run(&fixture), 4); /* three times one, once the other */
  expect(&fixture, 0, HONE_OUTCOME_OK, 1);
  expect(&fixture, 1, HONE_OUTCOME_OK, 1);
  expect(&fixture, 2, HONE_OUTCOME_WORKER_LOST, 0);
  assert_string_equal(fixture.answers[2].evidence,
                      "worker 'env' (die) did not start: Permission denied (publickey).");
  assert_int_equal(fixture.losts, 0); /* it is tried again later */
  assert_int_equal(fixture.aways, 1);
  leave(&fixture);
}

static void no_such_prefix(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, "/no/such/ssh gpu7", NULL);
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&fixture), 0);
  expect(&fixture, 0, HONE_OUTCOME_WORKER_LOST, 0);
  expect_text(&fixture.lost, "worker '/no/such/ssh gpu7' did not start: cannot run '/no/such/ssh'");
  leave(&fixture);
}

static void open_quote_in_prefix(void **state)
{
  const struct hone__slot_options slots[] = {{"env", NULL, NULL}, {"ssh 'gpu7", NULL, NULL}};
  struct hone__pool *pool;
  uv_loop_t loop;
  hone_status status;

  (void)state;
  uv_loop_init(&loop);
  status = hone__pool_open(
      &(struct hone__pool_options){
          .loop = &loop, .program = "hone", .role = "run", .slots = slots, .slot_count = 2},
      &pool);
  assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
  assert_non_null(strstr(hone_status_message(status), "ssh 'gpu7"));
  assert_null(pool);
  hone_status_free(status);
  assert_int_equal(uv_loop_close(&loop), 0);
}

static void wrong_version(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, NULL, "version");
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&fixture), 1); /* trying again would not help */
  expect(&fixture, 0, HONE_OUTCOME_WORKER_LOST, 0);
  expect_text(&fixture.lost, "hone 0.0.1");
  expect_text(&fixture.lost, hone_version());
  leave(&fixture);
}

/* A newer version is refused as an older one is, whatever else it says. */
static void newer_version(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, NULL, "newer");
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&fixture), 1);
  expect(&fixture, 0, HONE_OUTCOME_WORKER_LOST, 0);
  expect_text(&fixture.lost, "hone 99.0.0");
  leave(&fixture);
}

static void unknown_fields_are_skipped(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, NULL, "talkative");
  setup(&fixture, "c");
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&fixture), 1);
  expect(&fixture, 0, HONE_OUTCOME_OK, 1);
  leave(&fixture);
}

static void never_says_hello(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 1, NULL, "mute");
  fixture.expected = 0;
  assert_int_equal(run(&fixture), 3);
  expect_text(&fixture.lost, "no heartbeat");
  leave(&fixture);
}

static void slow_launcher(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 1, "sh -c 'echo queued >&2; sleep 2.5; exec \"$@\"' sh", NULL);
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&fixture), 1);
  expect(&fixture, 0, HONE_OUTCOME_OK, 1);
  expect_text(&fixture.notes, "waiting for worker 'sh -c");
  expect_text(&fixture.notes, ": queued");
  leave(&fixture);
}

/* ---- Losing workers ---- */

static void launcher_exits_with_0(void **state)
{
  static const struct hone__slot_options slots[] = {
      {"sh -c '\"$@\"; echo node failure >&2; exit 0' sh", NULL, NULL}, {"env", NULL, NULL}};
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 5, slots, 2);
  submit(&fixture, "poison-first", "ok", 0, 0);
  assert_int_equal(run(&fixture), 3);
  expect(&fixture, 0, HONE_OUTCOME_OK, 2);
  expect_text(&fixture.notes, "node failure");
  expect_text(&fixture.work,
              "-0 0:worker_lost! "); /* when it was lost, and that it is tried again */
  expect_text(&fixture.work, "0:ok ");
  leave(&fixture);
}

static void launcher_leaves_the_worker(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, "sh -c 'exec 3<&0; \"$@\" <&3 & sleep 3' sh", "stubborn");
  submit(&fixture, "hang", "ok", 0, 0);
  assert_int_equal(run(&fixture), 2);
  expect(&fixture, 0, HONE_OUTCOME_WORKER_LOST, 2);
  leave(&fixture);
}

static void stops_beating(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 2, NULL, "hush");
  setup(&fixture, "c");
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&fixture), 2);
  expect(&fixture, 0, HONE_OUTCOME_OK, 2);
  expect_text(&fixture.notes, "ended during a job: no heartbeat");
  assert_int_equal(fixture.readies, 2);
  leave(&fixture);
}

static void sleep_long(uv_timer_t *timer)
{
  (void)timer;
  sleep(3);
}

static void driver_that_sleeps(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 2, NULL, NULL);
  for (fixture.expected = 0; fixture.expected < 10; fixture.expected++)
    submit(&fixture, "work", "ok", HONE__ANY_SLOT, 0);
  in_a_while(&fixture, sleep_long, 500);
  assert_int_equal(run(&fixture), 1);
  assert_null(fixture.notes.data);
  leave(&fixture);
}

static void late_results(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, NULL, "late");
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&fixture), 2);
  expect(&fixture, 0, HONE_OUTCOME_OK, 2);
  leave(&fixture);
}

static void garbage_in_the_stream(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, NULL, "garbage");
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&fixture), 2);
  expect(&fixture, 0, HONE_OUTCOME_OK, 2);
  expect_text(&fixture.notes, "not a frame");
  leave(&fixture);
}

static void poison_pill(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "a", NULL}, {NULL, "b", NULL}};
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 5, slots, 2);
  fixture.expected = 5;
  submit(&fixture, "poison", "ok", HONE__ANY_SLOT, 0);
  for (int i = 0; i < 4; i++)
    submit(&fixture, "work", "ok", HONE__ANY_SLOT, 0);
  run(&fixture);
  for (size_t i = 0, pills = 0; i < 5; i++) {
    bool is_pill = fixture.answers[i].outcome == HONE_OUTCOME_WORKER_LOST;
    expect(&fixture, i, is_pill ? HONE_OUTCOME_WORKER_LOST : HONE_OUTCOME_OK, is_pill ? 2 : 1);
    if (is_pill)
      assert_non_null(strstr(fixture.answers[i].evidence, "two workers ended while they ran it"));
    pills += is_pill;
    if (i == 4) assert_int_equal(pills, 1);
  }
  expect_text(&fixture.notes, "0: "); /* both slots had it, and both are in use again */
  expect_text(&fixture.notes, "1: ");
  assert_int_equal(fixture.losts, 0);
  leave(&fixture);
}

/* Hosts that are lost at once: a job that meets one of them after the other is not to blame. A beat
 * that arrives after the job was sent would be a sign of life. */
static void hosts_that_are_gone_do_not_count(void **state)
{
  static const struct hone__slot_options slots[] = {{"env", "quiet", "a"}, {"env", "quiet", "b"}};
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 5, slots, 2);
  fixture.expected = 1;
  submit(&fixture, "poison", "ok", HONE__ANY_SLOT, 0);
  run(&fixture);
  expect(&fixture, 0, HONE_OUTCOME_WORKER_LOST, 4); /* two of the losses were forgiven */
  leave(&fixture);
}

/* ---- Workers that send only heartbeats ---- */

static void beats_and_no_result(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 2, NULL, NULL);
  fixture.expected = 2;
  submit_limited(&fixture, "hang-first", 0, 0.2);
  submit_limited(&fixture, "hang", 0, 0.2);
  assert_in_range(run(&fixture), 3, 4);
  expect(&fixture, 0, HONE_OUTCOME_OK, 2); /* by the worker that was started then */
  expect(&fixture, 1, HONE_OUTCOME_WORKER_LOST, 2);
  expect_text(&fixture.notes, "ended during a job: no reply");
  assert_non_null(strstr(fixture.answers[1].evidence, "no reply"));
  leave(&fixture);
}

static void beats_and_no_ready(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "never-ready", NULL},
                                                    {NULL, "late-ready", NULL}};
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 2, slots, 2);
  fixture.expected = 2;
  hone__pool_setup(fixture.pool,
                   hone__wire_json_packed(json_pack("{s:s,s:f}", "backend", "c", "timeout_s", 0.2)),
                   NULL, 0);
  submit(&fixture, "", "ok", HONE__ANY_SLOT, 0);
  submit(&fixture, "", "ok", 0, 0);
  assert_in_range(run(&fixture), 4, 5);
  expect(&fixture, 0, HONE_OUTCOME_OK, 1);
  assert_int_equal(fixture.answers[0].slot, 1);
  expect(&fixture, 1, HONE_OUTCOME_WORKER_LOST, 0);
  expect_text(&fixture.notes, "ended during setup: no reply");
  leave(&fixture);
}

static void frame_that_never_ends(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 1, NULL, NULL);
  submit(&fixture, "giant-first", "ok", 0, 0);
  assert_int_equal(run(&fixture), 2);
  expect(&fixture, 0, HONE_OUTCOME_OK, 2);
  expect_text(&fixture.notes, "no heartbeat");
  leave(&fixture);
}

static void frame_that_never_ends_instead_of_hello(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 1, NULL, "giant");
  fixture.expected = 0;
  assert_int_equal(run(&fixture), 3);
  expect_text(&fixture.lost, "did not start");
  leave(&fixture);
}

static void cannot_be_written_to(void **state)
{
  struct fixture fixture;

  (void)state;
  open_one(&fixture, 5, NULL, "deaf");
  submit(&fixture, "", "ok", 0, 0);
  assert_int_equal(run(&fixture), 2);
  expect(&fixture, 0, HONE_OUTCOME_OK, 2);
  expect_text(&fixture.notes, "cannot write to it: broken pipe");
  leave(&fixture);
}

/* ---- Absent workers ---- */

struct launcher {
  char folder[32], path[64];
};

/* One that starts a worker once, and then does what the line says. */
static void write_launcher(struct launcher *launcher, const char *name, const char *then)
{
  FILE *file;

  *launcher = (struct launcher){.folder = "/tmp/hone-launch-XXXXXX"};
  assert_non_null(mkdtemp(launcher->folder));
  snprintf(launcher->path, sizeof launcher->path, "%s/%s", launcher->folder, name);
  file = fopen(launcher->path, "we");
  assert_non_null(file);
  fprintf(file, "#!/bin/sh\nmkdir $0.used 2>/dev/null && exec \"$@\"\n%s\nexec \"$@\"\n", then);
  fclose(file);
  assert_int_equal(chmod(launcher->path, 0700), 0);
}

static void remove_launcher(const struct launcher *launcher)
{
  char used[80];

  snprintf(used, sizeof used, "%s.used", launcher->path);
  rmdir(used);
  unlink(launcher->path);
  assert_int_equal(rmdir(launcher->folder), 0);
}

static const char queue_for_ever[] = "exec sleep 1000";
static const char queue_for_a_while[] = "while [ ! -e $FAKE_FOLDER/go ]; do sleep 0.05; done";

/* As under Slurm: the launcher queues for a node that is lost. */
static void lost_node_holds_nobody(void **state)
{
  struct launcher srun;
  struct fixture fixture;

  (void)state;
  write_launcher(&srun, "srun", queue_for_ever);
  open_stage(&fixture, 1,
             (struct hone__slot_options[]){{srun.path, NULL, NULL}, {NULL, NULL, NULL}}, 2);
  fixture.expected = 3;
  setup(&fixture, "c");
  submit(&fixture, "poison-first", "ok", 0, 0);
  submit(&fixture, "", "ok", 0, 0); /* was not begun */
  submit(&fixture, "work", "ok", 1, 0);
  assert_int_equal(run(&fixture), 2);
  expect(&fixture, 0, HONE_OUTCOME_OK, 1);
  expect(&fixture, 1, HONE_OUTCOME_WORKER_LOST, 1);
  expect(&fixture, 2, HONE_OUTCOME_WORKER_LOST, 0);
  assert_int_equal(fixture.aways, 1);
  assert_int_equal(fixture.reasons, 1);
  assert_int_equal(fixture.backs + fixture.losts, 0);
  remove_launcher(&srun);
  leave(&fixture);
}

/* Without another one there is nothing but to wait, for longer than any silence. */
static void only_node_is_waited_for(void **state)
{
  struct launcher srun;
  struct fixture fixture;

  (void)state;
  write_launcher(&srun, "srun", "sleep 3");
  open_one(&fixture, 1, srun.path, NULL);
  fixture.expected = 2;
  setup(&fixture, "c");
  hone__pool_submit(fixture.pool, &(struct hone__job){.head = hone__wire_json_packed(
                                                          json_pack("{s:s}", "op", "poison-first")),
                                                      .may_be_skipped = true,
                                                      .done = on_done,
                                                      .data = &fixture});
  submit(&fixture, "", "ok", 0, 0);
  assert_int_equal(run(&fixture), 2);
  expect(&fixture, 0, HONE_OUTCOME_WORKER_LOST, 1); /* this one was not worth it */
  expect(&fixture, 1, HONE_OUTCOME_OK, 1);
  assert_int_equal(fixture.aways, 0);
  remove_launcher(&srun);
  leave(&fixture);
}

static void submit_elsewhere(void *data, const struct hone__reply *reply)
{
  struct fixture *fixture = data;

  on_done(fixture, reply);
  submit(fixture, "poison-first", "ok", 1, 0); /* now the other one goes, for good */
  submit(fixture, "", "ok", 0, 0);
}

/* Whoever is set aside is called back when no other is left. */
static void set_aside_and_back(void **state)
{
  struct launcher srun, mortal;
  struct fixture fixture;
  size_t last;

  (void)state;
  write_launcher(&srun, "srun", queue_for_a_while);
  write_launcher(&mortal, "mortal", "exit 1");
  open_stage(&fixture, 1,
             (struct hone__slot_options[]){{srun.path, NULL, NULL}, {mortal.path, NULL, NULL}}, 2);
  fixture.expected = 4;
  fixture.submits_when_back = true;
  setup(&fixture, "c");
  hone__pool_submit(fixture.pool, &(struct hone__job){.head = hone__wire_json_packed(
                                                          json_pack("{s:s}", "op", "poison-first")),
                                                      .done = submit_elsewhere,
                                                      .data = &fixture});
  assert_int_equal(run(&fixture), 3);
  expect(&fixture, 0, HONE_OUTCOME_WORKER_LOST, 1);
  expect(&fixture, 1, HONE_OUTCOME_WORKER_LOST, 0); /* for slot 0, which is aside */
  last = fixture.answers[2].slot == 0 ? 2 : 3;      /* of the other's job it is not known when */
  expect(&fixture, last, HONE_OUTCOME_OK, 1);
  expect(&fixture, 5 - last, HONE_OUTCOME_WORKER_LOST, 1);
  assert_int_equal(fixture.answers[last].slot, 0);
  assert_in_range(fixture.aways, 1, 2); /* a slow end of the other is an absence, too */
  assert_int_equal(fixture.backs, 1);
  remove_launcher(&srun);
  remove_launcher(&mortal);
  leave(&fixture);
}

/* ---- Hosts that fail ---- */

static void submit_movable(struct fixture *fixture, const char *op, const char *class, int slot)
{
  hone__pool_submit(fixture->pool, &(struct hone__job){.head = hone__wire_json_packed(json_pack(
                                                           "{s:s,s:s}", "op", op, "class", class)),
                                                       .timeout_s = 5,
                                                       .slot = slot,
                                                       .may_move = true,
                                                       .done = on_done,
                                                       .data = fixture});
}

static const struct hone__slot_options two_hosts[] = {{"env", NULL, NULL}, {"env", NULL, NULL}};

static void submit_lost_and_next(void *data, const struct hone__reply *reply)
{
  struct fixture *fixture = data;

  on_done(fixture, reply);
  submit_movable(fixture, "poison-first", "ok", 0);
  submit_movable(fixture, "", "ok", 0); /* was not begun */
}

/* Not only after the silence that is allowed: 50 s. */
static void lost_job_moves_at_once(void **state)
{
  struct fixture fixture;
  uint64_t began;

  (void)state;
  open_stage(&fixture, 50, two_hosts, 2);
  fixture.expected = 3;
  setup(&fixture, "c");
  hone__pool_submit(fixture.pool, &(struct hone__job){
                                      .head = hone__wire_json_packed(json_pack("{s:s}", "op", "")),
                                      .slot = 1,
                                      .done = submit_lost_and_next,
                                      .data = &fixture});
  began = uv_hrtime();
  run(&fixture);
  assert_true((double)(uv_hrtime() - began) < 20e9);
  assert_int_equal(fixture.aways, 1);
  assert_int_equal(fixture.reasons, 1);
  assert_int_equal(fixture.answers[2].outcome, HONE_OUTCOME_WORKER_LOST);
  leave(&fixture);
}

/* Its own worker is waited for by jobs that no other slot can do. */
static void lost_job_that_stays(void **state)
{
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 50, two_hosts, 2);
  fixture.expected = 2;
  setup(&fixture, "c");
  submit(&fixture, "", "ok", 1, 0);
  submit(&fixture, "poison-first", "ok", 0, 0);
  run(&fixture);
  expect(&fixture, 1, HONE_OUTCOME_OK, 2);
  leave(&fixture);
}

/* Three failed starts; the fourth, much later, succeeds. */
static void host_that_is_repaired(void **state)
{
  struct launcher host;
  struct fixture fixture;

  (void)state;
  write_launcher(
      &host, "host",
      "for i in 1 2 3; do\n"
      "  mkdir $FAKE_FOLDER/$i 2>/dev/null && { echo 'no route to host' >&2; exit 255; }\n"
      "done\n"
      "rmdir $FAKE_FOLDER/[123]");
  open_stage(&fixture, 1,
             (struct hone__slot_options[]){{host.path, NULL, NULL}, {"env", NULL, NULL}}, 2);
  fixture.expected = 3;
  fixture.submits_when_back = true;
  setup(&fixture, "c");
  submit(&fixture, "", "ok", 1, 0);
  submit_movable(&fixture, "poison-first", "ok", 0);
  run(&fixture);
  expect(&fixture, 2, HONE_OUTCOME_OK, 1);
  assert_int_equal(fixture.answers[2].slot, 0);
  assert_int_equal(fixture.losts, 0);
  assert_int_equal(fixture.backs, 1);
  remove_launcher(&host);
  leave(&fixture);
}

static void submit_more(void *data, const struct hone__reply *reply)
{
  struct fixture *fixture = data;

  on_done(fixture, reply);
  for (int i = 0; i < 4; i++)
    submit_movable(fixture, "", "not_built", 0);
}

static void host_that_fails_job_after_job(void **state)
{
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 1, two_hosts, 2);
  fixture.expected = 6;
  fixture.submits_when_back = true; /* the sixth */
  setup(&fixture, "c");
  hone__pool_submit(fixture.pool, &(struct hone__job){
                                      .head = hone__wire_json_packed(json_pack("{s:s}", "op", "")),
                                      .slot = 1,
                                      .done = submit_more,
                                      .data = &fixture});
  run(&fixture);
  for (size_t i = 1; i < 4; i++)
    expect(&fixture, i, HONE_OUTCOME_NOT_BUILT, 1);
  expect(&fixture, 4, HONE_OUTCOME_WORKER_LOST, 0);
  assert_non_null(strstr(fixture.answers[4].evidence, "3 jobs in a row failed there"));
  expect(&fixture, 5, HONE_OUTCOME_OK, 1);
  assert_int_equal(fixture.aways, 1);
  assert_int_equal(fixture.backs, 1);
  leave(&fixture);
}

static void submit_on_full_disk(void *data, const struct hone__reply *reply)
{
  struct fixture *fixture = data;

  on_done(fixture, reply);
  submit_movable(fixture, "", "disk_full", 0);
}

/* The job is not at fault: it is given back. The only host keeps its answer. */
static void host_with_a_full_disk(void **state)
{
  struct fixture fixture;

  (void)state;
  open_stage(&fixture, 5, two_hosts, 2);
  fixture.expected = 2;
  setup(&fixture, "c");
  hone__pool_submit(fixture.pool, &(struct hone__job){
                                      .head = hone__wire_json_packed(json_pack("{s:s}", "op", "")),
                                      .slot = 1,
                                      .done = submit_on_full_disk,
                                      .data = &fixture});
  run(&fixture);
  expect(&fixture, 1, HONE_OUTCOME_WORKER_LOST, 1);
  assert_int_equal(fixture.aways, 1);
  leave(&fixture);
  open_one(&fixture, 5, "env", NULL);
  setup(&fixture, "c");
  submit(&fixture, "", "disk_full", 0, 0);
  run(&fixture);
  expect(&fixture, 0, HONE_OUTCOME_DISK_FULL, 1);
  leave(&fixture);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(noise_before_hello),
      cmocka_unit_test(prefix_with_a_banner),
      cmocka_unit_test(too_much_noise),
      cmocka_unit_test(dies_at_once),
      cmocka_unit_test(no_such_prefix),
      cmocka_unit_test(open_quote_in_prefix),
      cmocka_unit_test(wrong_version),
      cmocka_unit_test(newer_version),
      cmocka_unit_test(unknown_fields_are_skipped),
      cmocka_unit_test(never_says_hello),
      cmocka_unit_test(slow_launcher),
      cmocka_unit_test(launcher_exits_with_0),
      cmocka_unit_test(launcher_leaves_the_worker),
      cmocka_unit_test(stops_beating),
      cmocka_unit_test(driver_that_sleeps),
      cmocka_unit_test(late_results),
      cmocka_unit_test(garbage_in_the_stream),
      cmocka_unit_test(poison_pill),
      cmocka_unit_test(hosts_that_are_gone_do_not_count),
      cmocka_unit_test(beats_and_no_result),
      cmocka_unit_test(beats_and_no_ready),
      cmocka_unit_test(frame_that_never_ends),
      cmocka_unit_test(frame_that_never_ends_instead_of_hello),
      cmocka_unit_test(cannot_be_written_to),
      cmocka_unit_test(lost_node_holds_nobody),
      cmocka_unit_test(only_node_is_waited_for),
      cmocka_unit_test(set_aside_and_back),
      cmocka_unit_test(lost_job_moves_at_once),
      cmocka_unit_test(lost_job_that_stays),
      cmocka_unit_test(host_that_is_repaired),
      cmocka_unit_test(host_that_fails_job_after_job),
      cmocka_unit_test(host_with_a_full_disk),
  };

  signal(SIGPIPE, SIG_IGN); /* as a session does */
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
