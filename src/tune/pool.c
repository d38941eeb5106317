/* All items lie in one array, group after group; a device's queue is a part of one group. */
#include "tune/pool.h"

#include "base/memory.h"

#include <stdlib.h>

enum group_state { WAITING, READY, GONE }; /* GONE: taken or dropped */

struct group {
  uint32_t number;
  size_t first, count;
  enum group_state state;
};

struct queue {
  size_t next, end; /* in `items` */
};

struct hone__pool {
  struct added {
    uint32_t group, item;
  } * added; /* until it is sealed */
  size_t count, capacity;
  struct group *groups; /* sealed: the largest first */
  size_t group_count;
  size_t *place; /* of a group's number in `groups` */
  size_t next;   /* groups before this one are gone */
  uint32_t *items;
  struct queue *queues; /* of devices */
  size_t device_count;
  uint32_t *returned;
  size_t returned_count, returned_capacity;
  size_t left;
};

struct hone__pool *hone__pool_open(size_t groups, size_t devices)
{
  struct hone__pool *pool = hone__alloc(sizeof *pool);

  pool->groups = hone__alloc((groups + 1) * sizeof *pool->groups);
  pool->place = hone__alloc((groups + 1) * sizeof *pool->place);
  pool->queues = hone__alloc((devices + 1) * sizeof *pool->queues);
  pool->group_count = groups;
  pool->device_count = devices;
  for (size_t i = 0; i < groups; i++)
    pool->groups[i].number = (uint32_t)i;
  return pool;
}

void hone__pool_free(struct hone__pool *pool)
{
  if (!pool) return;
  free(pool->added);
  free(pool->groups);
  free(pool->place);
  free(pool->items);
  free(pool->queues);
  free(pool->returned);
  free(pool);
}

void hone__pool_add(struct hone__pool *pool, uint32_t group, uint32_t item)
{
  HONE__GROW(pool->added, pool->count, pool->capacity);
  pool->added[pool->count++] = (struct added){group, item};
  pool->groups[group].count++;
}

static int larger_first(const void *a, const void *b)
{
  const struct group *x = a, *y = b;

  if (x->count != y->count) return x->count > y->count ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

void hone__pool_seal(struct hone__pool *pool)
{
  size_t at = 0;

  if (pool->group_count) qsort(pool->groups, pool->group_count, sizeof *pool->groups, larger_first);
  for (size_t i = 0; i < pool->group_count; i++) {
    struct group *group = &pool->groups[i];
    pool->place[group->number] = i;
    group->first = at;
    at += group->count;
    group->count = 0;
  }
  pool->items = hone__alloc((pool->count + 1) * sizeof *pool->items);
  for (size_t i = 0; i < pool->count; i++) {
    struct group *group = &pool->groups[pool->place[pool->added[i].group]];
    pool->items[group->first + group->count++] = pool->added[i].item;
  }
  pool->left = pool->count;
  free(pool->added);
  pool->added = NULL;
}

static struct group *group_of(const struct hone__pool *pool, uint32_t number)
{
  return &pool->groups[pool->place[number]];
}

void hone__pool_ready(struct hone__pool *pool, uint32_t group)
{
  struct group *g = group_of(pool, group);

  if (g->state == WAITING) g->state = READY;
}

void hone__pool_drop(struct hone__pool *pool, uint32_t group)
{
  struct group *g = group_of(pool, group);

  if (g->state == GONE) return;
  g->state = GONE;
  pool->left -= g->count;
}

const uint32_t *hone__pool_items(const struct hone__pool *pool, uint32_t group, size_t *out_count)
{
  const struct group *g = group_of(pool, group);

  *out_count = g->count;
  return pool->items + g->first;
}

static bool take_group(struct hone__pool *pool, struct queue *queue)
{
  while (pool->next < pool->group_count && pool->groups[pool->next].state == GONE)
    pool->next++;
  for (size_t i = pool->next; i < pool->group_count; i++) {
    struct group *group = &pool->groups[i];
    if (group->state != READY) continue;
    group->state = GONE;
    if (!group->count) continue;
    *queue = (struct queue){group->first, group->first + group->count};
    return true;
  }
  return false;
}

/* Of the device that has most to do; of equals the first. */
static struct queue *longest_queue(struct hone__pool *pool)
{
  struct queue *longest = &pool->queues[0];

  for (size_t i = 1; i < pool->device_count; i++)
    if (pool->queues[i].end - pool->queues[i].next > longest->end - longest->next)
      longest = &pool->queues[i];
  return longest;
}

bool hone__pool_take(struct hone__pool *pool, size_t device, uint32_t *out_item)
{
  struct queue *queue = &pool->queues[device];

  if (pool->returned_count) {
    *out_item = pool->returned[--pool->returned_count];
    pool->left--;
    return true;
  }
  if (queue->next == queue->end && !take_group(pool, queue)) queue = longest_queue(pool);
  if (queue->next == queue->end) return false;
  *out_item = pool->items[queue->next++];
  pool->left--;
  return true;
}

void hone__pool_return(struct hone__pool *pool, uint32_t item)
{
  HONE__GROW(pool->returned, pool->returned_count, pool->returned_capacity);
  pool->returned[pool->returned_count++] = item;
  pool->left++;
}

size_t hone__pool_left(const struct hone__pool *pool)
{
  return pool->left;
}
