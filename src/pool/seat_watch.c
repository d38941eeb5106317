/* What is waited for, and for how long.
 *
 * A worker beats; without beats it is lost. One that beats and does not answer is lost as well,
 * when the limit of what it was told has passed, and with it all that its supervisor and the way
 * there and back may take. Only a launcher that queues for a machine is waited for without a limit.
 */
#include "pool/seat.h"

#include <math.h>

enum { REMOTE_START_MS = 60000, SECOND_LOOK_MS = 100 };

static const double SLOW_LINK_BYTES_S = 256 << 10, LONGEST_S = 1e12;
static const double PREPARE_LEAST_S = 60, PREPARE_FACTOR = 10;

uint64_t hone__seat_silence_ms(const struct hone__seat *seat)
{
  return (uint64_t)(seat->silence_s * 1e3);
}

bool hone__seat_is_late(const struct hone__seat *seat)
{
  return seat->absent_ms && uv_now(seat->loop) - seat->absent_ms >= hone__seat_silence_ms(seat);
}

/* ---- Deadlines ---- */

static double limit_of(const json_t *head, double otherwise)
{
  double own = json_number_value(json_object_get(head, "timeout_s"));

  return own > 0 ? own : otherwise;
}

static void await(struct hone__seat *seat, double limit_s, size_t bytes)
{
  double wait_s = fmin(limit_s + seat->grace_s + (double)bytes / SLOW_LINK_BYTES_S, LONGEST_S);

  uv_update_time(seat->loop);
  seat->asked_ms = uv_now(seat->loop);
  seat->due_ms = seat->asked_ms + (uint64_t)(wait_s * 1e3);
}

void hone__seat_await_ready(struct hone__seat *seat)
{
  await(seat, limit_of(seat->brief->head, HONE__SETUP_LIMIT_S), seat->brief->payload_size);
}

/* The runner may have to be replaced and set up again before the job begins. */
static double prepare_again_s(const struct hone__seat *seat)
{
  double usual_s = PREPARE_LEAST_S + PREPARE_FACTOR * (double)seat->prepare_ms / 1e3;

  return seat->brief ? fmin(limit_of(seat->brief->head, HONE__SETUP_LIMIT_S), usual_s) : 0;
}

void hone__seat_await_result(struct hone__seat *seat)
{
  const struct hone__job *job = &seat->errand->job;

  await(seat, limit_of(job->head, HONE__JOB_LIMIT_S) + prepare_again_s(seat), job->payload_size);
}

/* ---- Silence ---- */

/* A launcher may have to log in, or to queue: it is given time, and a person is told. */
static uint64_t patience_ms(const struct hone__seat *seat)
{
  if (seat->state != HONE__SEAT_STARTING || !seat->remote) return hone__seat_silence_ms(seat);
  return seat->queues ? UINT64_MAX / 2 : REMOTE_START_MS;
}

/* Whatever a launcher prints while it starts is no sign of a worker. */
static uint64_t silent_ms(const struct hone__seat *seat)
{
  uint64_t now = uv_now(seat->loop);
  uint64_t since =
      seat->state == HONE__SEAT_STARTING ? seat->asked_ms : hone__launch_heard_ms(seat->launch);

  return now > since ? now - since : 0;
}

static bool is_overdue(const struct hone__seat *seat)
{
  return seat->due_ms && uv_now(seat->loop) >= seat->due_ms;
}

static void tell_waiting(struct hone__seat *seat)
{
  struct hone__text note = {0};
  const char *words = hone__launch_last_words(seat->launch);

  seat->told_waiting = true;
  hone__text_addf(&note, "waiting for %s%s%s", seat->name, *words ? ": " : "", words);
  seat->events->note(seat, note.data);
  hone__text_release(&note);
}

static void go_on_waiting(struct hone__seat *seat, uint64_t left_ms)
{
  uint64_t now = uv_now(seat->loop), wait_ms = hone__seat_silence_ms(seat);

  if (left_ms < wait_ms) wait_ms = left_ms;
  if (seat->due_ms && seat->due_ms - now < wait_ms) wait_ms = seat->due_ms - now;
  seat->suspected = false;
  hone__seat_wake_after(seat, wait_ms);
  if (seat->state != HONE__SEAT_STARTING) return;
  if (seat->remote && !seat->told_waiting) tell_waiting(seat);
  seat->events->late(seat);
}

static void give_up_waiting(struct hone__seat *seat, uint64_t silent)
{
  struct hone__text why = {0};
  uint64_t waited_ms = uv_now(seat->loop) - seat->asked_ms;

  if (is_overdue(seat))
    hone__text_addf(&why, "no answer for %.3g s, although it is alive", (double)waited_ms / 1e3);
  else
    hone__text_addf(&why, "no sign of life for %.3g s", (double)silent / 1e3);
  hone__seat_lost(seat, why.data);
  hone__text_release(&why);
}

void hone__seat_watch(struct hone__seat *seat)
{
  uint64_t silent = silent_ms(seat), patience = patience_ms(seat);

  if (silent < patience && !is_overdue(seat)) {
    go_on_waiting(seat, patience - silent);
  } else if (!seat->suspected) {
    seat->suspected = true;
    hone__seat_wake_after(seat, SECOND_LOOK_MS);
  } else {
    give_up_waiting(seat, silent);
  }
}
