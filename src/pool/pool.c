/* All work is done from one timer: calls and slots only start it (wake). It delivers pending
 * answers, then assigns queued jobs: each idle slot takes the first job of the queue that it can
 * do, after it was sent the setup of that job.
 *
 * A queued job is in exactly one place: the queue, a slot, or the list of answers.
 */
#include "pool/pool_inside.h"
#include "wire/frame.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

/* In a row, before a host is set aside. */
enum { HOST_FAILURES = 3 };
enum { BEAT_MS = 5000 };

static void on_timer(uv_timer_t *timer);

static void wake(struct hone__pool *pool)
{
  pool->is_woken = true;
  uv_timer_start(&pool->timer, on_timer, 0, 0);
}

/* ---- Answers ---- */

static void give(struct hone__pool *pool, struct hone__queued_job *queued,
                 struct hone__reply *reply)
{
  HONE__ASSERT(pool->pending > 0);
  pool->pending--;
  reply->slot = queued->slot;
  reply->tries = queued->tries;
  reply->ended_at = hone__pool_clock_end(pool, &queued->job, reply->worked_s);
  hone__queued_job_answer(queued, reply);
}

void hone__pool_answer_later(struct hone__pool *pool, struct hone__queued_job *queued,
                             enum hone_outcome outcome, const char *evidence)
{
  queued->outcome = outcome;
  queued->evidence = hone__strdup(evidence);
  hone__queue_insert(&pool->answers, queued);
  wake(pool);
}

static void give_answers(struct hone__pool *pool)
{
  struct hone__queued_job *queued;

  while ((queued = hone__queue_take(&pool->answers))) {
    struct hone__reply reply = {
        .outcome = queued->outcome, .evidence = queued->evidence, .worked_s = NAN};
    give(pool, queued, &reply);
  }
}

static void try_again(struct hone__pool *pool, struct hone__queued_job *queued, uint64_t delay_ms)
{
  queued->not_before_ms = uv_now(pool->options.loop) + delay_ms;
  queued->is_delayed = delay_ms > 0;
  pool->has_delayed = pool->has_delayed || queued->is_delayed;
  hone__queue_insert(&pool->queue, queued);
  wake(pool);
  if (delay_ms && pool->options.on_delayed) pool->options.on_delayed(pool->options.data);
}

/* ---- Assigning jobs ---- */

const struct hone__slot *hone__pool_other_slot(const struct hone__pool *pool,
                                               const struct hone__queued_job *queued,
                                               const struct hone__slot *except)
{
  for (size_t i = 0; i < pool->options.slot_count; i++)
    if (&pool->slots[i] != except && hone__slot_serves(&pool->slots[i], queued->setup))
      return &pool->slots[i];
  return NULL;
}

static bool may_do(const struct hone__pool *pool, const struct hone__slot *slot,
                   const struct hone__queued_job *queued)
{
  if (!hone__slot_serves(slot, queued->setup)) return false;
  if (queued->not_before_ms > uv_now(pool->options.loop)) return false;
  if (queued->job.slot != HONE__ANY_SLOT) return queued->job.slot == (int)slot->index;
  return !queued->avoids_slot || queued->slot != (int)slot->index ||
         !hone__pool_other_slot(pool, queued, slot);
}

static struct hone__queued_job **find_queued(struct hone__pool *pool, const struct hone__slot *slot)
{
  struct hone__queued_job **at = &pool->queue;

  while (*at && !may_do(pool, slot, *at))
    at = &(*at)->next;
  return at;
}

static void hand_out_to(struct hone__pool *pool, struct hone__slot *slot)
{
  struct hone__queued_job **at = find_queued(pool, slot), *queued = *at;
  struct hone__pool_setup *setup = queued ? queued->setup : pool->setup;

  if (pool->is_held && queued) return;
  if (setup && slot->setup != setup) {
    if (hone__slot_serves(slot, setup)) hone__slot_prepare(slot, setup, ++pool->next_id);
  } else if (queued) {
    hone__queue_take(at);
    queued->is_delayed = false;
    hone__slot_do(slot, queued, ++pool->next_id);
  }
}

/* Sets the timer for the queued jobs that wait before a retry. */
static void sleep_until_next(struct hone__pool *pool)
{
  uint64_t now = uv_now(pool->options.loop), next = UINT64_MAX;

  for (const struct hone__queued_job *queued = pool->queue; queued; queued = queued->next)
    if (queued->not_before_ms > now && queued->not_before_ms < next) next = queued->not_before_ms;
  if (next != UINT64_MAX) uv_timer_start(&pool->timer, on_timer, next - now, 0);
}

/* ---- The end ---- */

static void free_pool(struct hone__pool *pool)
{
  HONE__ASSERT(!pool->pending && !pool->queue && !pool->answers);
  for (size_t i = 0; pool->slots && i < pool->options.slot_count; i++)
    hone__slot_release(&pool->slots[i]);
  free(pool->slots);
  hone__sent_release(&pool->hosts);
  hone__pool_setup_drop(pool->setup);
  free(pool->why);
  free(pool);
}

static void on_timer_closed(uv_handle_t *handle)
{
  struct hone__pool *pool = handle->data;
  void (*closed)(void *) = pool->closed;
  void *data = pool->closed_data;

  if (--pool->handles) return;
  free_pool(pool);
  if (closed) closed(data);
}

static void close_timers(struct hone__pool *pool)
{
  uv_close((uv_handle_t *)&pool->timer, on_timer_closed);
  uv_close((uv_handle_t *)&pool->beats, on_timer_closed);
}

static size_t length_of(const struct hone__queued_job *list)
{
  size_t length = 0;

  for (; list; list = list->next)
    length++;
  return length;
}

/* Jobs without an answer, counted where they are. */
static size_t count_pending(const struct hone__pool *pool)
{
  size_t count = length_of(pool->queue) + length_of(pool->answers);

  for (size_t i = 0; i < pool->options.slot_count; i++)
    count += pool->slots[i].queued != NULL;
  return count;
}

static void on_timer(uv_timer_t *timer)
{
  struct hone__pool *pool = timer->data;

  HONE__ASSERT_SLOW(count_pending(pool) == pool->pending);
  pool->is_woken = false;
  give_answers(pool);
  if (pool->closing) {
    if (pool->slots_left == 0 && !pool->pending) close_timers(pool);
    return;
  }
  for (size_t i = 0; i < pool->options.slot_count; i++)
    if (pool->slots[i].state == HONE__SLOT_IDLE) hand_out_to(pool, &pool->slots[i]);
  hone__pool_settle_absent(pool);
  if (!pool->is_woken) sleep_until_next(pool);
}

/* A remote worker ends when its driver cannot be reached any more. */
static void on_beat(uv_timer_t *timer)
{
  struct hone__pool *pool = timer->data;

  for (size_t i = 0; i < pool->options.slot_count; i++)
    hone__slot_beat(&pool->slots[i]);
}

/* ---- Events of the slots ---- */

static void on_idle(struct hone__slot *slot)
{
  wake(slot->owner);
}

static void on_ready(struct hone__slot *slot, const struct hone__packed *ready)
{
  const struct hone__pool_options *options = &((struct hone__pool *)slot->owner)->options;

  if (options->on_ready) options->on_ready(options->data, slot->index, &slot->hello, ready);
}

/* Puts a host aside that fails job after job, as long as others can do its work. */
static void check_host(struct hone__pool *pool, struct hone__slot *slot, const char *evidence)
{
  int failures = slot->host_failures > slot->losses ? slot->host_failures : slot->losses;
  struct hone__text why = {0};

  if (!slot->remote || pool->closing || !hone__slot_serves(slot, NULL) ||
      !hone__pool_others_are_there(pool, slot))
    return;
  hone__text_addf(&why, "%d job%s in a row failed there, the last one with: %s", failures,
                  failures == 1 ? "" : "s", evidence);
  hone__slot_retire(slot, why.data);
  hone__text_release(&why);
}

/* A full disk is the host's: the job may succeed elsewhere. */
static void check_result(struct hone__pool *pool, struct hone__slot *slot,
                         struct hone__reply *reply)
{
  bool is_full = reply->outcome == HONE_OUTCOME_DISK_FULL;

  if (!is_full && slot->host_failures < HOST_FAILURES) return;
  check_host(pool, slot, *reply->evidence ? reply->evidence : hone_outcome_name(reply->outcome));
  if (is_full && slot->is_retired) reply->outcome = HONE_OUTCOME_WORKER_LOST;
}

static void note_work(struct hone__slot *slot, const struct hone__queued_job *queued,
                      const struct hone__reply *reply, bool is_requeued)
{
  struct hone__pool *pool = slot->owner;
  struct hone__pool_work work = {
      .job = &queued->job, .outcome = reply->outcome, .is_requeued = is_requeued};

  if (!pool->options.on_work) return;
  hone__pool_clock_span(pool, slot, reply->worked_s, &work);
  pool->options.on_work(pool->options.data, &work);
}

static void on_result(struct hone__slot *slot, struct hone__queued_job *queued,
                      struct hone__job_answer *answer)
{
  struct hone__pool *pool = slot->owner;
  uint64_t delay_ms;
  bool is_requeued;

  wake(pool);
  check_result(pool, slot, &answer->reply);
  is_requeued =
      !answer->is_final && hone__queued_job_retries(queued, answer->reply.outcome, &delay_ms);
  note_work(slot, queued, &answer->reply, is_requeued);
  if (is_requeued) {
    try_again(pool, queued, delay_ms);
    return;
  }
  if (!pool->closing && slot->state == HONE__SLOT_IDLE)
    hand_out_to(pool, slot); /* the slot continues to work while the answer is handled */
  give(pool, queued, &answer->reply);
}

static void on_worker_lost(struct hone__slot *slot, struct hone__queued_job *queued)
{
  struct hone__pool *pool = slot->owner;
  struct hone__text evidence = {0};
  const struct hone__reply lost = {.outcome = HONE_OUTCOME_WORKER_LOST, .worked_s = NAN};
  uint64_t delay_ms;
  bool is_requeued = hone__queued_job_retries(queued, HONE_OUTCOME_WORKER_LOST, &delay_ms);

  note_work(slot, queued, &lost, is_requeued || queued->job.may_move);
  if (slot->losses >= HOST_FAILURES) check_host(pool, slot, slot->why);
  if (is_requeued) {
    try_again(pool, queued, delay_ms);
    return;
  }
  hone__text_addf(&evidence, "two workers ended while they ran it: %s", slot->why);
  hone__pool_answer_later(pool, queued, HONE_OUTCOME_WORKER_LOST, evidence.data);
  hone__text_release(&evidence);
}

static void on_useless(struct hone__slot *slot)
{
  struct hone__pool *pool = slot->owner;
  const struct hone__pool_options *options = &pool->options;

  free(pool->why);
  pool->why = hone__strdup(slot->why);
  wake(pool);
  if (slot->is_retired)
    hone__pool_note_retired(pool, slot);
  else if (slot->is_spec_wrong && options->on_wrong_spec)
    options->on_wrong_spec(options->data, slot->index, slot->why, slot->is_reference_unloaded);
  else if (options->on_lost)
    options->on_lost(options->data, slot->index, slot->why);
}

static void on_note(struct hone__slot *slot, const char *note)
{
  const struct hone__pool_options *options = &((struct hone__pool *)slot->owner)->options;

  if (options->on_note) options->on_note(options->data, slot->index, note);
}

static void on_joined(struct hone__slot *slot)
{
  const struct hone__pool_options *options = &((struct hone__pool *)slot->owner)->options;

  if (options->on_joined) options->on_joined(options->data, slot->index, slot->hello.host);
}

static void on_left(struct hone__slot *slot)
{
  const struct hone__pool_options *options = &((struct hone__pool *)slot->owner)->options;

  if (options->on_left) options->on_left(options->data, slot->index);
}

static void on_late(struct hone__slot *slot)
{
  wake(slot->owner);
}

static void on_slot_gone(struct hone__slot *slot)
{
  struct hone__pool *pool = slot->owner;

  HONE__ASSERT(pool->closing && pool->slots_left > 0);
  pool->slots_left--;
  wake(pool);
}

/* ---- Opening ---- */

static hone_status init_slots(struct hone__pool *pool)
{
  static const struct hone__slot_events events = {.idle = on_idle,
                                                  .ready = on_ready,
                                                  .result = on_result,
                                                  .lost = on_worker_lost,
                                                  .useless = on_useless,
                                                  .note = on_note,
                                                  .late = on_late,
                                                  .joined = on_joined,
                                                  .left = on_left,
                                                  .gone = on_slot_gone};
  hone_status status = NULL;

  pool->slots = hone__alloc(pool->options.slot_count * sizeof *pool->slots);
  for (size_t i = 0; i < pool->options.slot_count && !status; i++) {
    struct hone__slot *slot = &pool->slots[i];
    slot->loop = pool->options.loop;
    slot->events = &events;
    slot->owner = pool;
    slot->index = i;
    slot->silence_s = pool->options.silence_s;
    slot->hosts = &pool->hosts;
    slot->grace_s = pool->options.grace_s;
    slot->environment = pool->options.environment;
    status = hone__slot_command(slot, &pool->options.slots[i], pool->options.program,
                                pool->options.role);
  }
  return status;
}

/* Three pipes per worker, plus descriptors for a start and for the rest of the program. */
static hone_status check_files(size_t slot_count)
{
  enum { FILES_A_SLOT = 3, OTHER_FILES = 40 };
  rlim_t needed = FILES_A_SLOT * (rlim_t)slot_count + OTHER_FILES;
  struct rlimit limit;

  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= needed) return NULL;
  limit.rlim_cur = limit.rlim_max < needed ? limit.rlim_max : needed;
  if (setrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= needed) return NULL;
  return hone__error(HONE_EXHAUSTED,
                     "the limit on open files is %llu, but %zu workers need %llu: raise it with "
                     "'ulimit -n %llu', or use fewer workers",
                     (unsigned long long)limit.rlim_cur, slot_count, (unsigned long long)needed,
                     (unsigned long long)needed);
}

hone_status hone__pool_open(const struct hone__pool_options *options, struct hone__pool **out_pool)
{
  struct hone__pool *pool = hone__alloc(sizeof *pool);
  hone_status status;

  *out_pool = NULL;
  pool->options = *options;
  if (!(pool->options.silence_s > 0)) pool->options.silence_s = 10;
  if (!(pool->options.grace_s > 0)) pool->options.grace_s = 60;
  status = check_files(options->slot_count);
  if (!status) status = init_slots(pool);
  if (status) {
    free_pool(pool);
    return status;
  }
  uv_timer_init(options->loop, &pool->timer);
  uv_timer_init(options->loop, &pool->beats);
  pool->timer.data = pool->beats.data = pool;
  pool->handles = 2;
  uv_timer_start(&pool->beats, on_beat, BEAT_MS, BEAT_MS);
  for (size_t i = 0; i < options->slot_count; i++)
    hone__slot_open(&pool->slots[i]);
  *out_pool = pool;
  return NULL;
}

/* ---- Calls of the driver ---- */

void hone__pool_setup(struct hone__pool *pool, struct hone__packed *head, void *payload,
                      size_t payload_size)
{
  hone__pool_setup_drop(pool->setup);
  pool->setup = hone__pool_setup_new(head, payload, payload_size);
  wake(pool);
}

hone_status hone__pool_write_setup(const struct hone__pool *pool, int file)
{
  return hone__frame_write(file, &(struct hone__frame){.kind = HONE__FRAME_SETUP,
                                                       .head = pool->setup->head,
                                                       .payload = pool->setup->payload,
                                                       .payload_size = pool->setup->payload_size});
}

void hone__pool_submit(struct hone__pool *pool, const struct hone__job *job)
{
  struct hone__queued_job *queued = hone__queued_job_new(job, pool->setup, pool->next_number++);

  if (job->slot < HONE__ANY_SLOT || job->slot >= (int)pool->options.slot_count)
    HONE__BUG("a job for a slot that does not exist");
  hone__pool_clock_begin(pool);
  pool->pending++;
  if (pool->closing) {
    hone__pool_answer_later(pool, queued, HONE_OUTCOME_INTERRUPTED, "");
    return;
  }
  hone__queue_insert(&pool->queue, queued);
  wake(pool);
}

static bool is_free(const struct hone__pool *pool, const struct hone__slot *slot)
{
  if (slot->state != HONE__SLOT_IDLE || slot->setup != pool->setup) return false;
  for (const struct hone__queued_job *queued = pool->queue; queued; queued = queued->next)
    if (queued->job.slot == (int)slot->index) return false;
  return true;
}

size_t hone__pool_idle(const struct hone__pool *pool)
{
  size_t idle = 0, waiting = 0;

  for (const struct hone__queued_job *queued = pool->queue; queued; queued = queued->next)
    waiting += queued->job.slot == HONE__ANY_SLOT;
  for (size_t i = 0; i < pool->options.slot_count; i++)
    idle += is_free(pool, &pool->slots[i]);
  return idle > waiting ? idle - waiting : 0;
}

size_t hone__pool_usable(const struct hone__pool *pool)
{
  size_t usable = 0;

  for (size_t i = 0; i < pool->options.slot_count; i++)
    usable += hone__slot_serves(&pool->slots[i], pool->setup);
  return usable;
}

size_t hone__pool_pending(const struct hone__pool *pool)
{
  return pool->pending;
}

size_t hone__pool_delayed(const struct hone__pool *pool, int slot)
{
  size_t count = 0;

  if (!pool->has_delayed) return 0; /* as in most runs: this is asked for each slot and result */
  for (const struct hone__queued_job *queued = pool->queue; queued; queued = queued->next)
    count += queued->is_delayed && queued->job.slot == slot;
  return count;
}

void hone__pool_hold(struct hone__pool *pool, bool is_held)
{
  if (pool->is_held && !is_held) wake(pool);
  pool->is_held = is_held;
}

double hone__pool_prepare_s(const struct hone__pool *pool, size_t slot)
{
  return 1e-3 * (double)pool->slots[slot].prepare_ms;
}

double hone__pool_worked_s(const struct hone__pool *pool, size_t slot)
{
  return pool->slots[slot].worked_s;
}

void hone__pool_dismiss(struct hone__pool *pool, size_t slot, const char *why)
{
  hone__slot_dismiss(&pool->slots[slot], why);
  wake(pool);
}

void hone__pool_cancel_waiting(struct hone__pool *pool)
{
  struct hone__queued_job *queued;

  if (!pool) return;
  while ((queued = hone__queue_take(&pool->queue)))
    hone__pool_answer_later(pool, queued, HONE_OUTCOME_INTERRUPTED, "");
}

void hone__pool_cancel(struct hone__pool *pool)
{
  if (!pool) return;
  hone__pool_cancel_waiting(pool);
  for (size_t i = 0; i < pool->options.slot_count; i++)
    if (pool->slots[i].state == HONE__SLOT_BUSY)
      hone__pool_answer_later(pool, hone__slot_interrupt(&pool->slots[i]), HONE_OUTCOME_INTERRUPTED,
                              "");
}

void hone__pool_close(struct hone__pool *pool, void (*closed)(void *data), void *data)
{
  HONE__ASSERT(!pool->closing);
  pool->closing = true;
  pool->closed = closed;
  pool->closed_data = data;
  pool->slots_left = pool->options.slot_count;
  hone__pool_cancel(pool);
  for (size_t i = 0; i < pool->options.slot_count; i++)
    hone__slot_close(&pool->slots[i]);
  wake(pool);
}
