/* A whole number is as many bits as its bounds need (two's complement), so that nothing wraps: a
 * product is made 128 bits wide if it has to be, and loses the upper ones again as soon as its
 * bounds allow. Where the bounds say that it may leave 64 bits, leaving them is part of its fault.
 *
 * (Z3's unbounded integers were slower, and with them x * y == 3628800 over ranges up to 100000 did
 * not end within minutes.) */
#include "space/z3_bits.h"

typedef z3_ast make_pair(z3_context, z3_ast, z3_ast);

/* ---- Conditions ---- */

z3_ast hone__z3_boolean(const struct hone__z3 *z, bool b)
{
  return b ? z->api->mk_true(z->context) : z->api->mk_false(z->context);
}

z3_ast hone__z3_not(const struct hone__z3 *z, z3_ast a)
{
  return z->api->mk_not(z->context, a);
}

z3_ast hone__z3_and(const struct hone__z3 *z, z3_ast a, z3_ast b)
{
  return z->api->mk_and(z->context, 2, (z3_ast[]){a, b});
}

z3_ast hone__z3_or(const struct hone__z3 *z, z3_ast a, z3_ast b)
{
  return z->api->mk_or(z->context, 2, (z3_ast[]){a, b});
}

z3_ast hone__z3_choose(const struct hone__z3 *z, z3_ast test, z3_ast yes, z3_ast no)
{
  return yes == no ? yes : z->api->mk_ite(z->context, test, yes, no);
}

z3_ast hone__z3_either(const struct hone__z3 *z, z3_ast a, z3_ast b)
{
  return !a ? b : !b || a == b ? a : hone__z3_or(z, a, b);
}

/* ---- Bits ---- */

z3_ast hone__z3_number(const struct hone__z3 *z, int64_t integer, unsigned bits)
{
  return z->api->mk_int64(z->context, integer, z->api->mk_bv_sort(z->context, bits));
}

unsigned hone__z3_bits_for(hone__z3_wide lo, hone__z3_wide hi)
{
  unsigned bits = 1;

  while (lo >> (bits - 1) < -1 || hi >> (bits - 1) > 0)
    bits++;
  return bits;
}

/* The value in at least that many bits. */
static z3_ast widen(const struct hone__z3 *z, const struct hone__z3_term *a, unsigned bits)
{
  if (a->lo == a->hi) return hone__z3_number(z, a->lo, bits);
  return bits > a->bits ? z->api->mk_sign_ext(z->context, bits - a->bits, a->value) : a->value;
}

static unsigned wider(const struct hone__z3_term *a, const struct hone__z3_term *b)
{
  return a->bits > b->bits ? a->bits : b->bits;
}

static z3_ast apply(const struct hone__z3 *z, make_pair *make, const struct hone__z3_term *a,
                    const struct hone__z3_term *b, unsigned bits)
{
  return make(z->context, widen(z, a, bits), widen(z, b, bits));
}

struct hone__z3_term hone__z3_constant(const struct hone__z3 *z, int64_t integer)
{
  unsigned bits = hone__z3_bits_for(integer, integer);

  return (struct hone__z3_term){.kind = HONE__Z3_WHOLE,
                                .value = hone__z3_number(z, integer, bits),
                                .bits = bits,
                                .lo = integer,
                                .hi = integer};
}

z3_ast hone__z3_is_less(const struct hone__z3 *z, const struct hone__z3_term *a,
                        const struct hone__z3_term *b)
{
  return apply(z, z->api->mk_bvslt, a, b, wider(a, b));
}

z3_ast hone__z3_is_equal(const struct hone__z3 *z, const struct hone__z3_term *a,
                         const struct hone__z3_term *b)
{
  return apply(z, z->api->mk_eq, a, b, wider(a, b));
}

static z3_ast is_zero(const struct hone__z3 *z, const struct hone__z3_term *a)
{
  struct hone__z3_term zero = hone__z3_constant(z, 0);

  return hone__z3_is_equal(z, a, &zero);
}

z3_ast hone__z3_is_negative(const struct hone__z3 *z, const struct hone__z3_term *a)
{
  struct hone__z3_term zero = hone__z3_constant(z, 0);

  return hone__z3_is_less(z, a, &zero);
}

z3_ast hone__z3_truth(const struct hone__z3 *z, const struct hone__z3_term *a)
{
  return a->kind == HONE__Z3_TRUTH ? a->value : hone__z3_not(z, is_zero(z, a));
}

struct hone__z3_term hone__z3_truth_term(z3_ast value, z3_ast fault)
{
  return (struct hone__z3_term){.kind = HONE__Z3_TRUTH, .value = value, .fault = fault, .hi = 1};
}

/* Without the upper bits that no value needs. */
static void trim(const struct hone__z3 *z, struct hone__z3_term *a)
{
  unsigned bits = hone__z3_bits_for(a->lo, a->hi);

  if (bits >= a->bits) return;
  a->value = z->api->mk_extract(z->context, bits - 1, 0, a->value);
  a->bits = bits;
}

struct hone__z3_term hone__z3_whole_term(const struct hone__z3 *z, z3_ast value, unsigned bits,
                                         z3_ast fault, hone__z3_wide lo, hone__z3_wide hi)
{
  struct hone__z3_term t = {
      .kind = HONE__Z3_WHOLE, .value = value, .fault = fault, .bits = bits, .hi = 1};
  struct hone__z3_term least_int = hone__z3_constant(z, INT64_MIN),
                       most_int = hone__z3_constant(z, INT64_MAX);

  if (lo < INT64_MIN) t.fault = hone__z3_either(z, t.fault, hone__z3_is_less(z, &t, &least_int));
  if (hi > INT64_MAX) t.fault = hone__z3_either(z, t.fault, hone__z3_is_less(z, &most_int, &t));
  t.lo = lo < INT64_MIN ? INT64_MIN : lo > INT64_MAX ? INT64_MAX : (int64_t)lo;
  t.hi = hi > INT64_MAX ? INT64_MAX : hi < INT64_MIN ? INT64_MIN : (int64_t)hi;
  trim(z, &t);
  return t;
}

struct hone__z3_term hone__z3_as_whole(const struct hone__z3 *z, struct hone__z3_term a)
{
  if (a.kind != HONE__Z3_TRUTH) return a;
  return hone__z3_whole_term(
      z, hone__z3_choose(z, a.value, hone__z3_number(z, 1, 2), hone__z3_number(z, 0, 2)), 2,
      a.fault, 0, 1);
}

static bool is_constant(const struct hone__z3_term *a)
{
  return a->kind == HONE__Z3_WHOLE && a->lo == a->hi && !a->fault;
}

/* ---- Whole numbers ---- */

static hone__z3_wide least(hone__z3_wide a, hone__z3_wide b)
{
  return a < b ? a : b;
}

static hone__z3_wide most(hone__z3_wide a, hone__z3_wide b)
{
  return a > b ? a : b;
}

hone__z3_wide hone__z3_magnitude(const struct hone__z3_term *a)
{
  return most(-(hone__z3_wide)a->lo, a->hi);
}

/* Enough bits are taken that nothing is lost. */
static struct hone__z3_term arithmetic(const struct hone__z3 *z, make_pair *make,
                                       struct hone__z3_term a, struct hone__z3_term b,
                                       hone__z3_wide lo, hone__z3_wide hi)
{
  unsigned bits = hone__z3_bits_for(lo, hi);

  if (bits < wider(&a, &b)) bits = wider(&a, &b);
  return hone__z3_whole_term(z, apply(z, make, &a, &b, bits), bits,
                             hone__z3_either(z, a.fault, b.fault), lo, hi);
}

struct hone__z3_term hone__z3_add(const struct hone__z3 *z, struct hone__z3_term a,
                                  struct hone__z3_term b)
{
  return arithmetic(z, z->api->mk_bvadd, a, b, (hone__z3_wide)a.lo + b.lo,
                    (hone__z3_wide)a.hi + b.hi);
}

struct hone__z3_term hone__z3_subtract(const struct hone__z3 *z, struct hone__z3_term a,
                                       struct hone__z3_term b)
{
  return arithmetic(z, z->api->mk_bvsub, a, b, (hone__z3_wide)a.lo - b.hi,
                    (hone__z3_wide)a.hi - b.lo);
}

struct hone__z3_term hone__z3_multiply(const struct hone__z3 *z, struct hone__z3_term a,
                                       struct hone__z3_term b)
{
  hone__z3_wide p = (hone__z3_wide)a.lo * b.lo, q = (hone__z3_wide)a.lo * b.hi,
                r = (hone__z3_wide)a.hi * b.lo, s = (hone__z3_wide)a.hi * b.hi;

  return arithmetic(z, z->api->mk_bvmul, a, b, least(least(p, q), least(r, s)),
                    most(most(p, q), most(r, s)));
}

static bool raise(const struct hone__z3 *z, struct hone__z3_term a, struct hone__z3_term b,
                  struct hone__z3_term *out)
{
  struct hone__z3_term power = hone__z3_constant(z, 1);

  if (!is_constant(&b) || b.lo < 0 || b.lo > 63) return false;
  power.fault = a.fault;
  for (int64_t i = 0; i < b.lo; i++)
    power = hone__z3_multiply(z, power, a);
  *out = power;
  return true;
}

z3_ast hone__z3_divide_fault(const struct hone__z3 *z, const struct hone__z3_term *a,
                             const struct hone__z3_term *divisor)
{
  z3_ast fault = hone__z3_either(z, a->fault, divisor->fault);

  if (divisor->lo > 0 || divisor->hi < 0) return fault;
  return hone__z3_either(z, fault, is_zero(z, divisor));
}

/* The remainder has the divisor's sign. */
static struct hone__z3_term modulo(const struct hone__z3 *z, struct hone__z3_term a,
                                   struct hone__z3_term b)
{
  bool simple = a.lo >= 0 && b.lo >= 0;
  hone__z3_wide hi = b.hi > 0 ? (hone__z3_wide)b.hi - 1 : 0;
  z3_ast fault = hone__z3_divide_fault(z, &a, &b);
  unsigned bits = wider(&a, &b);

  return hone__z3_whole_term(
      z, apply(z, simple ? z->api->mk_bvurem : z->api->mk_bvsmod, &a, &b, bits), bits, fault,
      b.lo < 0 ? (hone__z3_wide)b.lo + 1 : 0, simple ? least(hi, a.hi) : hi);
}

/* Z3 cuts towards zero: the remainder is taken off first. */
struct hone__z3_term hone__z3_floor_divide(const struct hone__z3 *z, struct hone__z3_term a,
                                           struct hone__z3_term b)
{
  bool simple = a.lo >= 0 && b.lo >= 0;
  hone__z3_wide reach = hone__z3_magnitude(&a);
  z3_ast fault = hone__z3_divide_fault(z, &a, &b);
  unsigned bits = wider(&a, &b) + !simple;
  z3_ast above = widen(z, &a, bits), below = widen(z, &b, bits), quotient;

  if (simple) {
    quotient = z->api->mk_bvudiv(z->context, above, below);
  } else {
    above = z->api->mk_bvsub(z->context, above, z->api->mk_bvsmod(z->context, above, below));
    quotient = z->api->mk_bvsdiv(z->context, above, below);
  }
  return hone__z3_whole_term(z, quotient, bits, fault, b.lo < 0 ? -reach : least(a.lo, 0),
                             b.lo < 0 ? reach : most(a.hi, 0));
}

struct hone__z3_term hone__z3_negative(const struct hone__z3 *z, struct hone__z3_term a)
{
  return hone__z3_subtract(z, hone__z3_constant(z, 0), a);
}

struct hone__z3_term hone__z3_pick(const struct hone__z3 *z, z3_ast test, struct hone__z3_term yes,
                                   struct hone__z3_term no)
{
  unsigned bits = wider(&yes, &no);

  return hone__z3_whole_term(z, hone__z3_choose(z, test, widen(z, &yes, bits), widen(z, &no, bits)),
                             bits, NULL, least(yes.lo, no.lo), most(yes.hi, no.hi));
}

struct hone__z3_term hone__z3_absolute(const struct hone__z3 *z, struct hone__z3_term a)
{
  struct hone__z3_term turned = hone__z3_negative(z, a);

  if (a.lo >= 0) return a;
  turned = hone__z3_pick(z, hone__z3_is_negative(z, &a), turned, a);
  turned.lo = 0;
  turned.fault =
      a.lo == INT64_MIN ? hone__z3_either(z, a.fault, hone__z3_negative(z, a).fault) : a.fault;
  return turned;
}

static struct hone__z3_term extreme(const struct hone__z3 *z, enum hone__operator op,
                                    struct hone__z3_term a, struct hone__z3_term b)
{
  bool min = op == HONE__OP_MIN;
  struct hone__z3_term best =
      hone__z3_pick(z, min ? hone__z3_is_less(z, &b, &a) : hone__z3_is_less(z, &a, &b), b, a);

  best.fault = hone__z3_either(z, a.fault, b.fault);
  return best;
}

static struct hone__z3_term is_power_of_two(const struct hone__z3 *z, struct hone__z3_term a)
{
  z3_ast powers[64];
  unsigned count = 0;

  for (int i = 0; i < 63; i++) {
    struct hone__z3_term power = hone__z3_constant(z, (int64_t)1 << i);
    if (power.lo >= a.lo && power.lo <= a.hi) powers[count++] = hone__z3_is_equal(z, &a, &power);
  }
  return hone__z3_truth_term(z->api->mk_or(z->context, count, powers), a.fault);
}

static bool shift(const struct hone__z3 *z, enum hone__operator op, struct hone__z3_term a,
                  struct hone__z3_term b, struct hone__z3_term *out)
{
  struct hone__z3_term factor;

  if (!is_constant(&b) || b.lo < 0 || b.lo > 62) return false;
  factor = hone__z3_constant(z, (int64_t)1 << b.lo);
  *out = op == HONE__OP_SHL ? hone__z3_multiply(z, a, factor) : hone__z3_floor_divide(z, a, factor);
  return true;
}

bool hone__z3_whole_one(const struct hone__z3 *z, enum hone__operator op, struct hone__z3_term a,
                        struct hone__z3_term *out)
{
  switch (op) {
  case HONE__OP_NEG: *out = hone__z3_negative(z, a); return true;
  case HONE__OP_ABS: *out = hone__z3_absolute(z, a); return true;
  case HONE__OP_INV: *out = hone__z3_subtract(z, hone__z3_constant(z, -1), a); return true;
  case HONE__OP_POW2: *out = is_power_of_two(z, a); return true;
  default: return false;
  }
}

bool hone__z3_whole_two(const struct hone__z3 *z, enum hone__operator op, struct hone__z3_term a,
                        struct hone__z3_term b, struct hone__z3_term *out)
{
  switch (op) {
  case HONE__OP_ADD: *out = hone__z3_add(z, a, b); return true;
  case HONE__OP_SUB: *out = hone__z3_subtract(z, a, b); return true;
  case HONE__OP_MUL: *out = hone__z3_multiply(z, a, b); return true;
  case HONE__OP_FLOORDIV: *out = hone__z3_floor_divide(z, a, b); return true;
  case HONE__OP_MOD: *out = modulo(z, a, b); return true;
  case HONE__OP_DIVIDES:
    *out = modulo(z, b, a);
    *out = hone__z3_truth_term(is_zero(z, out), out->fault);
    return true;
  case HONE__OP_MIN:
  case HONE__OP_MAX: *out = extreme(z, op, a, b); return true;
  case HONE__OP_POW: return raise(z, a, b, out);
  case HONE__OP_SHL:
  case HONE__OP_SHR: return shift(z, op, a, b, out);
  default: return false;
  }
}
