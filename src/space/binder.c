/* Binders: constraints read backwards. m == a * p * 16 gives p from m and a without trying any
 * value; 1280 % n == 0 gives the divisors of 1280; and even while p is open, m == a * p * 16 says
 * that a divides m. A binder only narrows the candidates: each one is still checked. */
#include "space/planner.h"

#include <stdlib.h>

/* ---- Finding them ---- */

/* How often the level's variable stands below each node, up to 2; the caller frees it. */
static uint8_t *count_occurrences(const struct hone__planner *p, uint32_t x)
{
  uint8_t *occurrences = hone__alloc(p->program->count + 1);

  for (uint32_t i = 0; i < p->program->count; i++) {
    const struct hone__instruction *n = &p->program->nodes[i];
    unsigned count = i == x;
    for (int k = 0; k < n->arity; k++)
      count += occurrences[n->args[k]];
    occurrences[i] = (uint8_t)(count < 2 ? count : 2);
  }
  return occurrences;
}

/* What is looked at: which nodes are bound, and where x is. */
struct view {
  const struct hone__planner *p;
  const uint8_t *occurrences;
  uint32_t x;
  int32_t bound;
};

static bool is_bound(const struct view *v, uint32_t node)
{
  return v->p->last[node] < v->bound;
}

static bool is_whole(const struct hone__planner *p, uint32_t node)
{
  return !(p->program->nodes[node].types & ~(HONE__T_WHOLE | HONE__T_FAULT));
}

enum path { EXACTLY, AS_FACTOR };

/* The operators between `node` and x, if each can be undone. As a factor, x is reached through
 * products only, and open integer factors are passed over: what is left still is a multiple of x.
 */
static bool trace(const struct view *v, uint32_t node, enum path path, struct hone__binder *binder)
{
  binder->step_count = 0;
  while (node != v->x) {
    const struct hone__instruction *n = &v->p->program->nodes[node];
    bool left = v->occurrences[n->args[0]] == 1;
    struct hone__binder_step step = {.op = n->op, .x_left = left};
    if (binder->step_count == sizeof binder->steps / sizeof *binder->steps) return false;
    if (n->op != HONE__OP_MUL &&
        (path == AS_FACTOR ||
         (n->op != HONE__OP_ADD && n->op != HONE__OP_SUB && n->op != HONE__OP_NEG)))
      return false;
    node = n->args[left ? 0 : 1];
    if (n->arity == 2) step.other = n->args[left ? 1 : 0];
    if (n->arity == 1 || is_bound(v, step.other))
      binder->steps[binder->step_count++] = step;
    else if (path == EXACTLY || !is_whole(v->p, step.other))
      return false;
  }
  return true;
}

static bool is_int_zero(const struct hone__planner *p, uint32_t node)
{
  const struct hone__instruction *n = &p->program->nodes[node];
  return n->role == HONE__ROLE_CONSTANT && n->value.type == HONE_INT && n->value.integer == 0;
}

/* dividend % divisor == rest */
static bool bind_remainder(const struct view *v, const struct hone__instruction *remainder,
                           uint32_t rest, struct hone__binder *binder)
{
  uint32_t dividend = remainder->args[0], divisor = remainder->args[1];

  if (dividend == v->x && is_bound(v, divisor) && is_bound(v, rest)) {
    binder->kind = HONE__BIND_MULTIPLE;
    binder->target = divisor;
    binder->rest = rest;
    return true;
  }
  if (!is_bound(v, dividend) || !is_int_zero(v->p, rest)) return false;
  if (v->occurrences[divisor] != 1) return false;
  binder->kind = HONE__BIND_DIVISOR;
  binder->target = dividend;
  return trace(v, divisor, AS_FACTOR, binder);
}

static bool bind_equation(const struct view *v, uint32_t root, struct hone__binder *binder)
{
  const struct hone__instruction *n = &v->p->program->nodes[root], *side;
  bool left;

  if (n->role != HONE__ROLE_OPERATOR || n->op != HONE__OP_EQ || v->occurrences[root] != 1)
    return false;
  left = v->occurrences[n->args[0]] == 1;
  if (v->p->plan->bounds[n->args[left ? 0 : 1]].kind == HONE__BOUNDS_ANY)
    return false; /* it may fault, and a fault must not vanish with the candidate */
  side = &v->p->program->nodes[n->args[left ? 0 : 1]];
  *binder = (struct hone__binder){.target = n->args[left ? 1 : 0]};
  if (side->role == HONE__ROLE_OPERATOR && side->op == HONE__OP_MOD)
    return bind_remainder(v, side, binder->target, binder);
  if (!is_bound(v, binder->target)) return false;
  binder->kind = HONE__BIND_EQUAL;
  if (trace(v, n->args[left ? 0 : 1], EXACTLY, binder)) return true;
  binder->kind = HONE__BIND_DIVISOR;
  return trace(v, n->args[left ? 0 : 1], AS_FACTOR, binder);
}

static int by_kind(const void *a, const void *b)
{
  const struct hone__binder *x = a, *y = b;
  return (int)x->kind - (int)y->kind;
}

size_t hone__binders_find(const struct hone__planner *p, const struct hone__level *level,
                          int32_t bound, struct hone__binder *binders, size_t most)
{
  uint8_t *occurrences;
  struct view v = {.p = p, .x = level->variable_node, .bound = bound};
  size_t count = 0;
  uint32_t zero;

  if (level->domain->types & ~HONE__T_WHOLE) return 0;
  v.occurrences = occurrences = count_occurrences(p, v.x);
  for (size_t i = 0; i < p->constraint_count && count < most; i++) {
    struct hone__binder *binder = &binders[count];
    if (!bind_equation(&v, p->constraints[i], binder)) continue;
    if (binder->kind == HONE__BIND_DIVISOR && /* of a product that is 0 everything is a factor */
        hone__domain_find(level->domain, hone__int(0), &zero))
      continue;
    count++;
  }
  qsort(binders, count, sizeof *binders, by_kind);
  free(occurrences);
  return count;
}

/* ---- Running them ---- */

static bool int_of(const struct hone__plan *plan, uint32_t node, int64_t *out_integer)
{
  struct hone_value value = plan->values[node];

  *out_integer = value.integer;
  return value.type == HONE_INT || value.type == HONE_BOOL;
}

enum undo { UNDONE, IMPOSSIBLE, UNKNOWN };

/* With a float among them, 3 == 15 * (0.2 * x) has the solution 1, though 15 does not divide 3. */
static bool are_integers(const struct hone__plan *plan, const struct hone__binder *binder)
{
  int64_t ignored;

  for (uint32_t i = 0; i < binder->step_count; i++)
    if (binder->steps[i].op != HONE__OP_NEG && !int_of(plan, binder->steps[i].other, &ignored))
      return false;
  return true;
}

/* From steps(x) == target to x == target: each operator is undone. */
static enum undo undo_steps(const struct hone__plan *plan, const struct hone__binder *binder,
                            int64_t *target)
{
  if (!are_integers(plan, binder)) return UNKNOWN;
  for (uint32_t i = 0; i < binder->step_count; i++) {
    const struct hone__binder_step *step = &binder->steps[i];
    int64_t other = 0;
    if (step->op != HONE__OP_NEG) int_of(plan, step->other, &other);
    switch (step->op) {
    case HONE__OP_MUL:
      if (other == 0 || other == -1) return UNKNOWN;
      if (*target % other != 0) return IMPOSSIBLE;
      *target /= other;
      break;
    case HONE__OP_ADD:
      if (__builtin_sub_overflow(*target, other, target)) return UNKNOWN;
      break;
    case HONE__OP_SUB:
      if (step->x_left ? __builtin_add_overflow(*target, other, target)
                       : __builtin_sub_overflow(other, *target, target))
        return UNKNOWN;
      break;
    case HONE__OP_NEG:
      if (__builtin_sub_overflow((int64_t)0, *target, target)) return UNKNOWN;
      break;
    default: HONE__BUG("a step that cannot be undone");
    }
  }
  return UNDONE;
}

static bool has_candidate(const struct hone__level *level, uint32_t index)
{
  const struct hone__plan_candidates *c = &level->candidates;
  uint32_t low = 0, high = c->count;

  if (!c->list) return index >= c->first && index - c->first < c->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (c->list[middle] < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low < c->count && c->list[low] == index;
}

static uint32_t add_value(const struct hone__level *level, int64_t value, uint32_t *room,
                          uint32_t count)
{
  uint32_t index;

  if (hone__domain_find(level->domain, hone__int(value), &index) && has_candidate(level, index))
    room[count++] = index;
  return count;
}

static int by_number(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Says nothing where trying the candidates is no more work. */
static bool list_divisors(const struct hone__level *level, int64_t target, uint32_t *room,
                          uint32_t most, uint32_t *out_count)
{
  uint32_t count = 0, limit = level->candidates.count;

  if (target == 0 || target == INT64_MIN) return false;
  if (target < 0) target = -target;
  if ((unsigned __int128)limit * limit < (uint64_t)target) return false;
  for (int64_t d = 1; d <= target / d; d++) {
    if (target % d) continue;
    if (count + 4 > most) return false;
    count = add_value(level, d, room, count);
    count = add_value(level, -d, room, count);
    if (d == target / d) continue;
    count = add_value(level, target / d, room, count);
    count = add_value(level, -(target / d), room, count);
  }
  qsort(room, count, sizeof *room, by_number);
  *out_count = count;
  return true;
}

/* a * x + m * y == gcd(a, m): x, modulo m / gcd */
static int64_t inverse(int64_t a, int64_t m, int64_t *out_gcd)
{
  int64_t r0 = m, r1 = a, x0 = 0, x1 = 1;

  while (r1) {
    int64_t quotient = r0 / r1, rest = r0 % r1, x = x0 - quotient * x1;
    r0 = r1;
    r1 = rest;
    x0 = x1;
    x1 = x;
  }
  *out_gcd = r0;
  m /= r0;
  return (x0 % m + m) % m;
}

static int64_t modulo(int64_t a, int64_t m)
{
  int64_t rest = a % m;
  return rest < 0 ? rest + m : rest;
}

/* x % divisor == rest over a range: start + step * k is solved for k; every stride-th k follows. */
static bool list_multiples(const struct hone__plan *plan, const struct hone__level *level,
                           const struct hone__binder *binder, uint32_t *room, uint32_t most,
                           uint32_t *out_count)
{
  const struct hone__plan_candidates *c = &level->candidates;
  int64_t divisor, rest, gcd, step, start, k, stride;
  uint32_t count = 0;

  if (c->list || !level->domain->is_range) return false;
  if (!int_of(plan, binder->target, &divisor) || !int_of(plan, binder->rest, &rest)) return false;
  if (divisor <= 1 || divisor > INT32_MAX || rest < 0 || rest >= divisor) return false;
  step = modulo(level->domain->range.step, divisor);
  start = modulo(hone__domain_value(level->domain, c->first).integer, divisor);
  k = inverse(step ? step : divisor, divisor, &gcd);
  stride = divisor / gcd;
  if ((rest - start) % gcd) return true; /* none: *out_count is 0 */
  k = modulo((rest - start) / gcd, stride) * k % stride;
  if (((int64_t)c->count - k + stride - 1) / stride > most) return false;
  for (; k < c->count; k += stride)
    room[count++] = c->first + (uint32_t)k;
  *out_count = count;
  return true;
}

bool hone__binder_run(const struct hone__plan *plan, const struct hone__level *level,
                      const struct hone__binder *binder, uint32_t *room, uint32_t most,
                      uint32_t *out_count)
{
  int64_t target;

  if (most > level->candidates.count) most = level->candidates.count;
  *out_count = 0;
  if (binder->kind == HONE__BIND_MULTIPLE)
    return list_multiples(plan, level, binder, room, most, out_count);
  if (!int_of(plan, binder->target, &target)) return false;
  if (binder->kind == HONE__BIND_DIVISOR && target == 0) return false;
  switch (undo_steps(plan, binder, &target)) {
  case IMPOSSIBLE: return true;
  case UNKNOWN: return false;
  case UNDONE: break;
  }
  if (binder->kind == HONE__BIND_DIVISOR)
    return list_divisors(level, target, room, most, out_count);
  *out_count = add_value(level, target, room, 0);
  return true;
}
