/* Slots without a worker, and their queued jobs.
 *
 * A launcher may wait for a machine without limit, but jobs that other slots can do do not wait for
 * it. While another slot works, a slot that has had no worker for a while is set aside, and the
 * queued jobs that name it are answered WORKER_LOST, so that the caller can submit them to another
 * slot. It is taken back when its worker is ready, or when no other slot works.
 *
 * A slot whose worker was lost may get the next one in a moment. Its jobs that may move need not
 * wait for that if another slot has a worker now. "Works" includes slots that are restarted, "is
 * there" does not: two slots that are restarted at once must not wait for each other.
 */
#include "pool/pool_inside.h"

static const struct hone__slot *fixed_slot(const struct hone__pool *pool,
                                           const struct hone__queued_job *queued)
{
  return queued->job.slot == HONE__ANY_SLOT ? NULL : &pool->slots[queued->job.slot];
}

/* ---- Slots set aside ---- */

/* Short restarts are ignored. */
static bool is_working(const struct hone__pool *pool, const struct hone__slot *slot)
{
  const struct hone__pool_options *options = &pool->options;

  if (!slot->was_ready || hone__slot_is_late(slot)) return false;
  if (!hone__slot_serves(slot, pool->setup)) return false;
  return !options->is_working || options->is_working(options->data, slot->index);
}

static bool others_work(const struct hone__pool *pool, const struct hone__slot *except)
{
  for (size_t i = 0; i < pool->options.slot_count; i++)
    if (&pool->slots[i] != except && is_working(pool, &pool->slots[i])) return true;
  return false;
}

bool hone__pool_others_are_there(const struct hone__pool *pool, const struct hone__slot *except)
{
  for (size_t i = 0; i < pool->options.slot_count; i++)
    if (&pool->slots[i] != except && !pool->slots[i].absent_ms && is_working(pool, &pool->slots[i]))
      return true;
  return false;
}

static void set_aside(struct hone__pool *pool, struct hone__slot *slot, bool is_aside)
{
  const struct hone__pool_options *options = &pool->options;

  slot->is_aside = is_aside;
  if (is_aside && options->on_away) options->on_away(options->data, slot->index, slot->why);
  if (!is_aside && options->on_back) options->on_back(options->data, slot->index);
}

static bool belongs_aside(const struct hone__pool *pool, const struct hone__slot *slot)
{
  if (hone__slot_is_late(slot)) return others_work(pool, slot);
  return hone__slot_is_deserted(slot) && hone__pool_others_are_there(pool, slot);
}

static void settle_slot(struct hone__pool *pool, struct hone__slot *slot)
{
  bool is_aside;

  if (!hone__slot_serves(slot, pool->setup)) return;
  is_aside = belongs_aside(pool, slot);
  if (is_aside != slot->is_aside) set_aside(pool, slot, is_aside);
}

void hone__pool_note_retired(struct hone__pool *pool, struct hone__slot *slot)
{
  const struct hone__pool_options *options = &pool->options;

  if (slot->is_aside) return; /* known */
  if (others_work(pool, slot)) {
    set_aside(pool, slot, true);
  } else {
    slot->is_aside = true; /* it is reported when it comes back */
    if (options->on_lost) options->on_lost(options->data, slot->index, slot->why);
  }
}

/* ---- Queued jobs that no worker will do ---- */

static bool is_hopeless(const struct hone__pool *pool, const struct hone__queued_job *queued)
{
  const struct hone__slot *slot = fixed_slot(pool, queued);

  if (!slot) return !hone__pool_other_slot(pool, queued, NULL);
  if (!hone__slot_serves(slot, queued->setup)) return true;
  if (slot->is_aside && (queued->job.may_move || hone__slot_is_late(slot))) return true;
  return queued->job.may_be_skipped && hone__slot_is_late(slot);
}

static void drop_hopeless(struct hone__pool *pool)
{
  struct hone__queued_job **at = &pool->queue;

  while (*at) {
    struct hone__queued_job *queued = *at;
    const struct hone__slot *slot = fixed_slot(pool, queued);
    const char *why = slot ? slot->why : pool->why;
    if (!is_hopeless(pool, queued)) {
      at = &queued->next;
      continue;
    }
    hone__queue_take(at);
    hone__pool_answer_later(pool, queued, HONE_OUTCOME_WORKER_LOST,
                            why ? why : "no worker is available");
  }
}

void hone__pool_settle_absent(struct hone__pool *pool)
{
  for (size_t i = 0; i < pool->options.slot_count; i++)
    settle_slot(pool, &pool->slots[i]);
  drop_hopeless(pool);
}
