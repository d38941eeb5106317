/* A table becomes choices, level by level. Z3 shares equal terms, so values that lead to the same
 * one are told by its number; they are excluded together, and the largest set of them not at all.
 */
#include "space/z3_table.h"

#include <stdlib.h>

enum {
  MOST_COMBINATIONS = 1 << 16,
  MOST_ENTRIES = 1 << 12, /* of whole numbers, which make larger terms */
};

/* ---- Cones ---- */

static void add_node(struct hone__z3_cone *cone, const struct hone__z3_evaluator *evaluator,
                     uint32_t at)
{
  const struct hone__instruction *node = &evaluator->program->nodes[at];
  uint32_t level;

  cone->nodes[cone->count++] = at;
  if (node->role != HONE__ROLE_VARIABLE) return;
  level = evaluator->level_of[node->variable];
  cone->levels[cone->level_count++] = level;
  if (__builtin_mul_overflow(cone->combinations, evaluator->places[level].domain->count,
                             &cone->combinations))
    cone->combinations = UINT64_MAX;
}

void hone__z3_cone_init(struct hone__z3_cone *cone, const struct hone__z3_evaluator *evaluator,
                        const uint32_t *roots, size_t root_count)
{
  const struct hone__spec_program *program = evaluator->program;
  bool *marks = hone__alloc((program->count + 1) * sizeof *marks);

  *cone =
      (struct hone__z3_cone){.nodes = hone__alloc((program->count + 1) * sizeof *cone->nodes),
                             .levels = hone__alloc((evaluator->depth + 1) * sizeof *cone->levels),
                             .combinations = 1};
  for (size_t i = 0; i < root_count; i++)
    marks[roots[i]] = true;
  for (uint32_t i = program->count; i-- > 0;)
    for (int k = 0; marks[i] && k < program->nodes[i].arity; k++)
      marks[program->nodes[i].args[k]] = true;
  for (uint32_t i = 0; i < program->count; i++)
    if (marks[i]) add_node(cone, evaluator, i);
  free(marks);
}

void hone__z3_cone_release(struct hone__z3_cone *cone)
{
  free(cone->nodes);
  free(cone->levels);
}

void hone__z3_evaluate(struct hone__z3_evaluator *evaluator, const struct hone__z3_cone *cone,
                       const uint32_t *row)
{
  const struct hone__instruction *nodes = evaluator->program->nodes;
  struct hone_value *values = evaluator->values;

  for (uint32_t i = 0; i < cone->count; i++) {
    uint32_t at = cone->nodes[i], level;
    if (nodes[at].role == HONE__ROLE_VARIABLE) {
      level = evaluator->level_of[nodes[at].variable];
      values[at] = hone__domain_value(evaluator->places[level].domain, row[level]);
    } else {
      values[at] = hone__instruction_run(&nodes[at], values);
    }
  }
}

/* ---- Tables ---- */

struct table {
  const struct hone__z3_place *places; /* by level */
  struct hone__z3_cone cone;
  struct hone_value *results; /* of all combinations, the last level fastest */
  unsigned bits;              /* of whole numbers */
};

static void table_release(struct table *table)
{
  hone__z3_cone_release(&table->cone);
  free(table->results);
}

/* To the next combination of the cone's values. */
static void advance(const struct table *table, uint32_t *row)
{
  for (uint32_t k = table->cone.level_count; k-- > 0;) {
    uint32_t level = table->cone.levels[k];
    if (++row[level] < table->places[level].domain->count) return;
    row[level] = 0;
  }
}

/* False where there are more than `limit` combinations. */
static bool table_init(struct table *table, struct hone__z3_evaluator *evaluator, uint32_t node,
                       uint64_t limit)
{
  const struct hone__z3_cone *cone = &table->cone;
  uint32_t *row;

  *table = (struct table){.places = evaluator->places};
  hone__z3_cone_init(&table->cone, evaluator, &node, 1);
  if (cone->combinations > limit) return false;
  table->results = hone__alloc(cone->combinations * sizeof *table->results);
  row = hone__alloc((evaluator->depth + 1) * sizeof *row);
  for (uint64_t i = 0; i < cone->combinations; i++) {
    hone__z3_evaluate(evaluator, cone, row);
    table->results[i] = evaluator->values[node];
    advance(table, row);
  }
  free(row);
  return true;
}

/* ---- Trees of choices ---- */

typedef z3_ast leaf_of(const struct hone__z3 *z, struct hone_value value, unsigned bits);

static z3_ast fault_leaf(const struct hone__z3 *z, struct hone_value value, unsigned bits)
{
  (void)bits;
  return hone__z3_boolean(z, value.type == HONE__FAULT);
}

static z3_ast truth_leaf(const struct hone__z3 *z, struct hone_value value, unsigned bits)
{
  (void)bits;
  return hone__z3_boolean(z, value.type != HONE__FAULT && hone__value_truth(value));
}

static z3_ast not_false_leaf(const struct hone__z3 *z, struct hone_value value, unsigned bits)
{
  (void)bits;
  return hone__z3_boolean(z, value.type == HONE__FAULT || hone__value_truth(value));
}

static z3_ast whole_leaf(const struct hone__z3 *z, struct hone_value value, unsigned bits)
{
  return hone__z3_number(z, value.type == HONE__FAULT ? 0 : value.integer, bits);
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
static z3_ast is_among(const struct hone__z3 *z, const struct hone__z3_place *place,
                       const struct branch *branches, uint32_t count)
{
  z3_ast *parts = hone__alloc(count * sizeof *parts), any;
  unsigned used = 0;

  for (uint32_t i = 0, end; i < count; i = end) {
    end = place->by_value ? i + 1 : end_of_run(branches, i, count);
    parts[used++] =
        end == i + 1 ? hone__z3_place_is(z, place, branches[i].index)
                     : hone__z3_place_between(z, place, branches[i].index, branches[end - 1].index);
  }
  any = used == 1 ? parts[0] : z->api->mk_or(z->context, used, parts);
  free(parts);
  return any;
}

static uint32_t end_of_equal(const struct branch *branches, uint32_t first, uint32_t count)
{
  uint32_t end = first + 1;

  while (end < count && branches[end].id == branches[first].id)
    end++;
  return end;
}

/* Where most of the values lead is what is left when all others are excluded. */
static z3_ast choose_branch(const struct hone__z3 *z, const struct hone__z3_place *place,
                            struct branch *branches, uint32_t count)
{
  uint32_t best = 0, best_width = 0;
  z3_ast term;

  qsort(branches, count, sizeof *branches, compare_branches);
  for (uint32_t i = 0, end; i < count; i = end) {
    end = end_of_equal(branches, i, count);
    if (end - i <= best_width) continue;
    best_width = end - i;
    best = i;
  }
  term = branches[best].to;
  for (uint32_t i = 0, end; i < count; i = end) {
    end = end_of_equal(branches, i, count);
    if (i == best) continue;
    term = hone__z3_choose(z, is_among(z, place, branches + i, end - i), branches[i].to, term);
  }
  return term;
}

static z3_ast table_branch(const struct hone__z3 *z, const struct table *table, leaf_of *leaf,
                           uint32_t k, uint64_t first, uint64_t count)
{
  const struct hone__z3_place *place;
  struct branch *branches;
  uint64_t width;
  z3_ast term;

  if (k == table->cone.level_count) return leaf(z, table->results[first], table->bits);
  place = &table->places[table->cone.levels[k]];
  width = count / place->domain->count;
  branches = hone__alloc(place->domain->count * sizeof *branches);
  for (uint32_t i = 0; i < place->domain->count; i++) {
    branches[i].index = i;
    branches[i].to = table_branch(z, table, leaf, k + 1, first + i * width, width);
    branches[i].id = z->api->get_ast_id(z->context, branches[i].to);
  }
  term = choose_branch(z, place, branches, place->domain->count);
  free(branches);
  return term;
}

static z3_ast table_term(const struct hone__z3 *z, const struct table *table, leaf_of *leaf)
{
  return table_branch(z, table, leaf, 0, 0, table->cone.combinations);
}

static z3_ast table_fault(const struct hone__z3 *z, const struct table *table)
{
  for (uint64_t i = 0; i < table->cone.combinations; i++)
    if (table->results[i].type == HONE__FAULT) return table_term(z, table, fault_leaf);
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

/* ---- Nodes ---- */

bool hone__z3_fits_table(const struct hone__z3_evaluator *evaluator, uint32_t node)
{
  struct hone__z3_cone cone;

  hone__z3_cone_init(&cone, evaluator, &node, 1);
  hone__z3_cone_release(&cone);
  return cone.combinations <= MOST_COMBINATIONS;
}

bool hone__z3_tabulate_truth(const struct hone__z3 *z, struct hone__z3_evaluator *evaluator,
                             uint32_t node, struct hone__z3_term *out)
{
  struct table table;
  bool fits = table_init(&table, evaluator, node, MOST_COMBINATIONS);

  if (fits) *out = hone__z3_truth_term(table_term(z, &table, truth_leaf), table_fault(z, &table));
  table_release(&table);
  return fits;
}

bool hone__z3_tabulate_whole(const struct hone__z3 *z, struct hone__z3_evaluator *evaluator,
                             uint32_t node, struct hone__z3_term *out)
{
  struct table table;
  int64_t lo, hi;
  bool fits = table_init(&table, evaluator, node, MOST_ENTRIES) && table_bounds(&table, &lo, &hi);

  if (fits) {
    table.bits = hone__z3_bits_for(lo, hi);
    *out = hone__z3_whole_term(z, table_term(z, &table, whole_leaf), table.bits,
                               table_fault(z, &table), lo, hi);
  }
  table_release(&table);
  return fits;
}

bool hone__z3_tabulate_condition(const struct hone__z3 *z, struct hone__z3_evaluator *evaluator,
                                 uint32_t node, z3_ast *out)
{
  struct table table;
  bool fits = table_init(&table, evaluator, node, MOST_COMBINATIONS);

  if (fits) *out = table_term(z, &table, not_false_leaf);
  table_release(&table);
  return fits;
}
