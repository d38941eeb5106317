/* All that a worker says is checked against the state, the epoch and the awaited id: late, repeated
 * and foreign answers fall through. A worker is lost by its own end, by bytes that are no frames,
 * by silence, or by an answer that does not come (seat_watch.c); all go through hone__seat_lost.
 * The next worker starts when the former is gone from this machine, so that two never share a
 * device.
 */
#include "pool/seat.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_FAILURES = 3 };

static void on_timer(uv_timer_t *timer);

void hone__seat_wake_after(struct hone__seat *seat, uint64_t ms)
{
  uv_timer_start(&seat->timer, on_timer, ms, 0);
}

static void set_brief(struct hone__brief **slot, struct hone__brief *brief)
{
  hone__brief_hold(brief);
  hone__brief_drop(*slot);
  *slot = brief;
}

static void explain(struct hone__seat *seat, const char *what, const char *why)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "%s %s: %s", seat->name, what, why);
  free(seat->why);
  seat->why = hone__text_take(&text);
  seat->is_spec_wrong = false;
}

/* ---- Losing a worker ----------------------------------------------------------------------- */

static void dismiss(struct hone__seat *seat, enum hone__seat_state state, bool polite)
{
  struct hone__launch *launch = seat->launch;

  seat->state = state;
  seat->launch = NULL;
  seat->awaited = 0;
  seat->due_ms = 0;
  set_brief(&seat->brief, NULL);
  json_decref(seat->hello);
  seat->hello = NULL;
  uv_timer_stop(&seat->timer);
  if (launch) hone__launch_end(launch, polite);
}

static void give_up(struct hone__seat *seat)
{
  dismiss(seat, HONE__SEAT_GIVEN_UP, false);
  seat->events->useless(seat);
}

/* The worker, or the next one, is kept for other briefs. */
static void refuse(struct hone__seat *seat, struct hone__brief *brief)
{
  set_brief(&seat->refused, brief);
  seat->failed_briefs = 0;
  seat->events->useless(seat);
}

void hone__seat_lost(struct hone__seat *seat, const char *why)
{
  static const char *const what[] = {
      [HONE__SEAT_STARTING] = "did not start",
      [HONE__SEAT_PREPARING] = "went away while it prepared",
      [HONE__SEAT_IDLE] = "went away",
      [HONE__SEAT_BUSY] = "went away in the middle of a job",
  };
  enum hone__seat_state was = seat->state;
  struct hone__errand *errand = seat->errand;
  struct hone__brief *brief = hone__brief_hold(seat->brief);

  seat->errand = NULL;
  if (!seat->absent_ms) seat->absent_ms = uv_now(seat->loop);
  explain(seat, what[was], why);
  seat->delay_ms = hone__backoff_ms(++seat->losses);
  dismiss(seat, HONE__SEAT_WAITING, false);
  if (errand) seat->events->lost(seat, errand);
  if (seat->state != HONE__SEAT_WAITING) {
    /* closed by the event */
  } else if (was == HONE__SEAT_STARTING && ++seat->failed_starts >= MOST_FAILURES) {
    give_up(seat);
  } else if (was == HONE__SEAT_PREPARING && ++seat->failed_briefs >= MOST_FAILURES) {
    refuse(seat, brief);
  } else {
    seat->events->note(seat, seat->why);
    seat->events->late(seat);
  }
  hone__brief_drop(brief);
}

/* ---- What the worker says ------------------------------------------------------------------ */

static void become_idle(struct hone__seat *seat)
{
  seat->state = HONE__SEAT_IDLE;
  seat->awaited = 0;
  seat->due_ms = 0;
  seat->events->idle(seat);
}

static void be_there(struct hone__seat *seat)
{
  seat->absent_ms = 0;
  seat->was_ready = true;
}

static void take_hello(struct hone__seat *seat, const struct hone__frame *frame)
{
  const char *version = json_string_value(json_object_get(frame->head, "version"));

  if (seat->state != HONE__SEAT_STARTING) return;
  if (!version || strcmp(version, hone_version()) != 0) {
    struct hone__text why = {0};
    hone__text_addf(&why, "it is hone %s, this is hone %s: install the same version there",
                    version ? version : "of an unknown version", hone_version());
    explain(seat, "is of no use", why.data);
    hone__text_release(&why);
    give_up(seat);
    return;
  }
  seat->failed_starts = 0;
  if (!seat->failed_briefs) be_there(seat);
  seat->hello = json_incref(frame->head);
  hone__seat_wake_after(seat, hone__seat_silence_ms(seat));
  become_idle(seat);
}

static bool is_awaited(const struct hone__seat *seat, const struct hone__frame *frame)
{
  return frame->epoch == seat->epoch && frame->job == seat->awaited;
}

static void take_ready(struct hone__seat *seat, const struct hone__frame *frame)
{
  const char *error = json_string_value(json_object_get(frame->head, "error"));
  struct hone__brief *brief;

  if (seat->state != HONE__SEAT_PREPARING || !is_awaited(seat, frame)) return;
  if (!json_is_boolean(json_object_get(frame->head, "ok"))) {
    hone__seat_lost(seat, "its answer makes no sense to this version of hone");
    return;
  }
  if (json_is_true(json_object_get(frame->head, "ok"))) {
    seat->failed_briefs = 0;
    be_there(seat);
    seat->prepare_ms = uv_now(seat->loop) - seat->asked_ms;
    seat->state = HONE__SEAT_IDLE;
    seat->due_ms = 0;
    seat->events->ready(seat, frame->head);
    if (seat->state == HONE__SEAT_IDLE) become_idle(seat);
    return;
  }
  explain(seat, "cannot prepare", error ? error : "it does not say why");
  seat->is_spec_wrong = error && json_is_true(json_object_get(frame->head, "wrong_spec"));
  if (seat->is_spec_wrong) { /* any worker would say the same */
    free(seat->why);
    seat->why = hone__strdup(error);
  }
  brief = hone__brief_hold(seat->brief);
  seat->state = HONE__SEAT_IDLE;
  seat->awaited = 0;
  seat->due_ms = 0;
  set_brief(&seat->brief, NULL);
  refuse(seat, brief);
  hone__brief_drop(brief);
}

static bool is_optional(const json_t *value, bool is_right)
{
  return !value || is_right;
}

static bool is_answer(const struct hone__errand *errand, const struct hone__frame *frame)
{
  const char *class = json_string_value(json_object_get(frame->head, "class"));
  const json_t *evidence = json_object_get(frame->head, "evidence");
  const json_t *worked_s = json_object_get(frame->head, "worked_s");
  enum hone__outcome outcome;

  if (!class || !hone__outcome_parse(class, &outcome)) return false;
  if (!is_optional(evidence, json_is_string(evidence))) return false;
  if (!is_optional(worked_s, json_is_number(worked_s))) return false;
  return !errand->job.is_answer || errand->job.is_answer(frame);
}

static void take_result(struct hone__seat *seat, const struct hone__frame *frame)
{
  struct hone__errand *errand = seat->errand;

  if (seat->state != HONE__SEAT_BUSY || !is_awaited(seat, frame)) return;
  if (!is_answer(errand, frame)) {
    hone__seat_lost(seat, "its answer makes no sense to this version of hone");
    return;
  }
  seat->errand = NULL;
  seat->losses = 0;
  seat->worked_s += fmax(json_number_value(json_object_get(frame->head, "worked_s")), 0);
  seat->state = HONE__SEAT_IDLE;
  seat->awaited = 0;
  seat->due_ms = 0;
  seat->events->result(seat, errand, frame);
}

static void on_frame(void *data, const struct hone__frame *frame)
{
  struct hone__seat *seat = data;

  if (seat->state == HONE__SEAT_STARTING && frame->kind != HONE__FRAME_HELLO) {
    hone__seat_lost(seat, "it does not begin with HELLO");
    return;
  }
  switch (frame->kind) {
  case HONE__FRAME_HELLO: take_hello(seat, frame); break;
  case HONE__FRAME_READY: take_ready(seat, frame); break;
  case HONE__FRAME_RESULT: take_result(seat, frame); break;
  case HONE__FRAME_BEAT: break; /* it was heard already */
  default: hone__seat_lost(seat, "it sent a frame that only drivers send");
  }
}

static void on_ended(void *data, const char *why)
{
  hone__seat_lost(data, why);
}

/* ---- Time ---------------------------------------------------------------------------------- */

static void handle_gone(struct hone__seat *seat)
{
  if (--seat->handles == 0) seat->events->gone(seat);
}

static void on_gone(void *data)
{
  struct hone__seat *seat = data;

  if (seat->state == HONE__SEAT_WAITING) hone__seat_wake_after(seat, seat->delay_ms);
  handle_gone(seat);
}

static void start(struct hone__seat *seat)
{
  static const struct hone__launch_events events = {on_frame, on_ended, on_gone};

  seat->state = HONE__SEAT_STARTING;
  seat->epoch++;
  seat->asked_ms = uv_now(seat->loop);
  seat->suspected = seat->told_waiting = false;
  seat->handles++;
  seat->launch = hone__launch_start(seat->loop, seat->command.data, &events, seat);
  hone__seat_wake_after(seat, hone__seat_silence_ms(seat));
}

static void on_timer(uv_timer_t *timer)
{
  struct hone__seat *seat = timer->data;

  if (seat->state == HONE__SEAT_WAITING)
    start(seat);
  else if (seat->launch)
    hone__seat_watch(seat);
}

/* ---- What the crew asks for ---------------------------------------------------------------- */

void hone__seat_open(struct hone__seat *seat)
{
  uv_timer_init(seat->loop, &seat->timer);
  seat->timer.data = seat;
  seat->handles = 1;
  seat->state = HONE__SEAT_WAITING;
  seat->absent_ms = uv_now(seat->loop);
  hone__seat_wake_after(seat, 0);
}

bool hone__seat_serves(const struct hone__seat *seat, const struct hone__brief *brief)
{
  if (seat->state >= HONE__SEAT_GIVEN_UP) return false;
  return !brief || seat->refused != brief;
}

void hone__seat_prepare(struct hone__seat *seat, struct hone__brief *brief, uint64_t id)
{
  assert(seat->state == HONE__SEAT_IDLE);
  seat->state = HONE__SEAT_PREPARING;
  seat->awaited = id;
  set_brief(&seat->brief, brief);
  hone__seat_await_ready(seat);
  hone__launch_send(seat->launch, &(struct hone__frame){.kind = HONE__FRAME_SETUP,
                                                        .epoch = seat->epoch,
                                                        .job = id,
                                                        .head = brief->head,
                                                        .payload = brief->payload,
                                                        .payload_size = brief->payload_size});
}

void hone__seat_do(struct hone__seat *seat, struct hone__errand *errand, uint64_t id)
{
  const struct hone__job *job = &errand->job;

  assert(seat->state == HONE__SEAT_IDLE && !seat->errand);
  seat->state = HONE__SEAT_BUSY;
  seat->awaited = id;
  seat->errand = errand;
  errand->seat = (int)seat->index;
  errand->tries++;
  hone__seat_await_result(seat);
  if (job->restart || errand->tries > 1)
    hone__launch_send(
        seat->launch,
        &(struct hone__frame){.kind = HONE__FRAME_RESTART, .epoch = seat->epoch, .job = id});
  hone__launch_send(seat->launch, &(struct hone__frame){.kind = HONE__FRAME_JOB,
                                                        .epoch = seat->epoch,
                                                        .job = id,
                                                        .head = job->head,
                                                        .payload = job->payload,
                                                        .payload_size = job->payload_size});
}

struct hone__errand *hone__seat_interrupt(struct hone__seat *seat)
{
  struct hone__errand *errand = seat->errand;

  assert(seat->state == HONE__SEAT_BUSY);
  seat->errand = NULL;
  seat->delay_ms = 0;
  dismiss(seat, HONE__SEAT_WAITING, false);
  return errand;
}

static void on_timer_closed(uv_handle_t *handle)
{
  handle_gone(handle->data);
}

void hone__seat_close(struct hone__seat *seat)
{
  assert(!seat->errand && seat->state != HONE__SEAT_CLOSED);
  dismiss(seat, HONE__SEAT_CLOSED, true);
  uv_close((uv_handle_t *)&seat->timer, on_timer_closed);
}

void hone__seat_release(struct hone__seat *seat)
{
  hone__words_release(&seat->command);
  hone__brief_drop(seat->brief);
  hone__brief_drop(seat->refused);
  json_decref(seat->hello);
  free(seat->name);
  free(seat->why);
}
