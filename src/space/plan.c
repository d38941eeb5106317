#include "space/plan.h"

#include <stdlib.h>

enum {
  FEW_CANDIDATES = 16,      /* trying them all is cheaper than thinking */
  MOST_CANDIDATES = 1 << 24 /* a longer list of them is not made */
};

struct planner {
  struct hone_plan *plan;
  const struct hone_program *program;
  const struct hone_domain *const *domains;
  const uint32_t *constraints;
  size_t constraint_count;
  int32_t *last;  /* of each node: the level of its last variable, -1 none; -2 not of interest */
  int32_t *first; /* the level of its first variable */
  bool *is_constraint;
};

/* ---- Which level a node belongs to ---- */

static void mark(struct planner *p, uint32_t node, const int32_t *level_of_variable)
{
  const struct hone_instruction *n = &p->program->nodes[node];

  if (p->last[node] != -2) return;
  p->last[node] = -1;
  p->first[node] = INT32_MAX;
  if (n->role == HONE_ROLE_VARIABLE) {
    p->last[node] = p->first[node] = level_of_variable[n->variable];
    return;
  }
  for (int i = 0; i < n->arity; i++) {
    mark(p, n->args[i], level_of_variable);
    if (p->last[n->args[i]] > p->last[node]) p->last[node] = p->last[n->args[i]];
    if (p->first[n->args[i]] < p->first[node]) p->first[node] = p->first[n->args[i]];
  }
}

static void find_levels(struct planner *p, const uint32_t *order, uint32_t depth)
{
  int32_t *level_of_variable;
  uint32_t most = 0;

  for (uint32_t i = 0; i < depth; i++)
    if (order[i] > most) most = order[i];
  level_of_variable = hone__alloc((most + 1) * sizeof *level_of_variable);
  for (uint32_t i = 0; i < depth; i++)
    level_of_variable[order[i]] = (int32_t)i;
  for (uint32_t i = 0; i < p->program->count; i++)
    p->last[i] = -2;
  for (size_t i = 0; i < p->constraint_count; i++) {
    mark(p, p->constraints[i], level_of_variable);
    p->is_constraint[p->constraints[i]] = true;
  }
  free(level_of_variable);
}

/* ---- Bounds and candidates ---- */

static void run_bounds(struct planner *p, struct hone_bounds *bounds)
{
  for (uint32_t i = 0; i < p->program->count; i++) {
    const struct hone_instruction *node = &p->program->nodes[i];
    if (p->last[i] == -2 || node->role == HONE_ROLE_VARIABLE) continue;
    bounds[i] = hone__bounds_run(node, bounds);
  }
}

static uint32_t candidate(const struct hone_candidates *candidates, uint32_t k)
{
  return candidates->list ? candidates->list[k] : candidates->first + k;
}

static struct hone_bounds candidate_bounds(const struct hone_level *level, uint32_t from,
                                           uint32_t to)
{
  const struct hone_domain *domain = level->domain;
  struct hone_bounds bounds = {.kind = HONE_BOUNDS_INT};

  if (domain->ascending && from != to) {
    bounds.lo = hone__domain_value(domain, candidate(&level->candidates, from)).integer;
    bounds.hi = hone__domain_value(domain, candidate(&level->candidates, to)).integer;
    bounds.factor = 1;
    if (to - from < 64) { /* a common factor is worth a short look */
      bounds.factor = 0;
      for (uint32_t k = from; k <= to; k++) {
        int64_t a = hone__domain_value(domain, candidate(&level->candidates, k)).integer, b;
        for (b = bounds.factor; b;) {
          int64_t rest = a % b;
          a = b;
          b = rest;
        }
        bounds.factor = a < 0 ? -a : a;
      }
    }
    return bounds;
  }
  if (from == to)
    return hone__bounds_exact(hone__domain_value(domain, candidate(&level->candidates, from)));
  return hone__domain_bounds(domain, 0, domain->count - 1);
}

struct sieve {
  struct planner *p;
  struct hone_level *level;
  const uint32_t *nodes; /* that depend on the variable, in order */
  uint32_t node_count;
  struct hone_bounds *bounds;
  uint32_t *kept;
  uint32_t kept_count;
};

static bool excluded(struct sieve *s, uint32_t from, uint32_t to)
{
  s->bounds[s->level->variable_node] = candidate_bounds(s->level, from, to);
  for (uint32_t i = 0; i < s->node_count; i++) {
    uint32_t node = s->nodes[i];
    if (node != s->level->variable_node)
      s->bounds[node] = hone__bounds_run(&s->p->program->nodes[node], s->bounds);
    if (s->p->is_constraint[node] && hone__bounds_truth(&s->bounds[node]) < 0) return true;
  }
  return false;
}

static void sift(struct sieve *s, uint32_t from, uint32_t to)
{
  uint32_t count = to - from + 1;

  if (count > FEW_CANDIDATES && s->level->domain->ascending) {
    uint32_t middle = from + count / 2;
    if (excluded(s, from, to)) return;
    sift(s, from, middle - 1);
    sift(s, middle, to);
    return;
  }
  for (uint32_t k = from; k <= to; k++)
    if (!excluded(s, k, k)) s->kept[s->kept_count++] = candidate(&s->level->candidates, k);
}

static void keep(struct planner *p, struct hone_level *level, const uint32_t *kept, uint32_t count)
{
  struct hone_candidates *candidates = &level->candidates;

  candidates->count = count;
  candidates->list = NULL;
  if (count == 0) {
    p->plan->empty = true;
    return;
  }
  candidates->first = kept[0];
  if (kept[count - 1] - kept[0] == count - 1) return;
  candidates->list = hone__arena_alloc(&p->plan->arena, count * sizeof *kept);
  memcpy(candidates->list, kept, count * sizeof *kept);
}

/* How many candidates remain at the most, by bounds alone and without listing them. */
static uint32_t sieve_size(struct sieve *s, uint32_t from, uint32_t to, uint32_t enough)
{
  uint32_t count = to - from + 1, left, middle = from + count / 2;

  if (!s->level->domain->ascending || count <= enough) return count;
  if (excluded(s, from, to)) return 0;
  left = sieve_size(s, from, middle - 1, enough);
  return left + sieve_size(s, middle, to, enough);
}

/* The nodes through which a constraint depends on the level's variable, in order. Constraints of
 * other variables too are looked at only where the domain is long. */
static uint32_t find_dependents(struct planner *p, int32_t at, bool alone, uint32_t *nodes)
{
  const struct hone_program *program = p->program;
  bool *depends = hone__alloc(2 * program->count * sizeof *depends);
  bool *wanted = depends + program->count;
  uint32_t count = 0;

  depends[p->plan->levels[at].variable_node] = true;
  for (uint32_t i = 0; i < program->count; i++)
    for (int k = 0; k < program->nodes[i].arity && p->last[i] >= at; k++)
      if (depends[program->nodes[i].args[k]]) depends[i] = true;
  for (uint32_t i = program->count; i-- > 0;) {
    if (!depends[i]) continue;
    if (p->is_constraint[i] && (!alone || p->first[i] == p->last[i])) wanted[i] = true;
    for (int k = 0; wanted[i] && k < program->nodes[i].arity; k++)
      wanted[program->nodes[i].args[k]] = true;
  }
  for (uint32_t i = 0; i < program->count; i++)
    if (wanted[i] && depends[i]) nodes[count++] = i;
  free(depends);
  return count;
}

/* Drops values that cannot stand in any solution: short domains by the constraints of this variable
 * alone, long ones by all constraints, the other variables being free. */
static bool sieve_level(struct planner *p, uint32_t at)
{
  struct hone_level *level = &p->plan->levels[at];
  struct sieve s = {.p = p, .level = level, .bounds = p->plan->bounds};
  uint32_t *nodes = hone__alloc(p->program->count * sizeof *nodes);
  uint32_t before = level->candidates.count, room;
  bool longish = before > FEW_CANDIDATES && level->domain->ascending;

  s.node_count = find_dependents(p, (int32_t)at, !longish, nodes);
  s.nodes = nodes;
  room = s.node_count ? sieve_size(&s, 0, before - 1, 4096) : UINT32_MAX;
  if (room <= MOST_CANDIDATES) {
    s.kept = hone__alloc((room + 1) * sizeof *s.kept);
    if (room) sift(&s, 0, before - 1);
    if (s.kept_count < before) keep(p, level, s.kept, s.kept_count);
    free(s.kept);
  }
  if (level->candidates.count)
    p->plan->bounds[level->variable_node] = candidate_bounds(level, 0, level->candidates.count - 1);
  free(nodes);
  return level->candidates.count < before;
}

static void find_candidates(struct planner *p)
{
  struct hone_plan *plan = p->plan;
  bool changed = true;

  for (uint32_t i = 0; i < plan->depth; i++) {
    struct hone_level *level = &plan->levels[i];
    level->candidates.count = level->domain->count;
    plan->bounds[level->variable_node] =
        hone__domain_bounds(level->domain, 0, level->domain->count - 1);
  }
  run_bounds(p, plan->bounds);
  for (int round = 0; round < 3 && changed && !plan->empty; round++) {
    changed = false;
    for (uint32_t i = 0; i < plan->depth && !plan->empty; i++) {
      bool longish = plan->levels[i].candidates.count > FEW_CANDIDATES;
      if (round && !longish) continue;
      if (sieve_level(p, i)) changed = true;
      run_bounds(p, plan->bounds);
    }
  }
}

/* ---- Binders ---- */

static uint32_t occurrences(const struct planner *p, uint32_t node, uint32_t variable_node)
{
  const struct hone_instruction *n = &p->program->nodes[node];
  uint32_t count = 0;

  if (node == variable_node) return 1;
  if (p->last[node] < p->last[variable_node]) return 0;
  for (int i = 0; i < n->arity && count < 2; i++)
    count += occurrences(p, n->args[i], variable_node);
  return count;
}

/* The operators between `node` and the variable, if each can be undone. */
static bool trace_steps(const struct planner *p, uint32_t node, uint32_t variable_node,
                        bool products_only, struct hone_binder *binder)
{
  while (node != variable_node) {
    const struct hone_instruction *n = &p->program->nodes[node];
    bool left = occurrences(p, n->args[0], variable_node) == 1;
    struct hone_step step = {.op = n->op, .x_left = left};
    if (binder->step_count == sizeof binder->steps / sizeof *binder->steps) return false;
    if (n->op != HONE_OP_MUL &&
        (products_only || (n->op != HONE_OP_ADD && n->op != HONE_OP_SUB && n->op != HONE_OP_NEG)))
      return false;
    if (n->arity == 2) step.other = n->args[left ? 1 : 0];
    binder->steps[binder->step_count++] = step;
    node = n->args[left ? 0 : 1];
  }
  return true;
}

static bool is_int_zero(const struct planner *p, uint32_t node)
{
  const struct hone_instruction *n = &p->program->nodes[node];
  return n->role == HONE_ROLE_CONSTANT && n->value.type == HONE_INT && n->value.integer == 0;
}

static bool make_divisibility(const struct planner *p, uint32_t dividend, uint32_t divisor,
                              uint32_t rest, uint32_t x, struct hone_binder *binder)
{
  if (dividend == x) {
    binder->kind = HONE_BIND_MULTIPLE;
    binder->target = divisor;
    binder->rest = rest;
    return true;
  }
  if (occurrences(p, divisor, x) != 1 || !is_int_zero(p, rest)) return false;
  binder->kind = HONE_BIND_DIVISOR;
  binder->target = dividend;
  return trace_steps(p, divisor, x, true, binder);
}

static bool make_binder(const struct planner *p, uint32_t node, uint32_t x,
                        struct hone_binder *binder)
{
  const struct hone_instruction *n = &p->program->nodes[node], *side;
  bool left;

  *binder = (struct hone_binder){0};
  if (n->op != HONE_OP_EQ || occurrences(p, node, x) != 1) return false;
  left = occurrences(p, n->args[0], x) == 1;
  binder->kind = HONE_BIND_EQUAL;
  binder->target = n->args[left ? 1 : 0];
  if (trace_steps(p, n->args[left ? 0 : 1], x, false, binder)) return true;
  side = &p->program->nodes[n->args[left ? 0 : 1]];
  binder->step_count = 0;
  if (side->op != HONE_OP_MOD || side->role != HONE_ROLE_OPERATOR) return false;
  return make_divisibility(p, side->args[0], side->args[1], binder->target, x, binder);
}

static void find_binders(struct planner *p, struct hone_level *level)
{
  struct hone_binder binder;
  uint32_t zero;

  if (level->candidates.count <= FEW_CANDIDATES || level->domain->types & ~HONE__T_WHOLE) return;
  level->binders = hone__arena_alloc(&p->plan->arena, level->compute_count * sizeof binder);
  for (uint32_t i = 0; i < level->compute_count; i++)
    if (level->check[i] && make_binder(p, level->compute[i], level->variable_node, &binder) &&
        !(binder.kind == HONE_BIND_DIVISOR && /* zero must fault, not vanish */
          hone__domain_find(level->domain, hone__int(0), &zero)))
      level->binders[level->binder_count++] = binder;
}

/* ---- Levels ---- */

static uint32_t *new_list(struct planner *p)
{
  return hone__arena_alloc(&p->plan->arena, (p->program->count + 1) * sizeof(uint32_t));
}

static void add_needed(struct planner *p, struct hone_level *level, int32_t at, uint32_t node,
                       bool *done)
{
  const struct hone_instruction *n = &p->program->nodes[node];

  if (done[node] || p->last[node] != at || n->role == HONE_ROLE_VARIABLE) return;
  done[node] = true;
  for (int i = 0; i < n->arity; i++)
    add_needed(p, level, at, n->args[i], done);
  level->check[level->compute_count] = p->is_constraint[node];
  level->compute[level->compute_count++] = node;
}

static uint32_t weight(const struct planner *p, uint32_t node, int32_t at)
{
  const struct hone_instruction *n = &p->program->nodes[node];
  uint32_t total = 1;

  if (p->last[node] != at) return 0;
  for (int i = 0; i < n->arity; i++)
    total += weight(p, n->args[i], at);
  return total;
}

/* Checks first, light ones before heavy ones; then what only deeper levels read. */
static void find_computation(struct planner *p, int32_t at, const bool *read_later)
{
  struct hone_level *level = &p->plan->levels[at];
  bool *done = hone__alloc(p->program->count * sizeof *done);

  level->compute = new_list(p);
  level->check = hone__arena_alloc(&p->plan->arena, (p->program->count + 1) * sizeof(bool));
  for (;;) {
    uint32_t best = UINT32_MAX, best_weight = UINT32_MAX;
    for (size_t i = 0; i < p->constraint_count; i++) {
      uint32_t node = p->constraints[i], w;
      if (p->last[node] != at || done[node]) continue;
      w = weight(p, node, at);
      if (w < best_weight) {
        best = node;
        best_weight = w;
      }
    }
    if (best == UINT32_MAX) break;
    if (p->program->nodes[best].role == HONE_ROLE_VARIABLE) { /* the constraint `x` itself */
      done[best] = true;
      level->check[level->compute_count] = true;
      level->compute[level->compute_count++] = best;
    } else {
      add_needed(p, level, at, best, done);
    }
    level->check_count++;
  }
  for (uint32_t i = 0; i < p->program->count; i++)
    if (read_later[i]) add_needed(p, level, at, i, done);
  free(done);
}

/* Which nodes of levels up to `at` some deeper node reads. */
static void find_read_later(const struct planner *p, int32_t at, bool *read_later)
{
  memset(read_later, 0, p->program->count * sizeof *read_later);
  for (uint32_t i = 0; i < p->program->count; i++) {
    const struct hone_instruction *n = &p->program->nodes[i];
    if (p->last[i] <= at) continue;
    for (int k = 0; k < n->arity; k++)
      if (p->last[n->args[k]] >= 0 && p->last[n->args[k]] <= at) read_later[n->args[k]] = true;
  }
}

static void find_state(struct planner *p, int32_t at, const bool *read_later)
{
  struct hone_level *level = &p->plan->levels[at];
  bool *read = hone__alloc(p->program->count * sizeof *read);

  if (at > 0) {
    struct hone_level *above = level - 1;
    level->live = new_list(p);
    for (uint32_t i = 0; i < above->passed_count; i++)
      level->live[level->live_count++] = above->live[above->passed[i]];
    for (uint32_t i = 0; i < above->made_count; i++)
      level->live[level->live_count++] = above->made[i];
  }
  for (uint32_t i = 0; i < level->compute_count; i++) {
    const struct hone_instruction *n = &p->program->nodes[level->compute[i]];
    for (int k = 0; k < n->arity; k++)
      read[n->args[k]] = true;
  }
  level->inputs = new_list(p);
  level->passed = new_list(p);
  level->made = new_list(p);
  for (uint32_t i = 0; i < level->live_count; i++) {
    if (read[level->live[i]]) level->inputs[level->input_count++] = i;
    if (read_later[level->live[i]]) level->passed[level->passed_count++] = i;
  }
  for (uint32_t i = 0; i < p->program->count; i++)
    if (read_later[i] && p->last[i] == at) level->made[level->made_count++] = i;
  free(read);
}

/* Nodes of incomplete constraints that the state on leaving says something about. */
static void find_ahead(struct planner *p, int32_t at)
{
  struct hone_level *level = &p->plan->levels[at];
  bool *wanted = hone__alloc(p->program->count * sizeof *wanted);

  level->ahead = new_list(p);
  level->ahead_check = hone__arena_alloc(&p->plan->arena, (p->program->count + 1) * sizeof(bool));
  for (uint32_t i = p->program->count; i-- > 0;) {
    const struct hone_instruction *n = &p->program->nodes[i];
    if (p->last[i] <= at || p->first[i] > at) continue;
    if (p->is_constraint[i]) wanted[i] = true;
    for (int k = 0; wanted[i] && k < n->arity; k++)
      wanted[n->args[k]] = true;
  }
  for (uint32_t i = 0; i < p->program->count; i++) {
    if (!wanted[i] || p->last[i] <= at || p->first[i] > at) continue;
    level->ahead_check[level->ahead_count] = p->is_constraint[i];
    level->ahead[level->ahead_count++] = i;
  }
  free(wanted);
}

static void find_variable_node(struct planner *p, struct hone_level *level)
{
  for (uint32_t i = 0; i < p->program->count; i++) {
    const struct hone_instruction *n = &p->program->nodes[i];
    if (n->role == HONE_ROLE_VARIABLE && n->variable == level->variable) level->variable_node = i;
  }
}

static void make_levels(struct planner *p, const uint32_t *order)
{
  struct hone_plan *plan = p->plan;
  bool *read_later = hone__alloc(p->program->count * sizeof *read_later);

  for (uint32_t i = 0; i < plan->depth; i++) {
    plan->levels[i].variable = order[i];
    plan->levels[i].domain = p->domains[order[i]];
    find_variable_node(p, &plan->levels[i]);
  }
  find_candidates(p);
  for (uint32_t i = 0; i < plan->depth && !plan->empty; i++) {
    find_read_later(p, (int32_t)i, read_later);
    find_computation(p, (int32_t)i, read_later);
    find_state(p, (int32_t)i, read_later);
    find_ahead(p, (int32_t)i);
    find_binders(p, &plan->levels[i]);
  }
  free(read_later);
}

void hone__plan_make(struct hone_plan *plan, const struct hone_program *program,
                     const struct hone_domain *const *domains, const uint32_t *order,
                     uint32_t depth, const uint32_t *constraints, size_t constraint_count)
{
  struct planner p = {.plan = plan,
                      .program = program,
                      .domains = domains,
                      .constraints = constraints,
                      .constraint_count = constraint_count};

  *plan = (struct hone_plan){.program = program, .depth = depth};
  plan->levels = hone__arena_alloc(&plan->arena, depth * sizeof *plan->levels);
  plan->values = hone__arena_alloc(&plan->arena, program->count * sizeof *plan->values);
  plan->bounds = hone__arena_alloc(&plan->arena, program->count * sizeof *plan->bounds);
  p.last = hone__alloc(program->count * sizeof *p.last);
  p.first = hone__alloc(program->count * sizeof *p.first);
  p.is_constraint = hone__alloc(program->count * sizeof *p.is_constraint);
  for (uint32_t i = 0; i < program->count; i++)
    if (program->nodes[i].role == HONE_ROLE_CONSTANT) plan->values[i] = program->nodes[i].value;
  find_levels(&p, order, depth);
  make_levels(&p, order);
  free(p.last);
  free(p.first);
  free(p.is_constraint);
}

void hone__plan_release(struct hone_plan *plan)
{
  hone__arena_release(&plan->arena);
  *plan = (struct hone_plan){0};
}

/* ---- Narrowing at run time ---- */

static bool int_of(const struct hone_plan *plan, uint32_t node, int64_t *out_integer)
{
  struct hone_value value = plan->values[node];

  *out_integer = value.integer;
  return value.type == HONE_INT || value.type == HONE_BOOL;
}

enum undo { UNDONE, IMPOSSIBLE, UNKNOWN };

/* From steps(x) == target to x == target: each operator is undone. */
static enum undo undo_steps(const struct hone_plan *plan, const struct hone_binder *binder,
                            int64_t *target)
{
  for (uint32_t i = 0; i < binder->step_count; i++) {
    const struct hone_step *step = &binder->steps[i];
    int64_t other = 0;
    if (step->op != HONE_OP_NEG && !int_of(plan, step->other, &other)) return UNKNOWN;
    switch (step->op) {
    case HONE_OP_MUL:
      if (other == 0 || other == -1) return UNKNOWN;
      if (*target % other != 0) return IMPOSSIBLE;
      *target /= other;
      break;
    case HONE_OP_ADD:
      if (__builtin_sub_overflow(*target, other, target)) return UNKNOWN;
      break;
    case HONE_OP_SUB:
      if (step->x_left ? __builtin_add_overflow(*target, other, target)
                       : __builtin_sub_overflow(other, *target, target))
        return UNKNOWN;
      break;
    case HONE_OP_NEG:
      if (__builtin_sub_overflow((int64_t)0, *target, target)) return UNKNOWN;
      break;
    default: HONE_BUG("a step that cannot be undone");
    }
  }
  return UNDONE;
}

static bool has_candidate(const struct hone_level *level, uint32_t index)
{
  const struct hone_candidates *c = &level->candidates;
  uint32_t low = 0, high = c->count;

  if (!c->list) return index >= c->first && index - c->first < c->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (c->list[middle] < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low < c->count && c->list[low] == index;
}

static uint32_t add_value(const struct hone_level *level, int64_t value, uint32_t *room,
                          uint32_t count)
{
  uint32_t index;

  if (hone__domain_find(level->domain, hone__int(value), &index) && has_candidate(level, index))
    room[count++] = index;
  return count;
}

static int by_number(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* Returns false where trying the candidates is no more work. */
static bool list_divisors(const struct hone_level *level, int64_t target, uint32_t *room,
                          uint32_t *out_count)
{
  uint32_t count = 0, limit = level->candidates.count;

  if (target == 0 || target == INT64_MIN) return false;
  if (target < 0) target = -target;
  if ((unsigned __int128)limit * limit < (uint64_t)target) return false;
  for (int64_t d = 1; d <= target / d; d++) {
    if (target % d) continue;
    if (count + 4 > limit) return false;
    count = add_value(level, d, room, count);
    count = add_value(level, -d, room, count);
    if (d == target / d) continue;
    count = add_value(level, target / d, room, count);
    count = add_value(level, -(target / d), room, count);
  }
  qsort(room, count, sizeof *room, by_number);
  *out_count = count;
  return true;
}

/* x % divisor == rest over a range: every stride-th value from the first that fits. */
static bool list_multiples(const struct hone_plan *plan, const struct hone_level *level,
                           const struct hone_binder *binder, uint32_t *room, uint32_t *out_count)
{
  const struct hone_candidates *c = &level->candidates;
  int64_t divisor, rest, a, b, stride, k = 0;
  uint32_t count = 0;

  if (c->list || !level->domain->is_range) return false;
  if (!int_of(plan, binder->target, &divisor) || !int_of(plan, binder->rest, &rest)) return false;
  if (divisor <= 1 || divisor > c->count) return false;
  for (a = level->domain->range.step, b = divisor; b;) {
    int64_t left = a % b;
    a = b;
    b = left;
  }
  stride = divisor / (a < 0 ? -a : a);
  for (; k < stride && k < c->count; k++) {
    int64_t value = hone__domain_value(level->domain, c->first + (uint32_t)k).integer;
    int64_t left = value % divisor;
    if ((left < 0 ? left + divisor : left) == rest) break;
  }
  for (; k < stride * (int64_t)c->count && k < c->count; k += stride) {
    int64_t value = hone__domain_value(level->domain, c->first + (uint32_t)k).integer;
    int64_t left = value % divisor;
    if ((left < 0 ? left + divisor : left) != rest) break;
    room[count++] = c->first + (uint32_t)k;
  }
  *out_count = count;
  return true;
}

static bool bind(const struct hone_plan *plan, const struct hone_level *level,
                 const struct hone_binder *binder, uint32_t *room, uint32_t *out_count)
{
  int64_t target;

  *out_count = 0;
  if (binder->kind == HONE_BIND_MULTIPLE)
    return list_multiples(plan, level, binder, room, out_count);
  if (!int_of(plan, binder->target, &target)) return false;
  if (binder->kind == HONE_BIND_DIVISOR && target == 0) return false;
  switch (undo_steps(plan, binder, &target)) {
  case IMPOSSIBLE: return true;
  case UNKNOWN: return false;
  case UNDONE: break;
  }
  if (binder->kind == HONE_BIND_DIVISOR) return list_divisors(level, target, room, out_count);
  *out_count = add_value(level, target, room, 0);
  return true;
}

/* By bounds: halves in which a complete constraint is false for certain are left out. */
static uint32_t split(struct hone_plan *plan, const struct hone_level *level, uint32_t from,
                      uint32_t to, uint32_t *room, uint32_t count)
{
  uint32_t size = to - from + 1, middle = from + size / 2;

  plan->bounds[level->variable_node] = candidate_bounds(level, from, to);
  for (uint32_t i = 0; i < level->compute_count; i++) {
    uint32_t node = level->compute[i];
    if (node != level->variable_node)
      plan->bounds[node] = hone__bounds_run(&plan->program->nodes[node], plan->bounds);
    if (level->check[i] && hone__bounds_truth(&plan->bounds[node]) < 0) return count;
  }
  if (size <= FEW_CANDIDATES) {
    for (uint32_t k = from; k <= to; k++)
      room[count++] = candidate(&level->candidates, k);
    return count;
  }
  count = split(plan, level, from, middle - 1, room, count);
  return split(plan, level, middle, to, room, count);
}

uint32_t hone__plan_narrow(struct hone_plan *plan, const struct hone_level *level, uint32_t *room,
                           const uint32_t **out_list, uint32_t *out_first)
{
  const struct hone_candidates *c = &level->candidates;
  uint32_t count;

  *out_list = c->list;
  *out_first = c->first;
  if (c->count <= FEW_CANDIDATES || level->check_count == 0) return c->count;
  *out_list = room;
  for (uint32_t i = 0; i < level->binder_count; i++)
    if (bind(plan, level, &level->binders[i], room, &count)) return count;
  if (level->domain->ascending) {
    for (uint32_t i = 0; i < level->input_count; i++) {
      uint32_t node = level->live[level->inputs[i]];
      plan->bounds[node] = hone__bounds_exact(plan->values[node]);
    }
    return split(plan, level, 0, c->count - 1, room, 0);
  }
  *out_list = c->list;
  return c->count;
}
