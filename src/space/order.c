/* The order of a component's variables.
 *
 * One order is the user's own, in which indices are mesh indices; only long ranges whose value an
 * equation determines come after the equation's other variables. The others are greedy. The one
 * that promises fewest states goes first, and since a poor order can take very long they are tried
 * in turn with growing budgets. A diagram in another order than the user's is turned into it. */
#include "space/space.h"
#include "space/reorder.h"
#include "space/z3_solve.h"

#include <math.h>
#include <stdlib.h>

enum { LONG_DOMAIN = 64, ORDERS = 3 };

struct reach { /* which variables a constraint has, by position in params */
  uint32_t *positions;
  uint32_t count;
  uint32_t open;       /* of them, not placed yet */
  uint32_t determined; /* the one that an equation determines; UINT32_MAX: none */
};

struct ordering {
  const struct hone__component *component;
  const uint32_t *params;
  uint32_t count;
  uint32_t *sizes;     /* candidates that are left of each variable */
  struct reach *reach; /* of each constraint */
  uint32_t **users;    /* of each variable: its constraints */
  uint32_t *user_count;
  bool *placed;
  uint32_t *position; /* of each variable in params */
};

static void find_reach(const struct hone__spec_program *program, uint32_t node,
                       const uint32_t *position, bool *seen, struct reach *reach)
{
  const struct hone__instruction *n = &program->nodes[node];

  if (seen[node]) return;
  seen[node] = true;
  if (n->role == HONE__ROLE_VARIABLE) reach->positions[reach->count++] = position[n->variable];
  for (int i = 0; i < n->arity; i++)
    find_reach(program, n->args[i], position, seen, reach);
}

/* Something == something: one variable follows from the others. Of a remainder it does not. */
static bool is_equation(const struct ordering *o, uint32_t constraint)
{
  const struct hone__spec_program *program = o->component->program;
  const struct hone__instruction *node = &program->nodes[o->component->constraints[constraint]];

  if (node->role != HONE__ROLE_OPERATOR || node->op != HONE__OP_EQ) return false;
  for (int i = 0; i < 2; i++) {
    const struct hone__instruction *side = &program->nodes[node->args[i]];
    if (side->role == HONE__ROLE_OPERATOR && side->op == HONE__OP_MOD) return false;
  }
  return true;
}

/* An equation determines the longest of its variables, if that is long. */
static uint32_t find_determined(const struct ordering *o, size_t constraint)
{
  const struct reach *reach = &o->reach[constraint];
  uint32_t longest = UINT32_MAX;

  if (!is_equation(o, (uint32_t)constraint)) return UINT32_MAX;
  for (uint32_t i = 0; i < reach->count; i++) {
    uint32_t size = o->sizes[reach->positions[i]];
    if (size > LONG_DOMAIN && (longest == UINT32_MAX || size > o->sizes[longest]))
      longest = reach->positions[i];
  }
  return longest;
}

static void find_sizes(struct ordering *o)
{
  const struct hone__component *c = o->component;
  struct hone__plan plan;

  hone__plan_make(&plan, c->program, c->domains, o->params, o->count, c->constraints,
                  c->constraint_count);
  for (uint32_t i = 0; i < o->count; i++)
    o->sizes[i] = plan.levels[i].candidates.count;
  hone__plan_release(&plan);
}

static void find_users(struct ordering *o, struct hone__arena *arena)
{
  for (size_t c = 0; c < o->component->constraint_count; c++)
    for (uint32_t i = 0; i < o->reach[c].count; i++)
      o->user_count[o->reach[c].positions[i]]++;
  for (uint32_t i = 0; i < o->count; i++) {
    o->users[i] = hone__arena_alloc(arena, (o->user_count[i] + 1) * sizeof **o->users);
    o->user_count[i] = 0;
  }
  for (size_t c = 0; c < o->component->constraint_count; c++) {
    for (uint32_t i = 0; i < o->reach[c].count; i++) {
      uint32_t variable = o->reach[c].positions[i];
      o->users[variable][o->user_count[variable]++] = (uint32_t)c;
    }
  }
}

static void ordering_init(struct ordering *o, struct hone__arena *arena)
{
  const struct hone__component *c = o->component;
  uint32_t nodes = c->program->count, most = 0;
  bool *seen = hone__arena_alloc(arena, nodes * sizeof *seen);

  for (uint32_t i = 0; i < o->count; i++)
    if (o->params[i] > most) most = o->params[i];
  o->position = hone__arena_alloc(arena, (most + 1) * sizeof *o->position);
  for (uint32_t i = 0; i < o->count; i++)
    o->position[o->params[i]] = i;
  o->sizes = hone__arena_alloc(arena, o->count * sizeof *o->sizes);
  o->placed = hone__arena_alloc(arena, o->count * sizeof *o->placed);
  o->users = hone__arena_alloc(arena, o->count * sizeof *o->users);
  o->user_count = hone__arena_alloc(arena, o->count * sizeof *o->user_count);
  o->reach = hone__arena_alloc(arena, c->constraint_count * sizeof *o->reach);
  find_sizes(o);
  for (size_t i = 0; i < c->constraint_count; i++) {
    uint32_t *found = hone__alloc(o->count * sizeof *found);
    struct reach *reach = &o->reach[i];
    reach->positions = found;
    memset(seen, 0, nodes * sizeof *seen);
    find_reach(c->program, c->constraints[i], o->position, seen, reach);
    reach->positions = hone__arena_alloc(arena, (reach->count + 1) * sizeof *found);
    memcpy(reach->positions, found, reach->count * sizeof *found);
    free(found);
    reach->determined = find_determined(o, i);
  }
  find_users(o, arena);
}

static void place_none(struct ordering *o)
{
  memset(o->placed, 0, o->count * sizeof *o->placed);
  for (size_t c = 0; c < o->component->constraint_count; c++)
    o->reach[c].open = o->reach[c].count;
}

static void place(struct ordering *o, uint32_t variable)
{
  o->placed[variable] = true;
  for (uint32_t i = 0; i < o->user_count[variable]; i++)
    o->reach[o->users[variable][i]].open--;
}

/* An equation determines it, and others of the equation's variables are still open. */
static bool waits(const struct ordering *o, uint32_t variable)
{
  for (uint32_t i = 0; i < o->user_count[variable]; i++) {
    const struct reach *reach = &o->reach[o->users[variable][i]];
    if (reach->determined == variable && reach->open > 1) return true;
  }
  return false;
}

/* The user's order, with determined long ranges put after what determines them. */
static void postpone(struct ordering *o, uint32_t *order)
{
  place_none(o);
  for (uint32_t used = 0; used < o->count; used++) {
    uint32_t pick = 0, first;
    while (o->placed[pick])
      pick++;
    first = pick; /* gives way where all wait for each other */
    while (pick < o->count && (o->placed[pick] || waits(o, pick)))
      pick++;
    if (pick == o->count) pick = first;
    place(o, pick);
    order[used] = o->params[pick];
  }
}

/* Bits of choice that a variable adds: none if an equation determines it. */
static double choice(const struct ordering *o, uint32_t variable)
{
  for (uint32_t i = 0; i < o->user_count[variable]; i++)
    if (o->reach[o->users[variable][i]].open == 1 && is_equation(o, o->users[variable][i]))
      return 0;
  return log2((double)o->sizes[variable] + 1);
}

/* What binding a variable next costs; less is better. Constraints that become complete cut, and so
 * do those that it shares with the variables placed. */
typedef double cost_of_next(const struct ordering *o, uint32_t variable);

static void count_constraints(const struct ordering *o, uint32_t variable, uint32_t *out_complete,
                              uint32_t *out_shared)
{
  *out_complete = *out_shared = 0;
  for (uint32_t i = 0; i < o->user_count[variable]; i++) {
    const struct reach *reach = &o->reach[o->users[variable][i]];
    *out_complete += reach->open == 1;
    *out_shared += reach->open < reach->count;
  }
}

/* First what an equation determines, then what adds least choice. */
static double least_choice(const struct ordering *o, uint32_t variable)
{
  double bits = choice(o, variable);
  uint32_t complete, shared;

  if (bits == 0) return -100;
  count_constraints(o, variable, &complete, &shared);
  return bits - complete - (shared ? 2 : 0);
}

/* First what completes most constraints, then what shares most of them. */
static double most_complete(const struct ordering *o, uint32_t variable)
{
  uint32_t complete, shared;

  count_constraints(o, variable, &complete, &shared);
  return log2((double)o->sizes[variable] + 1) - 1e6 * complete - 1e3 * shared;
}

static void greedy(struct ordering *o, cost_of_next *cost, uint32_t *order)
{
  place_none(o);
  for (uint32_t used = 0; used < o->count; used++) {
    uint32_t best = UINT32_MAX;
    double least = INFINITY;
    for (uint32_t i = 0; i < o->count; i++) {
      double own = o->placed[i] ? INFINITY : cost(o, i);
      if (own >= least) continue;
      best = i;
      least = own;
    }
    place(o, best);
    order[used] = o->params[best];
  }
}

static bool is_live(const struct ordering *o, uint32_t variable)
{
  for (uint32_t i = 0; i < o->user_count[variable]; i++)
    if (o->reach[o->users[variable][i]].open > 0) return true;
  return false;
}

/* How many states an order may lead to, in bits: at the worst level, the choices of all variables
 * that open constraints still refer to. */
static double width(struct ordering *o, const uint32_t *order)
{
  const uint32_t *position = o->position;
  double *bits = hone__alloc(o->count * sizeof *bits), worst = 0;

  place_none(o);
  for (uint32_t used = 0; used < o->count; used++) {
    double sum = 0;
    bits[position[order[used]]] = choice(o, position[order[used]]);
    place(o, position[order[used]]);
    for (uint32_t i = 0; i < o->count; i++)
      if (o->placed[i] && is_live(o, i)) sum += bits[i];
    if (sum > worst) worst = sum;
  }
  free(bits);
  return worst;
}

/* ---- Solving ---- */

/* Each order with a budget of steps; then all of them with four times as much, and so on. */
static hone_status try_orders(const struct hone__component *component, uint32_t *const *orders,
                              size_t order_count, uint32_t depth,
                              const struct hone__solve_limits *limits,
                              struct hone__solve_fault *out_fault,
                              struct hone__diagram **out_diagram, size_t *out_order)
{
  struct hone__solve_limits budget = *limits;
  bool out_of_steps = true;
  hone_status status = NULL;

  budget.out_of_steps = &out_of_steps;
  for (budget.steps = 60000; out_of_steps; budget.steps *= 4) {
    if (budget.steps > (uint64_t)1 << 36) budget.steps = 0;
    if (limits->steps && budget.steps > limits->steps) budget.steps = limits->steps;
    out_of_steps = false;
    for (size_t i = 0; i < order_count; i++) {
      hone_status_free(status); /* of the attempt before */
      status = hone__solve(component, orders[i], depth, &budget, out_fault, out_diagram);
      *out_order = i;
      if (!status) return NULL;
      if (hone_status_code(status) != HONE_EXHAUSTED) return status;
    }
    if (limits->steps && budget.steps == limits->steps) break;
  }
  return status;
}

/* The orders to try, the most promising first: the user's own unless another promises much less. */
static size_t list_orders(struct ordering *o, struct hone__arena *arena, uint32_t **orders)
{
  static cost_of_next *const costs[] = {NULL, least_choice, most_complete};
  double widths[ORDERS];
  size_t count = 0;

  for (size_t i = 0; i < ORDERS; i++) {
    uint32_t *order = hone__arena_alloc(arena, o->count * sizeof *order);
    double bits;
    size_t at = 0;
    if (costs[i])
      greedy(o, costs[i], order);
    else
      postpone(o, order);
    bits = width(o, order) - (costs[i] ? 0 : 3);
    for (size_t k = 0; k < count; k++)
      if (memcmp(orders[k], order, o->count * sizeof *order) == 0) at = SIZE_MAX;
    if (at == SIZE_MAX) continue; /* it is there already */
    while (at < count && widths[at] <= bits)
      at++;
    memmove(orders + at + 1, orders + at, (count - at) * sizeof *orders);
    memmove(widths + at + 1, widths + at, (count - at) * sizeof *widths);
    orders[at] = order;
    widths[at] = bits;
    count++;
  }
  return count;
}

static bool is_permutation(const uint32_t *order, const uint32_t *params, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++) {
    uint32_t found = 0;
    for (uint32_t k = 0; k < count; k++)
      found += order[k] == params[i];
    if (found != 1) return false;
  }
  return true;
}

hone_status hone__order_solve(const struct hone__component *component, const uint32_t *params,
                              uint32_t count, enum hone_solver solver,
                              const struct hone__solve_limits *limits,
                              struct hone__solve_fault *out_fault, struct hone__part *out_part)
{
  struct hone__arena arena = {0};
  struct ordering o = {.component = component, .params = params, .count = count};
  uint32_t *orders[ORDERS + 1];
  size_t used = 0;
  hone_status status;

  if (solver == HONE_SOLVER_Z3) {
    orders[0] = hone__arena_alloc(&arena, count * sizeof *params);
    memcpy(orders[0], params, count * sizeof *params);
    status = hone__z3_solve(component, params, count, limits, out_fault, &out_part->diagram);
  } else {
    ordering_init(&o, &arena);
    status = try_orders(component, orders, list_orders(&o, &arena, orders), count, limits,
                        out_fault, &out_part->diagram, &used);
  }
  HONE__ASSERT_SLOW(is_permutation(orders[used], params, count));
  out_part->count = count;
  memcpy(out_part->params, orders[used], count * sizeof *params);
  if (!status && !out_fault->found && out_part->diagram->count &&
      memcmp(orders[used], params, count * sizeof *params) != 0) {
    hone_status kept =
        hone__diagram_reorder(&out_part->diagram, orders[used], params, limits->memory_bytes);
    if (!kept) memcpy(out_part->params, params, count * sizeof *params);
    hone_status_free(kept); /* too large for that: the solver's order stays */
  }
  hone__arena_release(&arena);
  return status;
}
