/* From the last level to the first: a state's node is made of its values' nodes. Equal nodes are
 * one, so that the diagram is as small as its order allows. */
#include "space/layers.h"
#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>

struct builder {
  struct hone__budget *budget;
  struct hone__diagram *diagram;
  uint32_t *below, *here; /* by state of a layer: its diagram node, or HONE__NOWHERE */
  uint32_t *table;        /* nodes of this level, for merging */
  size_t table_size;
};

static hone_status too_many(void)
{
  return hone__error(HONE_EXHAUSTED, "one component has more than 2^64 legal configurations");
}

/* Live edges are appended to the diagram; a node without any is dead. */
static hone_status build_edges(struct builder *b, const struct hone__layer *layer,
                               const struct hone__forward_node *from,
                               struct hone__diagram_node *node)
{
  struct hone__diagram *d = b->diagram;
  hone_status status =
      hone__budget_reserve32(b->budget, &d->edges, &d->edge_capacity,
                             (size_t)d->edge_count + from->count, sizeof *d->edges);

  if (status) return status;
  node->fan = HONE__FAN_EDGES;
  node->first = d->edge_count;
  for (uint32_t i = 0; i < from->count; i++) {
    struct hone__forward_edge edge = layer->edges[from->first + i];
    uint32_t child = b->below[edge.child];
    if (child == HONE__NOWHERE) continue;
    HONE__ASSERT_SLOW(child < d->node_count);
    HONE__ASSERT_SLOW(d->edge_count == node->first ||
                      d->edges[d->edge_count - 1].value < edge.value); /* they rise */
    d->edges[d->edge_count++] =
        (struct hone__edge){.before = node->count, .value = edge.value, .child = child};
    if (__builtin_add_overflow(node->count, d->nodes[child].count, &node->count)) return too_many();
  }
  node->width = d->edge_count - node->first;
  return NULL;
}

static hone_status build_set(struct builder *b, const struct hone__layer *layer,
                             const struct hone__forward_node *from, uint32_t values_at,
                             struct hone__diagram_node *node)
{
  uint32_t child = from->child == HONE__NOWHERE ? HONE__NOWHERE : b->below[from->child];
  const uint32_t *values = layer->values;

  if (child == HONE__NOWHERE || from->count == 0) return NULL;
  node->child = child;
  node->width = from->count;
  if (from->is_span) {
    node->fan = HONE__FAN_SPAN;
    node->first = from->first;
  } else {
    uint32_t low = values[from->first], high = values[from->first + from->count - 1];
    node->fan = high - low == from->count - 1 ? HONE__FAN_SPAN : HONE__FAN_SET;
    node->first = node->fan == HONE__FAN_SPAN ? low : values_at + from->first;
  }
  if (__builtin_mul_overflow(b->diagram->nodes[child].count, (uint64_t)from->count, &node->count))
    return too_many();
  return NULL;
}

static uint64_t hash_node(const struct hone__diagram *d, const struct hone__diagram_node *node)
{
  uint64_t hash = hone__hash_add((uint64_t)node->fan, node->width);

  if (node->fan == HONE__FAN_SPAN) hash = hone__hash_add(hash, node->first);
  if (node->fan != HONE__FAN_EDGES) return hone__mix(hone__hash_add(hash, node->child));
  for (uint32_t i = 0; i < node->width; i++) {
    const struct hone__edge *edge = &d->edges[node->first + i];
    hash = hone__hash_add(hash, (uint64_t)edge->value << 32 | edge->child);
  }
  return hone__mix(hash);
}

static bool same_node(const struct hone__diagram *d, const struct hone__diagram_node *a,
                      const struct hone__diagram_node *b)
{
  if (a->fan != b->fan || a->width != b->width) return false;
  if (a->fan != HONE__FAN_EDGES && a->child != b->child) return false;
  if (a->fan == HONE__FAN_SPAN) return a->first == b->first;
  if (a->fan == HONE__FAN_SET)
    return memcmp(d->values + a->first, d->values + b->first, a->width * sizeof *d->values) == 0;
  for (uint32_t i = 0; i < a->width; i++) {
    const struct hone__edge *x = &d->edges[a->first + i], *y = &d->edges[b->first + i];
    if (x->value != y->value || x->child != y->child) return false;
  }
  return true;
}

/* An equal node of this level, or the new one; the edges of a duplicate are taken back. */
static hone_status merge_node(struct builder *b, const struct hone__diagram_node *node,
                              uint32_t *out_node)
{
  struct hone__diagram *d = b->diagram;
  size_t slot = hash_node(d, node) & (b->table_size - 1);
  hone_status status;

  HONE__ASSERT_SLOW(node->width > 0 && node->count > 0); /* no dead end */
  for (; b->table[slot]; slot = (slot + 1) & (b->table_size - 1)) {
    if (same_node(d, &d->nodes[b->table[slot]], node)) {
      if (node->fan == HONE__FAN_EDGES) d->edge_count = node->first;
      *out_node = b->table[slot];
      return NULL;
    }
  }
  status = hone__budget_reserve32(b->budget, &d->nodes, &d->node_capacity,
                                  (size_t)d->node_count + 1, sizeof *d->nodes);
  if (status) return status;
  d->nodes[d->node_count] = *node;
  b->table[slot] = d->node_count;
  *out_node = d->node_count++;
  return NULL;
}

static hone_status build_level(struct builder *b, struct hone__layer *layer)
{
  struct hone__diagram *d = b->diagram;
  uint32_t values_at = d->value_count;
  hone_status status = NULL;

  b->table_size = 64;
  while (b->table_size < 2 * layer->count)
    b->table_size *= 2;
  free(b->table);
  b->table = hone__alloc(b->table_size * sizeof *b->table);
  b->here = hone__alloc((layer->count + 1) * sizeof *b->here);
  if (!layer->edge_count) {
    status = hone__budget_reserve32(b->budget, &d->values, &d->value_capacity,
                                    values_at + layer->value_count, sizeof *d->values);
    if (status) return status;
    if (layer->value_count)
      memcpy(d->values + values_at, layer->values, layer->value_count * sizeof *d->values);
    d->value_count += (uint32_t)layer->value_count;
  }
  for (size_t i = 0; i < layer->count && !status; i++) {
    struct hone__diagram_node node = {0};
    const struct hone__forward_node *from = &layer->nodes[i];
    status = from->child == HONE__NOWHERE && layer->edge_count
                 ? build_edges(b, layer, from, &node)
                 : build_set(b, layer, from, values_at, &node);
    b->here[i] = HONE__NOWHERE;
    if (!status && node.count) status = merge_node(b, &node, &b->here[i]);
  }
  free(b->below);
  b->below = b->here;
  b->here = NULL;
  return status;
}

void hone__layer_release(struct hone__layer *layer, struct hone__budget *budget)
{
  hone__budget_give(budget, layer->count * sizeof *layer->nodes +
                                layer->edge_capacity * sizeof *layer->edges +
                                layer->value_capacity * sizeof *layer->values);
  free(layer->nodes);
  free(layer->edges);
  free(layer->values);
  *layer = (struct hone__layer){0};
}

hone_status hone__assemble(struct hone__layer *layers, uint32_t depth, size_t final_states,
                           struct hone__budget *budget, struct hone__diagram *diagram)
{
  struct builder b = {.budget = budget, .diagram = diagram};
  hone_status status = hone__budget_reserve32(budget, &diagram->nodes, &diagram->node_capacity, 1,
                                              sizeof *diagram->nodes);

  if (status) return status;
  HONE__ASSERT(!depth || layers[0].count == 1); /* one state to begin with */
  diagram->nodes[HONE__TERMINAL] = (struct hone__diagram_node){.count = 1};
  diagram->node_count = 1;
  b.below = hone__alloc((final_states + 1) * sizeof *b.below); /* all HONE__TERMINAL */
  for (uint32_t i = depth; i-- > 0 && !status;) {
    status = build_level(&b, &layers[i]);
    hone__layer_release(&layers[i], budget);
  }
  if (!status && b.below[0] != HONE__NOWHERE && depth) {
    diagram->root = b.below[0];
    diagram->count = diagram->nodes[diagram->root].count;
  }
  free(b.below);
  free(b.here);
  free(b.table);
  return status;
}
