/* Before anything is solved, values that cannot stand in any solution are dropped: those that a
 * constraint of one variable rejects, and of long domains those that some constraint rejects
 * whatever the other variables are. Long domains are not looked at value by value: binders with
 * constant targets list what is left, and bounds reject whole stretches. */
#include "space/planner.h"

#include <stdlib.h>

enum { MOST_CANDIDATES = 1 << 24 }; /* a longer list of them is not made */

struct sieve {
  struct hone_planner *p;
  struct hone_level *level;
  uint32_t *nodes; /* that depend on the variable, in order */
  uint32_t node_count;
  uint32_t *kept;
  uint32_t kept_count;
};

static void run_bounds(struct hone_planner *p)
{
  for (uint32_t i = 0; i < p->program->count; i++) {
    const struct hone_instruction *node = &p->program->nodes[i];
    if (p->last[i] == -2 || node->role == HONE_ROLE_VARIABLE) continue;
    p->plan->bounds[i] = hone__bounds_run(node, p->plan->bounds);
  }
}

static int64_t common_factor(const struct hone_level *level, uint32_t from, uint32_t to)
{
  int64_t factor = 0;

  for (uint32_t k = from; k <= to && factor != 1; k++) {
    int64_t a = hone__domain_value(level->domain, hone__candidate(&level->candidates, k)).integer;
    for (int64_t b = factor; b;) {
      int64_t rest = a % b;
      a = b;
      b = rest;
    }
    factor = a < 0 ? (a == INT64_MIN ? 1 : -a) : a;
  }
  return factor;
}

struct hone_bounds hone__candidate_bounds(const struct hone_level *level, uint32_t from,
                                          uint32_t to)
{
  const struct hone_domain *domain = level->domain;
  const struct hone_candidates *c = &level->candidates;

  if (from == to) return hone__bounds_exact(hone__domain_value(domain, hone__candidate(c, from)));
  if (!domain->ascending) return hone__domain_bounds(domain, 0, domain->count - 1);
  return (struct hone_bounds){.kind = HONE_BOUNDS_INT,
                              .lo = hone__domain_value(domain, hone__candidate(c, from)).integer,
                              .hi = hone__domain_value(domain, hone__candidate(c, to)).integer,
                              .factor = to - from < 64 ? common_factor(level, from, to) : 1};
}

/* Some constraint is false for all of these candidates. */
static bool excluded(struct sieve *s, uint32_t from, uint32_t to)
{
  struct hone_bounds *bounds = s->p->plan->bounds;

  bounds[s->level->variable_node] = hone__candidate_bounds(s->level, from, to);
  for (uint32_t i = 0; i < s->node_count; i++) {
    uint32_t node = s->nodes[i];
    if (node != s->level->variable_node)
      bounds[node] = hone__bounds_run(&s->p->program->nodes[node], bounds);
    if (s->p->is_constraint[node] && hone__bounds_truth(&bounds[node]) < 0) return true;
  }
  return false;
}

static void sift(struct sieve *s, uint32_t from, uint32_t to)
{
  uint32_t count = to - from + 1;

  if (count > HONE_FEW_CANDIDATES && s->level->domain->ascending) {
    uint32_t middle = from + count / 2;
    if (excluded(s, from, to)) return;
    sift(s, from, middle - 1);
    sift(s, middle, to);
    return;
  }
  for (uint32_t k = from; k <= to; k++)
    if (!excluded(s, k, k)) s->kept[s->kept_count++] = hone__candidate(&s->level->candidates, k);
}

/* How many candidates remain at the most, by bounds alone and without listing them. */
static uint32_t most_left(struct sieve *s, uint32_t from, uint32_t to)
{
  const uint32_t enough = 4096;
  uint32_t count = to - from + 1, middle = from + count / 2, left;

  if (!s->level->domain->ascending || count <= enough) return count;
  if (excluded(s, from, to)) return 0;
  left = most_left(s, from, middle - 1);
  return left + most_left(s, middle, to);
}

static void keep(struct hone_planner *p, struct hone_level *level, const uint32_t *kept,
                 uint32_t count)
{
  struct hone_candidates *candidates = &level->candidates;
  uint32_t *list = NULL;

  if (count == 0) {
    candidates->count = 0;
    p->plan->empty = true;
    return;
  }
  if (kept[count - 1] - kept[0] != count - 1) {
    list = hone__arena_alloc(&p->plan->arena, count * sizeof *kept);
    memcpy(list, kept, count * sizeof *kept);
  }
  *candidates = (struct hone_candidates){.first = kept[0], .count = count, .list = list};
}

/* What constants alone determine: the divisors of 1280, the one value of an equation. */
static void apply_binders(struct hone_planner *p, struct hone_level *level)
{
  struct hone_binder binders[8];
  size_t count = hone__binders_find(p, level, 0, binders, sizeof binders / sizeof *binders);

  for (size_t i = 0; i < count && level->candidates.count > HONE_FEW_CANDIDATES; i++) {
    size_t room_size = level->candidates.count;
    uint32_t *room, left;
    if (room_size > MOST_CANDIDATES && binders[i].kind == HONE_BIND_MULTIPLE) continue;
    room = malloc(room_size * sizeof *room);
    if (room && hone__binder_run(p->plan, level, &binders[i], room, &left) &&
        left < level->candidates.count)
      keep(p, level, room, left);
    free(room);
  }
}

/* The nodes through which constraints depend on the level's variable, in order; `alone`:
 * constraints of this one variable only. */
static uint32_t find_dependents(const struct hone_planner *p, int32_t at, bool alone,
                                uint32_t *nodes)
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

static bool sieve_level(struct hone_planner *p, uint32_t at)
{
  struct hone_level *level = &p->plan->levels[at];
  struct sieve s = {.p = p, .level = level};
  uint32_t before = level->candidates.count, room, longest;
  bool is_long = before > HONE_FEW_CANDIDATES && level->domain->ascending;

  if (before > HONE_FEW_CANDIDATES) apply_binders(p, level);
  longest = level->candidates.count;
  if (longest) {
    s.nodes = hone__alloc(p->program->count * sizeof *s.nodes);
    s.node_count = find_dependents(p, (int32_t)at, !is_long, s.nodes);
    room = s.node_count ? most_left(&s, 0, longest - 1) : UINT32_MAX;
    if (room <= MOST_CANDIDATES) {
      s.kept = hone__alloc((room + 1) * sizeof *s.kept);
      if (room) sift(&s, 0, longest - 1);
      if (s.kept_count < longest) keep(p, level, s.kept, s.kept_count);
      free(s.kept);
    }
    free(s.nodes);
  }
  if (level->candidates.count)
    p->plan->bounds[level->variable_node] =
        hone__candidate_bounds(level, 0, level->candidates.count - 1);
  return level->candidates.count < before;
}

/* Levels that a constraint of one variable speaks of. */
static bool *find_single(const struct hone_planner *p)
{
  bool *single = hone__alloc((p->plan->depth + 1) * sizeof *single);

  for (size_t i = 0; i < p->constraint_count; i++) {
    uint32_t node = p->constraints[i];
    if (p->first[node] == p->last[node]) single[p->last[node]] = true;
  }
  return single;
}

void hone__sieve(struct hone_planner *p)
{
  struct hone_plan *plan = p->plan;
  bool *single = find_single(p), changed = true;

  for (uint32_t i = 0; i < plan->depth; i++) {
    struct hone_level *level = &plan->levels[i];
    level->candidates.count = level->domain->count;
    plan->bounds[level->variable_node] =
        hone__domain_bounds(level->domain, 0, level->domain->count - 1);
  }
  run_bounds(p);
  for (int round = 0; round < 3 && changed && !plan->empty; round++) {
    changed = false;
    for (uint32_t i = 0; i < plan->depth && !plan->empty; i++) {
      bool is_long = plan->levels[i].candidates.count > HONE_FEW_CANDIDATES;
      if (!is_long && (round || !single[i])) continue;
      if (sieve_level(p, i)) changed = true;
      run_bounds(p);
    }
  }
  free(single);
}
