/* Virtual time in a pool: a job occupies a slot from its start to its end.
 *
 * The job starts when its slot is free, but not before the pool was last without any job. A job for
 * any slot is counted for the one that is free first, wherever it really ran. The clock reaches the
 * latest end of all jobs, so neither the order of replies nor the speed of workers adds time.
 */
#include "pool/pool_inside.h"

#include <math.h>

void hone__pool_clock_begin(struct hone__pool *pool)
{
  const struct hone__clock *clock = pool->options.clock;

  if (clock && !pool->pending) pool->busy_since = hone__clock_now(clock);
}

static struct hone__slot *slot_of(struct hone__pool *pool, const struct hone__job *job)
{
  struct hone__slot *first = &pool->slots[0];

  if (job->slot != HONE__ANY_SLOT) return &pool->slots[job->slot];
  for (size_t i = 1; i < pool->options.slot_count; i++)
    if (pool->slots[i].free_at < first->free_at) first = &pool->slots[i];
  return first;
}

static bool takes_time(const struct hone__job *job, double worked_s)
{
  return worked_s > 0 && isfinite(worked_s) && !job->is_repeated;
}

double hone__pool_clock_end(struct hone__pool *pool, const struct hone__job *job, double worked_s)
{
  struct hone__clock *clock = pool->options.clock;
  struct hone__slot *slot;

  if (!clock || !clock->is_virtual) return hone__clock();
  slot = slot_of(pool, job);
  slot->free_at = fmax(slot->free_at, pool->busy_since);
  if (takes_time(job, worked_s)) slot->free_at += worked_s;
  hone__clock_reach(clock, slot->free_at);
  return slot->free_at;
}

void hone__pool_clock_span(struct hone__pool *pool, const struct hone__slot *slot, double worked_s,
                           struct hone__pool_work *work)
{
  const struct hone__clock *clock = pool->options.clock;

  work->slot = slot->index;
  work->began = slot->began;
  work->ended = hone__clock();
  if (!clock || !clock->is_virtual) return;
  slot = slot_of(pool, work->job);
  work->slot = slot->index;
  work->began = fmax(slot->free_at, pool->busy_since);
  work->ended = work->began + (takes_time(work->job, worked_s) ? worked_s : 0);
}
