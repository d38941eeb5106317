/* evaluate.h - the value of an expression tree, for domains and settings.
 *
 * This is the general evaluator: lists, ranges and comprehensions included. Constraints and derived
 * values, which are asked millions of times, are compiled instead (spec/program.h).
 */
#ifndef HONE_SPEC_EVALUATE_H
#define HONE_SPEC_EVALUATE_H

#include "spec/expression.h"

/* Gives the value of a name, or says false. */
typedef bool hone__lookup(void *data, const char *name, struct hone_value *out_value);

struct hone__evaluator {
  struct hone__arena *arena; /* for lists and texts that are made */
  hone__lookup *lookup;      /* NULL: no names */
  void *data;
  /* where and why it failed */
  enum hone__fault fault;
  const struct hone__expr *culprit;
  size_t *work; /* what was done so far, shared by the evaluations of one spec; NULL: by itself */
  /* private */
  struct hone__binding *bindings;
  size_t own_work;
};

/* False on a fault, which is then described. */
bool hone__evaluate(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                    struct hone_value *out_value);

/* What a person typed: the value of the text as an expression without names, or else the text. */
struct hone_value hone__evaluate_word(struct hone__arena *arena, const char *text);

/* A range's bounds, without making its list; false if `expr` is not a range or faults. */
struct hone__range {
  int64_t start, step;
  uint64_t count;
};
bool hone__evaluate_range(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                          struct hone__range *out_range);

/* "division by zero in 'M % 0'": for messages. */
char *hone__fault_message(const struct hone__evaluator *evaluator, const char *text,
                          struct hone__arena *arena);

enum { HONE__LONGEST_LIST = 1 << 22 };

#endif
