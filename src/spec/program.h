/* program.h - expressions compiled into one graph, for being asked millions of times.
 *
 * A program holds any number of expressions over the same variables as nodes of one acyclic graph:
 * equal subexpressions are one node, constants are folded, and a node's arguments come before it.
 * So one pass in order of the node numbers evaluates everything. Constraints and derived
 * values are evaluated this way, as metrics and launch sizes will be.
 *
 * Evaluation is eager: both sides of `or` are computed. A fault (a division by zero) is therefore a
 * value, which `and`, `or` and `if` pass on only where Python would have evaluated that side.
 */
#ifndef HONE_SPEC_PROGRAM_H
#define HONE_SPEC_PROGRAM_H

#include "spec/expression.h"

/* Inside programs a value may also be a fault: `integer` is the enum hone__fault. */
#define HONE__FAULT ((enum hone_type)6)
/* Or moot: it no longer matters, because all that would read it is decided. What is computed from
 * something moot is moot. */
#define HONE__MOOT ((enum hone_type)7)
static inline struct hone_value hone__fault_value(enum hone__fault fault)
{
  return (struct hone_value){.type = HONE__FAULT, .integer = fault};
}

/* Sets of types a node may have. */
enum {
  HONE__T_NONE = 1 << HONE_NONE,
  HONE__T_BOOL = 1 << HONE_BOOL,
  HONE__T_INT = 1 << HONE_INT,
  HONE__T_FLOAT = 1 << HONE_FLOAT,
  HONE__T_TEXT = 1 << HONE_TEXT,
  HONE__T_LIST = 1 << HONE_LIST,
  HONE__T_FAULT = 1 << 6,
  HONE__T_WHOLE = HONE__T_BOOL | HONE__T_INT,
  HONE__T_NUMBER = HONE__T_WHOLE | HONE__T_FLOAT,
  HONE__T_ANY = 127
};

enum hone__node_role { HONE__ROLE_CONSTANT, HONE__ROLE_VARIABLE, HONE__ROLE_OPERATOR };

struct hone__instruction {
  enum hone__node_role role;
  enum hone__operator op;
  uint8_t arity, types;
  uint32_t args[3];
  uint32_t height;         /* of the graph below it; bounded */
  uint32_t variable;       /* of a variable node */
  struct hone_value value; /* of a constant node */
};

struct hone__spec_program { /* { 0 } is empty */
  struct hone__instruction *nodes;
  uint32_t count, capacity;
  uint32_t *table; /* hash-consing: node number + 1 */
  uint32_t table_size;
  struct hone__arena arena;
};
void hone__spec_program_release(struct hone__spec_program *program);

uint32_t hone__spec_program_constant(struct hone__spec_program *program, struct hone_value value);
uint32_t hone__spec_program_variable(struct hone__spec_program *program, uint32_t variable,
                                     uint8_t types);

static inline bool hone__spec_is_constant(const struct hone__spec_program *program, uint32_t node)
{
  return program->nodes[node].role == HONE__ROLE_CONSTANT;
}

/* What an operator makes of its arguments' types; 0: it cannot work on any of them. */
uint8_t hone__operator_types(enum hone__operator op, const uint8_t *types);
/* The height that a node will have. */
uint32_t hone__spec_program_height(const struct hone__spec_program *program,
                                   const struct hone__instruction *node);
/* An equal node, or this one. */
uint32_t hone__spec_program_add(struct hone__spec_program *program,
                                const struct hone__instruction *node);

/* For rewriting: an operator of two nodes that cannot fault on them. */
uint32_t hone__spec_program_operator(struct hone__spec_program *program, enum hone__operator op,
                                     uint32_t a, uint32_t b);

/* What a name means to the expression that is compiled. */
enum hone__meaning { HONE__MEANS_NOTHING, HONE__MEANS_NODE, HONE__MEANS_ABSENT };
typedef enum hone__meaning hone__resolve(void *data, const char *name, uint32_t *out_node);

/* A defect of an expression that every configuration has. */
struct hone__defect {
  const struct hone__expr *expr;
  enum hone__fault fault;
  const char *detail; /* a whole message, or NULL */
};
struct hone__compilation {
  struct hone__spec_program *program;
  hone__resolve *resolve;
  void *data;
  struct hone__defect *defects; /* found so far; the caller frees the array */
  size_t defect_count, defect_capacity;
  size_t written_out; /* nodes of comprehensions (unroll.h) */
};
/* The node of an expression. Defects are added to the list, and compiling continues: all of them
 * are found. A name that means ABSENT faults when it is evaluated. */
uint32_t hone__compile(struct hone__compilation *compiler, const struct hone__expr *expr);

/* One node from the values of its arguments. */
struct hone_value hone__instruction_run(const struct hone__instruction *node,
                                        const struct hone_value *values);

/* values[i] of every node up to and including `last`, from variables[] */
void hone__spec_program_run(const struct hone__spec_program *program, uint32_t last,
                            const struct hone_value *variables, struct hone_value *values);

#endif
