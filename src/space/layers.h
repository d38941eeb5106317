/* layers.h - what the forward run of the solver leaves behind: per level, where each state's values
 * lead. assemble.c makes the diagram of it. */
#ifndef HONE_SPACE_LAYERS_H
#define HONE_SPACE_LAYERS_H

#include "base/budget.h"
#include "space/diagram.h"

#define HONE__NOWHERE UINT32_MAX

struct hone__forward_node {
  uint32_t first, count; /* edges; or a shared set of values, or a span, all leading to child */
  uint32_t child;        /* HONE__NOWHERE: edges */
  bool is_span;
};

struct hone__forward_edge {
  uint32_t value, child; /* a state of the next level */
};

struct hone__layer {
  struct hone__forward_node *nodes; /* by state */
  size_t count;
  struct hone__forward_edge *edges;
  size_t edge_count, edge_capacity;
  uint32_t *values; /* sets of values, shared by nodes */
  size_t value_count, value_capacity;
};

void hone__layer_release(struct hone__layer *layer, struct hone__budget *budget);

/* Counts solutions, drops dead ends, merges equal nodes. Layers are released on the way.
 * `final_states` is the number of states below the last level, all of which are solutions. */
hone_status hone__assemble(struct hone__layer *layers, uint32_t depth, size_t final_states,
                           struct hone__budget *budget, struct hone__diagram *diagram);

#endif
