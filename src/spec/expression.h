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

enum hone_expr_kind {
  HONE_EXPR_LITERAL,  /* value */
  HONE_EXPR_NAME,     /* name */
  HONE_EXPR_OPERATOR, /* op over args; a comparison chain is AND of its links */
  HONE_EXPR_FUNCTION, /* range, list, sum ...: function over args */
  HONE_EXPR_LIST,     /* args */
  HONE_EXPR_FOR       /* comprehension: args[0] is the element, then clauses */
};

enum hone_function {
  HONE_FUNCTION_RANGE,
  HONE_FUNCTION_LIST,
  HONE_FUNCTION_SUM,
  HONE_FUNCTION_SORTED,
  HONE_FUNCTION_MIN,
  HONE_FUNCTION_MAX,
  HONE_FUNCTION_ANY,
  HONE_FUNCTION_ALL,
  HONE_FUNCTION_STR
};

struct hone_expr {
  enum hone_expr_kind kind;
  uint32_t begin, end; /* bytes of the expression's text */
  enum hone_operator op;
  enum hone_function function;
  struct hone_value value;
  const char *name;
  size_t count;
  struct hone_expr **args;
  uint32_t size;   /* nodes below, shared ones counted each time they are reached */
  uint32_t height; /* of the tree below: walks over it recurse that deep */
  struct hone_clause {
    const char *variable; /* `for variable in expr`; NULL: `if expr` */
    struct hone_expr *expr;
  } * clauses;
  size_t clause_count;
};

struct hone_syntax_error {
  uint32_t offset;
  const char *message; /* in the arena */
  bool is_limit;       /* it may be well written, but is too long or too deep */
};

/* NULL on a syntax error, which is then described. */
struct hone_expr *hone__expression_parse(const char *text, struct hone_arena *arena,
                                         struct hone_syntax_error *out_error);

/* True if `name` is one of the language's functions (they cannot be parameters' names in calls). */
bool hone__is_function_name(const char *name);

#endif
