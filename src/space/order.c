/* The order of a component's variables.
 *
 * The user's own order is tried first: in it indices are mesh indices. Two things speak for
 * another: a long range whose value an equation determines should come after the equation's other
 * variables, and a poor order can take very long. So orders are tried in turn with growing budgets.
 * A diagram in another order is turned into the user's, row by row, if it is not too large for
 * that. */
#include "space/space.h"
#include "space/z3_solve.h"

#include <stdlib.h>

enum { LONG_DOMAIN = 64 };

struct ordering {
  const struct hone_component *component;
  const uint32_t *params;
  uint32_t count;
  uint32_t *sizes; /* candidates that are left of each variable, by position in params */
  bool **uses;     /* [constraint][position] */
};

static void find_uses(const struct hone_program *program, uint32_t node, const uint32_t *params,
                      uint32_t count, bool *uses)
{
  const struct hone_instruction *n = &program->nodes[node];

  if (n->role == HONE_ROLE_VARIABLE)
    for (uint32_t i = 0; i < count; i++)
      if (params[i] == n->variable) uses[i] = true;
  for (int i = 0; i < n->arity; i++)
    find_uses(program, n->args[i], params, count, uses);
}

static void ordering_init(struct ordering *o, struct hone_arena *arena)
{
  const struct hone_component *c = o->component;
  struct hone_plan plan;

  hone__plan_make(&plan, c->program, c->domains, o->params, o->count, c->constraints,
                  c->constraint_count);
  o->sizes = hone__arena_alloc(arena, o->count * sizeof *o->sizes);
  for (uint32_t i = 0; i < o->count; i++)
    o->sizes[i] = plan.levels[i].candidates.count;
  hone__plan_release(&plan);
  o->uses = hone__arena_alloc(arena, (c->constraint_count + 1) * sizeof *o->uses);
  for (size_t i = 0; i < c->constraint_count; i++) {
    o->uses[i] = hone__arena_alloc(arena, o->count * sizeof **o->uses);
    find_uses(c->program, c->constraints[i], o->params, o->count, o->uses[i]);
  }
}

/* The variable that an equation determines: its longest, if that is long. */
static int64_t determined_by(const struct ordering *o, size_t constraint)
{
  const struct hone_instruction *node =
      &o->component->program->nodes[o->component->constraints[constraint]];
  int64_t longest = -1;

  if (node->role != HONE_ROLE_OPERATOR || node->op != HONE_OP_EQ) return -1;
  for (uint32_t i = 0; i < o->count; i++)
    if (o->uses[constraint][i] && o->sizes[i] > LONG_DOMAIN &&
        (longest < 0 || o->sizes[i] > o->sizes[longest]))
      longest = i;
  return longest;
}

/* The user's order, with determined long ranges put behind what determines them. */
static bool postpone(const struct ordering *o, uint32_t *order)
{
  bool *placed = hone__alloc(o->count * sizeof *placed), changed = false;
  uint32_t used = 0;

  while (used < o->count) {
    uint32_t pick = UINT32_MAX;
    for (uint32_t i = 0; i < o->count && pick == UINT32_MAX; i++) {
      bool waits = false;
      if (placed[i]) continue;
      for (size_t c = 0; c < o->component->constraint_count && !waits; c++) {
        if (determined_by(o, c) != (int64_t)i) continue;
        for (uint32_t k = 0; k < o->count; k++)
          if (k != i && o->uses[c][k] && !placed[k]) waits = true;
      }
      if (!waits) pick = i;
    }
    if (pick == UINT32_MAX) /* they wait for each other: the first one gives way */
      for (pick = 0; placed[pick];)
        pick++;
    if (pick != used) changed = true;
    placed[pick] = true;
    order[used++] = o->params[pick];
  }
  free(placed);
  return changed;
}

/* Next is the variable that completes most constraints; then one that shares constraints with those
 * placed; then the shortest. */
static void greedy(const struct ordering *o, uint32_t *order)
{
  bool *placed = hone__alloc(o->count * sizeof *placed);

  for (uint32_t used = 0; used < o->count; used++) {
    uint32_t best = UINT32_MAX;
    int64_t best_score = INT64_MIN;
    for (uint32_t i = 0; i < o->count; i++) {
      int64_t score = -(int64_t)o->sizes[i];
      if (placed[i]) continue;
      for (size_t c = 0; c < o->component->constraint_count; c++) {
        uint32_t open = 0, bound = 0;
        for (uint32_t k = 0; k < o->count; k++) {
          if (!o->uses[c][k]) continue;
          if (placed[k])
            bound++;
          else
            open++;
        }
        if (!o->uses[c][i]) continue;
        if (open == 1) score += (int64_t)1 << 40;
        if (bound) score += (int64_t)1 << 33;
      }
      if (score > best_score) {
        best = i;
        best_score = score;
      }
    }
    placed[best] = true;
    order[used] = o->params[best];
  }
  free(placed);
}

/* ---- Back to the user's order ---- */

static int compare_rows(const void *a, const void *b, void *depth)
{
  const uint32_t *x = a, *y = b;

  for (uint32_t i = 0; i < *(uint32_t *)depth; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

/* Rewrites the diagram over `order` as one over `params`. */
static hone_status reorder(struct hone_diagram **diagram, const uint32_t *order,
                           const uint32_t *params, uint32_t count)
{
  size_t rows_count = (*diagram)->count;
  uint32_t *rows = NULL, *row = hone__alloc(count * sizeof *row);
  struct hone_diagram *sorted = NULL;
  hone_status status = hone__diagram_rows(*diagram, &rows);

  for (size_t r = 0; !status && r < rows_count; r++) {
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t k = 0; k < count; k++)
        if (order[i] == params[k]) row[k] = rows[r * count + i];
    memcpy(rows + r * count, row, count * sizeof *row);
  }
  if (!status) {
    qsort_r(rows, rows_count, count * sizeof *rows, compare_rows, &count);
    status = hone__diagram_from_rows(rows, rows_count, count, &sorted);
  }
  if (!status) {
    hone__diagram_free(*diagram);
    *diagram = sorted;
  }
  free(rows);
  free(row);
  return status;
}

/* ---- Solving ---- */

static bool is_steps_limit(hone_status status, const struct hone_solve_limits *limits)
{
  return hone_status_code(status) == HONE_EXHAUSTED && limits->steps != 0 &&
         strstr(hone_status_message(status), "steps") != NULL;
}

/* Each order with a budget of steps; then all of them with sixteen times as much, and so on. */
static hone_status try_orders(const struct hone_component *component, uint32_t *const *orders,
                              size_t order_count, uint32_t depth,
                              const struct hone_solve_limits *limits,
                              struct hone_solve_fault *out_fault, struct hone_diagram **out_diagram,
                              size_t *out_order)
{
  struct hone_solve_limits budget = *limits;
  hone_status status = NULL;

  for (budget.steps = 4 << 20;; budget.steps *= 16) {
    if (budget.steps > (uint64_t)1 << 36) budget.steps = 0;
    for (size_t i = 0; i < order_count; i++) {
      hone_status_free(status);
      status = hone__solve(component, orders[i], depth, &budget, out_fault, out_diagram);
      *out_order = i;
      if (!status) return NULL;
      if (hone_status_code(status) != HONE_EXHAUSTED) return status;
    }
    if (!is_steps_limit(status, &budget)) return status;
  }
}

static bool fits_rows(const struct hone_diagram *diagram, const struct hone_solve_limits *limits)
{
  size_t most = limits->memory_bytes / 4 / (sizeof(uint32_t) * (diagram->depth + 1));
  return diagram->count <= most && diagram->count <= (20u << 20);
}

hone_status hone__order_solve(const struct hone_component *component, const uint32_t *params,
                              uint32_t count, enum hone_solver solver,
                              const struct hone_solve_limits *limits,
                              struct hone_solve_fault *out_fault, struct hone_part *out_part)
{
  struct hone_arena arena = {0};
  struct ordering o = {.component = component, .params = params, .count = count};
  uint32_t *orders[2];
  size_t order_count = 2, used = 0;
  hone_status status;

  for (int i = 0; i < 2; i++)
    orders[i] = hone__arena_alloc(&arena, count * sizeof **orders);
  if (solver == HONE_SOLVER_Z3) {
    memcpy(orders[0], params, count * sizeof *params);
    status = hone__z3_solve(component, params, count, limits, out_fault, &out_part->diagram);
  } else {
    ordering_init(&o, &arena);
    postpone(&o, orders[0]);
    greedy(&o, orders[1]);
    if (memcmp(orders[0], orders[1], count * sizeof *params) == 0) order_count = 1;
    status = try_orders(component, orders, order_count, count, limits, out_fault,
                        &out_part->diagram, &used);
  }
  out_part->count = count;
  memcpy(out_part->params, orders[used], count * sizeof *params);
  if (!status && !out_fault->found && memcmp(orders[used], params, count * sizeof *params) != 0 &&
      fits_rows(out_part->diagram, limits)) {
    status = reorder(&out_part->diagram, orders[used], params, count);
    if (!status) memcpy(out_part->params, params, count * sizeof *params);
  }
  hone__arena_release(&arena);
  return status;
}
