/* Walks over a diagram, and a diagram from sorted rows: the rows are split by their first value,
 * each part is a child, and equal children are one. */
#include "space/diagram.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>

void hone__diagram_free(struct hone__diagram *diagram)
{
  if (!diagram) return;
  free(diagram->nodes);
  free(diagram->edges);
  free(diagram->values);
  free(diagram);
}

size_t hone__diagram_bytes(const struct hone__diagram *diagram)
{
  return sizeof *diagram + diagram->node_capacity * sizeof *diagram->nodes +
         diagram->edge_capacity * sizeof *diagram->edges +
         diagram->value_capacity * sizeof *diagram->values;
}

uint32_t hone__diagram_value(const struct hone__diagram *diagram, uint32_t node, uint32_t k,
                             uint32_t *out_child)
{
  const struct hone__diagram_node *n = &diagram->nodes[node];

  HONE__ASSERT_SLOW(node < diagram->node_count && k < n->width);
  *out_child = n->child;
  if (n->fan == HONE__FAN_SPAN) return n->first + k;
  if (n->fan == HONE__FAN_SET) return diagram->values[n->first + k];
  *out_child = diagram->edges[n->first + k].child;
  return diagram->edges[n->first + k].value;
}

uint32_t hone__diagram_pick(const struct hone__diagram *diagram, uint32_t node, uint64_t *rank,
                            uint32_t *out_child)
{
  const struct hone__diagram_node *n = &diagram->nodes[node];
  uint32_t low = 0, high = n->width;

  HONE__ASSERT_SLOW(*rank < n->count);
  if (n->fan != HONE__FAN_EDGES) {
    uint64_t below = diagram->nodes[n->child].count, k = *rank / below;
    HONE__ASSERT_SLOW(below * n->width == n->count);
    *rank -= k * below;
    return hone__diagram_value(diagram, node, (uint32_t)k, out_child);
  }
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (diagram->edges[n->first + middle].before <= *rank)
      low = middle;
    else
      high = middle;
  }
  *rank -= diagram->edges[n->first + low].before;
  return hone__diagram_value(diagram, node, low, out_child);
}

/* The place of `value` among the node's sorted values, or width. */
static uint32_t find_value(const struct hone__diagram *diagram, const struct hone__diagram_node *n,
                           uint32_t value)
{
  uint32_t low = 0, high = n->width;

  if (n->fan == HONE__FAN_SPAN)
    return value >= n->first && value - n->first < n->width ? value - n->first : n->width;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    uint32_t found = n->fan == HONE__FAN_SET ? diagram->values[n->first + middle]
                                             : diagram->edges[n->first + middle].value;
    if (found == value) return middle;
    if (found < value)
      low = middle + 1;
    else
      high = middle;
  }
  return n->width;
}

bool hone__diagram_follow(const struct hone__diagram *diagram, uint32_t node, uint32_t value,
                          uint64_t *out_before, uint32_t *out_child)
{
  const struct hone__diagram_node *n = &diagram->nodes[node];
  uint32_t k = find_value(diagram, n, value);

  if (k == n->width) return false;
  if (n->fan == HONE__FAN_EDGES) {
    *out_before = diagram->edges[n->first + k].before;
    *out_child = diagram->edges[n->first + k].child;
  } else {
    *out_before = k * diagram->nodes[n->child].count;
    *out_child = n->child;
  }
  return true;
}

/* ---- Rows ---- */

hone_status hone__diagram_rows(const struct hone__diagram *diagram, uint32_t **out_rows)
{
  size_t count = diagram->count, depth = diagram->depth;
  uint32_t *rows = NULL, *path, *place, *at, level = 0;

  *out_rows = NULL;
  if (count && depth && count > SIZE_MAX / 4 / depth)
    rows = NULL;
  else
    rows = malloc((count * depth + 1) * sizeof *rows);
  if (!rows) return hone__error(HONE_EXHAUSTED, "out of memory for %zu configurations", count);
  path = hone__alloc(3 * (depth + 1) * sizeof *path);
  place = path + depth + 1;
  at = place + depth + 1;
  at[0] = diagram->root;
  for (size_t row = 0; row < count;) {
    if (level == depth) {
      memcpy(rows + row++ * depth, path, depth * sizeof *path);
      level--;
      continue;
    }
    if (place[level] == diagram->nodes[at[level]].width) {
      place[level--] = 0;
      continue;
    }
    path[level] = hone__diagram_value(diagram, at[level], place[level]++, &at[level + 1]);
    level++;
  }
  free(path);
  *out_rows = rows;
  return NULL;
}

struct row_builder {
  struct hone__diagram *diagram;
  const uint32_t *rows;
  uint32_t depth;
  uint32_t *table;
  size_t table_size, table_used;
};

static uint64_t hash_edges(const struct hone__edge *edges, uint32_t count, uint32_t level)
{
  uint64_t hash = hone__hash_add(level + 1u, count);

  for (uint32_t i = 0; i < count; i++)
    hash = hone__hash_add(hash, (uint64_t)edges[i].value << 32 | edges[i].child);
  return hone__mix(hash);
}

static bool same_edges(const struct hone__diagram *d, uint32_t node, const struct hone__edge *edges,
                       uint32_t count)
{
  const struct hone__diagram_node *n = &d->nodes[node];

  if (n->width != count) return false;
  for (uint32_t i = 0; i < count; i++)
    if (d->edges[n->first + i].value != edges[i].value ||
        d->edges[n->first + i].child != edges[i].child)
      return false;
  return true;
}

static void grow_rows_table(struct row_builder *b)
{
  uint32_t *old = b->table;
  size_t old_size = b->table_size;

  b->table_size = old_size ? 2 * old_size : 1024;
  b->table = hone__alloc(b->table_size * sizeof *b->table);
  for (size_t i = 0; i < old_size; i++) {
    const struct hone__diagram_node *n;
    size_t slot;
    if (!old[i]) continue;
    n = &b->diagram->nodes[old[i]];
    slot = hash_edges(&b->diagram->edges[n->first], n->width, n->child) & (b->table_size - 1);
    while (b->table[slot])
      slot = (slot + 1) & (b->table_size - 1);
    b->table[slot] = old[i];
  }
  free(old);
}

/* The node with these edges: an equal one, or a new one. Its level is kept in `child`. */
static uint32_t make_node(struct row_builder *b, const struct hone__edge *edges, uint32_t count,
                          uint32_t level)
{
  struct hone__diagram *d = b->diagram;
  struct hone__diagram_node node = {.width = count, .first = d->edge_count, .child = level};
  size_t slot;

  if (2 * (b->table_used + 1) > b->table_size) grow_rows_table(b);
  slot = hash_edges(edges, count, level) & (b->table_size - 1);
  for (; b->table[slot]; slot = (slot + 1) & (b->table_size - 1))
    if (d->nodes[b->table[slot]].child == level && same_edges(d, b->table[slot], edges, count))
      return b->table[slot];
  for (uint32_t i = 0; i < count; i++) {
    HONE__GROW(d->edges, d->edge_count, d->edge_capacity);
    d->edges[d->edge_count] = edges[i];
    d->edges[d->edge_count++].before = node.count;
    node.count += d->nodes[edges[i].child].count;
  }
  HONE__GROW(d->nodes, d->node_count, d->node_capacity);
  d->nodes[d->node_count] = node;
  b->table[slot] = d->node_count;
  b->table_used++;
  return d->node_count++;
}

/* The node of rows first..last-1, which agree on all levels above `level`. */
static uint32_t build_rows(struct row_builder *b, size_t first, size_t last, uint32_t level)
{
  struct hone__edge *edges = NULL;
  uint32_t count = 0, capacity = 0, node;

  HONE__ASSERT_SLOW(first < last && level <= b->depth);
  if (level == b->depth) return HONE__TERMINAL;
  while (first < last) {
    uint32_t value = b->rows[first * b->depth + level];
    size_t end = first;
    while (end < last && b->rows[end * b->depth + level] == value)
      end++;
    HONE__GROW(edges, count, capacity);
    edges[count].value = value;
    edges[count].child = build_rows(b, first, end, level + 1);
    count++;
    first = end;
  }
  node = make_node(b, edges, count, level);
  free(edges);
  return node;
}

hone_status hone__diagram_from_rows(const uint32_t *rows, size_t row_count, uint32_t depth,
                                    struct hone__diagram **out_diagram)
{
  struct hone__diagram *d = hone__alloc(sizeof *d);
  struct row_builder b = {.diagram = d, .rows = rows, .depth = depth};

  d->depth = depth;
  HONE__GROW(d->nodes, d->node_count, d->node_capacity);
  d->nodes[d->node_count++] = (struct hone__diagram_node){.count = 1};
  if (row_count) {
    d->root = build_rows(&b, 0, row_count, 0);
    d->count = d->nodes[d->root].count;
  }
  free(b.table);
  HONE__ASSERT(d->count == row_count || !depth); /* sorted, and distinct */
  HONE__ASSERT_SLOW(hone__diagram_is_sound(d));
  *out_diagram = d;
  return NULL;
}
