/* Crews of fake workers (fake_worker.c, next to this program) that misbehave in one way each. Every
 * test ends with a closed loop and without a process of any worker. */
#include "filter.h"

#include "wire/packed_json.h"
#include "pool/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

const bool test_is_host = true; /* orphans do not become its children */

enum { MOST_ANSWERS = 64, PATIENCE_MS = 60000 };

struct answer {
  enum hone_outcome outcome;
  char evidence[256];
  int slot, tries;
  size_t size;
};

struct stage {
  uv_loop_t loop;
  uv_timer_t watchdog, later;
  struct hone__pool *pool;
  char folder[32], program[4096];
  size_t expected, answered; /* the pool is closed after so many answers */
  struct answer answers[MOST_ANSWERS];
  size_t readies, losts, aways, reasons, backs;
  struct hone__text lost, notes, work;
  bool in_call, closed, were_ready, submits_when_back;
};

/* ---- The stage ---- */

static void on_closed(void *data)
{
  struct stage *stage = data;

  assert_false(stage->in_call);
  stage->closed = true;
  stage->pool = NULL;
  uv_close((uv_handle_t *)&stage->watchdog, NULL);
  uv_close((uv_handle_t *)&stage->later, NULL);
}

static void close_pool(struct stage *stage)
{
  stage->in_call = true;
  hone__pool_close(stage->pool, on_closed, stage);
  stage->in_call = false;
}

static void on_done(void *data, const struct hone__reply *reply)
{
  struct stage *stage = data;
  struct answer *answer = &stage->answers[stage->answered++];

  assert_false(stage->in_call);
  answer->outcome = reply->outcome;
  snprintf(answer->evidence, sizeof answer->evidence, "%s", reply->evidence);
  answer->slot = reply->slot;
  answer->tries = reply->tries;
  answer->size = reply->payload_size;
  if (stage->answered == stage->expected) close_pool(stage);
}

static void on_ready(void *data, size_t slot, const struct hone__hello *hello,
                     const struct hone__packed *ready)
{
  struct stage *stage = data;

  (void)slot;
  assert_false(stage->in_call);
  assert_string_equal(hello->host, "here");
  assert_true(json_is_true(json_object_get(hone__packed_json(ready), "ok")));
  stage->readies++;
}

static void on_lost(void *data, size_t slot, const char *why)
{
  struct stage *stage = data;

  assert_false(stage->in_call);
  hone__text_addf(&stage->lost, "%zu: %s\n", slot, why);
  stage->losts++;
  if (stage->expected == 0) close_pool(stage);
}

static void on_note(void *data, size_t slot, const char *note)
{
  struct stage *stage = data;

  assert_false(stage->in_call);
  hone__text_addf(&stage->notes, "%zu: %s\n", slot, note);
}

static void on_away(void *data, size_t slot, const char *why)
{
  struct stage *stage = data;

  (void)slot;
  stage->aways++;
  stage->reasons += why != NULL; /* one that is slow to start has none */
}

static void submit(struct stage *stage, const char *op, const char *class, int slot, size_t size);

/* What its launcher waits for is there. */
static void on_back(void *data, size_t slot)
{
  struct stage *stage = data;
  char path[64];
  int file;

  snprintf(path, sizeof path, "%s/go", stage->folder);
  file = open(path, O_CREAT | O_CLOEXEC, 0600);
  assert_true(file >= 0);
  close(file);
  stage->backs++;
  if (stage->submits_when_back) submit(stage, "", "ok", (int)slot, 0);
}

static void on_joined(void *data, size_t slot, const char *host)
{
  struct stage *stage = data;

  assert_true(host && *host);
  hone__text_addf(&stage->work, "+%zu ", slot);
}

static void on_left(void *data, size_t slot)
{
  struct stage *stage = data;

  hone__text_addf(&stage->work, "-%zu ", slot);
}

static void on_work(void *data, const struct hone__pool_work *work)
{
  struct stage *stage = data;

  assert_true(work->began > 0 && work->ended >= work->began && work->ended <= hone__clock());
  hone__text_addf(&stage->work, "%zu:%s%s ", work->slot, hone_outcome_name(work->outcome),
                  work->is_requeued ? "!" : "");
}

static void on_watchdog(uv_timer_t *timer)
{
  (void)timer;
  fprintf(stderr, "a pool did not end\n");
  abort();
}

static void find_program(struct stage *stage)
{
  char path[4000];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);

  assert_true(length > 0);
  path[length] = 0;
  snprintf(stage->program, sizeof stage->program, "%s/fake_worker", dirname(path));
}

static void open_stage(struct stage *stage, double silence_s,
                       const struct hone__slot_options *slots, size_t slot_count)
{
  *stage = (struct stage){.expected = 1, .folder = "/tmp/hone-pool-XXXXXX"};
  find_program(stage);
  assert_non_null(mkdtemp(stage->folder));
  setenv("FAKE_FOLDER", stage->folder, 1);
  assert_int_equal(uv_loop_init(&stage->loop), 0);
  uv_timer_init(&stage->loop, &stage->watchdog);
  uv_timer_init(&stage->loop, &stage->later);
  stage->later.data = stage;
  uv_timer_start(&stage->watchdog, on_watchdog, PATIENCE_MS, 0);
  stage->in_call = true;
  assert_null(hone__pool_open(&(struct hone__pool_options){.loop = &stage->loop,
                                                           .program = stage->program,
                                                           .role = "run",
                                                           .slots = slots,
                                                           .slot_count = slot_count,
                                                           .silence_s = silence_s,
                                                           .grace_s = 0.2,
                                                           .on_ready = on_ready,
                                                           .on_lost = on_lost,
                                                           .on_note = on_note,
                                                           .on_away = on_away,
                                                           .on_back = on_back,
                                                           .on_joined = on_joined,
                                                           .on_left = on_left,
                                                           .on_work = on_work,
                                                           .data = stage},
                              &stage->pool));
  stage->in_call = false;
}

static void open_one(struct stage *stage, double silence_s, const char *prefix, const char *faults)
{
  open_stage(stage, silence_s, &(struct hone__slot_options){prefix, faults, NULL}, 1);
}

static void setup(struct stage *stage, const char *backend)
{
  stage->in_call = true;
  hone__pool_setup(stage->pool, hone__wire_json_packed(json_pack("{s:s}", "backend", backend)),
                   hone__strdup("files"), 5);
  stage->in_call = false;
}

static void submit(struct stage *stage, const char *op, const char *class, int slot, size_t size)
{
  stage->in_call = true;
  hone__pool_submit(stage->pool, &(struct hone__job){.head = hone__wire_json_packed(json_pack(
                                                         "{s:s,s:s}", "op", op, "class", class)),
                                                     .payload = size ? hone__alloc(size) : NULL,
                                                     .payload_size = size,
                                                     .timeout_s = 5,
                                                     .slot = slot,
                                                     .done = on_done,
                                                     .data = stage});
  stage->in_call = false;
}

/* With a limit of its own, which its worker does not keep. */
static void submit_limited(struct stage *stage, const char *op, int slot, double timeout_s)
{
  hone__pool_submit(stage->pool, &(struct hone__job){.head = hone__wire_json_packed(json_pack(
                                                         "{s:s,s:s}", "op", op, "class", "ok")),
                                                     .timeout_s = timeout_s,
                                                     .slot = slot,
                                                     .done = on_done,
                                                     .data = stage});
}

static void in_a_while(struct stage *stage, uv_timer_cb callback, uint64_t ms)
{
  uv_timer_start(&stage->later, callback, ms, 0);
}

static bool is_alive(int pid)
{
  char path[64], line[512] = "";
  FILE *file;
  const char *state;

  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  file = fopen(path, "re");
  if (!file) return false;
  if (!fgets(line, sizeof line, file)) line[0] = 0;
  fclose(file);
  state = strrchr(line, ')');
  return state && state[2] != 'Z' && state[2] != 'X';
}

/* Returns how many workers were started; none of them may be left. */
static size_t count_dead(const struct stage *stage)
{
  char path[64];
  size_t count = 0;
  FILE *file;
  int pid;

  static const char *const others[] = {"first", "go", NULL};

  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    snprintf(path, sizeof path, "%s/%s", stage->folder, others[i]);
    unlink(path);
  }
  snprintf(path, sizeof path, "%s/pids", stage->folder);
  file = fopen(path, "re");
  for (; file && fscanf(file, "%d", &pid) == 1; count++)
    for (int tries = 0; is_alive(pid); tries++) {
      assert_true(tries < 1000);
      usleep(10000);
    }
  if (file) fclose(file);
  unlink(path);
  return count;
}

static size_t run(struct stage *stage)
{
  size_t started;

  uv_run(&stage->loop, UV_RUN_DEFAULT);
  assert_true(stage->closed);
  assert_int_equal(uv_loop_close(&stage->loop), 0);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  assert_int_equal(errno, ECHILD);
  started = count_dead(stage);
  rmdir(stage->folder);
  return started;
}

static void leave(struct stage *stage)
{
  hone__text_release(&stage->lost);
  hone__text_release(&stage->notes);
  hone__text_release(&stage->work);
}

static void expect(const struct stage *stage, size_t index, enum hone_outcome outcome, int tries)
{
  assert_true(index < stage->answered);
  assert_string_equal(hone_outcome_name(stage->answers[index].outcome), hone_outcome_name(outcome));
  assert_int_equal(stage->answers[index].tries, tries);
}

static void expect_text(const struct hone__text *text, const char *part)
{
  if (!text->data || !strstr(text->data, part))
    fprintf(stderr, "'%s' is not in '%s'\n", part, text->data ? text->data : "");
  assert_true(text->data && strstr(text->data, part));
}

/* ---- All is well ---- */

static void jobs_on_three_slots(void **state)
{
  static const struct hone__slot_options slots[] = {
      {NULL, "a", NULL}, {"", "b", NULL}, {NULL, NULL, NULL}};
  struct stage stage;
  unsigned seen = 0;
  double seconds;

  (void)state;
  open_stage(&stage, 5, slots, 3);
  stage.expected = 24;
  setup(&stage, "c");
  assert_int_equal(hone__pool_usable(stage.pool), 3);
  assert_int_equal(hone__pool_idle(stage.pool), 0);
  for (size_t i = 0; i < stage.expected; i++)
    submit(&stage, "work", "ok", HONE__ANY_SLOT, i * 100000);
  assert_int_equal(hone__pool_pending(stage.pool), 24);
  seconds = (double)uv_hrtime() / 1e9;
  assert_int_equal(run(&stage), 3);
  seconds = (double)uv_hrtime() / 1e9 - seconds;
  assert_int_equal(stage.readies, 3);
  for (size_t i = 0; i < stage.expected; i++) {
    expect(&stage, i, HONE_OUTCOME_OK, 1);
    assert_string_equal(stage.answers[i].evidence, "so it was told");
    seen |= 1u << stage.answers[i].slot;
  }
  assert_int_equal(seen, 7);
  assert_true(seconds < 24 * 0.3); /* one after the other they take longer */
  leave(&stage);
}

static void fixed_slots_in_order(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "a", NULL}, {NULL, "b", NULL}};
  struct stage stage;

  (void)state;
  open_stage(&stage, 5, slots, 2);
  stage.expected = 5;
  for (size_t i = 0; i < 5; i++)
    submit(&stage, "", "ok", 1, 1 + i);
  assert_int_equal(run(&stage), 2);
  for (size_t i = 0; i < 5; i++) {
    assert_int_equal(stage.answers[i].slot, 1);
    assert_int_equal(stage.answers[i].size, 1 + i);
  }
  leave(&stage);
}

static void large_payload(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 10, NULL, NULL);
  submit(&stage, "", "ok", HONE__ANY_SLOT, 40u << 20);
  run(&stage);
  expect(&stage, 0, HONE_OUTCOME_OK, 1);
  assert_int_equal(stage.answers[0].size, 40u << 20);
  leave(&stage);
}

static void submit_again(void *data, const struct hone__reply *reply)
{
  struct stage *stage = data;

  on_done(stage, reply);
  if (stage->answered < stage->expected) submit(stage, "", "ok", HONE__ANY_SLOT, 0);
}

static void jobs_from_answers(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, NULL, NULL);
  stage.expected = 3;
  setup(&stage, "c");
  for (int i = 0; i < 2; i++)
    hone__pool_submit(stage.pool, &(struct hone__job){.head = hone__wire_json_packed(json_object()),
                                                      .slot = HONE__ANY_SLOT,
                                                      .done = submit_again,
                                                      .data = &stage});
  run(&stage);
  assert_int_equal(stage.answered, 4); /* the one that was left at the close too */
  expect(&stage, 2, HONE_OUTCOME_OK, 1);
  expect(&stage, 3, HONE_OUTCOME_INTERRUPTED, 1); /* handed out before the answer was given */
  leave(&stage);
}

static void idle_counts(uv_timer_t *timer)
{
  struct stage *stage = timer->data;

  if (hone__pool_idle(stage->pool) < 2) {
    in_a_while(stage, idle_counts, 20);
    return;
  }
  submit(stage, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(hone__pool_idle(stage->pool), 1);
  submit(stage, "", "ok", 1, 0);
  assert_int_equal(hone__pool_idle(stage->pool), 0);
}

static void idle_slots_are_counted(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "a", NULL}, {NULL, "b", NULL}};
  struct stage stage;

  (void)state;
  open_stage(&stage, 5, slots, 2);
  stage.expected = 2;
  setup(&stage, "c");
  in_a_while(&stage, idle_counts, 0);
  run(&stage);
  leave(&stage);
}

/* ---- Starting ---- */

static void noise_before_hello(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, NULL, "noise");
  submit(&stage, "", "ok", 0, 0);
  assert_int_equal(run(&stage), 1);
  expect(&stage, 0, HONE_OUTCOME_OK, 1);
  leave(&stage);
}

static void prefix_with_a_banner(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, "sh -c 'echo \"hello there\"; echo to stderr >&2; exec \"$@\"' sh", "noise");
  submit(&stage, "", "ok", 0, 0);
  assert_int_equal(run(&stage), 1);
  expect(&stage, 0, HONE_OUTCOME_OK, 1);
  leave(&stage);
}

static void too_much_noise(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, NULL, "flood");
  stage.expected = 0;
  assert_int_equal(run(&stage), 3);
  expect_text(&stage.lost, "did not start");
  leave(&stage);
}

static void dies_at_once(void **state)
{
  static const struct hone__slot_options slots[] = {{"env", "die", NULL}, {NULL, NULL, NULL}};
  struct stage stage;

  (void)state;
  open_stage(&stage, 5, slots, 2);
  stage.expected = 3;
  setup(&stage, "c");
  submit(&stage, "", "ok", 0, 0);
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  submit(&stage, "work", "ok", 1, 0);
  assert_int_equal(run(&stage), 4); /* three times one, once the other */
  expect(&stage, 0, HONE_OUTCOME_OK, 1);
  expect(&stage, 1, HONE_OUTCOME_OK, 1);
  expect(&stage, 2, HONE_OUTCOME_WORKER_LOST, 0);
  assert_string_equal(stage.answers[2].evidence,
                      "worker 'env' (die) did not start: Permission denied (publickey).");
  assert_int_equal(stage.losts, 0); /* it is tried again later */
  assert_int_equal(stage.aways, 1);
  leave(&stage);
}

static void no_such_prefix(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, "/no/such/ssh gpu7", NULL);
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&stage), 0);
  expect(&stage, 0, HONE_OUTCOME_WORKER_LOST, 0);
  expect_text(&stage.lost, "worker '/no/such/ssh gpu7' did not start: cannot run '/no/such/ssh'");
  leave(&stage);
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
  struct stage stage;

  (void)state;
  open_one(&stage, 5, NULL, "version");
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&stage), 1); /* trying again would not help */
  expect(&stage, 0, HONE_OUTCOME_WORKER_LOST, 0);
  expect_text(&stage.lost, "hone 0.0.1");
  expect_text(&stage.lost, hone_version());
  leave(&stage);
}

/* A newer version is refused as an older one is, whatever else it says. */
static void newer_version(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, NULL, "newer");
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&stage), 1);
  expect(&stage, 0, HONE_OUTCOME_WORKER_LOST, 0);
  expect_text(&stage.lost, "hone 99.0.0");
  leave(&stage);
}

static void unknown_fields_are_skipped(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, NULL, "talkative");
  setup(&stage, "c");
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&stage), 1);
  expect(&stage, 0, HONE_OUTCOME_OK, 1);
  leave(&stage);
}

static void never_says_hello(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 1, NULL, "mute");
  stage.expected = 0;
  assert_int_equal(run(&stage), 3);
  expect_text(&stage.lost, "no heartbeat");
  leave(&stage);
}

static void slow_launcher(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 1, "sh -c 'echo queued >&2; sleep 2.5; exec \"$@\"' sh", NULL);
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&stage), 1);
  expect(&stage, 0, HONE_OUTCOME_OK, 1);
  expect_text(&stage.notes, "waiting for worker 'sh -c");
  expect_text(&stage.notes, ": queued");
  leave(&stage);
}

/* ---- Losing workers ---- */

static void launcher_exits_with_0(void **state)
{
  static const struct hone__slot_options slots[] = {
      {"sh -c '\"$@\"; echo node failure >&2; exit 0' sh", NULL, NULL}, {"env", NULL, NULL}};
  struct stage stage;

  (void)state;
  open_stage(&stage, 5, slots, 2);
  submit(&stage, "poison-first", "ok", 0, 0);
  assert_int_equal(run(&stage), 3);
  expect(&stage, 0, HONE_OUTCOME_OK, 2);
  expect_text(&stage.notes, "node failure");
  expect_text(&stage.work, "-0 0:worker_lost! "); /* when it was lost, and that it is tried again */
  expect_text(&stage.work, "0:ok ");
  leave(&stage);
}

static void launcher_leaves_the_worker(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, "sh -c 'exec 3<&0; \"$@\" <&3 & sleep 3' sh", "stubborn");
  submit(&stage, "hang", "ok", 0, 0);
  assert_int_equal(run(&stage), 2);
  expect(&stage, 0, HONE_OUTCOME_WORKER_LOST, 2);
  leave(&stage);
}

static void stops_beating(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 2, NULL, "hush");
  setup(&stage, "c");
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&stage), 2);
  expect(&stage, 0, HONE_OUTCOME_OK, 2);
  expect_text(&stage.notes, "ended during a job: no heartbeat");
  assert_int_equal(stage.readies, 2);
  leave(&stage);
}

static void sleep_long(uv_timer_t *timer)
{
  (void)timer;
  sleep(3);
}

static void driver_that_sleeps(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 2, NULL, NULL);
  for (stage.expected = 0; stage.expected < 10; stage.expected++)
    submit(&stage, "work", "ok", HONE__ANY_SLOT, 0);
  in_a_while(&stage, sleep_long, 500);
  assert_int_equal(run(&stage), 1);
  assert_null(stage.notes.data);
  leave(&stage);
}

static void late_results(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, NULL, "late");
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&stage), 2);
  expect(&stage, 0, HONE_OUTCOME_OK, 2);
  leave(&stage);
}

static void garbage_in_the_stream(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, NULL, "garbage");
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&stage), 2);
  expect(&stage, 0, HONE_OUTCOME_OK, 2);
  expect_text(&stage.notes, "not a frame");
  leave(&stage);
}

static void poison_pill(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "a", NULL}, {NULL, "b", NULL}};
  struct stage stage;

  (void)state;
  open_stage(&stage, 5, slots, 2);
  stage.expected = 5;
  submit(&stage, "poison", "ok", HONE__ANY_SLOT, 0);
  for (int i = 0; i < 4; i++)
    submit(&stage, "work", "ok", HONE__ANY_SLOT, 0);
  run(&stage);
  for (size_t i = 0, pills = 0; i < 5; i++) {
    bool is_pill = stage.answers[i].outcome == HONE_OUTCOME_WORKER_LOST;
    expect(&stage, i, is_pill ? HONE_OUTCOME_WORKER_LOST : HONE_OUTCOME_OK, is_pill ? 2 : 1);
    if (is_pill)
      assert_non_null(strstr(stage.answers[i].evidence, "two workers ended while they ran it"));
    pills += is_pill;
    if (i == 4) assert_int_equal(pills, 1);
  }
  expect_text(&stage.notes, "0: "); /* both slots had it, and both are in use again */
  expect_text(&stage.notes, "1: ");
  assert_int_equal(stage.losts, 0);
  leave(&stage);
}

/* Hosts that are lost at once: a job that meets one of them after the other is not to blame. A beat
 * that arrives after the job was sent would be a sign of life. */
static void hosts_that_are_gone_do_not_count(void **state)
{
  static const struct hone__slot_options slots[] = {{"env", "quiet", "a"}, {"env", "quiet", "b"}};
  struct stage stage;

  (void)state;
  open_stage(&stage, 5, slots, 2);
  stage.expected = 1;
  submit(&stage, "poison", "ok", HONE__ANY_SLOT, 0);
  run(&stage);
  expect(&stage, 0, HONE_OUTCOME_WORKER_LOST, 4); /* two of the losses were forgiven */
  leave(&stage);
}

/* ---- Workers that only beat ---- */

static void beats_and_no_result(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 2, NULL, NULL);
  stage.expected = 2;
  submit_limited(&stage, "hang-first", 0, 0.2);
  submit_limited(&stage, "hang", 0, 0.2);
  assert_in_range(run(&stage), 3, 4);
  expect(&stage, 0, HONE_OUTCOME_OK, 2); /* by the worker that was started then */
  expect(&stage, 1, HONE_OUTCOME_WORKER_LOST, 2);
  expect_text(&stage.notes, "ended during a job: no reply");
  assert_non_null(strstr(stage.answers[1].evidence, "no reply"));
  leave(&stage);
}

static void beats_and_no_ready(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "never-ready", NULL},
                                                    {NULL, "late-ready", NULL}};
  struct stage stage;

  (void)state;
  open_stage(&stage, 2, slots, 2);
  stage.expected = 2;
  hone__pool_setup(stage.pool,
                   hone__wire_json_packed(json_pack("{s:s,s:f}", "backend", "c", "timeout_s", 0.2)),
                   NULL, 0);
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  submit(&stage, "", "ok", 0, 0);
  assert_in_range(run(&stage), 4, 5);
  expect(&stage, 0, HONE_OUTCOME_OK, 1);
  assert_int_equal(stage.answers[0].slot, 1);
  expect(&stage, 1, HONE_OUTCOME_WORKER_LOST, 0);
  expect_text(&stage.notes, "ended during setup: no reply");
  leave(&stage);
}

static void frame_that_never_ends(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 1, NULL, NULL);
  submit(&stage, "giant-first", "ok", 0, 0);
  assert_int_equal(run(&stage), 2);
  expect(&stage, 0, HONE_OUTCOME_OK, 2);
  expect_text(&stage.notes, "no heartbeat");
  leave(&stage);
}

static void frame_that_never_ends_instead_of_hello(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 1, NULL, "giant");
  stage.expected = 0;
  assert_int_equal(run(&stage), 3);
  expect_text(&stage.lost, "did not start");
  leave(&stage);
}

static void cannot_be_written_to(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, NULL, "deaf");
  submit(&stage, "", "ok", 0, 0);
  assert_int_equal(run(&stage), 2);
  expect(&stage, 0, HONE_OUTCOME_OK, 2);
  expect_text(&stage.notes, "cannot write to it: broken pipe");
  leave(&stage);
}

/* ---- Workers that are not there ---- */

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
  struct stage stage;

  (void)state;
  write_launcher(&srun, "srun", queue_for_ever);
  open_stage(&stage, 1, (struct hone__slot_options[]){{srun.path, NULL, NULL}, {NULL, NULL, NULL}},
             2);
  stage.expected = 3;
  setup(&stage, "c");
  submit(&stage, "poison-first", "ok", 0, 0);
  submit(&stage, "", "ok", 0, 0); /* was not begun */
  submit(&stage, "work", "ok", 1, 0);
  assert_int_equal(run(&stage), 2);
  expect(&stage, 0, HONE_OUTCOME_OK, 1);
  expect(&stage, 1, HONE_OUTCOME_WORKER_LOST, 1);
  expect(&stage, 2, HONE_OUTCOME_WORKER_LOST, 0);
  assert_int_equal(stage.aways, 1);
  assert_int_equal(stage.reasons, 1);
  assert_int_equal(stage.backs + stage.losts, 0);
  remove_launcher(&srun);
  leave(&stage);
}

/* Without another one there is nothing but to wait, for longer than any silence. */
static void only_node_is_waited_for(void **state)
{
  struct launcher srun;
  struct stage stage;

  (void)state;
  write_launcher(&srun, "srun", "sleep 3");
  open_one(&stage, 1, srun.path, NULL);
  stage.expected = 2;
  setup(&stage, "c");
  hone__pool_submit(stage.pool, &(struct hone__job){.head = hone__wire_json_packed(
                                                        json_pack("{s:s}", "op", "poison-first")),
                                                    .may_be_skipped = true,
                                                    .done = on_done,
                                                    .data = &stage});
  submit(&stage, "", "ok", 0, 0);
  assert_int_equal(run(&stage), 2);
  expect(&stage, 0, HONE_OUTCOME_WORKER_LOST, 1); /* this one was not worth it */
  expect(&stage, 1, HONE_OUTCOME_OK, 1);
  assert_int_equal(stage.aways, 0);
  remove_launcher(&srun);
  leave(&stage);
}

static void submit_elsewhere(void *data, const struct hone__reply *reply)
{
  struct stage *stage = data;

  on_done(stage, reply);
  submit(stage, "poison-first", "ok", 1, 0); /* now the other one goes, for good */
  submit(stage, "", "ok", 0, 0);
}

/* Whoever is set aside is called back when no other is left. */
static void set_aside_and_back(void **state)
{
  struct launcher srun, mortal;
  struct stage stage;
  size_t last;

  (void)state;
  write_launcher(&srun, "srun", queue_for_a_while);
  write_launcher(&mortal, "mortal", "exit 1");
  open_stage(&stage, 1,
             (struct hone__slot_options[]){{srun.path, NULL, NULL}, {mortal.path, NULL, NULL}}, 2);
  stage.expected = 4;
  stage.submits_when_back = true;
  setup(&stage, "c");
  hone__pool_submit(stage.pool, &(struct hone__job){.head = hone__wire_json_packed(
                                                        json_pack("{s:s}", "op", "poison-first")),
                                                    .done = submit_elsewhere,
                                                    .data = &stage});
  assert_int_equal(run(&stage), 3);
  expect(&stage, 0, HONE_OUTCOME_WORKER_LOST, 1);
  expect(&stage, 1, HONE_OUTCOME_WORKER_LOST, 0); /* for slot 0, which is aside */
  last = stage.answers[2].slot == 0 ? 2 : 3;      /* of the other's job it is not known when */
  expect(&stage, last, HONE_OUTCOME_OK, 1);
  expect(&stage, 5 - last, HONE_OUTCOME_WORKER_LOST, 1);
  assert_int_equal(stage.answers[last].slot, 0);
  assert_in_range(stage.aways, 1, 2); /* a slow end of the other is an absence, too */
  assert_int_equal(stage.backs, 1);
  remove_launcher(&srun);
  remove_launcher(&mortal);
  leave(&stage);
}

/* ---- Hosts that fail ---- */

static void submit_movable(struct stage *stage, const char *op, const char *class, int slot)
{
  hone__pool_submit(stage->pool, &(struct hone__job){.head = hone__wire_json_packed(json_pack(
                                                         "{s:s,s:s}", "op", op, "class", class)),
                                                     .timeout_s = 5,
                                                     .slot = slot,
                                                     .may_move = true,
                                                     .done = on_done,
                                                     .data = stage});
}

static const struct hone__slot_options two_hosts[] = {{"env", NULL, NULL}, {"env", NULL, NULL}};

static void submit_lost_and_next(void *data, const struct hone__reply *reply)
{
  struct stage *stage = data;

  on_done(stage, reply);
  submit_movable(stage, "poison-first", "ok", 0);
  submit_movable(stage, "", "ok", 0); /* was not begun */
}

/* Not only after the silence that is allowed: 50 s. */
static void lost_job_moves_at_once(void **state)
{
  struct stage stage;
  uint64_t began;

  (void)state;
  open_stage(&stage, 50, two_hosts, 2);
  stage.expected = 3;
  setup(&stage, "c");
  hone__pool_submit(
      stage.pool, &(struct hone__job){.head = hone__wire_json_packed(json_pack("{s:s}", "op", "")),
                                      .slot = 1,
                                      .done = submit_lost_and_next,
                                      .data = &stage});
  began = uv_hrtime();
  run(&stage);
  assert_true((double)(uv_hrtime() - began) < 20e9);
  assert_int_equal(stage.aways, 1);
  assert_int_equal(stage.reasons, 1);
  assert_int_equal(stage.answers[2].outcome, HONE_OUTCOME_WORKER_LOST);
  leave(&stage);
}

/* Its own worker is waited for by jobs that no other slot can do. */
static void lost_job_that_stays(void **state)
{
  struct stage stage;

  (void)state;
  open_stage(&stage, 50, two_hosts, 2);
  stage.expected = 2;
  setup(&stage, "c");
  submit(&stage, "", "ok", 1, 0);
  submit(&stage, "poison-first", "ok", 0, 0);
  run(&stage);
  expect(&stage, 1, HONE_OUTCOME_OK, 2);
  leave(&stage);
}

/* Three failed starts; the fourth, much later, succeeds. */
static void host_that_is_repaired(void **state)
{
  struct launcher host;
  struct stage stage;

  (void)state;
  write_launcher(
      &host, "host",
      "for i in 1 2 3; do\n"
      "  mkdir $FAKE_FOLDER/$i 2>/dev/null && { echo 'no route to host' >&2; exit 255; }\n"
      "done\n"
      "rmdir $FAKE_FOLDER/[123]");
  open_stage(&stage, 1, (struct hone__slot_options[]){{host.path, NULL, NULL}, {"env", NULL, NULL}},
             2);
  stage.expected = 3;
  stage.submits_when_back = true;
  setup(&stage, "c");
  submit(&stage, "", "ok", 1, 0);
  submit_movable(&stage, "poison-first", "ok", 0);
  run(&stage);
  expect(&stage, 2, HONE_OUTCOME_OK, 1);
  assert_int_equal(stage.answers[2].slot, 0);
  assert_int_equal(stage.losts, 0);
  assert_int_equal(stage.backs, 1);
  remove_launcher(&host);
  leave(&stage);
}

static void submit_more(void *data, const struct hone__reply *reply)
{
  struct stage *stage = data;

  on_done(stage, reply);
  for (int i = 0; i < 4; i++)
    submit_movable(stage, "", "not_built", 0);
}

static void host_that_fails_job_after_job(void **state)
{
  struct stage stage;

  (void)state;
  open_stage(&stage, 1, two_hosts, 2);
  stage.expected = 6;
  stage.submits_when_back = true; /* the sixth */
  setup(&stage, "c");
  hone__pool_submit(
      stage.pool, &(struct hone__job){.head = hone__wire_json_packed(json_pack("{s:s}", "op", "")),
                                      .slot = 1,
                                      .done = submit_more,
                                      .data = &stage});
  run(&stage);
  for (size_t i = 1; i < 4; i++)
    expect(&stage, i, HONE_OUTCOME_NOT_BUILT, 1);
  expect(&stage, 4, HONE_OUTCOME_WORKER_LOST, 0);
  assert_non_null(strstr(stage.answers[4].evidence, "3 jobs in a row failed there"));
  expect(&stage, 5, HONE_OUTCOME_OK, 1);
  assert_int_equal(stage.aways, 1);
  assert_int_equal(stage.backs, 1);
  leave(&stage);
}

static void submit_on_full_disk(void *data, const struct hone__reply *reply)
{
  struct stage *stage = data;

  on_done(stage, reply);
  submit_movable(stage, "", "disk_full", 0);
}

/* The job is not at fault: it is given back. The only host keeps its answer. */
static void host_with_a_full_disk(void **state)
{
  struct stage stage;

  (void)state;
  open_stage(&stage, 5, two_hosts, 2);
  stage.expected = 2;
  setup(&stage, "c");
  hone__pool_submit(
      stage.pool, &(struct hone__job){.head = hone__wire_json_packed(json_pack("{s:s}", "op", "")),
                                      .slot = 1,
                                      .done = submit_on_full_disk,
                                      .data = &stage});
  run(&stage);
  expect(&stage, 1, HONE_OUTCOME_WORKER_LOST, 1);
  assert_int_equal(stage.aways, 1);
  leave(&stage);
  open_one(&stage, 5, "env", NULL);
  setup(&stage, "c");
  submit(&stage, "", "disk_full", 0, 0);
  run(&stage);
  expect(&stage, 0, HONE_OUTCOME_DISK_FULL, 1);
  leave(&stage);
}

/* ---- Answers that are tried again ---- */

static void crash_then_ok(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, NULL, NULL);
  stage.expected = 2;
  submit(&stage, "", "ok", 0, 0); /* the runner is used: the next job crashes in it */
  submit(&stage, "crash-stale", "ok", 0, 7);
  assert_int_equal(run(&stage), 1);
  expect(&stage, 1, HONE_OUTCOME_OK, 2);
  assert_int_equal(stage.answers[1].size, 7);
  leave(&stage);
}

static void restart_when_asked(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, NULL, NULL);
  stage.expected = 2;
  submit(&stage, "", "ok", 0, 0);
  hone__pool_submit(stage.pool, &(struct hone__job){.head = hone__wire_json_packed(
                                                        json_pack("{s:s}", "op", "crash-stale")),
                                                    .restart = true,
                                                    .done = on_done,
                                                    .data = &stage});
  run(&stage);
  expect(&stage, 1, HONE_OUTCOME_OK, 1);
  leave(&stage);
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
  struct stage stage;
  double seconds = (double)uv_hrtime() / 1e9;

  (void)state;
  open_one(&stage, 5, NULL, NULL);
  stage.expected = count;
  setup(&stage, "c");
  for (size_t i = 0; i < count; i++)
    submit(&stage, "", rows[i].class, HONE__ANY_SLOT, 0);
  assert_int_equal(run(&stage), 1);
  for (size_t i = 0; i < count; i++) {
    expect(&stage, i, rows[i].outcome, rows[i].tries);
  }
  assert_true((double)uv_hrtime() / 1e9 - seconds > 2.0); /* those that were killed waited */
  leave(&stage);
}

/* An answer of no class that is known is the worker's fault, not the job's. */
static void answers_without_sense(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "a", NULL}, {NULL, "b", NULL}};
  struct stage stage;
  size_t lost;

  (void)state;
  open_stage(&stage, 5, slots, 2);
  stage.expected = 2;
  submit(&stage, "", "nonsense", HONE__ANY_SLOT, 0);
  submit(&stage, "work", "ok", HONE__ANY_SLOT, 0);
  run(&stage);
  lost = stage.answers[0].outcome == HONE_OUTCOME_OK ? 1 : 0; /* whichever is over first */
  expect(&stage, lost, HONE_OUTCOME_WORKER_LOST, 2);
  expect(&stage, 1 - lost, HONE_OUTCOME_OK, 1);
  expect_text(&stage.notes, "its reply is not valid");
  leave(&stage);
}

/* ---- Setups ---- */

static void setup_fails_on_one_slot(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "refuse", NULL}, {NULL, NULL, NULL}};
  struct stage stage;

  (void)state;
  open_stage(&stage, 5, slots, 2);
  stage.expected = 3;
  setup(&stage, "c");
  for (int i = 0; i < 2; i++)
    submit(&stage, "work", "ok", HONE__ANY_SLOT, 0);
  submit(&stage, "", "ok", 0, 0);
  assert_int_equal(run(&stage), 2);
  assert_int_equal(stage.losts, 1);
  expect_text(&stage.lost, "0: worker 'refuse' cannot prepare: no such gpu");
  for (size_t i = 0; i < 3; i++) {
    bool is_lost = stage.answers[i].outcome == HONE_OUTCOME_WORKER_LOST;
    if (is_lost) assert_non_null(strstr(stage.answers[i].evidence, "no such gpu"));
    if (!is_lost) assert_int_equal(stage.answers[i].slot, 1);
  }
  leave(&stage);
}

static void setup_again(void *data, const struct hone__reply *reply)
{
  struct stage *stage = data;

  on_done(stage, reply);
  if (stage->answered > 1) return;
  assert_int_equal(hone__pool_usable(stage->pool), 0);
  setup(stage, "better");
  assert_int_equal(hone__pool_usable(stage->pool), 1);
  submit(stage, "", "ok", HONE__ANY_SLOT, 0);
}

static void later_setup_revives(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, NULL, "refuse");
  stage.expected = 2;
  setup(&stage, "c");
  hone__pool_submit(stage.pool, &(struct hone__job){.head = hone__wire_json_packed(json_object()),
                                                    .slot = HONE__ANY_SLOT,
                                                    .done = setup_again,
                                                    .data = &stage});
  assert_int_equal(run(&stage), 1);
  expect(&stage, 0, HONE_OUTCOME_WORKER_LOST, 0);
  expect(&stage, 1, HONE_OUTCOME_OK, 1);
  leave(&stage);
}

static void dies_of_its_setup(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, NULL, "dies-of-setup");
  setup(&stage, "c");
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  assert_in_range(run(&stage), 3, 4);
  expect(&stage, 0, HONE_OUTCOME_WORKER_LOST, 0);
  expect_text(&stage.lost, "ended during setup");
  leave(&stage);
}

/* Each job is done under the setup that was the last when it was submitted. */
static void jobs_keep_their_setup(void **state)
{
  struct stage stage;

  (void)state;
  open_one(&stage, 5, NULL, "refuse");
  stage.expected = 3;
  setup(&stage, "better");
  submit(&stage, "work", "ok", HONE__ANY_SLOT, 0);
  setup(&stage, "c");
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  setup(&stage, "better");
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  run(&stage);
  expect(&stage, 0, HONE_OUTCOME_OK, 1);
  expect(&stage, 1, HONE_OUTCOME_WORKER_LOST, 0);
  expect(&stage, 2, HONE_OUTCOME_OK, 1);
  leave(&stage);
}

/* ---- Stopping ---- */

/* False: not yet, and `callback` comes again. A moment after the last one is ready all are busy. */
static bool are_ready(struct stage *stage, size_t count, uv_timer_cb callback)
{
  bool were_ready = stage->were_ready;

  stage->were_ready = stage->readies >= count;
  if (!were_ready) in_a_while(stage, callback, 100);
  return were_ready;
}

static void cancel(uv_timer_t *timer)
{
  struct stage *stage = timer->data;

  if (!are_ready(stage, 2, cancel)) return;
  stage->in_call = true;
  hone__pool_cancel(stage->pool);
  stage->in_call = false;
  assert_int_equal(hone__pool_pending(stage->pool), 3);
  submit(stage, "", "ok", HONE__ANY_SLOT, 0);
}

static void cancel_while_busy(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "stubborn", NULL}, {NULL, NULL, NULL}};
  struct stage stage;

  (void)state;
  open_stage(&stage, 5, slots, 2);
  stage.expected = 4;
  setup(&stage, "c");
  for (int i = 0; i < 3; i++)
    submit(&stage, "hang", "ok", HONE__ANY_SLOT, 0);
  in_a_while(&stage, cancel, 0);
  run(&stage);
  for (size_t i = 0; i < 3; i++)
    expect(&stage, i, HONE_OUTCOME_INTERRUPTED, i < 2);
  expect(&stage, 3, HONE_OUTCOME_OK, 1); /* the pool goes on */
  leave(&stage);
}

static void cancel_the_other(uv_timer_t *timer)
{
  struct stage *stage = timer->data;

  assert_int_equal(stage->answered, 2);
  assert_int_equal(hone__pool_pending(stage->pool), 1);
  hone__pool_cancel(stage->pool);
}

static void cancel_waiting(uv_timer_t *timer)
{
  struct stage *stage = timer->data;

  if (!are_ready(stage, 1, cancel_waiting)) return;
  hone__pool_cancel_waiting(stage->pool);
  in_a_while(stage, cancel_the_other, 200);
}

/* What a worker has begun goes on. */
static void cancel_those_who_wait(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, NULL, NULL}};
  struct stage stage;

  (void)state;
  open_stage(&stage, 5, slots, 1);
  stage.expected = 3;
  setup(&stage, "c");
  submit(&stage, "hang", "ok", HONE__ANY_SLOT, 0);
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  submit(&stage, "", "ok", 0, 0);
  in_a_while(&stage, cancel_waiting, 0);
  run(&stage);
  expect(&stage, 0, HONE_OUTCOME_INTERRUPTED, 0);
  expect(&stage, 1, HONE_OUTCOME_INTERRUPTED, 0);
  expect(&stage, 2, HONE_OUTCOME_INTERRUPTED, 1);
  hone__pool_cancel(NULL);
  leave(&stage);
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
  struct stage stage;

  (void)state;
  open_stage(&stage, 5, slots, 3);
  stage.expected = MOST_ANSWERS;
  setup(&stage, "c");
  submit(&stage, "hang", "ok", 2, 0);
  in_a_while(&stage, close_three, 0);
  assert_int_equal(run(&stage), 3);
  expect(&stage, 0, HONE_OUTCOME_INTERRUPTED, 1);
  leave(&stage);
}

static void close_at_any_time(void **state)
{
  static const struct hone__slot_options slots[] = {{NULL, "die", NULL},
                                                    {"/no/such/program", NULL, NULL},
                                                    {NULL, "hush", NULL},
                                                    {NULL, "garbage", NULL}};

  (void)state;
  for (uint64_t ms = 0; ms < 640; ms = ms ? 2 * ms : 5) {
    struct stage stage;
    open_stage(&stage, 0.2, slots, 4);
    stage.expected = MOST_ANSWERS;
    setup(&stage, "c");
    for (int slot = -1; slot < 4; slot++)
      submit(&stage, "work", "ok", slot, 0);
    in_a_while(&stage, close_now, ms);
    run(&stage);
    assert_int_equal(stage.answered, 5);
    leave(&stage);
  }
}

static void close_without_slots(void **state)
{
  struct stage stage;

  (void)state;
  open_stage(&stage, 5, NULL, 0);
  submit(&stage, "", "ok", HONE__ANY_SLOT, 0);
  assert_int_equal(run(&stage), 0);
  expect(&stage, 0, HONE_OUTCOME_WORKER_LOST, 0);
  leave(&stage);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(jobs_on_three_slots),
      cmocka_unit_test(fixed_slots_in_order),
      cmocka_unit_test(large_payload),
      cmocka_unit_test(jobs_from_answers),
      cmocka_unit_test(idle_slots_are_counted),
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
      cmocka_unit_test(crash_then_ok),
      cmocka_unit_test(restart_when_asked),
      cmocka_unit_test(retries_by_class),
      cmocka_unit_test(answers_without_sense),
      cmocka_unit_test(setup_fails_on_one_slot),
      cmocka_unit_test(later_setup_revives),
      cmocka_unit_test(dies_of_its_setup),
      cmocka_unit_test(jobs_keep_their_setup),
      cmocka_unit_test(cancel_while_busy),
      cmocka_unit_test(cancel_those_who_wait),
      cmocka_unit_test(close_with_stubborn_workers),
      cmocka_unit_test(close_at_any_time),
      cmocka_unit_test(close_without_slots),
  };

  signal(SIGPIPE, SIG_IGN); /* as a session does */
  if (argc > 1) cmocka_set_test_filter(argv[1]);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
