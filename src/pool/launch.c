/* Neither the exit of a launcher nor the end of its output alone proves that everything was read.
 * Whichever comes first starts a short wait for the other, so that the last frames and the last
 * output on stderr are not missed. Exit statuses appear in messages only.
 *
 * The process leads its own session: terminal signals do not reach it, and one kill reaches the
 * launcher and its children. Processes that outlive the leader in its group are ended too.
 *
 * Memory is freed only after all handles are closed, so callbacks may call hone__launch_end at any
 * time.
 */
#include "pool/launch.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>

enum { ERRORS_BYTES = 4096, SETTLE_MS = 200, POLL_MS = 20 };
enum { LIVELY_BYTES = 4096 }; /* this many bytes of an unfinished frame count as a sign of life */

/* The steps of ending a process: the action of each step, and the wait before the next one. */
enum step { RUNNING, SEND_BYE, CLOSE_INPUT, TERMINATE, KILL_LEADER, KILL, ABANDON };
static const struct {
  uint64_t wait_ms;
  int signal;
  bool spares_group;
} steps[] = {
    [SEND_BYE] = {.wait_ms = 900},
    [CLOSE_INPUT] = {.wait_ms = 100},
    [TERMINATE] = {.wait_ms = 500, .signal = SIGTERM},
    /* A child of srun releases the allocation when srun is killed. Killing that child too would
     * leave the node allocated, and the next srun would queue behind it. */
    [KILL_LEADER] = {.wait_ms = 2000, .signal = SIGKILL, .spares_group = true},
    [KILL] = {.wait_ms = 10000,
              .signal = SIGKILL}, /* takes longer only in an uninterruptible wait in the kernel */
};

struct hone__launch {
  uv_loop_t *loop;
  uv_process_t process;
  uv_pipe_t in, out, err;
  uv_timer_t timer;
  size_t handles; /* not closed yet */
  const struct hone__launch_events *events;
  void *data;
  pid_t pid; /* 0: it did not start */
  bool exited, out_ended, err_ended;
  bool reported; /* no more callbacks except `gone` */
  int64_t exit_status;
  int exit_signal;
  int write_error; /* of libuv; 0: none */
  enum step step;
  uint64_t step_due_ms, alive_ms;
  size_t partial_bytes; /* since the last sign of life */
  struct hone__frame_reader reader;
  struct hone__text errors; /* the end of stderr */
  struct hone__text line;   /* its last line */
};

/* What is read is handled before the next read: one buffer for all processes of a thread. */
static _Thread_local char read_buffer[1 << 16];

struct writing {
  uv_write_t request;
  struct hone__text bytes;
};

/* ---- Closing ---- */

static void handle_closed(uv_handle_t *handle)
{
  struct hone__launch *launch = handle->data;

  if (--launch->handles) return;
  hone__frame_reader_release(&launch->reader);
  hone__text_release(&launch->errors);
  hone__text_release(&launch->line);
  launch->events->gone(launch->data);
  free(launch);
}

static void close_handle(void *handle)
{
  if (!uv_is_closing(handle)) uv_close(handle, handle_closed);
}

static void close_all(struct hone__launch *launch)
{
  launch->step = ABANDON;
  close_handle(&launch->in);
  close_handle(&launch->out);
  close_handle(&launch->err);
  close_handle(&launch->process);
  close_handle(&launch->timer);
}

/* ---- The steps of ending a process ---- */

static bool group_alive(const struct hone__launch *launch)
{
  return launch->pid && (kill(-launch->pid, 0) == 0 || errno == EPERM);
}

static void on_escalation_timer(uv_timer_t *timer);

static void step_to(struct hone__launch *launch, enum step step)
{
  static const struct hone__frame bye = {.kind = HONE__FRAME_BYE};

  if (step >= ABANDON) {
    close_all(launch);
    return;
  }
  if (step == SEND_BYE) hone__launch_send(launch, &bye);
  if (step >= CLOSE_INPUT) close_handle(&launch->in);
  if (step == KILL_LEADER && launch->exited) step = KILL;
  if (steps[step].signal && launch->pid)
    kill(steps[step].spares_group ? launch->pid : -launch->pid, steps[step].signal);
  launch->step = step;
  launch->step_due_ms = uv_now(launch->loop) + steps[step].wait_ms;
  uv_timer_start(&launch->timer, on_escalation_timer, POLL_MS, POLL_MS);
}

/* Once the leader is gone the rest of its group is ended. Processes that were sent SIGKILL are not
 * waited for. */
static void look(struct hone__launch *launch)
{
  if (launch->step == RUNNING || launch->step == ABANDON) return;
  if (launch->exited && (!group_alive(launch) || launch->step == KILL))
    close_all(launch);
  else if (launch->exited && launch->step < TERMINATE)
    step_to(launch, TERMINATE);
  else if (uv_now(launch->loop) >= launch->step_due_ms)
    step_to(launch, launch->step + 1);
}

static void on_escalation_timer(uv_timer_t *timer)
{
  look(timer->data);
}

void hone__launch_end(struct hone__launch *launch, bool polite)
{
  launch->reported = true;
  if (launch->step != RUNNING) return;
  uv_update_time(launch->loop);
  if (!launch->pid)
    close_all(launch);
  else
    step_to(launch, polite && !launch->exited ? SEND_BYE : CLOSE_INPUT);
  look(launch);
}

/* ---- The end of the process ---- */

static const char *last_line(struct hone__launch *launch, const struct hone__text *text)
{
  size_t end = text->length, start;

  while (end && strchr(" \t\r\n", text->data[end - 1]))
    end--;
  for (start = end; start && text->data[start - 1] != '\n' && text->data[start - 1] != '\r';)
    start--;
  launch->line.length = 0;
  hone__text_addn(&launch->line, end ? text->data + start : "", end - start);
  return launch->line.data;
}

const char *hone__launch_last_line(struct hone__launch *launch)
{
  const char *line = last_line(launch, &launch->errors);

  if (!*line) line = last_line(launch, &launch->reader.noise);
  return line;
}

int hone__launch_exit_status(const struct hone__launch *launch)
{
  return launch->exited && !launch->exit_signal ? (int)launch->exit_status : -1;
}

static void report(struct hone__launch *launch, const char *why)
{
  if (launch->reported) return;
  launch->reported = true;
  uv_timer_stop(&launch->timer);
  launch->events->ended(launch->data, why);
}

static void report_exit(struct hone__launch *launch)
{
  struct hone__text why = {0};

  hone__text_add(&why, hone__launch_last_line(launch));
  if (why.length == 0 && !launch->exited && launch->write_error)
    hone__text_addf(&why, "cannot write to it: %s", uv_strerror(launch->write_error));
  else if (why.length == 0 && !launch->exited)
    hone__text_add(&why, "its output ended");
  else if (why.length == 0 && launch->exit_signal)
    hone__text_addf(&why, "signal %d (%s)", launch->exit_signal, strsignal(launch->exit_signal));
  else if (why.length == 0)
    hone__text_addf(&why, "exit status %d", (int)launch->exit_status);
  report(launch, why.data);
  hone__text_release(&why);
}

static void on_settle_timer(uv_timer_t *timer)
{
  report_exit(timer->data);
}

/* Called after an exit, the end of a stream, or a failed write. */
static void settle(struct hone__launch *launch)
{
  bool is_over = launch->exited || launch->out_ended || launch->write_error;

  if (launch->step != RUNNING)
    look(launch);
  else if (launch->reported)
    return;
  else if (launch->exited && launch->out_ended && launch->err_ended)
    report_exit(launch);
  else if (is_over && !uv_is_active((uv_handle_t *)&launch->timer))
    uv_timer_start(&launch->timer, on_settle_timer, SETTLE_MS, 0);
}

static void on_exit_of_process(uv_process_t *process, int64_t status, int signal)
{
  struct hone__launch *launch = process->data;

  launch->exited = true;
  launch->exit_status = status;
  launch->exit_signal = signal;
  settle(launch);
}

/* ---- Reading ---- */

static void on_alloc(uv_handle_t *handle, size_t size, uv_buf_t *out_buffer)
{
  (void)handle;
  (void)size;
  *out_buffer = uv_buf_init(read_buffer, sizeof read_buffer);
}

static void note_alive(struct hone__launch *launch)
{
  launch->alive_ms = uv_now(launch->loop);
  launch->partial_bytes = 0;
}

/* Heartbeats inside a frame that never ends are not signs of life. */
static void count_bytes(struct hone__launch *launch, size_t size)
{
  launch->partial_bytes += size;
  if (launch->partial_bytes >= LIVELY_BYTES) note_alive(launch);
}

/* Banners and messages of the day, before a HELLO, do not explain why the worker ends later. */
static void drop_banners(struct hone__launch *launch)
{
  launch->errors.length = 0;
  launch->reader.noise.length = 0;
}

static void take_frames(struct hone__launch *launch)
{
  struct hone__frame frame;
  enum hone__frame_state state = HONE__FRAME_MORE;

  while (!launch->reported) {
    state = hone__frame_next(&launch->reader, &frame);
    if (state != HONE__FRAME_HERE) break;
    note_alive(launch);
    if (frame.kind == HONE__FRAME_HELLO) drop_banners(launch);
    launch->events->frame(launch->data, &frame);
  }
  if (state == HONE__FRAME_GARBLED)
    report(launch, "its output is not a frame of this version of hone");
}

static void on_out(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
  struct hone__launch *launch = stream->data;

  if (size > 0) {
    if (launch->reported) return;
    count_bytes(launch, (size_t)size);
    hone__frame_feed(&launch->reader, buffer->base, (size_t)size);
    take_frames(launch);
  } else if (size < 0) {
    uv_read_stop(stream);
    launch->out_ended = true;
    settle(launch);
  }
}

static void keep_errors(struct hone__launch *launch, const char *bytes, size_t size)
{
  struct hone__text *errors = &launch->errors;
  size_t extra;

  hone__text_addn(errors, bytes, size);
  extra = errors->length > ERRORS_BYTES ? errors->length - ERRORS_BYTES : 0;
  memmove(errors->data, errors->data + extra, errors->length - extra + 1);
  errors->length -= extra;
}

static void on_err(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
  struct hone__launch *launch = stream->data;

  if (size > 0) {
    keep_errors(launch, buffer->base, (size_t)size);
  } else if (size < 0) {
    uv_read_stop(stream);
    launch->err_ended = true;
    settle(launch);
  }
}

uint64_t hone__launch_alive_ms(const struct hone__launch *launch)
{
  return launch->alive_ms;
}

/* ---- Writing ---- */

static void free_writing(struct writing *writing)
{
  hone__text_release(&writing->bytes);
  free(writing);
}

/* A worker that cannot be written to is unusable, although its heartbeats may continue. */
static void note_written(struct hone__launch *launch, int error)
{
  if (!error || error == UV_ECANCELED || launch->write_error) return;
  launch->write_error = error;
  settle(launch);
}

static void on_written(uv_write_t *request, int error)
{
  note_written(request->handle->data, error);
  free_writing(request->data);
}

void hone__launch_send(struct hone__launch *launch, const struct hone__frame *frame)
{
  struct writing *writing;
  size_t left, i = 0;
  uv_buf_t buffers[2];
  int error;

  if (!launch->pid || uv_is_closing((uv_handle_t *)&launch->in)) return;
  writing = hone__alloc(sizeof *writing);
  writing->request.data = writing;
  hone__frame_encode(frame, &writing->bytes);
  /* libuv's lengths are 32 bits wide on some systems. */
  for (left = writing->bytes.length; left && i < 2; i++) {
    size_t part = left > 1u << 30 ? 1u << 30 : left;
    buffers[i] = uv_buf_init(writing->bytes.data + (writing->bytes.length - left), (unsigned)part);
    left -= part;
  }
  error = uv_write(&writing->request, (uv_stream_t *)&launch->in, buffers, (unsigned)i, on_written);
  if (!error) return;
  free_writing(writing);
  note_written(launch, error);
}

/* ---- Its start ----------------------------------------------------------------------------- */

static void on_not_started(uv_timer_t *timer)
{
  struct hone__launch *launch = timer->data;

  report(launch, launch->errors.data);
}

static void init_handles(struct hone__launch *launch)
{
  uv_pipe_init(launch->loop, &launch->in, 0);
  uv_pipe_init(launch->loop, &launch->out, 0);
  uv_pipe_init(launch->loop, &launch->err, 0);
  uv_timer_init(launch->loop, &launch->timer);
  launch->in.data = launch->out.data = launch->err.data = launch;
  launch->timer.data = launch->process.data = launch;
  launch->handles = 5;
}

static int spawn(struct hone__launch *launch, char *const *argv, char **environment)
{
  const int readable = UV_CREATE_PIPE | UV_READABLE_PIPE;
  const int writable = UV_CREATE_PIPE | UV_WRITABLE_PIPE;
  uv_stdio_container_t stdio[] = {
      {.flags = (uv_stdio_flags)readable, .data.stream = (uv_stream_t *)&launch->in},
      {.flags = (uv_stdio_flags)writable, .data.stream = (uv_stream_t *)&launch->out},
      {.flags = (uv_stdio_flags)writable, .data.stream = (uv_stream_t *)&launch->err},
  };
  uv_process_options_t options = {
      .exit_cb = on_exit_of_process,
      .file = argv[0],
      .args = (char **)(uintptr_t)argv,
      .env = environment,
      .flags = UV_PROCESS_DETACHED,
      .stdio_count = 3,
      .stdio = stdio,
  };
  int error = uv_spawn(launch->loop, &launch->process, &options);

  if (uv_is_active((uv_handle_t *)&launch->process)) launch->pid = launch->process.pid;
  return error;
}

struct hone__launch *hone__launch_start(uv_loop_t *loop, char *const *argv, char **environment,
                                        const struct hone__launch_events *events, void *data)
{
  struct hone__launch *launch = hone__alloc(sizeof *launch);
  int error;

  launch->loop = loop;
  launch->events = events;
  launch->data = data;
  init_handles(launch);
  error = spawn(launch, argv, environment);
  uv_update_time(loop);
  launch->alive_ms = uv_now(loop);
  if (error) {
    hone__text_addf(&launch->errors, "cannot run '%s': %s", argv[0], uv_strerror(error));
    uv_timer_start(&launch->timer, on_not_started, 0, 0);
    return launch;
  }
  uv_read_start((uv_stream_t *)&launch->out, on_alloc, on_out);
  uv_read_start((uv_stream_t *)&launch->err, on_alloc, on_err);
  return launch;
}
