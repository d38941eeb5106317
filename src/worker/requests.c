/* The driver's orders (SETUP, JOB, RESTART) are carried out one after the other. The last SETUP is
 * kept and sent to every new runner before its first job; the driver is informed only if it fails.
 * Every order gets exactly one answer, whatever happens to the runner. When the runner is killed,
 * the answer is sent after it is gone: the device is free then.
 */
#include "worker/supervisor.h"

#include "base/clock.h"
#include "proc/child.h"
#include "wire/job_head.h"
#include "wire/ready.h"
#include "wire/result.h"
#include "worker/order_parcels.h"
#include "worker/partial_parcels.h"
#include "worker/scratch.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { QUOTED_OUTPUT = 2000 }; /* bytes of the runner's output that are quoted in evidence */
/* Bytes of an unfinished frame that are kept before the end: longer writes would take too long. */
enum { FIRST_KEPT = 1 << 20, LAST_KEPT = 64 << 20 };
enum { MOST_KILLS = 5 }; /* runners killed during preparation for one order */

static const double reserve_s = 5;       /* added to the deadline of a job */
static const double exit_wait_s = 1;     /* from the end of a runner's frames to its exit */
static const double look_again_s = 0.05; /* for parts that another worker of this host gets */
static const double unkillable_s =
    5; /* a runner stuck in the kernel is abandoned after this time */

void hone__supervisor_send(struct hone__supervisor *s, enum hone__frame_kind kind,
                           const struct hone__supervisor_order *order,
                           const struct hone__record_type *type, const void *record)
{
  struct hone__packed *head = type ? hone__pack(type, record) : NULL;
  struct hone__frame frame = {.kind = kind, .head = head};

  if (order) frame.epoch = order->epoch;
  if (order) frame.job = order->job;
  hone__frame_encode(&frame, &s->to_driver.bytes);
  hone__packed_drop(head);
}

static void set_deadline(struct hone__supervisor *s, double deadline)
{
  double latest = s->has_closed ? hone__clock() + exit_wait_s : INFINITY;

  s->deadline = deadline < latest ? deadline : latest;
}

/* ---- The end of an order ---- */

static void free_order(struct hone__supervisor_order *order)
{
  if (order) hone__text_release(&order->bytes);
  if (order) hone__supervisor_drop_parcels(order);
  free(order);
}

static void finish_order(struct hone__supervisor *s)
{
  free_order(s->order);
  s->order = NULL;
  s->stage = HONE__ORDER_NONE;
  set_deadline(s, INFINITY);
}

/* A failed repeat of the SETUP is not the job's fault. */
static void fail_order(struct hone__supervisor *s, enum hone_outcome outcome, const char *evidence)
{
  double worked_s = s->stage == HONE__ORDER_JOB ? hone__clock() - s->started : NAN;

  if (s->stage == HONE__ORDER_SETUP_AGAIN && outcome != HONE_OUTCOME_KILLED)
    outcome = HONE_OUTCOME_DEVICE_BAD;
  if (s->order && s->order->kind == HONE__FRAME_SETUP)
    hone__supervisor_send(s, HONE__FRAME_READY, s->order, &hone__ready_type,
                          &(struct hone__ready){.error = evidence});
  else if (s->order && s->order->kind == HONE__FRAME_JOB)
    hone__supervisor_send(s, HONE__FRAME_RESULT, s->order, &hone__wire_result_type,
                          &(struct hone__wire_result){(int)outcome, evidence, worked_s, false});
  finish_order(s);
}

/* ---- The end of a runner ---- */

void hone__supervisor_forget_runner(struct hone__supervisor *s)
{
  hone__sandbox_close(&s->sandbox);
  hone__scratch_empty(s->scratch);
  hone__frame_reader_release(&s->from_runner);
  hone__write_queue_release(&s->to_runner);
  hone__text_release(&s->why);
  s->is_set_up = s->has_closed = s->is_dying = false;
}

static void kill_runner(struct hone__supervisor *s, enum hone_outcome outcome, const char *why)
{
  if (s->is_dying) return;
  s->is_dying = true;
  s->kill_outcome = outcome;
  hone__text_add(&s->why, why);
  hone__sandbox_kill(&s->sandbox);
  s->deadline = hone__clock() + unkillable_s;
}

static enum hone_outcome outcome_of(int status, size_t peak_bytes)
{
  int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;

  if (hone__child_looks_oom(status, peak_bytes)) return HONE_OUTCOME_OOM_HOST;
  if (number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP)
    return HONE_OUTCOME_KILLED;
  return HONE_OUTCOME_CRASH;
}

static void describe_end(int status, struct hone__text *text)
{
  struct hone__child_result result = {
      .end = WIFSIGNALED(status) ? HONE__CHILD_SIGNALLED : HONE__CHILD_EXITED,
      .code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)};

  hone__text_add(text, "its runner ended: ");
  hone__child_describe(&result, text);
}

static void add_last_output(struct hone__supervisor *s, struct hone__text *text)
{
  struct hone__text printed = {0};
  size_t from;

  hone__capture_text(&s->sandbox.output, &printed);
  from = printed.length > QUOTED_OUTPUT ? printed.length - QUOTED_OUTPUT : 0;
  if (printed.length) {
    hone__text_add(text, "; output:\n");
    hone__text_add(text, printed.data + from);
  }
  hone__text_release(&printed);
}

void hone__supervisor_runner_closed(struct hone__supervisor *s)
{
  s->has_closed = true;
  set_deadline(s, s->deadline);
}

void hone__supervisor_deadline(struct hone__supervisor *s)
{
  struct hone__text why = {0};

  if (s->is_dying) {
    hone__supervisor_runner_is_gone(s, 0, 0);
  } else if (s->has_closed) {
    kill_runner(s, HONE_OUTCOME_PROTOCOL, "its runner closed the connection");
  } else {
    hone__text_addf(&why, "still running after %.3g s: its runner was killed",
                    hone__clock() - s->started);
    kill_runner(s, HONE_OUTCOME_HANG, why.data);
  }
  hone__text_release(&why);
}

/* ---- The beginning of an order ---- */

static void send_frame(struct hone__supervisor *s, const struct hone__text *bytes,
                       enum hone__supervisor_order_stage stage, double timeout_s)
{
  hone__text_addn(&s->to_runner.bytes, bytes->data, bytes->length);
  s->stage = stage;
  s->started = hone__clock();
  set_deadline(s, s->started + timeout_s + reserve_s);
}

static void send_setup(struct hone__supervisor *s, enum hone__supervisor_order_stage stage)
{
  send_frame(s, &s->setup, stage, s->setup_timeout_s);
}

static void send_job(struct hone__supervisor *s)
{
  send_frame(s, &s->order->bytes, HONE__ORDER_JOB, s->order->timeout_s);
}

static bool need_runner(struct hone__supervisor *s)
{
  hone_status status;

  if (s->sandbox.pid > 0) return true;
  status = hone__sandbox_open(s->kind, s->role, s->device, &s->sandbox);
  if (!status) return true;
  fail_order(s, HONE_OUTCOME_WORKER_LOST, hone_status_message(status));
  hone_status_free(status);
  return false;
}

/* Another process killed the runner during preparation: that is no evidence about the device. */
static bool prepares_again(struct hone__supervisor *s, enum hone_outcome outcome)
{
  enum hone__supervisor_order_stage stage = s->stage;

  if (outcome != HONE_OUTCOME_KILLED || !s->order || s->order->kills >= MOST_KILLS) return false;
  if (stage != HONE__ORDER_SETUP && stage != HONE__ORDER_SETUP_AGAIN) return false;
  s->order->kills++;
  if (need_runner(s)) send_setup(s, stage);
  return true;
}

void hone__supervisor_runner_is_gone(struct hone__supervisor *s, int status, size_t peak_bytes)
{
  struct hone__text evidence = {0};
  enum hone_outcome outcome = s->is_dying ? s->kill_outcome : outcome_of(status, peak_bytes);

  if (s->is_dying)
    hone__text_add(&evidence, s->why.data);
  else
    describe_end(status, &evidence);
  add_last_output(s, &evidence);
  hone__supervisor_forget_runner(s);
  if (!prepares_again(s, outcome)) fail_order(s, outcome, evidence.data);
  hone__text_release(&evidence);
}

static void begin_setup(struct hone__supervisor *s)
{
  hone__text_release(&s->setup);
  s->setup = s->order->bytes;
  s->order->bytes = (struct hone__text){0};
  s->setup_timeout_s = s->order->timeout_s;
  if (need_runner(s)) send_setup(s, HONE__ORDER_SETUP);
}

static void begin_job(struct hone__supervisor *s)
{
  if (!need_runner(s)) return;
  if (s->setup.length && !s->is_set_up)
    send_setup(s, HONE__ORDER_SETUP_AGAIN);
  else
    send_job(s);
}

/* The runner does nothing now: it can end what it keeps by itself. */
static void begin_restart(struct hone__supervisor *s)
{
  s->stage = HONE__ORDER_RESTART;
  if (s->sandbox.pid > 0) {
    hone__supervisor_dismiss(s);
    s->started = hone__clock();
    set_deadline(s, s->started + HONE__LEAVE_S);
  } else {
    finish_order(s);
  }
}

void hone__supervisor_dismiss(struct hone__supervisor *s)
{
  if (s->sandbox.in >= 0) close(s->sandbox.in);
  s->sandbox.in = -1;
  hone__write_queue_release(&s->to_runner);
}

static struct hone__supervisor_order *take_first(struct hone__supervisor *s)
{
  struct hone__supervisor_order *order = s->queue;

  s->queue = order->next;
  if (!s->queue) s->queue_end = &s->queue;
  HONE__ASSERT(s->queue_bytes >= order->queue_bytes);
  s->queue_bytes -= order->queue_bytes;
  return order;
}

static void ask_again(struct hone__supervisor *s)
{
  struct hone__want want;

  hone__supervisor_tell_partials(s->queue, &want);
  hone__supervisor_send(s, HONE__FRAME_WANT, s->queue, &hone__want_type, &want);
  free_order(take_first(s));
}

/* Whether the first of the queue is whole. If parts are missing that do not come, the driver is
 * asked for all of it, and sends it as another order. */
static bool is_whole(struct hone__supervisor *s)
{
  struct hone__supervisor_order *order = s->queue;

  s->next_look = INFINITY;
  if (!order->wrap || hone__supervisor_assemble(order)) return true;
  if (hone__supervisor_may_wait(order)) {
    s->next_look = hone__clock() + look_again_s;
  } else {
    ask_again(s);
  }
  return false;
}

void hone__supervisor_next(struct hone__supervisor *s)
{
  while (!s->order && s->queue && !s->is_dying) {
    if (!is_whole(s)) break;
    HONE__ASSERT(s->stage == HONE__ORDER_NONE);
    s->order = take_first(s);
    if (s->order->kind == HONE__FRAME_SETUP)
      begin_setup(s);
    else if (s->order->kind == HONE__FRAME_JOB)
      begin_job(s);
    else
      begin_restart(s);
  }
}

/* ---- The driver's frames ---- */

static void queue_order(struct hone__supervisor *s, const struct hone__frame *frame)
{
  struct hone__supervisor_order *order = hone__alloc(sizeof *order);
  bool is_wrong = false;
  double timeout_s = hone__head_timeout_s(frame->head);
  double usual_s =
      frame->kind == HONE__FRAME_SETUP ? HONE__FRAME_SETUP_LIMIT_S : HONE__FRAME_JOB_LIMIT_S;

  *order = (struct hone__supervisor_order){.kind = frame->kind,
                                           .epoch = frame->epoch,
                                           .job = frame->job,
                                           .timeout_s = timeout_s > 0 ? timeout_s : usual_s};
  if (frame->kind == HONE__FRAME_RESTART || !hone__supervisor_take_parcels(order, frame, &is_wrong))
    hone__text_addn(&order->bytes, frame->bytes, frame->size);
  if (is_wrong) s->is_done = true;
  order->queue_bytes = order->wrap ? hone__supervisor_parcel_bytes(order) : order->bytes.length;
  s->queue_bytes += order->queue_bytes;
  *s->queue_end = order;
  s->queue_end = &order->next;
}

void hone__supervisor_keep_unfinished(struct hone__supervisor *s)
{
  struct hone__frame frame;

  if (hone__frame_unfinished(&s->from_driver, &frame)) hone__partial_keep(&frame);
}

/* Of a worker that is killed, half of a long frame is there at least. */
static void keep_now_and_then(struct hone__supervisor *s)
{
  size_t here = s->from_driver.bytes.length - s->from_driver.used;

  if (here < FIRST_KEPT) s->kept_bytes = 0;
  if (here < FIRST_KEPT || here > LAST_KEPT || here < 2 * s->kept_bytes) return;
  s->kept_bytes = here;
  hone__supervisor_keep_unfinished(s);
}

void hone__supervisor_read_driver(struct hone__supervisor *s)
{
  struct hone__frame frame;
  enum hone__frame_state state;

  while ((state = hone__frame_next(&s->from_driver, &frame)) == HONE__FRAME_HERE) {
    if (frame.kind == HONE__FRAME_SETUP || frame.kind == HONE__FRAME_JOB ||
        frame.kind == HONE__FRAME_RESTART)
      queue_order(s, &frame);
    else if (frame.kind == HONE__FRAME_BEAT)
      s->is_watched = true;
    else
      s->is_done = true;
  }
  if (state == HONE__FRAME_GARBLED) s->is_done = true;
  if (state == HONE__FRAME_MORE) keep_now_and_then(s);
}

/* ---- The runner's frames ---- */

static void pass_on(struct hone__supervisor *s, const struct hone__frame *frame)
{
  hone__text_addn(&s->to_driver.bytes, frame->bytes, frame->size);
  finish_order(s);
}

static void take_ready(struct hone__supervisor *s, const struct hone__frame *frame)
{
  struct hone__arena arena = {0};
  struct hone__ready ready = {0};

  hone_status_free(hone__unpack(frame->head, &hone__ready_type, &arena, &ready));
  s->is_set_up = ready.ok;
  if (s->stage == HONE__ORDER_SETUP)
    pass_on(s, frame);
  else if (s->is_set_up)
    send_job(s);
  else
    fail_order(s, HONE_OUTCOME_DEVICE_BAD,
               ready.error ? ready.error : "its setup cannot be repeated");
  hone__arena_release(&arena);
}

static bool is_expected(const struct hone__supervisor *s, const struct hone__frame *frame)
{
  if (frame->kind == HONE__FRAME_READY)
    return s->stage == HONE__ORDER_SETUP || s->stage == HONE__ORDER_SETUP_AGAIN;
  return frame->kind == HONE__FRAME_RESULT && s->stage == HONE__ORDER_JOB &&
         frame->job == s->order->job && frame->epoch == s->order->epoch;
}

void hone__supervisor_read_runner(struct hone__supervisor *s)
{
  struct hone__frame frame;
  enum hone__frame_state state = HONE__FRAME_MORE;

  while (!s->is_dying && (state = hone__frame_next(&s->from_runner, &frame)) == HONE__FRAME_HERE) {
    if (!is_expected(s, &frame))
      kill_runner(s, HONE_OUTCOME_PROTOCOL, "its runner sent an unexpected frame");
    else if (frame.kind == HONE__FRAME_READY)
      take_ready(s, &frame);
    else
      pass_on(s, &frame);
  }
  if (state == HONE__FRAME_GARBLED || s->from_runner.noise.length)
    kill_runner(s, HONE_OUTCOME_PROTOCOL, "its runner sent invalid data instead of a frame");
}

void hone__supervisor_release(struct hone__supervisor *s)
{
  finish_order(s);
  for (struct hone__supervisor_order *order = s->queue, *next; order; order = next) {
    next = order->next;
    free_order(order);
  }
  hone__text_release(&s->setup);
  hone__text_release(&s->why);
  hone__write_queue_release(&s->to_driver);
  hone__frame_reader_release(&s->from_driver);
}
