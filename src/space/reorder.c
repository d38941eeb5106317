/* Levels are moved by exchanging neighbours, as in packages for binary decision diagrams.
 * Exchanging levels x and y touches these two only: a node of x keeps its number and the solutions
 * below it, but branches on y first; the nodes of x below it are made again, equal ones once. What
 * lies above and below does not notice. The work depends on the size of the diagram, not on its
 * solutions. */
#include "space/reorder.h"
#include "base/budget.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>

struct branch {
  uint32_t value, child; /* a node of the next level */
};

struct level {
  struct branch *branches;
  size_t branch_count, branch_capacity;
  size_t *first; /* of each node, and one more */
  size_t node_count, node_capacity;
};

struct layered {
  struct level *layers;
  uint32_t depth;
  struct hone__budget budget;
};

/* A path over two levels: upper value, lower value, and where it ends. */
struct path {
  uint32_t upper, lower, end;
};

struct exchange {
  struct layered *all;
  struct level *upper, *lower; /* as they were */
  struct level new_upper, new_lower;
  struct path *paths, *sorted;
  size_t path_count, path_capacity, sorted_capacity;
  uint32_t *buckets;
  size_t bucket_capacity;
  uint32_t *table; /* of new_lower's nodes, number + 1 */
  size_t table_size;
};

static void layer_release(struct layered *all, struct level *layer)
{
  hone__budget_give(&all->budget, layer->branch_capacity * sizeof *layer->branches +
                                      layer->node_capacity * sizeof *layer->first);
  free(layer->branches);
  free(layer->first);
  *layer = (struct level){0};
}

static hone_status add_branch(struct layered *all, struct level *layer, uint32_t value,
                              uint32_t child)
{
  hone_status status = hone__budget_reserve(&all->budget, &layer->branches, &layer->branch_capacity,
                                            layer->branch_count + 1, sizeof *layer->branches);

  if (!status)
    layer->branches[layer->branch_count++] = (struct branch){.value = value, .child = child};
  return status;
}

/* Ends a node: its branches are those added since the last one. */
static hone_status add_node(struct layered *all, struct level *layer)
{
  hone_status status = hone__budget_reserve(&all->budget, &layer->first, &layer->node_capacity,
                                            layer->node_count + 2, sizeof *layer->first);

  if (status) return status;
  layer->first[0] = 0;
  layer->first[++layer->node_count] = layer->branch_count;
  return NULL;
}

/* ---- From and to a diagram ---- */

/* Level by level; number[] gives each node of the level its place there. */
static hone_status take_apart(struct layered *all, const struct hone__diagram *diagram)
{
  uint32_t *now = hone__alloc(diagram->node_count * sizeof *now), now_count = 1;
  uint32_t *next = hone__alloc(diagram->node_count * sizeof *next), next_count;
  uint32_t *number = hone__alloc(diagram->node_count * sizeof *number); /* + 1 */
  hone_status status = NULL;

  now[0] = diagram->root;
  for (uint32_t level = 0; level < all->depth && !status; level++) {
    struct level *layer = &all->layers[level];
    next_count = 0;
    for (uint32_t i = 0; i < now_count && !status; i++) {
      for (uint32_t k = 0; k < diagram->nodes[now[i]].width && !status; k++) {
        uint32_t child, value = hone__diagram_value(diagram, now[i], k, &child);
        if (!number[child]) {
          next[next_count] = child;
          number[child] = ++next_count;
        }
        status = add_branch(all, layer, value, number[child] - 1);
      }
      if (!status) status = add_node(all, layer);
    }
    for (uint32_t i = 0; i < next_count; i++)
      number[next[i]] = 0;
    memcpy(now, next, next_count * sizeof *now);
    now_count = next_count;
  }
  free(now);
  free(next);
  free(number);
  return status;
}

static bool leads_to_one(const struct branch *branches, size_t count)
{
  for (size_t i = 1; i < count; i++)
    if (branches[i].child != branches[0].child) return false;
  return true;
}

/* One node of the diagram; `base` is the number of the next level's first node there. */
static void put_node(struct hone__diagram *d, const struct branch *branches, size_t count,
                     uint32_t base, struct hone__diagram_node *node)
{
  bool span = branches[count - 1].value - branches[0].value == count - 1;

  node->width = (uint32_t)count;
  if (leads_to_one(branches, count)) {
    node->child = base + branches[0].child;
    node->count = count * d->nodes[node->child].count;
    node->fan = span ? HONE__FAN_SPAN : HONE__FAN_SET;
    node->first = span ? branches[0].value : d->value_count;
    for (size_t i = 0; i < count && !span; i++) {
      HONE__GROW(d->values, d->value_count, d->value_capacity);
      d->values[d->value_count++] = branches[i].value;
    }
    return;
  }
  node->fan = HONE__FAN_EDGES;
  node->first = d->edge_count;
  for (size_t i = 0; i < count; i++) {
    uint32_t child = base + branches[i].child;
    HONE__GROW(d->edges, d->edge_count, d->edge_capacity);
    d->edges[d->edge_count++] =
        (struct hone__edge){.before = node->count, .value = branches[i].value, .child = child};
    node->count += d->nodes[child].count;
  }
}

static struct hone__diagram *put_together(const struct layered *all)
{
  struct hone__diagram *d = hone__alloc(sizeof *d);
  uint32_t base = HONE__TERMINAL;

  d->depth = all->depth;
  HONE__GROW(d->nodes, d->node_count, d->node_capacity);
  d->nodes[d->node_count++] = (struct hone__diagram_node){.count = 1};
  for (uint32_t level = all->depth; level-- > 0;) {
    const struct level *layer = &all->layers[level];
    uint32_t here = d->node_count;
    for (size_t i = 0; i < layer->node_count; i++) {
      struct hone__diagram_node node = {0};
      put_node(d, layer->branches + layer->first[i], layer->first[i + 1] - layer->first[i], base,
               &node);
      HONE__GROW(d->nodes, d->node_count, d->node_capacity);
      d->nodes[d->node_count++] = node;
    }
    base = here;
  }
  d->root = base;
  d->count = d->nodes[d->root].count;
  return d;
}

/* ---- Exchanging two levels ---- */

static hone_status find_paths(struct exchange *x, size_t node)
{
  const struct level *upper = x->upper, *lower = x->lower;
  hone_status status = NULL;

  x->path_count = 0;
  for (size_t i = upper->first[node]; i < upper->first[node + 1] && !status; i++) {
    const struct branch *branch = &upper->branches[i];
    size_t from = lower->first[branch->child], to = lower->first[branch->child + 1];
    status = hone__budget_reserve(&x->all->budget, &x->paths, &x->path_capacity,
                                  x->path_count + (to - from), sizeof *x->paths);
    for (size_t k = from; k < to && !status; k++)
      x->paths[x->path_count++] = (struct path){.upper = branch->value,
                                                .lower = lower->branches[k].value,
                                                .end = lower->branches[k].child};
  }
  return status;
}

static int by_lower(const void *a, const void *b)
{
  const struct path *x = a, *y = b;

  if (x->lower != y->lower) return x->lower < y->lower ? -1 : 1;
  return x->upper < y->upper ? -1 : x->upper > y->upper;
}

/* By the lower value, and among equals by the upper one, in which order they are already: counted
 * into buckets, unless the values are too far apart for that. */
static hone_status sort_paths(struct exchange *x)
{
  uint32_t most = 0, total = 0;
  hone_status status;

  for (size_t i = 0; i < x->path_count; i++)
    if (x->paths[i].lower > most) most = x->paths[i].lower;
  if (most > 4 * x->path_count + 1024) {
    qsort(x->paths, x->path_count, sizeof *x->paths, by_lower);
    return NULL;
  }
  status = hone__budget_reserve(&x->all->budget, &x->buckets, &x->bucket_capacity, most + 2,
                                sizeof *x->buckets);
  if (!status)
    status = hone__budget_reserve(&x->all->budget, &x->sorted, &x->sorted_capacity, x->path_count,
                                  sizeof *x->sorted);
  if (status) return status;
  memset(x->buckets, 0, (most + 2) * sizeof *x->buckets);
  for (size_t i = 0; i < x->path_count; i++)
    x->buckets[x->paths[i].lower]++;
  for (uint32_t b = 0; b <= most; b++) {
    uint32_t count = x->buckets[b];
    x->buckets[b] = total;
    total += count;
  }
  for (size_t i = 0; i < x->path_count; i++)
    x->sorted[x->buckets[x->paths[i].lower]++] = x->paths[i];
  memcpy(x->paths, x->sorted, x->path_count * sizeof *x->paths);
  return NULL;
}

static uint64_t hash_branches(const struct branch *branches, size_t count)
{
  uint64_t hash = count;

  for (size_t i = 0; i < count; i++)
    hash = hone__hash_add(hash, (uint64_t)branches[i].value << 32 | branches[i].child);
  return hone__mix(hash);
}

static void grow_table(struct exchange *x)
{
  const struct level *layer = &x->new_lower;

  x->table_size = x->table_size ? 4 * x->table_size : 256;
  free(x->table);
  x->table = hone__alloc(x->table_size * sizeof *x->table);
  for (size_t i = 0; i < layer->node_count; i++) {
    const struct branch *branches = layer->branches + layer->first[i];
    size_t slot = hash_branches(branches, layer->first[i + 1] - layer->first[i]);
    for (slot &= x->table_size - 1; x->table[slot];)
      slot = (slot + 1) & (x->table_size - 1);
    x->table[slot] = (uint32_t)i + 1;
  }
}

/* The last `count` branches of the new lower level as a node: an equal one, or this. */
static hone_status close_lower(struct exchange *x, size_t count, uint32_t *out_node)
{
  struct level *layer = &x->new_lower;
  const struct branch *branches = layer->branches + layer->branch_count - count;
  size_t slot;

  if (2 * (layer->node_count + 1) > x->table_size) grow_table(x);
  slot = hash_branches(branches, count) & (x->table_size - 1);
  for (; x->table[slot]; slot = (slot + 1) & (x->table_size - 1)) {
    size_t other = x->table[slot] - 1, first = layer->first[other];
    if (layer->first[other + 1] - first != count ||
        memcmp(layer->branches + first, branches, count * sizeof *branches) != 0)
      continue;
    layer->branch_count -= count;
    *out_node = (uint32_t)other;
    return NULL;
  }
  x->table[slot] = (uint32_t)layer->node_count + 1;
  *out_node = (uint32_t)layer->node_count;
  return add_node(x->all, layer);
}

static hone_status exchange_node(struct exchange *x, size_t node)
{
  hone_status status = find_paths(x, node);

  if (!status) status = sort_paths(x);
  for (size_t i = 0; i < x->path_count && !status;) {
    uint32_t value = x->paths[i].lower, lower = 0;
    size_t begin = i;
    for (; i < x->path_count && x->paths[i].lower == value && !status; i++)
      status = add_branch(x->all, &x->new_lower, x->paths[i].upper, x->paths[i].end);
    if (!status) status = close_lower(x, i - begin, &lower);
    if (!status) status = add_branch(x->all, &x->new_upper, value, lower);
  }
  return status ? status : add_node(x->all, &x->new_upper);
}

static hone_status exchange_levels(struct layered *all, uint32_t level)
{
  struct exchange x = {.all = all, .upper = &all->layers[level], .lower = &all->layers[level + 1]};
  hone_status status = NULL;

  for (size_t i = 0; i < x.upper->node_count && !status; i++)
    status = exchange_node(&x, i);
  if (status) {
    layer_release(all, &x.new_upper);
    layer_release(all, &x.new_lower);
  } else {
    layer_release(all, x.upper);
    layer_release(all, x.lower);
    *x.upper = x.new_upper;
    *x.lower = x.new_lower;
  }
  hone__budget_give(&all->budget, x.path_capacity * sizeof *x.paths +
                                      x.sorted_capacity * sizeof *x.sorted +
                                      x.bucket_capacity * sizeof *x.buckets);
  free(x.paths);
  free(x.sorted);
  free(x.buckets);
  free(x.table);
  return status;
}

hone_status hone__diagram_reorder(struct hone__diagram **diagram, const uint32_t *from,
                                  const uint32_t *to, size_t memory_bytes)
{
  uint32_t depth = (*diagram)->depth, *order = hone__alloc(depth * sizeof *order);
  struct layered all = {.depth = depth, .budget = {.limit = memory_bytes}};
  hone_status status;

  all.layers = hone__alloc(depth * sizeof *all.layers);
  memcpy(order, from, depth * sizeof *order);
  status = take_apart(&all, *diagram);
  for (uint32_t place = 0; place < depth && !status; place++) {
    uint32_t at = place;
    while (at < depth && order[at] != to[place])
      at++;
    HONE__ASSERT(at < depth); /* both are orders of the same variables */
    for (; at > place && !status; at--) {
      uint32_t moved = order[at];
      status = exchange_levels(&all, at - 1);
      order[at] = order[at - 1];
      order[at - 1] = moved;
    }
  }
  if (!status) {
    struct hone__diagram *reordered = put_together(&all);
    HONE__ASSERT(reordered->count == (*diagram)->count && reordered->depth == depth);
    HONE__ASSERT_SLOW(hone__diagram_is_sound(reordered));
    hone__diagram_free(*diagram);
    *diagram = reordered;
  }
  for (uint32_t i = 0; i < depth; i++)
    layer_release(&all, &all.layers[i]);
  free(all.layers);
  free(order);
  return status;
}
