/* Before anything is solved, values that cannot be part of any solution are dropped: those that a
 * constraint of one variable rejects, and of long domains those that some constraint rejects
 * whatever the other variables are. Long domains are not looked at value by value: binders with
 * constant targets list what is left, and bounds reject whole stretches. */
#include "space/split.h"

#include <stdlib.h>

enum { MOST_CANDIDATES = 1 << 22 }; /* a longer list of them is not made */

static void run_bounds(struct hone__planner *p)
{
  for (uint32_t i = 0; i < p->program->count; i++) {
    const struct hone__instruction *node = &p->program->nodes[i];
    if (p->last[i] == -2 || node->role == HONE__ROLE_VARIABLE) continue;
    p->plan->bounds[i] = hone__bounds_run(node, p->plan->bounds);
  }
}

static int64_t factor_of(const struct hone__level *level, uint32_t from, uint32_t to)
{
  int64_t factor = 0;

  for (uint32_t k = from; k <= to && factor != 1; k++)
    factor = hone__common_factor(
        factor, hone__domain_value(level->domain, hone__candidate(&level->candidates, k)).integer);
  return factor;
}

struct hone__bounds hone__space_candidate_bounds(const struct hone__level *level, uint32_t from,
                                                 uint32_t to)
{
  const struct hone__domain *domain = level->domain;
  const struct hone__plan_candidates *c = &level->candidates;

  if (from == to) return hone__bounds_exact(hone__domain_value(domain, hone__candidate(c, from)));
  if (!domain->ascending) return hone__domain_bounds(domain, 0, domain->count - 1);
  if (domain->types & HONE__T_FLOAT)
    return hone__bounds_between(hone__domain_value(domain, hone__candidate(c, from)),
                                hone__domain_value(domain, hone__candidate(c, to)));
  return (struct hone__bounds){.kind = HONE__BOUNDS_INT,
                               .lo = hone__domain_value(domain, hone__candidate(c, from)).integer,
                               .hi = hone__domain_value(domain, hone__candidate(c, to)).integer,
                               .factor = to - from < 64 ? factor_of(level, from, to) : 1};
}

static void keep(struct hone__planner *p, struct hone__level *level, const uint32_t *kept,
                 uint32_t count)
{
  struct hone__plan_candidates *candidates = &level->candidates;
  uint32_t *list = NULL;

  HONE__ASSERT(count <= candidates->count); /* a sieve adds nothing */
  if (count && kept[count - 1] - kept[0] != count - 1) {
    list = hone__arena_alloc(&p->plan->arena, count * sizeof *kept);
    memcpy(list, kept, count * sizeof *kept);
  }
  *candidates =
      (struct hone__plan_candidates){.first = count ? kept[0] : 0, .count = count, .list = list};
}

/* What constants alone determine: the divisors of 1280, the one value of an equation. */
static void apply_binders(struct hone__planner *p, struct hone__level *level, uint32_t *room)
{
  struct hone__binder binders[8];
  size_t count = hone__binders_find(p, level, 0, binders, sizeof binders / sizeof *binders);

  for (size_t i = 0; i < count && level->candidates.count > HONE__FEW_CANDIDATES; i++) {
    uint32_t left;
    if (hone__binder_run(p->plan, level, &binders[i], room, MOST_CANDIDATES, &left) &&
        left < level->candidates.count)
      keep(p, level, room, left);
  }
}

/* The nodes through which constraints depend on the level's variable, in order; `alone`:
 * constraints of this one variable only. */
static uint32_t find_dependents(const struct hone__planner *p, int32_t at, bool alone,
                                uint32_t *nodes)
{
  const struct hone__spec_program *program = p->program;
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

/* Splits by the constraints of this variable alone, or by all that it is in. Returns whether they
 * hold for whatever is left. */
static bool split_level(struct hone__planner *p, uint32_t at, bool alone, uint32_t *nodes,
                        uint32_t *room)
{
  struct hone__level *level = &p->plan->levels[at];
  struct hone__split split = {.program = p->program,
                              .level = level,
                              .bounds = p->plan->bounds,
                              .nodes = nodes,
                              .one_by_one = alone || level->candidates.count <= MOST_CANDIDATES,
                              .room = room,
                              .capacity = MOST_CANDIDATES};
  bool *checks;

  if (level->candidates.count == 0) return false;
  split.node_count = find_dependents(p, (int32_t)at, alone, nodes);
  if (split.node_count == 0) return false;
  checks = hone__alloc(split.node_count * sizeof *checks);
  for (uint32_t i = 0; i < split.node_count; i++)
    checks[i] = p->is_constraint[nodes[i]] && (!alone || p->first[nodes[i]] == p->last[nodes[i]]);
  split.checks = checks;
  hone__split_run(&split);
  free(checks);
  if (split.overflow) return false;
  if (split.is_list)
    keep(p, level, room, split.count);
  else
    level->candidates = (struct hone__plan_candidates){.first = split.first, .count = split.count};
  return split.certain;
}

static bool sieve_level(struct hone__planner *p, uint32_t at, bool *settled)
{
  struct hone__level *level = &p->plan->levels[at];
  uint32_t before = level->candidates.count,
           most = before < MOST_CANDIDATES ? before : MOST_CANDIDATES;
  uint32_t *nodes = hone__alloc(p->program->count * sizeof *nodes);
  uint32_t *room = hone__realloc(NULL, (most + 1) * sizeof *room); /* not zeroed: it may be large */
  bool is_long = before > HONE__FEW_CANDIDATES && level->domain->ascending;

  if (before > HONE__FEW_CANDIDATES) apply_binders(p, level, room);
  if (split_level(p, at, true, nodes, room)) *settled = true;
  if (is_long) split_level(p, at, false, nodes, room);
  if (level->candidates.count == 0)
    p->plan->empty = true;
  else
    p->plan->bounds[level->variable_node] =
        hone__space_candidate_bounds(level, 0, level->candidates.count - 1);
  free(nodes);
  free(room);
  return level->candidates.count < before;
}

/* Levels that a constraint of one variable refers to. */
static bool *find_single(const struct hone__planner *p)
{
  bool *single = hone__alloc((p->plan->depth + 1) * sizeof *single);

  for (size_t i = 0; i < p->constraint_count; i++) {
    uint32_t node = p->constraints[i];
    if (p->first[node] == p->last[node]) single[p->last[node]] = true;
  }
  return single;
}

/* What holds for all that is left need not be checked again. */
static void drop_settled(struct hone__planner *p, const bool *settled)
{
  size_t kept = 0;

  for (size_t i = 0; i < p->constraint_count; i++) {
    uint32_t node = p->constraints[i];
    bool alone = p->first[node] == p->last[node] && settled[p->last[node]];
    if (!alone && hone__bounds_truth(&p->plan->bounds[node]) <= 0) p->constraints[kept++] = node;
  }
  p->constraint_count = kept;
}

void hone__sieve(struct hone__planner *p)
{
  struct hone__plan *plan = p->plan;
  bool *single = find_single(p), changed = true;
  bool *settled = hone__alloc((plan->depth + 1) * sizeof *settled);

  for (uint32_t i = 0; i < plan->depth; i++) {
    struct hone__level *level = &plan->levels[i];
    level->candidates.count = level->domain->count;
    plan->bounds[level->variable_node] =
        hone__domain_bounds(level->domain, 0, level->domain->count - 1);
  }
  run_bounds(p);
  for (int round = 0; round < 3 && changed && !plan->empty; round++) {
    changed = false;
    for (uint32_t i = 0; i < plan->depth && !plan->empty; i++) {
      bool is_long = plan->levels[i].candidates.count > HONE__FEW_CANDIDATES;
      if (!is_long && (round || !single[i])) continue;
      if (sieve_level(p, i, &settled[i])) changed = true;
      run_bounds(p);
    }
  }
  if (!plan->empty) drop_settled(p, settled);
  free(settled);
  free(single);
}
