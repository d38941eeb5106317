/* A runner's answers to frames, and the process around it: its sandbox, its temporary folder, and
 * the bytes that wait for it. This program is the runner, when it is started so. */
#include "backend/backend.h"
#include "base/clock.h"
#include "folder.h"
#include "hone_machine.h"
#include "wire/frame.h"
#include "wire/packed_json.h"
#include "worker/sandbox.h"
#include "worker/scratch.h"
#include "worker/worker.h"
#include "worker/write_queue.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- A runner and its frames ---- */

struct runner {
  pid_t pid;
  int in, out;
  struct hone__frame_reader reader;
  struct hone__frame frame; /* its last one */
};

static void start(struct runner *runner, const char *role)
{
  int in[2], out[2];

  *runner = (struct runner){0};
  assert_int_equal(pipe2(in, O_CLOEXEC), 0);
  assert_int_equal(pipe2(out, O_CLOEXEC), 0);
  runner->pid = fork();
  if (runner->pid == 0) { /* above 4 first: neither may be overwritten */
    int from = fcntl(in[0], F_DUPFD, 10), to = fcntl(out[1], F_DUPFD, 10);
    close(in[1]);
    close(out[0]);
    dup2(from, 3);
    dup2(to, 4);
    close(from);
    close(to);
    exit(hone_worker_main(role, "c", true));
  }
  close(in[0]);
  close(out[1]);
  runner->in = in[1];
  runner->out = out[0];
}

static void ask(struct runner *runner, enum hone__frame_kind kind, uint64_t job, const char *head)
{
  json_t *json = json_loads(head, 0, NULL);
  hone_status status;

  assert_non_null(json);
  assert_null(hone__frame_write(
      runner->in, &(struct hone__frame){
                      .kind = kind, .epoch = 3, .job = job, .head = hone__wire_json_packed(json)}));
  json_decref(json);
  status = hone__frame_read(runner->out, &runner->reader, &runner->frame);
  if (status) fail_msg("%s", hone_status_message(status));
  assert_int_equal(runner->frame.epoch, 3);
  assert_int_equal(runner->frame.job, job);
}

static const char *text_of(const struct runner *runner, const char *key)
{
  const char *text = json_string_value(json_object_get(hone__packed_json(runner->frame.head), key));

  return text ? text : "";
}

static void expect_ready(struct runner *runner, const char *setup, const char *error)
{
  ask(runner, HONE__FRAME_SETUP, 1, setup);
  assert_int_equal(runner->frame.kind, HONE__FRAME_READY);
  assert_int_equal(json_is_true(json_object_get(hone__packed_json(runner->frame.head), "ok")),
                   !error);
  if (error && !strstr(text_of(runner, "error"), error)) fail_msg("%s", text_of(runner, "error"));
}

static void expect_refusal(struct runner *runner, const char *job, const char *part)
{
  ask(runner, HONE__FRAME_JOB, 2, job);
  assert_int_equal(runner->frame.kind, HONE__FRAME_RESULT);
  assert_string_equal(text_of(runner, "class"), "protocol");
  if (!strstr(text_of(runner, "evidence"), part)) fail_msg("%s", text_of(runner, "evidence"));
}

/* It exits by itself when its frames end. */
static void finish(struct runner *runner)
{
  int status;

  close(runner->in);
  assert_int_equal(waitpid(runner->pid, &status, 0), runner->pid);
  assert_int_equal(status, 0);
  close(runner->out);
  hone__frame_reader_release(&runner->reader);
}

#define SETUP                                                                                      \
  "{\"backend\": \"c\", \"seed\": 1, \"folder\": \"/tmp\", \"args\": [{\"name\": \"y\", "          \
  "\"type\": \"f32\", \"role\": \"out\", \"shape\": [16]}]}"

static void a_setup_is_answered_with_facts(void **state)
{
  struct runner runner;

  (void)state;
  start(&runner, "run");
  expect_ready(&runner, SETUP, NULL);
  assert_non_null(json_object_get(hone__packed_json(runner.frame.head), "written_bytes"));
  expect_ready(&runner, SETUP, NULL); /* once more */
  finish(&runner);
}

static void a_wrong_setup_has_a_reason(void **state)
{
  struct runner runner;

  (void)state;
  start(&runner, "run");
  expect_ready(&runner, "{\"backend\": \"abacus\"}", "no backend 'abacus' in hone ");
  expect_ready(&runner, "{}", "backend");
  expect_ready(&runner, "{\"backend\": \"c\", \"args\": 3}", "args");
  expect_refusal(&runner, "{\"op\": \"run\"}", "received a job before a successful setup");
  expect_ready(&runner, SETUP, NULL); /* it goes on */
  finish(&runner);
}

static void jobs_of_another_kind_are_refused(void **state)
{
  struct runner runner;

  (void)state;
  start(&runner, "run");
  expect_ready(&runner, SETUP, NULL);
  expect_refusal(&runner, "{\"op\": \"sing\"}", "this worker cannot run this kind of job");
  expect_refusal(&runner, "{}", "op");
  finish(&runner);
  start(&runner, "build");
  expect_ready(&runner, SETUP, NULL);
  expect_refusal(&runner, "{\"op\": \"run\"}", "this worker cannot run this kind of job");
  finish(&runner);
}

/* A builder compiles; what it cannot read is the candidate's outcome. */
static void a_builder_answers_builds(void **state)
{
  struct runner runner;

  (void)state;
  start(&runner, "build");
  expect_ready(&runner, SETUP, NULL);
  ask(&runner, HONE__FRAME_JOB, 4,
      "{\"op\": \"build\", \"candidate\": {\"source\": \"/none/k.c\", \"entry\": \"f\", "
      "\"compiler\": \"cc\", \"values\": []}}");
  assert_int_equal(runner.frame.kind, HONE__FRAME_RESULT);
  assert_string_equal(text_of(&runner, "class"), "compile_error");
  if (!strstr(text_of(&runner, "evidence"), "/none/k.c"))
    fail_msg("%s", text_of(&runner, "evidence"));
  finish(&runner);
}

static void a_runner_reports_what_a_candidate_did(void **state)
{
  struct runner runner;
  const json_t *result;

  (void)state;
  start(&runner, "run");
  expect_ready(&runner, SETUP, NULL);
  ask(&runner, HONE__FRAME_JOB, 5,
      "{\"op\": \"run\", \"mode\": \"screen\", \"samples\": 2, \"candidates\": [{\"candidate\": "
      "{\"entry\": \"f\", \"values\": []}, \"offset\": 0, \"size\": 0}]}");
  assert_int_equal(runner.frame.kind, HONE__FRAME_RESULT);
  result = json_array_get(json_object_get(hone__packed_json(runner.frame.head), "results"), 0);
  assert_string_not_equal(json_string_value(json_object_get(result, "class")), "ok");
  assert_true(json_is_number(json_object_get(hone__packed_json(runner.frame.head), "worked_s")));
  finish(&runner);
}

static void another_frame_ends_it(void **state)
{
  struct runner runner;

  (void)state;
  start(&runner, "run");
  assert_null(hone__frame_write(runner.in, &(struct hone__frame){.kind = HONE__FRAME_BYE}));
  finish(&runner);
}

/* ---- The sandbox ---- */

/* This program as a runner: it says which process it is, and waits for the end of its frames. */
static int be_sandboxed(void)
{
  char byte;

  dprintf(1, "said aloud\n");
  dprintf(4, "%d\n", getpid() == 1); /* last: after it the test may kill this process */
  while (read(3, &byte, 1) > 0) {}
  return 7;
}

static void read_line(int file, char line[16])
{
  struct pollfd in = {.fd = file, .events = POLLIN};
  ssize_t got;

  assert_int_equal(poll(&in, 1, 20000), 1);
  got = read(file, line, 15);
  assert_true(got > 0);
  line[got] = '\0';
}

/* Returns the status of its end. */
static int wait_for_end(enum hone__sandbox_kind kind, const struct hone__sandbox *sandbox)
{
  struct pollfd end = {.fd = sandbox->pidfd, .events = POLLIN};
  struct rusage usage;
  int status = 0;

  while (!hone__sandbox_reap(kind, sandbox, &status, &usage))
    poll(&end, sandbox->pidfd >= 0, 10);
  return status;
}

static void expect_life_and_end(enum hone__sandbox_kind kind, bool by_kill)
{
  struct hone__sandbox sandbox;
  struct hone__text said = {0};
  struct rusage usage;
  char line[16];
  int status;
  hone_status opened = hone__sandbox_open(kind, "run", "c:0", &sandbox);

  if (opened) fail_msg("%s", hone_status_message(opened));
  read_line(sandbox.out, line);
  assert_string_equal(line, kind == HONE__SANDBOX_PLAIN ? "0\n" : "1\n");
  assert_false(hone__sandbox_reap(kind, &sandbox, &status, &usage));
  if (by_kill)
    hone__sandbox_kill(&sandbox);
  else
    close(sandbox.in), sandbox.in = -1;
  status = wait_for_end(kind, &sandbox);
  assert_true(by_kill ? WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL
                      : WIFEXITED(status) && WEXITSTATUS(status) == 7);
  while (hone__capture_read(&sandbox.output)) {}
  hone__capture_text(&sandbox.output, &said);
  assert_string_equal(said.data, "said aloud\n");
  hone__text_release(&said);
  hone__sandbox_close(&sandbox);
  assert_int_equal(sandbox.pid, 0);
  hone__sandbox_kill(&sandbox); /* of no process: nothing happens */
}

static void a_runner_lives_in_a_sandbox(void **state)
{
  enum hone__sandbox_kind best;

  (void)state;
  unsetenv("HONE_ISOLATION");
  best = hone__sandbox_find();
  expect_life_and_end(HONE__SANDBOX_PLAIN, false);
  expect_life_and_end(HONE__SANDBOX_PLAIN, true);
  if (best == HONE__SANDBOX_PLAIN) skip(); /* this machine allows no other */
  expect_life_and_end(best, false);
  expect_life_and_end(best, true);
}

static void the_environment_chooses_the_kind(void **state)
{
  (void)state;
  setenv("HONE_ISOLATION", "none", 1);
  assert_int_equal(hone__sandbox_find(), HONE__SANDBOX_PLAIN);
  setenv("HONE_ISOLATION", "namespace", 1);
  assert_int_not_equal(hone__sandbox_find(), HONE__SANDBOX_PLAIN);
  unsetenv("HONE_ISOLATION");
  assert_string_equal(hone__sandbox_kind_name(HONE__SANDBOX_PLAIN), "descendants");
  assert_string_equal(hone__sandbox_kind_name(HONE__SANDBOX_NAMESPACE), "pid namespace");
  assert_string_equal(hone__sandbox_kind_name(HONE__SANDBOX_USER_NAMESPACE), "pid namespace");
}

/* ---- Temporary files ---- */

static void temporary_files_go_into_one_folder(void **state)
{
  char file[4200], *before = getenv("TMPDIR") ? strdup(getenv("TMPDIR")) : NULL, *scratch;

  (void)state;
  setenv("TMPDIR", folder, 1);
  scratch = hone__scratch_open();
  assert_non_null(scratch);
  assert_string_equal(getenv("TMPDIR"), scratch);
  assert_memory_equal(scratch, folder, strlen(folder)); /* where the user wants them */
  snprintf(file, sizeof file, "%s/left", scratch);
  close(open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  assert_int_equal(access(file, F_OK), 0);
  hone__scratch_empty(scratch);
  assert_int_not_equal(access(file, F_OK), 0);
  assert_int_equal(access(scratch, F_OK), 0);
  snprintf(file, sizeof file, "%s", scratch);
  hone__scratch_close(scratch);
  assert_int_not_equal(access(file, F_OK), 0);
  if (before)
    setenv("TMPDIR", before, 1);
  else
    unsetenv("TMPDIR");
  free(before);
}

static void without_a_folder_there_is_nothing_to_remove(void **state)
{
  (void)state;
  hone__scratch_empty(NULL);
  hone__scratch_close(NULL);
}

/* ---- Bytes that wait ---- */

static void bytes_wait_until_they_can_be_written(void **state)
{
  enum { SIZE = 3 << 20 };
  struct hone__write_queue queue = {0};
  size_t total = 0;
  char *piece = calloc(1, SIZE);
  int files[2];

  (void)state;
  assert_int_equal(pipe2(files, O_CLOEXEC | O_NONBLOCK), 0);
  for (size_t i = 0; i < SIZE; i++)
    piece[i] = (char)(i % 251);
  hone__text_addn(&queue.bytes, piece, SIZE);
  assert_true(hone__write_queue_flush(&queue, files[1]));
  assert_true(hone__write_queue_waiting(&queue) > 0); /* a pipe is smaller */
  while (total < SIZE) {
    char got[1 << 16];
    ssize_t size = read(files[0], got, sizeof got);
    for (ssize_t i = 0; i < size; i++)
      if (got[i] != (char)((total + (size_t)i) % 251)) fail_msg("byte %zu is wrong", total);
    if (size > 0) total += (size_t)size;
    assert_true(hone__write_queue_flush(&queue, files[1]));
  }
  assert_int_equal(hone__write_queue_waiting(&queue), 0);
  assert_true(queue.bytes.capacity <= HONE__WRITE_QUEUE_FULL); /* a large buffer is given back */
  hone__write_queue_release(&queue);
  free(piece);
  close(files[0]);
  close(files[1]);
}

static void a_closed_end_is_noticed(void **state)
{
  struct hone__write_queue queue = {0};
  int files[2];

  (void)state;
  signal(SIGPIPE, SIG_IGN);
  assert_int_equal(pipe2(files, O_CLOEXEC | O_NONBLOCK), 0);
  close(files[0]);
  assert_true(hone__write_queue_flush(&queue, files[1])); /* there is nothing to write */
  hone__text_add(&queue.bytes, "words");
  assert_false(hone__write_queue_flush(&queue, files[1]));
  hone__write_queue_release(&queue);
  assert_int_equal(hone__write_queue_waiting(&queue), 0);
  close(files[1]);
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)
  const struct CMUnitTest tests[] = {
      TEST(a_setup_is_answered_with_facts),
      TEST(a_wrong_setup_has_a_reason),
      TEST(jobs_of_another_kind_are_refused),
      TEST(a_builder_answers_builds),
      TEST(a_runner_reports_what_a_candidate_did),
      TEST(another_frame_ends_it),
      TEST(a_runner_lives_in_a_sandbox),
      TEST(the_environment_chooses_the_kind),
      TEST(temporary_files_go_into_one_folder),
      TEST(without_a_folder_there_is_nothing_to_remove),
      TEST(bytes_wait_until_they_can_be_written),
      TEST(a_closed_end_is_noticed),
  };

  if (argc > 1 && strcmp(argv[1], "worker") == 0) return be_sandboxed();
  return cmocka_run_group_tests_name("runner", tests, NULL, NULL);
}
