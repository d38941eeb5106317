/* Deadlines of a worker.
 *
 * A worker without heartbeats is lost. A worker that sends heartbeats but no answer is lost too,
 * after the limit of its SETUP or JOB plus the time that its supervisor and the transfer may take.
 * Only a launcher that queues for a machine has no limit.
 */
#include "pool/slot.h"

#include "wire/job_head.h"

#include <math.h>

enum { REMOTE_START_MS = 60000, SECOND_LOOK_MS = 100 };

static const double SLOW_LINK_BYTES_S = 256 << 10, LONGEST_S = 1e12;
static const double PREPARE_LEAST_S = 60, PREPARE_FACTOR = 10;
static const double MOST_CLOCK_ERROR_S = 60; /* a HELLO may be on its way for some seconds */

uint64_t hone__slot_silence_ms(const struct hone__slot *slot)
{
  return (uint64_t)(slot->silence_s * 1e3);
}

bool hone__slot_is_late(const struct hone__slot *slot)
{
  return slot->absent_ms && uv_now(slot->loop) - slot->absent_ms >= hone__slot_silence_ms(slot);
}

bool hone__slot_is_deserted(const struct hone__slot *slot)
{
  return slot->remote && slot->was_ready && slot->absent_ms;
}

/* ---- Deadlines ---- */

static double limit_of(const struct hone__packed *head, double otherwise)
{
  double own = hone__head_timeout_s(head);

  return own > 0 ? own : otherwise;
}

static void await(struct hone__slot *slot, double limit_s, size_t bytes)
{
  double wait_s = fmin(limit_s + slot->grace_s + (double)bytes / SLOW_LINK_BYTES_S, LONGEST_S);

  uv_update_time(slot->loop);
  slot->sent_ms = uv_now(slot->loop);
  slot->due_ms = slot->sent_ms + (uint64_t)(wait_s * 1e3);
}

void hone__slot_await_ready(struct hone__slot *slot)
{
  await(slot, limit_of(slot->setup->head, HONE__FRAME_SETUP_LIMIT_S), slot->setup->payload_size);
}

/* The runner may have to be replaced and set up again before the job starts. */
static double prepare_again_s(const struct hone__slot *slot)
{
  double usual_s = PREPARE_LEAST_S + PREPARE_FACTOR * (double)slot->prepare_ms / 1e3;

  return slot->setup ? fmin(limit_of(slot->setup->head, HONE__FRAME_SETUP_LIMIT_S), usual_s) : 0;
}

void hone__slot_await_result(struct hone__slot *slot)
{
  const struct hone__job *job = &slot->queued->job;

  await(slot, limit_of(job->head, HONE__FRAME_JOB_LIMIT_S) + prepare_again_s(slot),
        job->payload_size);
}

/* ---- Silence ---- */

/* A launcher may have to log in or queue: it gets time, and the user is informed. */
static uint64_t patience_ms(const struct hone__slot *slot)
{
  if (slot->state != HONE__SLOT_STARTING || !slot->remote) return hone__slot_silence_ms(slot);
  return slot->queues ? UINT64_MAX / 2 : REMOTE_START_MS;
}

/* Output of a launcher during the start is not a sign of a worker. */
static uint64_t silent_ms(const struct hone__slot *slot)
{
  uint64_t now = uv_now(slot->loop);
  uint64_t since =
      slot->state == HONE__SLOT_STARTING ? slot->sent_ms : hone__launch_alive_ms(slot->launch);

  return now > since ? now - since : 0;
}

static bool is_overdue(const struct hone__slot *slot)
{
  return slot->due_ms && uv_now(slot->loop) >= slot->due_ms;
}

static void report_waiting(struct hone__slot *slot)
{
  struct hone__text note = {0};
  const char *words = hone__launch_last_line(slot->launch);

  slot->waiting_reported = true;
  hone__text_addf(&note, "waiting for %s%s%s%s", slot->queues ? "an allocation for " : "",
                  slot->name, *words ? ": " : "", words);
  slot->events->note(slot, note.data);
  hone__text_release(&note);
}

static void go_on_waiting(struct hone__slot *slot, uint64_t left_ms)
{
  uint64_t now = uv_now(slot->loop), wait_ms = hone__slot_silence_ms(slot);

  if (left_ms < wait_ms) wait_ms = left_ms;
  if (slot->due_ms && slot->due_ms - now < wait_ms) wait_ms = slot->due_ms - now;
  slot->suspected = false;
  hone__slot_wake_after(slot, wait_ms);
  if (slot->state != HONE__SLOT_STARTING) return;
  if (slot->remote && !slot->waiting_reported) report_waiting(slot);
  slot->events->late(slot);
}

static void give_up_waiting(struct hone__slot *slot, uint64_t silent)
{
  struct hone__text why = {0};
  uint64_t waited_ms = uv_now(slot->loop) - slot->sent_ms;

  if (is_overdue(slot))
    hone__text_addf(&why, "no reply for %.3g s, although the process is alive",
                    (double)waited_ms / 1e3);
  else
    hone__text_addf(&why, "no heartbeat for %.3g s", (double)silent / 1e3);
  hone__slot_lost(slot, why.data);
  hone__text_release(&why);
}

void hone__slot_watch(struct hone__slot *slot)
{
  uint64_t silent = silent_ms(slot), patience = patience_ms(slot);

  if (silent < patience && !is_overdue(slot)) {
    go_on_waiting(slot, patience - silent);
  } else if (!slot->suspected) {
    slot->suspected = true;
    hone__slot_wake_after(slot, SECOND_LOOK_MS);
  } else {
    give_up_waiting(slot, silent);
  }
}

/* Durations are measured by clocks that nobody sets, so that results do not depend on it; times of
 * files and of logs there do. */
void hone__slot_check_clock(struct hone__slot *slot)
{
  double ahead_s = slot->hello.clock_s - hone__clock_since_1970();
  struct hone__text note = {0};

  if (!slot->remote || slot->clock_reported || !(fabs(ahead_s) > MOST_CLOCK_ERROR_S)) return;
  slot->clock_reported = true;
  hone__text_addf(&note, "the clock of its host is %.0f s %s: times are not affected, dates are",
                  fabs(ahead_s), ahead_s > 0 ? "ahead" : "behind");
  slot->events->note(slot, note.data);
  hone__text_release(&note);
}
