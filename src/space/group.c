/* One group: its domains for this problem and device, its constraints compiled, its independent
 * parts found and solved. */
#include "space/group.h"
#include "space/alike.h"
#include "space/listed.h"
#include "space/rewrite.h"

#include <stdlib.h>

/* ---- Parts ---- */

enum { MOST_REWRITES = 64 }; /* of one constraint: `or` of many `and` would grow without end */

/* All conjuncts of all constraints, with the parameters that each one ties together. */
struct splitter {
  struct hone__solved_group *solved;
  uint32_t *roots; /* conjuncts that depend on parameters */
  size_t root_count, root_capacity;
  uint32_t *leader; /* union-find over parameters */
  uint32_t listed;  /* a parameter of the part that is listed; UINT32_MAX: there is none */
  bool *lacks;      /* by node, of those that were compiled */
  uint32_t compiled;
  bool *seen; /* by node, of those that are known */
  struct hone__bounds *bounds;
  uint32_t known;
  unsigned rewrites; /* of one constraint */
  bool never;        /* some conjunct is false for every configuration */
  bool faults;       /* some conjunct faults for every configuration */
  size_t culprit;    /* that constraint */
  enum hone__fault fault;
};

static uint32_t find_leader(uint32_t *leader, uint32_t param)
{
  while (leader[param] != param)
    param = leader[param] = leader[leader[param]];
  return param;
}

/* `first` is the first parameter found below, or UINT32_MAX. */
static uint32_t tie(struct splitter *s, uint32_t node, uint32_t first, bool *seen)
{
  const struct hone__instruction *n = &s->solved->program.nodes[node];

  if (seen[node]) return first;
  seen[node] = true;
  if (n->role == HONE__ROLE_VARIABLE) {
    if (first == UINT32_MAX) return n->variable;
    s->leader[find_leader(s->leader, n->variable)] = find_leader(s->leader, first);
    return first;
  }
  for (int i = 0; i < n->arity; i++)
    first = tie(s, n->args[i], first, seen);
  return first;
}

/* Which nodes may meet a name that this group lacks. */
static bool *find_lacking(const struct hone__spec_program *program)
{
  bool *lacks = hone__alloc((program->count + 1) * sizeof *lacks);

  for (uint32_t i = 0; i < program->count; i++) {
    const struct hone__instruction *n = &program->nodes[i];
    if (n->role == HONE__ROLE_CONSTANT)
      lacks[i] = n->value.type == HONE__FAULT && n->value.integer == HONE__FAULT_NAME;
    for (int k = 0; k < n->arity; k++)
      lacks[i] = lacks[i] || lacks[n->args[k]];
  }
  return lacks;
}

/* What is known of every node before any value is chosen; rewriting adds nodes. */
static void extend_bounds(struct splitter *s)
{
  const struct hone__spec_program *program = &s->solved->program;

  if (s->known == program->count) return;
  s->bounds = hone__realloc(s->bounds, program->count * sizeof *s->bounds);
  s->seen = hone__realloc(s->seen, program->count * sizeof *s->seen);
  for (; s->known < program->count; s->known++) {
    const struct hone__instruction *n = &program->nodes[s->known];
    const struct hone__domain *domain = &s->solved->domains[n->variable];
    s->seen[s->known] = false;
    s->bounds[s->known] = n->role == HONE__ROLE_VARIABLE
                              ? hone__domain_bounds(domain, 0, domain->count - 1)
                              : hone__bounds_run(n, s->bounds);
  }
}

static bool lacks_a_name(const struct splitter *s, uint32_t node)
{
  return node < s->compiled && s->lacks[node];
}

static void add_constant(struct splitter *s, struct hone_value value, size_t constraint)
{
  if (value.type != HONE__FAULT) {
    if (!hone__value_truth(value)) s->never = true;
  } else if (value.integer != HONE__FAULT_NAME) {
    s->faults = true;
    s->culprit = constraint;
    s->fault = (enum hone__fault)value.integer;
  }
}

static bool has_long_list(const struct splitter *s)
{
  for (size_t i = 0; i < s->solved->count; i++)
    if (s->solved->domains[i].count >= HONE__ALIKE_LONG) return true;
  return false;
}

/* Products of short lists have many values, too, but telling those alike costs more than it saves.
 */
static uint32_t rewrite(const struct splitter *s, uint32_t node)
{
  struct hone__spec_program *program = &s->solved->program;
  uint32_t rewritten;

  if (lacks_a_name(s, node) || s->rewrites == MOST_REWRITES) return node;
  rewritten = hone__rewrite(program, s->bounds, node);
  if (rewritten != node || !has_long_list(s)) return rewritten;
  return hone__alike_reduce(program, s->bounds, node);
}

/* `a and b` is two constraints, unless a name is absent: then Python's order of evaluation decides
 * whether the rule applies at all. */
static void split(struct splitter *s, uint32_t node, size_t constraint)
{
  struct hone__spec_program *program = &s->solved->program;
  struct hone__instruction n = program->nodes[node];
  uint32_t rewritten;

  extend_bounds(s);
  if (s->seen[node]) return;
  s->seen[node] = true;
  if (n.role == HONE__ROLE_CONSTANT) {
    add_constant(s, n.value, constraint);
  } else if (n.role == HONE__ROLE_OPERATOR && n.op == HONE__OP_AND && !lacks_a_name(s, node)) {
    split(s, n.args[0], constraint);
    split(s, n.args[1], constraint);
  } else if (hone__bounds_truth(&s->bounds[node]) <= 0) { /* else it is true whatever is chosen */
    rewritten = rewrite(s, node);
    if (rewritten != node) {
      s->rewrites++;
      split(s, rewritten, constraint);
      return;
    }
    HONE__GROW(s->roots, s->root_count, s->root_capacity);
    s->roots[s->root_count++] = node;
  }
}

/* Whatever is listed depends on each other. */
static void tie_listed(struct splitter *s)
{
  const struct hone__solved_group *solved = s->solved;
  const struct hone__listing *listing = solved->group->listing;
  uint32_t first = UINT32_MAX;

  for (uint32_t i = 0; i < solved->count && listing; i++) {
    if (solved->domains[i].count < 2 ||
        hone__space_listing_column(listing, solved->domains[i].name) == SIZE_MAX)
      continue;
    if (first == UINT32_MAX) first = i;
    s->leader[find_leader(s->leader, i)] = find_leader(s->leader, first);
    s->listed = i;
  }
  if (listing && !hone__space_listing_is_possible(solved)) s->never = true;
}

static void tie_all(struct splitter *s)
{
  struct hone__solved_group *solved = s->solved;

  s->leader = hone__alloc((solved->count + 1) * sizeof *s->leader);
  for (uint32_t i = 0; i < solved->count; i++)
    s->leader[i] = i;
  extend_bounds(s); /* over nodes that no rewriting used in the end, too */
  for (size_t i = 0; i < s->root_count; i++) {
    memset(s->seen, 0, solved->program.count * sizeof *s->seen);
    tie(s, s->roots[i], UINT32_MAX, s->seen);
  }
  tie_listed(s);
}

static void split_all(struct hone__setup *setup, struct splitter *s)
{
  struct hone__solved_group *solved = s->solved;

  s->compiled = solved->program.count;
  s->lacks = find_lacking(&solved->program);
  for (size_t i = 0; i < setup->spec->constraint_count; i++) {
    s->rewrites = 0;
    if (solved->constraints[i] != HONE__NO_NODE && !(setup->skip && setup->skip[i]))
      split(s, (uint32_t)solved->constraints[i], i);
  }
  tie_all(s);
  free(s->lacks);
  free(s->bounds);
  free(s->seen);
}

static uint32_t first_param(const struct hone__spec_program *program, uint32_t node)
{
  const struct hone__instruction *n = &program->nodes[node];

  if (n->role == HONE__ROLE_VARIABLE) return n->variable;
  for (int i = 0; i < n->arity; i++) {
    uint32_t found = first_param(program, n->args[i]);
    if (found != UINT32_MAX) return found;
  }
  return UINT32_MAX;
}

/* A parameter that no constraint mentions: every value is legal. */
static struct hone__diagram *free_diagram(uint32_t count)
{
  struct hone__diagram *diagram = hone__alloc(sizeof *diagram);

  diagram->depth = 1;
  diagram->nodes = hone__alloc(2 * sizeof *diagram->nodes);
  diagram->node_count = diagram->node_capacity = 2;
  diagram->nodes[HONE__TERMINAL].count = 1;
  diagram->nodes[1] = (struct hone__diagram_node){
      .count = count, .width = count, .child = HONE__TERMINAL, .fan = HONE__FAN_SPAN};
  diagram->root = 1;
  diagram->count = count;
  return diagram;
}

/* A configuration that faults, for the message: what is not decided is its first value. */
static hone_status describe_fault(struct hone__setup *setup, struct hone__solved_group *solved,
                                  size_t constraint, enum hone__fault fault,
                                  const struct hone__part *part, const uint32_t *row)
{
  const struct hone__formula *formula = &setup->spec->constraints[constraint];
  struct hone__text text = {0};
  hone_status status;

  hone__text_addf(&text, "%s in '%.200s'", hone__fault_text(fault), formula->text);
  if (part && row) {
    hone__text_add(&text, " where");
    for (uint32_t i = 0; i < part->count && i < 20; i++) {
      const struct hone__domain *domain = &solved->domains[part->params[i]];
      hone__text_addf(&text, "%s %s=", i ? "," : "", domain->name);
      hone__value_print(hone__domain_value(domain, row[i]), &text);
    }
  }
  for (size_t i = 0; i < setup->sizes.count; i++) {
    hone__text_addf(&text, "%s%s=", i ? ", " : " with ", setup->sizes.names[i]);
    hone__value_print(setup->sizes.values[i], &text);
  }
  hone__text_add(&text, "; add a constraint that excludes this configuration");
  status = hone__space_formula_error(formula, 0, text.data);
  hone__text_release(&text);
  return status;
}

static bool contains_node(const struct hone__spec_program *program, uint32_t node, uint32_t wanted,
                          bool *seen)
{
  const struct hone__instruction *n = &program->nodes[node];

  if (node == wanted) return true;
  if (seen[node]) return false;
  seen[node] = true;
  for (int i = 0; i < n->arity; i++)
    if (contains_node(program, n->args[i], wanted, seen)) return true;
  return false;
}

static hone_status part_fault(struct hone__setup *setup, struct hone__solved_group *solved,
                              const struct hone__part *part, const struct hone__solve_fault *fault)
{
  bool *seen = hone__alloc(solved->program.count + 1);
  size_t constraint = 0;

  for (size_t i = 0; i < setup->spec->constraint_count; i++) {
    memset(seen, 0, solved->program.count);
    if (solved->constraints[i] != HONE__NO_NODE &&
        contains_node(&solved->program, (uint32_t)solved->constraints[i], fault->constraint, seen))
      constraint = i;
  }
  free(seen);
  return describe_fault(setup, solved, constraint, fault->fault, part, fault->row);
}

static hone_status solve_part(struct hone__setup *setup, struct splitter *s, uint32_t leader,
                              const struct hone__domain *const *domains, struct hone__part *part)
{
  struct hone__solved_group *solved = s->solved;
  uint32_t *params = hone__alloc(solved->count * sizeof *params);
  uint32_t *roots = hone__alloc((s->root_count + 1) * sizeof *roots), count = 0;
  struct hone__component component = {
      .program = &solved->program, .domains = domains, .constraints = roots};
  struct hone__solve_fault fault = {0};
  hone_status status = NULL;

  for (uint32_t i = 0; i < solved->count; i++)
    if (solved->domains[i].count > 1 && find_leader(s->leader, i) == leader) params[count++] = i;
  for (size_t i = 0; i < s->root_count; i++)
    if (find_leader(s->leader, first_param(&solved->program, s->roots[i])) == leader)
      roots[component.constraint_count++] = s->roots[i];
  part->params = hone__arena_alloc(setup->arena, count * sizeof *params);
  part->count = count;
  if (s->listed != UINT32_MAX && find_leader(s->leader, s->listed) == leader) {
    memcpy(part->params, params, count * sizeof *params);
    status = hone__space_listing_solve(solved, &component, params, count, &setup->limits, &fault,
                                       &part->diagram);
    if (!status && fault.found) status = part_fault(setup, solved, part, &fault);
  } else if (component.constraint_count == 0) {
    part->params[0] = params[0];
    part->diagram = free_diagram(solved->domains[params[0]].count);
  } else {
    status = hone__order_solve(&component, params, count, setup->options->solver, &setup->limits,
                               &fault, part);
    if (!status && fault.found) status = part_fault(setup, solved, part, &fault);
    if (!status && memcmp(part->params, params, count * sizeof *params) != 0)
      solved->mesh_order = false;
  }
  free(fault.row);
  free(roots);
  free(params);
  return status;
}

static hone_status explain_limit(hone_status status, const struct hone__solved_group *solved,
                                 const struct hone__part *part)
{
  struct hone__text text = {0};

  if (hone_status_code(status) != HONE_EXHAUSTED) return status;
  for (uint32_t i = 0; i < part->count && i < 8; i++)
    hone__text_addf(&text, "%s%s", i ? ", " : "", solved->domains[part->params[i]].name);
  if (part->count > 8) hone__text_add(&text, " ...");
  status = hone__annotate(status, "cannot solve the space of %u dependent parameters (%s)",
                          part->count, text.data ? text.data : "");
  hone__text_release(&text);
  return status;
}

static hone_status solve_parts(struct hone__setup *setup, struct splitter *s)
{
  struct hone__solved_group *solved = s->solved;
  const struct hone__domain **domains = hone__alloc((solved->count + 1) * sizeof *domains);
  hone_status status = NULL, fault = NULL;

  for (size_t i = 0; i < solved->count; i++)
    domains[i] = &solved->domains[i];
  solved->parts = hone__alloc((solved->count + 1) * sizeof *solved->parts);
  for (uint32_t i = 0; i < solved->count && !status; i++) {
    struct hone__part *part = &solved->parts[solved->part_count];
    uint32_t leader = find_leader(s->leader, i);
    bool solved_before = false;
    if (solved->domains[i].count < 2) continue;
    for (uint32_t k = 0; k < i; k++)
      if (solved->domains[k].count > 1 && find_leader(s->leader, k) == leader) solved_before = true;
    if (solved_before) continue;
    solved->part_count++;
    status = solve_part(setup, s, leader, domains, part);
    if (status) status = explain_limit(status, solved, part);
    if (hone_status_code(status) ==
        HONE_INVALID_SPEC) { /* a fault: does another part reject all? */
      hone_status_free(fault);
      fault = status;
      status = NULL;
    } else if (!status && part->diagram->count == 0) {
      s->never = true;
    }
  }
  free(domains);
  if (status || s->never) {
    hone_status_free(fault);
    return status;
  }
  return fault;
}

static void count_legal(struct hone__solved_group *solved)
{
  solved->legal = 1;
  for (size_t i = 0; i < solved->part_count; i++)
    if (__builtin_mul_overflow(solved->legal, solved->parts[i].diagram->count, &solved->legal))
      solved->legal = UINT64_MAX;
}

/* In mesh order parameters come as the user wrote them; else part by part, level by level. */
static void make_route(struct hone__setup *setup, struct hone__solved_group *solved)
{
  struct hone__stop *route = hone__arena_alloc(setup->arena, (solved->count + 1) * sizeof *route);
  int32_t *last = hone__alloc((solved->part_count + 1) * sizeof *last);
  size_t length = 0;

  for (size_t i = 0; i < solved->part_count; i++)
    last[i] = -1;
  for (uint32_t param = 0; param < solved->count && solved->mesh_order; param++) {
    for (uint32_t part = 0; part < solved->part_count; part++) {
      const struct hone__part *p = &solved->parts[part];
      uint32_t level = 0;
      while (level < p->count && p->params[level] != param)
        level++;
      if (level == p->count) continue;
      route[length] = (struct hone__stop){.param = param, .part = part, .before = last[part]};
      last[part] = (int32_t)length++;
    }
  }
  for (uint32_t part = 0; part < solved->part_count && !solved->mesh_order; part++) {
    for (uint32_t level = 0; level < solved->parts[part].count; level++) {
      route[length] = (struct hone__stop){
          .param = solved->parts[part].params[level], .part = part, .before = last[part]};
      last[part] = (int32_t)length++;
    }
  }
  solved->route = route;
  solved->route_length = length;
  free(last);
}

hone_status hone__group_solve(struct hone__setup *setup, const struct hone__spec_group *group,
                              struct hone__solved_group *solved)
{
  struct splitter s = {.solved = solved, .listed = UINT32_MAX};
  bool empty = hone__lacks_filtered(setup->spec, group);
  hone_status status = NULL;

  solved->group = group;
  solved->count = group->count;
  solved->mesh_order = true;
  solved->domains = hone__arena_alloc(setup->arena, (group->count + 1) * sizeof *solved->domains);
  for (size_t i = 0; i < group->count && !status; i++) {
    status = hone__make_domain(setup, &group->params[i], &solved->domains[i]);
    if (!status && solved->domains[i].count == 0) empty = true;
  }
  if (status) return status;
  solved->constraints = hone__arena_alloc(setup->arena, (setup->spec->constraint_count + 1) *
                                                            sizeof *solved->constraints);
  for (size_t i = 0; i < setup->spec->constraint_count; i++)
    solved->constraints[i] = HONE__NO_NODE;
  if (empty) return NULL;
  status = hone__group_compile(setup, solved);
  if (!status) {
    split_all(setup, &s);
    if (!s.never) status = solve_parts(setup, &s);
    if (!status && !s.never) count_legal(solved);
    if (!status && s.faults && solved->legal)
      status = describe_fault(setup, solved, s.culprit, s.fault, NULL, NULL);
    if (!status && solved->legal) make_route(setup, solved);
  }
  free(s.roots);
  free(s.leader);
  return status;
}

void hone__group_release(struct hone__solved_group *solved)
{
  for (size_t i = 0; i < solved->part_count; i++)
    hone__diagram_free(solved->parts[i].diagram);
  free(solved->parts);
  free(solved->excluded);
  hone__spec_program_release(&solved->program);
}
