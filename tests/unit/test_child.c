/* Real processes that do what candidates do. A pipe whose write end a child and all of its
 * descendants hold tells whether they are gone: it ends then.
 *
 * All tests run twice: as they are, and by a process 1 of a PID namespace. */
#include "proc/child.h"

#include "base/clock.h"
#include "proc/child_idle.h"
#include "worker/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ASAN 1
#endif
#endif
#ifndef HAS_ASAN
#define HAS_ASAN 0
#endif

static int life[2]; /* the pipe */

static int open_life(void **state)
{
  (void)state;
  return pipe2(life, O_CLOEXEC);
}

static int close_life(void **state)
{
  (void)state;
  return close(life[0]);
}

/* Runs with the write end, which is closed here afterwards: whoever holds it now has escaped. */
static struct hone__child_result run(struct hone__child_options options)
{
  struct hone__child_result result;
  const int keep[] = {life[1], -1};
  char byte;

  if (!options.keep) options.keep = keep;
  hone__child_run(&options, &result);
  close(life[1]);
  fcntl(life[0], F_SETFL, O_NONBLOCK);
  while (read(life[0], &byte, 1) > 0) {}
  assert_int_equal(read(life[0], &byte, 1), 0);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
  return result;
}

static struct hone__child_result call(void (*function)(void *), double timeout_s)
{
  return run((struct hone__child_options){.function = function, .timeout_s = timeout_s});
}

static void expect(struct hone__child_result *result, enum hone__child_end end, int code,
                   const char *words)
{
  struct hone__text text = {0};

  hone__child_describe(result, &text);
  if (result->end != end || result->code != code) print_error("it was: %s\n", text.data);
  assert_int_equal(result->end, end);
  assert_int_equal(result->code, code);
  if (words) assert_string_equal(text.data, words);
  hone__text_release(&text);
  hone__child_result_release(result);
}

/* ---- How it ends ---- */

static void do_nothing(void *data)
{
  (void)data;
}

static void exit_with_3(void *data)
{
  (void)data;
  _exit(3);
}

static void test_exit(void **state)
{
  struct hone__child_result result = call(do_nothing, 10);
  (void)state;

  assert_int_equal(result.swept, 0);
  assert_int_equal(result.output.length, 0);
  assert_true(result.peak_bytes > 0);
  assert_true(result.seconds > 0 && result.seconds < 5);
  expect(&result, HONE__CHILD_EXITED, 0, "exit status 0");
}

static void test_exit_status(void **state)
{
  struct hone__child_result result = call(exit_with_3, 0);
  (void)state;

  expect(&result, HONE__CHILD_EXITED, 3, "exit status 3");
}

static void die(void *data)
{
  const int *number = data;

  signal(*number, SIG_DFL);
  raise(*number);
}

static void test_fatal_signals(void **state)
{
  static const struct {
    int number;
    const char *words;
  } cases[] = {
      {SIGSEGV, "signal 11 (SIGSEGV)"}, {SIGBUS, "signal 7 (SIGBUS)"},
      {SIGILL, "signal 4 (SIGILL)"},    {SIGFPE, "signal 8 (SIGFPE)"},
      {SIGABRT, "signal 6 (SIGABRT)"},  {SIGKILL, "signal 9 (SIGKILL)"},
      {SIGTERM, "signal 15 (SIGTERM)"}, {SIGXCPU, "signal 24 (SIGXCPU)"},
  };

  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int number = cases[i].number;
    struct hone__child_result result =
        run((struct hone__child_options){.function = die, .data = &number, .timeout_s = 10});
    expect(&result, HONE__CHILD_SIGNALLED, number, cases[i].words);
    close_life(state);
    open_life(state);
  }
  close(life[1]);
}

static void sleep_stubbornly(void *data)
{
  (void)data;
  signal(SIGTERM, SIG_IGN);
  for (;;)
    pause();
}

static void sleep_on(void *data)
{
  (void)data;
  for (;;)
    pause();
}

static void test_timeout(void **state)
{
  struct hone__child_result result = call(sleep_on, 0.3);
  (void)state;

  assert_true(result.seconds >= 0.3 && result.seconds < 10);
  expect(&result, HONE__CHILD_TIMED_OUT, SIGKILL, NULL);
}

static void compute_for_a_second(void *data)
{
  clock_t end = clock() + CLOCKS_PER_SEC;

  (void)data;
  while (clock() < end) {}
}

static void wait_for_one_that_computes(void *data)
{
  pid_t pid = fork();

  if (pid == 0) {
    compute_for_a_second(data);
    _exit(0);
  }
  waitpid(pid, NULL, 0);
}

static struct hone__child_result call_idle(void (*function)(void *data))
{
  return run((struct hone__child_options){.function = function, .timeout_s = 60, .idle_s = 0.6});
}

static void test_deadlock(void **state)
{
  struct hone__child_result result;
  struct hone__text words = {0};
  (void)state;

  if (getpid() == 1) skip(); /* /proc is that of another namespace */
  result = call_idle(sleep_on);
  assert_true(result.was_idle);
  assert_true(result.seconds >= 0.5 && result.seconds < 50);
  hone__child_describe(&result, &words);
  assert_non_null(strstr(words.data, "without using the processor"));
  hone__text_release(&words);
  expect(&result, HONE__CHILD_TIMED_OUT, SIGKILL, NULL);
}

static void test_progress(void **state)
{
  void (*functions[])(void *data) = {compute_for_a_second, wait_for_one_that_computes};
  (void)state;

  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    struct hone__child_result result = call_idle(functions[i]);
    assert_false(result.was_idle);
    expect(&result, HONE__CHILD_EXITED, 0, NULL);
  }
}

static bool is_idle(pid_t pid)
{
  struct hone__child_idle idle = {0};
  bool is = false;

  for (int i = 0; i < 5 && !is; i++) {
    is = hone__child_is_idle(&idle, pid, false, 0.2);
    usleep(250000);
  }
  return is;
}

static void test_pause(void **state)
{
  int status;
  pid_t pid;
  (void)state;

  if (getpid() == 1) skip(); /* /proc is that of another namespace */
  pid = fork();
  if (pid == 0) sleep_on(NULL);
  assert_int_equal(kill(pid, SIGSTOP), 0);
  assert_int_equal(waitpid(pid, &status, WUNTRACED), pid);
  assert_true(WIFSTOPPED(status));
  assert_false(is_idle(pid)); /* it may go on */
  assert_int_equal(kill(pid, SIGCONT), 0);
  assert_int_equal(waitpid(pid, &status, WCONTINUED), pid);
  while (!is_idle(pid)) {}
  assert_int_equal(kill(pid, SIGKILL), 0);
  assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void test_timeout_with_grace(void **state)
{
  struct hone__child_result result =
      run((struct hone__child_options){.function = sleep_on, .timeout_s = 0.1, .grace_s = 10});
  (void)state;

  assert_true(result.seconds >= 0.1 && result.seconds < 9);
  expect(&result, HONE__CHILD_TIMED_OUT, SIGTERM, NULL);
}

static void test_timeout_with_sigterm_ignored(void **state)
{
  struct hone__child_result result = run(
      (struct hone__child_options){.function = sleep_stubbornly, .timeout_s = 1, .grace_s = 0.2});
  (void)state;

  assert_true(result.seconds >= 1.2 && result.seconds < 10);
  expect(&result, HONE__CHILD_TIMED_OUT, SIGKILL, NULL);
}

static void stop_itself(void *data)
{
  (void)data;
  raise(SIGSTOP);
  for (;;)
    pause();
}

static void test_stop(void **state)
{
  struct hone__child_result result = call(stop_itself, 60);
  (void)state;

  assert_true(result.seconds < 5);
  expect(&result, HONE__CHILD_STOPPED, SIGSTOP, "stopped by signal 19 (SIGSTOP)");
}

/* ---- What it leaves behind ---- */

/* In a session of its own, with another parent, and deaf. Who was between them is gone then. */
static void fork_escapee(void)
{
  pid_t between = fork();

  if (between) {
    waitpid(between, NULL, 0);
    return;
  }
  setsid();
  if (fork()) _exit(0);
  for (int i = 1; i < 32; i++)
    signal(i, SIG_IGN);
  for (;;)
    pause();
}

static void leave_escapee(void *data)
{
  (void)data;
  fork_escapee();
  usleep(20000);
}

static void test_escapee(void **state)
{
  struct hone__child_result result = call(leave_escapee, 10);
  (void)state;

  assert_int_equal(result.swept, 1);
  assert_true(result.seconds < 5);
  expect(&result, HONE__CHILD_EXITED, 0, NULL);
}

static void leave_many_and_hang(void *data)
{
  for (int i = 0; i < 20; i++)
    fork_escapee();
  sleep_on(data);
}

static void test_many_escapees_at_the_deadline(void **state)
{
  struct hone__child_result result = call(leave_many_and_hang, 4);
  (void)state;

  assert_int_equal(result.swept, 20);
  expect(&result, HONE__CHILD_TIMED_OUT, SIGKILL, NULL);
}

/* Each lives for a moment, and has a child first. */
static void run_away(void *data)
{
  (void)data;
  if (fork()) return;
  setsid();
  for (;;)
    if (fork()) _exit(0);
}

static void test_moving_target(void **state)
{
  struct hone__child_result result = call(run_away, 10);
  (void)state;

  expect(&result, HONE__CHILD_EXITED, 0, NULL);
}

/* ---- What it says ---- */

static void say_something(void *data)
{
  (void)data;
  printf("to standard output\n");
  fprintf(stderr, "to standard error\n");
}

static void test_output(void **state)
{
  struct hone__child_result result = call(say_something, 10);
  (void)state;

  assert_non_null(strstr(result.output.data, "to standard output\n"));
  assert_non_null(strstr(result.output.data, "to standard error\n"));
  assert_false(result.output_cut);
  expect(&result, HONE__CHILD_EXITED, 0, NULL);
}

static void flood(void *data)
{
  const size_t *bytes = data;
  static char piece[1 << 16];

  memset(piece, 'x', sizeof piece);
  for (size_t left = *bytes; left;) {
    ssize_t written = write(1, piece, left < sizeof piece ? left : sizeof piece);
    if (written <= 0) _exit(1);
    left -= (size_t)written;
  }
  if (write(2, "the end", 7) != 7) _exit(1);
}

static void test_flood(void **state)
{
  size_t bytes = 1 << 30;
  struct rusage before, after;
  struct hone__child_result result;
  (void)state;

  getrusage(RUSAGE_SELF, &before);
  result = run((struct hone__child_options){.function = flood, .data = &bytes, .timeout_s = 60});
  getrusage(RUSAGE_SELF, &after);
  assert_true(after.ru_maxrss - before.ru_maxrss < 8 << 10);
  assert_true(result.output_cut);
  assert_true(result.output.length < 80 << 10);
  assert_true(result.output.length > 72 << 10);
  assert_int_equal(result.output.data[0], 'x');
  assert_non_null(strstr(result.output.data, "bytes left out]"));
  assert_string_equal(result.output.data + result.output.length - 7, "the end");
  print_message("# 1 GiB of output in %.2f s\n", result.seconds);
  expect(&result, HONE__CHILD_EXITED, 0, NULL);
}

static void test_output_to_the_byte(void **state)
{
  static const size_t sizes[] = {1, 8185, 8186, 70000, 73720, 73721, 73722, 80000, 150000};

  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t bytes = sizes[i], whole = bytes + 7;
    struct hone__child_result result =
        run((struct hone__child_options){.function = flood, .data = &bytes, .timeout_s = 60});
    bool is_cut = whole > (8 << 10) + (64 << 10);
    assert_int_equal(result.output_cut, is_cut);
    if (!is_cut) assert_int_equal(result.output.length, whole);
    assert_string_equal(result.output.data + result.output.length - 7, "the end");
    expect(&result, HONE__CHILD_EXITED, 0, NULL);
    close_life(state);
    open_life(state);
  }
  close(life[1]);
}

static void flood_for_ever(void *data)
{
  char piece[4096] = {0};

  (void)data;
  while (write(1, piece, sizeof piece) > 0) {}
}

static void test_flood_without_end(void **state)
{
  struct hone__child_result result = call(flood_for_ever, 0.3);
  (void)state;

  assert_true(result.seconds < 10);
  expect(&result, HONE__CHILD_TIMED_OUT, SIGKILL, NULL);
}

static void close_all(void *data)
{
  (void)data;
  for (int file = 0; file < 100; file++)
    close(file);
  usleep(100000);
  _exit(4);
}

static void test_closed_files(void **state)
{
  struct hone__child_result result = call(close_all, 10);
  (void)state;

  assert_true(result.cpu_seconds < 0.09);
  expect(&result, HONE__CHILD_EXITED, 4, NULL);
}

/* ---- What it is given ---- */

static void count_files(void *data)
{
  const int *kept = data;
  int count = 0;

  for (int file = 3; file < 1024; file++)
    count += fcntl(file, F_GETFD) >= 0;
  if (fcntl(*kept, F_GETFD) < 0 || getpgrp() != getpid()) _exit(100);
  _exit(count);
}

static void test_files_are_closed(void **state)
{
  int files[] = {open("/dev/null", O_RDONLY), open("/dev/null", O_RDONLY), dup(1)};
  struct hone__child_result result;
  (void)state;

  result =
      run((struct hone__child_options){.function = count_files, .data = &life[1], .timeout_s = 10});
  expect(&result, HONE__CHILD_EXITED, 1, NULL);
  for (int i = 0; i < 3; i++)
    close(files[i]);
}

static void test_program(void **state)
{
  const char *const argv[] = {"sh", "-c", "pwd; cat; ulimit -c; exit 5", NULL};
  struct hone__child_result result =
      run((struct hone__child_options){.argv = argv, .directory = "/usr", .timeout_s = 10});
  (void)state;

  assert_string_equal(result.output.data, "/usr\n0\n");
  expect(&result, HONE__CHILD_EXITED, 5, NULL);
}

static void test_missing_program(void **state)
{
  const char *const argv[] = {"/no/such/program", NULL};
  struct hone__child_result result =
      run((struct hone__child_options){.argv = argv, .timeout_s = 10});
  (void)state;

  expect(&result, HONE__CHILD_NOT_STARTED, ENOENT, "cannot be started: no such file or directory");
}

static void test_missing_directory(void **state)
{
  struct hone__child_result result = run((struct hone__child_options){
      .function = do_nothing, .directory = "/no/such/folder", .timeout_s = 10});
  (void)state;

  expect(&result, HONE__CHILD_NOT_STARTED, ENOENT, NULL);
}

/* Whoever is not root could not start anything otherwise. */
static bool root_folder_is_open(void)
{
  struct stat facts;

  return stat("/", &facts) == 0 && facts.st_mode & S_IXOTH;
}

/* For execvp, the folder that may not be searched is the reason. */
static void test_locked_folder_in_path(void **state)
{
  const char *const argv[] = {"no-such-program", NULL};
  char folder[] = "/tmp/hone-test-XXXXXX", path[64];
  const char *const variables[] = {path, NULL};
  struct hone__child_result result;

  (void)state;
  if (geteuid() == 0 && !root_folder_is_open()) {
    print_message("the root folder is closed to other users\n");
    skip();
  }
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "PATH=%s:/usr/bin:/bin", folder);
  assert_int_equal(chmod(folder, 0), 0);
  if (geteuid() == 0) assert_int_equal(seteuid(65534), 0);
  result = run((struct hone__child_options){.argv = argv, .variables = variables});
  if (getuid() == 0) assert_int_equal(seteuid(0), 0);
  expect(&result, HONE__CHILD_NOT_STARTED, ENOENT, NULL);
  assert_int_equal(rmdir(folder), 0);
}

/* 127 is what a shell says of a missing program, but here it is the program's own. */
static void test_exit_status_127(void **state)
{
  const char *const argv[] = {"sh", "-c", "exit 127", NULL};
  struct hone__child_result result =
      run((struct hone__child_options){.argv = argv, .timeout_s = 10});
  (void)state;

  expect(&result, HONE__CHILD_EXITED, 127, NULL);
}

static void test_no_descriptors_left(void **state)
{
  struct rlimit old, none;
  struct hone__child_result result;
  (void)state;

  getrlimit(RLIMIT_NOFILE, &old);
  none = old;
  none.rlim_cur = 0;
  setrlimit(RLIMIT_NOFILE, &none);
  hone__child_run(&(struct hone__child_options){.function = do_nothing}, &result);
  setrlimit(RLIMIT_NOFILE, &old);
  close(life[1]);
  expect(&result, HONE__CHILD_NOT_STARTED, EMFILE, NULL);
}

static void take_memory(void *data)
{
  (void)data;
  for (;;)
    memset(malloc(1 << 20), 1, 1 << 20);
}

static void test_memory(void **state)
{
  struct hone__child_result result;
  (void)state;

  if (HAS_ASAN) { /* its own memory is counted too: take_memory ends by a report */
    close(life[1]);
    return;
  }
  result = run((struct hone__child_options){
      .function = take_memory, .timeout_s = 30, .memory_bytes = 64 << 20});
  assert_true(result.peak_bytes > 50 << 20);
  assert_true(result.peak_bytes < 200 << 20);
  expect(&result, HONE__CHILD_OOM, SIGSEGV, NULL);
}

/* It dies with little memory taken: no matter of the limit, however much its parent holds. */
static void test_crash_below_the_memory_limit(void **state)
{
  size_t size = 100 << 20;
  char *held = malloc(size);
  int number = SIGSEGV;
  struct hone__child_result result;
  (void)state;

  memset(held, 1, size);
  result = run((struct hone__child_options){
      .function = die, .data = &number, .timeout_s = 30, .memory_bytes = 64 << 20});
  assert_int_equal(held[size - 1], 1);
  free(held);
  expect(&result, HONE__CHILD_SIGNALLED, SIGSEGV, NULL);
}

static void write_much(void *data)
{
  int file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
  char piece[4096] = {0};

  (void)data;
  if (file < 0) _exit(9);
  for (int i = 0; i < 1000; i++)
    if (write(file, piece, sizeof piece) < 0) _exit(10);
  _exit(11);
}

static void test_file_size(void **state)
{
  struct hone__child_result result = run(
      (struct hone__child_options){.function = write_much, .timeout_s = 10, .file_bytes = 1 << 20});
  (void)state;

  if (result.end == HONE__CHILD_EXITED && result.code == 9) skip(); /* no such files here */
  expect(&result, HONE__CHILD_SIGNALLED, SIGXFSZ, "signal 25 (SIGXFSZ)");
}

/* ---- How fast ---- */

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static void test_speed(void **state)
{
  enum { COUNT = 200 };
  double seconds[COUNT];
  (void)state;

  close(life[1]);
  for (int i = 0; i < COUNT; i++) {
    struct hone__child_result result;
    double start = hone__clock();
    hone__child_run(&(struct hone__child_options){.function = do_nothing, .timeout_s = 10},
                    &result);
    seconds[i] = hone__clock() - start;
    expect(&result, HONE__CHILD_EXITED, 0, NULL);
  }
  qsort(seconds, COUNT, sizeof *seconds, compare);
  print_message("# a child takes %.0f us, at least %.0f us\n", 1e6 * seconds[COUNT / 2],
                1e6 * seconds[0]);
  assert_true(seconds[0] < (HAS_ASAN ? 0.1 : 0.01)); /* the others may have waited for a CPU */
}

/* ---- What programs are given ---- */

static void test_split_output(void **state)
{
  const char *const argv[] = {"sh", "-c", "echo one; echo two >&2; echo three", NULL};
  struct hone__child_result result =
      run((struct hone__child_options){.argv = argv, .splits_output = true, .timeout_s = 20});
  (void)state;

  assert_string_equal(result.output.data, "one\nthree\n");
  assert_string_equal(result.errors.data, "two\n");
  assert_false(result.output_cut);
  expect(&result, HONE__CHILD_EXITED, 0, NULL);
}

static void test_split_flood(void **state)
{
  const char *const argv[] = {
      "sh", "-c", "head -c 30000000 /dev/zero >&2 & head -c 30000000 /dev/zero; wait; echo end",
      NULL};
  struct hone__child_result result =
      run((struct hone__child_options){.argv = argv, .splits_output = true, .timeout_s = 60});
  (void)state;

  assert_true(result.output_cut);
  assert_true(result.output.length < 80000 && result.errors.length < 80000);
  assert_memory_equal(result.output.data + result.output.length - 4, "end\n", 4);
  expect(&result, HONE__CHILD_EXITED, 0, NULL);
}

static void test_variables(void **state)
{
  const char *const argv[] = {"sh", "-c", "echo $HONE_A,$HONE_B,${HONE_C-none},$HONE_D", NULL};
  const char *const variables[] = {"HONE_A=1", "HONE_B=x=y", "HONE_C", "HONE_D=", NULL};
  struct hone__child_result result;
  (void)state;

  setenv("HONE_A", "old", 1);
  setenv("HONE_C", "old", 1);
  result = run((struct hone__child_options){.argv = argv, .variables = variables, .timeout_s = 20});
  assert_string_equal(result.output.data, "1,x=y,none,\n");
  expect(&result, HONE__CHILD_EXITED, 0, NULL);
  assert_string_equal(getenv("HONE_A"), "old");
  unsetenv("HONE_A");
  unsetenv("HONE_C");
}

static void test_spared_others(void **state)
{
  const char *const argv[] = {"sh", "-c", "sleep 1000 & echo 1", NULL};
  struct hone__child_options options = {.argv = argv, .spares_others = true, .timeout_s = 20};
  struct hone__child_result result;
  pid_t other = fork();
  (void)state;

  if (other == 0) {
    close(life[1]);
    for (;;)
      pause();
  }
  assert_true(other > 0);
  hone__child_run(&options, &result);
  assert_int_equal(waitpid(other, NULL, WNOHANG), 0);
  expect(&result, HONE__CHILD_EXITED, 0, NULL);
  result = call(do_nothing, 10); /* this one spares nobody */
  expect(&result, HONE__CHILD_EXITED, 0, NULL);
}

static void test_last_line(void **state)
{
  struct hone__text text = {0}, line = {0};
  (void)state;

  close(life[1]);
  hone__last_line(&text, &line);
  assert_int_equal(line.length, 0);
  hone__text_add(&text, "one\ntw\377o\n \n\n");
  hone__last_line(&text, &line);
  assert_string_equal(line.data, "tw?o");
  hone__text_release(&text);
  hone__text_release(&line);
}

static void test_failed(void **state)
{
  struct hone__child_result result = {.end = HONE__CHILD_EXITED};
  struct hone__text why = {0};
  (void)state;

  close(life[1]);
  assert_false(hone__child_failed(&result, &why));
  assert_int_equal(why.length, 0);
  result.code = 3;
  assert_true(hone__child_failed(&result, &why));
  assert_string_equal(why.data, "exit status 3");
  why.length = 0;
  hone__text_add(&result.output, "first\nlast\n");
  assert_true(hone__child_failed(&result, &why));
  assert_string_equal(why.data, "exit status 3: last");
  hone__text_release(&result.output);
  hone__text_release(&why);
}

/* ---- Again, in a namespace ---- */

static int run_inside(void)
{
  char name[4096] = "";
  enum hone__sandbox_kind kind = hone__sandbox_find();
  struct hone__child_result result;
  const char *const argv[] = {"unshare",      kind == HONE__SANDBOX_NAMESPACE ? "-pf" : "-Upf",
                              "--kill-child", name,
                              "inside",       NULL};
  int failed;

  if (kind == HONE__SANDBOX_PLAIN || readlink("/proc/self/exe", name, sizeof name - 1) < 0)
    return -1;
  hone__child_run(&(struct hone__child_options){.argv = argv, .timeout_s = 200}, &result);
  failed = result.end != HONE__CHILD_EXITED || result.code != 0;
  if (failed) print_error("%s\n", result.output.data ? result.output.data : "");
  hone__child_result_release(&result);
  return failed;
}

static void test_all_of_this_as_process_1(void **state)
{
  int failed;
  (void)state;

  close(life[1]);
  failed = run_inside();
  if (failed < 0) skip();
  assert_int_equal(failed, 0);
}

static void test_isolation(void **state)
{
  (void)state;
  close(life[1]);
  assert_string_equal(hone__child_isolation(), getpid() == 1 ? "pid namespace" : "descendants");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_life, close_life)

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      TEST(test_isolation),
      TEST(test_exit),
      TEST(test_exit_status),
      TEST(test_fatal_signals),
      TEST(test_timeout),
      TEST(test_deadlock),
      TEST(test_progress),
      TEST(test_pause),
      TEST(test_timeout_with_grace),
      TEST(test_timeout_with_sigterm_ignored),
      TEST(test_stop),
      TEST(test_escapee),
      TEST(test_many_escapees_at_the_deadline),
      TEST(test_moving_target),
      TEST(test_output),
      TEST(test_flood),
      TEST(test_output_to_the_byte),
      TEST(test_flood_without_end),
      TEST(test_closed_files),
      TEST(test_files_are_closed),
      TEST(test_program),
      TEST(test_missing_program),
      TEST(test_missing_directory),
      TEST(test_locked_folder_in_path),
      TEST(test_exit_status_127),
      TEST(test_no_descriptors_left),
      TEST(test_memory),
      TEST(test_crash_below_the_memory_limit),
      TEST(test_file_size),
      TEST(test_split_output),
      TEST(test_split_flood),
      TEST(test_variables),
      TEST(test_spared_others),
      TEST(test_last_line),
      TEST(test_failed),
      TEST(test_speed),
  };
  const struct CMUnitTest more[] = {TEST(test_all_of_this_as_process_1)};
  enum { COUNT = sizeof tests / sizeof *tests };
  struct CMUnitTest all[COUNT + 1];

  (void)argv;
  memcpy(all, tests, sizeof tests);
  all[COUNT] = more[0];
  if (argc > 1) return cmocka_run_group_tests(tests, NULL, NULL);
  return cmocka_run_group_tests(all, NULL, NULL);
}
