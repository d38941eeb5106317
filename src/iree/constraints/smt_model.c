/* smt_model.c - asserts are turned into meanings and values, as far as this is plain.
 *
 * `knob == 64` makes the knob a constant everywhere. `wg_size_x == threads` makes it a term, but
 * only if nothing else bounds it: `wg_0 == sg_0 * sg_m_cnt * 16` stays an assert, since wg_0 is a
 * knob that people look at. What is left free gets its values from bounds and small asserts. */
#include "iree/constraints/smt_model.h"

#include <stdlib.h>

const struct hone__smt_unknown *hone__smt_unknown(const struct hone__smt_model *model,
                                                  const char *name)
{
  for (unsigned i = 0; i < model->unknown_count; i++)
    if (!strcmp(model->names[i], name)) return &model->unknowns[i];
  return NULL;
}

static void drop_assert(struct hone__smt_model *model, size_t index)
{
  model->assert_count--;
  memmove(model->asserts + index, model->asserts + index + 1,
          (model->assert_count - index) * sizeof *model->asserts);
}

void hone__smt_model_override(struct hone__smt_model *model, const char *name)
{
  const struct hone__smt_unknown *unknown = hone__smt_unknown(model, name);
  size_t number;

  if (!unknown) return;
  number = (size_t)(unknown - model->unknowns);
  model->unknowns[number].is_overridden = true;
  for (size_t i = model->assert_count; i-- > 0;)
    if (model->asserts[i]->variables >> number & 1) drop_assert(model, i);
}

void hone__smt_model_fix_product(struct hone__smt_model *model, const char *a, const char *b,
                                 int64_t product)
{
  const struct hone__smt_unknown *first = hone__smt_unknown(model, a),
                                 *second = hone__smt_unknown(model, b);
  const struct hone__smt_term *pair[2];

  if (!first || !second) return;
  pair[0] = hone__smt_variable(&model->arena, (unsigned)(first - model->unknowns));
  pair[1] = hone__smt_variable(&model->arena, (unsigned)(second - model->unknowns));
  pair[0] = hone__smt_term(&model->arena, HONE__SMT_MUL, pair, 2);
  pair[1] = hone__smt_constant(&model->arena, product);
  HONE__GROW(model->asserts, model->assert_count, model->assert_capacity);
  model->asserts[model->assert_count++] = hone__smt_term(&model->arena, HONE__SMT_EQ, pair, 2);
}

/* ---- Meanings ---- */

int hone__smt_defined(const struct hone__smt_term *assert, const struct hone__smt_term **out_term)
{
  if (assert->kind != HONE__SMT_EQ) return -1;
  for (unsigned i = 0; i < 2; i++) {
    const struct hone__smt_term *variable = assert->args[i];

    *out_term = assert->args[1 - i];
    if (variable->kind == HONE__SMT_VARIABLE && !((*out_term)->variables & variable->variables))
      return (int)variable->value;
  }
  return -1;
}

/* A term without a value stays: it is true for no configuration, which is reported later. */
static const struct hone__smt_term *replaced(struct hone__smt_model *model,
                                             const struct hone__smt_term *term, unsigned number,
                                             const struct hone__smt_term *by)
{
  const struct hone__smt_term *result = hone__smt_replace(&model->arena, term, number, by);

  if (!result) model->is_impossible = true;
  return result ? result : term;
}

static void substitute(struct hone__smt_model *model, unsigned number,
                       const struct hone__smt_term *meaning)
{
  model->unknowns[number].meaning = meaning;
  for (unsigned i = 0; i < model->unknown_count; i++)
    if (model->unknowns[i].meaning)
      model->unknowns[i].meaning = replaced(model, model->unknowns[i].meaning, number, meaning);
  for (size_t i = 0; i < model->assert_count; i++)
    model->asserts[i] = replaced(model, model->asserts[i], number, meaning);
}

/* Drops true asserts, ends at a false one, and splits `a and b`. */
static void tidy(struct hone__smt_model *model)
{
  for (size_t i = model->assert_count; i-- > 0;) {
    const struct hone__smt_term *assert = model->asserts[i];

    if (assert->kind == HONE__SMT_CONSTANT) {
      if (!assert->value) model->is_impossible = true;
      drop_assert(model, i);
    } else if (assert->kind == HONE__SMT_AND) {
      drop_assert(model, i);
      for (size_t j = 0; j < assert->count; j++) {
        HONE__GROW(model->asserts, model->assert_count, model->assert_capacity);
        model->asserts[model->assert_count++] = assert->args[j];
      }
      i = model->assert_count; /* they may be of this kind again */
    }
  }
}

static bool find_constant(struct hone__smt_model *model)
{
  const struct hone__smt_term *term;

  for (size_t i = 0; i < model->assert_count; i++) {
    const int number = hone__smt_defined(model->asserts[i], &term);

    if (number < 0 || term->kind != HONE__SMT_CONSTANT) continue;
    substitute(model, (unsigned)number, term);
    return true;
  }
  return false;
}

static bool is_bounded(const struct hone__smt_unknown *unknown)
{
  return unknown->low > -HONE__SMT_FAR / 2 && unknown->high < HONE__SMT_FAR / 2;
}

static bool find_definition(struct hone__smt_model *model)
{
  const struct hone__smt_term *term;

  hone__smt_bounds(model, false);
  for (size_t i = 0; !model->is_impossible && i < model->assert_count; i++) {
    const int number = hone__smt_defined(model->asserts[i], &term);

    if (number < 0 || is_bounded(&model->unknowns[number])) continue;
    substitute(model, (unsigned)number, term);
    return true;
  }
  return false;
}

/* Every round gives one variable a meaning. */
static void find_meanings(struct hone__smt_model *model)
{
  do
    tidy(model);
  while (!model->is_impossible && (find_constant(model) || find_definition(model)));
}

/* A variable with a single value is a constant. */
static void fix_single_values(struct hone__smt_model *model)
{
  for (unsigned i = 0; i < model->unknown_count; i++) {
    const struct hone__smt_unknown *unknown = &model->unknowns[i];

    if (!unknown->meaning && !unknown->is_overridden && unknown->count == 1)
      substitute(model, i, hone__smt_constant(&model->arena, unknown->values[0]));
  }
  tidy(model);
}

hone_status hone__smt_model_solve(struct hone__smt_model *model)
{
  hone_status status;

  find_meanings(model);
  if (!model->is_impossible) hone__smt_bounds(model, true);
  if (model->is_impossible) return NULL;
  for (unsigned i = 0; i < model->unknown_count; i++) {
    const struct hone__smt_unknown *unknown = &model->unknowns[i];

    if (!unknown->meaning && !unknown->is_overridden && !is_bounded(unknown))
      return hone__mlir_error(model->mlir, model->op->span.begin,
                              "the compiler's constraints do not bound '%s'", unknown->name);
  }
  status = hone__smt_domains(model);
  if (!status) fix_single_values(model);
  return status;
}

void hone__smt_model_release(struct hone__smt_model *model)
{
  free(model->asserts);
  hone__arena_release(&model->arena);
  *model = (struct hone__smt_model){0};
}
