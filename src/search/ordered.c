/* Every configuration, in the order of keys that the spec computes for it (`order`): the first key
 * counts most, smaller ones come first, and equal ones in mesh order. Keys compare as elements of
 * Python's tuples do; values that Python cannot compare are put apart by their kind, so that there
 * is always one order. */
#include "search/search.h"

#include "search/seeds.h"
#include "space/space.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_ORDERED = 1 << 22 };

struct ordered_item {
  uint64_t index;
  const struct hone_value *keys;
  size_t key_count;
};

struct ordering {
  const struct hone_space *space;
  struct hone__seeds seeds;
  struct ordered_item *items;
  struct hone_value *keys;
  struct hone_value *values; /* of a program's nodes, while keys are computed */
  size_t count, next, key_count;
};

/* ---- Comparing ---- */

static int kind_of(struct hone_value value)
{
  if (value.type == HONE_FLOAT && isnan(value.real)) return 3;
  if (value.type == HONE_BOOL || value.type == HONE_INT || value.type == HONE_FLOAT) return 0;
  return value.type == HONE_TEXT ? 1 : value.type == HONE__FAULT ? 3 : 2;
}

static int compare_keys(struct hone_value a, struct hone_value b)
{
  int x = kind_of(a), y = kind_of(b);

  if (x != y) return x < y ? -1 : 1;
  return x < 2 ? hone__value_compare(a, b) : 0;
}

static int compare_items(const void *a, const void *b)
{
  const struct ordered_item *x = a, *y = b;
  size_t shared = x->key_count < y->key_count ? x->key_count : y->key_count;

  for (size_t i = 0; i < shared; i++) {
    int order = compare_keys(x->keys[i], y->keys[i]);
    if (order) return order;
  }
  if (x->key_count != y->key_count) return x->key_count < y->key_count ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

/* ---- The order ---- */

static bool add_item(void *data, const uint32_t *row)
{
  struct ordering *ordering = data;
  const struct hone__solved_group *group = &ordering->space->groups[row[0]];
  struct hone_value *keys = ordering->keys + ordering->count * ordering->key_count;

  hone__recipe_run(group, &group->order_recipe, row + 1, ordering->values);
  for (size_t i = 0; i < group->order_count; i++)
    keys[i] = ordering->values[group->orders[i]];
  ordering->items[ordering->count] = (struct ordered_item){
      .index = ordering->count, .keys = keys, .key_count = group->order_count};
  ordering->count++;
  return true;
}

static void make_order(struct ordering *ordering)
{
  const struct hone_space *space = ordering->space;
  uint32_t nodes = 0;

  for (size_t g = 0; g < space->group_count; g++) {
    const struct hone__solved_group *group = &space->groups[g];
    if (group->program.count > nodes) nodes = group->program.count;
    if (group->order_count > ordering->key_count) ordering->key_count = group->order_count;
  }
  ordering->values = hone__alloc((nodes + 1) * sizeof *ordering->values);
  ordering->keys = hone__alloc((space->legal * ordering->key_count + 1) * sizeof *ordering->keys);
  ordering->items = hone__alloc((space->legal + 1) * sizeof *ordering->items);
  hone_space_each(space, 0, add_item, ordering);
  qsort(ordering->items, ordering->count, sizeof *ordering->items, compare_items);
}

static hone_status open_ordering(const struct hone__search_options *options, void **out_state)
{
  struct ordering *ordering;

  if (hone_space_count(options->space) > MOST_ORDERED)
    return hone__error(HONE_EXHAUSTED,
                       "%s configurations are too many to sort; the strategy 'ordered' accepts up "
                       "to %d, 'random' any number",
                       hone_space_count_text(options->space), MOST_ORDERED);
  ordering = hone__alloc(sizeof *ordering);
  ordering->space = options->space;
  hone__seeds_open(&ordering->seeds, options);
  make_order(ordering);
  *out_state = ordering;
  return NULL;
}

static size_t ask(void *state, size_t count, uint32_t *rows)
{
  struct ordering *ordering = state;
  size_t width = hone_space_width(ordering->space);
  size_t given = hone__seeds_ask(&ordering->seeds, count, rows);

  for (; given < count && ordering->next < ordering->count; ordering->next++) {
    uint64_t index = ordering->items[ordering->next].index;
    if (hone__seeds_has(&ordering->seeds, index)) continue;
    hone_space_at(ordering->space, index, rows + given++ * width);
  }
  return given;
}

static void close_ordering(void *state)
{
  struct ordering *ordering = state;

  hone__seeds_release(&ordering->seeds);
  free(ordering->items);
  free(ordering->keys);
  free(ordering->values);
  free(ordering);
}

const struct hone__strategy hone__search_ordered = {
    .name = "ordered",
    .summary = "every configuration, sorted by the spec's 'order' keys",
    .open = open_ordering,
    .ask = ask,
    .close = close_ordering,
};
