/* True division hides what integers would tell: m / (a * 16) == p means m == p * (a * 16), from
 * which binders compute and bounds cut; (n / a) % w == 0 means n % (a * w) == 0. And `x or (y and
 * z)` is (x or y) and (x or z): two constraints, each complete earlier.
 *
 * A rule applies only where nothing can fault or be rounded: integers below 2^52, no divisor that
 * can be zero or negative. Then both forms are true for the same configurations. */
#include "space/rewrite.h"

static bool is_operator(const struct hone__spec_program *program, uint32_t node,
                        enum hone__operator op)
{
  const struct hone__instruction *n = &program->nodes[node];
  return n->role == HONE__ROLE_OPERATOR && n->op == op;
}

/* Integers from lo to less than 2^52, for certain. */
static bool is_exact(const struct hone__bounds *b, int64_t lo)
{
  const int64_t most = (int64_t)1 << 52;

  if (b->kind == HONE__BOUNDS_EXACT)
    return b->exact.type == HONE_INT && b->exact.integer >= lo && b->exact.integer < most;
  return b->kind == HONE__BOUNDS_INT && b->lo >= lo && b->hi < most;
}

static struct hone__bounds bounds_of_product(const struct hone__bounds *bounds, uint32_t a,
                                             uint32_t b)
{
  struct hone__instruction product = {
      .role = HONE__ROLE_OPERATOR, .op = HONE__OP_MUL, .arity = 2, .args = {a, b}};
  return hone__bounds_run(&product, bounds);
}

/* a / b == c, as a == b * c */
static bool rewrite_quotient(struct hone__spec_program *program, const struct hone__bounds *bounds,
                             uint32_t quotient, uint32_t other, enum hone__operator op,
                             uint32_t *out_node)
{
  uint32_t a = program->nodes[quotient].args[0], b = program->nodes[quotient].args[1];
  struct hone__bounds product = bounds_of_product(bounds, b, other);

  if (!is_exact(&bounds[a], 0) || !is_exact(&bounds[b], 1)) return false;
  if (!is_exact(&bounds[other], 0) || !is_exact(&product, 0)) return false;
  *out_node = hone__spec_program_operator(
      program, op, a, hone__spec_program_operator(program, HONE__OP_MUL, b, other));
  return true;
}

/* (a / b) % c == 0, as a % (b * c) == 0 */
static bool rewrite_remainder(struct hone__spec_program *program, const struct hone__bounds *bounds,
                              uint32_t remainder, uint32_t rest, enum hone__operator op,
                              uint32_t *out_node)
{
  uint32_t quotient = program->nodes[remainder].args[0], c = program->nodes[remainder].args[1];
  uint32_t a, b;
  struct hone__bounds product;

  if (!is_operator(program, quotient, HONE__OP_DIV)) return false;
  a = program->nodes[quotient].args[0];
  b = program->nodes[quotient].args[1];
  product = bounds_of_product(bounds, b, c);
  if (!is_exact(&bounds[a], 0) || !is_exact(&bounds[b], 1)) return false;
  if (!is_exact(&bounds[c], 1) || !is_exact(&product, 1)) return false;
  if (bounds[rest].kind != HONE__BOUNDS_EXACT || bounds[rest].exact.type != HONE_INT ||
      bounds[rest].exact.integer != 0)
    return false;
  b = hone__spec_program_operator(program, HONE__OP_MUL, b, c);
  *out_node = hone__spec_program_operator(
      program, op, hone__spec_program_operator(program, HONE__OP_MOD, a, b), rest);
  return true;
}

static uint32_t rewrite_equation(struct hone__spec_program *program,
                                 const struct hone__bounds *bounds, uint32_t node)
{
  struct hone__instruction n = program->nodes[node];

  for (int side = 0; side < 2; side++) {
    uint32_t one = n.args[side], other = n.args[1 - side], result;
    if (is_operator(program, one, HONE__OP_DIV) &&
        rewrite_quotient(program, bounds, one, other, n.op, &result))
      return result;
    if (is_operator(program, one, HONE__OP_MOD) &&
        rewrite_remainder(program, bounds, one, other, n.op, &result))
      return result;
  }
  return node;
}

static bool may_fault(const struct hone__spec_program *program, uint32_t node)
{
  return program->nodes[node].types & HONE__T_FAULT;
}

/* The `and` inside is then split by the caller. */
static uint32_t rewrite_or(struct hone__spec_program *program, uint32_t node)
{
  struct hone__instruction n = program->nodes[node];

  for (int side = 0; side < 2; side++) {
    uint32_t both = n.args[side], other = n.args[1 - side], y, z;
    if (!is_operator(program, both, HONE__OP_AND)) continue;
    if (may_fault(program, both) || may_fault(program, other)) continue;
    y = program->nodes[both].args[0];
    z = program->nodes[both].args[1];
    y = hone__spec_program_operator(program, HONE__OP_OR, other, y);
    z = hone__spec_program_operator(program, HONE__OP_OR, other, z);
    return hone__spec_program_operator(program, HONE__OP_AND, y, z);
  }
  return node;
}

uint32_t hone__rewrite(struct hone__spec_program *program, const struct hone__bounds *bounds,
                       uint32_t node)
{
  const struct hone__instruction *n = &program->nodes[node];

  if (n->role != HONE__ROLE_OPERATOR) return node;
  if (n->op == HONE__OP_EQ || n->op == HONE__OP_NE) return rewrite_equation(program, bounds, node);
  if (n->op == HONE__OP_OR) return rewrite_or(program, node);
  return node;
}
