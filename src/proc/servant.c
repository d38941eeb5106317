/* The two talk in frames over a socket that only they know of. An order and its answer carry the
 * same random number: whatever is done to descriptors in the servant, it is no answer.
 *
 * Descriptors 1 and 2 are pipes that are read all the while, as those of any child. */
#include "proc/servant.h"

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
#include <sys/mman.h>
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

struct hone__servant {
  pid_t pid;    /* 0: it was never started */
  bool is_gone; /* and reaped; what it started may live on */
  int pidfd, socket;
  struct hone__capture output, errors;
  struct hone__frame_reader reader;
};

/* ---- Start and end ---- */

static void close_file(int file)
{
  if (file >= 0) close(file);
}

static int open_pipes(struct hone__servant *servant, int ends[2])
{
  int error = hone__capture_open(&servant->output);

  if (!error) error = hone__capture_open(&servant->errors);
  if (!error && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) error = errno;
  return error;
}

static int fork_servant(struct hone__servant *servant, const struct hone__servant_order *order,
                        int socket)
{
  const int keep[] = {socket, -1};
  struct hone__servant_start start = {.socket = socket, .data = order->data};
  struct hone__child_options options = {.function = order->serve, .data = &start, .keep = keep};
  struct hone__child_note *note =
      mmap(NULL, sizeof *note, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  if (note == MAP_FAILED) return errno;
  note->parent = getpid();
  fflush(NULL); /* or it would say it again */
  servant->pid = fork();
  if (servant->pid == 0)
    hone__child_begin(&options, servant->output.write_end, servant->errors.write_end, note);
  munmap(note, sizeof *note);
  return servant->pid < 0 ? errno : 0;
}

static int start(struct hone__servant *servant, const struct hone__servant_order *order)
{
  int ends[2] = {-1, -1}, error;

  hone__tree_adopt();
  error = open_pipes(servant, ends);
  servant->socket = ends[0];
  if (!error) error = fork_servant(servant, order, ends[1]);
  if (error) servant->pid = 0;
  close_file(ends[1]);
  if (error) return error;
  setpgid(servant->pid, servant->pid); /* whoever of the two comes first */
  servant->pidfd = (int)syscall(SYS_pidfd_open, servant->pid, 0);
  hone__capture_close_write(&servant->output);
  hone__capture_close_write(&servant->errors);
  return 0;
}

void hone__servant_end(struct hone__servant *servant)
{
  if (!servant) return;
  if (servant->pid) {
    kill(-servant->pid, SIGKILL);
    if (!servant->is_gone) kill(servant->pid, SIGKILL);
    hone__tree_sweep(sweep_s);
  }
  close_file(servant->pidfd);
  close_file(servant->socket);
  hone__capture_close(&servant->output);
  hone__capture_close(&servant->errors);
  hone__frame_reader_release(&servant->reader);
  free(servant);
}

static struct hone__servant *new_servant(void)
{
  struct hone__servant *servant = hone__alloc(sizeof *servant);

  *servant = (struct hone__servant){.pidfd = -1,
                                    .socket = -1,
                                    .output = {.read_end = -1, .write_end = -1},
                                    .errors = {.read_end = -1, .write_end = -1}};
  return servant;
}

/* ---- One errand ---- */

struct errand {
  struct hone__servant *servant;
  const struct hone__servant_order *order;
  struct hone__servant_answer *answer;
  uint64_t number;
  double began, deadline;
  bool was_told_to_end, is_over;
};

static void take_answer(struct errand *errand, json_t *head)
{
  errand->is_over = true;
  if (errand->was_told_to_end || errand->answer->has_answered) return; /* too late */
  errand->answer->has_answered = true;
  errand->answer->head = json_incref(head);
}

/* From now on nothing can be heard of it but its end. */
static void close_socket(struct hone__servant *servant)
{
  close_file(servant->socket);
  servant->socket = -1;
}

/* What is not the answer is dropped. True: there may be more. */
static bool read_answer(struct errand *errand)
{
  struct hone__servant *servant = errand->servant;
  enum hone__frame_state state = HONE__FRAME_MORE;
  char bytes[4096];
  struct hone__frame frame;
  ssize_t got = servant->socket < 0 ? -1 : recv(servant->socket, bytes, sizeof bytes, MSG_DONTWAIT);

  if (got > 0) {
    hone__frame_feed(&servant->reader, bytes, (size_t)got);
    while ((state = hone__frame_next(&servant->reader, &frame)) == HONE__FRAME_HERE)
      if (frame.kind == HONE__FRAME_RESULT && frame.job == errand->number)
        take_answer(errand, frame.head);
  }
  if (got == 0 || state == HONE__FRAME_GARBLED) close_socket(servant);
  return got > 0;
}

static void take_end(struct errand *errand, int status, const struct rusage *usage)
{
  struct hone__child_result *child = &errand->answer->child;

  errand->is_over = true;
  child->peak_bytes = (size_t)usage->ru_maxrss * 1024;
  child->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  child->end = WIFSIGNALED(status) ? HONE__CHILD_SIGNALLED : HONE__CHILD_EXITED;
  if (errand->was_told_to_end)
    child->end = HONE__CHILD_TIMED_OUT;
  else if (hone__child_looks_oom(status, child->peak_bytes))
    child->end = HONE__CHILD_OOM;
}

static void look_at_process(struct errand *errand)
{
  int status = 0;
  struct rusage usage = {0};
  pid_t pid;

  if (errand->is_over) return;
  pid = wait4(errand->servant->pid, &status, WNOHANG | WUNTRACED, &usage);
  if (pid == 0 || (pid < 0 && errno == EINTR)) return;
  if (pid < 0 || !WIFSTOPPED(status)) {
    errand->servant->is_gone = true;
    while (read_answer(errand)) {} /* it may have answered, and then gone */
    if (!errand->is_over) take_end(errand, status, &usage);
    return;
  }
  errand->is_over = true;
  errand->answer->child.end = HONE__CHILD_STOPPED;
  errand->answer->child.code = WSTOPSIG(status);
}

static void look_at_clock(struct errand *errand)
{
  if (errand->is_over || hone__clock() < errand->deadline) return;
  errand->answer->child.end = HONE__CHILD_TIMED_OUT;
  errand->is_over = errand->was_told_to_end;
  errand->was_told_to_end = true;
  errand->deadline = hone__clock() + errand->order->grace_s;
  kill(-errand->servant->pid, errand->order->grace_s > 0 ? SIGTERM : SIGKILL);
}

static void listen_to(struct hone__servant *servant)
{
  hone__capture_read(&servant->output);
  hone__capture_read(&servant->errors);
}

static void wait_for_news(const struct errand *errand, short events)
{
  const struct hone__servant *servant = errand->servant;
  double wait_s = fmin(errand->deadline - hone__clock(), servant->pidfd < 0 ? 0.001 : look_s);
  struct pollfd files[] = {{.fd = servant->socket, .events = events},
                           {.fd = servant->pidfd, .events = POLLIN},
                           {.fd = servant->output.read_end, .events = POLLIN},
                           {.fd = servant->errors.read_end, .events = POLLIN}};

  poll(files, 4, (int)ceil(1000 * fmax(wait_s, 0)));
}

static void attend(struct errand *errand, short events)
{
  wait_for_news(errand, events);
  listen_to(errand->servant);
  read_answer(errand);
  look_at_process(errand);
  look_at_clock(errand);
}

static void take_words(struct errand *errand)
{
  struct hone__servant *servant = errand->servant;
  struct hone__child_result *child = &errand->answer->child;

  for (int i = 0; i < 64; i++) /* a pipe holds little; somebody may still be writing */
    listen_to(servant);
  child->output_cut = hone__capture_text(&servant->output, &child->output);
  child->output_cut |= hone__capture_text(&servant->errors, &child->errors);
  hone__capture_forget(&servant->output);
  hone__capture_forget(&servant->errors);
}

/* It need not read what it is sent: it is attended to meanwhile, and so is the clock. */
static void send_bytes(struct errand *errand, const char *bytes, size_t size)
{
  while (size && !errand->is_over) {
    ssize_t sent = send(errand->servant->socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      bytes += sent;
      size -= (size_t)sent;
    } else if (errno == EAGAIN || errno == EINTR) {
      attend(errand, POLLIN | POLLOUT);
    } else {
      kill(errand->servant->pid, SIGKILL);
      return;
    }
  }
}

static void send_order(struct errand *errand)
{
  const struct hone__servant_order *order = errand->order;
  struct hone__frame frame = {.kind = HONE__FRAME_JOB,
                              .head = (json_t *)(uintptr_t)order->head,
                              .payload = order->payload,
                              .payload_size = order->payload_size};
  struct hone__text bytes = {0};

  if (getrandom(&errand->number, sizeof errand->number, 0) < 0) errand->number = (uint64_t)getpid();
  frame.job = errand->number;
  hone__frame_encode(&frame, &bytes);
  send_bytes(errand, bytes.data, bytes.length);
  hone__text_release(&bytes);
}

/* It is not reaped here: whoever gives it an order learns of its end. */
bool hone__servant_is_alive(const struct hone__servant *servant)
{
  siginfo_t news = {0};
  const int changes = WEXITED | WSTOPPED | WNOHANG | WNOWAIT;

  return servant && servant->socket >= 0 && !servant->is_gone &&
         waitid(P_PID, (id_t)servant->pid, &news, changes) == 0 && news.si_pid == 0;
}

static int get_servant(struct hone__servant **servant, const struct hone__servant_order *order)
{
  int error;

  if (!order->serve) return *servant ? 0 : ESRCH;
  if (hone__servant_is_alive(*servant)) return 0;
  hone__servant_end(*servant);
  *servant = new_servant();
  error = start(*servant, order);
  if (!error) return 0;
  hone__servant_end(*servant);
  *servant = NULL;
  return error;
}

void hone__servant_ask(struct hone__servant **servant, const struct hone__servant_order *order,
                       struct hone__servant_answer *out_answer)
{
  struct errand errand = {.order = order, .answer = out_answer};
  int error = get_servant(servant, order);

  *out_answer = (struct hone__servant_answer){0};
  if (error) {
    out_answer->child = (struct hone__child_result){.end = HONE__CHILD_NOT_STARTED, .code = error};
    return;
  }
  errand.servant = *servant;
  errand.began = hone__clock();
  errand.deadline = order->timeout_s > 0 ? errand.began + order->timeout_s : INFINITY;
  send_order(&errand);
  while (!errand.is_over)
    attend(&errand, POLLIN);
  out_answer->child.seconds = hone__clock() - errand.began;
  take_words(&errand);
  if (out_answer->has_answered) return;
  hone__servant_end(*servant);
  *servant = NULL;
}

void hone__servant_answer_release(struct hone__servant_answer *answer)
{
  json_decref(answer->head);
  hone__child_result_release(&answer->child);
  *answer = (struct hone__servant_answer){0};
}
