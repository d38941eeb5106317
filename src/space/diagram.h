/* diagram.h - the solutions of one component, as a decision diagram.
 *
 * Level by level one variable is given a value; equal rests are shared. A node knows how many
 * solutions lie below it, so counting, the i-th solution, the index of a solution and membership
 * are walks from the root: no solution is ever stored by itself. Solutions are in the order of the
 * value indices, the last level fastest.
 */
#ifndef HONE_SPACE_DIAGRAM_H
#define HONE_SPACE_DIAGRAM_H

#include "base/status.h"

#include <stdint.h>

enum { HONE__TERMINAL = 0 }; /* the node below the last level: one solution */

enum hone__fan {
  HONE__FAN_EDGES, /* edges[first..]: each value has its own child */
  HONE__FAN_SET,   /* values[first..]: all lead to `child` */
  HONE__FAN_SPAN   /* the values first, first + 1 ...: all lead to `child` */
};

struct hone__diagram_node {
  uint64_t count; /* solutions below */
  uint32_t first, width, child;
  enum hone__fan fan;
};

struct hone__edge {
  uint64_t before; /* solutions of the node's earlier values */
  uint32_t value, child;
};

struct hone__diagram {
  uint32_t depth; /* number of levels */
  uint32_t root;  /* HONE__TERMINAL with count 0 levels */
  uint64_t count; /* all solutions; 0: none, then there are no nodes */
  struct hone__diagram_node *nodes;
  uint32_t node_count, node_capacity;
  struct hone__edge *edges;
  uint32_t edge_count, edge_capacity;
  uint32_t *values;
  uint32_t value_count, value_capacity;
};

void hone__diagram_free(struct hone__diagram *diagram);
size_t hone__diagram_bytes(const struct hone__diagram *diagram);

/* The value that holds the `*rank`-th of the node's solutions; *rank becomes the rank below it. */
uint32_t hone__diagram_pick(const struct hone__diagram *diagram, uint32_t node, uint64_t *rank,
                            uint32_t *out_child);
/* Where `value` leads; false if nowhere. *out_before: solutions of the node's earlier values. */
bool hone__diagram_follow(const struct hone__diagram *diagram, uint32_t node, uint32_t value,
                          uint64_t *out_before, uint32_t *out_child);
/* The k-th value of a node, k < width. */
uint32_t hone__diagram_value(const struct hone__diagram *diagram, uint32_t node, uint32_t k,
                             uint32_t *out_child);

/* No dead ends, rising values, exact counts. It looks at every edge. */
bool hone__diagram_is_sound(const struct hone__diagram *diagram);

/* Row by row: rows of `depth` value indices that are sorted and distinct become the diagram. */
hone_status hone__diagram_from_rows(const uint32_t *rows, size_t row_count, uint32_t depth,
                                    struct hone__diagram **out_diagram);
/* All solutions, in order, `depth` value indices each; the caller frees them. */
hone_status hone__diagram_rows(const struct hone__diagram *diagram, uint32_t **out_rows);

#endif
