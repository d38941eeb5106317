/* smt_bounds.c - intervals of the variables.
 *
 * Every assert may narrow them: what a term can be follows from its variables, and what it must be
 * is passed down to them. Repeated until nothing changes. Sizes and counts are not negative, and
 * where a factor or divisor might be below 1 nothing is concluded. */
#include "iree/constraints/smt_model.h"

struct interval {
  int64_t low, high;
};

static const struct interval anything = {-HONE__SMT_FAR, HONE__SMT_FAR};

static int64_t clamp(__int128 value)
{
  return value > HONE__SMT_FAR    ? HONE__SMT_FAR
         : value < -HONE__SMT_FAR ? -HONE__SMT_FAR
                                  : (int64_t)value;
}

static int64_t product(int64_t a, int64_t b)
{
  if (!a || !b) return 0;
  return clamp((__int128)a * b);
}

static int64_t smaller(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

/* ---- What a term may be ---- */

static struct interval range_of(const struct hone__smt_model *model,
                                const struct hone__smt_term *term);

static struct interval range_of_sum(struct interval a, struct interval b)
{
  return (struct interval){clamp((__int128)a.low + b.low), clamp((__int128)a.high + b.high)};
}

static struct interval range_of_product(struct interval a, struct interval b)
{
  if (a.low < 0 || b.low < 0) return anything;
  return (struct interval){product(a.low, b.low), product(a.high, b.high)};
}

static struct interval range_of_quotient(struct interval a, struct interval b)
{
  if (a.low < 0 || b.low < 1 || b.high < b.low) return anything;
  return (struct interval){a.low / b.high, a.high / b.low};
}

static struct interval range_of_chain(const struct hone__smt_model *model,
                                      const struct hone__smt_term *term)
{
  struct interval range = range_of(model, term->args[0]);

  for (size_t i = 1; i < term->count; i++) {
    const struct interval next = range_of(model, term->args[i]);

    range = term->kind == HONE__SMT_ADD ? range_of_sum(range, next) : range_of_product(range, next);
  }
  return range;
}

static struct interval range_of_values(const struct hone__smt_term *lookup)
{
  struct interval range = {HONE__SMT_FAR, -HONE__SMT_FAR};

  for (size_t i = 0; i < lookup->count; i++) {
    range.low = smaller(range.low, lookup->values[i]);
    range.high = larger(range.high, lookup->values[i]);
  }
  return range;
}

static struct interval range_of_two(const struct hone__smt_model *model,
                                    const struct hone__smt_term *term)
{
  const struct interval a = range_of(model, term->args[0]), b = range_of(model, term->args[1]);

  if (term->kind == HONE__SMT_SUB) return range_of_sum(a, (struct interval){-b.high, -b.low});
  if (term->kind == HONE__SMT_DIV) return range_of_quotient(a, b);
  return b.low < 1 ? anything : (struct interval){0, b.high - 1}; /* the remainder */
}

static struct interval range_of(const struct hone__smt_model *model,
                                const struct hone__smt_term *term)
{
  struct interval a, b;

  switch (term->kind) {
  case HONE__SMT_CONSTANT: return (struct interval){clamp(term->value), clamp(term->value)};
  case HONE__SMT_VARIABLE:
    return (struct interval){model->unknowns[term->value].low, model->unknowns[term->value].high};
  case HONE__SMT_ADD:
  case HONE__SMT_MUL: return range_of_chain(model, term);
  case HONE__SMT_SUB:
  case HONE__SMT_DIV:
  case HONE__SMT_MOD: return range_of_two(model, term);
  case HONE__SMT_LOOKUP: return range_of_values(term);
  case HONE__SMT_CHOICE:
    a = range_of(model, term->args[1]);
    b = range_of(model, term->args[2]);
    return (struct interval){smaller(a.low, b.low), larger(a.high, b.high)};
  default: return anything;
  }
}

/* ---- What its variables must then be ---- */

static void narrow(struct hone__smt_model *model, const struct hone__smt_term *term,
                   struct interval to);

static void narrow_sum(struct hone__smt_model *model, const struct hone__smt_term *term,
                       struct interval to)
{
  for (size_t i = 0; i < term->count; i++) {
    struct interval rest = {0, 0};

    for (size_t j = 0; j < term->count; j++)
      if (j != i) rest = range_of_sum(rest, range_of(model, term->args[j]));
    narrow(model, term->args[i], range_of_sum(to, (struct interval){-rest.high, -rest.low}));
  }
}

static void narrow_product(struct hone__smt_model *model, const struct hone__smt_term *term,
                           struct interval to)
{
  for (size_t i = 0; i < term->count; i++) {
    struct interval rest = {1, 1}, own = anything;

    for (size_t j = 0; j < term->count; j++)
      if (j != i) rest = range_of_product(rest, range_of(model, term->args[j]));
    if (rest.low < 1 || rest.high < rest.low) continue;
    if (to.high >= 0 && to.high < HONE__SMT_FAR) own.high = to.high / rest.low;
    if (to.low > 0 && rest.high < HONE__SMT_FAR)
      own.low = to.low / rest.high + (to.low % rest.high != 0);
    narrow(model, term->args[i], own);
  }
}

static void narrow_quotient(struct hone__smt_model *model, const struct hone__smt_term *term,
                            struct interval to)
{
  const struct interval divisor = range_of(model, term->args[1]);
  struct interval own = anything;

  if (divisor.low < 1) return;
  if (to.low > 0) own.low = product(to.low, divisor.low);
  if (to.high >= 0 && to.high < HONE__SMT_FAR && divisor.high < HONE__SMT_FAR)
    own.high = clamp((__int128)(to.high + 1) * divisor.high - 1);
  narrow(model, term->args[0], own);
}

static void narrow(struct hone__smt_model *model, const struct hone__smt_term *term,
                   struct interval to)
{
  struct hone__smt_unknown *unknown;

  if (to.low <= -HONE__SMT_FAR && to.high >= HONE__SMT_FAR) return;
  switch (term->kind) {
  case HONE__SMT_VARIABLE:
    unknown = &model->unknowns[term->value];
    unknown->low = larger(unknown->low, to.low);
    unknown->high = smaller(unknown->high, to.high);
    break;
  case HONE__SMT_ADD: narrow_sum(model, term, to); break;
  case HONE__SMT_MUL: narrow_product(model, term, to); break;
  case HONE__SMT_DIV: narrow_quotient(model, term, to); break;
  case HONE__SMT_SUB:
    narrow(model, term->args[0], range_of_sum(to, range_of(model, term->args[1])));
    break;
  default: break;
  }
}

/* x % y == 0 with x > 0: y is not above x. */
static void narrow_divisible(struct hone__smt_model *model, const struct hone__smt_term *remainder)
{
  const struct interval x = range_of(model, remainder->args[0]),
                        y = range_of(model, remainder->args[1]);

  if (x.low < 1) return;
  narrow(model, remainder->args[1], (struct interval){-HONE__SMT_FAR, x.high});
  narrow(model, remainder->args[0], (struct interval){y.low, HONE__SMT_FAR});
}

static bool is_divisible(const struct hone__smt_term *term)
{
  return term->args[0]->kind == HONE__SMT_MOD && term->args[1]->kind == HONE__SMT_CONSTANT &&
         term->args[1]->value == 0;
}

static void narrow_compared(struct hone__smt_model *model, const struct hone__smt_term *small,
                            const struct hone__smt_term *large, int64_t gap)
{
  const struct interval low = range_of(model, small), high = range_of(model, large);

  narrow(model, small, (struct interval){-HONE__SMT_FAR, clamp((__int128)high.high - gap)});
  narrow(model, large, (struct interval){clamp((__int128)low.low + gap), HONE__SMT_FAR});
}

static void narrow_equal(struct hone__smt_model *model, const struct hone__smt_term *term)
{
  if (is_divisible(term)) {
    narrow_divisible(model, term->args[0]);
    return;
  }
  narrow(model, term->args[0], range_of(model, term->args[1]));
  narrow(model, term->args[1], range_of(model, term->args[0]));
}

static void narrow_by(struct hone__smt_model *model, const struct hone__smt_term *assert)
{
  const struct hone__smt_term **args = assert->args;

  switch (assert->kind) {
  case HONE__SMT_AND:
    for (size_t i = 0; i < assert->count; i++)
      narrow_by(model, args[i]);
    break;
  case HONE__SMT_EQ: narrow_equal(model, assert); break;
  case HONE__SMT_LE: narrow_compared(model, args[0], args[1], 0); break;
  case HONE__SMT_LT: narrow_compared(model, args[0], args[1], 1); break;
  case HONE__SMT_GE: narrow_compared(model, args[1], args[0], 0); break;
  case HONE__SMT_GT: narrow_compared(model, args[1], args[0], 1); break;
  default: break;
  }
}

/* ---- All of them ---- */

static bool remember(struct hone__smt_model *model, struct interval *before)
{
  bool is_changed = false;

  for (unsigned i = 0; i < model->unknown_count; i++) {
    const struct interval now = {model->unknowns[i].low, model->unknowns[i].high};

    is_changed |= now.low != before[i].low || now.high != before[i].high;
    before[i] = now;
  }
  return is_changed;
}

static bool is_empty(const struct hone__smt_model *model)
{
  for (unsigned i = 0; i < model->unknown_count; i++)
    if (model->unknowns[i].low > model->unknowns[i].high) return true;
  return false;
}

/* Bounds can creep, one at a time; after this many rounds they are good enough. */
#define ROUNDS 64

void hone__smt_bounds(struct hone__smt_model *model, bool use_definitions)
{
  struct interval before[HONE__SMT_MAX_VARIABLES];
  const struct hone__smt_term *term;
  unsigned rounds = 0;

  for (unsigned i = 0; i < model->unknown_count; i++) {
    model->unknowns[i].low = -HONE__SMT_FAR;
    model->unknowns[i].high = HONE__SMT_FAR;
  }
  remember(model, before);
  do {
    for (size_t i = 0; i < model->assert_count; i++)
      if (use_definitions || hone__smt_defined(model->asserts[i], &term) < 0)
        narrow_by(model, model->asserts[i]);
    model->is_impossible |= is_empty(model);
  } while (!model->is_impossible && remember(model, before) && ++rounds < ROUNDS);
}
