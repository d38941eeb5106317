/* A task connects a solved space with the settings of its spec. Expressions are parsed on demand:
 * that takes microseconds, and a build or a run takes a thousand times as long.
 */
#include "backend/task_parts.h"

#include "backend/backend.h"
#include "space/group.h"
#include "spec/schema.h"

#include <math.h>
#include <stdlib.h>

enum { DEFAULT_SEED = 42 };

hone_status hone__backend_spec_error(const struct hone_spec *spec, const struct hone__node *node,
                                     const char *format, ...)
{
  struct hone__formula here = {.source = spec->source};
  struct hone__text text = {0};
  hone_status status;
  va_list args;

  if (node) here.place = node->place;
  va_start(args, format);
  hone__text_vaddf(&text, format, args);
  va_end(args);
  status = hone__space_formula_error(&here, 0, text.data);
  hone__text_release(&text);
  return status;
}

const struct hone__node *hone__task_setting(const struct hone__task *task, const char *path)
{
  const struct hone__node *node = task->spec->root;
  char key[64];

  while (node && *path) {
    size_t length = strcspn(path, ".");
    if (node->kind != HONE__MAPPING || length >= sizeof key) return NULL;
    memcpy(key, path, length);
    key[length] = 0;
    node = hone__node_get(node, key);
    path += length + (path[length] == '.');
  }
  return node;
}

/* ---- Names and their values ---- */

struct scope {
  const struct hone__task *task;
  const uint32_t *row;
  const struct hone__task_measured *measured; /* NULL: nothing */
};

static bool lookup_param(const struct hone_space *space, const uint32_t *row, const char *name,
                         struct hone_value *out_value)
{
  for (size_t i = hone_space_param_count(space, row[0]); i-- > 0;) {
    if (strcmp(hone_space_param_name(space, row[0], i), name) != 0) continue;
    *out_value = hone_space_value(space, row[0], i, row[1 + i]);
    return true;
  }
  return false;
}

static bool lookup_derived(const struct hone__task *task, const uint32_t *row, const char *name,
                           struct hone_value *out_value)
{
  const struct hone_spec *spec = task->spec;

  for (size_t i = 0; i < spec->derived_count; i++) {
    if (strcmp(spec->derived[i].name, name) != 0) continue;
    if (row) return hone_space_derived(task->space, row, i, out_value);
    *out_value = task->derived[i];
    return out_value->type != HONE_NONE;
  }
  return false;
}

/* The task is the same before and after a loop. */
void hone__task_enter(const struct hone__task *task, const struct hone__task_local *local)
{
  ((struct hone__task *)(uintptr_t)task)->locals = local;
}

static bool lookup_local(const struct hone__task *task, const char *name,
                         struct hone_value *out_value)
{
  for (const struct hone__task_local *local = task->locals; local; local = local->outer) {
    if (strcmp(local->name, name) != 0) continue;
    *out_value = hone__int(local->value);
    return true;
  }
  return false;
}

bool hone__task_lookup(const struct hone__task *task, const uint32_t *row, const char *name,
                       struct hone_value *out_value)
{
  struct hone__setup setup = task->space->setup;

  if (lookup_local(task, name, out_value)) return true;
  if (row && lookup_param(task->space, row, name, out_value)) return true;
  return lookup_derived(task, row, name, out_value) || hone__setup_lookup(&setup, name, out_value);
}

static bool lookup_word(const char *name, struct hone_value *out_value)
{
  *out_value = hone__bool(strcmp(name, "true") == 0);
  return out_value->integer || strcmp(name, "false") == 0;
}

static bool lookup_measured(const struct hone__task_measured *m, const char *name,
                            struct hone_value *out_value)
{
  const struct {
    const char *name;
    double value;
  } values[] = {{"time_ns", m ? m->time_ns : NAN},        {"time_us", m ? m->time_ns * 1e-3 : NAN},
                {"time_ms", m ? m->time_ns * 1e-6 : NAN}, {"time_s", m ? m->time_ns * 1e-9 : NAN},
                {"energy_j", m ? m->energy.joules : NAN}, {"power_w", m ? m->energy.watts : NAN}};

  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (strcmp(values[i].name, name) == 0 && isfinite(values[i].value)) {
      *out_value = hone__real(values[i].value);
      return true;
    }
  return false;
}

static bool lookup(void *data, const char *name, struct hone_value *out_value)
{
  const struct scope *scope = data;

  return hone__task_lookup(scope->task, scope->row, name, out_value) ||
         lookup_measured(scope->measured, name, out_value) || lookup_word(name, out_value);
}

/* ---- Expressions ---- */

/* The error for a name that exists, but not in this context. */
static hone_status fault_status(const struct scope *scope, const struct hone__formula *formula,
                                const struct hone__evaluator *evaluator)
{
  const char *name = evaluator->culprit->name;
  struct hone__setup setup = scope->task->space->setup;

  setup.arena = evaluator->arena;
  if (evaluator->fault == HONE__FAULT_NAME && hone__spec_has_param(scope->task->spec, name))
    return hone__space_formula_error(
        formula, evaluator->culprit->begin,
        hone__arena_printf(evaluator->arena, "'%s' is a parameter%s", name,
                           scope->row ? " that this configuration does not have"
                                      : ": it has no value here"));
  return hone__space_fault_error(&setup, formula, evaluator);
}

/* A list is not valid in a setting; a text must outlive the evaluation. */
static hone_status keep(const struct hone__task *task, const struct hone__formula *formula,
                        struct hone_value *value)
{
  if (value->type == HONE_LIST)
    return hone__space_formula_error(formula, 0, "this gives a list, but one value is needed");
  if (value->type == HONE_TEXT) /* the arena grows, the task does not change */
    value->text = hone__arena_strdup(&((struct hone__task *)task)->arena, value->text);
  return NULL;
}

static hone_status evaluate_text(const struct scope *scope, const struct hone__node *node,
                                 struct hone_value *out_value)
{
  struct hone__loader loader = {.source = scope->task->spec->source};
  struct hone__formula formula = hone__formula_at(&loader, node);
  struct hone__arena arena = {0};
  struct scope copy = *scope;
  struct hone__evaluator evaluator = {.arena = &arena, .lookup = lookup, .data = &copy};
  struct hone__syntax_error error;
  hone_status status = NULL;

  formula.expr = hone__expression_parse(node->text, &arena, &error);
  if (!formula.expr)
    *out_value = hone__string(node->text);
  else if (hone__evaluate(&evaluator, formula.expr, out_value))
    status = keep(scope->task, &formula, out_value);
  else
    status = fault_status(scope, &formula, &evaluator);
  hone__arena_release(&arena);
  return status;
}

hone_status hone__task_evaluate(const struct hone__task *task, const uint32_t *row,
                                const struct hone__node *node, struct hone_value *out_value)
{
  struct scope scope = {.task = task, .row = row};
  double number;

  if (node->kind != HONE__SCALAR)
    return hone__backend_spec_error(task->spec, node, "expected one value, found %s",
                                    hone__node_kind_name(node));
  *out_value = node->value;
  if (node->value.type != HONE_TEXT) return NULL;
  if (hone__node_number(node, &number)) { /* 1e-3, which is a text in YAML */
    *out_value = hone__real(number);
    return NULL;
  }
  return evaluate_text(&scope, node, out_value);
}

bool hone__task_metric(const struct hone__task *task, const uint32_t *row,
                       const struct hone__formula *metric,
                       const struct hone__task_measured *measured, double *out_value)
{
  struct scope scope = {.task = task, .row = row, .measured = measured};
  struct hone__arena arena = {0};
  struct hone__evaluator evaluator = {.arena = &arena, .lookup = lookup, .data = &scope};
  struct hone_value value;
  bool ok = hone__evaluate(&evaluator, metric->expr, &value);

  hone__arena_release(&arena);
  if (!ok || (value.type != HONE_FLOAT && value.type != HONE_INT && value.type != HONE_BOOL))
    return false;
  *out_value = value.type == HONE_FLOAT ? value.real : (double)value.integer;
  return true;
}

/* ---- Does it depend on the configuration? ---- */

static bool is_param(const struct hone_spec *spec, const char *name)
{
  for (size_t i = 0; i < spec->override_count; i++)
    if (strcmp(spec->overrides[i].name, name) == 0) return true;
  return hone__spec_has_param(spec, name);
}

static bool needs_row(const struct hone__task *task, const char *name)
{
  const struct hone_spec *spec = task->spec;

  if (is_param(spec, name)) return true;
  for (size_t i = 0; i < spec->derived_count; i++)
    if (strcmp(spec->derived[i].name, name) == 0) return task->derived[i].type == HONE_NONE;
  return false;
}

/* The variable of a comprehension counts as a name too: no harm, they are rarely parameters. */
static const char *find_row_name(const struct hone__task *task, const struct hone__expr *expr)
{
  const char *found = NULL;

  if (expr->kind == HONE__EXPR_NAME) return needs_row(task, expr->name) ? expr->name : NULL;
  for (size_t i = 0; i < expr->count && !found; i++)
    found = find_row_name(task, expr->args[i]);
  for (size_t i = 0; i < expr->clause_count && !found; i++)
    found = find_row_name(task, expr->clauses[i].expr);
  return found;
}

bool hone__task_row_name(const struct hone__task *task, const struct hone__node *node,
                         struct hone__text *out_name)
{
  struct hone__arena arena = {0};
  struct hone__syntax_error error;
  const struct hone__expr *expr = NULL;
  const char *name = NULL;

  if (node->kind == HONE__SCALAR && node->value.type == HONE_TEXT)
    expr = hone__expression_parse(node->text, &arena, &error);
  if (expr) name = find_row_name(task, expr);
  if (name && out_name) hone__text_add(out_name, name);
  hone__arena_release(&arena);
  return name != NULL;
}

bool hone__task_depends_on_row(const struct hone__task *task, const struct hone__node *node)
{
  return hone__task_row_name(task, node, NULL);
}

static void evaluate_fixed_derived(struct hone__task *task)
{
  const struct hone_spec *spec = task->spec;
  struct scope scope = {.task = task};
  struct hone__evaluator evaluator = {.arena = &task->arena, .lookup = lookup, .data = &scope};

  task->derived =
      hone__arena_alloc(&task->arena, (spec->derived_count + 1) * sizeof *task->derived);
  for (size_t i = 0; i < spec->derived_count; i++) {
    struct hone_value value;
    if (find_row_name(task, spec->derived[i].expr)) continue;
    if (hone__evaluate(&evaluator, spec->derived[i].expr, &value)) task->derived[i] = value;
  }
}

/* ---- The task ---- */

/* Absolute, because workers may have another working folder. */
static const char *find_folder(struct hone__arena *arena, const char *path)
{
  const char *slash = strrchr(path, '/');
  const char *folder = !slash ? "." : slash == path ? "/" : NULL;
  char *real, *copy = NULL;

  if (!folder) folder = copy = hone__arena_strndup(arena, path, (size_t)(slash - path));
  real = hone__realpath(folder);
  folder = hone__arena_strdup(arena, real ? real : folder);
  free(real);
  return folder;
}

static const char *problem_text(struct hone__task *task)
{
  const struct hone__problem *sizes = &task->space->setup.sizes;
  struct hone__text text = {0};
  const char *copy;

  for (size_t i = 0; i < sizes->count; i++) {
    hone__text_addf(&text, "%s%s=", i ? " " : "", sizes->names[i]);
    hone__value_print(sizes->values[i], &text);
  }
  if (task->space->shape && *task->space->shape)
    hone__text_addf(&text, "%s%s", text.length ? " " : "", task->space->shape);
  copy = hone__arena_strdup(&task->arena, text.data ? text.data : "");
  hone__text_release(&text);
  return copy;
}

static void init_settings(struct hone__task *task, const struct hone_spec *spec,
                          const struct hone_space *space)
{
  const struct hone__node *enabled, *seed;

  *task = (struct hone__task){.spec = spec, .space = space, .seed = DEFAULT_SEED};
  task->memory = hone__arena_alloc(&task->arena, sizeof *task->memory);
  task->folder = find_folder(&task->arena, spec->path);
  task->problem = problem_text(task);
  enabled = hone__task_setting(task, "check.enabled");
  task->check = !enabled || enabled->value.type != HONE_BOOL || enabled->value.integer;
  seed = hone__task_setting(task, "search.seed");
  if (seed && seed->value.type == HONE_INT) task->seed = (uint64_t)seed->value.integer;
  evaluate_fixed_derived(task);
}

static hone_status init(struct hone__task *task, const struct hone_spec *spec,
                        const struct hone_space *space, bool needs_baseline)
{
  hone_status status;

  init_settings(task, spec, space);
  status = hone__backend_of(spec, &task->backend);
  if (!status)
    status = needs_baseline ? hone__task_find_baseline(task) : hone__task_find_first(task);
  if (status) hone__task_release(task);
  return status;
}

hone_status hone__task_init(struct hone__task *task, const struct hone_spec *spec,
                            const struct hone_space *space)
{
  return init(task, spec, space, true);
}

hone_status hone__task_init_sweep(struct hone__task *task, const struct hone_spec *spec,
                                  const struct hone_space *space)
{
  return init(task, spec, space, false);
}

hone_status hone__task_init_host(struct hone__task *task, const struct hone_space *space,
                                 const char *baseline)
{
  hone_status status;

  init_settings(task, space->spec, space);
  status = baseline ? hone__task_take_baseline(task, baseline) : hone__task_find_baseline(task);
  if (status) hone__task_release(task);
  return status;
}

void hone__task_release(struct hone__task *task)
{
  if (task->memory && task->memory->data) task->memory->release(task->memory->data);
  hone__arena_release(&task->arena);
  *task = (struct hone__task){0};
}
