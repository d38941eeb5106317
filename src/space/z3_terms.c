/* Terms are exact or they are not made. Truth values and whole numbers are z3_bits.h's; a float is
 * a fraction of whole numbers, as long as rounding cannot be seen: see compare_fractions. All else
 * (texts, lists, gcd, rounded floats) stays OPAQUE until a node above is a truth value or a whole
 * number; that node is tabulated. */
#include "space/z3_terms.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

/* ---- Fractions: floats that are exact, or rounded where it cannot be seen ---- */

static const hone__z3_wide EXACT = (hone__z3_wide)1 << 53, ROUNDED = (hone__z3_wide)1 << 51;

static struct hone__z3_term fraction_term(struct hone__z3_term above, struct hone__z3_term below)
{
  above.kind = HONE__Z3_FRACTION;
  above.below = below.value;
  above.below_bits = below.bits;
  above.below_lo = below.lo;
  above.below_hi = below.hi;
  return above;
}

/* A whole number, or one over a constant power of two, that a double holds. */
static bool is_exact(const struct hone__z3_term *a)
{
  if (hone__z3_magnitude(a) > EXACT) return false;
  if (a->kind != HONE__Z3_FRACTION) return true;
  return a->below_lo == a->below_hi && (a->below_lo & (a->below_lo - 1)) == 0;
}

static struct hone__z3_term numerator(const struct hone__z3_term *a)
{
  return (struct hone__z3_term){.kind = HONE__Z3_WHOLE,
                                .value = a->value,
                                .fault = a->fault,
                                .bits = a->bits,
                                .lo = a->lo,
                                .hi = a->hi};
}

static struct hone__z3_term denominator(const struct hone__z3 *z, const struct hone__z3_term *a)
{
  if (a->kind != HONE__Z3_FRACTION) return hone__z3_constant(z, 1);
  return (struct hone__z3_term){.kind = HONE__Z3_WHOLE,
                                .value = a->below,
                                .bits = a->below_bits,
                                .lo = a->below_lo,
                                .hi = a->below_hi};
}

/* Correctly rounded up to 2^53. The sign goes to the numerator. */
static bool divide(const struct hone__z3 *z, struct hone__z3_term a, struct hone__z3_term b,
                   struct hone__z3_term *out)
{
  hone__z3_wide reach_a = hone__z3_magnitude(&a), reach_b = hone__z3_magnitude(&b);
  z3_ast fault = hone__z3_divide_fault(z, &a, &b);

  if (reach_a > EXACT || reach_b > EXACT) return false;
  if (b.lo < 0) {
    a = hone__z3_pick(z, hone__z3_is_negative(z, &b), hone__z3_negative(z, a), a);
    b = hone__z3_absolute(z, b);
  }
  b.lo = b.lo > 0 ? b.lo : 1;
  b.hi = reach_b > 1 ? (int64_t)reach_b : 1;
  *out = fraction_term(a, b);
  out->fault = fault;
  return true;
}

static bool real_constant(const struct hone__z3 *z, double real, struct hone__z3_term *out)
{
  int64_t below = 1;

  for (; real != floor(real) && below < (int64_t)1 << 40; below *= 2)
    real *= 2;
  if (!(fabs(real) <= (double)EXACT) || real != floor(real)) return false;
  *out = fraction_term(hone__z3_constant(z, (int64_t)real), hone__z3_constant(z, below));
  return true;
}

/* + - * of exact floats, as long as the result is one. */
static bool exact_arithmetic(const struct hone__z3 *z, enum hone__operator op,
                             struct hone__z3_term a, struct hone__z3_term b,
                             struct hone__z3_term *out)
{
  struct hone__z3_term x = numerator(&a), y = numerator(&b);
  struct hone__z3_term under_x = denominator(z, &a), under_y = denominator(z, &b);
  hone__z3_wide common = under_x.lo > under_y.lo ? under_x.lo : under_y.lo;

  if (op == HONE__OP_MUL) common = (hone__z3_wide)under_x.lo * under_y.lo;
  if (!is_exact(&a) || !is_exact(&b) || common > EXACT) return false;
  if (op == HONE__OP_MUL) {
    *out = hone__z3_multiply(z, x, y);
  } else {
    x = hone__z3_multiply(z, x, hone__z3_constant(z, (int64_t)common / under_x.lo));
    y = hone__z3_multiply(z, y, hone__z3_constant(z, (int64_t)common / under_y.lo));
    if (!is_exact(&x) || !is_exact(&y)) return false;
    *out = op == HONE__OP_ADD ? hone__z3_add(z, x, y) : hone__z3_subtract(z, x, y);
  }
  *out = fraction_term(*out, hone__z3_constant(z, (int64_t)common));
  return is_exact(out);
}

/* floor, ceil and int: the rounded quotient of a and b lies on the same side of every integer as
 * the true one if |a| + b < 2^51. */
static bool round_fraction(const struct hone__z3 *z, enum hone__operator op, struct hone__z3_term a,
                           struct hone__z3_term *out)
{
  struct hone__z3_term above = numerator(&a), below = denominator(z, &a), down, up;

  if (hone__z3_magnitude(&a) + a.below_hi > ROUNDED) return false;
  down = hone__z3_floor_divide(z, above, below);
  up = hone__z3_negative(z, hone__z3_floor_divide(z, hone__z3_negative(z, above), below));
  *out = op == HONE__OP_CEIL ? up : down;
  if (op != HONE__OP_INT) return true;
  *out = hone__z3_pick(z, hone__z3_is_negative(z, &above), up, down);
  out->fault = a.fault;
  return true;
}

/* ---- Comparisons ---- */

static z3_ast relate(const struct hone__z3 *z, enum hone__operator op,
                     const struct hone__z3_term *a, const struct hone__z3_term *b)
{
  switch (op) {
  case HONE__OP_EQ: return hone__z3_is_equal(z, a, b);
  case HONE__OP_NE: return hone__z3_not(z, hone__z3_is_equal(z, a, b));
  case HONE__OP_LT: return hone__z3_is_less(z, a, b);
  case HONE__OP_LE: return hone__z3_not(z, hone__z3_is_less(z, b, a));
  case HONE__OP_GT: return hone__z3_is_less(z, b, a);
  case HONE__OP_GE: return hone__z3_not(z, hone__z3_is_less(z, a, b));
  default: HONE__BUG("not a comparison");
  }
}

/* a/b against c/d. Two fractions that differ do so by 1/bd at least; if |ad| and |cb| are below
 * 2^51, that is more than rounding both can take away. */
static bool compare_fractions(const struct hone__z3 *z, enum hone__operator op,
                              struct hone__z3_term a, struct hone__z3_term b,
                              struct hone__z3_term *out)
{
  struct hone__z3_term x = hone__z3_multiply(z, numerator(&a), denominator(z, &b));
  struct hone__z3_term y = hone__z3_multiply(z, numerator(&b), denominator(z, &a));

  if (hone__z3_magnitude(&x) > ROUNDED || hone__z3_magnitude(&y) > ROUNDED) return false;
  *out = hone__z3_truth_term(relate(z, op, &x, &y), hone__z3_either(z, x.fault, y.fault));
  return true;
}

static bool compare(const struct hone__z3 *z, enum hone__operator op, struct hone__z3_term a,
                    struct hone__z3_term b, struct hone__z3_term *out)
{
  a = hone__z3_as_whole(z, a);
  b = hone__z3_as_whole(z, b);
  if (a.kind == HONE__Z3_FRACTION || b.kind == HONE__Z3_FRACTION)
    return compare_fractions(z, op, a, b, out);
  *out = hone__z3_truth_term(relate(z, op, &a, &b), hone__z3_either(z, a.fault, b.fault));
  return true;
}

/* Which integer a value equals, if any. */
static bool to_integer(struct hone_value value, int64_t *out_integer)
{
  if (value.type == HONE_INT || value.type == HONE_BOOL) {
    *out_integer = value.integer;
    return true;
  }
  if (value.type != HONE_FLOAT || !(fabs(value.real) < 9e18) || value.real != floor(value.real))
    return false;
  *out_integer = (int64_t)value.real;
  return true;
}

static bool member(const struct hone__z3 *z, enum hone__operator op, struct hone__z3_term a,
                   const struct hone__instruction *list, struct hone__z3_term *out)
{
  const struct hone_list *items = list->value.list;
  unsigned count = 0;
  int64_t integer;
  z3_ast *equal;

  if (list->role != HONE__ROLE_CONSTANT || list->value.type != HONE_LIST) return false;
  if (a.kind != HONE__Z3_TRUTH && a.kind != HONE__Z3_WHOLE) return false;
  a = hone__z3_as_whole(z, a);
  equal = hone__alloc((items->count + 1) * sizeof *equal);
  for (size_t i = 0; i < items->count; i++) {
    struct hone__z3_term item;
    if (!to_integer(items->items[i], &integer)) continue;
    item = hone__z3_constant(z, integer);
    equal[count++] = hone__z3_is_equal(z, &a, &item);
  }
  *out = hone__z3_truth_term(z->api->mk_or(z->context, count, equal), a.fault);
  if (op == HONE__OP_NOT_IN) out->value = hone__z3_not(z, out->value);
  free(equal);
  return true;
}

static z3_ast outside(const struct hone__z3 *z, const struct hone__z3_term *index, int64_t count)
{
  struct hone__z3_term first = hone__z3_constant(z, -count), behind = hone__z3_constant(z, count);

  if (index->lo >= -count && index->hi < count) return NULL;
  return hone__z3_or(z, hone__z3_is_less(z, index, &first),
                     hone__z3_not(z, hone__z3_is_less(z, index, &behind)));
}

/* [16, 32, 64][x]: one choice after the other; -1 is the last element, as in Python. */
static bool element(const struct hone__z3 *z, const struct hone__instruction *list,
                    struct hone__z3_term index, struct hone__z3_term *out)
{
  enum { LONGEST = 256 };
  const struct hone_list *items = list->value.list;

  if (list->role != HONE__ROLE_CONSTANT || list->value.type != HONE_LIST) return false;
  if (index.kind != HONE__Z3_TRUTH && index.kind != HONE__Z3_WHOLE) return false;
  if (items->count == 0 || items->count > LONGEST) return false;
  for (size_t i = 0; i < items->count; i++)
    if (items->items[i].type != HONE_INT) return false;
  index = hone__z3_as_whole(z, index);
  *out = hone__z3_constant(z, items->items[items->count - 1].integer);
  for (size_t i = 0; i + 1 < items->count; i++) {
    struct hone__z3_term from_first = hone__z3_constant(z, (int64_t)i);
    struct hone__z3_term from_last = hone__z3_constant(z, (int64_t)i - (int64_t)items->count);
    z3_ast is_this = hone__z3_or(z, hone__z3_is_equal(z, &index, &from_first),
                                 hone__z3_is_equal(z, &index, &from_last));
    *out = hone__z3_pick(z, is_this, hone__z3_constant(z, items->items[i].integer), *out);
  }
  out->fault = hone__z3_either(z, index.fault, outside(z, &index, (int64_t)items->count));
  return true;
}

/* ---- Choices ---- */

static z3_ast only_if(const struct hone__z3 *z, z3_ast condition, z3_ast fault)
{
  return fault ? hone__z3_and(z, condition, fault) : NULL;
}

/* What `test` chooses of; the test's own fault comes first. */
static bool choice(const struct hone__z3 *z, const struct hone__z3_term *test,
                   struct hone__z3_term yes, struct hone__z3_term no, struct hone__z3_term *out)
{
  z3_ast is_true = hone__z3_truth(z, test), fault;

  fault = hone__z3_either(z, only_if(z, is_true, yes.fault),
                          only_if(z, hone__z3_not(z, is_true), no.fault));
  fault = hone__z3_either(z, test->fault, fault);
  if (yes.kind == HONE__Z3_FRACTION || no.kind == HONE__Z3_FRACTION) return false;
  if (yes.kind == HONE__Z3_TRUTH && no.kind == HONE__Z3_TRUTH) {
    *out = hone__z3_truth_term(hone__z3_choose(z, is_true, yes.value, no.value), fault);
    return true;
  }
  *out = hone__z3_pick(z, is_true, hone__z3_as_whole(z, yes), hone__z3_as_whole(z, no));
  out->fault = fault;
  return true;
}

static bool is_choice(enum hone__operator op)
{
  return op == HONE__OP_AND || op == HONE__OP_OR || op == HONE__OP_IF;
}

static bool translate_choice(const struct hone__z3 *z, const struct hone__instruction *node,
                             struct hone__z3_term *args, struct hone__z3_term *out)
{
  struct hone__z3_term *first = &args[0], *second = &args[1];
  bool done;

  if (node->op == HONE__OP_IF) return choice(z, first, *second, args[2], out);
  if (node->op == HONE__OP_AND)
    done = choice(z, first, *second, *first, out);
  else
    done = choice(z, first, *first, *second, out);
  if (done && out->kind == HONE__Z3_TRUTH)
    out->value = node->op == HONE__OP_AND ? hone__z3_and(z, first->value, second->value)
                                          : hone__z3_or(z, first->value, second->value);
  return done;
}

/* ---- Operators ---- */

static bool translate_one(const struct hone__z3 *z, enum hone__operator op, struct hone__z3_term a,
                          struct hone__z3_term *out)
{
  bool fraction = a.kind == HONE__Z3_FRACTION;

  if (op == HONE__OP_NOT || op == HONE__OP_BOOL) {
    *out = hone__z3_truth_term(hone__z3_truth(z, &a), a.fault);
    if (op == HONE__OP_NOT) out->value = hone__z3_not(z, out->value);
    return true;
  }
  a = hone__z3_as_whole(z, a);
  *out = a;
  switch (op) {
  case HONE__OP_POS: return true;
  case HONE__OP_FLOAT:
    *out = fraction ? a : fraction_term(a, hone__z3_constant(z, 1));
    return is_exact(out);
  case HONE__OP_CEIL:
  case HONE__OP_FLOOR:
  case HONE__OP_INT: return fraction ? round_fraction(z, op, a, out) : true;
  default: break;
  }
  return !fraction && hone__z3_whole_one(z, op, a, out);
}

static bool translate_two(const struct hone__z3 *z, enum hone__operator op, struct hone__z3_term a,
                          struct hone__z3_term b, struct hone__z3_term *out)
{
  if (op >= HONE__OP_EQ && op <= HONE__OP_GE) return compare(z, op, a, b, out);
  a = hone__z3_as_whole(z, a);
  b = hone__z3_as_whole(z, b);
  if (a.kind == HONE__Z3_WHOLE && b.kind == HONE__Z3_WHOLE)
    return op == HONE__OP_DIV ? divide(z, a, b, out) : hone__z3_whole_two(z, op, a, b, out);
  if (op == HONE__OP_ADD || op == HONE__OP_SUB || op == HONE__OP_MUL)
    return exact_arithmetic(z, op, a, b, out);
  return false;
}

/* False where there is no exact term. */
static bool translate_operator(const struct hone__z3_terms *terms,
                               const struct hone__instruction *node, struct hone__z3_term *out)
{
  const struct hone__z3 *z = terms->z;
  struct hone__z3_term args[3];

  for (int i = 0; i < node->arity; i++)
    args[i] = terms->items[node->args[i]];
  if (node->op == HONE__OP_IN || node->op == HONE__OP_NOT_IN)
    return member(z, node->op, args[0], &terms->evaluator->program->nodes[node->args[1]], out);
  if (node->op == HONE__OP_INDEX)
    return element(z, &terms->evaluator->program->nodes[node->args[0]], args[1], out);
  for (int i = 0; i < node->arity; i++)
    if (args[i].kind == HONE__Z3_OPAQUE) return false;
  if (is_choice(node->op)) return translate_choice(z, node, args, out);
  if (node->arity == 1) return translate_one(z, node->op, args[0], out);
  return translate_two(z, node->op, args[0], args[1], out);
}

/* ---- Nodes ---- */

static void translate_constant(const struct hone__z3 *z, struct hone_value value,
                               struct hone__z3_term *out)
{
  *out = (struct hone__z3_term){.kind = HONE__Z3_OPAQUE};
  if (value.type == HONE__FAULT)
    *out = hone__z3_truth_term(hone__z3_boolean(z, false), hone__z3_boolean(z, true));
  else if (value.type == HONE_BOOL)
    *out = hone__z3_truth_term(hone__z3_boolean(z, value.integer), NULL);
  else if (value.type == HONE_INT)
    *out = hone__z3_constant(z, value.integer);
  else if (value.type == HONE_FLOAT && !real_constant(z, value.real, out))
    *out = (struct hone__z3_term){.kind = HONE__Z3_OPAQUE};
}

/* The error that there is no term, and too many combinations for a table. */
static hone_status cannot_give(const struct hone__z3_terms *terms, uint32_t node)
{
  struct hone__text names = {0};
  struct hone__z3_cone cone;
  hone_status status;

  hone__z3_cone_init(&cone, terms->evaluator, &node, 1);
  for (uint32_t i = 0; i < cone.level_count; i++)
    hone__text_addf(&names, "%s%s", i ? ", " : "",
                    terms->evaluator->places[cone.levels[i]].domain->name);
  status = hone__error(HONE_UNAVAILABLE,
                       "a constraint on %s cannot be passed to Z3: it is not pure integer "
                       "arithmetic, and %llu combinations of values are too many for a table",
                       names.data ? names.data : "nothing", (unsigned long long)cone.combinations);
  hone__text_release(&names);
  hone__z3_cone_release(&cone);
  return status;
}

/* Whole arguments out of tables, where the whole node has too many combinations for one. */
static bool translate_with_tables(struct hone__z3_terms *terms,
                                  const struct hone__instruction *node, struct hone__z3_term *out)
{
  for (int i = 0; i < node->arity; i++) {
    struct hone__z3_term *arg = &terms->items[node->args[i]];
    if (arg->kind == HONE__Z3_OPAQUE)
      hone__z3_tabulate_whole(terms->z, terms->evaluator, node->args[i], arg);
  }
  return translate_operator(terms, node, out);
}

/* No term is exact: there is a table, now or at a node above. */
static hone_status translate_otherwise(struct hone__z3_terms *terms, uint32_t at)
{
  const struct hone__instruction *node = &terms->evaluator->program->nodes[at];
  struct hone__z3_term *term = &terms->items[at];

  *term = (struct hone__z3_term){.kind = HONE__Z3_OPAQUE};
  if (!hone__z3_fits_table(terms->evaluator, at))
    return translate_with_tables(terms, node, term) ? NULL : cannot_give(terms, at);
  if (!(node->types & ~(HONE__T_BOOL | HONE__T_FAULT)))
    hone__z3_tabulate_truth(terms->z, terms->evaluator, at, term);
  return NULL;
}

hone_status hone__z3_translate(struct hone__z3_terms *terms, uint32_t node)
{
  const struct hone__z3_evaluator *evaluator = terms->evaluator;
  const struct hone__instruction *instruction = &evaluator->program->nodes[node];
  struct hone__z3_term *term = &terms->items[node];

  if (instruction->role == HONE__ROLE_CONSTANT)
    translate_constant(terms->z, instruction->value, term);
  else if (instruction->role == HONE__ROLE_VARIABLE)
    *term = hone__z3_place_term(terms->z,
                                &evaluator->places[evaluator->level_of[instruction->variable]]);
  else if (!translate_operator(terms, instruction, term))
    return translate_otherwise(terms, node);
  return NULL;
}

hone_status hone__z3_condition(struct hone__z3_terms *terms, uint32_t node, z3_ast *out_condition)
{
  const struct hone__z3_term *term = &terms->items[node];

  if (term->kind != HONE__Z3_OPAQUE)
    *out_condition = hone__z3_either(terms->z, hone__z3_truth(terms->z, term), term->fault);
  else if (!hone__z3_tabulate_condition(terms->z, terms->evaluator, node, out_condition))
    return cannot_give(terms, node);
  return NULL;
}
