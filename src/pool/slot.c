/* Every frame of a worker is checked against the state, the epoch and the awaited id: late,
 * repeated and foreign answers are ignored. A worker is lost when it exits, sends invalid bytes, is
 * silent, or does not answer in time (slot_watch.c); all go through hone__slot_lost. The next
 * worker starts after the former one has gone from this machine, so that two never share a device.
 */
#include "pool/slot.h"
#include "base/version_sum.h"

#include "wire/ready.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_FAILURES = 3, MOST_RETRY_DOUBLINGS = 4, LOOK_AGAIN_MS = 100 };
static const double RETRY_SILENCES = 1.5; /* the first retry; the next ones wait twice as long */

static void on_timer(uv_timer_t *timer);

void hone__slot_wake_after(struct hone__slot *slot, uint64_t ms)
{
  uv_timer_start(&slot->timer, on_timer, ms, 0);
}

static void set_setup(struct hone__pool_setup **slot, struct hone__pool_setup *setup)
{
  hone__pool_setup_hold(setup);
  hone__pool_setup_drop(*slot);
  *slot = setup;
}

static void explain(struct hone__slot *slot, const char *what, const char *why)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "%s %s: %s", slot->name, what, why);
  free(slot->why);
  slot->why = hone__text_take(&text);
  slot->is_spec_wrong = false;
}

/* A program that is not hone ends, or writes anything. */
static void explain_start(struct hone__slot *slot, const char *why)
{
  struct hone__text text = {0};

  hone__text_addf(&text, "%s; '%s' must be the program hone %s: HONE_PROGRAM can name another file",
                  why, slot->program, hone_version());
  explain(slot, "did not start", text.data);
  hone__text_release(&text);
}

/* ---- Losing a worker ----------------------------------------------------------------------- */

static void forget_hello(struct hone__slot *slot)
{
  hone__packed_drop(slot->hello_packed);
  hone__arena_release(&slot->hello_arena);
  slot->hello_packed = NULL;
  slot->hello = (struct hone__hello){0};
}

/* The answer came, or it never will. */
static void settle_coming(struct hone__slot *slot)
{
  if (slot->host) hone__sent_settled(slot->host, slot->coming, slot->coming_count);
  free(slot->coming);
  slot->coming = NULL;
  slot->coming_count = 0;
}

static void dismiss(struct hone__slot *slot, enum hone__slot_state state, bool polite)
{
  struct hone__launch *launch = slot->launch;

  settle_coming(slot);
  slot->host = NULL;
  slot->state = state;
  slot->launch = NULL;
  slot->awaited = 0;
  slot->due_ms = 0;
  set_setup(&slot->setup, NULL);
  forget_hello(slot);
  uv_timer_stop(&slot->timer);
  if (launch) hone__launch_end(launch, polite);
}

static void give_up(struct hone__slot *slot)
{
  dismiss(slot, HONE__SLOT_GIVEN_UP, false);
  slot->events->useless(slot);
}

/* As give_up, until the next try. */
static void retire(struct hone__slot *slot)
{
  int doublings =
      slot->retirements < MOST_RETRY_DOUBLINGS ? slot->retirements : MOST_RETRY_DOUBLINGS;

  slot->retirements++;
  slot->is_retired = true;
  slot->host_failures = slot->losses = 0;
  slot->retry_ms = (uint64_t)(RETRY_SILENCES * 1e3 * slot->silence_s) << doublings;
  if (!slot->absent_ms) slot->absent_ms = uv_now(slot->loop);
  dismiss(slot, HONE__SLOT_GIVEN_UP, false);
  hone__slot_wake_after(slot, slot->retry_ms);
  slot->events->useless(slot);
}

static bool has_joined(const struct hone__slot *slot)
{
  return slot->state >= HONE__SLOT_PREPARING && slot->state <= HONE__SLOT_BUSY;
}

void hone__slot_retire(struct hone__slot *slot, const char *why)
{
  HONE__ASSERT(slot->remote && !slot->queued);
  if (has_joined(slot)) slot->events->left(slot);
  explain(slot, "is not used", why);
  retire(slot);
}

void hone__slot_dismiss(struct hone__slot *slot, const char *why)
{
  HONE__ASSERT(!slot->queued);
  if (has_joined(slot)) slot->events->left(slot);
  explain(slot, "is not used", why);
  slot->is_retired = false;
  dismiss(slot, HONE__SLOT_GIVEN_UP, true);
}

/* The slot keeps its worker, or starts the next one, for other setups. */
static void refuse(struct hone__slot *slot, struct hone__pool_setup *setup)
{
  set_setup(&slot->refused, setup);
  slot->failed_setups = 0;
  slot->events->useless(slot);
}

void hone__slot_lost(struct hone__slot *slot, const char *why)
{
  static const char *const what[] = {
      [HONE__SLOT_STARTING] = "did not start", /* a remote one; of local ones: explain_start */
      [HONE__SLOT_PREPARING] = "ended during setup",
      [HONE__SLOT_IDLE] = "ended",
      [HONE__SLOT_BUSY] = "ended during a job",
  };
  enum hone__slot_state was = slot->state;
  struct hone__queued_job *queued = slot->queued;
  struct hone__pool_setup *setup = hone__pool_setup_hold(slot->setup);

  slot->queued = NULL;
  if (queued)
    queued->is_unheard = slot->remote && hone__launch_alive_ms(slot->launch) <= slot->sent_ms;
  if (!slot->absent_ms)
    slot->absent_ms =
        was == HONE__SLOT_STARTING ? uv_now(slot->loop) : hone__launch_alive_ms(slot->launch);
  if (was == HONE__SLOT_STARTING && !slot->remote)
    explain_start(slot, why);
  else
    explain(slot, what[was], why);
  slot->delay_ms = hone__backoff_ms(++slot->losses);
  dismiss(slot, HONE__SLOT_WAITING, false);
  if (was != HONE__SLOT_STARTING) slot->events->left(slot);
  if (queued) slot->events->lost(slot, queued);
  if (slot->state != HONE__SLOT_WAITING) {
    /* the event may have closed the slot */
  } else if (was == HONE__SLOT_STARTING && ++slot->failed_starts >= MOST_FAILURES) {
    if (slot->remote)
      retire(slot);
    else
      give_up(slot);
  } else if (was == HONE__SLOT_PREPARING && ++slot->failed_setups >= MOST_FAILURES) {
    refuse(slot, setup);
  } else {
    slot->events->note(slot, slot->why);
    slot->events->late(slot);
  }
  hone__pool_setup_drop(setup);
}

/* ---- Frames of the worker ---- */

static void become_idle(struct hone__slot *slot)
{
  slot->state = HONE__SLOT_IDLE;
  slot->awaited = 0;
  slot->due_ms = 0;
  slot->events->idle(slot);
}

static void be_there(struct hone__slot *slot)
{
  slot->absent_ms = 0;
  slot->was_ready = true;
}

static bool is_same_version(const struct hone__slot *slot)
{
  return slot->hello.version && strcmp(slot->hello.version, hone_version()) == 0;
}

static bool is_unknown(const char *revision)
{
  return !revision || strcmp(revision, "unknown") == 0;
}

/* Two builds of one version may differ in their messages and in what they measure. */
static bool is_same_revision(const struct hone__slot *slot)
{
  const char *there = slot->hello.revision, *here = hone_revision();

  return !slot->remote || is_unknown(there) || is_unknown(here) || strcmp(there, here) == 0;
}

/* The same revision may have been changed, and a release has none. */
static bool has_same_sources(const struct hone__slot *slot)
{
  const char *there = slot->hello.sources;

  return !slot->remote || (there && strcmp(there, hone__version_sum()) == 0);
}

static void refuse_version(struct hone__slot *slot)
{
  const char *version = slot->hello.version ? slot->hello.version : "of an unknown version";
  struct hone__text why = {0};

  if (is_same_version(slot) && is_same_revision(slot))
    hone__text_addf(&why,
                    "'%s' is hone %s, but was built from other sources: their checksum is %s, here "
                    "it is %s: ",
                    slot->program, version, slot->hello.sources ? slot->hello.sources : "unknown",
                    hone__version_sum());
  else if (is_same_version(slot))
    hone__text_addf(&why, "'%s' is hone %s of revision %s, this is of revision %s: ", slot->program,
                    version, slot->hello.revision, hone_revision());
  else
    hone__text_addf(&why, "'%s' is hone %s, this is hone %s: ", slot->program, version,
                    hone_version());
  hone__text_add(&why, slot->remote ? "install the same version there"
                                    : "set HONE_PROGRAM to the file of the same version");
  explain(slot, "cannot be used", why.data);
  hone__text_release(&why);
  give_up(slot);
}

/* Unreadable fields of a HELLO do not matter: another version is refused anyway. */
static void take_hello(struct hone__slot *slot, const struct hone__frame *frame)
{
  if (slot->state != HONE__SLOT_STARTING) return;
  forget_hello(slot);
  slot->hello_packed = hone__packed_hold(frame->head);
  hone_status_free(hone__unpack(frame->head, &hone__hello_type, &slot->hello_arena, &slot->hello));
  if (!is_same_version(slot) || !is_same_revision(slot) || !has_same_sources(slot)) {
    refuse_version(slot);
    return;
  }
  if (slot->remote && slot->hosts && slot->hello.host)
    slot->host = hone__sent_host(slot->hosts, slot->hello.host);
  slot->failed_starts = 0;
  slot->is_retired = false;
  hone__slot_check_clock(slot);
  slot->events->joined(slot);
  if (!slot->failed_setups) be_there(slot);
  hone__slot_wake_after(slot, hone__slot_silence_ms(slot));
  slot->state = HONE__SLOT_IDLE;
  hone__slot_beat(slot);
  become_idle(slot);
}

static bool is_awaited(const struct hone__slot *slot, const struct hone__frame *frame)
{
  return frame->epoch == slot->epoch && frame->job == slot->awaited;
}

static void lose_for_reply(struct hone__slot *slot, hone_status status)
{
  struct hone__text why = {0};

  hone__text_addf(&why, "its reply is not valid for this version of hone: %s",
                  hone_status_message(status));
  hone_status_free(status);
  hone__slot_lost(slot, why.data);
  hone__text_release(&why);
}

static void become_ready(struct hone__slot *slot, const struct hone__packed *ready)
{
  slot->failed_setups = 0;
  be_there(slot);
  slot->prepare_ms = uv_now(slot->loop) - slot->sent_ms;
  slot->state = HONE__SLOT_IDLE;
  slot->due_ms = 0;
  slot->events->ready(slot, ready);
  if (slot->state == HONE__SLOT_IDLE) become_idle(slot);
}

static void fail_to_prepare(struct hone__slot *slot, const struct hone__ready *ready)
{
  struct hone__pool_setup *setup = hone__pool_setup_hold(slot->setup);

  explain(slot, "cannot prepare", ready->error ? ready->error : "no reason given");
  slot->is_spec_wrong = ready->error && ready->wrong_spec;
  slot->is_reference_unloaded = ready->reference_unloaded;
  if (slot->is_spec_wrong) { /* every worker would fail the same way */
    free(slot->why);
    slot->why = hone__strdup(ready->error);
  }
  slot->state = HONE__SLOT_IDLE;
  slot->awaited = 0;
  slot->due_ms = 0;
  set_setup(&slot->setup, NULL);
  refuse(slot, setup);
  hone__pool_setup_drop(setup);
}

static void take_ready(struct hone__slot *slot, const struct hone__frame *frame)
{
  struct hone__arena arena = {0};
  struct hone__ready ready;
  hone_status status;

  if (slot->state != HONE__SLOT_PREPARING || !is_awaited(slot, frame)) return;
  settle_coming(slot);
  status = hone__unpack(frame->head, &hone__ready_type, &arena, &ready);
  if (status)
    lose_for_reply(slot, status);
  else if (ready.ok)
    become_ready(slot, frame->head);
  else
    fail_to_prepare(slot, &ready);
  hone__arena_release(&arena);
}

/* A result that says something of the host alone. */
static bool blames_host(enum hone_outcome outcome)
{
  return hone__outcome_blame(outcome) == HONE__BLAME_HOST || outcome == HONE_OUTCOME_DISK_FULL ||
         outcome == HONE_OUTCOME_KILLED;
}

static void finish_job(struct hone__slot *slot, struct hone__job_answer *answer)
{
  struct hone__queued_job *queued = slot->queued;

  HONE__ASSERT(queued);
  slot->queued = NULL;
  slot->losses = 0;
  slot->host_failures = blames_host(answer->reply.outcome) ? slot->host_failures + 1 : 0;
  if (!slot->host_failures) slot->retirements = 0;
  if (isfinite(answer->reply.worked_s)) slot->worked_s += answer->reply.worked_s;
  slot->state = HONE__SLOT_IDLE;
  slot->awaited = 0;
  slot->due_ms = 0;
  slot->events->result(slot, queued, answer);
}

static void take_result(struct hone__slot *slot, const struct hone__frame *frame)
{
  struct hone__job_answer answer;
  hone_status status;

  if (slot->state != HONE__SLOT_BUSY || !is_awaited(slot, frame)) return;
  settle_coming(slot);
  status = hone__job_answer_read(&slot->queued->job, frame, &answer);
  if (status)
    lose_for_reply(slot, status);
  else
    finish_job(slot, &answer);
  hone__job_answer_release(&answer);
}

/* ---- Frames for the worker ---- */

static struct hone__sent_load load_of(const struct hone__slot *slot)
{
  const struct hone__pool_setup *setup = slot->setup;
  const struct hone__job *job = slot->queued ? &slot->queued->job : NULL;

  if (job)
    return (struct hone__sent_load){job->head,       job->payload,    job->payload_size,
                                    job->part_sizes, job->part_count, slot->hello.zstd};
  return (struct hone__sent_load){
      setup->head,          setup->payload,          setup->payload_size,
      &setup->payload_size, setup->payload_size > 0, slot->hello.zstd};
}

static void send_load(struct hone__slot *slot, enum hone__frame_kind kind)
{
  const struct hone__sent_load whole = load_of(slot), *load = &whole;
  struct hone__sent_wrapped wrapped = {0};
  struct hone__frame frame = {.kind = kind,
                              .epoch = slot->epoch,
                              .job = slot->awaited,
                              .head = load->head,
                              .payload = load->payload,
                              .payload_size = load->payload_size};

  if (slot->host && hone__sent_wrap(slot->host, load, &wrapped)) {
    frame.head = wrapped.head;
    frame.payload = wrapped.bytes.data;
    frame.payload_size = wrapped.bytes.length;
    slot->coming = wrapped.coming;
    slot->coming_count = wrapped.coming_count;
    wrapped.coming = NULL;
  }
  hone__launch_send(slot->launch, &frame);
  hone__sent_wrapped_release(&wrapped);
}

static void send_setup(struct hone__slot *slot)
{
  hone__slot_await_ready(slot);
  send_load(slot, HONE__FRAME_SETUP);
}

static void send_job(struct hone__slot *slot)
{
  hone__slot_await_result(slot);
  send_load(slot, HONE__FRAME_JOB);
}

/* The first time without what the host has of its parts. */
static void send_missed(struct hone__slot *slot, const struct hone__want *want)
{
  struct hone__sent_load load = load_of(slot);

  settle_coming(slot);
  hone__sent_missed(slot->host, &load, slot->wants ? NULL : want);
  slot->wants = slot->wants || !want->partials_count ? 2 : 1;
  if (slot->state == HONE__SLOT_PREPARING)
    send_setup(slot);
  else
    send_job(slot);
}

/* A part was not on its host. */
static void take_want(struct hone__slot *slot, const struct hone__frame *frame)
{
  bool waits = slot->state == HONE__SLOT_PREPARING || slot->state == HONE__SLOT_BUSY;
  struct hone__arena arena = {0};
  struct hone__want want = {0};
  hone_status status;

  if (!waits || !is_awaited(slot, frame)) return;
  status = hone__unpack(frame->head, &hone__want_type, &arena, &want);
  if (status)
    lose_for_reply(slot, status);
  else if (slot->wants == 2 || !slot->host)
    hone__slot_lost(slot, "it requested data that it was sent before");
  else
    send_missed(slot, &want);
  hone__arena_release(&arena);
}

static void on_frame(void *data, const struct hone__frame *frame)
{
  struct hone__slot *slot = data;

  if (slot->state == HONE__SLOT_STARTING && frame->kind != HONE__FRAME_HELLO) {
    hone__slot_lost(slot, "its first frame is not HELLO");
    return;
  }
  switch (frame->kind) {
  case HONE__FRAME_HELLO: take_hello(slot, frame); break;
  case HONE__FRAME_READY: take_ready(slot, frame); break;
  case HONE__FRAME_RESULT: take_result(slot, frame); break;
  case HONE__FRAME_WANT: take_want(slot, frame); break;
  case HONE__FRAME_BEAT: break; /* its time was recorded on arrival */
  default: hone__slot_lost(slot, "it sent a frame that only drivers send");
  }
}

static void on_ended(void *data, const char *why)
{
  hone__slot_lost(data, why);
}

/* ---- Time ---------------------------------------------------------------------------------- */

static void handle_gone(struct hone__slot *slot)
{
  HONE__ASSERT(slot->handles > 0);
  if (--slot->handles == 0) slot->events->gone(slot);
}

static void on_gone(void *data)
{
  struct hone__slot *slot = data;

  if (slot->state == HONE__SLOT_WAITING) hone__slot_wake_after(slot, slot->delay_ms);
  handle_gone(slot);
}

static void start(struct hone__slot *slot)
{
  static const struct hone__launch_events events = {on_frame, on_ended, on_gone};

  HONE__ASSERT(!slot->launch && !slot->queued);
  slot->state = HONE__SLOT_STARTING;
  slot->epoch++;
  slot->sent_ms = uv_now(slot->loop);
  slot->suspected = slot->waiting_reported = false;
  slot->handles++;
  slot->launch =
      hone__launch_start(slot->loop, slot->command.data, slot->environment, &events, slot);
  hone__slot_wake_after(slot, hone__slot_silence_ms(slot));
}

static void on_timer(uv_timer_t *timer)
{
  struct hone__slot *slot = timer->data;

  if (slot->state == HONE__SLOT_GIVEN_UP && slot->handles > 1)
    hone__slot_wake_after(slot, LOOK_AGAIN_MS); /* its former worker is not gone yet */
  else if (slot->state == HONE__SLOT_WAITING || slot->state == HONE__SLOT_GIVEN_UP)
    start(slot);
  else if (slot->launch)
    hone__slot_watch(slot);
}

/* ---- Calls of the pool ---- */

void hone__slot_open(struct hone__slot *slot)
{
  uv_timer_init(slot->loop, &slot->timer);
  slot->timer.data = slot;
  slot->handles = 1;
  slot->state = HONE__SLOT_WAITING;
  slot->absent_ms = uv_now(slot->loop);
  hone__slot_wake_after(slot, 0);
}

bool hone__slot_serves(const struct hone__slot *slot, const struct hone__pool_setup *setup)
{
  if (slot->state >= HONE__SLOT_GIVEN_UP || slot->is_retired) return false;
  return !setup || slot->refused != setup;
}

void hone__slot_prepare(struct hone__slot *slot, struct hone__pool_setup *setup, uint64_t id)
{
  HONE__ASSERT(slot->state == HONE__SLOT_IDLE);
  slot->state = HONE__SLOT_PREPARING;
  slot->awaited = id;
  set_setup(&slot->setup, setup);
  slot->wants = 0;
  send_setup(slot);
}

void hone__slot_do(struct hone__slot *slot, struct hone__queued_job *queued, uint64_t id)
{
  const struct hone__job *job = &queued->job;

  HONE__ASSERT(slot->state == HONE__SLOT_IDLE && !slot->queued);
  slot->state = HONE__SLOT_BUSY;
  slot->awaited = id;
  slot->queued = queued;
  slot->began = hone__clock();
  queued->slot = (int)slot->index;
  queued->tries++;
  slot->wants = 0;
  if (job->restart || queued->tries > 1)
    hone__launch_send(
        slot->launch,
        &(struct hone__frame){.kind = HONE__FRAME_RESTART, .epoch = slot->epoch, .job = id});
  send_job(slot);
}

void hone__slot_beat(struct hone__slot *slot)
{
  static const struct hone__frame beat = {.kind = HONE__FRAME_BEAT};

  if (slot->remote && slot->launch && slot->state != HONE__SLOT_STARTING)
    hone__launch_send(slot->launch, &beat);
}

struct hone__queued_job *hone__slot_interrupt(struct hone__slot *slot)
{
  struct hone__queued_job *queued = slot->queued;

  HONE__ASSERT(slot->state == HONE__SLOT_BUSY);
  slot->queued = NULL;
  slot->delay_ms = 0;
  dismiss(slot, HONE__SLOT_WAITING, false);
  return queued;
}

static void on_timer_closed(uv_handle_t *handle)
{
  handle_gone(handle->data);
}

void hone__slot_close(struct hone__slot *slot)
{
  HONE__ASSERT(!slot->queued && slot->state != HONE__SLOT_CLOSED);
  dismiss(slot, HONE__SLOT_CLOSED, true);
  uv_close((uv_handle_t *)&slot->timer, on_timer_closed);
}

void hone__slot_release(struct hone__slot *slot)
{
  hone__words_release(&slot->command);
  hone__pool_setup_drop(slot->setup);
  hone__pool_setup_drop(slot->refused);
  forget_hello(slot);
  free(slot->coming);
  free(slot->name);
  free(slot->why);
}
