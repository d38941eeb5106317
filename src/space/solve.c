/* Forward, level by level: every distinct state is expanded once, its values are tried, and the
 * states they lead to are found or made. Backward: solutions are counted, dead ends dropped, equal
 * nodes merged, and what is left becomes the diagram.
 *
 * What a level computes depends on its inputs only, which are often few of the state's values.
 * Where they are, its results are remembered by inputs and shared between states.
 *
 * Faults. A constraint that divides by zero says neither yes nor no; it matters only if no other
 * constraint rejects the configuration. So the first run stops at a fault, and a second run carries
 * it along as part of the state to see whether it survives. */
#include "space/solve.h"
#include "base/clock.h"
#include "base/hash.h"

#include <stdlib.h>

static const uint32_t NOWHERE = UINT32_MAX;

/* The values that a level allows for certain inputs, and what they make. */
struct transitions {
  uint32_t first, count; /* values[first..], made[first * made_count..] */
  bool is_span;          /* no: the values first, first + 1 ... themselves; nothing is made */
};

struct forward_node {
  uint32_t first, count; /* edges; or a shared set of values, or a span, all leading to child */
  uint32_t child;
  bool is_span;
};

struct forward_edge {
  uint32_t value, child;
};

struct layer {
  struct forward_node *nodes;
  size_t count;
  struct forward_edge *edges;
  size_t edge_count, edge_capacity;
  uint32_t *values; /* sets of values, shared by nodes */
  size_t value_count, value_capacity;
};

struct states { /* distinct value vectors of one width */
  struct hone_value *values;
  uint32_t width;
  size_t count, capacity;
  uint32_t *table;
  size_t table_size;
};

struct solver {
  struct hone_plan plan;
  const struct hone_solve_limits *limits;
  struct hone_solve_fault *fault;
  uint32_t carry; /* 1 in the second run: values[0] of a state is the pending fault */
  bool saw_fault;
  size_t bytes;
  uint64_t steps;
  struct layer *layers;
  struct states now, next;
  uint32_t *room; /* for narrowed candidates */
  size_t room_size;
  struct hone_value *made; /* of the level's transitions */
  size_t made_capacity;
  struct states inputs; /* remembered by inputs */
  struct transitions *remembered;
  size_t remembered_capacity;
  struct hone_value *scratch; /* one state, or one level's inputs */
  /* looking ahead: states as they are made, and what became of each: a state, or NOWHERE */
  struct states raw;
  uint32_t *became;
  size_t became_capacity;
  bool *needed; /* by node */
  uint64_t looks, gains;
};

/* ---- Memory ---- */

static hone_status exhausted(const struct solver *s)
{
  return hone__error(HONE_EXHAUSTED, "the memory limit of %zu MiB is reached",
                     s->limits->memory_bytes >> 20);
}

static hone_status reserve(struct solver *s, void *array_pointer, size_t *capacity, size_t need,
                           size_t item)
{
  void **array = array_pointer, *grown;
  size_t size = *capacity ? *capacity : 64;

  if (need <= *capacity) return NULL;
  while (size < need)
    size *= 2;
  if (s->bytes + (size - *capacity) * item > s->limits->memory_bytes || size > UINT32_MAX - 1)
    return exhausted(s);
  grown = realloc(*array, size * item);
  if (!grown) return exhausted(s);
  s->bytes += (size - *capacity) * item;
  *array = grown;
  *capacity = size;
  return NULL;
}

static void states_release(struct solver *s, struct states *states)
{
  s->bytes -= states->capacity * states->width * sizeof *states->values +
              states->table_size * sizeof *states->table;
  free(states->values);
  free(states->table);
  *states = (struct states){0};
}

/* ---- States ---- */

static uint64_t hash_values(const struct hone_value *values, uint32_t count)
{
  uint64_t hash = 7;

  for (uint32_t i = 0; i < count; i++)
    hash = hone__hash_add(hash, (uint64_t)values[i].integer * 8 + values[i].type);
  return hone__mix(hash);
}

static bool same_values(const struct hone_value *a, const struct hone_value *b, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (a[i].integer != b[i].integer || a[i].type != b[i].type) return false;
  return true;
}

static hone_status grow_states(struct solver *s, struct states *states)
{
  size_t size = states->table_size ? 4 * states->table_size : 256, item;
  uint32_t *table;
  hone_status status;

  if (2 * (states->count + 1) > states->table_size) {
    if (s->bytes + size * sizeof *table > s->limits->memory_bytes) return exhausted(s);
    table = calloc(size, sizeof *table);
    if (!table) return exhausted(s);
    s->bytes += (size - states->table_size) * sizeof *table;
    for (size_t i = 0; i < states->count; i++) {
      uint64_t hash = hash_values(states->values + i * states->width, states->width);
      size_t slot = hash & (size - 1);
      while (table[slot])
        slot = (slot + 1) & (size - 1);
      table[slot] = (uint32_t)i + 1;
    }
    free(states->table);
    states->table = table;
    states->table_size = size;
  }
  item = (states->width ? states->width : 1) * sizeof *states->values;
  status = reserve(s, &states->values, &states->capacity, states->count + 1, item);
  return status;
}

/* The number of an equal state, or of a new one; `*out_new` says which. */
static hone_status find_state(struct solver *s, struct states *states,
                              const struct hone_value *values, uint32_t *out_id, bool *out_new)
{
  size_t slot;
  hone_status status;

  if (2 * (states->count + 1) > states->table_size || states->count == states->capacity) {
    status = grow_states(s, states);
    if (status) return status;
  }
  slot = hash_values(values, states->width) & (states->table_size - 1);
  for (; states->table[slot]; slot = (slot + 1) & (states->table_size - 1)) {
    uint32_t id = states->table[slot] - 1;
    if (same_values(states->values + (size_t)id * states->width, values, states->width)) {
      *out_id = id;
      *out_new = false;
      return NULL;
    }
  }
  memcpy(states->values + states->count * states->width, values, states->width * sizeof *values);
  states->table[slot] = (uint32_t)++states->count;
  *out_id = (uint32_t)states->count - 1;
  *out_new = true;
  return NULL;
}

/* ---- Trying values ---- */

enum trial { LEGAL, ILLEGAL, FAULTY };

/* Computes the level's nodes for the variable's value; a check that is false ends it. */
static enum trial try_value(struct solver *s, const struct hone_level *level,
                            struct hone_value value, struct hone_value *out_fault)
{
  struct hone_value *values = s->plan.values;
  const struct hone_instruction *nodes = s->plan.program->nodes;
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
      if (values[node].integer == HONE_FAULT_NAME) continue; /* a rule of another group */
      if (trial == LEGAL) *out_fault = hone__int((int64_t)node << 8 | values[node].integer);
      trial = FAULTY;
    } else if (!hone__value_truth(values[node])) {
      return ILLEGAL;
    }
  }
  return trial;
}

static uint32_t made_width(const struct solver *s, const struct hone_level *level)
{
  return level->made_count + s->carry;
}

static hone_status add_transition(struct solver *s, struct layer *layer,
                                  const struct hone_level *level, uint32_t value,
                                  struct hone_value fault)
{
  uint32_t width = made_width(s, level);
  struct hone_value *made;
  hone_status status;

  status = reserve(s, &layer->values, &layer->value_capacity, layer->value_count + 1,
                   sizeof *layer->values);
  if (!status && width)
    status =
        reserve(s, &s->made, &s->made_capacity, (layer->value_count + 1) * width, sizeof *s->made);
  if (status) return status;
  made = s->made + layer->value_count * width;
  if (s->carry) *made++ = fault;
  for (uint32_t i = 0; i < level->made_count; i++)
    made[i] = s->plan.values[level->made[i]];
  layer->values[layer->value_count++] = value;
  return NULL;
}

static hone_status make_room(struct solver *s, size_t size)
{
  return reserve(s, &s->room, &s->room_size, size, sizeof *s->room);
}

static hone_status count_steps(struct solver *s, uint32_t count)
{
  const struct hone_solve_limits *limits = s->limits;
  bool look_up = (s->steps + count) >> 20 != s->steps >> 20;

  s->steps += count;
  if (limits->steps && s->steps > limits->steps)
    return hone__error(HONE_EXHAUSTED, "the limit of %llu steps is reached",
                       (unsigned long long)limits->steps);
  if (look_up && limits->progress &&
      !limits->progress(limits->progress_data, "solving", hone__clock() - limits->started))
    return hone__error(HONE_EXHAUSTED, "stopped");
  return NULL;
}

/* All values that the level allows; the inputs' values stand in the plan. */
static hone_status find_transitions(struct solver *s, const struct hone_level *level,
                                    struct layer *layer, struct transitions *out_transitions)
{
  struct hone_value none = {0}, fault = none;
  struct hone_narrowed narrowed;
  hone_status status = make_room(s, hone__level_room(level));

  if (status) return status;
  hone__plan_narrow(&s->plan, level, s->room, &narrowed);
  if (narrowed.certain && !narrowed.list && made_width(s, level) == 0) {
    *out_transitions = (struct transitions){narrowed.first, narrowed.count, true};
    return count_steps(s, 1);
  }
  status = count_steps(s, narrowed.count);
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
static hone_status get_transitions(struct solver *s, const struct hone_level *level,
                                   struct layer *layer, const struct hone_value *live,
                                   struct transitions *out_transitions)
{
  hone_status status;
  uint32_t id;
  bool is_new;

  for (uint32_t i = 0; i < level->input_count; i++) {
    s->scratch[i] = live[level->inputs[i]];
    s->plan.values[level->live[level->inputs[i]]] = live[level->inputs[i]];
  }
  if (level->input_count == level->live_count && level->input_count > 0)
    return find_transitions(s, level, layer, out_transitions);
  status = find_state(s, &s->inputs, s->scratch, &id, &is_new);
  if (!status)
    status =
        reserve(s, &s->remembered, &s->remembered_capacity, s->inputs.count, sizeof *s->remembered);
  if (!status && is_new) status = find_transitions(s, level, layer, &s->remembered[id]);
  if (!status) *out_transitions = s->remembered[id];
  return status;
}

/* ---- Looking ahead ---- */

/* It costs time for every node ahead: after some looks that gained little it is given up. */
static bool is_looking_worth_it(const struct solver *s, const struct hone_level *level)
{
  uint64_t trial;

  if (level->ahead_count == 0) return false;
  trial = level->ahead_count > 512 ? 32 : 16384 / level->ahead_count;
  return s->looks < (trial < 512 ? trial : 512) || s->gains * 16 >= s->looks;
}

/* Bounds of all that is ahead, from a state; false if some constraint is false whatever comes. */
static bool run_ahead(struct solver *s, const struct hone_level *level,
                      const struct hone_value *state)
{
  struct hone_bounds *bounds = s->plan.bounds;

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
static void drop_moot(struct solver *s, const struct hone_level *level, struct hone_value *state)
{
  const struct hone_instruction *nodes = s->plan.program->nodes;

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

/* What a new state comes to: NOWHERE, an equal one, or itself. */
static hone_status look_ahead(struct solver *s, const struct hone_level *level,
                              struct hone_value *state, uint32_t *out_child)
{
  hone_status status;
  bool is_new;

  s->looks++;
  if (!run_ahead(s, level, state)) {
    s->gains++;
    *out_child = NOWHERE;
    return NULL;
  }
  drop_moot(s, level, state);
  status = find_state(s, &s->next, state, out_child, &is_new);
  if (!status && !is_new) s->gains++;
  return status;
}

/* ---- Forward ---- */

/* The state that a transition leads to, NOWHERE if it is known to be a dead end. scratch holds what
 * is passed on; `made` is appended. */
static hone_status find_child(struct solver *s, const struct hone_level *level,
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
    return find_state(s, &s->next, s->scratch, out_child, &is_new);
  status = find_state(s, &s->raw, s->scratch, &id, &is_new);
  if (!status)
    status = reserve(s, &s->became, &s->became_capacity, s->raw.count, sizeof *s->became);
  if (!status && is_new) {
    memcpy(state, s->scratch, width * sizeof *state);
    status = look_ahead(s, level, state, &s->became[id]);
  }
  if (!status) *out_child = s->became[id];
  return status;
}

static hone_status add_edges(struct solver *s, const struct hone_level *level, struct layer *layer,
                             struct transitions t, struct hone_value pending,
                             struct forward_node *node)
{
  uint32_t width = made_width(s, level), child;
  hone_status status = reserve(s, &layer->edges, &layer->edge_capacity, layer->edge_count + t.count,
                               sizeof *layer->edges);

  node->child = NOWHERE;
  node->first = (uint32_t)layer->edge_count;
  for (uint32_t i = 0; !status && i < t.count; i++) {
    status = find_child(s, level, s->made + (size_t)(t.first + i) * width, pending, &child);
    if (!status && child != NOWHERE)
      layer->edges[layer->edge_count++] =
          (struct forward_edge){.value = layer->values[t.first + i], .child = child};
  }
  node->count = (uint32_t)layer->edge_count - node->first;
  return status ? status : count_steps(s, t.count);
}

static hone_status expand(struct solver *s, const struct hone_level *level, struct layer *layer,
                          const struct hone_value *state, struct forward_node *node)
{
  struct hone_value pending = s->carry ? state[0] : (struct hone_value){0};
  struct transitions t;
  hone_status status = get_transitions(s, level, layer, state + s->carry, &t);

  if (status) return status;
  *node = (struct forward_node){.child = NOWHERE};
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
  const struct hone_level *level = &s->plan.levels[at];
  struct layer *layer = &s->layers[at];
  hone_status status = NULL;

  s->next = (struct states){.width = s->carry + level->passed_count + level->made_count};
  s->inputs = (struct states){.width = level->input_count};
  s->raw = (struct states){.width = s->next.width};
  s->looks = s->gains = 0;
  layer->count = s->now.count;
  if (s->bytes + layer->count * sizeof *layer->nodes > s->limits->memory_bytes) return exhausted(s);
  layer->nodes = calloc(layer->count ? layer->count : 1, sizeof *layer->nodes);
  if (!layer->nodes) return exhausted(s);
  s->bytes += layer->count * sizeof *layer->nodes;
  for (size_t i = 0; i < layer->count && !status; i++)
    status = expand(s, level, layer, s->now.values + i * s->now.width, &layer->nodes[i]);
  states_release(s, &s->raw);
  states_release(s, &s->inputs);
  states_release(s, &s->now);
  s->now = s->next;
  s->next = (struct states){0};
  return status;
}

static hone_status run_forward(struct solver *s)
{
  struct hone_value pending = {0};
  hone_status status;
  uint32_t root;
  bool is_new;

  s->now = (struct states){.width = s->carry};
  status = find_state(s, &s->now, &pending, &root, &is_new);
  for (uint32_t i = 0; i < s->plan.depth && !status; i++) {
    status = run_level(s, i);
    if (s->saw_fault && !s->carry) break;
  }
  return status;
}

/* ---- Backward ---- */

struct builder {
  struct solver *s;
  struct hone_diagram *diagram;
  uint32_t *below, *here; /* by state of a layer: its diagram node, or NOWHERE */
  uint32_t *table;        /* nodes of this level, for merging */
  size_t table_size;
};

static hone_status reserve32(struct solver *s, void *array, uint32_t *capacity, size_t need,
                             size_t item)
{
  size_t wide = *capacity;
  hone_status status = reserve(s, array, &wide, need, item);

  *capacity = (uint32_t)wide;
  return status;
}

static hone_status too_many(void)
{
  return hone__error(HONE_EXHAUSTED, "one component alone has more than 2^64 legal configurations");
}

/* Live edges are appended to the diagram; a node without any is dead. */
static hone_status build_edges(struct builder *b, const struct layer *layer,
                               const struct forward_node *from, struct hone_diagram_node *node)
{
  struct hone_diagram *d = b->diagram;
  hone_status status = reserve32(b->s, &d->edges, &d->edge_capacity,
                                 (size_t)d->edge_count + from->count, sizeof *d->edges);

  if (status) return status;
  node->fan = HONE_FAN_EDGES;
  node->first = d->edge_count;
  for (uint32_t i = 0; i < from->count; i++) {
    struct forward_edge edge = layer->edges[from->first + i];
    uint32_t child = b->below[edge.child];
    if (child == NOWHERE) continue;
    d->edges[d->edge_count++] =
        (struct hone_edge){.before = node->count, .value = edge.value, .child = child};
    if (__builtin_add_overflow(node->count, d->nodes[child].count, &node->count)) return too_many();
  }
  node->width = d->edge_count - node->first;
  return NULL;
}

static hone_status build_set(struct builder *b, const struct layer *layer,
                             const struct forward_node *from, uint32_t values_at,
                             struct hone_diagram_node *node)
{
  uint32_t child = from->child == NOWHERE ? NOWHERE : b->below[from->child];
  const uint32_t *values = layer->values;

  if (child == NOWHERE || from->count == 0) return NULL;
  node->child = child;
  node->width = from->count;
  if (from->is_span) {
    node->fan = HONE_FAN_SPAN;
    node->first = from->first;
  } else {
    uint32_t low = values[from->first], high = values[from->first + from->count - 1];
    node->fan = high - low == from->count - 1 ? HONE_FAN_SPAN : HONE_FAN_SET;
    node->first = node->fan == HONE_FAN_SPAN ? low : values_at + from->first;
  }
  if (__builtin_mul_overflow(b->diagram->nodes[child].count, (uint64_t)from->count, &node->count))
    return too_many();
  return NULL;
}

static uint64_t hash_node(const struct hone_diagram *d, const struct hone_diagram_node *node)
{
  uint64_t hash = hone__hash_add((uint64_t)node->fan, node->width);

  if (node->fan == HONE_FAN_SPAN) hash = hone__hash_add(hash, node->first);
  if (node->fan != HONE_FAN_EDGES) return hone__mix(hone__hash_add(hash, node->child));
  for (uint32_t i = 0; i < node->width; i++) {
    const struct hone_edge *edge = &d->edges[node->first + i];
    hash = hone__hash_add(hash, (uint64_t)edge->value << 32 | edge->child);
  }
  return hone__mix(hash);
}

static bool same_node(const struct hone_diagram *d, const struct hone_diagram_node *a,
                      const struct hone_diagram_node *b)
{
  if (a->fan != b->fan || a->width != b->width) return false;
  if (a->fan != HONE_FAN_EDGES && a->child != b->child) return false;
  if (a->fan == HONE_FAN_SPAN) return a->first == b->first;
  if (a->fan == HONE_FAN_SET)
    return memcmp(d->values + a->first, d->values + b->first, a->width * sizeof *d->values) == 0;
  for (uint32_t i = 0; i < a->width; i++) {
    const struct hone_edge *x = &d->edges[a->first + i], *y = &d->edges[b->first + i];
    if (x->value != y->value || x->child != y->child) return false;
  }
  return true;
}

/* An equal node of this level, or the new one; the edges of a duplicate are taken back. */
static hone_status merge_node(struct builder *b, const struct hone_diagram_node *node,
                              uint32_t *out_node)
{
  struct hone_diagram *d = b->diagram;
  size_t slot = hash_node(d, node) & (b->table_size - 1);
  hone_status status;

  for (; b->table[slot]; slot = (slot + 1) & (b->table_size - 1)) {
    if (same_node(d, &d->nodes[b->table[slot]], node)) {
      if (node->fan == HONE_FAN_EDGES) d->edge_count = node->first;
      *out_node = b->table[slot];
      return NULL;
    }
  }
  status =
      reserve32(b->s, &d->nodes, &d->node_capacity, (size_t)d->node_count + 1, sizeof *d->nodes);
  if (status) return status;
  d->nodes[d->node_count] = *node;
  b->table[slot] = d->node_count;
  *out_node = d->node_count++;
  return NULL;
}

static hone_status build_level(struct builder *b, struct layer *layer)
{
  struct hone_diagram *d = b->diagram;
  uint32_t values_at = d->value_count;
  hone_status status = NULL;

  b->table_size = 64;
  while (b->table_size < 2 * layer->count)
    b->table_size *= 2;
  free(b->table);
  b->table = calloc(b->table_size, sizeof *b->table);
  b->here = malloc((layer->count + 1) * sizeof *b->here);
  if (!b->table || !b->here) return exhausted(b->s);
  if (!layer->edge_count) {
    status = reserve32(b->s, &d->values, &d->value_capacity, values_at + layer->value_count,
                       sizeof *d->values);
    if (status) return status;
    if (layer->value_count)
      memcpy(d->values + values_at, layer->values, layer->value_count * sizeof *d->values);
    d->value_count += (uint32_t)layer->value_count;
  }
  for (size_t i = 0; i < layer->count && !status; i++) {
    struct hone_diagram_node node = {0};
    const struct forward_node *from = &layer->nodes[i];
    status = from->child == NOWHERE && layer->edge_count
                 ? build_edges(b, layer, from, &node)
                 : build_set(b, layer, from, values_at, &node);
    b->here[i] = NOWHERE;
    if (!status && node.count) status = merge_node(b, &node, &b->here[i]);
  }
  free(b->below);
  b->below = b->here;
  b->here = NULL;
  return status;
}

static void free_layer(struct solver *s, struct layer *layer)
{
  s->bytes -= layer->count * sizeof *layer->nodes + layer->edge_capacity * sizeof *layer->edges +
              layer->value_capacity * sizeof *layer->values;
  free(layer->nodes);
  free(layer->edges);
  free(layer->values);
  *layer = (struct layer){0};
}

static hone_status run_backward(struct solver *s, struct hone_diagram *diagram)
{
  struct builder b = {.s = s, .diagram = diagram};
  hone_status status =
      reserve32(s, &diagram->nodes, &diagram->node_capacity, 1, sizeof *diagram->nodes);

  if (status) return status;
  diagram->nodes[HONE_TERMINAL] = (struct hone_diagram_node){.count = 1};
  diagram->node_count = 1;
  b.below = hone__alloc((s->now.count + 1) * sizeof *b.below);
  for (size_t i = 0; i < s->now.count; i++)
    b.below[i] = HONE_TERMINAL;
  for (uint32_t i = s->plan.depth; i-- > 0 && !status;) {
    status = build_level(&b, &s->layers[i]);
    free_layer(s, &s->layers[i]);
  }
  if (!status && b.below[0] != NOWHERE && s->plan.depth) {
    diagram->root = b.below[0];
    diagram->count = diagram->nodes[diagram->root].count;
  }
  free(b.below);
  free(b.here);
  free(b.table);
  return status;
}

/* ---- Faults ---- */

static bool lead_to_fault(const struct solver *s, uint32_t at, uint32_t state, uint32_t *row,
                          uint8_t *hopeless, const size_t *offsets, uint32_t *out_final)
{
  const struct layer *layer = &s->layers[at];
  const struct forward_node *node;

  if (at == s->plan.depth) {
    *out_final = state;
    return s->now.values[(size_t)state * s->now.width].type != HONE_NONE;
  }
  if (hopeless[offsets[at] + state]) return false;
  node = &layer->nodes[state];
  for (uint32_t i = 0; i < node->count; i++) {
    const struct forward_edge *edge = &layer->edges[node->first + i];
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
    s->fault->fault = (enum hone_fault)(packed & 255);
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
  states_release(s, &s->now);
  states_release(s, &s->next);
  states_release(s, &s->inputs);
  states_release(s, &s->raw);
  free(s->became);
  free(s->needed);
  for (uint32_t i = 0; s->layers && i < s->plan.depth; i++)
    free_layer(s, &s->layers[i]);
  free(s->layers);
  free(s->room);
  free(s->made);
  free(s->remembered);
  free(s->scratch);
  hone__plan_release(&s->plan);
}

static hone_status run(const struct hone_component *component, const uint32_t *order,
                       uint32_t depth, const struct hone_solve_limits *limits, bool carry,
                       struct hone_solve_fault *fault, bool *out_saw_fault,
                       struct hone_diagram *diagram)
{
  struct solver s = {.limits = limits, .fault = fault, .carry = carry};
  hone_status status = NULL;

  hone__plan_make(&s.plan, component->program, component->domains, order, depth,
                  component->constraints, component->constraint_count);
  if (!s.plan.empty) {
    s.layers = hone__alloc((depth + 1) * sizeof *s.layers);
    s.scratch = hone__alloc(2 * (component->program->count + 2) * sizeof *s.scratch);
    s.needed = hone__alloc((component->program->count + 1) * sizeof *s.needed);
    status = run_forward(&s);
    if (!status && carry) find_fault(&s);
    if (!status && !(s.saw_fault && !carry) && !fault->found) status = run_backward(&s, diagram);
  }
  *out_saw_fault = s.saw_fault;
  solver_release(&s);
  return status;
}

hone_status hone__solve(const struct hone_component *component, const uint32_t *order,
                        uint32_t depth, const struct hone_solve_limits *limits,
                        struct hone_solve_fault *out_fault, struct hone_diagram **out_diagram)
{
  struct hone_diagram *diagram = hone__alloc(sizeof *diagram);
  hone_status status;
  bool saw_fault;

  *out_diagram = NULL;
  *out_fault = (struct hone_solve_fault){0};
  diagram->depth = depth;
  status = run(component, order, depth, limits, false, out_fault, &saw_fault, diagram);
  if (!status && saw_fault)
    status = run(component, order, depth, limits, true, out_fault, &saw_fault, diagram);
  if (status || out_fault->found) {
    hone__diagram_free(diagram);
    return status;
  }
  *out_diagram = diagram;
  return NULL;
}
