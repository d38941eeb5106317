/* Every node of the constraints becomes a term over bit vectors: what its value is, and when it
 * faults. Z3 is asked for configurations where no constraint is false, that is, where each one
 * holds or faults, one after the other: each is excluded before the next question. The evaluator
 * tells a solution from a fault, and decides about every row.
 *
 * All that Z3 sees is finite, so it is asked with its solver for finite domains (the logic QF_FD).
 */
#include "space/z3_solve.h"
#include "base/clock.h"
#include "space/z3_terms.h"

#include <stdlib.h>

struct engine {
  struct hone__z3 z;
  const struct hone__component *component;
  uint32_t depth;
  const struct hone__solve_limits *limits;
  z3_solver solver;
  struct hone__z3_place *places; /* by level */
  uint32_t *level_of;            /* by variable */
  struct hone__z3_evaluator evaluator;
  struct hone__z3_terms terms;
  struct hone__z3_cone checked; /* of all constraints */
  uint64_t bytes_before, steps;
  uint32_t *rows, *row;
  size_t row_count, row_capacity;
};

bool hone__z3_available(const char **out_advice)
{
  return hone__z3_library(out_advice) != NULL;
}

static void assert_term(struct engine *e, z3_ast term)
{
  e->z.api->solver_assert(e->z.context, e->solver, term);
}

/* ---- Solutions ---- */

static hone_status exhausted(const struct engine *e)
{
  return hone__error(HONE_EXHAUSTED, "the memory limit of %zu MiB is reached",
                     e->limits->memory_bytes >> 20);
}

static hone_status check_limits(struct engine *e)
{
  uint64_t bytes = e->z.api->get_estimated_alloc_size();

  bytes = bytes > e->bytes_before ? bytes - e->bytes_before : 0;
  bytes += e->row_capacity * e->depth * sizeof *e->rows;
  if (bytes > e->limits->memory_bytes) return exhausted(e);
  if (e->limits->steps && e->steps > e->limits->steps)
    return hone__error(HONE_EXHAUSTED, "the limit of %llu steps is reached",
                       (unsigned long long)e->limits->steps);
  return e->steps % 64 == 0 ? hone__solve_report(e->limits, "solving with Z3") : NULL;
}

static hone_status add_row(struct engine *e)
{
  size_t capacity = e->row_capacity ? 2 * e->row_capacity : 64;
  uint32_t *grown;

  if (e->row_count == e->row_capacity) {
    if (capacity * e->depth * sizeof *grown > e->limits->memory_bytes) return exhausted(e);
    grown = realloc(e->rows, capacity * e->depth * sizeof *grown);
    if (!grown) return exhausted(e);
    e->rows = grown;
    e->row_capacity = capacity;
  }
  memcpy(e->rows + e->row_count++ * e->depth, e->row, e->depth * sizeof *e->row);
  return NULL;
}

static hone_status gave_up(const char *why)
{
  return hone__error(HONE_UNAVAILABLE, "Z3 gave up: %s", why);
}

static hone_status read_row(struct engine *e)
{
  z3_model model = e->z.api->solver_get_model(e->z.context, e->solver);
  hone_status status = NULL;

  if (!model) return gave_up("Z3 returned no model");
  e->z.api->model_inc_ref(e->z.context, model);
  for (uint32_t i = 0; i < e->depth && !status; i++)
    if (!hone__z3_place_read(&e->z, &e->places[i], model, &e->row[i]))
      status = gave_up("the model of Z3 is outside the domains");
  e->z.api->model_dec_ref(e->z.context, model);
  return status;
}

static void keep_fault(const struct engine *e, uint32_t constraint, struct hone__solve_fault *fault)
{
  *fault =
      (struct hone__solve_fault){.found = true,
                                 .constraint = constraint,
                                 .fault = (enum hone__fault)e->evaluator.values[constraint].integer,
                                 .row = hone__alloc(e->depth * sizeof *fault->row)};
  memcpy(fault->row, e->row, e->depth * sizeof *e->row);
}

/* The evaluator's decision about the row: a solution, a fault, or (a defect of the terms) neither.
 */
static hone_status judge_row(struct engine *e, struct hone__solve_fault *fault)
{
  const struct hone__component *component = e->component;
  const struct hone_value *values = e->evaluator.values;

  hone__z3_evaluate(&e->evaluator, &e->checked, e->row);
  for (size_t i = 0; i < component->constraint_count; i++) {
    struct hone_value v = values[component->constraints[i]];
    if (v.type == HONE__FAULT || hone__value_truth(v)) continue;
#ifndef NDEBUG
    HONE__BUG("Z3 found a row that a constraint rejects");
#endif
    return NULL;
  }
  for (size_t i = 0; i < component->constraint_count; i++) {
    struct hone_value v = values[component->constraints[i]];
    if (v.type != HONE__FAULT || v.integer == HONE__FAULT_NAME) continue;
    keep_fault(e, component->constraints[i], fault);
    return NULL;
  }
  return add_row(e);
}

static void block_row(struct engine *e)
{
  z3_ast *differ = hone__alloc(e->depth * sizeof *differ);

  for (uint32_t i = 0; i < e->depth; i++)
    differ[i] = hone__z3_not(&e->z, hone__z3_place_is(&e->z, &e->places[i], e->row[i]));
  assert_term(e, e->z.api->mk_or(e->z.context, e->depth, differ));
  free(differ);
}

static hone_status check(struct engine *e, bool *out_found)
{
  int answer, error;
  hone_status status;

  e->steps++;
  status = check_limits(e);
  if (status) return status;
  answer = e->z.api->solver_check(e->z.context, e->solver);
  *out_found = answer == Z3_TRUE;
  error = e->z.api->get_error_code(e->z.context);
  if (error) return gave_up(e->z.api->get_error_msg(e->z.context, error));
  if (answer == Z3_UNDEF)
    return gave_up(e->z.api->solver_get_reason_unknown(e->z.context, e->solver));
  return NULL;
}

static hone_status enumerate(struct engine *e, struct hone__solve_fault *fault)
{
  hone_status status;
  bool found;

  for (;;) {
    status = check(e, &found);
    if (status || !found) return status;
    status = read_row(e);
    if (!status) status = judge_row(e, fault);
    if (status || fault->found) return status;
    block_row(e);
  }
}

/* ---- Solving ---- */

static hone_status assert_constraints(struct engine *e)
{
  const struct hone__component *component = e->component;
  hone_status status;
  z3_ast condition;

  for (uint32_t i = 0; i < e->checked.count; i++) {
    status = hone__z3_translate(&e->terms, e->checked.nodes[i]);
    if (status) return status;
  }
  for (size_t i = 0; i < component->constraint_count; i++) {
    status = hone__z3_condition(&e->terms, component->constraints[i], &condition);
    if (status) return status;
    assert_term(e, condition);
  }
  return NULL;
}

static void open_solver(struct engine *e)
{
  const struct hone__z3_library *api = e->z.api;
  z3_config config;

  e->bytes_before = api->get_estimated_alloc_size();
  config = api->mk_config();
  e->z.context = api->mk_context(config);
  api->del_config(config);
  api->set_error_handler(e->z.context, NULL);
  e->solver = api->mk_solver_for_logic(e->z.context, api->mk_string_symbol(e->z.context, "QF_FD"));
  api->solver_inc_ref(e->z.context, e->solver);
}

static void make_places(struct engine *e, const uint32_t *order)
{
  uint32_t variables = 0;

  for (uint32_t i = 0; i < e->depth; i++)
    if (order[i] >= variables) variables = order[i] + 1;
  e->level_of = hone__alloc(variables * sizeof *e->level_of);
  e->places = hone__alloc(e->depth * sizeof *e->places);
  for (uint32_t i = 0; i < e->depth; i++) {
    e->level_of[order[i]] = i;
    hone__z3_place_init(&e->z, e->component->domains[order[i]], (int)i, &e->places[i]);
    assert_term(e, hone__z3_place_valid(&e->z, &e->places[i]));
  }
}

static void engine_init(struct engine *e, const uint32_t *order)
{
  const struct hone__spec_program *program = e->component->program;

  open_solver(e);
  make_places(e, order);
  e->row = hone__alloc(e->depth * sizeof *e->row);
  e->evaluator = (struct hone__z3_evaluator){
      .program = program,
      .places = e->places,
      .level_of = e->level_of,
      .depth = e->depth,
      .values = hone__alloc((program->count + 1) * sizeof *e->evaluator.values)};
  e->terms =
      (struct hone__z3_terms){.z = &e->z,
                              .evaluator = &e->evaluator,
                              .items = hone__alloc((program->count + 1) * sizeof *e->terms.items)};
  hone__z3_cone_init(&e->checked, &e->evaluator, e->component->constraints,
                     e->component->constraint_count);
}

static void engine_release(struct engine *e)
{
  hone__z3_cone_release(&e->checked);
  free(e->terms.items);
  free(e->evaluator.values);
  free(e->level_of);
  free(e->places);
  free(e->rows);
  free(e->row);
  if (e->solver) e->z.api->solver_dec_ref(e->z.context, e->solver);
  if (e->z.context) e->z.api->del_context(e->z.context);
}

static int compare_rows(const void *a, const void *b, void *depth)
{
  const uint32_t *x = a, *y = b;

  for (uint32_t i = 0; i < *(uint32_t *)depth; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

static hone_status run(struct engine *e, struct hone__solve_fault *fault)
{
  hone_status status = assert_constraints(e);

  if (!status) status = enumerate(e, fault);
  if (!status && e->row_count)
    qsort_r(e->rows, e->row_count, e->depth * sizeof *e->rows, compare_rows, &e->depth);
  return status;
}

static bool has_empty_domain(const struct hone__component *component, const uint32_t *order,
                             uint32_t depth)
{
  for (uint32_t i = 0; i < depth; i++)
    if (!component->domains[order[i]]->count) return true;
  return false;
}

hone_status hone__z3_solve(const struct hone__component *component, const uint32_t *order,
                           uint32_t depth, const struct hone__solve_limits *limits,
                           struct hone__solve_fault *out_fault, struct hone__diagram **out_diagram)
{
  struct engine e = {.component = component, .depth = depth, .limits = limits};
  hone_status status = NULL;
  const char *advice;

  *out_diagram = NULL;
  *out_fault = (struct hone__solve_fault){0};
  e.z.api = hone__z3_library(&advice);
  if (!e.z.api) return hone__error(HONE_UNAVAILABLE, "cannot find libz3: %s", advice);
  if (depth && !has_empty_domain(component, order, depth)) {
    engine_init(&e, order);
    status = run(&e, out_fault);
  }
  if (!status && !out_fault->found)
    status = hone__diagram_from_rows(e.rows, e.row_count, depth, out_diagram);
  engine_release(&e);
  return status;
}
