/* Interval arithmetic with one divisibility fact. Whatever is not worth a rule is ANY. An operation
 * whose bounds overflow, or whose divisor may be zero, can fault for some values and is ANY too. */
#include "space/bounds.h"
#include "base/gcd.h"

#include <math.h>

static const struct hone__bounds anything = {.kind = HONE__BOUNDS_ANY};

struct hone__bounds hone__bounds_exact(struct hone_value value)
{
  return (struct hone__bounds){.kind = HONE__BOUNDS_EXACT, .exact = value};
}

int64_t hone__common_factor(int64_t a, int64_t b)
{
  uint64_t factor = hone__gcd(a, b);
  return factor > INT64_MAX ? 1 : (int64_t)factor;
}

static struct hone__bounds whole(int64_t lo, int64_t hi, int64_t factor)
{
  return (struct hone__bounds){.kind = HONE__BOUNDS_INT, .lo = lo, .hi = hi, .factor = factor};
}

static struct hone__bounds real(double low, double high)
{
  const double most =
      9e15; /* beyond it integers among the values could overflow, floats be infinite */

  if (!(low >= -most && high <= most)) return anything;
  return (struct hone__bounds){.kind = HONE__BOUNDS_REAL, .low = low, .high = high};
}

static const struct hone__bounds open_bool = {
    .kind = HONE__BOUNDS_INT, .lo = 0, .hi = 1, .factor = 1};

static struct hone__bounds yes_or_no(bool boolean)
{
  return hone__bounds_exact(hone__bool(boolean));
}

/* An exact integer seen as an interval; false where it is something else. */
static bool as_whole(const struct hone__bounds *b, struct hone__bounds *out)
{
  if (b->kind == HONE__BOUNDS_INT) {
    *out = *b;
    return true;
  }
  if (b->kind != HONE__BOUNDS_EXACT) return false;
  if (b->exact.type != HONE_INT && b->exact.type != HONE_BOOL) return false;
  *out = whole(b->exact.integer, b->exact.integer, hone__common_factor(b->exact.integer, 0));
  return true;
}

/* Beyond it a double cannot tell neighbours apart, and bounds would not be sound. */
static const int64_t exact_in_double = (int64_t)1 << 53;

static bool as_real(const struct hone__bounds *b, struct hone__bounds *out)
{
  struct hone__bounds w;

  if (b->kind == HONE__BOUNDS_REAL) {
    *out = *b;
    return true;
  }
  if (b->kind == HONE__BOUNDS_EXACT && b->exact.type == HONE_FLOAT) {
    *out = real(b->exact.real, b->exact.real);
    return out->kind == HONE__BOUNDS_REAL;
  }
  if (!as_whole(b, &w) || w.lo < -exact_in_double || w.hi > exact_in_double) return false;
  *out = real((double)w.lo, (double)w.hi);
  return out->kind == HONE__BOUNDS_REAL;
}

struct hone__bounds hone__bounds_between(struct hone_value low, struct hone_value high)
{
  struct hone__bounds a = hone__bounds_exact(low), b = hone__bounds_exact(high);

  return as_real(&a, &a) && as_real(&b, &b) ? real(a.low, b.high) : anything;
}

int hone__bounds_truth(const struct hone__bounds *b)
{
  switch (b->kind) {
  case HONE__BOUNDS_EXACT:
    if (b->exact.type == HONE__FAULT) return 0;
    if (b->exact.type == HONE__MOOT) return 1; /* decided, or it would still matter */
    return hone__value_truth(b->exact) ? 1 : -1;
  case HONE__BOUNDS_INT: return b->lo > 0 || b->hi < 0 ? 1 : b->lo == 0 && b->hi == 0 ? -1 : 0;
  case HONE__BOUNDS_REAL:
    return b->low > 0 || b->high < 0 ? 1 : b->low == 0 && b->high == 0 ? -1 : 0;
  case HONE__BOUNDS_ANY: return 0;
  }
  HONE__BUG("bounds without a kind");
}

static struct hone__bounds multiply(struct hone__bounds a, struct hone__bounds b)
{
  int64_t p[4], lo, hi, factor;

  if (__builtin_mul_overflow(a.lo, b.lo, &p[0]) || __builtin_mul_overflow(a.lo, b.hi, &p[1]) ||
      __builtin_mul_overflow(a.hi, b.lo, &p[2]) || __builtin_mul_overflow(a.hi, b.hi, &p[3]))
    return anything;
  lo = hi = p[0];
  for (int i = 1; i < 4; i++) {
    if (p[i] < lo) lo = p[i];
    if (p[i] > hi) hi = p[i];
  }
  if (__builtin_mul_overflow(a.factor, b.factor, &factor)) factor = 1;
  return whole(lo, hi, factor);
}

static int64_t floor_divide(int64_t a, int64_t b)
{
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

/* Only by positive numbers: others are rare. */
static struct hone__bounds divide_down(struct hone__bounds a, struct hone__bounds b)
{
  int64_t factor = 1;

  if (b.lo <= 0) return anything;
  if (b.lo == b.hi && a.factor % b.lo == 0) factor = a.factor / b.lo;
  return whole(floor_divide(a.lo, a.lo < 0 ? b.lo : b.hi),
               floor_divide(a.hi, a.hi < 0 ? b.hi : b.lo), factor);
}

static struct hone__bounds remainder_of(struct hone__bounds a, struct hone__bounds b)
{
  int64_t hi;

  if (b.lo <= 0) return anything;
  if (a.lo >= 0 && a.hi < b.lo) return a;
  if (b.lo == b.hi && a.factor % b.lo == 0) return whole(0, 0, 0);
  hi = b.hi - 1;
  if (a.lo >= 0 && a.hi < hi) hi = a.hi;
  return whole(0, hi, hone__common_factor(a.factor, b.factor));
}

static struct hone__bounds run_whole(enum hone__operator op, struct hone__bounds a,
                                     struct hone__bounds b)
{
  int64_t lo, hi;

  switch (op) {
  case HONE__OP_ADD:
    if (__builtin_add_overflow(a.lo, b.lo, &lo) || __builtin_add_overflow(a.hi, b.hi, &hi))
      return anything;
    return whole(lo, hi, hone__common_factor(a.factor, b.factor));
  case HONE__OP_SUB:
    if (__builtin_sub_overflow(a.lo, b.hi, &lo) || __builtin_sub_overflow(a.hi, b.lo, &hi))
      return anything;
    return whole(lo, hi, hone__common_factor(a.factor, b.factor));
  case HONE__OP_MUL: return multiply(a, b);
  case HONE__OP_FLOORDIV: return divide_down(a, b);
  case HONE__OP_MOD: return remainder_of(a, b);
  case HONE__OP_MIN:
    return whole(a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi,
                 hone__common_factor(a.factor, b.factor));
  case HONE__OP_MAX:
    return whole(a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi,
                 hone__common_factor(a.factor, b.factor));
  case HONE__OP_DIVIDES: {
    struct hone__bounds rest = remainder_of(b, a);
    int truth = hone__bounds_truth(&rest);
    if (rest.kind == HONE__BOUNDS_ANY) return anything;
    return truth ? yes_or_no(truth < 0) : open_bool;
  }
  default: return anything;
  }
}

static struct hone__bounds run_real(enum hone__operator op, struct hone__bounds a,
                                    struct hone__bounds b)
{
  double p[4], low, high;

  switch (op) {
  case HONE__OP_ADD: return real(a.low + b.low, a.high + b.high);
  case HONE__OP_SUB: return real(a.low - b.high, a.high - b.low);
  case HONE__OP_MUL:
    p[0] = a.low * b.low, p[1] = a.low * b.high, p[2] = a.high * b.low, p[3] = a.high * b.high;
    break;
  case HONE__OP_DIV:
    if (b.low <= 0 && b.high >= 0) return anything;
    p[0] = a.low / b.low, p[1] = a.low / b.high, p[2] = a.high / b.low, p[3] = a.high / b.high;
    break;
  case HONE__OP_MOD:
    if (b.low <= 0) return anything;
    if (a.low >= 0 && a.high < b.low) return a;
    return real(0, b.high);
  case HONE__OP_MIN: return real(fmin(a.low, b.low), fmin(a.high, b.high));
  case HONE__OP_MAX: return real(fmax(a.low, b.low), fmax(a.high, b.high));
  default: return anything;
  }
  low = high = p[0];
  for (int i = 0; i < 4; i++) {
    if (isnan(p[i])) return anything;
    low = fmin(low, p[i]);
    high = fmax(high, p[i]);
  }
  return real(low, high);
}

/* Decides a comparison from the ends of both intervals. */
static struct hone__bounds order(enum hone__operator op, bool less, bool not_more, bool more,
                                 bool not_less)
{
  switch (op) {
  case HONE__OP_LT: return less ? yes_or_no(true) : not_less ? yes_or_no(false) : open_bool;
  case HONE__OP_LE: return not_more ? yes_or_no(true) : more ? yes_or_no(false) : open_bool;
  case HONE__OP_GT: return more ? yes_or_no(true) : not_more ? yes_or_no(false) : open_bool;
  case HONE__OP_GE: return not_less ? yes_or_no(true) : less ? yes_or_no(false) : open_bool;
  case HONE__OP_EQ: return less || more ? yes_or_no(false) : open_bool;
  case HONE__OP_NE: return less || more ? yes_or_no(true) : open_bool;
  default: HONE__BUG("not a comparison");
  }
}

/* No common multiple can be equal: 24 is not 5 * p. */
static bool never_equal(struct hone__bounds a, struct hone__bounds b)
{
  if (a.lo == a.hi && b.factor) return a.lo % b.factor != 0;
  if (b.lo == b.hi && a.factor) return b.lo % a.factor != 0;
  return false;
}

static bool is_comparison(enum hone__operator op)
{
  return op >= HONE__OP_EQ && op <= HONE__OP_GE;
}

static struct hone__bounds run_two(enum hone__operator op, const struct hone__bounds *x,
                                   const struct hone__bounds *y)
{
  struct hone__bounds a, b;

  if (as_whole(x, &a) && as_whole(y, &b)) {
    if (op == HONE__OP_DIV) return as_real(x, &a) && as_real(y, &b) ? run_real(op, a, b) : anything;
    if (!is_comparison(op)) return run_whole(op, a, b);
    if ((op == HONE__OP_EQ || op == HONE__OP_NE) && never_equal(a, b))
      return yes_or_no(op == HONE__OP_NE);
    return order(op, a.hi<b.lo, a.hi <= b.lo, a.lo> b.hi, a.lo >= b.hi);
  }
  if (as_real(x, &a) && as_real(y, &b)) {
    if (!is_comparison(op)) return run_real(op, a, b);
    return order(op, a.high<b.low, a.high <= b.low, a.low> b.high, a.low >= b.high);
  }
  return anything;
}

static struct hone__bounds run_one(enum hone__operator op, const struct hone__bounds *x)
{
  struct hone__bounds a, zero = whole(0, 0, 0);

  if (op == HONE__OP_NOT || op == HONE__OP_BOOL) {
    int truth = hone__bounds_truth(x);
    if (x->kind == HONE__BOUNDS_ANY) return anything;
    return truth ? yes_or_no((truth > 0) == (op == HONE__OP_BOOL)) : open_bool;
  }
  if (op == HONE__OP_NEG && as_whole(x, &a)) return run_whole(HONE__OP_SUB, zero, a);
  if (op == HONE__OP_NEG && x->kind == HONE__BOUNDS_REAL) return real(-x->high, -x->low);
  if (op == HONE__OP_FLOAT) return as_real(x, &a) ? a : anything;
  if (op == HONE__OP_POS && x->kind != HONE__BOUNDS_EXACT) return *x;
  return anything;
}

/* The smallest bounds around both. */
static struct hone__bounds join(const struct hone__bounds *x, const struct hone__bounds *y)
{
  struct hone__bounds a, b;

  if (as_whole(x, &a) && as_whole(y, &b))
    return whole(a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi,
                 hone__common_factor(a.factor, b.factor));
  if (as_real(x, &a) && as_real(y, &b)) return real(fmin(a.low, b.low), fmax(a.high, b.high));
  return anything;
}

/* [16, 32, 64][x]: around the elements that x can reach. */
static struct hone__bounds run_index(const struct hone__bounds *x, const struct hone__bounds *y)
{
  enum { LONGEST = 256 };
  struct hone__bounds index, found, one;
  const struct hone_list *list;

  if (x->kind != HONE__BOUNDS_EXACT || x->exact.type != HONE_LIST || !as_whole(y, &index))
    return anything;
  list = x->exact.list;
  if (index.lo < 0 || (uint64_t)index.hi >= list->count || index.hi - index.lo >= LONGEST)
    return anything;
  found = hone__bounds_exact(list->items[index.lo]);
  for (int64_t i = index.lo + 1; i <= index.hi; i++) {
    one = hone__bounds_exact(list->items[i]);
    found = join(&found, &one);
  }
  return found;
}

static struct hone__bounds run_choice(const struct hone__instruction *node,
                                      const struct hone__bounds *bounds)
{
  const struct hone__bounds *test = &bounds[node->args[0]], *one = &bounds[node->args[1]];
  int truth = hone__bounds_truth(test);

  if (test->kind == HONE__BOUNDS_ANY ||
      (test->kind == HONE__BOUNDS_EXACT && test->exact.type == HONE__FAULT))
    return *test;
  if (node->op == HONE__OP_IF)
    return truth ? bounds[node->args[truth > 0 ? 1 : 2]] : join(one, &bounds[node->args[2]]);
  if (truth) return (truth > 0) == (node->op == HONE__OP_AND) ? *one : *test;
  /* Open: `a and false` is false or a's own false value. */
  if (node->op == HONE__OP_AND && hone__bounds_truth(one) < 0) return yes_or_no(false);
  return join(test, one);
}

static bool all_exact(const struct hone__instruction *node, const struct hone__bounds *bounds)
{
  for (int i = 0; i < node->arity; i++)
    if (bounds[node->args[i]].kind != HONE__BOUNDS_EXACT) return false;
  return true;
}

static struct hone__bounds run_exactly(const struct hone__instruction *node,
                                       const struct hone__bounds *bounds)
{
  struct hone__instruction copy = *node;
  struct hone_value values[3];

  for (uint32_t i = 0; i < node->arity; i++) {
    values[i] = bounds[node->args[i]].exact;
    copy.args[i] = i;
  }
  return hone__bounds_exact(hone__instruction_run(&copy, values));
}

static bool is_moot(const struct hone__bounds *b)
{
  return b->kind == HONE__BOUNDS_EXACT && b->exact.type == HONE__MOOT;
}

struct hone__bounds hone__bounds_run(const struct hone__instruction *node,
                                     const struct hone__bounds *bounds)
{
  if (node->role == HONE__ROLE_CONSTANT) return hone__bounds_exact(node->value);
  for (int i = 0; i < node->arity; i++)
    if (is_moot(&bounds[node->args[i]])) return bounds[node->args[i]];
  if (all_exact(node, bounds)) return run_exactly(node, bounds);
  if (node->op == HONE__OP_AND || node->op == HONE__OP_OR || node->op == HONE__OP_IF)
    return run_choice(node, bounds);
  if (node->op == HONE__OP_INDEX) return run_index(&bounds[node->args[0]], &bounds[node->args[1]]);
  if (node->arity == 1) return run_one(node->op, &bounds[node->args[0]]);
  return run_two(node->op, &bounds[node->args[0]], &bounds[node->args[1]]);
}
