/* Both sides exchange frames over a private socket. An order and its answer carry the same random
 * number, so that stray writes to descriptors in the helper cannot pass as an answer.
 *
 * Descriptors 1 and 2 are pipes that are read continuously, as for any child.
 */
#include "proc/helper.h"

#include "base/clock.h"
#include "proc/capture.h"
#include "proc/child_start.h"
#include "proc/child_tree.h"
#include "wire/frame.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

static const double sweep_s = 5, look_s = 0.2;

struct hone__helper {
  pid_t pid;    /* 0: it was never started */
  bool is_gone; /* and reaped; processes it started may still live */
  int pidfd, socket;
  uint64_t begun; /* number of an order that was begun; 0: none */
  struct hone__capture output, errors;
  struct hone__frame_reader reader;
};

/* ---- Start and end ---- */

static void close_file(int file)
{
  if (file >= 0) close(file);
}

static int open_pipes(struct hone__helper *helper, int ends[2])
{
  int error = hone__capture_open(&helper->output);

  if (!error) error = hone__capture_open(&helper->errors);
  if (!error && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) error = errno;
  return error;
}

static int fork_helper(struct hone__helper *helper, const struct hone__helper_request *order,
                       int socket)
{
  const int keep[] = {socket, -1};
  struct hone__helper_start start = {.socket = socket, .data = order->data};
  struct hone__child_options options = {.function = order->serve, .data = &start, .keep = keep};
  struct hone__child_note *note = hone__child_note_make(&options);

  if (!note) return errno;
  fflush(NULL); /* otherwise the child would print it again */
  helper->pid = fork();
  if (helper->pid == 0)
    hone__child_begin(&options, helper->output.write_end, helper->errors.write_end, note);
  hone__child_note_free(note);
  return helper->pid < 0 ? errno : 0;
}

static int start(struct hone__helper *helper, const struct hone__helper_request *order)
{
  int ends[2] = {-1, -1}, error;

  if (hone__tree_is_own()) hone__tree_adopt(); /* again: this may be a fork of a worker */
  error = open_pipes(helper, ends);
  helper->socket = ends[0];
  if (!error) error = fork_helper(helper, order, ends[1]);
  if (error) helper->pid = 0;
  close_file(ends[1]);
  if (error) return error;
  setpgid(helper->pid, helper->pid); /* parent and child both call it: either may run first */
  helper->pidfd = (int)syscall(SYS_pidfd_open, helper->pid, 0);
  hone__capture_close_write(&helper->output);
  hone__capture_close_write(&helper->errors);
  return 0;
}

static void reap(pid_t pid)
{
  while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {}
}

static pid_t left; /* killed, but perhaps not reaped; 0: none */

static void reap_left(void)
{
  if (left) reap(left);
  left = 0;
}

static void end_process(struct hone__helper *helper, bool waits)
{
  kill(-helper->pid, SIGKILL);
  if (!helper->is_gone) kill(helper->pid, SIGKILL);
  if (!waits)
    left = helper->is_gone ? 0 : helper->pid;
  else if (hone__tree_is_own())
    hone__tree_sweep(sweep_s);
  else if (!helper->is_gone)
    reap(helper->pid);
}

static void end(struct hone__helper *helper, bool waits)
{
  if (!helper) return;
  reap_left();
  if (helper->pid) end_process(helper, waits);
  close_file(helper->pidfd);
  close_file(helper->socket);
  hone__capture_close(&helper->output);
  hone__capture_close(&helper->errors);
  hone__frame_reader_release(&helper->reader);
  free(helper);
}

void hone__helper_end(struct hone__helper *helper)
{
  end(helper, true);
}

void hone__helper_leave(struct hone__helper *helper)
{
  end(helper, false);
}

static struct hone__helper *new_helper(void)
{
  struct hone__helper *helper = hone__alloc(sizeof *helper);

  *helper = (struct hone__helper){.pidfd = -1,
                                  .socket = -1,
                                  .output = {.read_end = -1, .write_end = -1},
                                  .errors = {.read_end = -1, .write_end = -1}};
  return helper;
}

/* ---- One order ---- */

struct helper_work {
  struct hone__helper *helper;
  const struct hone__helper_request *order;
  struct hone__helper_answer *answer;
  uint64_t number;
  double began, deadline;
  bool was_terminated, is_over;
};

static void take_answer(struct helper_work *work, const struct hone__packed *head)
{
  work->is_over = true;
  if (work->was_terminated || work->answer->has_answered) return; /* too late */
  work->answer->has_answered = true;
  work->answer->head = hone__packed_hold(head);
}

/* From now on only its exit can be observed. */
static void close_socket(struct hone__helper *helper)
{
  close_file(helper->socket);
  helper->socket = -1;
}

/* Drops everything except the answer. Returns true if there may be more to read. */
static bool read_answer(struct helper_work *work)
{
  struct hone__helper *helper = work->helper;
  enum hone__frame_state state = HONE__FRAME_MORE;
  char bytes[4096];
  struct hone__frame frame;
  ssize_t got = helper->socket < 0 ? -1 : recv(helper->socket, bytes, sizeof bytes, MSG_DONTWAIT);

  if (got > 0) {
    hone__frame_feed(&helper->reader, bytes, (size_t)got);
    while ((state = hone__frame_next(&helper->reader, &frame)) == HONE__FRAME_HERE)
      if (frame.kind == HONE__FRAME_RESULT && frame.job == work->number)
        take_answer(work, frame.head);
  }
  if (got == 0 || state == HONE__FRAME_GARBLED) close_socket(helper);
  return got > 0;
}

static void take_end(struct helper_work *work, int status, const struct rusage *usage)
{
  struct hone__child_result *child = &work->answer->child;

  work->is_over = true;
  child->peak_bytes = (size_t)usage->ru_maxrss * 1024;
  child->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  child->end = WIFSIGNALED(status) ? HONE__CHILD_SIGNALLED : HONE__CHILD_EXITED;
  if (work->was_terminated)
    child->end = HONE__CHILD_TIMED_OUT;
  else if (hone__child_looks_oom(status, child->peak_bytes))
    child->end = HONE__CHILD_OOM;
}

static void look_at_process(struct helper_work *work)
{
  int status = 0;
  struct rusage usage = {0};
  pid_t pid;

  if (work->is_over) return;
  pid = wait4(work->helper->pid, &status, WNOHANG | WUNTRACED, &usage);
  if (pid == 0 || (pid < 0 && errno == EINTR)) return;
  if (pid < 0 || !WIFSTOPPED(status)) {
    work->helper->is_gone = true;
    while (read_answer(work)) {} /* it may have answered before it exited */
    if (!work->is_over) take_end(work, status, &usage);
    return;
  }
  work->is_over = true;
  work->answer->child.end = HONE__CHILD_STOPPED;
  work->answer->child.code = WSTOPSIG(status);
}

static void look_at_clock(struct helper_work *work)
{
  if (work->is_over || hone__clock() < work->deadline) return;
  work->answer->child.end = HONE__CHILD_TIMED_OUT;
  work->is_over = work->was_terminated;
  work->was_terminated = true;
  work->deadline = hone__clock() + work->order->grace_s;
  kill(-work->helper->pid, work->order->grace_s > 0 ? SIGTERM : SIGKILL);
}

static void listen_to(struct hone__helper *helper)
{
  hone__capture_read(&helper->output);
  hone__capture_read(&helper->errors);
}

static void wait_for_news(const struct helper_work *work, short events)
{
  const struct hone__helper *helper = work->helper;
  double wait_s = fmin(work->deadline - hone__clock(), helper->pidfd < 0 ? 0.001 : look_s);
  struct pollfd files[] = {{.fd = helper->socket, .events = events},
                           {.fd = helper->pidfd, .events = POLLIN},
                           {.fd = helper->output.read_end, .events = POLLIN},
                           {.fd = helper->errors.read_end, .events = POLLIN}};

  poll(files, 4, (int)ceil(1000 * fmax(wait_s, 0)));
}

static void attend(struct helper_work *work, short events)
{
  wait_for_news(work, events);
  listen_to(work->helper);
  read_answer(work);
  look_at_process(work);
  look_at_clock(work);
}

static void take_words(struct helper_work *work)
{
  struct hone__helper *helper = work->helper;
  struct hone__child_result *child = &work->answer->child;

  for (int i = 0; i < 64; i++) /* a pipe holds little; a descendant may still be writing */
    listen_to(helper);
  child->output_cut = hone__capture_text(&helper->output, &child->output);
  child->output_cut |= hone__capture_text(&helper->errors, &child->errors);
  hone__capture_forget(&helper->output);
  hone__capture_forget(&helper->errors);
}

/* The helper may not read its input, so output and deadline are handled while sending. */
static void send_bytes(struct helper_work *work, const char *bytes, size_t size)
{
  while (size && !work->is_over) {
    ssize_t sent = send(work->helper->socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      bytes += sent;
      size -= (size_t)sent;
    } else if (errno == EAGAIN || errno == EINTR) {
      attend(work, POLLIN | POLLOUT);
    } else {
      kill(work->helper->pid, SIGKILL);
      return;
    }
  }
}

static void send_order(struct helper_work *work)
{
  const struct hone__helper_request *order = work->order;
  struct hone__frame frame = {.kind = HONE__FRAME_JOB,
                              .head = order->head,
                              .payload = order->payload,
                              .payload_size = order->payload_size};
  struct hone__text bytes = {0};

  if (getrandom(&work->number, sizeof work->number, 0) < 0 || !work->number)
    work->number = (uint64_t)getpid();
  frame.job = work->number;
  hone__frame_encode(&frame, &bytes);
  send_bytes(work, bytes.data, bytes.length);
  hone__text_release(&bytes);
}

/* Does not reap it: the next order detects its end. */
bool hone__helper_is_alive(const struct hone__helper *helper)
{
  siginfo_t news = {0};
  const int changes = WEXITED | WSTOPPED | WNOHANG | WNOWAIT;

  return helper && helper->socket >= 0 && !helper->is_gone &&
         waitid(P_PID, (id_t)helper->pid, &news, changes) == 0 && news.si_pid == 0;
}

static int get_helper(struct hone__helper **helper, const struct hone__helper_request *order)
{
  int error;

  if (!order->serve) return *helper ? 0 : ESRCH;
  if (hone__helper_is_alive(*helper)) return 0;
  hone__helper_end(*helper);
  *helper = new_helper();
  error = start(*helper, order);
  if (!error) return 0;
  hone__helper_end(*helper);
  *helper = NULL;
  return error;
}

static struct helper_work begin_work(struct hone__helper *helper,
                                     const struct hone__helper_request *order,
                                     struct hone__helper_answer *answer)
{
  double now = hone__clock();

  return (struct helper_work){.helper = helper,
                              .order = order,
                              .answer = answer,
                              .began = now,
                              .deadline = order->timeout_s > 0 ? now + order->timeout_s : INFINITY};
}

void hone__helper_begin(struct hone__helper **helper, const struct hone__helper_request *order)
{
  struct hone__helper_answer none = {0};
  struct helper_work work;

  if (get_helper(helper, order) != 0) return;
  work = begin_work(*helper, order, &none);
  send_order(&work); /* if it ends now, the next order detects that */
  (*helper)->begun = work.number;
  hone__helper_answer_release(&none);
}

/* Gives the order, unless one was begun. */
static int give_order(struct hone__helper **helper, struct helper_work *work)
{
  int error = 0;

  if (*helper && (*helper)->begun) {
    work->helper = *helper;
    work->number = (*helper)->begun;
    (*helper)->begun = 0;
    return 0;
  }
  error = get_helper(helper, work->order);
  if (error) return error;
  work->helper = *helper;
  send_order(work);
  return 0;
}

void hone__helper_ask(struct hone__helper **helper, const struct hone__helper_request *order,
                      struct hone__helper_answer *out_answer)
{
  struct helper_work work = begin_work(NULL, order, out_answer);
  int error;

  *out_answer = (struct hone__helper_answer){0};
  error = give_order(helper, &work);
  if (error) {
    out_answer->child = (struct hone__child_result){.end = HONE__CHILD_NOT_STARTED, .code = error};
    return;
  }
  while (!work.is_over)
    attend(&work, POLLIN);
  out_answer->child.seconds = hone__clock() - work.began;
  take_words(&work);
  if (out_answer->has_answered) return;
  hone__helper_end(*helper);
  *helper = NULL;
}

void hone__helper_answer_release(struct hone__helper_answer *answer)
{
  hone__packed_drop(answer->head);
  hone__child_result_release(&answer->child);
  *answer = (struct hone__helper_answer){0};
}
