/* The program is watched by a pidfd, never by the end of a pipe, which a process that it started
 * may hold open. Its output is read while a request is written, otherwise both sides could block.
 */
#include "proc/served.h"

#include "base/clock.h"
#include "proc/capture.h"
#include "proc/child_start.h"
#include "proc/child_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

static const double sweep_s = 5, look_s = 0.2;
static const double closed_s = 1; /* from the end of its output to its own end */

struct hone__served {
  pid_t pid; /* 0: it was never started */
  bool is_gone;
  int pidfd, input, output;
  struct hone__line_reader lines;
  struct hone__capture text, errors; /* `text` has no pipe */
  struct hone__child_note *note;     /* why it could not be executed */
};

/* ---- Start ---- */

static void close_file(int *file)
{
  if (*file >= 0) close(*file);
  *file = -1;
}

/* `theirs`: its descriptors 0 and 1. */
static int open_pipes(struct hone__served *served, int theirs[2])
{
  int in[2], out[2], error = hone__capture_open(&served->errors);

  if (error) return error;
  if (pipe2(in, O_CLOEXEC) != 0) return errno;
  theirs[0] = in[0];
  served->input = in[1];
  if (pipe2(out, O_CLOEXEC) != 0) return errno;
  served->output = out[0];
  theirs[1] = out[1];
  fcntl(served->input, F_SETFL, O_NONBLOCK);
  fcntl(served->output, F_SETFL, O_NONBLOCK);
  return 0;
}

static int fork_program(struct hone__served *served, const struct hone__child_options *options,
                        const int theirs[2])
{
  struct hone__child_options own = *options;

  own.input = theirs[0];
  fflush(NULL); /* otherwise the child would print it again */
  served->pid = fork();
  if (served->pid == 0) hone__child_begin(&own, theirs[1], served->errors.write_end, served->note);
  if (served->pid > 0) return 0;
  served->pid = 0;
  return errno;
}

static struct hone__served *new_served(void)
{
  struct hone__served *served = hone__alloc(sizeof *served);

  *served = (struct hone__served){.pidfd = -1,
                                  .input = -1,
                                  .output = -1,
                                  .text = {.read_end = -1, .write_end = -1},
                                  .errors = {.read_end = -1, .write_end = -1}};
  return served;
}

struct hone__served *hone__served_start(const struct hone__child_options *options, int *out_error)
{
  struct hone__served *served = new_served();
  int theirs[2] = {-1, -1}, error;

  hone__tree_adopt();
  error = open_pipes(served, theirs);
  if (!error && !(served->note = hone__child_note_make(options))) error = errno;
  if (!error) error = fork_program(served, options, theirs);
  close_file(&theirs[0]);
  close_file(&theirs[1]);
  *out_error = error;
  if (error) {
    hone__served_end(served, NULL, 0);
    return NULL;
  }
  setpgid(served->pid, served->pid); /* parent and child both call it: either may run first */
  served->pidfd = (int)syscall(SYS_pidfd_open, served->pid, 0);
  hone__capture_close_write(&served->errors);
  return served;
}

/* Does not reap it: the next request finds its end. */
bool hone__served_is_alive(const struct hone__served *served)
{
  siginfo_t news = {0};
  const int changes = WEXITED | WSTOPPED | WNOHANG | WNOWAIT;

  return served && !served->is_gone && waitid(P_PID, (id_t)served->pid, &news, changes) == 0 &&
         news.si_pid == 0;
}

/* ---- One request ---- */

struct served_work {
  struct hone__served *served;
  const struct hone__served_request *request;
  struct hone__served_answer *answer;
  const char *unsent;
  size_t unsent_size;
  double deadline, silent_at;
  bool was_terminated, is_over;
};

static void end_work(struct served_work *work, enum hone__served_news news)
{
  if (work->is_over) return;
  work->is_over = true;
  if (!work->was_terminated) work->answer->news = news; /* what comes after a limit is too late */
}

static void take_message(struct served_work *work, const char *line, size_t length)
{
  enum hone__served_line kind = work->request->take(work->request->data, line, length);

  if (kind == HONE__SERVED_ANSWER) end_work(work, HONE__SERVED_ANSWERED);
  if (kind == HONE__SERVED_WRONG) end_work(work, HONE__SERVED_REFUSED);
  if (kind != HONE__SERVED_TEXT) return;
  hone__capture_add(&work->served->text, line, length);
  hone__capture_add(&work->served->text, "\n", 1);
}

static void take_lines(struct served_work *work)
{
  struct hone__served *served = work->served;
  enum hone__line_state state = HONE__LINE_TEXT;
  const char *line;
  size_t length;

  while (!work->is_over && state != HONE__LINE_MORE) {
    state = hone__line_reader_next(&served->lines, &line, &length);
    if (state == HONE__LINE_MESSAGE) take_message(work, line, length);
    if (state == HONE__LINE_TEXT) hone__capture_add(&served->text, line, length);
    if (state == HONE__LINE_LONG) end_work(work, HONE__SERVED_LINE_LONG);
  }
}

/* One that has been told to end closes it, too. */
static void take_closing(struct served_work *work)
{
  close_file(&work->served->output);
  if (work->was_terminated) return;
  work->deadline = fmin(work->deadline, hone__clock() + closed_s);
  work->answer->news = HONE__SERVED_CLOSED; /* unless it ends soon */
}

/* True if there may be more to read. */
static bool read_output(struct served_work *work)
{
  struct hone__served *served = work->served;
  char bytes[1 << 14];
  ssize_t got = served->output < 0 ? -1 : read(served->output, bytes, sizeof bytes);

  if (got > 0) {
    work->silent_at = hone__clock() + work->request->silence_s;
    hone__line_reader_feed(&served->lines, bytes, (size_t)got);
    take_lines(work);
  }
  if (got == 0) take_closing(work);
  return got > 0;
}

static void read_errors(struct served_work *work)
{
  if (hone__capture_read(&work->served->errors))
    work->silent_at = hone__clock() + work->request->silence_s;
}

/* ---- Its end ---- */

static void take_end(struct served_work *work, int status, const struct rusage *usage)
{
  struct hone__child_result *child = &work->answer->child;
  const struct hone__child_note *note = work->served->note;

  child->peak_bytes = (size_t)usage->ru_maxrss * 1024;
  child->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  child->end = WIFSIGNALED(status) ? HONE__CHILD_SIGNALLED : HONE__CHILD_EXITED;
  if (work->was_terminated) {
    child->end = HONE__CHILD_TIMED_OUT;
  } else if (note->error) {
    child->end = HONE__CHILD_NOT_STARTED;
    child->code = note->error;
  } else if (hone__child_looks_oom(status, child->peak_bytes)) {
    child->end = HONE__CHILD_OOM;
  }
  end_work(work, HONE__SERVED_ENDED);
}

static void look_at_process(struct served_work *work)
{
  int status = 0;
  struct rusage usage = {0};
  pid_t pid;

  if (work->is_over) return;
  pid = wait4(work->served->pid, &status, WNOHANG | WUNTRACED, &usage);
  if (pid == 0 || (pid < 0 && errno == EINTR)) return;
  if (pid < 0 || !WIFSTOPPED(status)) {
    work->served->is_gone = true;
    while (read_output(work)) {} /* it may have answered before it ended */
    if (!work->is_over) take_end(work, status, &usage);
    return;
  }
  work->answer->child.end = HONE__CHILD_STOPPED;
  work->answer->child.code = WSTOPSIG(status);
  end_work(work, HONE__SERVED_ENDED);
}

/* The first limit that is reached counts; the second time it has had its grace. */
static void look_at_clock(struct served_work *work)
{
  const struct hone__served_request *request = work->request;
  double now = hone__clock();
  bool is_silent = request->silence_s > 0 && now >= work->silent_at;

  if (work->is_over || (now < work->deadline && (!is_silent || work->was_terminated))) return;
  if (work->was_terminated) {
    work->is_over = true;
    return;
  }
  if (work->answer->news != HONE__SERVED_CLOSED)
    work->answer->news = now < work->deadline ? HONE__SERVED_WAS_SILENT : HONE__SERVED_ENDED;
  work->answer->child.end = HONE__CHILD_TIMED_OUT;
  work->was_terminated = true;
  work->deadline = now + request->grace_s;
  kill(-work->served->pid, request->grace_s > 0 ? SIGTERM : SIGKILL);
}

/* ---- Waiting ---- */

/* A program that closed its input ends the sending; its own end, or a limit, tells the rest. */
static void send_some(struct served_work *work)
{
  ssize_t sent;

  if (!work->unsent_size || work->served->input < 0) return;
  sent = write(work->served->input, work->unsent, work->unsent_size);
  if (sent > 0) {
    work->unsent += sent;
    work->unsent_size -= (size_t)sent;
  } else if (errno != EAGAIN && errno != EINTR) {
    close_file(&work->served->input);
  }
}

static void wait_for_news(const struct served_work *work)
{
  const struct hone__served *served = work->served;
  double until =
      work->request->silence_s > 0 ? fmin(work->deadline, work->silent_at) : work->deadline;
  double wait_s = fmin(until - hone__clock(), served->pidfd < 0 ? 0.001 : look_s);
  struct pollfd files[] = {{.fd = served->output, .events = POLLIN},
                           {.fd = served->errors.read_end, .events = POLLIN},
                           {.fd = served->pidfd, .events = POLLIN},
                           {.fd = work->unsent_size ? served->input : -1, .events = POLLOUT}};

  poll(files, 4, (int)ceil(1000 * fmax(wait_s, 0)));
}

static void attend(struct served_work *work)
{
  take_lines(work); /* those that came with the last answer */
  while (!work->is_over) {
    send_some(work);
    wait_for_news(work);
    read_errors(work);
    read_output(work);
    look_at_process(work);
    look_at_clock(work);
  }
}

static void take_texts(struct served_work *work)
{
  struct hone__served *served = work->served;
  struct hone__child_result *child = &work->answer->child;
  const char *rest;
  size_t length;

  for (int i = 0; i < 64 && hone__capture_read(&served->errors); i++) {} /* a pipe holds little */
  if (work->answer->news != HONE__SERVED_ANSWERED &&
      hone__line_reader_rest(&served->lines, &rest, &length))
    hone__capture_add(&served->text, rest, length);
  child->output_cut = hone__capture_text(&served->text, &child->output);
  child->output_cut |= hone__capture_text(&served->errors, &child->errors);
  hone__capture_forget(&served->text);
  hone__capture_forget(&served->errors);
}

void hone__served_ask(struct hone__served **served, const struct hone__served_request *request,
                      struct hone__served_answer *out_answer)
{
  double began = hone__clock();
  struct served_work work = {.served = *served,
                             .request = request,
                             .answer = out_answer,
                             .unsent = request->line,
                             .unsent_size = request->length,
                             .deadline =
                                 request->timeout_s > 0 ? began + request->timeout_s : INFINITY,
                             .silent_at = began + request->silence_s};

  *out_answer = (struct hone__served_answer){.news = HONE__SERVED_ENDED};
  attend(&work);
  out_answer->child.seconds = hone__clock() - began;
  if (out_answer->news != HONE__SERVED_ANSWERED && !work.served->is_gone)
    kill(-work.served->pid, SIGKILL); /* so that what it printed is complete */
  take_texts(&work);
  if (out_answer->news == HONE__SERVED_ANSWERED) return;
  hone__served_end(*served, NULL, 0);
  *served = NULL;
}

void hone__served_answer_release(struct hone__served_answer *answer)
{
  hone__child_result_release(&answer->child);
  *answer = (struct hone__served_answer){0};
}

/* ---- The end ---- */

/* What it prints now is ignored: it is read, so that it does not block. */
static void drain(struct hone__served *served)
{
  char bytes[1 << 14];

  hone__capture_read(&served->errors);
  hone__capture_forget(&served->errors);
  if (served->output >= 0 && read(served->output, bytes, sizeof bytes) == 0)
    close_file(&served->output);
}

static void wait_for_end(struct hone__served *served, double grace_s)
{
  double until = hone__clock() + grace_s;

  while (hone__served_is_alive(served) && hone__clock() < until) {
    struct pollfd files[] = {{.fd = served->output, .events = POLLIN},
                             {.fd = served->errors.read_end, .events = POLLIN},
                             {.fd = served->pidfd, .events = POLLIN}};
    poll(files, 3, served->pidfd < 0 ? 1 : 20);
    drain(served);
  }
}

void hone__served_end(struct hone__served *served, const char *line, double grace_s)
{
  if (!served) return;
  if (line && served->input >= 0 && write(served->input, line, strlen(line)) < 0) grace_s = 0;
  close_file(&served->input);
  if (served->pid && grace_s > 0) wait_for_end(served, grace_s);
  if (served->pid) {
    kill(-served->pid, SIGKILL);
    if (!served->is_gone) kill(served->pid, SIGKILL);
    hone__tree_sweep(sweep_s);
  }
  close_file(&served->pidfd);
  close_file(&served->output);
  hone__capture_close(&served->text);
  hone__capture_close(&served->errors);
  hone__line_reader_release(&served->lines);
  hone__child_note_free(served->note);
  free(served);
}
