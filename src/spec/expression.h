/* expression.h - the text of an expression as a tree.
 *
 * The language is the part of Python's that constraints, domains and metrics need: literals, names
 * (also `device.x`, and kbench's `$x`, which is x), arithmetic, comparisons in chains, and/or/not,
 * in, `a if c else b`, lists, ranges, comprehensions, indexing and a fixed set of functions.
 * Nothing is ever handed to an interpreter.
 */
#ifndef HONE_SPEC_EXPRESSION_H
#define HONE_SPEC_EXPRESSION_H

#include "base/memory.h"
#include "spec/operators.h"

enum hone__expr_kind {
  HONE__EXPR_LITERAL,  /* value */
  HONE__EXPR_NAME,     /* name */
  HONE__EXPR_OPERATOR, /* op over args; a comparison chain is AND of its links */
  HONE__EXPR_FUNCTION, /* range, list, sum ...: function over args */
  HONE__EXPR_LIST,     /* args */
  HONE__EXPR_FOR       /* comprehension: args[0] is the element, then clauses */
};

enum hone__expression_function {
  HONE__FUNCTION_RANGE,
  HONE__FUNCTION_LIST,
  HONE__FUNCTION_SUM,
  HONE__FUNCTION_SORTED,
  HONE__FUNCTION_MIN,
  HONE__FUNCTION_MAX,
  HONE__FUNCTION_ANY,
  HONE__FUNCTION_ALL,
  HONE__FUNCTION_STR
};

struct hone__expr {
  enum hone__expr_kind kind;
  uint32_t begin, end; /* bytes of the expression's text */
  enum hone__operator op;
  enum hone__expression_function function;
  struct hone_value value;
  const char *name;
  size_t count;
  struct hone__expr **args;
  uint32_t size;   /* nodes below, shared ones counted each time they are reached */
  uint32_t height; /* of the tree below: walks over it recurse that deep */
  struct hone__clause {
    const char *variable; /* `for variable in expr`; NULL: `if expr` */
    struct hone__expr *expr;
  } * clauses;
  size_t clause_count;
};

struct hone__syntax_error {
  uint32_t offset;
  const char *message; /* in the arena */
  bool is_limit;       /* it may be well written, but is too long or too deep */
};

/* NULL on a syntax error, which is then described. */
struct hone__expr *hone__expression_parse(const char *text, struct hone__arena *arena,
                                          struct hone__syntax_error *out_error);

/* True if `name` is one of the language's functions (they cannot be parameters' names in calls). */
bool hone__spec_is_function_name(const char *name);

#endif
