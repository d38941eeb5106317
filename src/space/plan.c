/* From the program to the plan: each node's first and last level and its last reader are found in a
 * few passes; then a level's checks, what it computes, and what has to be remembered below it
 * follow. */
#include "space/split.h"

#include <stdlib.h>

enum {
  MOST_AHEAD = 4 << 20, /* nodes to look at over all levels; beyond it nothing is looked ahead */
  MOST_BINDERS = 8
};

/* ---- Which level a node belongs to ---- */

static void mark(struct hone__planner *p, uint32_t node, const int32_t *level_of_variable)
{
  const struct hone__instruction *n = &p->program->nodes[node];

  if (p->last[node] != -2) return;
  p->last[node] = -1;
  p->first[node] = INT32_MAX;
  if (n->role == HONE__ROLE_VARIABLE) {
    int32_t level = level_of_variable[n->variable];
    p->last[node] = p->first[node] = level;
    p->plan->levels[level].variable_node = node;
    return;
  }
  for (int i = 0; i < n->arity; i++) {
    uint32_t arg = n->args[i];
    mark(p, arg, level_of_variable);
    if (p->last[arg] > p->last[node]) p->last[node] = p->last[arg];
    if (p->first[arg] < p->first[node]) p->first[node] = p->first[arg];
  }
}

/* Again after the sieve: constraints that it settled are no longer there. */
static void find_levels(struct hone__planner *p, const uint32_t *order)
{
  int32_t *level_of_variable;
  uint32_t most = 0, depth = p->plan->depth;

  for (uint32_t i = 0; i < depth; i++)
    if (order[i] > most) most = order[i];
  level_of_variable = hone__alloc((most + 1) * sizeof *level_of_variable);
  for (uint32_t i = 0; i < depth; i++)
    level_of_variable[order[i]] = (int32_t)i;
  for (uint32_t i = 0; i < p->program->count; i++) {
    p->last[i] = p->last_use[i] = -2;
    p->is_constraint[i] = false;
  }
  for (size_t i = 0; i < p->constraint_count; i++) {
    mark(p, p->constraints[i], level_of_variable);
    p->is_constraint[p->constraints[i]] = true;
  }
  for (uint32_t i = 0; i < p->program->count; i++)
    for (int k = 0; k < p->program->nodes[i].arity && p->last[i] >= 0; k++) {
      uint32_t arg = p->program->nodes[i].args[k];
      if (p->last[i] > p->last_use[arg]) p->last_use[arg] = p->last[i];
    }
  free(level_of_variable);
}

/* ---- Lists ---- */

/* The scratch list's first `count` numbers, kept. */
static uint32_t *keep_list(struct hone__planner *p, uint32_t count)
{
  uint32_t *list = hone__arena_alloc(&p->plan->arena, (count + 1) * sizeof *list);

  memcpy(list, p->scratch, count * sizeof *list);
  return list;
}

/* Which of a list's nodes are constraints. */
static bool *keep_checks(struct hone__planner *p, const uint32_t *list, uint32_t count)
{
  bool *checks = hone__arena_alloc(&p->plan->arena, (count + 1) * sizeof *checks);

  for (uint32_t i = 0; i < count; i++)
    checks[i] = p->is_constraint[list[i]];
  return checks;
}

/* ---- What a level computes ---- */

struct weighed {
  int32_t level;
  uint32_t node, weight;
};

static int by_weight(const void *a, const void *b)
{
  const struct weighed *x = a, *y = b;

  if (x->level != y->level) return x->level < y->level ? -1 : 1;
  if (x->weight != y->weight) return x->weight < y->weight ? -1 : 1;
  return x->node < y->node ? -1 : x->node > y->node;
}

/* Nodes of the same level below a node, itself included. */
static uint32_t weigh(const struct hone__planner *p, uint32_t node, int32_t at, uint32_t *stamps,
                      uint32_t stamp)
{
  const struct hone__instruction *n = &p->program->nodes[node];
  uint32_t total = 1;

  if (p->last[node] != at || stamps[node] == stamp) return 0;
  stamps[node] = stamp;
  for (int i = 0; i < n->arity; i++)
    total += weigh(p, n->args[i], at, stamps, stamp);
  return total;
}

/* All constraints, level by level, light ones first. */
static struct weighed *weigh_constraints(const struct hone__planner *p)
{
  struct weighed *weighed = hone__alloc((p->constraint_count + 1) * sizeof *weighed);
  uint32_t *stamps = hone__alloc(p->program->count * sizeof *stamps);

  for (size_t i = 0; i < p->constraint_count; i++) {
    uint32_t node = p->constraints[i];
    weighed[i].level = p->last[node];
    weighed[i].node = node;
    weighed[i].weight = weigh(p, node, p->last[node], stamps, (uint32_t)i + 1);
  }
  qsort(weighed, p->constraint_count, sizeof *weighed, by_weight);
  weighed[p->constraint_count].level = INT32_MAX;
  free(stamps);
  return weighed;
}

static void add_needed(struct hone__planner *p, int32_t at, uint32_t node, bool *done,
                       uint32_t *count)
{
  const struct hone__instruction *n = &p->program->nodes[node];

  if (done[node] || p->last[node] != at) return;
  done[node] = true;
  for (int i = 0; i < n->arity; i++)
    add_needed(p, at, n->args[i], done, count);
  if (n->role != HONE__ROLE_VARIABLE || p->is_constraint[node]) p->scratch[(*count)++] = node;
}

/* Checks first, then what only deeper levels read; `nodes` are the level's. */
static void find_computation(struct hone__planner *p, int32_t at, const struct weighed **checks,
                             const uint32_t *nodes, uint32_t node_count, bool *done)
{
  struct hone__level *level = &p->plan->levels[at];
  uint32_t count = 0;

  for (; (*checks)->level == at; (*checks)++) {
    add_needed(p, at, (*checks)->node, done, &count);
    level->check_count++;
  }
  for (uint32_t i = 0; i < node_count; i++)
    if (p->last_use[nodes[i]] > at) add_needed(p, at, nodes[i], done, &count);
  level->compute = keep_list(p, count);
  level->check = keep_checks(p, level->compute, count);
  level->compute_count = count;
}

static void find_binders(struct hone__planner *p, int32_t at)
{
  struct hone__level *level = &p->plan->levels[at];
  struct hone__binder binders[MOST_BINDERS];

  if (level->candidates.count <= HONE__FEW_CANDIDATES) return;
  level->binder_count = (uint32_t)hone__binders_find(p, level, at, binders, MOST_BINDERS);
  level->binders = hone__arena_alloc(&p->plan->arena, MOST_BINDERS * sizeof *binders);
  memcpy(level->binders, binders, level->binder_count * sizeof *binders);
}

/* ---- The state ---- */

/* What the level above leaves is what this one finds. */
static void find_live(struct hone__planner *p, int32_t at)
{
  struct hone__level *level = &p->plan->levels[at], *above = level - 1;
  uint32_t count = 0;

  if (at == 0) return;
  for (uint32_t i = 0; i < above->passed_count; i++)
    p->scratch[count++] = above->live[above->passed[i]];
  for (uint32_t i = 0; i < above->made_count; i++)
    p->scratch[count++] = above->made[i];
  level->live = keep_list(p, count);
  level->live_count = count;
}

/* Marks the nodes that the level's computation and its binders read. */
static void mark_read(const struct hone__planner *p, const struct hone__level *level, bool *read,
                      bool mark_as)
{
  for (uint32_t i = 0; i < level->compute_count; i++) {
    const struct hone__instruction *n = &p->program->nodes[level->compute[i]];
    for (int k = 0; k < n->arity; k++)
      read[n->args[k]] = mark_as;
  }
  for (uint32_t i = 0; i < level->binder_count; i++) {
    const struct hone__binder *binder = &level->binders[i];
    read[binder->target] = mark_as;
    if (binder->kind == HONE__BIND_MULTIPLE) read[binder->rest] = mark_as;
    for (uint32_t k = 0; k < binder->step_count; k++)
      if (binder->steps[k].op != HONE__OP_NEG) read[binder->steps[k].other] = mark_as;
  }
}

static void find_state(struct hone__planner *p, int32_t at, const uint32_t *nodes,
                       uint32_t node_count, bool *read)
{
  struct hone__level *level = &p->plan->levels[at];
  uint32_t count = 0;

  find_live(p, at);
  mark_read(p, level, read, true);
  for (uint32_t i = 0; i < level->live_count; i++)
    if (read[level->live[i]]) p->scratch[count++] = i;
  level->inputs = keep_list(p, count);
  level->input_count = count;
  mark_read(p, level, read, false);
  count = 0;
  for (uint32_t i = 0; i < level->live_count; i++)
    if (p->last_use[level->live[i]] > at) p->scratch[count++] = i;
  level->passed = keep_list(p, count);
  level->passed_count = count;
  count = 0;
  for (uint32_t i = 0; i < node_count; i++)
    if (p->last_use[nodes[i]] > at) p->scratch[count++] = nodes[i];
  level->made = keep_list(p, count);
  level->made_count = count;
}

/* ---- Looking ahead ---- */

/* After level `at`, a node says something new if it has variables both bound and free. */
static void find_ahead(struct hone__planner *p)
{
  struct hone__plan *plan = p->plan;
  uint64_t total = 0;

  for (uint32_t i = 0; i < p->program->count; i++)
    if (p->last[i] > 0) total += (uint64_t)(p->last[i] - p->first[i]);
  if (total > MOST_AHEAD) return;
  for (uint32_t i = 0; i < p->program->count; i++)
    for (int32_t at = p->first[i]; p->last[i] > 0 && at < p->last[i]; at++)
      plan->levels[at].ahead_count++;
  for (uint32_t at = 0; at < plan->depth; at++) {
    struct hone__level *level = &plan->levels[at];
    level->ahead = hone__arena_alloc(&plan->arena, (level->ahead_count + 1) * sizeof(uint32_t));
    level->ahead_count = 0;
  }
  for (uint32_t i = 0; i < p->program->count; i++)
    for (int32_t at = p->first[i]; p->last[i] > 0 && at < p->last[i]; at++)
      plan->levels[at].ahead[plan->levels[at].ahead_count++] = i;
  for (uint32_t at = 0; at < plan->depth; at++) {
    struct hone__level *level = &plan->levels[at];
    level->ahead_check = keep_checks(p, level->ahead, level->ahead_count);
  }
}

/* ---- Levels ---- */

/* Nodes level by level, each level's in order; starts[level] is where they begin. */
static uint32_t *sort_by_level(const struct hone__planner *p, uint32_t **out_starts)
{
  uint32_t depth = p->plan->depth;
  uint32_t *starts = hone__alloc((depth + 2) * sizeof *starts);
  uint32_t *nodes = hone__alloc((p->program->count + 1) * sizeof *nodes);

  for (uint32_t i = 0; i < p->program->count; i++)
    if (p->last[i] >= 0) starts[p->last[i] + 2]++;
  for (uint32_t at = 0; at <= depth; at++)
    starts[at + 1] += starts[at];
  for (uint32_t i = 0; i < p->program->count; i++)
    if (p->last[i] >= 0) nodes[starts[p->last[i] + 1]++] = i;
  *out_starts = starts;
  return nodes;
}

static void make_levels(struct hone__planner *p)
{
  bool *done = hone__alloc(p->program->count * sizeof *done);
  bool *read = hone__alloc(p->program->count * sizeof *read);
  struct weighed *weighed = weigh_constraints(p);
  const struct weighed *checks = weighed;
  uint32_t *starts, *nodes = sort_by_level(p, &starts);

  for (uint32_t at = 0; at < p->plan->depth; at++) {
    const uint32_t *own = nodes + starts[at];
    uint32_t count = starts[at + 1] - starts[at];
    find_computation(p, (int32_t)at, &checks, own, count, done);
    find_binders(p, (int32_t)at);
    find_state(p, (int32_t)at, own, count, read);
  }
  find_ahead(p);
  free(weighed);
  free(starts);
  free(nodes);
  free(done);
  free(read);
}

static void *by_node(const struct hone__spec_program *program, size_t item)
{
  return hone__alloc((program->count + 1) * item);
}

void hone__plan_make(struct hone__plan *plan, const struct hone__spec_program *program,
                     const struct hone__domain *const *domains, const uint32_t *order,
                     uint32_t depth, const uint32_t *constraints, size_t constraint_count)
{
  struct hone__planner p = {.plan = plan,
                            .program = program,
                            .constraint_count = constraint_count,
                            .first = by_node(program, sizeof *p.first),
                            .last = by_node(program, sizeof *p.last),
                            .last_use = by_node(program, sizeof *p.last_use),
                            .is_constraint = by_node(program, sizeof *p.is_constraint),
                            .scratch = by_node(program, sizeof *p.scratch)};

  *plan = (struct hone__plan){.program = program, .depth = depth};
  plan->levels = hone__arena_alloc(&plan->arena, depth * sizeof *plan->levels);
  plan->values = hone__arena_alloc(&plan->arena, program->count * sizeof *plan->values);
  plan->bounds = hone__arena_alloc(&plan->arena, program->count * sizeof *plan->bounds);
  for (uint32_t i = 0; i < program->count; i++)
    if (program->nodes[i].role == HONE__ROLE_CONSTANT) plan->values[i] = program->nodes[i].value;
  for (uint32_t i = 0; i < depth; i++) {
    HONE__ASSERT(domains[order[i]]->count > 0);
    plan->levels[i].variable = order[i];
    plan->levels[i].domain = domains[order[i]];
  }
  p.constraints = hone__alloc((constraint_count + 1) * sizeof *constraints);
  memcpy(p.constraints, constraints, constraint_count * sizeof *constraints);
  find_levels(&p, order);
  hone__sieve(&p);
  if (!plan->empty) {
    find_levels(&p, order);
    make_levels(&p);
  }
  free(p.constraints);
  free(p.first);
  free(p.last);
  free(p.last_use);
  free(p.is_constraint);
  free(p.scratch);
}

void hone__plan_release(struct hone__plan *plan)
{
  hone__arena_release(&plan->arena);
  *plan = (struct hone__plan){0};
}

/* ---- Narrowing at run time ---- */

/* For each state again: worth it only where trying all candidates would take long. */
static bool narrows_by_bounds(const struct hone__level *level)
{
  return level->check_count && level->domain->ascending &&
         level->candidates.count > 8 * HONE__FEW_CANDIDATES;
}

static void narrow_by_bounds(struct hone__plan *plan, const struct hone__level *level,
                             uint32_t *room, struct hone__narrowed *out)
{
  struct hone__split split = {.program = plan->program,
                              .level = level,
                              .bounds = plan->bounds,
                              .nodes = level->compute,
                              .checks = level->check,
                              .node_count = level->compute_count,
                              .one_by_one =
                                  level->made_count == 0, /* else each is computed anyway */
                              .room = room,
                              .capacity = hone__level_room(level)};

  for (uint32_t i = 0; i < level->input_count; i++) {
    uint32_t node = level->live[level->inputs[i]];
    plan->bounds[node] = hone__bounds_exact(plan->values[node]);
  }
  hone__split_run(&split);
  out->tests = split.tests;
  if (split.overflow) return; /* all of them, then */
  out->first = split.first;
  out->count = split.count;
  out->list = split.is_list ? room : NULL;
  out->certain = split.certain;
}

void hone__plan_narrow(struct hone__plan *plan, const struct hone__level *level, uint32_t *room,
                       struct hone__narrowed *out_narrowed)
{
  const struct hone__plan_candidates *c = &level->candidates;

  *out_narrowed = (struct hone__narrowed){
      .first = c->first, .count = c->count, .list = c->list, .certain = level->check_count == 0};
  if (hone__level_room(level) == 0) return;
  for (uint32_t i = 0; i < level->binder_count; i++) {
    if (!hone__binder_run(plan, level, &level->binders[i], room, hone__level_room(level),
                          &out_narrowed->count))
      continue;
    out_narrowed->list = room;
    HONE__ASSERT_SLOW(out_narrowed->count <= hone__level_room(level));
    return;
  }
  out_narrowed->count = c->count;
  if (narrows_by_bounds(level)) narrow_by_bounds(plan, level, room, out_narrowed);
}

uint32_t hone__level_room(const struct hone__level *level)
{
  const uint32_t most = 1 << 22;

  if (!level->binder_count && !narrows_by_bounds(level)) return 0;
  return level->candidates.count < most ? level->candidates.count : most;
}
