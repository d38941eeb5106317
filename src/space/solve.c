/* Forward, level by level: every distinct state is expanded once, its values are tried, and the
 * states they lead to are found or made. Backward: solutions are counted, dead ends dropped, equal
 * nodes merged, and what is left becomes the diagram.
 *
 * What a level computes depends on its inputs only, which are often few of the state's values.
 * Where they are, its results are remembered by inputs and shared between states.
 *
 * Faults. A constraint that divides by zero is neither true nor false; it matters only if no other
 * constraint rejects the configuration. So the first run stops at a fault, and a second run carries
 * it along as part of the state to see whether it survives. */
#include "space/solve.h"
#include "base/cancel.h"
#include "base/clock.h"
#include "space/layers.h"
#include "space/states.h"

#include <math.h>
#include <stdlib.h>

enum { TESTS_A_STEP = 8 }; /* testing a part of a domain takes less than trying a value */

/* The values that a level allows for certain inputs, and what they make. */
struct transitions {
  uint32_t first, count; /* values[first..], made[first * made_count..] */
  bool is_span;          /* the values are first, first + 1 ... themselves, and nothing is made */
};

struct solver {
  struct hone__plan plan;
  const struct hone__solve_limits *limits;
  struct hone__solve_fault *fault;
  uint32_t carry; /* 1 in the second run: values[0] of a state is the pending fault */
  bool saw_fault;
  struct hone__budget budget;
  uint64_t steps;
  struct hone__layer *layers;
  struct hone__states now, next;
  uint32_t *room; /* for narrowed candidates */
  size_t room_size;
  struct hone_value *made; /* of the level's transitions */
  size_t made_capacity;
  struct hone__states inputs; /* remembered by inputs */
  struct transitions *remembered;
  size_t remembered_capacity;
  struct hone_value *scratch; /* one state, or one level's inputs */
  /* looking ahead: states as they are made, and the outcome of each: a state, or HONE__NOWHERE */
  struct hone__states raw;
  uint32_t *became;
  size_t became_capacity;
  bool *needed; /* by node */
  uint64_t looks, gains;
};

/* ---- Trying values ---- */

enum trial { LEGAL, ILLEGAL, FAULTY };

/* Computes the level's nodes for the variable's value; a check that is false ends it. */
static enum trial try_value(struct solver *s, const struct hone__level *level,
                            struct hone_value value, struct hone_value *out_fault)
{
  struct hone_value *values = s->plan.values;
  const struct hone__instruction *nodes = s->plan.program->nodes;
  enum trial trial = LEGAL;

  values[level->variable_node] = value;
  for (uint32_t i = 0; i < level->compute_count; i++) {
    uint32_t node = level->compute[i];
    if (node != level->variable_node) values[node] = hone__instruction_run(&nodes[node], values);
    if (!level->check[i]) continue;
    if (values[node].type == HONE_BOOL || values[node].type == HONE_INT) {
      if (!values[node].integer) return ILLEGAL;
    } else if (values[node].type == HONE__MOOT) {
      continue; /* decided before: it holds */
    } else if (values[node].type == HONE__FAULT) {
      if (values[node].integer == HONE__FAULT_NAME) continue; /* a rule of another group */
      if (trial == LEGAL) *out_fault = hone__int((int64_t)node << 8 | values[node].integer);
      trial = FAULTY;
    } else if (!hone__value_truth(values[node])) {
      return ILLEGAL;
    }
  }
  return trial;
}

static uint32_t made_width(const struct solver *s, const struct hone__level *level)
{
  return level->made_count + s->carry;
}

static hone_status add_transition(struct solver *s, struct hone__layer *layer,
                                  const struct hone__level *level, uint32_t value,
                                  struct hone_value fault)
{
  uint32_t width = made_width(s, level);
  struct hone_value *made;
  hone_status status;

  status = hone__budget_reserve(&s->budget, &layer->values, &layer->value_capacity,
                                layer->value_count + 1, sizeof *layer->values);
  if (!status && width)
    status = hone__budget_reserve(&s->budget, &s->made, &s->made_capacity,
                                  (layer->value_count + 1) * width, sizeof *s->made);
  if (status) return status;
  made = width ? s->made + layer->value_count * width : NULL;
  if (s->carry) *made++ = fault;
  for (uint32_t i = 0; i < level->made_count; i++)
    made[i] = s->plan.values[level->made[i]];
  layer->values[layer->value_count++] = value;
  return NULL;
}

static hone_status make_room(struct solver *s, size_t size)
{
  return hone__budget_reserve(&s->budget, &s->room, &s->room_size, size, sizeof *s->room);
}

hone_status hone__solve_report(const struct hone__solve_limits *limits, const char *what)
{
  const struct hone_event event = {.kind = HONE_EVENT_PROGRESS,
                                   .text = what,
                                   .elapsed_s = hone__clock() - limits->started,
                                   .eta_s = NAN,
                                   .idle = NAN,
                                   .best_speedup = NAN};

  if (hone__cancel_requests(limits->cancel) ||
      (limits->progress && !limits->progress(limits->progress_data, &event)))
    return hone__error(HONE_CANCELLED, "stopped");
  return NULL;
}

static hone_status count_steps(struct solver *s, uint32_t count)
{
  const struct hone__solve_limits *limits = s->limits;
  bool look_up = (s->steps + count) >> 20 != s->steps >> 20;

  s->steps += count;
  if (limits->steps_used) *limits->steps_used += count;
  if (limits->steps && s->steps > limits->steps) {
    if (limits->out_of_steps) *limits->out_of_steps = true;
    return hone__error(HONE_EXHAUSTED,
                       "the limit of %llu steps is reached; give each parameter constraints of its "
                       "own or shorter lists, or raise the memory limit, which bounds steps, too",
                       (unsigned long long)limits->steps);
  }
  return look_up ? hone__solve_report(limits, "solving") : NULL;
}

/* All values that the level allows; the inputs' values are in the plan. */
static hone_status find_transitions(struct solver *s, const struct hone__level *level,
                                    struct hone__layer *layer, struct transitions *out_transitions)
{
  struct hone_value none = {0}, fault = none;
  struct hone__narrowed narrowed;
  hone_status status = make_room(s, hone__level_room(level));

  if (status) return status;
  hone__plan_narrow(&s->plan, level, s->room, &narrowed);
  HONE__ASSERT_SLOW(narrowed.count <= level->candidates.count);
  if (narrowed.certain && !narrowed.list && made_width(s, level) == 0) {
    *out_transitions = (struct transitions){narrowed.first, narrowed.count, true};
    return count_steps(s, 1 + narrowed.tests / TESTS_A_STEP);
  }
  status = count_steps(s, narrowed.count + narrowed.tests / TESTS_A_STEP);
  *out_transitions = (struct transitions){.first = (uint32_t)layer->value_count};
  for (uint32_t i = 0; i < narrowed.count && !status; i++) {
    uint32_t value = narrowed.list ? narrowed.list[i] : narrowed.first + i;
    enum trial trial = try_value(s, level, hone__domain_value(level->domain, value), &fault);
    if (trial == ILLEGAL) continue;
    if (trial == FAULTY) s->saw_fault = true;
    status = add_transition(s, layer, level, value, trial == FAULTY ? fault : none);
  }
  out_transitions->count = (uint32_t)layer->value_count - out_transitions->first;
  return status;
}

/* Finds them, or remembers them from another state with the same inputs. `live` is the state. */
static hone_status get_transitions(struct solver *s, const struct hone__level *level,
                                   struct hone__layer *layer, const struct hone_value *live,
                                   struct transitions *out_transitions)
{
  hone_status status;
  uint32_t id;
  bool is_new;

  HONE__ASSERT_SLOW(level->input_count <= level->live_count);
  for (uint32_t i = 0; i < level->input_count; i++) {
    s->scratch[i] = live[level->inputs[i]];
    s->plan.values[level->live[level->inputs[i]]] = live[level->inputs[i]];
  }
  if (level->input_count == level->live_count && level->input_count > 0)
    return find_transitions(s, level, layer, out_transitions);
  status = hone__states_find(&s->inputs, &s->budget, s->scratch, &id, &is_new);
  if (!status)
    status = hone__budget_reserve(&s->budget, &s->remembered, &s->remembered_capacity,
                                  s->inputs.count, sizeof *s->remembered);
  if (!status && is_new) status = find_transitions(s, level, layer, &s->remembered[id]);
  if (!status) *out_transitions = s->remembered[id];
  return status;
}

/* ---- Looking ahead ---- */

/* It costs time for every node ahead: after some looks that gained little it is given up. */
static bool is_looking_worth_it(const struct solver *s, const struct hone__level *level)
{
  uint64_t trial;

  if (level->ahead_count == 0) return false;
  trial = level->ahead_count > 512 ? 32 : 16384 / level->ahead_count;
  return s->looks < (trial < 512 ? trial : 512) || s->gains * 16 >= s->looks;
}

/* Bounds of all that is ahead, from a state; false if some constraint is false whatever comes. */
static bool run_ahead(struct solver *s, const struct hone__level *level,
                      const struct hone_value *state)
{
  struct hone__bounds *bounds = s->plan.bounds;

  state += s->carry;
  for (uint32_t i = 0; i < level->passed_count; i++)
    bounds[level->live[level->passed[i]]] = hone__bounds_exact(*state++);
  for (uint32_t i = 0; i < level->made_count; i++)
    bounds[level->made[i]] = hone__bounds_exact(*state++);
  for (uint32_t i = 0; i < level->ahead_count; i++) {
    uint32_t node = level->ahead[i];
    bounds[node] = hone__bounds_run(&s->plan.program->nodes[node], bounds);
    if (level->ahead_check[i] && hone__bounds_truth(&bounds[node]) < 0) return false;
  }
  return true;
}

static void forget(bool needed, struct hone_value *value)
{
  if (!needed) *value = (struct hone_value){.type = HONE__MOOT};
}

/* Values that only decided constraints would read are made moot: states that differ in nothing else
 * become one. */
static void drop_moot(struct solver *s, const struct hone__level *level, struct hone_value *state)
{
  const struct hone__instruction *nodes = s->plan.program->nodes;

  for (uint32_t i = 0; i < level->passed_count; i++)
    s->needed[level->live[level->passed[i]]] = false;
  for (uint32_t i = 0; i < level->made_count; i++)
    s->needed[level->made[i]] = false;
  for (uint32_t i = 0; i < level->ahead_count; i++)
    s->needed[level->ahead[i]] = false;
  for (uint32_t i = level->ahead_count; i-- > 0;) {
    uint32_t node = level->ahead[i];
    if (level->ahead_check[i] && hone__bounds_truth(&s->plan.bounds[node]) == 0)
      s->needed[node] = true;
    for (int k = 0; s->needed[node] && k < nodes[node].arity; k++)
      s->needed[nodes[node].args[k]] = true;
  }
  state += s->carry;
  for (uint32_t i = 0; i < level->passed_count; i++)
    forget(s->needed[level->live[level->passed[i]]], state++);
  for (uint32_t i = 0; i < level->made_count; i++)
    forget(s->needed[level->made[i]], state++);
}

/* What a new state comes to: HONE__NOWHERE, an equal one, or itself. */
static hone_status look_ahead(struct solver *s, const struct hone__level *level,
                              struct hone_value *state, uint32_t *out_child)
{
  hone_status status;
  bool is_new;

  s->looks++;
  status = count_steps(s, 1);
  if (status) return status;
  if (!run_ahead(s, level, state)) {
    s->gains++;
    *out_child = HONE__NOWHERE;
    return NULL;
  }
  drop_moot(s, level, state);
  status = hone__states_find(&s->next, &s->budget, state, out_child, &is_new);
  if (!status && !is_new) s->gains++;
  return status;
}

/* ---- Forward ---- */

/* The state that a transition leads to, HONE__NOWHERE if it is known to be a dead end. scratch
 * holds what is passed on; `made` is appended. */
static hone_status find_child(struct solver *s, const struct hone__level *level,
                              const struct hone_value *made, struct hone_value pending,
                              uint32_t *out_child)
{
  struct hone_value *state = s->scratch + s->plan.program->count + 2;
  uint32_t width = s->next.width, id;
  hone_status status;
  bool is_new;

  if (s->carry) {
    s->scratch[0] = pending.type == HONE_NONE ? made[0] : pending;
    made++;
  }
  if (level->made_count)
    memcpy(s->scratch + s->carry + level->passed_count, made, level->made_count * sizeof *made);
  if (!is_looking_worth_it(s, level))
    return hone__states_find(&s->next, &s->budget, s->scratch, out_child, &is_new);
  status = hone__states_find(&s->raw, &s->budget, s->scratch, &id, &is_new);
  if (!status)
    status = hone__budget_reserve(&s->budget, &s->became, &s->became_capacity, s->raw.count,
                                  sizeof *s->became);
  if (!status && is_new) {
    memcpy(state, s->scratch, width * sizeof *state);
    status = look_ahead(s, level, state, &s->became[id]);
  }
  if (!status) *out_child = s->became[id];
  return status;
}

static hone_status add_edges(struct solver *s, const struct hone__level *level,
                             struct hone__layer *layer, struct transitions t,
                             struct hone_value pending, struct hone__forward_node *node)
{
  uint32_t width = made_width(s, level), child;
  hone_status status = hone__budget_reserve(&s->budget, &layer->edges, &layer->edge_capacity,
                                            layer->edge_count + t.count, sizeof *layer->edges);

  node->child = HONE__NOWHERE;
  node->first = (uint32_t)layer->edge_count;
  for (uint32_t i = 0; !status && i < t.count; i++) {
    status = find_child(s, level, s->made + (size_t)(t.first + i) * width, pending, &child);
    HONE__ASSERT_SLOW(status || child == HONE__NOWHERE || child < s->next.count);
    if (!status && child != HONE__NOWHERE)
      layer->edges[layer->edge_count++] =
          (struct hone__forward_edge){.value = layer->values[t.first + i], .child = child};
  }
  node->count = (uint32_t)layer->edge_count - node->first;
  return status ? status : count_steps(s, t.count);
}

static hone_status expand(struct solver *s, const struct hone__level *level,
                          struct hone__layer *layer, const struct hone_value *state,
                          struct hone__forward_node *node)
{
  struct hone_value pending = s->carry ? state[0] : (struct hone_value){0};
  struct transitions t;
  hone_status status = get_transitions(s, level, layer, state + s->carry, &t);

  if (status) return status;
  *node = (struct hone__forward_node){.child = HONE__NOWHERE};
  if (t.count == 0) return NULL;
  for (uint32_t i = 0; i < level->passed_count; i++)
    s->scratch[s->carry + i] = state[s->carry + level->passed[i]];
  if (made_width(s, level)) return add_edges(s, level, layer, t, pending, node);
  node->first = t.first;
  node->count = t.count;
  node->is_span = t.is_span;
  return find_child(s, level, NULL, pending, &node->child);
}

static hone_status run_level(struct solver *s, uint32_t at)
{
  const struct hone__level *level = &s->plan.levels[at];
  struct hone__layer *layer = &s->layers[at];
  hone_status status = NULL;

  /* A level leaves what the next one expects. */
  HONE__ASSERT(s->now.width == s->carry + level->live_count && !s->next.count);
  s->next = (struct hone__states){.width = s->carry + level->passed_count + level->made_count};
  s->inputs = (struct hone__states){.width = level->input_count};
  s->raw = (struct hone__states){.width = s->next.width};
  s->looks = s->gains = 0;
  layer->count = s->now.count;
  status = hone__budget_take(&s->budget, layer->count * sizeof *layer->nodes);
  if (status) {
    layer->count = 0;
    return status;
  }
  layer->nodes = hone__alloc((layer->count + 1) * sizeof *layer->nodes);
  for (size_t i = 0; i < layer->count && !status; i++)
    status = expand(s, level, layer, hone__state(&s->now, i), &layer->nodes[i]);
  hone__states_release(&s->raw, &s->budget);
  hone__states_release(&s->inputs, &s->budget);
  hone__states_release(&s->now, &s->budget);
  s->now = s->next;
  s->next = (struct hone__states){0};
  return status;
}

static hone_status run_forward(struct solver *s)
{
  struct hone_value pending = {0};
  hone_status status;
  uint32_t root;
  bool is_new;

  s->now = (struct hone__states){.width = s->carry};
  status = hone__states_find(&s->now, &s->budget, &pending, &root, &is_new);
  for (uint32_t i = 0; i < s->plan.depth && !status; i++) {
    status = run_level(s, i);
    if (s->saw_fault && !s->carry) break;
  }
  return status;
}

/* ---- Faults ---- */

static bool lead_to_fault(const struct solver *s, uint32_t at, uint32_t state, uint32_t *row,
                          uint8_t *hopeless, const size_t *offsets, uint32_t *out_final)
{
  const struct hone__layer *layer = &s->layers[at];
  const struct hone__forward_node *node;

  if (at == s->plan.depth) {
    *out_final = state;
    return s->now.values[(size_t)state * s->now.width].type != HONE_NONE;
  }
  HONE__ASSERT(state < layer->count);
  if (hopeless[offsets[at] + state]) return false;
  node = &layer->nodes[state];
  for (uint32_t i = 0; i < node->count; i++) {
    const struct hone__forward_edge *edge = &layer->edges[node->first + i];
    row[at] = edge->value;
    if (lead_to_fault(s, at + 1, edge->child, row, hopeless, offsets, out_final)) return true;
  }
  hopeless[offsets[at] + state] = 1;
  return false;
}

/* After the second run: a solution that carries a fault to the end, if there is one. */
static void find_fault(struct solver *s)
{
  size_t *offsets = hone__alloc((s->plan.depth + 1) * sizeof *offsets), total = 0;
  uint32_t *row = hone__alloc((s->plan.depth + 1) * sizeof *row), final = 0;
  uint8_t *hopeless;

  for (uint32_t i = 0; i < s->plan.depth; i++) {
    offsets[i] = total;
    total += s->layers[i].count;
  }
  hopeless = hone__alloc(total + 1);
  if (s->now.count && lead_to_fault(s, 0, 0, row, hopeless, offsets, &final)) {
    int64_t packed = s->now.values[(size_t) final * s->now.width].integer;
    s->fault->found = true;
    s->fault->constraint = (uint32_t)(packed >> 8);
    s->fault->fault = (enum hone__fault)(packed & 255);
    HONE__ASSERT(s->fault->constraint < s->plan.program->count);
    s->fault->row = row;
    row = NULL;
  }
  free(hopeless);
  free(offsets);
  free(row);
}

/* ---- Solving ---- */

static void solver_release(struct solver *s)
{
  hone__states_release(&s->now, &s->budget);
  hone__states_release(&s->next, &s->budget);
  hone__states_release(&s->inputs, &s->budget);
  hone__states_release(&s->raw, &s->budget);
  free(s->became);
  free(s->needed);
  for (uint32_t i = 0; s->layers && i < s->plan.depth; i++)
    hone__layer_release(&s->layers[i], &s->budget);
  free(s->layers);
  free(s->room);
  free(s->made);
  free(s->remembered);
  free(s->scratch);
  hone__plan_release(&s->plan);
}

static hone_status run(const struct hone__component *component, const uint32_t *order,
                       uint32_t depth, const struct hone__solve_limits *limits, bool carry,
                       struct hone__solve_fault *fault, bool *out_saw_fault,
                       struct hone__diagram *diagram)
{
  struct solver s = {
      .limits = limits, .budget = {.limit = limits->memory_bytes}, .fault = fault, .carry = carry};
  hone_status status = NULL;

  hone__plan_make(&s.plan, component->program, component->domains, order, depth,
                  component->constraints, component->constraint_count);
  if (!s.plan.empty) {
    s.layers = hone__alloc((depth + 1) * sizeof *s.layers);
    s.scratch = hone__alloc(2 * (component->program->count + 2) * sizeof *s.scratch);
    s.needed = hone__alloc((component->program->count + 1) * sizeof *s.needed);
    status = run_forward(&s);
    if (!status && carry) find_fault(&s);
    if (!status && !(s.saw_fault && !carry) && !fault->found)
      status = hone__assemble(s.layers, depth, s.now.count, &s.budget, diagram);
  }
  *out_saw_fault = s.saw_fault;
  solver_release(&s);
  return status;
}

hone_status hone__solve(const struct hone__component *component, const uint32_t *order,
                        uint32_t depth, const struct hone__solve_limits *limits,
                        struct hone__solve_fault *out_fault, struct hone__diagram **out_diagram)
{
  struct hone__diagram *diagram = hone__alloc(sizeof *diagram);
  hone_status status;
  bool saw_fault;

  *out_diagram = NULL;
  *out_fault = (struct hone__solve_fault){0};
  diagram->depth = depth;
  status = run(component, order, depth, limits, false, out_fault, &saw_fault, diagram);
  if (!status && saw_fault)
    status = run(component, order, depth, limits, true, out_fault, &saw_fault, diagram);
  if (status || out_fault->found) {
    hone__diagram_free(diagram);
    return status;
  }
  HONE__ASSERT(diagram->depth == depth && diagram->root <= diagram->node_count);
  HONE__ASSERT_SLOW(hone__diagram_is_sound(diagram));
  *out_diagram = diagram;
  return NULL;
}
