/* One fork, one pipe (or two), one wait.
 *
 * The parent waits for the process (a pidfd), never for the end of the pipe, which a grandchild may
 * hold open. The output is read continuously; otherwise the child would block. A pidfd does not
 * report stops: they are polled.
 *
 * A page shared with the child until its work starts reports why it could not start.
 */
#include "proc/child.h"

#include "base/clock.h"
#include "base/machine.h"
#include "proc/capture.h"
#include "proc/child_idle.h"
#include "proc/child_start.h"
#include "proc/child_tree.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

static const double look_for_stops_s = 0.2;
static const double unkillable_s =
    5; /* a process stuck in the kernel is abandoned after this time */

static const int last_signals[] = {SIGINT, SIGTERM, SIGHUP};

enum phase { RUNNING, TERMINATED, KILLED, GIVEN_UP };

struct run {
  const struct hone__child_options *options;
  struct hone__capture output, errors; /* `errors` only if requested */
  struct hone__child_note *note;
  pid_t pid;
  int pidfd; /* -1: not supported by the kernel, or no free descriptor */
  double started, deadline;
  enum phase phase;
  bool is_over, is_late, was_idle;
  struct hone__child_idle idle;
  int stop_signal, status;
  struct rusage usage;
};

/* ---- Waiting ---- */

static void wait_for_news(struct run *run)
{
  double wait_s = run->deadline - hone__clock();
  double longest_s = run->pidfd >= 0 ? look_for_stops_s : 0.001;
  struct pollfd files[] = {{.fd = run->pidfd, .events = POLLIN},
                           {.fd = run->output.read_end, .events = POLLIN},
                           {.fd = run->errors.read_end, .events = POLLIN}};

  if (wait_s > longest_s) wait_s = longest_s;
  if (wait_s < 0) wait_s = 0;
  poll(files, 3, (int)ceil(1000 * wait_s));
}

static void send_signal(const struct run *run, int signal)
{
  kill(-run->pid, signal);
  kill(run->pid, signal); /* it may have left its group */
}

static void end_it(struct run *run)
{
  send_signal(run, SIGKILL);
  run->phase = KILLED;
  run->deadline = hone__clock() + unkillable_s;
}

static void look_at_child(struct run *run)
{
  pid_t pid = wait4(run->pid, &run->status, WNOHANG | WUNTRACED, &run->usage);

  if (pid == 0 || (pid < 0 && errno == EINTR)) return;
  if (pid < 0 || !WIFSTOPPED(run->status)) {
    run->is_over = true;
  } else if (run->phase < KILLED) {
    run->stop_signal = WSTOPSIG(run->status);
    end_it(run);
  }
}

static bool must_end(const struct hone__child_options *options)
{
  return options->is_guarded && hone__child_guard_called();
}

static void look_at_clock(struct run *run)
{
  if (!run->is_over && run->phase < KILLED && must_end(run->options)) end_it(run);
  if (run->is_over || hone__clock() < run->deadline) return;
  if (run->phase == KILLED) {
    run->phase = GIVEN_UP;
    run->is_over = true;
    return;
  }
  run->is_late = true;
  if (run->phase == TERMINATED || !(run->options->grace_s > 0)) {
    end_it(run);
  } else {
    send_signal(run, SIGTERM);
    run->phase = TERMINATED;
    run->deadline = hone__clock() + run->options->grace_s;
  }
}

static void look_at_progress(struct run *run, bool has_output)
{
  if (run->is_over || run->phase != RUNNING) return;
  run->was_idle = hone__child_is_idle(&run->idle, run->pid, has_output, run->options->idle_s);
  if (run->was_idle) run->deadline = -INFINITY;
}

static bool listen(struct run *run)
{
  bool has_output = hone__capture_read(&run->output);

  return hone__capture_read(&run->errors) || has_output;
}

static void attend(struct run *run)
{
  bool has_output;

  while (!run->is_over) {
    wait_for_news(run);
    has_output = listen(run);
    look_at_child(run);
    look_at_progress(run, has_output);
    look_at_clock(run);
  }
}

/* A pipe holds little; the bound is for a writer that could not be killed. */
static void drain(struct run *run)
{
  for (int i = 0; i < 64 && listen(run); i++) {}
}

/* ---- The verdict ---- */

bool hone__child_looks_oom(int status, size_t peak_bytes)
{
  bool is_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  bool has_failed = WIFEXITED(status) && WEXITSTATUS(status) != 0;

  return (is_killed || has_failed) && peak_bytes > hone__memory_half(0);
}

/* The peak includes the memory of the fork; after an exec only the larger of the two is known. */
static bool is_out_of_memory(const struct run *run, size_t peak_bytes)
{
  size_t limit = run->options->memory_bytes, base = run->note->base_bytes;
  size_t needed = limit / 20 * 17;
  int death = WIFSIGNALED(run->status) ? WTERMSIG(run->status) : 0;
  bool is_death = death == SIGSEGV || death == SIGABRT || death == SIGKILL || death == SIGBUS;

  if (hone__child_looks_oom(run->status, peak_bytes)) return true;
  if (!limit || (!is_death && !(WIFEXITED(run->status) && WEXITSTATUS(run->status)))) return false;
  if (run->options->argv) return peak_bytes >= needed && peak_bytes > base + base / 8;
  return peak_bytes >= base && peak_bytes - base >= needed;
}

static void judge(const struct run *run, struct hone__child_result *result)
{
  bool is_signalled = WIFSIGNALED(run->status);

  result->code = is_signalled ? WTERMSIG(run->status) : WEXITSTATUS(run->status);
  if (run->note->error) {
    result->end = HONE__CHILD_NOT_STARTED;
    result->code = run->note->error;
  } else if (run->is_late) {
    result->end = HONE__CHILD_TIMED_OUT;
  } else if (run->stop_signal) {
    result->end = HONE__CHILD_STOPPED;
    result->code = run->stop_signal;
  } else if (is_out_of_memory(run, result->peak_bytes)) {
    result->end = HONE__CHILD_OOM;
  } else {
    result->end = is_signalled ? HONE__CHILD_SIGNALLED : HONE__CHILD_EXITED;
  }
}

static double seconds_of(struct timeval time)
{
  return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static void fill_in(const struct run *run, struct hone__child_result *result)
{
  result->seconds = hone__clock() - run->started;
  result->cpu_seconds = seconds_of(run->usage.ru_utime) + seconds_of(run->usage.ru_stime);
  result->peak_bytes = (size_t)run->usage.ru_maxrss * 1024;
  result->forced_switches = run->usage.ru_nivcsw;
  result->was_idle = run->was_idle;
}

/* ---- The run ---- */

static int prepare(struct run *run)
{
  int error = hone__capture_open(&run->output);

  if (!error && run->options->splits_output) error = hone__capture_open(&run->errors);
  if (error) return error;
  run->note = hone__child_note_make(run->options);
  return run->note ? 0 : errno;
}

static int start(struct run *run)
{
  double timeout_s = run->options->timeout_s;
  int output = run->output.write_end;
  int errors = run->options->splits_output ? run->errors.write_end : output;

  fflush(NULL); /* otherwise the child would print it again */
  run->started = hone__clock();
  run->deadline = timeout_s > 0 ? run->started + timeout_s : INFINITY;
  run->pid = fork();
  if (run->pid < 0) return errno;
  if (run->pid == 0) hone__child_begin(run->options, output, errors, run->note);
  setpgid(run->pid, run->pid); /* parent and child both call it: either may run first */
  run->pidfd = (int)syscall(SYS_pidfd_open, run->pid, 0);
  hone__capture_close_write(&run->output);
  hone__capture_close_write(&run->errors);
  return 0;
}

static void sweep(const struct run *run, struct hone__child_result *result)
{
  if (run->options->spares_others || !hone__tree_is_own())
    kill(-run->pid, SIGKILL);
  else if (run->phase != GIVEN_UP)
    result->swept = hone__tree_sweep(unkillable_s);
}

void hone__child_run(const struct hone__child_options *options,
                     struct hone__child_result *out_result)
{
  struct run run = {.options = options,
                    .pidfd = -1,
                    .output = {.read_end = -1, .write_end = -1},
                    .errors = {.read_end = -1, .write_end = -1}};
  int error;

  *out_result = (struct hone__child_result){0};
  if (hone__tree_is_own()) hone__tree_adopt(); /* again: this may be a fork of a worker */
  error = must_end(options) ? EINTR : prepare(&run);
  if (!error) error = start(&run);
  if (error) {
    out_result->end = HONE__CHILD_NOT_STARTED;
    out_result->code = error;
  } else {
    attend(&run);
    fill_in(&run, out_result);
    sweep(&run, out_result);
    drain(&run);
    judge(&run, out_result);
    out_result->output_cut = hone__capture_text(&run.output, &out_result->output);
    out_result->output_cut |= hone__capture_text(&run.errors, &out_result->errors);
  }
  if (run.pidfd >= 0) close(run.pidfd);
  hone__child_note_free(run.note);
  hone__capture_close(&run.output);
  hone__capture_close(&run.errors);
}

/* ---- The guard ---- */

void hone__child_guard_begin(struct hone__child_guard *guard)
{
  struct sigaction action;
  sigset_t held;

  sigemptyset(&held);
  for (size_t i = 0; i < sizeof last_signals / sizeof *last_signals; i++)
    if (sigaction(last_signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(&held, last_signals[i]); /* an ignored signal would otherwise stay pending */
  pthread_sigmask(SIG_BLOCK, &held, &guard->before);
}

bool hone__child_guard_called(void)
{
  sigset_t pending;
  bool is_there = false;

  if (sigpending(&pending) != 0) return false;
  for (size_t i = 0; i < sizeof last_signals / sizeof *last_signals; i++)
    is_there = is_there || sigismember(&pending, last_signals[i]) == 1;
  return is_there;
}

void hone__child_guard_end(const struct hone__child_guard *guard)
{
  pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
}

void hone__child_result_release(struct hone__child_result *result)
{
  hone__text_release(&result->output);
  hone__text_release(&result->errors);
}

/* ---- In words ---- */

static const struct {
  int signal;
  const char *name;
} signal_names[] = {
    {SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},
    {SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
    {SIGKILL, "SIGKILL"}, {SIGUSR1, "SIGUSR1"}, {SIGSEGV, "SIGSEGV"}, {SIGUSR2, "SIGUSR2"},
    {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"}, {SIGTERM, "SIGTERM"}, {SIGSTOP, "SIGSTOP"},
    {SIGTSTP, "SIGTSTP"}, {SIGTTIN, "SIGTTIN"}, {SIGTTOU, "SIGTTOU"}, {SIGXCPU, "SIGXCPU"},
    {SIGXFSZ, "SIGXFSZ"}, {SIGSYS, "SIGSYS"},
};

void hone__signal_describe(int signal, struct hone__text *text)
{
  hone__text_addf(text, "signal %d", signal);
  for (size_t i = 0; i < sizeof signal_names / sizeof *signal_names; i++)
    if (signal_names[i].signal == signal) hone__text_addf(text, " (%s)", signal_names[i].name);
}

void hone__child_describe(const struct hone__child_result *result, struct hone__text *text)
{
  const char *why;

  switch (result->end) {
  case HONE__CHILD_EXITED: hone__text_addf(text, "exit status %d", result->code); break;
  case HONE__CHILD_SIGNALLED: hone__signal_describe(result->code, text); break;
  case HONE__CHILD_TIMED_OUT:
    hone__text_addf(text, "still running after %.3g s%s", result->seconds,
                    result->was_idle ? ", but without using the processor" : "");
    break;
  case HONE__CHILD_STOPPED:
    hone__text_add(text, "stopped by ");
    hone__signal_describe(result->code, text);
    break;
  case HONE__CHILD_OOM:
    hone__text_addf(text, "out of memory with %zu MiB", result->peak_bytes >> 20);
    break;
  case HONE__CHILD_NOT_STARTED:
    why = strerror(result->code);
    hone__text_addf(text, "cannot be started: %c%s", tolower((unsigned char)*why), why + 1);
    break;
  }
}

void hone__last_line(const struct hone__text *output, struct hone__text *line)
{
  enum { LONGEST = 200 };
  size_t end = output->length, begin;

  while (end && (unsigned char)output->data[end - 1] <= ' ')
    end--;
  for (begin = end; begin && output->data[begin - 1] != '\n'; begin--)
    if (end - begin == LONGEST) break;
  for (size_t i = begin; i < end; i++) {
    unsigned char c = (unsigned char)output->data[i];
    hone__text_addn(line, c >= ' ' && c < 127 ? (const char *)&output->data[i] : "?", 1);
  }
}

bool hone__child_failed(const struct hone__child_result *result, struct hone__text *why)
{
  struct hone__text line = {0};

  if (result->end == HONE__CHILD_EXITED && result->code == 0) return false;
  hone__child_describe(result, why);
  hone__last_line(&result->output, &line);
  if (line.length) hone__text_addf(why, ": %s", line.data);
  hone__text_release(&line);
  return true;
}
