/* smt_expression.c - terms are simplified where they are made: if all arguments are constants the
 * value is computed, by the same function that evaluates a term for given values.
 *
 * SMT-LIB rounds quotients so that the remainder is not negative; for divisors above 0, and a
 * compiler divides by nothing else, that is the floor, as in specs. */
#include "iree/constraints/smt_expression.h"

#include "base/status.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- Arithmetic ---- */

static bool divide(int64_t a, int64_t b, int64_t *out_quotient, int64_t *out_remainder)
{
  if (b == 0 || (a == INT64_MIN && b == -1)) return false;
  *out_quotient = a / b;
  *out_remainder = a % b;
  if (*out_remainder && (*out_remainder < 0) != (b < 0)) {
    *out_quotient -= 1;
    *out_remainder += b;
  }
  return true;
}

static bool fold_two(enum hone__smt_kind kind, int64_t a, int64_t b, int64_t *out)
{
  int64_t other;

  switch (kind) {
  case HONE__SMT_ADD: return !__builtin_add_overflow(a, b, out);
  case HONE__SMT_SUB: return !__builtin_sub_overflow(a, b, out);
  case HONE__SMT_MUL: return !__builtin_mul_overflow(a, b, out);
  case HONE__SMT_DIV: return divide(a, b, out, &other);
  case HONE__SMT_MOD: return divide(a, b, &other, out);
  case HONE__SMT_EQ: *out = a == b; return true;
  case HONE__SMT_DISTINCT: *out = a != b; return true;
  case HONE__SMT_LT: *out = a < b; return true;
  case HONE__SMT_LE: *out = a <= b; return true;
  case HONE__SMT_GT: *out = a > b; return true;
  case HONE__SMT_GE: *out = a >= b; return true;
  case HONE__SMT_AND: *out = a && b; return true;
  case HONE__SMT_OR: *out = a || b; return true;
  case HONE__SMT_IMPLIES: *out = !a || b; return true;
  default: HONE__BUG("no operator of two terms");
  }
}

static bool fold_one(enum hone__smt_kind kind, int64_t a, int64_t *out)
{
  if (kind == HONE__SMT_NOT) {
    *out = !a;
    return true;
  }
  if (kind == HONE__SMT_ABS && a >= 0) {
    *out = a;
    return true;
  }
  if (kind == HONE__SMT_NEG || kind == HONE__SMT_ABS) return !__builtin_sub_overflow(0, a, out);
  *out = a; /* a sum or product of one */
  return true;
}

static bool look_up(const struct hone__smt_term *term, int64_t index, int64_t *out)
{
  for (size_t i = 0; i < term->count; i++)
    if (term->keys[i] == index) {
      *out = term->values[i];
      return true;
    }
  return false;
}

/* The first that decides ends it, so that what it guards may be undefined. */
static bool evaluate_logic(const struct hone__smt_term *term, const int64_t *variables,
                           int64_t *out)
{
  const bool decides = term->kind == HONE__SMT_OR;

  *out = !decides;
  for (size_t i = 0; i < term->count; i++) {
    if (!hone__smt_evaluate(term->args[i], variables, out)) return false;
    *out = *out != 0;
    if (*out == decides) return true;
  }
  return true;
}

static bool evaluate_chain(const struct hone__smt_term *term, const int64_t *variables,
                           int64_t *out)
{
  int64_t next;

  if (!hone__smt_evaluate(term->args[0], variables, out)) return false;
  if (term->count == 1) return fold_one(term->kind, *out, out);
  for (size_t i = 1; i < term->count; i++)
    if (!hone__smt_evaluate(term->args[i], variables, &next) ||
        !fold_two(term->kind, *out, next, out))
      return false;
  return true;
}

bool hone__smt_evaluate(const struct hone__smt_term *term, const int64_t *variables, int64_t *out)
{
  switch (term->kind) {
  case HONE__SMT_CONSTANT: *out = term->value; return true;
  case HONE__SMT_VARIABLE: *out = variables[term->value]; return true;
  case HONE__SMT_AND:
  case HONE__SMT_OR: return evaluate_logic(term, variables, out);
  case HONE__SMT_CHOICE:
    if (!hone__smt_evaluate(term->args[0], variables, out)) return false;
    return hone__smt_evaluate(term->args[*out ? 1 : 2], variables, out);
  case HONE__SMT_LOOKUP:
    return hone__smt_evaluate(term->args[0], variables, out) && look_up(term, *out, out);
  default: return evaluate_chain(term, variables, out);
  }
}

/* ---- Making ---- */

static struct hone__smt_term *make(struct hone__arena *arena, enum hone__smt_kind kind,
                                   const struct hone__smt_term *const *args, size_t count)
{
  struct hone__smt_term *term = hone__arena_alloc(arena, sizeof *term);

  term->kind = kind;
  term->count = count;
  term->args = hone__arena_alloc(arena, (count + 1) * sizeof *term->args);
  term->size = 4;
  for (size_t i = 0; i < count; i++) {
    term->args[i] = args[i];
    term->variables |= args[i]->variables;
    term->size += args[i]->size + 4;
  }
  return term;
}

const struct hone__smt_term *hone__smt_constant(struct hone__arena *arena, int64_t value)
{
  struct hone__smt_term *term = make(arena, HONE__SMT_CONSTANT, NULL, 0);

  term->value = value;
  return term;
}

const struct hone__smt_term *hone__smt_variable(struct hone__arena *arena, unsigned number)
{
  struct hone__smt_term *term = make(arena, HONE__SMT_VARIABLE, NULL, 0);

  term->value = number;
  term->variables = UINT64_C(1) << number;
  term->size = 12;
  return term;
}

static const struct hone__smt_term *folded(struct hone__arena *arena,
                                           const struct hone__smt_term *term)
{
  int64_t value;

  if (term->variables) return term;
  return hone__smt_evaluate(term, NULL, &value) ? hone__smt_constant(arena, value) : NULL;
}

static bool is_constant(const struct hone__smt_term *term, int64_t value)
{
  return term->kind == HONE__SMT_CONSTANT && term->value == value;
}

/* What changes nothing among several arguments: 0 in a sum, 1 in a product, true in a conjunction.
 */
static bool is_neutral(enum hone__smt_kind kind, const struct hone__smt_term *term)
{
  return (kind == HONE__SMT_ADD && is_constant(term, 0)) ||
         (kind == HONE__SMT_MUL && is_constant(term, 1)) ||
         (kind == HONE__SMT_AND && term->kind == HONE__SMT_CONSTANT && term->value) ||
         (kind == HONE__SMT_OR && is_constant(term, 0));
}

static bool is_choice_decided(enum hone__smt_kind kind, const struct hone__smt_term *const *args)
{
  return kind == HONE__SMT_CHOICE && args[0]->kind == HONE__SMT_CONSTANT;
}

const struct hone__smt_term *hone__smt_term(struct hone__arena *arena, enum hone__smt_kind kind,
                                            const struct hone__smt_term *const *args, size_t count)
{
  const bool is_chain = kind == HONE__SMT_ADD || kind == HONE__SMT_MUL || kind == HONE__SMT_AND ||
                        kind == HONE__SMT_OR;
  struct hone__smt_term *term;
  size_t kept = 0;

  if (is_choice_decided(kind, args)) return args[args[0]->value ? 1 : 2];
  if (kind == HONE__SMT_DIV && count == 2 && is_constant(args[1], 1)) return args[0];
  if (kind == HONE__SMT_EQ && count == 2 && args[0] == args[1]) return hone__smt_constant(arena, 1);
  term = make(arena, kind, args, count);
  for (size_t i = 0; is_chain && i < count; i++)
    if (!is_neutral(kind, args[i])) term->args[kept++] = args[i];
  if (is_chain && kept) term->count = kept;
  if (is_chain && kept == 1) return term->args[0];
  return folded(arena, term);
}

static bool is_same_everywhere(const int64_t *values, size_t count)
{
  for (size_t i = 1; i < count; i++)
    if (values[i] != values[0]) return false;
  return count > 0;
}

static const int64_t *copied(struct hone__arena *arena, const int64_t *values, size_t count)
{
  int64_t *copy = hone__arena_alloc(arena, (count + 1) * sizeof *copy);

  if (count) memcpy(copy, values, count * sizeof *copy);
  return copy;
}

const struct hone__smt_term *hone__smt_lookup(struct hone__arena *arena,
                                              const struct hone__smt_term *index,
                                              const int64_t *keys, const int64_t *values,
                                              size_t count)
{
  struct hone__smt_term *term;

  if (index->variables && is_same_everywhere(values, count))
    return hone__smt_constant(arena, values[0]);
  term = make(arena, HONE__SMT_LOOKUP, &index, 1);
  term->keys = copied(arena, keys, count);
  term->values = copied(arena, values, count);
  term->count = count;
  term->size += 12 * (double)count;
  return folded(arena, term);
}

const struct hone__smt_term *hone__smt_replace(struct hone__arena *arena,
                                               const struct hone__smt_term *term, unsigned variable,
                                               const struct hone__smt_term *by)
{
  const size_t count = term->kind == HONE__SMT_LOOKUP ? 1 : term->count;
  const struct hone__smt_term *result = NULL, **args;

  if (!(term->variables >> variable & 1)) return term;
  if (term->kind == HONE__SMT_VARIABLE) return by;
  args = hone__alloc((count + 1) * sizeof *args);
  for (size_t i = 0; i < count; i++) {
    args[i] = hone__smt_replace(arena, term->args[i], variable, by);
    if (!args[i]) goto done;
  }
  result = term->kind == HONE__SMT_LOOKUP
               ? hone__smt_lookup(arena, args[0], term->keys, term->values, term->count)
               : hone__smt_term(arena, term->kind, args, count);
done:
  free(args);
  return result;
}
