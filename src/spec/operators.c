/* Integers are 64 bits wide and never wrap: the builtin overflow checks decide. Floor division and
 * remainder follow Python: the remainder has the divisor's sign. */
#include "spec/operators.h"
#include "base/gcd.h"

#include <math.h>

static const struct {
  int arity;
  const char *text;
} operators[] = {
#define HONE__OPERATOR_ROW(id, arity, text) [HONE__OP_##id] = {arity, text},
    HONE__OPERATORS(HONE__OPERATOR_ROW)
#undef HONE__OPERATOR_ROW
};

int hone__operator_arity(enum hone__operator op)
{
  return operators[op].arity;
}

const char *hone__operator_text(enum hone__operator op)
{
  return operators[op].text;
}

const char *hone__fault_text(enum hone__fault fault)
{
  static const char *const texts[] = {
#define HONE__FAULT_ROW(id, text) [HONE__FAULT_##id] = text,
      HONE__FAULTS(HONE__FAULT_ROW)
#undef HONE__FAULT_ROW
  };
  return texts[fault];
}

static bool is_whole(struct hone_value value)
{
  return value.type == HONE_INT || value.type == HONE_BOOL;
}

static bool is_number(struct hone_value value)
{
  return is_whole(value) || value.type == HONE_FLOAT;
}

static double to_real(struct hone_value value)
{
  return value.type == HONE_FLOAT ? value.real : (double)value.integer;
}

static enum hone__fault give_int(int64_t integer, struct hone_value *out_value)
{
  *out_value = hone__int(integer);
  return HONE__FAULT_NONE;
}

static enum hone__fault give_bool(bool boolean, struct hone_value *out_value)
{
  *out_value = hone__bool(boolean);
  return HONE__FAULT_NONE;
}

static enum hone__fault give_real(double real, struct hone_value *out_value)
{
  *out_value = hone__real(real);
  return HONE__FAULT_NONE;
}

static enum hone__fault real_to_int(double real, struct hone_value *out_value)
{
  if (!(real >= -9223372036854775808.0 && real < 9223372036854775808.0))
    return isnan(real) ? HONE__FAULT_DOMAIN : HONE__FAULT_OVERFLOW;
  return give_int((int64_t)real, out_value);
}

static bool int_power(int64_t base, int64_t exponent, int64_t *out_power)
{
  int64_t power = 1;

  if (exponent > 63 && (base > 1 || base < -1)) return false;
  for (;;) {
    if (exponent & 1 && __builtin_mul_overflow(power, base, &power)) return false;
    exponent >>= 1;
    if (!exponent) break;
    if (__builtin_mul_overflow(base, base, &base)) return false;
  }
  *out_power = power;
  return true;
}

/* Python rounds correctly also beyond 2^53; the long double comes as close as this machine can. */
static double int_divide(int64_t a, int64_t b)
{
  const int64_t exact = (int64_t)1 << 53;

  if (a >= -exact && a <= exact && b >= -exact && b <= exact) return (double)a / (double)b;
  return (double)((long double)a / (long double)b);
}

static enum hone__fault int_shift(enum hone__operator op, int64_t a, int64_t b, int64_t *out_int)
{
  if (b < 0) return HONE__FAULT_DOMAIN;
  if (op == HONE__OP_SHR) {
    *out_int = b > 62 ? (a < 0 ? -1 : 0) : a >> b;
    return HONE__FAULT_NONE;
  }
  if (a == 0) b = 0;
  if (b > 63) return HONE__FAULT_OVERFLOW;
  return __builtin_mul_overflow(a, (__int128)1 << b, out_int) ? HONE__FAULT_OVERFLOW
                                                              : HONE__FAULT_NONE;
}

static enum hone__fault int_arithmetic(enum hone__operator op, int64_t a, int64_t b,
                                       struct hone_value *out_value)
{
  int64_t result = 0;

  switch (op) {
  case HONE__OP_ADD:
    if (__builtin_add_overflow(a, b, &result)) return HONE__FAULT_OVERFLOW;
    break;
  case HONE__OP_SUB:
    if (__builtin_sub_overflow(a, b, &result)) return HONE__FAULT_OVERFLOW;
    break;
  case HONE__OP_MUL:
    if (__builtin_mul_overflow(a, b, &result)) return HONE__FAULT_OVERFLOW;
    break;
  case HONE__OP_DIV:
    if (b == 0) return HONE__FAULT_ZERO;
    return give_real(int_divide(a, b), out_value);
  case HONE__OP_FLOORDIV:
    if (b == 0) return HONE__FAULT_ZERO;
    if (b == -1) {
      if (__builtin_sub_overflow((int64_t)0, a, &result)) return HONE__FAULT_OVERFLOW;
      break;
    }
    result = a / b;
    if (a % b != 0 && (a % b < 0) != (b < 0)) result--;
    break;
  case HONE__OP_MOD:
    if (b == 0) return HONE__FAULT_ZERO;
    result = b == -1 ? 0 : a % b;
    if (result != 0 && (result < 0) != (b < 0)) result += b;
    break;
  case HONE__OP_POW:
    if (b < 0) {
      if (a == 0) return HONE__FAULT_ZERO;
      return give_real(pow((double)a, (double)b), out_value);
    }
    if (!int_power(a, b, &result)) return HONE__FAULT_OVERFLOW;
    break;
  default: HONE__BUG("not an arithmetic operator");
  }
  return give_int(result, out_value);
}

static double real_floor_divide(double a, double b)
{
  double rest = fmod(a, b), quotient = (a - rest) / b, whole;

  if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
  if (quotient == 0) return copysign(0.0, a / b);
  whole = floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

static double real_modulo(double a, double b)
{
  double rest = fmod(a, b);

  if (rest == 0) return copysign(0.0, b);
  return (b < 0) != (rest < 0) ? rest + b : rest;
}

static enum hone__fault real_power(double a, double b, struct hone_value *out_value)
{
  double power;

  if (a == 0 && b < 0) return HONE__FAULT_ZERO;
  if (a < 0 && b != floor(b) && isfinite(a) && isfinite(b)) return HONE__FAULT_DOMAIN;
  power = pow(a, b);
  if (isinf(power) && isfinite(a) && isfinite(b)) return HONE__FAULT_OVERFLOW;
  return give_real(power, out_value);
}

static enum hone__fault real_arithmetic(enum hone__operator op, double a, double b,
                                        struct hone_value *out_value)
{
  switch (op) {
  case HONE__OP_ADD: return give_real(a + b, out_value);
  case HONE__OP_SUB: return give_real(a - b, out_value);
  case HONE__OP_MUL: return give_real(a * b, out_value);
  case HONE__OP_POW: return real_power(a, b, out_value);
  default: break;
  }
  if (b == 0) return HONE__FAULT_ZERO;
  switch (op) {
  case HONE__OP_DIV: return give_real(a / b, out_value);
  case HONE__OP_FLOORDIV: return give_real(real_floor_divide(a, b), out_value);
  case HONE__OP_MOD: return give_real(real_modulo(a, b), out_value);
  default: HONE__BUG("not an arithmetic operator");
  }
}

static enum hone__fault arithmetic(enum hone__operator op, struct hone_value a, struct hone_value b,
                                   struct hone_value *out_value)
{
  if (is_whole(a) && is_whole(b)) return int_arithmetic(op, a.integer, b.integer, out_value);
  if (!is_number(a) || !is_number(b)) return HONE__FAULT_TYPE;
  return real_arithmetic(op, to_real(a), to_real(b), out_value);
}

static enum hone__fault bitwise(enum hone__operator op, struct hone_value a, struct hone_value b,
                                struct hone_value *out_value)
{
  bool both = a.type == HONE_BOOL && b.type == HONE_BOOL;
  int64_t result = 0;
  enum hone__fault fault;

  if (!is_whole(a) || !is_whole(b)) return HONE__FAULT_TYPE;
  switch (op) {
  case HONE__OP_BITAND: result = a.integer & b.integer; break;
  case HONE__OP_BITOR: result = a.integer | b.integer; break;
  case HONE__OP_BITXOR: result = a.integer ^ b.integer; break;
  default:
    both = false;
    fault = int_shift(op, a.integer, b.integer, &result);
    if (fault) return fault;
  }
  return both ? give_bool(result != 0, out_value) : give_int(result, out_value);
}

static bool holds(enum hone__operator op, int order)
{
  switch (op) {
  case HONE__OP_LT: return order < 0;
  case HONE__OP_LE: return order <= 0;
  case HONE__OP_GT: return order > 0;
  case HONE__OP_GE: return order >= 0;
  default: HONE__BUG("not an order");
  }
}

static enum hone__fault ordering(enum hone__operator op, struct hone_value a, struct hone_value b,
                                 struct hone_value *out_value)
{
  int order = hone__value_compare(a, b);

  if (order == 2) {
    if (is_number(a) && is_number(b)) return give_bool(false, out_value); /* a NaN */
    return HONE__FAULT_TYPE;
  }
  return give_bool(holds(op, order), out_value);
}

static enum hone__fault membership(enum hone__operator op, struct hone_value a, struct hone_value b,
                                   struct hone_value *out_value)
{
  bool found = false;

  if (b.type == HONE_LIST) {
    for (size_t i = 0; i < b.list->count && !found; i++)
      found = hone__value_equal(a, b.list->items[i]);
  } else if (a.type == HONE_TEXT && b.type == HONE_TEXT) {
    found = strstr(b.text, a.text) != NULL;
  } else {
    return HONE__FAULT_TYPE;
  }
  return give_bool(found == (op == HONE__OP_IN), out_value);
}

static enum hone__fault extreme(enum hone__operator op, struct hone_value a, struct hone_value b,
                                struct hone_value *out_value)
{
  int order = hone__value_compare(b, a);

  if (order == 2 && !(is_number(a) && is_number(b))) return HONE__FAULT_TYPE;
  *out_value = order == (op == HONE__OP_MIN ? -1 : 1) ? b : a;
  return HONE__FAULT_NONE;
}

static enum hone__fault whole_pair(enum hone__operator op, struct hone_value a, struct hone_value b,
                                   struct hone_value *out_value)
{
  struct hone_value rest;
  enum hone__fault fault;
  uint64_t gcd;

  if (op == HONE__OP_DIVIDES) {
    fault = arithmetic(HONE__OP_MOD, b, a, &rest);
    if (fault) return fault;
    return give_bool(!hone__value_truth(rest), out_value);
  }
  if (!is_whole(a) || !is_whole(b)) return HONE__FAULT_TYPE;
  gcd = hone__gcd(a.integer, b.integer);
  return gcd > INT64_MAX ? HONE__FAULT_OVERFLOW : give_int((int64_t)gcd, out_value);
}

static enum hone__fault affix(enum hone__operator op, struct hone_value a, struct hone_value b,
                              struct hone_value *out_value)
{
  size_t length, part;

  if (a.type != HONE_TEXT || b.type != HONE_TEXT) return HONE__FAULT_TYPE;
  length = strlen(a.text);
  part = strlen(b.text);
  if (part > length) return give_bool(false, out_value);
  if (op == HONE__OP_ENDSWITH) return give_bool(!strcmp(a.text + length - part, b.text), out_value);
  return give_bool(!strncmp(a.text, b.text, part), out_value);
}

static enum hone__fault element(struct hone_value a, struct hone_value b,
                                struct hone_value *out_value)
{
  int64_t index = b.integer;

  if (a.type != HONE_LIST || !is_whole(b)) return HONE__FAULT_TYPE;
  if (index < 0) index += (int64_t)a.list->count;
  if (index < 0 || index >= (int64_t)a.list->count) return HONE__FAULT_DOMAIN;
  *out_value = a.list->items[index];
  return HONE__FAULT_NONE;
}

enum hone__fault hone__apply2(enum hone__operator op, struct hone_value a, struct hone_value b,
                              struct hone_value *out_value)
{
  switch (op) {
  case HONE__OP_ADD:
  case HONE__OP_SUB:
  case HONE__OP_MUL:
  case HONE__OP_DIV:
  case HONE__OP_FLOORDIV:
  case HONE__OP_MOD:
  case HONE__OP_POW: return arithmetic(op, a, b, out_value);
  case HONE__OP_BITAND:
  case HONE__OP_BITOR:
  case HONE__OP_BITXOR:
  case HONE__OP_SHL:
  case HONE__OP_SHR: return bitwise(op, a, b, out_value);
  case HONE__OP_EQ: return give_bool(hone__value_equal(a, b), out_value);
  case HONE__OP_NE: return give_bool(!hone__value_equal(a, b), out_value);
  case HONE__OP_LT:
  case HONE__OP_LE:
  case HONE__OP_GT:
  case HONE__OP_GE: return ordering(op, a, b, out_value);
  case HONE__OP_IN:
  case HONE__OP_NOT_IN: return membership(op, a, b, out_value);
  case HONE__OP_MIN:
  case HONE__OP_MAX: return extreme(op, a, b, out_value);
  case HONE__OP_GCD:
  case HONE__OP_DIVIDES: return whole_pair(op, a, b, out_value);
  case HONE__OP_STARTSWITH:
  case HONE__OP_ENDSWITH: return affix(op, a, b, out_value);
  case HONE__OP_INDEX: return element(a, b, out_value);
  default: HONE__BUG("not an operator of two values");
  }
}

static enum hone__fault length_of(struct hone_value a, struct hone_value *out_value)
{
  int64_t length = 0;

  if (a.type == HONE_LIST) return give_int((int64_t)a.list->count, out_value);
  if (a.type != HONE_TEXT) return HONE__FAULT_TYPE;
  for (const char *p = a.text; *p; p++)
    length += ((unsigned char)*p & 0xc0) != 0x80;
  return give_int(length, out_value);
}

static enum hone__fault is_power_of_two(struct hone_value a, struct hone_value *out_value)
{
  if (a.type == HONE_FLOAT) {
    int exponent;
    return give_bool(a.real > 0 && isfinite(a.real) && a.real == floor(a.real) &&
                         frexp(a.real, &exponent) == 0.5,
                     out_value);
  }
  return give_bool(a.integer > 0 && (a.integer & (a.integer - 1)) == 0, out_value);
}

static enum hone__fault unary_int(enum hone__operator op, int64_t a, struct hone_value *out_value)
{
  switch (op) {
  case HONE__OP_POS:
  case HONE__OP_CEIL:
  case HONE__OP_FLOOR:
  case HONE__OP_ROUND:
  case HONE__OP_INT: return give_int(a, out_value);
  case HONE__OP_ABS:
    if (a >= 0) return give_int(a, out_value);
    /* fall through */
  case HONE__OP_NEG:
    if (a == INT64_MIN) return HONE__FAULT_OVERFLOW;
    return give_int(-a, out_value);
  case HONE__OP_INV: return give_int(~a, out_value);
  default: HONE__BUG("not an operator of one integer");
  }
}

static enum hone__fault unary_real(enum hone__operator op, double a, struct hone_value *out_value)
{
  switch (op) {
  case HONE__OP_POS: return give_real(a, out_value);
  case HONE__OP_NEG: return give_real(-a, out_value);
  case HONE__OP_ABS: return give_real(fabs(a), out_value);
  case HONE__OP_CEIL: return real_to_int(ceil(a), out_value);
  case HONE__OP_FLOOR: return real_to_int(floor(a), out_value);
  case HONE__OP_ROUND: return real_to_int(nearbyint(a), out_value); /* half to even */
  case HONE__OP_INT: return real_to_int(trunc(a), out_value);
  default: return HONE__FAULT_TYPE;
  }
}

enum hone__fault hone__apply1(enum hone__operator op, struct hone_value a,
                              struct hone_value *out_value)
{
  switch (op) {
  case HONE__OP_NOT: return give_bool(!hone__value_truth(a), out_value);
  case HONE__OP_BOOL: return give_bool(hone__value_truth(a), out_value);
  case HONE__OP_LEN: return length_of(a, out_value);
  default: break;
  }
  if (!is_number(a)) return HONE__FAULT_TYPE;
  switch (op) {
  case HONE__OP_POW2: return is_power_of_two(a, out_value);
  case HONE__OP_FLOAT: return give_real(to_real(a), out_value);
  case HONE__OP_LOG2:
    if (!(to_real(a) > 0)) return HONE__FAULT_DOMAIN;
    return give_real(log2(to_real(a)), out_value);
  default: break;
  }
  if (is_whole(a)) return unary_int(op, a.integer, out_value);
  return unary_real(op, a.real, out_value);
}
