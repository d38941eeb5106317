/* Every node becomes a term: what its value is, and when it faults. Z3 is asked for configurations
 * where no constraint is false, that is, where each one holds or faults; the evaluator then tells a
 * solution from a fault, and has the last word on every row.
 *
 * Terms are exact or they are not made. A whole number is as many bits as its bounds need, products
 * up to 128, so that nothing wraps; where the bounds say that it may leave 64 bits, leaving them is
 * part of its fault. (Z3's unbounded integers were slower, and with them x * y == 3628800 over
 * ranges up to 100000 did not end within minutes.) A float is a fraction of whole numbers, as long
 * as rounding cannot be seen: see compare_fractions. All else (texts, lists, gcd, bits, rounded
 * floats) stays OPAQUE until a node above is a truth value or a whole number; that node is
 * tabulated: evaluated for all combinations of its variables' values.
 *
 * Terms belong to Z3's context, and go with it. */
#include "space/z3_solve.h"
#include "base/clock.h"
#include "space/z3_symbols.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { MOST_COMBINATIONS = 1 << 16, MOST_ENTRIES = 1 << 12 };

/* ---- The library ---- */

static struct {
  pthread_once_t once;
  bool found;
  struct hone_z3 z3;
} library = {.once = PTHREAD_ONCE_INIT};

static bool resolve(void *handle)
{
#define HONE__Z3_RESOLVE(result, name, arguments)                                                  \
  *(void **)&library.z3.name = dlsym(handle, "Z3_" #name);                                         \
  if (!library.z3.name) return false;
  HONE_Z3_SYMBOLS(HONE__Z3_RESOLVE)
#undef HONE__Z3_RESOLVE
  return true;
}

/* The library stays: Z3 does not like to be unloaded. */
static void load(void)
{
  const char *chosen = getenv("HONE_Z3_LIBRARY");
  const char *const usual[] = {"libz3.so.4", "libz3.so"};
  const char *const *names = chosen ? &chosen : usual;

  for (int i = 0; i < (chosen ? 1 : 2) && !library.found; i++) {
    void *handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!handle) continue;
    library.found = resolve(handle);
    if (!library.found) dlclose(handle);
  }
}

bool hone__z3_available(const char **out_advice)
{
  pthread_once(&library.once, load);
  *out_advice = library.found ? NULL
                              : "install libz3-4 (apt-get install libz3-4), or set "
                                "HONE_Z3_LIBRARY to the path of libz3.so";
  return library.found;
}

/* ---- Terms ---- */

enum term_kind { UNKNOWN, TRUTH, WHOLE, FRACTION, OPAQUE };

struct term {
  enum term_kind kind;
  z3_ast value; /* a Bool of TRUTH; else bits: a WHOLE, a FRACTION's numerator */
  z3_ast below; /* a FRACTION's denominator, always positive */
  z3_ast fault; /* when there is no value; NULL: never */
  unsigned bits, below_bits;
  int64_t lo, hi; /* of the value, or numerator */
  int64_t below_lo, below_hi;
};

/* A node with all that it depends on. */
struct cone {
  uint32_t *nodes; /* in order */
  uint32_t *levels;
  uint32_t count, level_count;
  uint64_t combinations; /* of its variables' values; saturates */
};

struct engine {
  const struct hone_z3 *z3;
  const struct hone_component *component;
  const uint32_t *order;
  uint32_t depth;
  const struct hone_solve_limits *limits;
  z3_context context;
  z3_solver solver;
  struct place {
    z3_ast unknown; /* what Z3 looks for: the value itself, or its index */
    unsigned bits;
    int64_t lo, hi;
    bool by_value;
    const struct hone_domain *domain;
  } * places;         /* by level */
  uint32_t *level_of; /* by variable */
  struct term *terms; /* by node */
  struct hone_value *values;
  uint8_t *marks;
  struct cone checked; /* of all constraints */
  uint64_t bytes_before, steps;
  uint32_t *rows, *row;
  size_t row_count, row_capacity;
};

typedef __int128 wide;
typedef z3_ast make_pair(z3_context, z3_ast, z3_ast);
typedef z3_ast make_many(z3_context, unsigned, const z3_ast *);

static z3_ast number(struct engine *e, int64_t integer, unsigned bits)
{
  return e->z3->mk_int64(e->context, integer, e->z3->mk_bv_sort(e->context, bits));
}

static z3_ast not(struct engine * e, z3_ast a)
{
  return e->z3->mk_not(e->context, a);
}

static z3_ast join(struct engine *e, make_many *make, z3_ast a, z3_ast b)
{
  z3_ast both[2] = {a, b};

  return make(e->context, 2, both);
}

static z3_ast choose(struct engine *e, z3_ast test, z3_ast yes, z3_ast no)
{
  return yes == no ? yes : e->z3->mk_ite(e->context, test, yes, no);
}

/* Faults: NULL is never. */
static z3_ast either(struct engine *e, z3_ast a, z3_ast b)
{
  return !a ? b : !b || a == b ? a : join(e, e->z3->mk_or, a, b);
}

static z3_ast only_if(struct engine *e, z3_ast condition, z3_ast fault)
{
  return fault ? join(e, e->z3->mk_and, condition, fault) : NULL;
}

/* How wide a two's complement number has to be for lo..hi. */
static unsigned bits_for(wide lo, wide hi)
{
  unsigned bits = 1;

  while (lo >> (bits - 1) < -1 || hi >> (bits - 1) > 0)
    bits++;
  return bits;
}

/* The value in at least so many bits. */
static z3_ast widen(struct engine *e, const struct term *a, unsigned bits)
{
  if (a->lo == a->hi) return number(e, a->lo, bits);
  return bits > a->bits ? e->z3->mk_sign_ext(e->context, bits - a->bits, a->value) : a->value;
}

static unsigned wider(const struct term *a, const struct term *b)
{
  return a->bits > b->bits ? a->bits : b->bits;
}

static z3_ast apply(struct engine *e, make_pair *make, const struct term *a, const struct term *b,
                    unsigned bits)
{
  return make(e->context, widen(e, a, bits), widen(e, b, bits));
}

static struct term constant(struct engine *e, int64_t integer)
{
  unsigned bits = bits_for(integer, integer);

  return (struct term){
      .kind = WHOLE, .value = number(e, integer, bits), .bits = bits, .lo = integer, .hi = integer};
}

static z3_ast is_less(struct engine *e, const struct term *a, const struct term *b)
{
  return apply(e, e->z3->mk_bvslt, a, b, wider(a, b));
}

static z3_ast is_equal(struct engine *e, const struct term *a, const struct term *b)
{
  return apply(e, e->z3->mk_eq, a, b, wider(a, b));
}

static z3_ast is_zero(struct engine *e, const struct term *a)
{
  struct term zero = constant(e, 0);

  return is_equal(e, a, &zero);
}

static z3_ast is_negative(struct engine *e, const struct term *a)
{
  struct term zero = constant(e, 0);

  return is_less(e, a, &zero);
}

static z3_ast truth(struct engine *e, const struct term *a)
{
  return a->kind == TRUTH ? a->value : not(e, is_zero(e, a));
}

static struct term truth_term(z3_ast value, z3_ast fault)
{
  return (struct term){.kind = TRUTH, .value = value, .fault = fault, .hi = 1};
}

/* Without the upper bits that no value needs. */
static void trim(struct engine *e, struct term *a)
{
  unsigned bits = bits_for(a->lo, a->hi);

  if (bits >= a->bits) return;
  a->value = e->z3->mk_extract(e->context, bits - 1, 0, a->value);
  a->bits = bits;
}

/* A whole number within lo..hi; where that is beyond 64 bits it may fault. */
static struct term whole_term(struct engine *e, z3_ast value, unsigned bits, z3_ast fault, wide lo,
                              wide hi)
{
  struct term t = {.kind = WHOLE, .value = value, .fault = fault, .bits = bits, .hi = 1};
  struct term least_int = constant(e, INT64_MIN), most_int = constant(e, INT64_MAX);

  if (lo < INT64_MIN) t.fault = either(e, t.fault, is_less(e, &t, &least_int));
  if (hi > INT64_MAX) t.fault = either(e, t.fault, is_less(e, &most_int, &t));
  t.lo = lo < INT64_MIN ? INT64_MIN : lo > INT64_MAX ? INT64_MAX : (int64_t)lo;
  t.hi = hi > INT64_MAX ? INT64_MAX : hi < INT64_MIN ? INT64_MIN : (int64_t)hi;
  trim(e, &t);
  return t;
}

static struct term as_whole(struct engine *e, struct term a)
{
  if (a.kind != TRUTH) return a;
  return whole_term(e, choose(e, a.value, number(e, 1, 2), number(e, 0, 2)), 2, a.fault, 0, 1);
}

static bool is_constant(const struct term *a)
{
  return a->kind == WHOLE && a->lo == a->hi && !a->fault;
}

/* ---- Whole numbers ---- */

static wide least(wide a, wide b)
{
  return a < b ? a : b;
}

static wide most(wide a, wide b)
{
  return a > b ? a : b;
}

static wide magnitude(int64_t lo, int64_t hi)
{
  return most(-(wide)lo, hi);
}

/* Enough bits are taken that nothing is lost. */
static struct term arithmetic(struct engine *e, make_pair *make, struct term a, struct term b,
                              wide lo, wide hi)
{
  unsigned bits = bits_for(lo, hi);

  if (bits < wider(&a, &b)) bits = wider(&a, &b);
  return whole_term(e, apply(e, make, &a, &b, bits), bits, either(e, a.fault, b.fault), lo, hi);
}

static struct term add(struct engine *e, struct term a, struct term b)
{
  return arithmetic(e, e->z3->mk_bvadd, a, b, (wide)a.lo + b.lo, (wide)a.hi + b.hi);
}

static struct term subtract(struct engine *e, struct term a, struct term b)
{
  return arithmetic(e, e->z3->mk_bvsub, a, b, (wide)a.lo - b.hi, (wide)a.hi - b.lo);
}

static struct term multiply(struct engine *e, struct term a, struct term b)
{
  wide p = (wide)a.lo * b.lo, q = (wide)a.lo * b.hi, r = (wide)a.hi * b.lo, s = (wide)a.hi * b.hi;

  return arithmetic(e, e->z3->mk_bvmul, a, b, least(least(p, q), least(r, s)),
                    most(most(p, q), most(r, s)));
}

static bool raise(struct engine *e, struct term a, struct term b, struct term *out)
{
  struct term power = constant(e, 1);

  if (!is_constant(&b) || b.lo < 0 || b.lo > 63) return false;
  power.fault = a.fault;
  for (int64_t i = 0; i < b.lo; i++)
    power = multiply(e, power, a);
  *out = power;
  return true;
}

static z3_ast zero_fault(struct engine *e, const struct term *divisor)
{
  return divisor->lo <= 0 && divisor->hi >= 0 ? is_zero(e, divisor) : NULL;
}

/* The remainder has the divisor's sign. */
static struct term modulo(struct engine *e, struct term a, struct term b)
{
  bool simple = a.lo >= 0 && b.lo >= 0;
  wide hi = b.hi > 0 ? (wide)b.hi - 1 : 0;
  z3_ast fault = either(e, either(e, a.fault, b.fault), zero_fault(e, &b));
  unsigned bits = wider(&a, &b);

  return whole_term(e, apply(e, simple ? e->z3->mk_bvurem : e->z3->mk_bvsmod, &a, &b, bits), bits,
                    fault, b.lo < 0 ? (wide)b.lo + 1 : 0, simple ? least(hi, a.hi) : hi);
}

/* Z3 cuts towards zero: the remainder is taken off first. */
static struct term floor_divide(struct engine *e, struct term a, struct term b)
{
  bool simple = a.lo >= 0 && b.lo >= 0;
  wide reach = magnitude(a.lo, a.hi);
  z3_ast fault = either(e, either(e, a.fault, b.fault), zero_fault(e, &b));
  unsigned bits = wider(&a, &b) + !simple;
  z3_ast above = widen(e, &a, bits), below = widen(e, &b, bits), quotient;

  if (simple) {
    quotient = e->z3->mk_bvudiv(e->context, above, below);
  } else {
    above = e->z3->mk_bvsub(e->context, above, e->z3->mk_bvsmod(e->context, above, below));
    quotient = e->z3->mk_bvsdiv(e->context, above, below);
  }
  return whole_term(e, quotient, bits, fault, b.lo < 0 ? -reach : least(a.lo, 0),
                    b.lo < 0 ? reach : most(a.hi, 0));
}

static struct term negative(struct engine *e, struct term a)
{
  return subtract(e, constant(e, 0), a);
}

/* One of two whole numbers; the faults are the caller's. */
static struct term pick(struct engine *e, z3_ast test, struct term yes, struct term no)
{
  unsigned bits = wider(&yes, &no);

  return whole_term(e, choose(e, test, widen(e, &yes, bits), widen(e, &no, bits)), bits, NULL,
                    least(yes.lo, no.lo), most(yes.hi, no.hi));
}

static struct term absolute(struct engine *e, struct term a)
{
  struct term turned = negative(e, a);

  if (a.lo >= 0) return a;
  turned = pick(e, is_negative(e, &a), turned, a);
  turned.lo = 0;
  turned.fault = a.lo == INT64_MIN ? either(e, a.fault, negative(e, a).fault) : a.fault;
  return turned;
}

static struct term extreme(struct engine *e, enum hone_operator op, struct term a, struct term b)
{
  bool min = op == HONE_OP_MIN;
  struct term best = pick(e, min ? is_less(e, &b, &a) : is_less(e, &a, &b), b, a);

  best.fault = either(e, a.fault, b.fault);
  return best;
}

static struct term is_power_of_two(struct engine *e, struct term a)
{
  z3_ast powers[64];
  unsigned count = 0;

  for (int i = 0; i < 63; i++) {
    struct term power = constant(e, (int64_t)1 << i);
    if (power.lo >= a.lo && power.lo <= a.hi) powers[count++] = is_equal(e, &a, &power);
  }
  return truth_term(e->z3->mk_or(e->context, count, powers), a.fault);
}

static bool shift(struct engine *e, enum hone_operator op, struct term a, struct term b,
                  struct term *out)
{
  struct term factor;

  if (!is_constant(&b) || b.lo < 0 || b.lo > 62) return false;
  factor = constant(e, (int64_t)1 << b.lo);
  *out = op == HONE_OP_SHL ? multiply(e, a, factor) : floor_divide(e, a, factor);
  return true;
}

/* ---- Fractions: floats that are exact, or rounded where it cannot be seen ---- */

static const wide EXACT = (wide)1 << 53, ROUNDED = (wide)1 << 51;

static struct term fraction_term(struct term above, struct term below)
{
  above.kind = FRACTION;
  above.below = below.value;
  above.below_bits = below.bits;
  above.below_lo = below.lo;
  above.below_hi = below.hi;
  return above;
}

/* A whole number, or one over a constant power of two, that a double holds. */
static bool is_exact(const struct term *a)
{
  if (magnitude(a->lo, a->hi) > EXACT) return false;
  if (a->kind != FRACTION) return true;
  return a->below_lo == a->below_hi && (a->below_lo & (a->below_lo - 1)) == 0;
}

static struct term numerator(const struct term *a)
{
  return (struct term){.kind = WHOLE,
                       .value = a->value,
                       .fault = a->fault,
                       .bits = a->bits,
                       .lo = a->lo,
                       .hi = a->hi};
}

static struct term denominator(struct engine *e, const struct term *a)
{
  if (a->kind != FRACTION) return constant(e, 1);
  return (struct term){.kind = WHOLE,
                       .value = a->below,
                       .bits = a->below_bits,
                       .lo = a->below_lo,
                       .hi = a->below_hi};
}

/* Correctly rounded up to 2^53. The sign goes to the numerator. */
static bool divide(struct engine *e, struct term a, struct term b, struct term *out)
{
  wide reach_a = magnitude(a.lo, a.hi), reach_b = magnitude(b.lo, b.hi);
  z3_ast fault = either(e, either(e, a.fault, b.fault), zero_fault(e, &b));

  if (reach_a > EXACT || reach_b > EXACT) return false;
  if (b.lo < 0) {
    a = pick(e, is_negative(e, &b), negative(e, a), a);
    b = absolute(e, b);
  }
  b.lo = b.lo > 0 ? b.lo : 1;
  b.hi = (int64_t)most(reach_b, 1);
  *out = fraction_term(a, b);
  out->fault = fault;
  return true;
}

static bool real_constant(struct engine *e, double real, struct term *out)
{
  int64_t below = 1;

  for (; real != floor(real) && below < (int64_t)1 << 40; below *= 2)
    real *= 2;
  if (!(fabs(real) <= (double)EXACT) || real != floor(real)) return false;
  *out = fraction_term(constant(e, (int64_t)real), constant(e, below));
  return true;
}

/* + - * of exact floats, as long as the result is one. */
static bool exact_arithmetic(struct engine *e, enum hone_operator op, struct term a, struct term b,
                             struct term *out)
{
  struct term x = numerator(&a), y = numerator(&b);
  struct term under_x = denominator(e, &a), under_y = denominator(e, &b);
  wide common = op == HONE_OP_MUL ? (wide)under_x.lo * under_y.lo : most(under_x.lo, under_y.lo);

  if (!is_exact(&a) || !is_exact(&b) || common > EXACT) return false;
  if (op == HONE_OP_MUL) {
    *out = multiply(e, x, y);
  } else {
    x = multiply(e, x, constant(e, (int64_t)common / under_x.lo));
    y = multiply(e, y, constant(e, (int64_t)common / under_y.lo));
    if (!is_exact(&x) || !is_exact(&y)) return false;
    *out = op == HONE_OP_ADD ? add(e, x, y) : subtract(e, x, y);
  }
  *out = fraction_term(*out, constant(e, (int64_t)common));
  return is_exact(out);
}

/* floor, ceil and int: the rounded quotient of a and b lies on the same side of every integer as
 * the true one if |a| + b < 2^51. */
static bool round_fraction(struct engine *e, enum hone_operator op, struct term a, struct term *out)
{
  struct term above = numerator(&a), below = denominator(e, &a), down, up;

  if (magnitude(a.lo, a.hi) + a.below_hi > ROUNDED) return false;
  down = floor_divide(e, above, below);
  up = negative(e, floor_divide(e, negative(e, above), below));
  *out = op == HONE_OP_CEIL ? up : down;
  if (op != HONE_OP_INT) return true;
  *out = pick(e, is_negative(e, &above), up, down);
  out->fault = a.fault;
  return true;
}

/* ---- Comparisons ---- */

static z3_ast relate(struct engine *e, enum hone_operator op, const struct term *a,
                     const struct term *b)
{
  switch (op) {
  case HONE_OP_EQ: return is_equal(e, a, b);
  case HONE_OP_NE: return not(e, is_equal(e, a, b));
  case HONE_OP_LT: return is_less(e, a, b);
  case HONE_OP_LE: return not(e, is_less(e, b, a));
  case HONE_OP_GT: return is_less(e, b, a);
  case HONE_OP_GE: return not(e, is_less(e, a, b));
  default: HONE_BUG("not a comparison");
  }
}

/* a/b against c/d. Two fractions that differ do so by 1/bd at least; if |ad| and |cb| are below
 * 2^51, that is more than rounding both can take away. */
static bool compare_fractions(struct engine *e, enum hone_operator op, struct term a, struct term b,
                              struct term *out)
{
  struct term x = multiply(e, numerator(&a), denominator(e, &b));
  struct term y = multiply(e, numerator(&b), denominator(e, &a));

  if (magnitude(x.lo, x.hi) > ROUNDED || magnitude(y.lo, y.hi) > ROUNDED) return false;
  *out = truth_term(relate(e, op, &x, &y), either(e, x.fault, y.fault));
  return true;
}

static bool compare(struct engine *e, enum hone_operator op, struct term a, struct term b,
                    struct term *out)
{
  a = as_whole(e, a);
  b = as_whole(e, b);
  if (a.kind == FRACTION || b.kind == FRACTION) return compare_fractions(e, op, a, b, out);
  *out = truth_term(relate(e, op, &a, &b), either(e, a.fault, b.fault));
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

static bool member(struct engine *e, enum hone_operator op, struct term a,
                   const struct hone_instruction *list, struct term *out)
{
  const struct hone_list *items = list->value.list;
  unsigned count = 0;
  int64_t integer;
  z3_ast *equal;

  if (list->role != HONE_ROLE_CONSTANT || list->value.type != HONE_LIST) return false;
  if (a.kind != TRUTH && a.kind != WHOLE) return false;
  a = as_whole(e, a);
  equal = hone__alloc((items->count + 1) * sizeof *equal);
  for (size_t i = 0; i < items->count; i++) {
    struct term item;
    if (!to_integer(items->items[i], &integer)) continue;
    item = constant(e, integer);
    equal[count++] = is_equal(e, &a, &item);
  }
  *out = truth_term(e->z3->mk_or(e->context, count, equal), a.fault);
  if (op == HONE_OP_NOT_IN) out->value = not(e, out->value);
  free(equal);
  return true;
}

/* ---- Choices ---- */

/* What `test` chooses of; the test's own fault comes first. */
static bool choice(struct engine *e, const struct term *test, struct term yes, struct term no,
                   struct term *out)
{
  z3_ast is_true = truth(e, test), fault;

  fault = either(e, only_if(e, is_true, yes.fault), only_if(e, not(e, is_true), no.fault));
  fault = either(e, test->fault, fault);
  if (yes.kind == FRACTION || no.kind == FRACTION) return false;
  if (yes.kind == TRUTH && no.kind == TRUTH) {
    *out = truth_term(choose(e, is_true, yes.value, no.value), fault);
    return true;
  }
  *out = pick(e, is_true, as_whole(e, yes), as_whole(e, no));
  out->fault = fault;
  return true;
}

static bool is_choice(enum hone_operator op)
{
  return op == HONE_OP_AND || op == HONE_OP_OR || op == HONE_OP_IF;
}

static bool translate_choice(struct engine *e, const struct hone_instruction *node,
                             struct term *args, struct term *out)
{
  struct term *first = &args[0], *second = &args[1];
  bool done;

  if (node->op == HONE_OP_IF) return choice(e, first, *second, args[2], out);
  if (node->op == HONE_OP_AND)
    done = choice(e, first, *second, *first, out);
  else
    done = choice(e, first, *first, *second, out);
  if (done && out->kind == TRUTH)
    out->value = join(e, node->op == HONE_OP_AND ? e->z3->mk_and : e->z3->mk_or, first->value,
                      second->value);
  return done;
}

/* ---- Operators ---- */

static bool translate_one(struct engine *e, enum hone_operator op, struct term a, struct term *out)
{
  bool fraction = a.kind == FRACTION;

  if (op == HONE_OP_NOT || op == HONE_OP_BOOL) {
    *out = truth_term(truth(e, &a), a.fault);
    if (op == HONE_OP_NOT) out->value = not(e, out->value);
    return true;
  }
  a = as_whole(e, a);
  *out = a;
  switch (op) {
  case HONE_OP_POS: return true;
  case HONE_OP_FLOAT: *out = fraction ? a : fraction_term(a, constant(e, 1)); return is_exact(out);
  case HONE_OP_CEIL:
  case HONE_OP_FLOOR:
  case HONE_OP_INT: return fraction ? round_fraction(e, op, a, out) : true;
  default: break;
  }
  if (fraction) return false;
  switch (op) {
  case HONE_OP_NEG: *out = negative(e, a); return true;
  case HONE_OP_ABS: *out = absolute(e, a); return true;
  case HONE_OP_INV: *out = subtract(e, constant(e, -1), a); return true;
  case HONE_OP_POW2: *out = is_power_of_two(e, a); return true;
  default: return false;
  }
}

static bool translate_whole(struct engine *e, enum hone_operator op, struct term a, struct term b,
                            struct term *out)
{
  switch (op) {
  case HONE_OP_ADD: *out = add(e, a, b); return true;
  case HONE_OP_SUB: *out = subtract(e, a, b); return true;
  case HONE_OP_MUL: *out = multiply(e, a, b); return true;
  case HONE_OP_FLOORDIV: *out = floor_divide(e, a, b); return true;
  case HONE_OP_MOD: *out = modulo(e, a, b); return true;
  case HONE_OP_DIVIDES:
    *out = modulo(e, b, a);
    *out = truth_term(is_zero(e, out), out->fault);
    return true;
  case HONE_OP_MIN:
  case HONE_OP_MAX: *out = extreme(e, op, a, b); return true;
  case HONE_OP_DIV: return divide(e, a, b, out);
  case HONE_OP_POW: return raise(e, a, b, out);
  case HONE_OP_SHL:
  case HONE_OP_SHR: return shift(e, op, a, b, out);
  default: return false;
  }
}

static bool translate_two(struct engine *e, enum hone_operator op, struct term a, struct term b,
                          struct term *out)
{
  if (op >= HONE_OP_EQ && op <= HONE_OP_GE) return compare(e, op, a, b, out);
  a = as_whole(e, a);
  b = as_whole(e, b);
  if (a.kind == WHOLE && b.kind == WHOLE) return translate_whole(e, op, a, b, out);
  if (op == HONE_OP_ADD || op == HONE_OP_SUB || op == HONE_OP_MUL)
    return exact_arithmetic(e, op, a, b, out);
  return false;
}

/* False where there is no exact term. */
static bool translate_operator(struct engine *e, const struct hone_instruction *node,
                               struct term *out)
{
  struct term args[3];

  for (int i = 0; i < node->arity; i++)
    args[i] = e->terms[node->args[i]];
  if (node->op == HONE_OP_IN || node->op == HONE_OP_NOT_IN)
    return member(e, node->op, args[0], &e->component->program->nodes[node->args[1]], out);
  for (int i = 0; i < node->arity; i++)
    if (args[i].kind == OPAQUE) return false;
  if (is_choice(node->op)) return translate_choice(e, node, args, out);
  if (node->arity == 1) return translate_one(e, node->op, args[0], out);
  return translate_two(e, node->op, args[0], args[1], out);
}

/* ---- Cones ---- */

static void cone_release(struct cone *cone)
{
  free(cone->nodes);
  free(cone->levels);
}

static void add_to_cone(struct engine *e, struct cone *cone, uint32_t at)
{
  const struct hone_instruction *node = &e->component->program->nodes[at];
  uint32_t level;

  cone->nodes[cone->count++] = at;
  if (node->role != HONE_ROLE_VARIABLE) return;
  level = e->level_of[node->variable];
  cone->levels[cone->level_count++] = level;
  if (__builtin_mul_overflow(cone->combinations, e->places[level].domain->count,
                             &cone->combinations))
    cone->combinations = UINT64_MAX;
}

static void cone_make(struct engine *e, const uint32_t *roots, size_t root_count, struct cone *cone)
{
  const struct hone_program *program = e->component->program;

  *cone = (struct cone){.nodes = hone__alloc((program->count + 1) * sizeof *cone->nodes),
                        .levels = hone__alloc((e->depth + 1) * sizeof *cone->levels),
                        .combinations = 1};
  memset(e->marks, 0, program->count);
  for (size_t i = 0; i < root_count; i++)
    e->marks[roots[i]] = 1;
  for (uint32_t i = program->count; i-- > 0;)
    for (int k = 0; e->marks[i] && k < program->nodes[i].arity; k++)
      e->marks[program->nodes[i].args[k]] = 1;
  for (uint32_t i = 0; i < program->count; i++)
    if (e->marks[i]) add_to_cone(e, cone, i);
}

/* Values of all the cone's nodes, for the row of value indices by level. */
static void evaluate(struct engine *e, const struct cone *cone, const uint32_t *row)
{
  const struct hone_instruction *nodes = e->component->program->nodes;

  for (uint32_t i = 0; i < cone->count; i++) {
    uint32_t at = cone->nodes[i], level;
    if (nodes[at].role == HONE_ROLE_VARIABLE) {
      level = e->level_of[nodes[at].variable];
      e->values[at] = hone__domain_value(e->places[level].domain, row[level]);
    } else {
      e->values[at] = hone__instruction_run(&nodes[at], e->values);
    }
  }
}

/* ---- Tables ---- */

struct table {
  struct cone cone;
  struct hone_value *results; /* of all combinations, the last level fastest */
  unsigned bits;              /* of whole numbers */
};

static void table_release(struct table *table)
{
  cone_release(&table->cone);
  free(table->results);
}

/* False where there are more than `limit` combinations. */
static bool table_make(struct engine *e, uint32_t node, uint64_t limit, struct table *table)
{
  const struct cone *cone = &table->cone;

  *table = (struct table){0};
  cone_make(e, &node, 1, &table->cone);
  if (cone->combinations > limit) return false;
  table->results = hone__alloc(cone->combinations * sizeof *table->results);
  memset(e->row, 0, e->depth * sizeof *e->row);
  for (uint64_t i = 0; i < cone->combinations; i++) {
    evaluate(e, cone, e->row);
    table->results[i] = e->values[node];
    for (uint32_t k = cone->level_count; k-- > 0;) {
      if (++e->row[cone->levels[k]] < e->places[cone->levels[k]].domain->count) break;
      e->row[cone->levels[k]] = 0;
    }
  }
  return true;
}

typedef z3_ast leaf_of(struct engine *e, struct hone_value value, unsigned bits);

static z3_ast boolean(struct engine *e, bool b)
{
  return b ? e->z3->mk_true(e->context) : e->z3->mk_false(e->context);
}

static z3_ast fault_leaf(struct engine *e, struct hone_value value, unsigned bits)
{
  (void)bits;
  return boolean(e, value.type == HONE__FAULT);
}

static z3_ast truth_leaf(struct engine *e, struct hone_value value, unsigned bits)
{
  (void)bits;
  return boolean(e, value.type != HONE__FAULT && hone__value_truth(value));
}

static z3_ast not_false_leaf(struct engine *e, struct hone_value value, unsigned bits)
{
  (void)bits;
  return boolean(e, value.type == HONE__FAULT || hone__value_truth(value));
}

static z3_ast whole_leaf(struct engine *e, struct hone_value value, unsigned bits)
{
  return number(e, value.type == HONE__FAULT ? 0 : value.integer, bits);
}

static z3_ast has_index(struct engine *e, const struct place *place, uint32_t index)
{
  int64_t n = place->by_value ? hone__domain_value(place->domain, index).integer : index;

  return e->z3->mk_eq(e->context, place->unknown, number(e, n, place->bits));
}

static z3_ast has_index_between(struct engine *e, const struct place *place, uint32_t first,
                                uint32_t last)
{
  z3_ast low = number(e, first, place->bits), high = number(e, last, place->bits);

  return join(e, e->z3->mk_and, e->z3->mk_bvsle(e->context, low, place->unknown),
              e->z3->mk_bvsle(e->context, place->unknown, high));
}

/* What the values of one level lead to; sorted, so that equal ones are neighbours. */
struct branch {
  unsigned id;
  uint32_t index;
  z3_ast to;
};

static int compare_branches(const void *a, const void *b)
{
  const struct branch *x = a, *y = b;

  if (x->id != y->id) return x->id < y->id ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* Past the last of the branches from `first` on whose indices follow each other. */
static uint32_t end_of_run(const struct branch *branches, uint32_t first, uint32_t count)
{
  uint32_t end = first + 1;

  while (end < count && branches[end].index == branches[end - 1].index + 1)
    end++;
  return end;
}

/* The place has one of the branches' indices. */
static z3_ast is_among(struct engine *e, const struct place *place, const struct branch *branches,
                       uint32_t count)
{
  z3_ast *parts = hone__alloc(count * sizeof *parts), any;
  unsigned used = 0;

  for (uint32_t i = 0, end; i < count; i = end) {
    end = place->by_value ? i + 1 : end_of_run(branches, i, count);
    parts[used++] = end == i + 1
                        ? has_index(e, place, branches[i].index)
                        : has_index_between(e, place, branches[i].index, branches[end - 1].index);
  }
  any = used == 1 ? parts[0] : e->z3->mk_or(e->context, used, parts);
  free(parts);
  return any;
}

/* Where most of the values lead is what is left when all others are excluded. */
static z3_ast choose_branch(struct engine *e, const struct place *place, struct branch *branches,
                            uint32_t count)
{
  uint32_t best = 0, best_width = 0, end;
  z3_ast term;

  qsort(branches, count, sizeof *branches, compare_branches);
  for (uint32_t i = 0; i < count; i = end) {
    for (end = i; end < count && branches[end].id == branches[i].id;)
      end++;
    if (end - i > best_width) {
      best_width = end - i;
      best = i;
    }
  }
  term = branches[best].to;
  for (uint32_t i = 0; i < count; i = end) {
    for (end = i; end < count && branches[end].id == branches[i].id;)
      end++;
    if (i != best)
      term = choose(e, is_among(e, place, branches + i, end - i), branches[i].to, term);
  }
  return term;
}

static z3_ast table_branch(struct engine *e, const struct table *table, leaf_of *leaf, uint32_t k,
                           uint64_t first, uint64_t count)
{
  const struct place *place;
  struct branch *branches;
  uint64_t width;
  z3_ast term;

  if (k == table->cone.level_count) return leaf(e, table->results[first], table->bits);
  place = &e->places[table->cone.levels[k]];
  width = count / place->domain->count;
  branches = hone__alloc(place->domain->count * sizeof *branches);
  for (uint32_t i = 0; i < place->domain->count; i++) {
    branches[i].index = i;
    branches[i].to = table_branch(e, table, leaf, k + 1, first + i * width, width);
    branches[i].id = e->z3->get_ast_id(e->context, branches[i].to);
  }
  term = choose_branch(e, place, branches, place->domain->count);
  free(branches);
  return term;
}

static z3_ast table_term(struct engine *e, const struct table *table, leaf_of *leaf)
{
  return table_branch(e, table, leaf, 0, 0, table->cone.combinations);
}

static z3_ast table_fault(struct engine *e, const struct table *table)
{
  for (uint64_t i = 0; i < table->cone.combinations; i++)
    if (table->results[i].type == HONE__FAULT) return table_term(e, table, fault_leaf);
  return NULL;
}

/* False where some value is not a whole number. */
static bool table_bounds(const struct table *table, int64_t *lo, int64_t *hi)
{
  *lo = INT64_MAX;
  *hi = INT64_MIN;
  for (uint64_t i = 0; i < table->cone.combinations; i++) {
    struct hone_value v = table->results[i];
    if (v.type == HONE__FAULT)
      v.integer = 0;
    else if (v.type != HONE_INT && v.type != HONE_BOOL)
      return false;
    if (v.integer < *lo) *lo = v.integer;
    if (v.integer > *hi) *hi = v.integer;
  }
  return true;
}

/* Makes an opaque node a whole number, if it is one and its table is short. */
static void tabulate_whole(struct engine *e, uint32_t node)
{
  struct table table;
  int64_t lo, hi;

  if (table_make(e, node, MOST_ENTRIES, &table) && table_bounds(&table, &lo, &hi)) {
    table.bits = bits_for(lo, hi);
    e->terms[node] = whole_term(e, table_term(e, &table, whole_leaf), table.bits,
                                table_fault(e, &table), lo, hi);
  }
  table_release(&table);
}

/* ---- Constraints ---- */

static void translate_constant(struct engine *e, struct hone_value value, struct term *out)
{
  *out = (struct term){.kind = OPAQUE};
  if (value.type == HONE__FAULT)
    *out = truth_term(boolean(e, false), boolean(e, true));
  else if (value.type == HONE_BOOL)
    *out = truth_term(boolean(e, value.integer), NULL);
  else if (value.type == HONE_INT)
    *out = constant(e, value.integer);
  else if (value.type == HONE_FLOAT && !real_constant(e, value.real, out))
    *out = (struct term){.kind = OPAQUE};
}

static void translate_variable(struct engine *e, uint32_t variable, struct term *out)
{
  const struct place *place = &e->places[e->level_of[variable]];
  const struct hone_domain *domain = place->domain;

  *out = (struct term){.kind = OPAQUE};
  if (!place->by_value && !domain->is_range) return;
  *out = whole_term(e, place->unknown, place->bits, NULL, place->lo, place->hi);
  if (place->by_value) return;
  *out = multiply(e, *out, constant(e, domain->range.step));
  *out = add(e, *out, constant(e, domain->range.start));
}

static hone_status cannot_give(struct engine *e, const struct cone *cone)
{
  struct hone_text names = {0};
  hone_status status;

  for (uint32_t i = 0; i < cone->level_count; i++)
    hone__text_addf(&names, "%s%s", i ? ", " : "", e->places[cone->levels[i]].domain->name);
  status = hone__error(HONE_UNAVAILABLE,
                       "a constraint on %s cannot be given to Z3: it is not arithmetic of integers "
                       "alone, and %llu combinations of values are too many for a table",
                       names.data ? names.data : "nothing", (unsigned long long)cone->combinations);
  hone__text_release(&names);
  return status;
}

/* Whole arguments out of tables, where the whole node has too many combinations for one. */
static bool translate_with_tables(struct engine *e, const struct hone_instruction *node,
                                  struct term *out)
{
  for (int i = 0; i < node->arity; i++)
    if (e->terms[node->args[i]].kind == OPAQUE) tabulate_whole(e, node->args[i]);
  return translate_operator(e, node, out);
}

static void tabulate_truth(struct engine *e, uint32_t node)
{
  struct table table;

  if (table_make(e, node, MOST_COMBINATIONS, &table))
    e->terms[node] = truth_term(table_term(e, &table, truth_leaf), table_fault(e, &table));
  table_release(&table);
}

/* No term is exact: there is a table, now or at a node above. */
static hone_status translate_otherwise(struct engine *e, uint32_t at)
{
  const struct hone_instruction *node = &e->component->program->nodes[at];
  hone_status status = NULL;
  struct cone cone;

  cone_make(e, &at, 1, &cone);
  e->terms[at] = (struct term){.kind = OPAQUE};
  if (cone.combinations > MOST_COMBINATIONS) {
    if (!translate_with_tables(e, node, &e->terms[at])) status = cannot_give(e, &cone);
  } else if (!(node->types & ~(HONE__T_BOOL | HONE__T_FAULT))) {
    tabulate_truth(e, at);
  }
  cone_release(&cone);
  return status;
}

static hone_status translate(struct engine *e, uint32_t at)
{
  const struct hone_instruction *node = &e->component->program->nodes[at];
  struct term *term = &e->terms[at];

  if (term->kind != UNKNOWN) return NULL;
  if (node->role == HONE_ROLE_CONSTANT)
    translate_constant(e, node->value, term);
  else if (node->role == HONE_ROLE_VARIABLE)
    translate_variable(e, node->variable, term);
  else if (!translate_operator(e, node, term))
    return translate_otherwise(e, at);
  return NULL;
}

static void assert_term(struct engine *e, z3_ast term)
{
  e->z3->solver_assert(e->context, e->solver, term);
}

/* The constraint holds, or faults. */
static hone_status assert_constraint(struct engine *e, uint32_t node)
{
  const struct term *term = &e->terms[node];
  hone_status status = NULL;
  struct table table;

  if (term->kind != OPAQUE) {
    assert_term(e, either(e, truth(e, term), term->fault));
    return NULL;
  }
  if (table_make(e, node, MOST_COMBINATIONS, &table))
    assert_term(e, table_term(e, &table, not_false_leaf));
  else
    status = cannot_give(e, &table.cone);
  table_release(&table);
  return status;
}

static hone_status assert_constraints(struct engine *e)
{
  hone_status status = NULL;

  for (uint32_t i = 0; i < e->checked.count && !status; i++)
    status = translate(e, e->checked.nodes[i]);
  for (size_t i = 0; i < e->component->constraint_count && !status; i++)
    status = assert_constraint(e, e->component->constraints[i]);
  return status;
}

/* ---- Domains ---- */

/* Integers, no two of them equal: the value says which index it is. */
static bool tells_index(const struct hone_domain *domain)
{
  uint32_t found;

  if (domain->is_range || domain->types & ~HONE__T_WHOLE) return false;
  for (uint32_t i = 0; i < domain->count; i++)
    if (!hone__domain_find(domain, domain->values[i], &found) || found != i) return false;
  return true;
}

static void assert_domain(struct engine *e, const struct place *place)
{
  uint32_t count = place->domain->count;
  z3_ast *equal;

  if (!place->by_value) {
    assert_term(e, has_index_between(e, place, 0, count - 1));
    return;
  }
  equal = hone__alloc(count * sizeof *equal);
  for (uint32_t i = 0; i < count; i++)
    equal[i] = has_index(e, place, i);
  assert_term(e, e->z3->mk_or(e->context, count, equal));
  free(equal);
}

static void make_place(struct engine *e, struct place *place, int name)
{
  const struct hone_domain *domain = place->domain;

  place->by_value = tells_index(domain);
  place->hi = domain->count - 1;
  for (uint32_t i = 0; place->by_value && i < domain->count; i++) {
    int64_t value = domain->values[i].integer;
    place->lo = i ? (int64_t)least(place->lo, value) : value;
    place->hi = i ? (int64_t)most(place->hi, value) : value;
  }
  place->bits = bits_for(place->lo, place->hi);
  place->unknown = e->z3->mk_const(e->context, e->z3->mk_int_symbol(e->context, name),
                                   e->z3->mk_bv_sort(e->context, place->bits));
  assert_domain(e, place);
}

/* ---- Solutions ---- */

static hone_status exhausted(const struct engine *e)
{
  return hone__error(HONE_EXHAUSTED, "the memory limit of %zu MiB is reached",
                     e->limits->memory_bytes >> 20);
}

static hone_status check_limits(struct engine *e)
{
  uint64_t bytes = e->z3->get_estimated_alloc_size();

  bytes = bytes > e->bytes_before ? bytes - e->bytes_before : 0;
  bytes += e->row_capacity * e->depth * sizeof *e->rows;
  if (bytes > e->limits->memory_bytes) return exhausted(e);
  if (e->limits->steps && e->steps > e->limits->steps)
    return hone__error(HONE_EXHAUSTED, "the limit of %llu steps is reached",
                       (unsigned long long)e->limits->steps);
  if (e->limits->progress && e->steps % 64 == 0 &&
      !e->limits->progress(e->limits->progress_data, "solving with Z3",
                           hone__clock() - e->limits->started))
    return hone__error(HONE_EXHAUSTED, "stopped");
  return NULL;
}

static hone_status add_row(struct engine *e)
{
  size_t capacity = e->row_capacity ? 2 * e->row_capacity : 64;
  uint32_t *grown;

  if (e->row_count == e->row_capacity) {
    if (capacity * e->depth * sizeof *grown > e->limits->memory_bytes) return exhausted(e);
    grown = realloc(e->rows, capacity * e->depth * sizeof *grown);
    if (!grown) return exhausted(e);
    e->rows = grown;
    e->row_capacity = capacity;
  }
  memcpy(e->rows + e->row_count++ * e->depth, e->row, e->depth * sizeof *e->row);
  return NULL;
}

static hone_status gave_up(const char *why)
{
  return hone__error(HONE_UNAVAILABLE, "Z3 gave up: %s", why);
}

/* The index of the place's value in the model; false if it has none. */
static bool read_place(struct engine *e, z3_model model, const struct place *place,
                       uint32_t *out_index)
{
  unsigned spare = 64 - place->bits;
  uint64_t word;
  int64_t integer;
  z3_ast value;

  if (!e->z3->model_eval(e->context, model, place->unknown, true, &value) ||
      !e->z3->get_numeral_uint64(e->context, value, &word))
    return false;
  integer = (int64_t)(word << spare) >> spare;
  if (place->by_value) return hone__domain_find(place->domain, hone__int(integer), out_index);
  *out_index = (uint32_t)integer;
  return integer >= 0 && integer < place->domain->count;
}

static hone_status read_row(struct engine *e)
{
  z3_model model = e->z3->solver_get_model(e->context, e->solver);
  hone_status status = NULL;

  if (!model) return gave_up("it has no model");
  e->z3->model_inc_ref(e->context, model);
  for (uint32_t i = 0; i < e->depth && !status; i++)
    if (!read_place(e, model, &e->places[i], &e->row[i]))
      status = gave_up("its model is not within the domains");
  e->z3->model_dec_ref(e->context, model);
  return status;
}

/* The evaluator's word on the row: a solution, a fault, or (a defect of the terms) neither. */
static hone_status judge_row(struct engine *e, struct hone_solve_fault *fault)
{
  evaluate(e, &e->checked, e->row);
  for (size_t i = 0; i < e->component->constraint_count; i++) {
    struct hone_value v = e->values[e->component->constraints[i]];
    if (v.type == HONE__FAULT || hone__value_truth(v)) continue;
#ifndef NDEBUG
    HONE_BUG("Z3 found a row that a constraint rejects");
#endif
    return NULL;
  }
  for (size_t i = 0; i < e->component->constraint_count; i++) {
    struct hone_value v = e->values[e->component->constraints[i]];
    if (v.type != HONE__FAULT || v.integer == HONE_FAULT_NAME) continue;
    *fault = (struct hone_solve_fault){.found = true,
                                       .constraint = e->component->constraints[i],
                                       .fault = (enum hone_fault)v.integer,
                                       .row = hone__alloc(e->depth * sizeof *fault->row)};
    memcpy(fault->row, e->row, e->depth * sizeof *e->row);
    return NULL;
  }
  return add_row(e);
}

static void block_row(struct engine *e)
{
  z3_ast *differ = hone__alloc(e->depth * sizeof *differ);

  for (uint32_t i = 0; i < e->depth; i++)
    differ[i] = not(e, has_index(e, &e->places[i], e->row[i]));
  assert_term(e, e->z3->mk_or(e->context, e->depth, differ));
  free(differ);
}

static hone_status check(struct engine *e, bool *out_found)
{
  int answer, error;
  hone_status status;

  e->steps++;
  status = check_limits(e);
  if (status) return status;
  answer = e->z3->solver_check(e->context, e->solver);
  *out_found = answer == Z3_TRUE;
  error = e->z3->get_error_code(e->context);
  if (error) return gave_up(e->z3->get_error_msg(e->context, error));
  if (answer == Z3_UNDEF) return gave_up(e->z3->solver_get_reason_unknown(e->context, e->solver));
  return NULL;
}

static hone_status enumerate(struct engine *e, struct hone_solve_fault *fault)
{
  hone_status status;
  bool found;

  for (;;) {
    status = check(e, &found);
    if (status || !found) return status;
    status = read_row(e);
    if (!status) status = judge_row(e, fault);
    if (status || fault->found) return status;
    block_row(e);
  }
}

/* ---- Solving ---- */

static bool engine_init(struct engine *e)
{
  const struct hone_program *program = e->component->program;
  uint32_t variables = 0;
  z3_config config;

  for (uint32_t i = 0; i < e->depth; i++)
    if (e->order[i] >= variables) variables = e->order[i] + 1;
  e->places = hone__alloc((e->depth + 1) * sizeof *e->places);
  e->row = hone__alloc((e->depth + 1) * sizeof *e->row);
  e->level_of = hone__alloc((variables + 1) * sizeof *e->level_of);
  e->terms = hone__alloc((program->count + 1) * sizeof *e->terms);
  e->values = hone__alloc((program->count + 1) * sizeof *e->values);
  e->marks = hone__alloc(program->count + 1);
  for (uint32_t i = 0; i < e->depth; i++) {
    e->level_of[e->order[i]] = i;
    e->places[i].domain = e->component->domains[e->order[i]];
    if (!e->places[i].domain->count) return false;
  }
  cone_make(e, e->component->constraints, e->component->constraint_count, &e->checked);
  e->bytes_before = e->z3->get_estimated_alloc_size();
  config = e->z3->mk_config();
  e->context = e->z3->mk_context(config);
  e->z3->del_config(config);
  e->z3->set_error_handler(e->context, NULL);
  e->solver = e->z3->mk_solver_for_logic(e->context, e->z3->mk_string_symbol(e->context, "QF_FD"));
  e->z3->solver_inc_ref(e->context, e->solver);
  return true;
}

static void engine_release(struct engine *e)
{
  if (e->solver) e->z3->solver_dec_ref(e->context, e->solver);
  if (e->context) e->z3->del_context(e->context);
  cone_release(&e->checked);
  free(e->places);
  free(e->row);
  free(e->rows);
  free(e->level_of);
  free(e->terms);
  free(e->values);
  free(e->marks);
}

static int compare_rows(const void *a, const void *b, void *depth)
{
  const uint32_t *x = a, *y = b;

  for (uint32_t i = 0; i < *(uint32_t *)depth; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

static hone_status run(struct engine *e, struct hone_solve_fault *fault)
{
  hone_status status;

  for (uint32_t i = 0; i < e->depth; i++)
    make_place(e, &e->places[i], (int)i);
  status = assert_constraints(e);
  if (!status) status = enumerate(e, fault);
  if (!status && e->row_count)
    qsort_r(e->rows, e->row_count, e->depth * sizeof *e->rows, compare_rows, &e->depth);
  return status;
}

hone_status hone__z3_solve(const struct hone_component *component, const uint32_t *order,
                           uint32_t depth, const struct hone_solve_limits *limits,
                           struct hone_solve_fault *out_fault, struct hone_diagram **out_diagram)
{
  struct engine e = {
      .component = component, .order = order, .depth = depth, .limits = limits, .z3 = &library.z3};
  hone_status status = NULL;
  const char *advice;

  *out_diagram = NULL;
  *out_fault = (struct hone_solve_fault){0};
  if (!hone__z3_available(&advice))
    return hone__error(HONE_UNAVAILABLE, "cannot find libz3: %s", advice);
  if (engine_init(&e) && depth) status = run(&e, out_fault);
  if (!status && !out_fault->found)
    status = hone__diagram_from_rows(e.rows, e.row_count, depth, out_diagram);
  engine_release(&e);
  return status;
}
