/* A supervisor's orders, frame by frame: every order gets one answer, whatever the runner does. The
 * runner here is a process that does nothing; its frames are written by the tests. */
#include "base/compress.h"
#include "base/digest.h"
#include "worker/supervisor.h"

#include "base/clock.h"
#include "hone_machine.h"
#include "store/cache.h"
#include "wire/packed_json.h"
#include "worker/worker.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { EPOCH = 5 };

struct world {
  struct hone__supervisor s;
  struct hone__frame_reader to_driver, to_runner;
  struct hone__frame frame; /* the last one that was expected */
  pid_t idle;               /* the present runner */
};

/* ---- The runner ---- */

static void start_runner(struct world *world)
{
  world->idle = fork();
  if (world->idle == 0)
    for (;;)
      pause();
  assert_true(world->idle > 0);
  world->s.sandbox = (struct hone__sandbox){.pid = world->idle, .pidfd = -1, .in = -1, .out = -1};
  assert_int_equal(hone__capture_open(&world->s.sandbox.output), 0);
}

/* The end of the runner, as waitpid reports it; `said`: its last words. */
static void end_runner(struct world *world, int status, const char *said)
{
  if (said && write(world->s.sandbox.output.write_end, said, strlen(said)) < 0) fail();
  hone__capture_close_write(&world->s.sandbox.output);
  while (hone__capture_read(&world->s.sandbox.output)) {}
  kill(world->idle, SIGKILL);
  waitpid(world->idle, NULL, 0);
  world->idle = 0;
  hone__supervisor_runner_is_gone(&world->s, status, 0);
}

/* It was killed by the supervisor: waits until that is so. */
static void wait_for_kill(struct world *world)
{
  int status;

  assert_true(world->s.is_dying);
  assert_int_equal(waitpid(world->idle, &status, 0), world->idle);
  assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  hone__capture_close_write(&world->s.sandbox.output);
  world->idle = 0;
  hone__supervisor_runner_is_gone(&world->s, status, 0);
}

static int begin(void **state)
{
  struct world *world = calloc(1, sizeof *world);

  world->s.role = "run";
  world->s.device = "c:0";
  world->s.kind = HONE__SANDBOX_PLAIN;
  world->s.deadline = INFINITY;
  world->s.queue_end = &world->s.queue;
  start_runner(world);
  *state = world;
  return 0;
}

static int end(void **state)
{
  struct world *world = *state;
  bool is_alive = world->s.sandbox.pid > 0;

  if (is_alive) kill(world->s.sandbox.pid, SIGKILL);
  if (is_alive) waitpid(world->s.sandbox.pid, NULL, 0);
  hone__supervisor_forget_runner(&world->s);
  hone__supervisor_release(&world->s);
  hone__frame_reader_release(&world->to_driver);
  hone__frame_reader_release(&world->to_runner);
  free(world);
  return 0;
}

/* ---- Frames ---- */

static void feed(struct hone__frame_reader *reader, enum hone__frame_kind kind, uint32_t epoch,
                 uint64_t job, const char *head)
{
  struct hone__text bytes = {0};
  json_t *json = json_loads(head, 0, NULL);

  assert_non_null(json);
  hone__frame_encode(
      &(struct hone__frame){
          .kind = kind, .epoch = epoch, .job = job, .head = hone__wire_json_packed(json)},
      &bytes);
  hone__frame_feed(reader, bytes.data, bytes.length);
  hone__text_release(&bytes);
  json_decref(json);
}

static void driver_sends(struct world *world, enum hone__frame_kind kind, uint64_t job,
                         const char *head)
{
  feed(&world->s.from_driver, kind, EPOCH, job, head);
  hone__supervisor_read_driver(&world->s);
  hone__supervisor_next(&world->s);
}

static void runner_sends(struct world *world, enum hone__frame_kind kind, uint64_t job,
                         const char *head)
{
  feed(&world->s.from_runner, kind, EPOCH, job, head);
  hone__supervisor_read_runner(&world->s);
  hone__supervisor_next(&world->s);
}

static bool next_frame(struct hone__frame_reader *reader, struct hone__write_queue *queue,
                       struct hone__frame *out_frame)
{
  hone__frame_feed(reader, queue->bytes.data, queue->bytes.length);
  queue->bytes.length = 0;
  return hone__frame_next(reader, out_frame) == HONE__FRAME_HERE;
}

static void expect_to_runner(struct world *world, enum hone__frame_kind kind, uint64_t job)
{
  assert_true(next_frame(&world->to_runner, &world->s.to_runner, &world->frame));
  assert_int_equal(world->frame.kind, kind);
  assert_int_equal(world->frame.job, job);
}

static void expect_to_driver(struct world *world, enum hone__frame_kind kind, uint64_t job)
{
  assert_true(next_frame(&world->to_driver, &world->s.to_driver, &world->frame));
  assert_int_equal(world->frame.kind, kind);
  assert_int_equal(world->frame.job, job);
}

static void expect_nothing_to_driver(struct world *world)
{
  assert_false(next_frame(&world->to_driver, &world->s.to_driver, &world->frame));
}

static const char *text_of(const struct world *world, const char *key)
{
  const char *text = json_string_value(json_object_get(hone__packed_json(world->frame.head), key));

  return text ? text : "";
}

static void expect_result(struct world *world, uint64_t job, const char *class, const char *part)
{
  expect_to_driver(world, HONE__FRAME_RESULT, job);
  assert_int_equal(world->frame.epoch, EPOCH);
  assert_string_equal(text_of(world, "class"), class);
  if (!strstr(text_of(world, "evidence"), part)) fail_msg("%s", text_of(world, "evidence"));
}

/* A runner with a SETUP behind it. */
static void set_up(struct world *world)
{
  driver_sends(world, HONE__FRAME_SETUP, 1, "{}");
  expect_to_runner(world, HONE__FRAME_SETUP, 1);
  runner_sends(world, HONE__FRAME_READY, 1, "{\"ok\": true}");
  expect_to_driver(world, HONE__FRAME_READY, 1);
}

static void begin_job(struct world *world, uint64_t job)
{
  driver_sends(world, HONE__FRAME_JOB, job, "{\"op\": \"run\", \"timeout_s\": 20}");
  expect_to_runner(world, HONE__FRAME_JOB, job);
}

/* ---- Orders ---- */

static void orders_are_carried_out_one_by_one(void **state)
{
  struct world *world = *state;

  set_up(world);
  begin_job(world, 2);
  driver_sends(world, HONE__FRAME_JOB, 3, "{\"op\": \"run\"}");
  assert_int_equal(world->s.to_runner.bytes.length, 0); /* the first is not answered */
  runner_sends(world, HONE__FRAME_RESULT, 2, "{\"class\": \"ok\"}");
  expect_result(world, 2, "ok", "");
  expect_to_runner(world, HONE__FRAME_JOB, 3);
  runner_sends(world, HONE__FRAME_RESULT, 3, "{\"class\": \"crash\"}");
  expect_result(world, 3, "crash", "");
  expect_nothing_to_driver(world);
  assert_int_equal(world->s.queue_bytes, 0);
  assert_true(isinf(world->s.deadline));
}

static void a_deadline_is_that_of_the_job(void **state)
{
  struct world *world = *state;

  set_up(world);
  begin_job(world, 2); /* 20 s, and a reserve of 5 s */
  assert_true(world->s.deadline > hone__clock() + 20 && world->s.deadline < hone__clock() + 30);
  runner_sends(world, HONE__FRAME_RESULT, 2, "{\"class\": \"ok\"}");
  driver_sends(world, HONE__FRAME_JOB, 3, "{\"op\": \"run\"}");
  assert_true(world->s.deadline > hone__clock() + HONE__FRAME_JOB_LIMIT_S / 2);
}

/* A new runner gets the last SETUP before its first job; the driver hears nothing of it. */
static void a_new_runner_is_set_up_again(void **state)
{
  struct world *world = *state;

  set_up(world);
  begin_job(world, 2);
  end_runner(world, SIGSEGV, "I am about to die\n");
  expect_result(world, 2, "crash", "I am about to die");
  start_runner(world);
  driver_sends(world, HONE__FRAME_JOB, 3, "{\"op\": \"run\"}");
  expect_to_runner(world, HONE__FRAME_SETUP, 1);
  runner_sends(world, HONE__FRAME_READY, 1, "{\"ok\": true}");
  expect_nothing_to_driver(world);
  expect_to_runner(world, HONE__FRAME_JOB, 3);
}

static void a_setup_that_fails_again_is_the_devices_fault(void **state)
{
  struct world *world = *state;

  set_up(world);
  world->s.is_set_up = false;
  driver_sends(world, HONE__FRAME_JOB, 2, "{\"op\": \"run\"}");
  expect_to_runner(world, HONE__FRAME_SETUP, 1);
  runner_sends(world, HONE__FRAME_READY, 1, "{\"ok\": false, \"error\": \"no such gpu\"}");
  expect_result(world, 2, "device_bad", "no such gpu");
}

static void a_failed_setup_is_passed_on(void **state)
{
  struct world *world = *state;

  driver_sends(world, HONE__FRAME_SETUP, 1, "{}");
  expect_to_runner(world, HONE__FRAME_SETUP, 1);
  runner_sends(world, HONE__FRAME_READY, 1, "{\"ok\": false, \"error\": \"wrong spec\"}");
  expect_to_driver(world, HONE__FRAME_READY, 1);
  assert_string_equal(text_of(world, "error"), "wrong spec");
  driver_sends(world, HONE__FRAME_SETUP, 2, "{}");
  expect_to_runner(world, HONE__FRAME_SETUP, 2);
  end_runner(world, 3 << 8, NULL);
  expect_to_driver(world, HONE__FRAME_READY, 2);
  assert_true(json_is_false(json_object_get(hone__packed_json(world->frame.head), "ok")));
  assert_non_null(strstr(text_of(world, "error"), "its runner ended: "));
}

/* ---- Runners that misbehave ---- */

static void an_answer_to_another_job_ends_the_runner(void **state)
{
  struct world *world = *state;

  set_up(world);
  begin_job(world, 2);
  runner_sends(world, HONE__FRAME_RESULT, 7, "{\"class\": \"ok\"}");
  expect_nothing_to_driver(world); /* not before it is gone */
  wait_for_kill(world);
  expect_result(world, 2, "protocol", "its runner sent an unexpected frame");
}

static void an_answer_of_another_epoch_does_not_count(void **state)
{
  struct world *world = *state;

  set_up(world);
  begin_job(world, 2);
  feed(&world->s.from_runner, HONE__FRAME_RESULT, EPOCH - 1, 2, "{\"class\": \"ok\"}");
  hone__supervisor_read_runner(&world->s);
  wait_for_kill(world);
  expect_result(world, 2, "protocol", "its runner sent an unexpected frame");
}

static void bytes_that_are_no_frame_end_it(void **state)
{
  struct world *world = *state;

  set_up(world);
  begin_job(world, 2);
  hone__frame_feed(&world->s.from_runner, "42\n", 3);
  hone__supervisor_read_runner(&world->s);
  wait_for_kill(world);
  expect_result(world, 2, "protocol", "invalid data instead of a frame");
}

static void a_job_without_an_end_is_a_hang(void **state)
{
  struct world *world = *state;

  set_up(world);
  begin_job(world, 2);
  hone__supervisor_deadline(&world->s);
  wait_for_kill(world);
  expect_result(world, 2, "hang", "its runner was killed");
}

/* One that is stuck in the kernel is given up after another deadline. */
static void a_runner_that_cannot_be_killed_is_abandoned(void **state)
{
  struct world *world = *state;

  set_up(world);
  begin_job(world, 2);
  hone__supervisor_deadline(&world->s);
  assert_true(world->s.is_dying && world->s.deadline < hone__clock() + 10);
  waitpid(world->idle, NULL, 0);
  hone__supervisor_deadline(&world->s);
  expect_result(world, 2, "hang", "");
  assert_int_equal(world->s.sandbox.pid, 0);
}

static void a_closed_connection_is_watched(void **state)
{
  struct world *world = *state;

  set_up(world);
  begin_job(world, 2);
  hone__supervisor_runner_closed(&world->s);
  assert_true(world->s.deadline <= hone__clock() + 1); /* it should exit soon */
  hone__supervisor_deadline(&world->s);
  wait_for_kill(world);
  expect_result(world, 2, "protocol", "its runner closed the connection");
}

static void ends_have_classes(void **state)
{
  static const struct {
    int status;
    const char *class;
  } cases[] = {{SIGSEGV, "crash"}, {3 << 8, "crash"}, {SIGKILL, "killed"}, {SIGTERM, "killed"}};
  struct world *world = *state;

  set_up(world);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (!world->idle) start_runner(world);
    world->s.is_set_up = true;
    begin_job(world, 10 + i);
    end_runner(world, cases[i].status, NULL);
    expect_result(world, 10 + i, cases[i].class, "its runner ended: ");
  }
}

/* ---- The driver ---- */

static void a_restart_dismisses_the_runner_without_an_answer(void **state)
{
  struct world *world = *state;

  set_up(world);
  driver_sends(world, HONE__FRAME_RESTART, 0, "{}");
  assert_false(world->s.is_dying); /* it may end by itself */
  hone__supervisor_deadline(&world->s);
  wait_for_kill(world);
  expect_nothing_to_driver(world);
  assert_null(world->s.order);
  driver_sends(world, HONE__FRAME_RESTART, 0, "{}"); /* there is none now */
  assert_null(world->s.order);
  assert_false(world->s.is_done);
}

static void a_farewell_ends_it(void **state)
{
  struct world *world = *state;

  driver_sends(world, HONE__FRAME_BYE, 0, "{}");
  assert_true(world->s.is_done);
}

static void a_driver_that_talks_nonsense_ends_it(void **state)
{
  struct world *world = *state;

  set_up(world);
  hone__frame_feed(&world->s.from_driver, "nonsense that is long enough to be a preface ........",
                   53);
  hone__frame_feed(&world->s.from_driver, "......................................................",
                   53);
  hone__supervisor_read_driver(&world->s);
  assert_true(world->s.is_done);
}

/* ---- Parts that were compressed ---- */

/* A SETUP with one part of so many bytes, which is in `payload`. */
static void driver_sends_part(struct world *world, const char *digest, size_t size,
                              const struct hone__text *payload)
{
  struct hone__text bytes = {0};
  json_t *head =
      json_pack("{s:[{s:s,s:I,s:I,s:s}]}", "parcels", "digest", digest, "size", (json_int_t)size,
                "packed_size", (json_int_t)payload->length, "state", "sent");

  hone__frame_encode(&(struct hone__frame){.kind = HONE__FRAME_SETUP,
                                           .epoch = EPOCH,
                                           .job = 1,
                                           .head = hone__wire_json_packed(head),
                                           .payload = payload->data,
                                           .payload_size = payload->length},
                     &bytes);
  hone__frame_feed(&world->s.from_driver, bytes.data, bytes.length);
  hone__supervisor_read_driver(&world->s);
  hone__supervisor_next(&world->s);
  hone__text_release(&bytes);
  json_decref(head);
}

enum { PART = 20000 };

static void compress_part(struct hone__text *packed, char digest[HONE__DIGEST_SIZE])
{
  char *plain = calloc(1, PART);

  memset(plain + PART / 2, 'x', PART / 2);
  assert_true(hone__compress(plain, PART, packed));
  hone__digest(plain, PART, digest);
  free(plain);
}

static void a_compressed_part_is_expanded(void **state)
{
  struct world *world = *state;
  struct hone__text packed = {0};
  char digest[HONE__DIGEST_SIZE];

  compress_part(&packed, digest);
  driver_sends_part(world, digest, PART, &packed);
  assert_false(world->s.is_done);
  expect_to_runner(world, HONE__FRAME_SETUP, 1);
  assert_int_equal(world->frame.payload_size, PART);
  assert_int_equal(((const char *)world->frame.payload)[PART - 1], 'x');
  hone__text_release(&packed);
}

/* Truncated, with another digest, with another size, or far too large. */
static void a_compressed_part_that_is_wrong_ends_it(void **state)
{
  static const size_t sizes[] = {PART, PART, PART - 1, (size_t)2 << 30};

  (void)state;
  for (size_t i = 0; i < 4; i++) {
    struct hone__text packed = {0};
    char digest[HONE__DIGEST_SIZE];
    void *world;
    begin(&world);
    compress_part(&packed, digest);
    if (i == 0) packed.length -= 4;
    if (i == 1) digest[0] ^= 1;
    driver_sends_part(world, digest, sizes[i], &packed);
    assert_true(((struct world *)world)->s.is_done);
    hone__text_release(&packed);
    end(&world);
  }
}

/* ---- Parts whose transfer was broken off ---- */

enum { LONG_PART = 3 << 20, CAME = 2 << 20 }; /* bytes, and those that came before the end */

static void fill_part(char *plain, char digest[HONE__DIGEST_SIZE])
{
  for (size_t i = 0; i < LONG_PART; i++)
    plain[i] = (char)(i * i >> 7);
  hone__digest(plain, LONG_PART, digest);
}

static void encode_part(const char *digest, const char *state, const char *bytes, size_t from,
                        struct hone__text *frame)
{
  bool is_sent = strcmp(state, "sent") == 0;
  json_t *head = json_pack("{s:[{s:s,s:I,s:I,s:s}]}", "parcels", "digest", digest, "size",
                           (json_int_t)LONG_PART, "from", (json_int_t)from, "state", state);

  hone__frame_encode(&(struct hone__frame){.kind = HONE__FRAME_SETUP,
                                           .epoch = EPOCH,
                                           .job = 1,
                                           .head = hone__wire_json_packed(head),
                                           .payload = bytes + from,
                                           .payload_size = is_sent ? LONG_PART - from : 0},
                     frame);
  json_decref(head);
}

static void driver_sends_bytes(struct world *world, struct hone__text *bytes, size_t size)
{
  hone__frame_feed(&world->s.from_driver, bytes->data, size);
  hone__supervisor_read_driver(&world->s);
  hone__supervisor_next(&world->s);
  hone__text_release(bytes);
}

/* A worker that ends in the middle of a part, and the next one. */
static void break_off(void **world, const char *plain, const char *digest, bool is_killed)
{
  struct hone__text frame = {0};

  encode_part(digest, "sent", plain, 0, &frame);
  driver_sends_bytes(*world, &frame, frame.length - (LONG_PART - CAME) - 1);
  if (!is_killed) hone__supervisor_keep_unfinished(*world);
  end(world);
  begin(world);
  encode_part(digest, "there", plain, 0, &frame);
  driver_sends_bytes(*world, &frame, frame.length);
}

/* What the worker says that it has. */
static size_t wanted_from(struct world *world)
{
  json_t *partial;

  expect_to_driver(world, HONE__FRAME_WANT, 1);
  partial = json_array_get(json_object_get(hone__packed_json(world->frame.head), "partials"), 0);
  return (size_t)json_integer_value(json_object_get(partial, "size"));
}

static void with_cache(void (*test)(void **world, char *plain, const char *digest))
{
  char folder[] = "/tmp/hone-test-XXXXXX", digest[HONE__DIGEST_SIZE];
  char *plain = malloc(LONG_PART);
  struct hone__text command = {0};
  void *world;

  assert_non_null(mkdtemp(folder));
  hone__cache_choose(folder);
  fill_part(plain, digest);
  begin(&world);
  test(&world, plain, digest);
  end(&world);
  hone__cache_choose("/dev/null");
  hone__text_addf(&command, "rm -r %s", folder);
  assert_int_equal(system(command.data), 0);
  hone__text_release(&command);
  free(plain);
}

static void go_on(void **world, char *plain, const char *digest)
{
  struct hone__text frame = {0};
  struct world *now;

  break_off(world, plain, digest, false);
  assert_int_equal(wanted_from(*world), CAME);
  encode_part(digest, "sent", plain, CAME, &frame);
  driver_sends_bytes(*world, &frame, frame.length);
  now = *world;
  expect_to_runner(now, HONE__FRAME_SETUP, 1);
  assert_int_equal(now->frame.payload_size, LONG_PART);
  assert_memory_equal(now->frame.payload, plain, LONG_PART);
}

static void a_part_goes_on_where_it_was_broken_off(void **state)
{
  (void)state;
  with_cache(go_on);
}

static void be_killed(void **world, char *plain, const char *digest)
{
  size_t kept;

  break_off(world, plain, digest, true);
  kept = wanted_from(*world);
  assert_true(kept >= CAME / 2 && kept <= CAME);
}

static void half_of_what_came_is_there_when_a_worker_is_killed(void **state)
{
  (void)state;
  with_cache(be_killed);
}

/* What is put together is not what was told. */
static void fall_back(void **world, char *plain, const char *digest)
{
  struct hone__text frame = {0};

  plain[CAME / 2] ^= 1;
  break_off(world, plain, digest, false);
  plain[CAME / 2] ^= 1;
  assert_int_equal(wanted_from(*world), CAME);
  encode_part(digest, "sent", plain, CAME, &frame);
  driver_sends_bytes(*world, &frame, frame.length);
  assert_int_equal(wanted_from(*world), 0);
  encode_part(digest, "sent", plain, 0, &frame);
  driver_sends_bytes(*world, &frame, frame.length);
  expect_to_runner(*world, HONE__FRAME_SETUP, 1);
}

static void a_damaged_beginning_is_sent_again(void **state)
{
  (void)state;
  with_cache(fall_back);
}

/* More bytes are said to be here than the part has. */
static void lie(void **world, char *plain, const char *digest)
{
  struct hone__text frame = {0};
  json_t *head;

  break_off(world, plain, digest, false);
  assert_int_equal(wanted_from(*world), CAME);
  head = json_pack("{s:[{s:s,s:i,s:i,s:s}]}", "parcels", "digest", digest, "size", 10, "from", 20,
                   "state", "sent");
  hone__frame_encode(&(struct hone__frame){.kind = HONE__FRAME_SETUP,
                                           .epoch = EPOCH,
                                           .job = 1,
                                           .head = hone__wire_json_packed(head)},
                     &frame);
  json_decref(head);
  driver_sends_bytes(*world, &frame, frame.length);
  assert_int_equal(wanted_from(*world), 0);
}

static void a_part_that_begins_behind_its_end_is_asked_for(void **state)
{
  (void)state;
  with_cache(lie);
}

static void roles_are_checked(void **state)
{
  (void)state;
  assert_int_equal(hone_worker_main("cook", "c:0", true), 2);
  assert_int_equal(hone_worker_main(NULL, NULL, false), 2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      TEST(orders_are_carried_out_one_by_one),
      TEST(a_deadline_is_that_of_the_job),
      TEST(a_new_runner_is_set_up_again),
      TEST(a_setup_that_fails_again_is_the_devices_fault),
      TEST(a_failed_setup_is_passed_on),
      TEST(an_answer_to_another_job_ends_the_runner),
      TEST(an_answer_of_another_epoch_does_not_count),
      TEST(bytes_that_are_no_frame_end_it),
      TEST(a_job_without_an_end_is_a_hang),
      TEST(a_runner_that_cannot_be_killed_is_abandoned),
      TEST(a_closed_connection_is_watched),
      TEST(ends_have_classes),
      TEST(a_restart_dismisses_the_runner_without_an_answer),
      TEST(a_farewell_ends_it),
      TEST(a_driver_that_talks_nonsense_ends_it),
      TEST(a_compressed_part_is_expanded),
      cmocka_unit_test(a_compressed_part_that_is_wrong_ends_it),
      cmocka_unit_test(a_part_goes_on_where_it_was_broken_off),
      cmocka_unit_test(half_of_what_came_is_there_when_a_worker_is_killed),
      cmocka_unit_test(a_damaged_beginning_is_sent_again),
      cmocka_unit_test(a_part_that_begins_behind_its_end_is_asked_for),
      cmocka_unit_test(roles_are_checked),
  };

  hone__cache_choose("/dev/null"); /* parts are not kept */
  return cmocka_run_group_tests_name("supervisor", tests, NULL, NULL);
}
