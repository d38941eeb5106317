/* Of a list of a million values, `a * b % 7 == 0` tells seven kinds apart, and `a + b < 500` a few
 * hundred: a * b % 7 is (a % 7) * b % 7, and every a from 500 - b on is as good as that one. With
 * the smaller numbers the solver's states are equal, and what follows them is solved once.
 *
 * A rule applies only to integers, where nothing can fault, and only where it makes a long list
 * short: each costs an operation for each value. */
#include "space/alike.h"

enum {
  SHORTER = 4,    /* times */
  MOST_DEPTH = 16 /* of the operators that are looked through */
};
static const int64_t largest = (int64_t)1 << 31; /* the product of two such numbers is exact */

/* Integers, in intervals. */
struct interval {
  int64_t lo, hi;
};

static bool as_interval(const struct hone__bounds *b, struct interval *out)
{
  if (b->kind == HONE__BOUNDS_EXACT && b->exact.type == HONE_INT)
    *out = (struct interval){b->exact.integer, b->exact.integer};
  else if (b->kind == HONE__BOUNDS_INT)
    *out = (struct interval){b->lo, b->hi};
  else
    return false;
  return out->lo > -largest * largest / 4 && out->hi < largest * largest / 4;
}

static bool as_constant(const struct hone__bounds *b, int64_t *out)
{
  struct interval interval;

  if (!as_interval(b, &interval) || interval.lo != interval.hi) return false;
  *out = interval.lo;
  return true;
}

static bool is_worthwhile(struct interval from, struct interval to)
{
  return from.hi - from.lo >= HONE__ALIKE_LONG &&
         (to.hi - to.lo + 1) * SHORTER <= from.hi - from.lo;
}

static bool is_operator(const struct hone__instruction *n, enum hone__operator op)
{
  return n->role == HONE__ROLE_OPERATOR && n->op == op;
}

static uint32_t constant(struct hone__spec_program *program, int64_t value)
{
  return hone__spec_program_constant(program, hone__int(value));
}

/* ---- Remainders ---- */

/* A node, new or not, and what is known of it. */
struct part {
  uint32_t node;
  struct hone__bounds bounds;
};

/* False where the numbers could become too large. */
static bool combine(struct hone__spec_program *program, enum hone__operator op,
                    const struct part *parts, struct part *out)
{
  const struct hone__bounds of[] = {parts[0].bounds, parts[1].bounds};
  const struct hone__instruction n = {
      .role = HONE__ROLE_OPERATOR, .op = op, .arity = 2, .args = {0, 1}};
  struct interval interval;

  out->bounds = hone__bounds_run(&n, of);
  if (!as_interval(&out->bounds, &interval)) return false;
  out->node = hone__spec_program_operator(program, op, parts[0].node, parts[1].node);
  return true;
}

static struct part remainder_of(struct hone__spec_program *program, struct part whole,
                                int64_t divisor)
{
  const struct part parts[] = {
      whole, {constant(program, divisor), hone__bounds_exact(hone__int(divisor))}};
  struct part result = whole;

  return combine(program, HONE__OP_MOD, parts, &result) ? result : whole;
}

/* Sums and products of which the remainders of the parts are enough. */
static struct part reduce_parts(struct hone__spec_program *program,
                                const struct hone__bounds *bounds, uint32_t node, int64_t divisor,
                                unsigned depth)
{
  const struct hone__instruction n = program->nodes[node];
  struct part whole = {node, bounds[node]}, parts[2], result;
  struct interval interval;

  if (!as_interval(&whole.bounds, &interval)) return whole;
  if (depth < MOST_DEPTH && (is_operator(&n, HONE__OP_ADD) || is_operator(&n, HONE__OP_SUB) ||
                             is_operator(&n, HONE__OP_MUL))) {
    for (int i = 0; i < 2; i++)
      parts[i] = reduce_parts(program, bounds, n.args[i], divisor, depth + 1);
    if (parts[0].node == n.args[0] && parts[1].node == n.args[1]) return whole;
    return combine(program, n.op, parts, &result) ? result : whole;
  }
  return is_worthwhile(interval, (struct interval){0, divisor - 1})
             ? remainder_of(program, whole, divisor)
             : whole;
}

/* (a * b) % c */
static uint32_t reduce_remainder(struct hone__spec_program *program,
                                 const struct hone__bounds *bounds, uint32_t node)
{
  struct hone__instruction n = program->nodes[node], of = program->nodes[n.args[0]];
  int64_t divisor;
  uint32_t reduced;

  if (of.role != HONE__ROLE_OPERATOR || !as_constant(&bounds[n.args[1]], &divisor) || divisor < 1 ||
      divisor >= largest / HONE__ALIKE_LONG)
    return node;
  reduced = reduce_parts(program, bounds, n.args[0], divisor, 0).node;
  return reduced == n.args[0]
             ? node
             : hone__spec_program_operator(program, HONE__OP_MOD, reduced, n.args[1]);
}

/* ---- Comparisons ---- */

/* The part within limits, as an operator makes them. */
static uint32_t clamp(struct hone__spec_program *program, uint32_t part, struct interval own,
                      struct interval limits)
{
  if (limits.lo > own.lo)
    part = hone__spec_program_operator(program, HONE__OP_MAX, part, constant(program, limits.lo));
  if (limits.hi < own.hi)
    part = hone__spec_program_operator(program, HONE__OP_MIN, part, constant(program, limits.hi));
  return part;
}

static struct interval within(struct interval own, struct interval limits)
{
  return (struct interval){limits.lo > own.lo ? limits.lo : own.lo,
                           limits.hi < own.hi ? limits.hi : own.hi};
}

/* Of a sum or a difference that is compared with a number: beyond its limits a part makes it
 * greater, or less, whatever the other part is. */
static uint32_t reduce_part(struct hone__spec_program *program, const struct hone__bounds *bounds,
                            const struct hone__instruction *sum, bool is_second, int64_t with)
{
  uint32_t part = sum->args[is_second];
  struct interval own, other, limits, left;

  if (!as_interval(&bounds[part], &own) || !as_interval(&bounds[sum->args[!is_second]], &other))
    return part;
  if (sum->op == HONE__OP_ADD)
    limits = (struct interval){with - other.hi - 1, with - other.lo + 1};
  else if (is_second)
    limits = (struct interval){other.lo - with - 1, other.hi - with + 1};
  else
    limits = (struct interval){with + other.lo - 1, with + other.hi + 1};
  left = within(own, limits);
  return left.lo <= left.hi && is_worthwhile(own, left) ? clamp(program, part, own, limits) : part;
}

/* What the limits of one part are does not depend on whether the other is within its own. */
static uint32_t reduce_sum(struct hone__spec_program *program, const struct hone__bounds *bounds,
                           uint32_t node, int64_t with)
{
  struct hone__instruction sum = program->nodes[node];
  uint32_t a = reduce_part(program, bounds, &sum, false, with);
  uint32_t b = reduce_part(program, bounds, &sum, true, with);

  if (a == sum.args[0] && b == sum.args[1]) return node;
  return hone__spec_program_operator(program, sum.op, a, b);
}

/* `a * b <= c` is `b <= c // a`, of which there are few. `most`: the greatest product that is still
 * on the left side. */
static uint32_t reduce_product(struct hone__spec_program *program,
                               const struct hone__bounds *bounds, uint32_t node, int64_t most,
                               bool is_less)
{
  struct hone__instruction product = program->nodes[node];

  for (int side = 0; side < 2; side++) {
    uint32_t part = product.args[side], rest = product.args[1 - side], quotient;
    struct interval own, other, limits, all;
    if (!as_interval(&bounds[part], &own) || !as_interval(&bounds[rest], &other) || own.lo < 1 ||
        other.lo < 1 || most < 0)
      continue;
    all = (struct interval){most / own.hi, most / own.lo};
    limits = (struct interval){other.lo - 1, other.hi};
    if (!is_worthwhile(own, within(all, limits))) continue;
    quotient =
        hone__spec_program_operator(program, HONE__OP_FLOORDIV, constant(program, most), part);
    quotient = clamp(program, quotient, all, limits);
    return is_less ? hone__spec_program_operator(program, HONE__OP_LE, rest, quotient)
                   : hone__spec_program_operator(program, HONE__OP_GT, rest, quotient);
  }
  return UINT32_MAX;
}

/* a + b < c, a - b == c, a * b <= c, with the constant on either side */
static uint32_t reduce_comparison(struct hone__spec_program *program,
                                  const struct hone__bounds *bounds, uint32_t node)
{
  struct hone__instruction n = program->nodes[node];

  for (int side = 0; side < 2; side++) {
    struct hone__instruction of = program->nodes[n.args[side]];
    bool is_order = n.op != HONE__OP_EQ && n.op != HONE__OP_NE;
    bool is_less = (n.op == HONE__OP_LT || n.op == HONE__OP_LE) == (side == 0);
    bool is_strict = n.op == HONE__OP_LT || n.op == HONE__OP_GT;
    struct interval whole;
    int64_t with;
    uint32_t reduced;
    if (of.role != HONE__ROLE_OPERATOR || !as_interval(&bounds[n.args[side]], &whole) ||
        !as_constant(&bounds[n.args[1 - side]], &with))
      continue;
    if (of.op == HONE__OP_MUL && is_order) {
      reduced =
          reduce_product(program, bounds, n.args[side], with - (is_less == is_strict), is_less);
      if (reduced != UINT32_MAX) return reduced;
    } else if (of.op == HONE__OP_ADD || of.op == HONE__OP_SUB) {
      reduced = reduce_sum(program, bounds, n.args[side], with);
      if (reduced == n.args[side]) continue;
      n.args[side] = reduced;
      return hone__spec_program_operator(program, n.op, n.args[0], n.args[1]);
    }
  }
  return node;
}

/* ---- Conditions ---- */

static bool is_comparison(const struct hone__instruction *n)
{
  return n->op == HONE__OP_LT || n->op == HONE__OP_LE || n->op == HONE__OP_GT ||
         n->op == HONE__OP_GE || n->op == HONE__OP_EQ || n->op == HONE__OP_NE;
}

static uint32_t reduce(struct hone__spec_program *program, const struct hone__bounds *bounds,
                       uint32_t node, unsigned depth)
{
  struct hone__instruction n = program->nodes[node];
  uint32_t reduced = node;
  bool any = false;

  if (n.role != HONE__ROLE_OPERATOR || depth >= MOST_DEPTH) return node;
  if (n.op == HONE__OP_MOD)
    reduced = reduce_remainder(program, bounds, node);
  else if (is_comparison(&n))
    reduced = reduce_comparison(program, bounds, node);
  if (reduced != node) return reduced;
  for (int i = 0; i < n.arity; i++) {
    uint32_t arg = reduce(program, bounds, n.args[i], depth + 1);
    any |= arg != n.args[i];
    n.args[i] = arg;
  }
  return any ? hone__spec_program_add(program, &n) : node;
}

uint32_t hone__alike_reduce(struct hone__spec_program *program, const struct hone__bounds *bounds,
                            uint32_t node)
{
  return reduce(program, bounds, node, 0);
}
