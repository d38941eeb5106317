/* The two talk in frames over a socket that only they know of. A call and its answer carry the same
 * random number: whatever a library does with descriptors that are not its own, it is no answer.
 *
 * Descriptors 1 and 2 are pipes that are read all the while, as those of any child. */
#include "backend/program/library_host.h"

#include "backend/program/library_servant.h"
#include "base/clock.h"
#include "exec/capture.h"
#include "exec/child_start.h"
#include "exec/child_tree.h"
#include "exec/frame.h"

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

static const double grace_s = 2, sweep_s = 5, look_s = 0.2;

struct hone_library_host {
  pid_t pid;    /* 0: it was never started */
  bool is_gone; /* and reaped; what it started may live on */
  int pidfd, socket;
  struct hone_capture output, errors;
  struct hone_frame_reader reader;
};

/* ---- Start and end ---- */

static void close_file(int file)
{
  if (file >= 0) close(file);
}

static int open_pipes(struct hone_library_host *host, int ends[2])
{
  int error = hone__capture_open(&host->output);

  if (!error) error = hone__capture_open(&host->errors);
  if (!error && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) error = errno;
  return error;
}

static int fork_servant(struct hone_library_host *host, int socket)
{
  const int keep[] = {socket, -1};
  struct hone_child_options options = {
      .function = hone__library_serve, .data = &socket, .keep = keep};
  struct hone_child_note *note =
      mmap(NULL, sizeof *note, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  if (note == MAP_FAILED) return errno;
  note->parent = getpid();
  fflush(NULL); /* or it would say it again */
  host->pid = fork();
  if (host->pid == 0)
    hone__child_begin(&options, host->output.write_end, host->errors.write_end, note);
  munmap(note, sizeof *note);
  return host->pid < 0 ? errno : 0;
}

static int start(struct hone_library_host *host)
{
  int ends[2] = {-1, -1}, error;

  hone__tree_adopt();
  error = open_pipes(host, ends);
  host->socket = ends[0];
  if (!error) error = fork_servant(host, ends[1]);
  if (error) host->pid = 0;
  close_file(ends[1]);
  if (error) return error;
  setpgid(host->pid, host->pid); /* whoever of the two comes first */
  host->pidfd = (int)syscall(SYS_pidfd_open, host->pid, 0);
  hone__capture_close_write(&host->output);
  hone__capture_close_write(&host->errors);
  return 0;
}

void hone__library_host_end(struct hone_library_host *host)
{
  if (!host) return;
  if (host->pid) {
    kill(-host->pid, SIGKILL);
    if (!host->is_gone) kill(host->pid, SIGKILL);
    hone__tree_sweep(sweep_s);
  }
  close_file(host->pidfd);
  close_file(host->socket);
  hone__capture_close(&host->output);
  hone__capture_close(&host->errors);
  hone__frame_reader_release(&host->reader);
  free(host);
}

static struct hone_library_host *new_host(void)
{
  struct hone_library_host *host = hone__alloc(sizeof *host);

  *host = (struct hone_library_host){.pidfd = -1,
                                     .socket = -1,
                                     .output = {.read_end = -1, .write_end = -1},
                                     .errors = {.read_end = -1, .write_end = -1}};
  return host;
}

/* ---- One call ---- */

struct call {
  struct hone_library_host *host;
  struct hone_library_result *result;
  uint64_t number;
  double began, deadline;
  bool was_told_to_end, is_over;
};

static void take_answer(struct call *call, const json_t *head)
{
  const char *refusal = json_string_value(json_object_get(head, "refusal"));

  call->is_over = true;
  if (call->was_told_to_end) return; /* too late */
  call->result->has_returned = true;
  call->result->value = (int32_t)json_integer_value(json_object_get(head, "value"));
  if (refusal) hone__text_add(&call->result->refusal, *refusal ? refusal : "no reason given");
}

/* From now on nothing can be heard of it but its end. */
static void close_socket(struct hone_library_host *host)
{
  close_file(host->socket);
  host->socket = -1;
}

/* What is not the answer is dropped. */
static void read_answer(struct call *call)
{
  struct hone_library_host *host = call->host;
  enum hone_frame_state state = HONE_FRAME_MORE;
  char bytes[4096];
  struct hone_frame frame;
  ssize_t got = host->socket < 0 ? -1 : recv(host->socket, bytes, sizeof bytes, MSG_DONTWAIT);

  if (got > 0) {
    hone__frame_feed(&host->reader, bytes, (size_t)got);
    while ((state = hone__frame_next(&host->reader, &frame)) == HONE_FRAME_HERE)
      if (frame.kind == HONE_FRAME_RESULT && frame.job == call->number)
        take_answer(call, frame.head);
  }
  if (got == 0 || state == HONE_FRAME_GARBLED) close_socket(host);
}

static void take_end(struct call *call, int status, const struct rusage *usage)
{
  struct hone_child_result *child = &call->result->child;

  call->is_over = true;
  call->host->is_gone = true;
  child->peak_bytes = (size_t)usage->ru_maxrss * 1024;
  child->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  child->end = WIFSIGNALED(status) ? HONE_CHILD_SIGNALLED : HONE_CHILD_EXITED;
  if (call->was_told_to_end)
    child->end = HONE_CHILD_TIMED_OUT;
  else if (hone__child_looks_oom(status, child->peak_bytes))
    child->end = HONE_CHILD_OOM;
}

static void look_at_host(struct call *call)
{
  int status = 0;
  struct rusage usage = {0};
  pid_t pid;

  if (call->is_over) return;
  pid = wait4(call->host->pid, &status, WNOHANG | WUNTRACED, &usage);
  if (pid == 0 || (pid < 0 && errno == EINTR)) return;
  if (pid < 0 || !WIFSTOPPED(status)) {
    take_end(call, status, &usage);
    return;
  }
  call->is_over = true;
  call->result->child.end = HONE_CHILD_STOPPED;
  call->result->child.code = WSTOPSIG(status);
}

static void look_at_clock(struct call *call)
{
  if (call->is_over || hone__clock() < call->deadline) return;
  call->result->child.end = HONE_CHILD_TIMED_OUT;
  call->is_over = call->was_told_to_end;
  call->was_told_to_end = true;
  call->deadline = hone__clock() + grace_s;
  kill(-call->host->pid, SIGTERM);
}

static void listen_to(struct hone_library_host *host)
{
  hone__capture_read(&host->output);
  hone__capture_read(&host->errors);
}

static void wait_for_news(const struct call *call)
{
  const struct hone_library_host *host = call->host;
  double wait_s = fmin(call->deadline - hone__clock(), host->pidfd < 0 ? 0.001 : look_s);
  struct pollfd files[] = {{.fd = host->socket, .events = POLLIN},
                           {.fd = host->pidfd, .events = POLLIN},
                           {.fd = host->output.read_end, .events = POLLIN},
                           {.fd = host->errors.read_end, .events = POLLIN}};

  poll(files, 4, (int)ceil(1000 * fmax(wait_s, 0)));
}

static void attend(struct call *call)
{
  while (!call->is_over) {
    wait_for_news(call);
    listen_to(call->host);
    read_answer(call);
    look_at_host(call);
    look_at_clock(call);
  }
}

static void take_words(struct call *call)
{
  struct hone_library_host *host = call->host;
  struct hone_child_result *child = &call->result->child;

  for (int i = 0; i < 64; i++) /* a pipe holds little; somebody may still be writing */
    listen_to(host);
  child->output_cut = hone__capture_text(&host->output, &child->output);
  child->output_cut |= hone__capture_text(&host->errors, &child->errors);
  hone__capture_forget(&host->output);
  hone__capture_forget(&host->errors);
}

static json_t *describe(const struct hone_library_call *call)
{
  json_t *variables = json_array();

  for (const char *const *at = call->variables; at && *at; at++)
    json_array_append_new(variables, json_string(*at));
  return json_pack("{s:s, s:s, s:o, s:s*}", "path", call->path, "key", call->key, "variables",
                   variables, "directory", call->directory);
}

static bool send_bytes(int socket, const char *bytes, size_t size)
{
  while (size) {
    ssize_t sent = send(socket, bytes, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    bytes += sent;
    size -= (size_t)sent;
  }
  return true;
}

static void send_call(struct call *call, const struct hone_library_call *what)
{
  struct hone_frame frame = {.kind = HONE_FRAME_JOB, .head = describe(what)};
  struct hone_text bytes = {0};

  if (getrandom(&call->number, sizeof call->number, 0) < 0) call->number = (uint64_t)getpid();
  frame.job = call->number;
  hone__frame_encode(&frame, &bytes);
  if (!send_bytes(call->host->socket, bytes.data, bytes.length)) kill(call->host->pid, SIGKILL);
  json_decref(frame.head);
  hone__text_release(&bytes);
}

/* It may have died since the last call. */
static bool is_alive(const struct hone_library_host *host)
{
  return host->socket >= 0 && waitpid(host->pid, NULL, WNOHANG) == 0;
}

static int get_host(struct hone_library_host **host)
{
  int error;

  if (*host && !is_alive(*host)) {
    (*host)->is_gone = true;
    hone__library_host_end(*host);
    *host = NULL;
  }
  if (*host) return 0;
  *host = new_host();
  error = start(*host);
  if (!error) return 0;
  hone__library_host_end(*host);
  *host = NULL;
  return error;
}

void hone__library_call(struct hone_library_host **host, const struct hone_library_call *what,
                        struct hone_library_result *out_result)
{
  struct call call = {.result = out_result};
  int error = get_host(host);

  *out_result = (struct hone_library_result){0};
  if (error) {
    out_result->child = (struct hone_child_result){.end = HONE_CHILD_NOT_STARTED, .code = error};
    return;
  }
  call.host = *host;
  call.began = hone__clock();
  call.deadline = what->timeout_s > 0 ? call.began + what->timeout_s : INFINITY;
  send_call(&call, what);
  attend(&call);
  out_result->child.seconds = hone__clock() - call.began;
  take_words(&call);
  if (out_result->has_returned && !out_result->value && !out_result->refusal.length) return;
  hone__library_host_end(*host);
  *host = NULL;
}

void hone__library_result_release(struct hone_library_result *result)
{
  hone__text_release(&result->refusal);
  hone__child_result_release(&result->child);
}
