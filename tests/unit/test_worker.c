/* A real supervisor with a runner that does what the job says: crash, hang, talk nonsense. This
 * program is both, when it is started as `hone worker` is; the last tests take hone itself.
 *
 * A FIFO that a runner's escaped grandchild holds open tells whether it is gone.
 */
#include "filter.h"

#include "wire/packed_json.h"
#include "worker/worker.h"

#include "base/clock.h"
#include "worker/sandbox.h"
#include "wire/frame.h"
#include "hone_machine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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

/* ---- The runner ---- */

struct script {
  const struct hone__frame *frame;
  json_t *head; /* of the answer */
};

static void put(enum hone__frame_kind kind, const struct hone__frame *frame, uint64_t job,
                json_t *head)
{
  hone_status status =
      hone__frame_write(4, &(struct hone__frame){.kind = kind,
                                                 .epoch = frame->epoch,
                                                 .job = job,
                                                 .head = hone__wire_json_packed(head),
                                                 .payload = frame->payload,
                                                 .payload_size = frame->payload_size});

  if (status) _exit(50);
}

static void hang(struct script *script)
{
  (void)script;
  for (;;)
    pause();
}

static void do_echo(struct script *script)
{
  (void)script;
}

__attribute__((no_sanitize("undefined"))) static void do_crash(struct script *script)
{
  volatile int *volatile nowhere = NULL;

  (void)script;
  signal(SIGSEGV, SIG_DFL); /* process 1 cannot raise it: it must be earned */
  fprintf(stderr, "I am about to die\n");
  *nowhere = 1;
}

static void do_exit(struct script *script)
{
  (void)script;
  _exit(3);
}

static void do_garbage(struct script *script)
{
  (void)script;
  if (write(4, "42\n", 3) != 3) _exit(51);
  hang(script);
}

static void do_wrong_job(struct script *script)
{
  put(HONE__FRAME_RESULT, script->frame, script->frame->job + 1, script->head);
  hang(script);
}

static void do_half(struct script *script)
{
  struct hone__text bytes = {0};

  hone__frame_encode(&(struct hone__frame){.kind = HONE__FRAME_RESULT}, &bytes);
  if (write(4, bytes.data, bytes.length - 5) < 0) _exit(52);
  do_exit(script);
}

static void do_answer_and_exit(struct script *script)
{
  put(HONE__FRAME_RESULT, script->frame, script->frame->job, script->head);
  do_exit(script);
}

static void do_flood(struct script *script)
{
  char piece[4096];

  (void)script;
  memset(piece, 'x', sizeof piece);
  for (int i = 0; i < 25000; i++)
    if (write(1, piece, sizeof piece) < 0) _exit(53);
}

static void do_close(struct script *script)
{
  close(3);
  close(4);
  hang(script);
}

/* In a session of its own, with another parent, holding the FIFO. */
static void do_escape(struct script *script)
{
  if (fork() == 0) {
    int file;
    setsid();
    if (fork()) _exit(0);
    signal(SIGTERM, SIG_IGN);
    file = open(getenv("HONE_TEST_FIFO"), O_WRONLY);
    if (file < 0 || write(file, "x", 1) != 1) _exit(1);
    hang(script);
  }
  hang(script);
}

static const struct {
  const char *name;
  void (*act)(struct script *script);
} acts[] = {
    {"echo", do_echo},       {"crash", do_crash},         {"exit", do_exit},
    {"garbage", do_garbage}, {"wrong_job", do_wrong_job}, {"answer_and_exit", do_answer_and_exit},
    {"hang", hang},          {"flood", do_flood},         {"escape", do_escape},
    {"half", do_half},       {"close", do_close},
};

static bool is_good_setup(const json_t *head)
{
  const char *once = json_string_value(json_object_get(head, "once"));
  int file = once ? open(once, O_CREAT | O_EXCL | O_CLOEXEC, 0600) : 0;

  if (once && file >= 0) close(file);
  return !json_is_true(json_object_get(head, "fail")) && file >= 0;
}

static void answer_setup(const struct hone__frame *frame)
{
  bool good = is_good_setup(hone__packed_json(frame->head));
  json_t *head = json_pack("{s:b, s:s}", "ok", good, "error", "as it was told");

  put(HONE__FRAME_READY, frame, frame->job, head);
  json_decref(head);
}

static void answer_job(const struct hone__frame *frame, int setups)
{
  const char *act = json_string_value(json_object_get(hone__packed_json(frame->head), "do"));
  struct script script = {.frame = frame};

  script.head =
      json_pack("{s:s, s:i, s:i}", "class", "ok", "setups", setups, "own_pid", (int)getpid());
  for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
    if (act && strcmp(acts[i].name, act) == 0) acts[i].act(&script);
  put(HONE__FRAME_RESULT, frame, frame->job, script.head);
  json_decref(script.head);
}

static int run_runner(void)
{
  struct hone__frame_reader reader = {0};
  struct hone__frame frame;
  hone_status status;
  int setups = 0;

  while (!(status = hone__frame_read(3, &reader, &frame))) {
    if (frame.kind == HONE__FRAME_SETUP)
      answer_setup(&frame);
    else
      answer_job(&frame, setups);
    setups += frame.kind == HONE__FRAME_SETUP;
  }
  hone_status_free(status);
  hone__frame_reader_release(&reader);
  return 0;
}

/* ---- The driver ---- */

struct worker {
  pid_t pid;
  int in, out, fifo;
  struct hone__frame_reader reader;
  struct hone__frame frame; /* the last one */
  unsigned beats;
  char folder[64], fifo_path[128], once_path[128];
};

static void start_program(struct worker *worker, const char *const *argv, const char *isolation)
{
  int in[2], out[2];

  assert_int_equal(pipe2(in, O_CLOEXEC), 0);
  assert_int_equal(pipe2(out, O_CLOEXEC), 0);
  worker->pid = fork();
  if (worker->pid == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    setenv("HONE_ISOLATION", isolation, 1);
    setenv("HONE_TEST_FIFO", worker->fifo_path, 1);
    execv(argv[0], (char *const *)(uintptr_t)argv);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  worker->in = in[1];
  worker->out = out[0];
}

static void start(struct worker *worker, const char *isolation)
{
  const char *const argv[] = {"/proc/self/exe", "worker", "--role", "run", "--device", "c:0", NULL};

  *worker = (struct worker){.folder = "/tmp/hone-worker-XXXXXX"};
  assert_non_null(mkdtemp(worker->folder));
  snprintf(worker->fifo_path, sizeof worker->fifo_path, "%s/fifo", worker->folder);
  snprintf(worker->once_path, sizeof worker->once_path, "%s/once", worker->folder);
  assert_int_equal(mkfifo(worker->fifo_path, 0600), 0);
  worker->fifo = open(worker->fifo_path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  start_program(worker, argv, isolation);
}

/* False: it is not there within the time. */
static bool wait_readable(int file, double seconds)
{
  struct pollfd poll_file = {.fd = file, .events = POLLIN};

  return poll(&poll_file, 1, (int)(1000 * seconds)) == 1;
}

/* The next frame that is no beat; false at the end. */
static bool receive(struct worker *worker)
{
  double end = hone__clock() + 30;
  char bytes[1 << 16];

  for (;;) {
    enum hone__frame_state state = hone__frame_next(&worker->reader, &worker->frame);
    ssize_t got;
    assert_int_not_equal(state, HONE__FRAME_GARBLED);
    assert_true(hone__clock() < end);
    if (state == HONE__FRAME_HERE && worker->frame.kind != HONE__FRAME_BEAT) return true;
    worker->beats += state == HONE__FRAME_HERE;
    if (state == HONE__FRAME_HERE) continue;
    assert_true(wait_readable(worker->out, 30));
    got = read(worker->out, bytes, sizeof bytes);
    if (got <= 0) return false;
    hone__frame_feed(&worker->reader, bytes, (size_t)got);
  }
}

/* Of a worker that says nothing else. */
static void wait_for_beats(struct worker *worker, unsigned count)
{
  double end = hone__clock() + 30;
  char bytes[1 << 10];

  while (worker->beats < count) {
    enum hone__frame_state state = hone__frame_next(&worker->reader, &worker->frame);
    ssize_t got;
    assert_true(hone__clock() < end);
    if (state == HONE__FRAME_HERE) {
      assert_int_equal(worker->frame.kind, HONE__FRAME_BEAT);
      worker->beats++;
      continue;
    }
    assert_int_equal(state, HONE__FRAME_MORE);
    assert_true(wait_readable(worker->out, 30));
    got = read(worker->out, bytes, sizeof bytes);
    assert_true(got > 0);
    hone__frame_feed(&worker->reader, bytes, (size_t)got);
  }
}

static void send_payload(struct worker *worker, enum hone__frame_kind kind, uint64_t job,
                         json_t *head, const void *payload, size_t size)
{
  assert_null(
      hone__frame_write(worker->in, &(struct hone__frame){.kind = kind,
                                                          .epoch = 5,
                                                          .job = job,
                                                          .head = hone__wire_json_packed(head),
                                                          .payload = payload,
                                                          .payload_size = size}));
  json_decref(head);
}

static void send_frame(struct worker *worker, enum hone__frame_kind kind, uint64_t job,
                       json_t *head)
{
  send_payload(worker, kind, job, head, NULL, 0);
}

static void send_job(struct worker *worker, uint64_t job, const char *act)
{
  send_frame(worker, HONE__FRAME_JOB, job, json_pack("{s:s, s:f}", "do", act, "timeout_s", 20.0));
}

static void expect(struct worker *worker, enum hone__frame_kind kind, uint64_t job)
{
  assert_true(receive(worker));
  assert_int_equal(worker->frame.kind, kind);
  assert_int_equal(worker->frame.job, job);
}

static const char *said(const struct worker *worker, const char *key)
{
  const char *text = json_string_value(json_object_get(hone__packed_json(worker->frame.head), key));

  return text ? text : "";
}

static json_int_t number(const struct worker *worker, const char *key)
{
  return json_integer_value(json_object_get(hone__packed_json(worker->frame.head), key));
}

static void expect_result(struct worker *worker, uint64_t job, const char *class,
                          const char *evidence)
{
  expect(worker, HONE__FRAME_RESULT, job);
  assert_int_equal(worker->frame.epoch, 5);
  assert_string_equal(said(worker, "class"), class);
  if (!strstr(said(worker, "evidence"), evidence)) print_error("%s\n", said(worker, "evidence"));
  assert_non_null(strstr(said(worker, "evidence"), evidence));
}

static void expect_hello(struct worker *worker)
{
  expect(worker, HONE__FRAME_HELLO, 0);
}

static void wait_for_escapee(struct worker *worker)
{
  char byte;

  assert_true(wait_readable(worker->fifo, 20));
  assert_int_equal(read(worker->fifo, &byte, 1), 1);
}

static void expect_nobody(struct worker *worker)
{
  char byte;

  assert_true(wait_readable(worker->fifo, 10));
  assert_int_equal(read(worker->fifo, &byte, 1), 0);
}

static void expect_gone(struct worker *worker, bool by_itself)
{
  int status;

  while (receive(worker)) {}
  assert_int_equal(waitpid(worker->pid, &status, 0), worker->pid);
  if (by_itself) assert_int_equal(status, 0);
  unlink(worker->fifo_path);
  unlink(worker->once_path);
  rmdir(worker->folder);
  if (worker->in >= 0) close(worker->in);
  close(worker->out);
  close(worker->fifo);
  hone__frame_reader_release(&worker->reader);
}

static void end(struct worker *worker)
{
  send_frame(worker, HONE__FRAME_BYE, 0, NULL);
  expect_gone(worker, true);
}

/* ---- Tests: `state` is the isolation ---- */

static void test_hello_beats_bye(void **state)
{
  struct worker worker;
  double began = hone__clock(), before;

  start(&worker, *state);
  expect_hello(&worker);
  assert_string_equal(said(&worker, "version"), hone_version());
  assert_string_equal(said(&worker, "role"), "run");
  assert_string_equal(said(&worker, "device"), "c:0");
  assert_string_equal(said(&worker, "isolation"),
                      strcmp(*state, "none") == 0 ? "descendants" : "pid namespace");
  assert_int_equal(number(&worker, "pid"), worker.pid);
  assert_true(number(&worker, "cores") > 0 && number(&worker, "memory_bytes") > 1 << 20);
  wait_for_beats(&worker, 2);
  before = hone__clock();
  end(&worker);
  assert_true(hone__clock() - before < 4);
  assert_true((double)worker.beats <= hone__clock() - began); /* no more than one a second */
}

/* 0: it has no process of this name, or it is gone. */
static pid_t parent_of(const char *pid)
{
  char path[64], line[512] = "";
  const char *name_end;
  FILE *file;
  int parent = 0;

  snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  file = fopen(path, "re");
  if (!file) return 0;
  if (!fgets(line, sizeof line, file)) line[0] = 0;
  fclose(file);
  name_end = strrchr(line, ')');
  if (!name_end || sscanf(name_end + 1, " %*c %d", &parent) != 1) return 0;
  return (pid_t)parent;
}

/* The number of the runner as others see it: the supervisor has one child. */
static pid_t runner_of(const struct worker *worker)
{
  DIR *folder = opendir("/proc");
  struct dirent *entry;
  pid_t found = 0;

  assert_non_null(folder);
  while ((entry = readdir(folder)) != NULL)
    if (atoi(entry->d_name) > 0 && parent_of(entry->d_name) == worker->pid)
      found = (pid_t)atoi(entry->d_name);
  closedir(folder);
  assert_true(found > 1);
  return found;
}

/* Until the supervisor has taken note of a runner's end. */
static void wait_for_end_of(const struct worker *worker, pid_t runner)
{
  char name[32];

  snprintf(name, sizeof name, "%d", (int)runner);
  for (int i = 0; i < 3000 && parent_of(name) == worker->pid; i++)
    usleep(10000);
  assert_int_not_equal(parent_of(name), worker->pid);
}

static void test_jobs(void **state)
{
  struct worker worker;
  pid_t pid;

  start(&worker, *state);
  expect_hello(&worker);
  send_frame(&worker, HONE__FRAME_SETUP, 1, json_pack("{s:s}", "backend", "c"));
  expect(&worker, HONE__FRAME_READY, 1);
  assert_int_equal(worker.frame.epoch, 5);
  assert_true(json_is_true(json_object_get(hone__packed_json(worker.frame.head), "ok")));
  send_job(&worker, 2, "echo");
  expect_result(&worker, 2, "ok", "");
  assert_int_equal(number(&worker, "own_pid") == 1, strcmp(*state, "none") != 0);
  pid = runner_of(&worker);
  send_job(&worker, 3, "echo");
  send_job(&worker, 4, "echo");
  expect_result(&worker, 3, "ok", "");
  expect_result(&worker, 4, "ok", "");
  assert_int_equal(runner_of(&worker), pid);
  end(&worker);
}

/* A crash costs one job; the next runner is set up by the supervisor alone. */
static void test_crash(void **state)
{
  static const struct {
    const char *act, *class, *evidence;
  } cases[] = {
      {"crash", "crash", "its runner ended: signal 11 (SIGSEGV)"},
      {"crash", "crash", "I am about to die"},
      {"exit", "crash", "its runner ended: exit status 3"},
      {"half", "crash", "its runner ended: exit status 3"},
      {"garbage", "protocol", "invalid data instead of a frame"},
      {"wrong_job", "protocol", "an unexpected frame"},
      {"close", "protocol", "closed the connection"},
      {"answer_and_exit", "ok", ""},
      {"flood", "ok", ""},
  };
  struct worker worker;

  start(&worker, *state);
  expect_hello(&worker);
  send_frame(&worker, HONE__FRAME_SETUP, 1, json_pack("{s:s}", "backend", "c"));
  expect(&worker, HONE__FRAME_READY, 1);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bool goes_unseen = strcmp(cases[i].act, "answer_and_exit") == 0;
    pid_t runner = goes_unseen ? runner_of(&worker) : 0;
    send_job(&worker, 2 * i, cases[i].act);
    expect_result(&worker, 2 * i, cases[i].class, cases[i].evidence);
    if (goes_unseen) wait_for_end_of(&worker, runner);
    send_job(&worker, 2 * i + 1, "echo");
    expect_result(&worker, 2 * i + 1, "ok", "");
    assert_int_equal(number(&worker, "setups"), 1);
  }
  end(&worker);
}

static void test_runner_is_killed(void **state)
{
  struct worker worker;
  pid_t runner;

  start(&worker, *state);
  expect_hello(&worker);
  send_job(&worker, 1, "echo");
  expect_result(&worker, 1, "ok", "");
  runner = runner_of(&worker);
  send_job(&worker, 2, "escape"); /* which tells when it hangs */
  wait_for_escapee(&worker);
  kill(runner, SIGKILL);
  expect_result(&worker, 2, "killed", "signal 9 (SIGKILL)");
  expect_nobody(&worker);
  send_job(&worker, 3, "echo");
  expect_result(&worker, 3, "ok", "");
  runner = runner_of(&worker);
  kill(runner, SIGKILL);
  wait_for_end_of(&worker, runner);
  send_job(&worker, 4, "echo");
  expect_result(&worker, 4, "ok", "");
  end(&worker);
}

static void test_hang(void **state)
{
  struct worker worker;
  static const char words[] = "still running after ";
  double before, seconds;

  start(&worker, *state);
  expect_hello(&worker);
  before = hone__clock();
  send_frame(&worker, HONE__FRAME_JOB, 1,
             json_pack("{s:s, s:f}", "do", "escape", "timeout_s", 0.5));
  wait_for_escapee(&worker);
  expect_result(&worker, 1, "hang", words);
  seconds = strtod(strstr(said(&worker, "evidence"), words) + strlen(words), NULL);
  assert_true(seconds >= 5.5 && seconds < 15);
  assert_true(hone__clock() - before > 5.4);
  expect_nobody(&worker);
  assert_true(worker.beats >= 4);
  send_job(&worker, 2, "echo");
  expect_result(&worker, 2, "ok", "");
  end(&worker);
}

static void test_setup_fails(void **state)
{
  struct worker worker;

  start(&worker, *state);
  expect_hello(&worker);
  send_frame(&worker, HONE__FRAME_SETUP, 1, json_pack("{s:b}", "fail", 1));
  expect(&worker, HONE__FRAME_READY, 1);
  assert_true(json_is_false(json_object_get(hone__packed_json(worker.frame.head), "ok")));
  assert_string_equal(said(&worker, "error"), "as it was told");
  send_job(&worker, 2, "echo");
  expect_result(&worker, 2, "device_bad", "as it was told");
  send_frame(&worker, HONE__FRAME_SETUP, 3, json_pack("{s:s}", "once", worker.once_path));
  expect(&worker, HONE__FRAME_READY, 3);
  assert_true(json_is_true(json_object_get(hone__packed_json(worker.frame.head), "ok")));
  send_job(&worker, 4, "exit");
  expect_result(&worker, 4, "crash", "");
  send_job(&worker, 5, "echo");
  expect_result(&worker, 5, "device_bad", "as it was told");
  end(&worker);
}

static void test_restart(void **state)
{
  struct worker worker;
  pid_t pid;

  start(&worker, *state);
  expect_hello(&worker);
  send_frame(&worker, HONE__FRAME_RESTART, 0, NULL);
  send_job(&worker, 1, "echo");
  expect_result(&worker, 1, "ok", "");
  pid = runner_of(&worker);
  send_frame(&worker, HONE__FRAME_RESTART, 0, NULL);
  send_job(&worker, 2, "echo");
  expect_result(&worker, 2, "ok", "");
  assert_int_not_equal(runner_of(&worker), pid);
  end(&worker);
}

/* The driver writes 96 MB before it reads anything. */
static void test_large_payloads(void **state)
{
  enum { SIZE = 32 << 20 };
  struct worker worker;
  char *payload = malloc(SIZE);

  for (size_t i = 0; i < SIZE; i++)
    payload[i] = (char)(i * 2654435761u >> 13);
  start(&worker, *state);
  for (uint64_t job = 1; job <= 3; job++)
    send_payload(&worker, HONE__FRAME_JOB, job, json_pack("{s:s}", "do", "echo"), payload, SIZE);
  expect_hello(&worker);
  for (uint64_t job = 1; job <= 3; job++) {
    expect_result(&worker, job, "ok", "");
    assert_int_equal(worker.frame.payload_size, SIZE);
    assert_memory_equal(worker.frame.payload, payload, SIZE);
  }
  end(&worker);
  free(payload);
}

/* ---- The end of the driver, and of the supervisor ---- */

static void start_escape(struct worker *worker, const char *isolation)
{
  start(worker, isolation);
  expect_hello(worker);
  send_job(worker, 1, "escape");
  wait_for_escapee(worker);
}

static void test_driver_is_gone(void **state)
{
  struct worker worker;

  start_escape(&worker, *state);
  close(worker.in);
  worker.in = -1;
  expect_nobody(&worker);
  expect_gone(&worker, true);
}

/* Its heartbeats disturb nothing. Once they stop, it cannot be reached: the network is silent. */
static void test_driver_is_silent(void **state)
{
  struct worker worker;

  setenv("HONE_DRIVER_SILENCE", "0.5", 1);
  start(&worker, *state);
  unsetenv("HONE_DRIVER_SILENCE");
  expect_hello(&worker);
  wait_for_beats(&worker, 1); /* one that sends none is not missed */
  send_frame(&worker, HONE__FRAME_BEAT, 0, NULL);
  send_job(&worker, 1, "echo");
  expect_result(&worker, 1, "ok", "");
  expect_gone(&worker, true);
}

static void test_driver_does_not_read(void **state)
{
  struct worker worker;

  start_escape(&worker, *state);
  close(worker.out);
  expect_nobody(&worker);
  worker.out = open("/dev/null", O_RDONLY);
  expect_gone(&worker, true);
}

static void test_bye_while_working(void **state)
{
  struct worker worker;

  start_escape(&worker, *state);
  send_frame(&worker, HONE__FRAME_BYE, 0, NULL);
  expect_nobody(&worker);
  expect_gone(&worker, true);
}

static void test_garbled_driver(void **state)
{
  struct worker worker;

  start_escape(&worker, *state);
  assert_int_equal(write(worker.in, "garbage", 7), 7);
  expect_nobody(&worker);
  expect_gone(&worker, true);
}

static void test_supervisor_is_terminated(void **state)
{
  struct worker worker;

  start_escape(&worker, *state);
  kill(worker.pid, SIGINT); /* that is for the driver alone */
  usleep(100000);
  kill(worker.pid, SIGTERM);
  expect_nobody(&worker);
  expect_gone(&worker, true);
}

/* Without a namespace nobody is left to look for an escapee: only the runner dies. */
static void test_supervisor_is_killed(void **state)
{
  struct worker worker;
  pid_t pid;

  start(&worker, *state);
  expect_hello(&worker);
  send_job(&worker, 1, "echo");
  expect_result(&worker, 1, "ok", "");
  pid = runner_of(&worker);
  if (strcmp(*state, "none") != 0) {
    send_job(&worker, 2, "escape");
    wait_for_escapee(&worker);
  }
  kill(worker.pid, SIGKILL);
  if (strcmp(*state, "none") != 0) expect_nobody(&worker);
  expect_gone(&worker, false);
  for (int i = 0; i < 1000 && kill(pid, 0) == 0; i++)
    usleep(10000);
  assert_int_equal(kill(pid, 0), -1);
}

/* ---- hone itself ---- */

static void test_hone_worker(void **state)
{
  const char *const argv[] = {getenv("HONE"), "worker", "--role", "build", NULL};
  struct worker worker = {.fifo = -1};

  if (!argv[0]) skip();
  start_program(&worker, argv, *state);
  expect_hello(&worker);
  assert_string_equal(said(&worker, "role"), "build");
  assert_string_equal(said(&worker, "device"), "");
  send_job(&worker, 1, "echo");
  expect_result(&worker, 1, "protocol", "before a successful setup");
  send_frame(&worker, HONE__FRAME_SETUP, 2, json_pack("{s:s}", "backend", "abacus"));
  expect(&worker, HONE__FRAME_READY, 2);
  assert_true(json_is_false(json_object_get(hone__packed_json(worker.frame.head), "ok")));
  assert_non_null(strstr(said(&worker, "error"), "no backend 'abacus'"));
  send_frame(&worker, HONE__FRAME_SETUP, 3, json_pack("{s:s}", "backend", "c"));
  expect(&worker, HONE__FRAME_READY, 3);
  assert_true(json_is_true(json_object_get(hone__packed_json(worker.frame.head), "ok")));
  send_job(&worker, 4, "echo");
  expect_result(&worker, 4, "protocol", "job: 'op' is missing");
  send_frame(&worker, HONE__FRAME_JOB, 5, json_pack("{s:s}", "op", "dance"));
  expect_result(&worker, 5, "protocol", "cannot run this kind of job");
  end(&worker);
}

int main(int argc, char **argv)
{
  static char none[] = "none", namespace[] = "namespace";
  static const struct {
    const char *name;
    CMUnitTestFunction test;
  } cases[] = {
#define CASE(name) {#name, name}
      CASE(test_hello_beats_bye),
      CASE(test_jobs),
      CASE(test_crash),
      CASE(test_runner_is_killed),
      CASE(test_hang),
      CASE(test_setup_fails),
      CASE(test_restart),
      CASE(test_large_payloads),
      CASE(test_driver_is_gone),
      CASE(test_driver_is_silent),
      CASE(test_driver_does_not_read),
      CASE(test_bye_while_working),
      CASE(test_garbled_driver),
      CASE(test_supervisor_is_terminated),
      CASE(test_supervisor_is_killed),
      CASE(test_hone_worker),
#undef CASE
  };
  enum { COUNT = sizeof cases / sizeof *cases };
  static char names[2 * COUNT][80];
  struct CMUnitTest tests[2 * COUNT];

  if (argc > 6 && strcmp(argv[6], "--runner") == 0) return run_runner();
  if (argc > 5) return hone_worker_main(argv[3], argv[5], false);
  signal(SIGPIPE, SIG_IGN);
  for (size_t i = 0; i < 2 * COUNT; i++) {
    char *isolation = i < COUNT ? none : namespace;
    snprintf(names[i], sizeof names[i], "%s (%s)", cases[i % COUNT].name, isolation);
    tests[i] = (struct CMUnitTest){names[i], cases[i % COUNT].test, NULL, NULL, isolation};
  }
  if (hone__sandbox_find() != HONE__SANDBOX_PLAIN) return cmocka_run_group_tests(tests, NULL, NULL);
  return _cmocka_run_group_tests("tests", tests, COUNT, NULL, NULL);
}
