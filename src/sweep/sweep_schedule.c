/* All items are in one array, group after group; a device's queue is a part of one group. */
#include "sweep/sweep_schedule.h"

#include "base/memory.h"
#include "base/status.h"

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

struct hone__schedule {
  struct added {
    uint32_t group, item;
  } * added; /* until it is sealed */
  size_t count, capacity;
  struct group *groups; /* sealed: the largest first */
  size_t group_count;
  size_t *place; /* index in `groups`, by number */
  size_t next;   /* groups before this one are gone */
  uint32_t *items;
  struct queue *queues; /* one per device */
  size_t device_count;
  uint32_t *returned;
  size_t returned_count, returned_capacity;
  size_t left;
};

struct hone__schedule *hone__schedule_open(size_t groups, size_t devices)
{
  struct hone__schedule *schedule = hone__alloc(sizeof *schedule);

  schedule->groups = hone__alloc((groups + 1) * sizeof *schedule->groups);
  schedule->place = hone__alloc((groups + 1) * sizeof *schedule->place);
  schedule->queues = hone__alloc((devices + 1) * sizeof *schedule->queues);
  schedule->group_count = groups;
  schedule->device_count = devices;
  for (size_t i = 0; i < groups; i++)
    schedule->groups[i].number = (uint32_t)i;
  return schedule;
}

void hone__schedule_free(struct hone__schedule *schedule)
{
  if (!schedule) return;
  free(schedule->added);
  free(schedule->groups);
  free(schedule->place);
  free(schedule->items);
  free(schedule->queues);
  free(schedule->returned);
  free(schedule);
}

void hone__schedule_add(struct hone__schedule *schedule, uint32_t group, uint32_t item)
{
  HONE__ASSERT(!schedule->items && group < schedule->group_count); /* it is not sealed yet */
  HONE__GROW(schedule->added, schedule->count, schedule->capacity);
  schedule->added[schedule->count++] = (struct added){group, item};
  schedule->groups[group].count++;
}

static int larger_first(const void *a, const void *b)
{
  const struct group *x = a, *y = b;

  if (x->count != y->count) return x->count > y->count ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

void hone__schedule_seal(struct hone__schedule *schedule)
{
  size_t at = 0;

  if (schedule->group_count)
    qsort(schedule->groups, schedule->group_count, sizeof *schedule->groups, larger_first);
  for (size_t i = 0; i < schedule->group_count; i++) {
    struct group *group = &schedule->groups[i];
    schedule->place[group->number] = i;
    group->first = at;
    at += group->count;
    group->count = 0;
  }
  schedule->items = hone__alloc((schedule->count + 1) * sizeof *schedule->items);
  for (size_t i = 0; i < schedule->count; i++) {
    struct group *group = &schedule->groups[schedule->place[schedule->added[i].group]];
    schedule->items[group->first + group->count++] = schedule->added[i].item;
  }
  schedule->left = schedule->count;
  free(schedule->added);
  schedule->added = NULL;
}

static struct group *group_of(const struct hone__schedule *schedule, uint32_t number)
{
  return &schedule->groups[schedule->place[number]];
}

void hone__schedule_ready(struct hone__schedule *schedule, uint32_t group)
{
  struct group *g = group_of(schedule, group);

  if (g->state == WAITING) g->state = READY;
}

void hone__schedule_drop(struct hone__schedule *schedule, uint32_t group)
{
  struct group *g = group_of(schedule, group);

  if (g->state == GONE) return;
  HONE__ASSERT(schedule->left >= g->count);
  g->state = GONE;
  schedule->left -= g->count;
}

const uint32_t *hone__schedule_items(const struct hone__schedule *schedule, uint32_t group,
                                     size_t *out_count)
{
  const struct group *g = group_of(schedule, group);

  *out_count = g->count;
  return schedule->items + g->first;
}

static bool take_group(struct hone__schedule *schedule, struct queue *queue)
{
  while (schedule->next < schedule->group_count && schedule->groups[schedule->next].state == GONE)
    schedule->next++;
  for (size_t i = schedule->next; i < schedule->group_count; i++) {
    struct group *group = &schedule->groups[i];
    if (group->state != READY) continue;
    group->state = GONE;
    if (!group->count) continue;
    *queue = (struct queue){group->first, group->first + group->count};
    return true;
  }
  return false;
}

/* The queue with the most items left; the first of equals. */
static struct queue *longest_queue(struct hone__schedule *schedule)
{
  struct queue *longest = &schedule->queues[0];

  for (size_t i = 1; i < schedule->device_count; i++)
    if (schedule->queues[i].end - schedule->queues[i].next > longest->end - longest->next)
      longest = &schedule->queues[i];
  return longest;
}

bool hone__schedule_take(struct hone__schedule *schedule, size_t device, uint32_t *out_item)
{
  struct queue *queue = &schedule->queues[device];

  HONE__ASSERT(schedule->items && device < schedule->device_count);
  if (schedule->returned_count) {
    *out_item = schedule->returned[--schedule->returned_count];
    schedule->left--;
    return true;
  }
  if (queue->next == queue->end && !take_group(schedule, queue)) queue = longest_queue(schedule);
  if (queue->next == queue->end) return false;
  HONE__ASSERT(queue->next < queue->end && schedule->left > 0);
  *out_item = schedule->items[queue->next++];
  schedule->left--;
  return true;
}

void hone__schedule_return(struct hone__schedule *schedule, uint32_t item)
{
  HONE__GROW(schedule->returned, schedule->returned_count, schedule->returned_capacity);
  schedule->returned[schedule->returned_count++] = item;
  schedule->left++;
}

size_t hone__schedule_left(const struct hone__schedule *schedule)
{
  return schedule->left;
}
