/* smt_expression.h - terms of a compiler's constraints: integers and truth values over variables.
 *
 * Terms are made bottom up by hone__smt_term, which simplifies what it can: constants, factors of
 * one, lookups that do not depend on their index. They live in an arena, are shared, never change.
 */
#ifndef HONE_IREE_CONSTRAINTS_SMT_EXPRESSION_H
#define HONE_IREE_CONSTRAINTS_SMT_EXPRESSION_H

#include "base/text.h"

#include <stdint.h>

enum hone__smt_kind {
  HONE__SMT_CONSTANT, /* value; truth is 0 or 1 */
  HONE__SMT_VARIABLE, /* value: its number */
  HONE__SMT_ADD,
  HONE__SMT_SUB,
  HONE__SMT_MUL,
  HONE__SMT_DIV, /* the floor of the quotient */
  HONE__SMT_MOD,
  HONE__SMT_NEG,
  HONE__SMT_ABS,
  HONE__SMT_EQ,
  HONE__SMT_LT,
  HONE__SMT_LE,
  HONE__SMT_GT,
  HONE__SMT_GE,
  HONE__SMT_AND,
  HONE__SMT_OR,
  HONE__SMT_NOT,
  HONE__SMT_IMPLIES,
  HONE__SMT_DISTINCT,
  HONE__SMT_CHOICE, /* if args[0] then args[1] else args[2] */
  HONE__SMT_LOOKUP  /* values[i] where args[0] is keys[i] */
};

#define HONE__SMT_MAX_VARIABLES 64

struct hone__smt_term {
  enum hone__smt_kind kind;
  int64_t value;
  const struct hone__smt_term **args;
  const int64_t *keys, *values; /* of a lookup */
  size_t count;                 /* of args; of keys */
  uint64_t variables;           /* which it uses, a bit each */
  double size;                  /* roughly its characters when printed: shared parts count again */
};

/* Copies `args`. Arguments must suit the kind. NULL: a constant would overflow or divide by 0. */
const struct hone__smt_term *hone__smt_term(struct hone__arena *arena, enum hone__smt_kind kind,
                                            const struct hone__smt_term *const *args, size_t count);
const struct hone__smt_term *hone__smt_constant(struct hone__arena *arena, int64_t value);
const struct hone__smt_term *hone__smt_variable(struct hone__arena *arena, unsigned number);
/* Copies both lists. NULL: the index is a constant that is not a key. */
const struct hone__smt_term *hone__smt_lookup(struct hone__arena *arena,
                                              const struct hone__smt_term *index,
                                              const int64_t *keys, const int64_t *values,
                                              size_t count);

/* With the variable replaced by `by`; shared terms are expanded, so the size may grow. */
const struct hone__smt_term *hone__smt_replace(struct hone__arena *arena,
                                               const struct hone__smt_term *term, unsigned variable,
                                               const struct hone__smt_term *by);

/* The value for these variables; false: it has none (division by 0, overflow, no such key). */
bool hone__smt_evaluate(const struct hone__smt_term *term, const int64_t *variables,
                        int64_t *out_value);

/* In the language of specs; `names` are those of the variables. */
void hone__smt_print(const struct hone__smt_term *term, const char *const *names,
                     struct hone__text *text);

#endif
