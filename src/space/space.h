/* space.h - inside a solved space.
 *
 * A space is its groups, one after the other. A group is the product of independent parts, each a
 * diagram. Nothing of the product is ever expanded: an index is taken apart parameter by parameter.
 */
#ifndef HONE_SPACE_SPACE_H
#define HONE_SPACE_SPACE_H

#include "base/bignum.h"
#include "space/device.h"
#include "space/solve.h"
#include "spec/spec.h"

enum { HONE__NO_NODE = -1 };

/* What the expressions of one build mean: the problem's sizes and the device. */
struct hone__setup {
  const struct hone_spec *spec;
  const struct hone_space_options *options;
  struct hone__problem sizes;
  struct hone__given_device device; /* given by --device */
  const bool *skip;                 /* by constraint: left out; or NULL */
  struct hone__arena *arena;        /* of the space */
  struct hone__solve_limits limits;
  size_t work; /* of evaluating domains */
};
hone_status hone__setup_init(struct hone__setup *setup, const struct hone_spec *spec,
                             const struct hone_space_options *options, struct hone__arena *arena);
/* The value of a size or of device.x. */
bool hone__setup_lookup(void *setup, const char *name, struct hone_value *out_value);

struct hone__part { /* parameters that depend on each other */
  uint32_t count;
  uint32_t *params; /* of the diagram's levels */
  struct hone__diagram *diagram;
};

struct hone__recipe { /* which nodes of a program some others need, themselves included */
  uint32_t *nodes;    /* rising */
  size_t count;
};

struct hone__solved_text {
  const struct hone__template *template; /* NULL: the group does not have it */
  uint32_t *roots;                       /* by piece: the node of its expression */
  struct hone__recipe recipe;
};

struct hone__solved_group {
  const struct hone__spec_group *group;
  size_t count; /* parameters */
  struct hone__domain *domains;
  struct hone__spec_program program;
  int64_t *constraints;            /* by constraint of the spec: its node, or HONE__NO_NODE */
  uint32_t *derived;               /* nodes */
  struct hone__solved_text *texts; /* by name; NULL in a group of nothing */
  uint32_t *orders;                /* nodes: keys of the order */
  size_t order_count;
  struct hone__recipe order_recipe;
  struct hone__part *parts;
  size_t part_count;
  uint64_t legal;  /* saturated */
  uint64_t offset; /* of its first configuration in the space, saturated */
  bool mesh_order;
  /* The order in which an index is taken apart: parameters with more than one value. */
  struct hone__stop {
    uint32_t param, part;
    int32_t before; /* the stop of the part's level above, or -1 */
  } * route;
  size_t route_length;
  uint64_t *excluded; /* --unique: local indices that an earlier group has; sorted */
  size_t excluded_count;
};

/* Evaluates the domains, compiles, finds the parts and solves them. */
hone_status hone__group_solve(struct hone__setup *setup, const struct hone__spec_group *group,
                              struct hone__solved_group *solved);
void hone__group_release(struct hone__solved_group *solved);

/* Local, before exclusion. */
void hone__group_at(const struct hone__solved_group *group, uint64_t index, uint32_t *values);
bool hone__group_index_of(const struct hone__solved_group *group, const uint32_t *values,
                          uint64_t *out_index);
bool hone__group_contains(const struct hone__solved_group *group, const uint32_t *values);

/* values[node] of the recipe's nodes for a configuration; `values` has room for the program's. */
void hone__recipe_run(const struct hone__solved_group *group, const struct hone__recipe *recipe,
                      const uint32_t *indices, struct hone_value *values);

struct hone_space {
  const struct hone_spec *spec;
  struct hone_space_options options;
  char *sizes_text, *device_text; /* copies of the options' strings */
  const char *shape;              /* "M=1 N=3" of the one shape that was requested; or NULL */
  struct hone__arena arena;
  struct hone__setup setup;
  struct hone__solved_group *groups;
  size_t group_count;
  size_t width;
  /* Of the `whole` legal configurations those from `first` on, `legal` of them: a part, or all. */
  uint64_t whole, first, legal;
  char *legal_text, *cartesian_text;
  double legal_real, cartesian_real; /* of the whole */
  double build_seconds;
};

/* Of the whole, whatever the part: is it legal, and the i-th in mesh order. */
bool hone__space_is_legal(const struct hone_space *space, const uint32_t *row);
bool hone__space_whole_at(const struct hone_space *space, uint64_t index, uint32_t *row);

/* How much solving may be tried; { 0 } bounds nothing. */
struct hone__space_effort {
  uint64_t steps_each; /* of a component; 0: what the memory limit stands for */
  uint64_t steps_used; /* so far */
};
/* As hone_space_build, without the constraints marked in `skip` (may be NULL). */
hone_status hone__space_build(const struct hone_spec *spec,
                              const struct hone_space_options *options, const bool *skip,
                              struct hone__space_effort *effort, struct hone_space **out_space);

/* order.c: in which order a component's variables are bound, and the diagram from it. */
hone_status hone__order_solve(const struct hone__component *component, const uint32_t *params,
                              uint32_t count, enum hone_solver solver,
                              const struct hone__solve_limits *limits,
                              struct hone__solve_fault *out_fault, struct hone__part *out_part);

#endif
