/* smt_expression.h - terms of a compiler's constraints: integers and truth values over variables.
 *
 * Terms are made bottom up by hone__smt_term, which simplifies what it can: constants, factors of
 * one, lookups that do not depend on their index. They live in an arena, are shared, never change.
 */
#ifndef HONE_IREE_CONSTRAINTS_SMT_EXPRESSION_H
#define HONE_IREE_CONSTRAINTS_SMT_EXPRESSION_H

#include "base/text.h"

#include <stdint.h>

enum hone_smt_kind {
  HONE_SMT_CONSTANT, /* value; truth is 0 or 1 */
  HONE_SMT_VARIABLE, /* value: its number */
  HONE_SMT_ADD,
  HONE_SMT_SUB,
  HONE_SMT_MUL,
  HONE_SMT_DIV, /* the floor of the quotient */
  HONE_SMT_MOD,
  HONE_SMT_NEG,
  HONE_SMT_ABS,
  HONE_SMT_EQ,
  HONE_SMT_LT,
  HONE_SMT_LE,
  HONE_SMT_GT,
  HONE_SMT_GE,
  HONE_SMT_AND,
  HONE_SMT_OR,
  HONE_SMT_NOT,
  HONE_SMT_IMPLIES,
  HONE_SMT_DISTINCT,
  HONE_SMT_CHOICE, /* if args[0] then args[1] else args[2] */
  HONE_SMT_LOOKUP  /* values[i] where args[0] is keys[i] */
};

#define HONE_SMT_MAX_VARIABLES 64

struct hone_smt_term {
  enum hone_smt_kind kind;
  int64_t value;
  const struct hone_smt_term **args;
  const int64_t *keys, *values; /* of a lookup */
  size_t count;                 /* of args; of keys */
  uint64_t variables;           /* which it uses, a bit each */
  double size;                  /* roughly its characters when printed: shared parts count again */
};

/* Copies `args`. Arguments must suit the kind. NULL: a constant would overflow or divide by 0. */
const struct hone_smt_term *hone__smt_term(struct hone_arena *arena, enum hone_smt_kind kind,
                                           const struct hone_smt_term *const *args, size_t count);
const struct hone_smt_term *hone__smt_constant(struct hone_arena *arena, int64_t value);
const struct hone_smt_term *hone__smt_variable(struct hone_arena *arena, unsigned number);
/* Copies both lists. NULL: the index is a constant that is no key. */
const struct hone_smt_term *hone__smt_lookup(struct hone_arena *arena,
                                             const struct hone_smt_term *index, const int64_t *keys,
                                             const int64_t *values, size_t count);

/* With the variable replaced by `by`; shared terms are done again: mind their size. */
const struct hone_smt_term *hone__smt_replace(struct hone_arena *arena,
                                              const struct hone_smt_term *term, unsigned variable,
                                              const struct hone_smt_term *by);

/* For these values of the variables; false: it has none (division by 0, overflow, no such key). */
bool hone__smt_evaluate(const struct hone_smt_term *term, const int64_t *variables,
                        int64_t *out_value);

/* In the language of specs; `names` are those of the variables. */
void hone__smt_print(const struct hone_smt_term *term, const char *const *names,
                     struct hone_text *text);

#endif
