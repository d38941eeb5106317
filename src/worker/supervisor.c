/* One loop around poll. It never blocks on one peer: bytes that cannot be written at once stay in a
 * write queue, and a full queue stops only the reading of its input.
 */
#include "worker/supervisor.h"

#include "base/clock.h"
#include "base/machine.h"
#include "base/version_sum.h"
#include "proc/child_tree.h"
#include "wire/hello.h"
#include "worker/scratch.h"
#include "worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { FULL_QUEUE = 64 << 20 }; /* bytes of orders */

static const double beat_s = 1;
/* For a driver that sends heartbeats: a lost network is not reported otherwise. A driver may be
 * busy for a while. */
static const double driver_silence_s = 60;
static const double unkillable_s =
    5; /* a runner stuck in the kernel is abandoned after this time */

/* ---- Events ---- */

/* Reads once. False: end of file. */
static bool read_piece(int file, struct hone__frame_reader *reader, bool *out_more)
{
  ssize_t got = hone__frame_feed_from(file, reader);

  *out_more = got > 0;
  return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

static void look_at_driver(struct hone__supervisor *s, const struct pollfd *in,
                           const struct pollfd *out)
{
  bool more;

  if (in->revents & POLLIN) {
    if (!read_piece(s->driver_in, &s->from_driver, &more)) s->is_done = true;
    s->heard = hone__clock();
    hone__supervisor_read_driver(s);
  } else if (in->revents) {
    s->is_done = true;
  }
  if (out->revents & (POLLERR | POLLNVAL)) s->is_done = true;
}

static void read_runner(struct hone__supervisor *s, bool *out_more)
{
  if (!read_piece(s->sandbox.out, &s->from_runner, out_more)) {
    close(s->sandbox.out);
    s->sandbox.out = -1;
    hone__supervisor_runner_closed(s);
  }
  hone__supervisor_read_runner(s);
}

/* Output written before the exit is still read. */
static void look_at_runner(struct hone__supervisor *s, bool is_readable)
{
  struct rusage usage = {0};
  bool is_gone;
  int status = 0;

  if (s->sandbox.pid <= 0) return;
  is_gone = hone__sandbox_reap(s->kind, &s->sandbox, &status, &usage);
  for (bool more = is_readable || is_gone; more && s->sandbox.out >= 0; more &= is_gone)
    read_runner(s, &more);
  while (hone__capture_read(&s->sandbox.output) && is_gone) {}
  if (is_gone) hone__supervisor_runner_is_gone(s, status, (size_t)usage.ru_maxrss * 1024);
}

static void look_at_clock(struct hone__supervisor *s)
{
  double now = hone__clock();

  if (now >= s->deadline) hone__supervisor_deadline(s);
  if (s->is_watched && now - s->heard > s->silence_s) s->is_done = true;
  if (now < s->next_beat) return;
  s->next_beat = now + beat_s;
  if (hone__write_queue_waiting(&s->to_driver) < HONE__WRITE_QUEUE_FULL)
    hone__supervisor_send(s, HONE__FRAME_BEAT, s->order, NULL, NULL);
}

static void write_boxes(struct hone__supervisor *s)
{
  if (s->sandbox.pid > 0 && !hone__write_queue_flush(&s->to_runner, s->sandbox.in))
    hone__write_queue_release(&s->to_runner); /* its exit will be noticed */
  if (!hone__write_queue_flush(&s->to_driver, s->driver_out)) s->is_done = true;
}

static int poll_ms(const struct hone__supervisor *s)
{
  double next = fmin(fmin(s->deadline, s->next_beat), s->next_look);
  double wait_s = next - hone__clock();

  if (s->sandbox.pid > 0 && s->sandbox.pidfd < 0 && wait_s > 0.01) wait_s = 0.01;
  return wait_s > 0 ? (int)ceil(1000 * wait_s) : 0;
}

static void turn(struct hone__supervisor *s)
{
  bool has_sandbox = s->sandbox.pid > 0, has_failed;
  size_t to_driver = hone__write_queue_waiting(&s->to_driver);
  struct pollfd files[] = {
      {s->driver_in, s->queue_bytes < FULL_QUEUE ? POLLIN : 0, 0},
      {s->driver_out, to_driver ? POLLOUT : 0, 0},
      {has_sandbox && hone__write_queue_waiting(&s->to_runner) ? s->sandbox.in : -1, POLLOUT, 0},
      {has_sandbox && to_driver < HONE__WRITE_QUEUE_FULL ? s->sandbox.out : -1, POLLIN, 0},
      {has_sandbox ? s->sandbox.output.read_end : -1, POLLIN, 0},
      {has_sandbox ? s->sandbox.pidfd : -1, POLLIN, 0},
      {s->signals, POLLIN, 0},
  };

  has_failed = poll(files, sizeof files / sizeof *files, poll_ms(s)) < 0 && errno != EINTR;
  if (has_failed || files[6].revents) s->is_done = true;
  look_at_driver(s, &files[0], &files[1]);
  look_at_runner(s, files[3].revents != 0);
  look_at_clock(s);
  hone__supervisor_next(s);
  write_boxes(s);
}

/* ---- Begin and end ---- */

static void send_hello(struct hone__supervisor *s)
{
  char host[256] = "";

  gethostname(host, sizeof host - 1);
  hone__supervisor_send(s, HONE__FRAME_HELLO, NULL, &hone__hello_type,
                        &(struct hone__hello){.version = hone_version(),
                                              .revision = hone_revision(),
                                              .sources = hone__version_sum(),
                                              .host = host,
                                              .pid = getpid(),
                                              .role = s->role,
                                              .device = s->device,
                                              .cores = (int64_t)hone__cpu_count(),
                                              .memory_bytes = hone__memory_bytes(),
                                              .zstd = true,
                                              .clock_s = hone__clock_since_1970(),
                                              .isolation = hone__sandbox_kind_name(s->kind)});
}

/* Moves the frames to private descriptors; anything else printed here goes to standard error. */
static bool take_files(struct hone__supervisor *s)
{
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);

  s->driver_in = fcntl(0, F_DUPFD_CLOEXEC, 3);
  s->driver_out = fcntl(1, F_DUPFD_CLOEXEC, 3);
  if (null < 0 || s->driver_in < 0 || s->driver_out < 0) return false;
  if (fcntl(2, F_GETFD) < 0) dup2(null, 2);
  if (dup2(null, 0) < 0 || dup2(2, 1) < 0) return false;
  if (null > 2) close(null);
  return fcntl(s->driver_out, F_SETFL, fcntl(s->driver_out, F_GETFL) | O_NONBLOCK) == 0;
}

/* A terminal's interrupt is for the driver, which decides what happens. */
static int take_signals(void)
{
  static const int ignored[] = {SIGINT, SIGHUP, SIGPIPE};
  sigset_t last;

  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
    signal(ignored[i], SIG_IGN);
  sigemptyset(&last);
  sigaddset(&last, SIGTERM);
  sigprocmask(SIG_BLOCK, &last, NULL);
  return signalfd(-1, &last, SFD_CLOEXEC);
}

static bool wait_for_runner(struct hone__supervisor *s, double limit_s)
{
  double end = hone__clock() + limit_s;
  struct rusage usage;
  int status;

  while (!hone__sandbox_reap(s->kind, &s->sandbox, &status, &usage)) {
    if (hone__clock() >= end) return false;
    usleep(1000);
  }
  return true;
}

/* One that works is killed at once. */
static void end_runner(struct hone__supervisor *s)
{
  bool is_idle = s->stage == HONE__ORDER_NONE && !s->is_dying;

  if (s->sandbox.pid <= 0) return;
  if (is_idle) hone__supervisor_dismiss(s);
  if (!is_idle || !wait_for_runner(s, HONE__LEAVE_S)) {
    hone__sandbox_kill(&s->sandbox);
    wait_for_runner(s, unkillable_s);
  }
  hone__supervisor_forget_runner(s);
}

static double silence_limit_s(void)
{
  const char *text = getenv("HONE_DRIVER_SILENCE");
  double limit_s = text ? strtod(text, NULL) : 0;

  return limit_s > 0 ? limit_s : driver_silence_s;
}

int hone__supervisor_main(const char *role, const char *device)
{
  struct hone__supervisor s = {
      .role = role, .device = device, .deadline = INFINITY, .next_look = INFINITY};

  s.queue_end = &s.queue;
  s.next_beat = hone__clock() + beat_s;
  s.silence_s = silence_limit_s();
  if (!take_files(&s)) return 1;
  s.signals = take_signals();
  s.kind = hone__sandbox_find();
  if (s.kind == HONE__SANDBOX_PLAIN) hone__tree_adopt();
  s.scratch = hone__scratch_open();
  send_hello(&s);
  while (!s.is_done)
    turn(&s);
  hone__supervisor_keep_unfinished(&s);
  end_runner(&s);
  hone__supervisor_release(&s);
  hone__scratch_close(s.scratch);
  return 0;
}
