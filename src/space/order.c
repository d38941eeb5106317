/* The order of a component's variables.
 *
 * The user's own order is tried first: in it indices are mesh indices. Two things speak for
 * another: a long range whose value an equation determines should come after the equation's other
 * variables, and a poor order can take very long. So orders are tried in turn with growing budgets,
 * and a diagram in another order is turned into the user's. */
#include "space/space.h"
#include "space/reorder.h"
#include "space/z3_solve.h"

#include <stdlib.h>

enum { LONG_DOMAIN = 64 };

struct reach { /* which variables a constraint has, by position in params */
  uint32_t *positions;
  uint32_t count;
  uint32_t open;       /* of them, not placed yet */
  uint32_t determined; /* the one that an equation determines; UINT32_MAX: none */
};

struct ordering {
  const struct hone_component *component;
  const uint32_t *params;
  uint32_t count;
  uint32_t *sizes;     /* candidates that are left of each variable */
  struct reach *reach; /* of each constraint */
  uint32_t **users;    /* of each variable: its constraints */
  uint32_t *user_count;
  bool *placed;
};

static void find_reach(const struct hone_program *program, uint32_t node, const uint32_t *position,
                       bool *seen, struct reach *reach)
{
  const struct hone_instruction *n = &program->nodes[node];

  if (seen[node]) return;
  seen[node] = true;
  if (n->role == HONE_ROLE_VARIABLE) reach->positions[reach->count++] = position[n->variable];
  for (int i = 0; i < n->arity; i++)
    find_reach(program, n->args[i], position, seen, reach);
}

/* An equation determines the longest of its variables, if that is long. */
static uint32_t find_determined(const struct ordering *o, size_t constraint)
{
  const struct hone_instruction *node =
      &o->component->program->nodes[o->component->constraints[constraint]];
  const struct reach *reach = &o->reach[constraint];
  uint32_t longest = UINT32_MAX;

  if (node->role != HONE_ROLE_OPERATOR || node->op != HONE_OP_EQ) return UINT32_MAX;
  for (uint32_t i = 0; i < reach->count; i++) {
    uint32_t size = o->sizes[reach->positions[i]];
    if (size > LONG_DOMAIN && (longest == UINT32_MAX || size > o->sizes[longest]))
      longest = reach->positions[i];
  }
  return longest;
}

static void find_sizes(struct ordering *o)
{
  const struct hone_component *c = o->component;
  struct hone_plan plan;

  hone__plan_make(&plan, c->program, c->domains, o->params, o->count, c->constraints,
                  c->constraint_count);
  for (uint32_t i = 0; i < o->count; i++)
    o->sizes[i] = plan.levels[i].candidates.count;
  hone__plan_release(&plan);
}

static void find_users(struct ordering *o, struct hone_arena *arena)
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

static void ordering_init(struct ordering *o, struct hone_arena *arena)
{
  const struct hone_component *c = o->component;
  uint32_t nodes = c->program->count, most = 0, *position;
  bool *seen = hone__arena_alloc(arena, nodes * sizeof *seen);

  for (uint32_t i = 0; i < o->count; i++)
    if (o->params[i] > most) most = o->params[i];
  position = hone__arena_alloc(arena, (most + 1) * sizeof *position);
  for (uint32_t i = 0; i < o->count; i++)
    position[o->params[i]] = i;
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
    find_reach(c->program, c->constraints[i], position, seen, reach);
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

/* The user's order, with determined long ranges put behind what determines them. */
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

static int64_t score(const struct ordering *o, uint32_t variable)
{
  int64_t total = -(int64_t)o->sizes[variable];

  for (uint32_t i = 0; i < o->user_count[variable]; i++) {
    const struct reach *reach = &o->reach[o->users[variable][i]];
    if (reach->open == 1) total += (int64_t)1 << 46;
    if (reach->open < reach->count) total += (int64_t)1 << 33;
  }
  return total;
}

/* Next is the variable that completes most constraints; then one that shares constraints with those
 * placed; then the shortest. */
static void greedy(struct ordering *o, uint32_t *order)
{
  place_none(o);
  for (uint32_t used = 0; used < o->count; used++) {
    uint32_t best = UINT32_MAX;
    int64_t best_score = INT64_MIN;
    for (uint32_t i = 0; i < o->count; i++) {
      int64_t own = o->placed[i] ? INT64_MIN : score(o, i);
      if (own <= best_score) continue;
      best = i;
      best_score = own;
    }
    place(o, best);
    order[used] = o->params[best];
  }
}

/* ---- Solving ---- */

static bool is_steps_limit(hone_status status, const struct hone_solve_limits *limits)
{
  return hone_status_code(status) == HONE_EXHAUSTED && limits->steps != 0 &&
         strstr(hone_status_message(status), "steps") != NULL;
}

/* Each order with a budget of steps; then all of them with four times as much, and so on. */
static hone_status try_orders(const struct hone_component *component, uint32_t *const *orders,
                              size_t order_count, uint32_t depth,
                              const struct hone_solve_limits *limits,
                              struct hone_solve_fault *out_fault, struct hone_diagram **out_diagram,
                              size_t *out_order)
{
  struct hone_solve_limits budget = *limits;
  hone_status status = NULL;

  for (budget.steps = 40000;; budget.steps *= 4) {
    if (budget.steps > (uint64_t)1 << 36) budget.steps = 0;
    if (limits->steps && budget.steps > limits->steps) return status;
    for (size_t i = 0; i < order_count; i++) {
      hone_status_free(status); /* of the attempt before */
      status = hone__solve(component, orders[i], depth, &budget, out_fault, out_diagram);
      *out_order = i;
      if (!status) return NULL;
      if (hone_status_code(status) != HONE_EXHAUSTED) return status;
    }
    if (!is_steps_limit(status, &budget)) return status;
  }
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
