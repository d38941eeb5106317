/* Whether a diagram is what diagram.h promises: for assertions and tests. */
#include "space/diagram.h"

/* Every value above the one before it, every child a node that has solutions; *out_count: the sum
 * of theirs, which the edges' `before` add up to. */
static bool fan_is_sound(const struct hone__diagram *diagram, uint32_t node, uint64_t *out_count)
{
  const struct hone__diagram_node *n = &diagram->nodes[node];
  uint32_t value, last = 0, child;
  uint64_t count = 0;

  for (uint32_t k = 0; k < n->width; k++) {
    value = hone__diagram_value(diagram, node, k, &child);
    if ((k && value <= last) || child >= diagram->node_count || !diagram->nodes[child].count)
      return false;
    if (n->fan == HONE__FAN_EDGES && diagram->edges[n->first + k].before != count) return false;
    if (__builtin_add_overflow(count, diagram->nodes[child].count, &count)) return false;
    last = value;
  }
  *out_count = count;
  return true;
}

/* What it refers to is there. */
static bool fan_is_within(const struct hone__diagram *diagram, const struct hone__diagram_node *n)
{
  uint64_t end = (uint64_t)n->first + n->width;

  if (n->fan == HONE__FAN_EDGES) return end <= diagram->edge_count;
  return n->fan == HONE__FAN_SPAN ? end <= UINT32_MAX : end <= diagram->value_count;
}

bool hone__diagram_is_sound(const struct hone__diagram *diagram)
{
  uint64_t count;

  if (!diagram->count) return true;
  if (diagram->root >= diagram->node_count || diagram->nodes[HONE__TERMINAL].count != 1)
    return false;
  for (uint32_t i = HONE__TERMINAL + 1; i < diagram->node_count; i++) {
    const struct hone__diagram_node *n = &diagram->nodes[i];
    if (!n->width || !fan_is_within(diagram, n) || !fan_is_sound(diagram, i, &count) ||
        count != n->count)
      return false;
  }
  return diagram->nodes[diagram->root].count == diagram->count;
}
