/* operators.h - the operators of the expression language, on values, with Python's meaning.
 *
 * One table names them all; the parser, the evaluator, the space's compiled programs and Z3 use it.
 * Applying one never fails in another way than by a fault, and a fault is data: a constraint may
 * divide by zero for a configuration that another constraint forbids.
 */
#ifndef HONE_SPEC_OPERATORS_H
#define HONE_SPEC_OPERATORS_H

#include "spec/value.h"

/* id, arity, how it is written */
#define HONE__OPERATORS(X)                                                                         \
  X(NEG, 1, "-")                                                                                   \
  X(POS, 1, "+")                                                                                   \
  X(INV, 1, "~")                                                                                   \
  X(NOT, 1, "not ")                                                                                \
  X(ADD, 2, "+")                                                                                   \
  X(SUB, 2, "-")                                                                                   \
  X(MUL, 2, "*")                                                                                   \
  X(DIV, 2, "/")                                                                                   \
  X(FLOORDIV, 2, "//")                                                                             \
  X(MOD, 2, "%")                                                                                   \
  X(POW, 2, "**")                                                                                  \
  X(BITAND, 2, "&")                                                                                \
  X(BITOR, 2, "|")                                                                                 \
  X(BITXOR, 2, "^")                                                                                \
  X(SHL, 2, "<<")                                                                                  \
  X(SHR, 2, ">>")                                                                                  \
  X(EQ, 2, "==")                                                                                   \
  X(NE, 2, "!=")                                                                                   \
  X(LT, 2, "<")                                                                                    \
  X(LE, 2, "<=")                                                                                   \
  X(GT, 2, ">")                                                                                    \
  X(GE, 2, ">=")                                                                                   \
  X(IN, 2, "in")                                                                                   \
  X(NOT_IN, 2, "not in")                                                                           \
  X(AND, 2, "and")                                                                                 \
  X(OR, 2, "or")                                                                                   \
  X(IF, 3, "if")                                                                                   \
  X(MIN, 2, "min")                                                                                 \
  X(MAX, 2, "max")                                                                                 \
  X(GCD, 2, "gcd")                                                                                 \
  X(DIVIDES, 2, "divides")                                                                         \
  X(ABS, 1, "abs")                                                                                 \
  X(LEN, 1, "len")                                                                                 \
  X(CEIL, 1, "ceil")                                                                               \
  X(FLOOR, 1, "floor")                                                                             \
  X(ROUND, 1, "round")                                                                             \
  X(LOG2, 1, "log2")                                                                               \
  X(POW2, 1, "pow2")                                                                               \
  X(INT, 1, "int")                                                                                 \
  X(FLOAT, 1, "float")                                                                             \
  X(BOOL, 1, "bool")                                                                               \
  X(STARTSWITH, 2, "startswith")                                                                   \
  X(ENDSWITH, 2, "endswith")                                                                       \
  X(INDEX, 2, "[]")

enum hone__operator {
#define HONE__OPERATOR_ENUM(id, arity, text) HONE__OP_##id,
  HONE__OPERATORS(HONE__OPERATOR_ENUM)
#undef HONE__OPERATOR_ENUM
};

#define HONE__FAULTS(X)                                                                            \
  X(NONE, "no fault")                                                                              \
  X(ZERO, "division by zero")                                                                      \
  X(OVERFLOW, "integer overflow")                                                                  \
  X(TYPE, "type error")                                                                            \
  X(DOMAIN, "value out of the function's domain")                                                  \
  X(NAME, "unknown name")                                                                          \
  X(LENGTH, "list or text too long")

enum hone__fault {
#define HONE__FAULT_ENUM(id, text) HONE__FAULT_##id,
  HONE__FAULTS(HONE__FAULT_ENUM)
#undef HONE__FAULT_ENUM
};

int hone__operator_arity(enum hone__operator op);
const char *hone__operator_text(enum hone__operator op);
const char *hone__fault_text(enum hone__fault fault);

/* AND, OR and IF are not here: they choose, they do not compute. */
enum hone__fault hone__apply1(enum hone__operator op, struct hone_value a,
                              struct hone_value *out_value);
enum hone__fault hone__apply2(enum hone__operator op, struct hone_value a, struct hone_value b,
                              struct hone_value *out_value);

#endif
