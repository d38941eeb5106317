/* smt_domain.c - the values of every free variable.
 *
 * All numbers within its bounds, without those for which some assert is false whatever the other
 * variables of this assert are. Only asserts are looked at whose combinations are few; this leaves
 * of a tile the divisors of its dim, rounded up to whichever intrinsic. The space, not this file,
 * determines which values satisfy all asserts together. */
#include "iree/constraints/smt_model.h"

#include <stdlib.h>

#define MAX_VALUES       65536
#define MAX_COMBINATIONS 1000000.0

static hone_status start_domain(struct hone__smt_model *model, struct hone__smt_unknown *unknown)
{
  if (unknown->high - unknown->low >= MAX_VALUES)
    return hone__mlir_error(model->mlir, model->op->span.begin,
                            "the compiler's constraints leave '%s' more than %d values",
                            unknown->name, MAX_VALUES);
  unknown->count = unknown->high < unknown->low ? 0 : (size_t)(unknown->high - unknown->low + 1);
  unknown->values = hone__arena_alloc(&model->arena, (unknown->count + 1) * sizeof(int64_t));
  for (size_t i = 0; i < unknown->count; i++)
    unknown->values[i] = unknown->low + (int64_t)i;
  return NULL;
}

/* ---- One assert ---- */

struct sieve { /* the variables of an assert, and which of their values satisfy it */
  struct hone__smt_unknown *unknowns[HONE__SMT_MAX_VARIABLES];
  unsigned numbers[HONE__SMT_MAX_VARIABLES];
  size_t at[HONE__SMT_MAX_VARIABLES];
  bool *is_good[HONE__SMT_MAX_VARIABLES];
  unsigned count;
  double combinations;
};

static void sieve_init(struct hone__smt_model *model, const struct hone__smt_term *assert,
                       struct sieve *sieve)
{
  *sieve = (struct sieve){.combinations = 1};
  for (unsigned i = 0; i < model->unknown_count; i++)
    if (assert->variables >> i & 1) {
      sieve->numbers[sieve->count] = i;
      sieve->unknowns[sieve->count++] = &model->unknowns[i];
      sieve->combinations *= (double)model->unknowns[i].count;
    }
}

/* The next combination of values; false after the last. */
static bool advance(struct sieve *sieve)
{
  for (unsigned i = sieve->count; i-- > 0;) {
    if (++sieve->at[i] < sieve->unknowns[i]->count) return true;
    sieve->at[i] = 0;
  }
  return false;
}

/* Marks what is good; true if all combinations are. */
static bool try_all(const struct hone__smt_term *assert, struct sieve *sieve)
{
  int64_t variables[HONE__SMT_MAX_VARIABLES] = {0}, value;
  bool are_all_good = true;

  do {
    for (unsigned i = 0; i < sieve->count; i++)
      variables[sieve->numbers[i]] = sieve->unknowns[i]->values[sieve->at[i]];
    if (!hone__smt_evaluate(assert, variables, &value) || !value) {
      are_all_good = false;
      continue;
    }
    for (unsigned i = 0; i < sieve->count; i++)
      sieve->is_good[i][sieve->at[i]] = true;
  } while (advance(sieve));
  return are_all_good;
}

static bool keep_good(struct hone__smt_unknown *unknown, const bool *is_good)
{
  size_t kept = 0;
  bool is_changed;

  for (size_t i = 0; i < unknown->count; i++)
    if (is_good[i]) unknown->values[kept++] = unknown->values[i];
  is_changed = kept != unknown->count;
  unknown->count = kept;
  return is_changed;
}

/* `*is_changed` if values were dropped. True: it holds for all that are left. */
static bool apply(struct hone__smt_model *model, const struct hone__smt_term *assert,
                  bool *is_changed)
{
  struct sieve sieve;
  bool holds;

  sieve_init(model, assert, &sieve);
  if (sieve.combinations < 1 || sieve.combinations > MAX_COMBINATIONS) return false;
  for (unsigned i = 0; i < sieve.count; i++)
    sieve.is_good[i] = hone__alloc(sieve.unknowns[i]->count * sizeof(bool));
  holds = try_all(assert, &sieve);
  for (unsigned i = 0; i < sieve.count; i++) {
    *is_changed |= keep_good(sieve.unknowns[i], sieve.is_good[i]);
    free(sieve.is_good[i]);
  }
  return holds || sieve.count == 1;
}

/* ---- All asserts ---- */

/* Those of few variables first: they make the others cheap. */
static int by_variables(const void *a, const void *b)
{
  const struct hone__smt_term *const *x = a, *const *y = b;
  const int few = __builtin_popcountll((*x)->variables),
            many = __builtin_popcountll((*y)->variables);

  if (few != many) return few < many ? -1 : 1;
  return (*x)->size < (*y)->size ? -1 : (*x)->size > (*y)->size;
}

static void sieve_all(struct hone__smt_model *model)
{
  bool is_changed = true;

  for (unsigned rounds = 0; is_changed && rounds < 16; rounds++) {
    size_t kept = 0;

    is_changed = false;
    for (size_t i = 0; i < model->assert_count; i++)
      if (!apply(model, model->asserts[i], &is_changed)) model->asserts[kept++] = model->asserts[i];
    model->assert_count = kept;
  }
}

hone_status hone__smt_domains(struct hone__smt_model *model)
{
  hone_status status = NULL;

  for (unsigned i = 0; !status && i < model->unknown_count; i++)
    if (!model->unknowns[i].meaning && !model->unknowns[i].is_overridden)
      status = start_domain(model, &model->unknowns[i]);
  if (status) return status;
  if (model->assert_count)
    qsort(model->asserts, model->assert_count, sizeof *model->asserts, by_variables);
  sieve_all(model);
  for (unsigned i = 0; i < model->unknown_count; i++)
    if (!model->unknowns[i].meaning && !model->unknowns[i].is_overridden &&
        !model->unknowns[i].count)
      model->is_impossible = true;
  return NULL;
}
