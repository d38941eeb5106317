/* The baseline of a task: the given one, the spec's, that of a listing, or the first configuration.
 */
#include "space/explanation.h"

#include "backend/task_parts.h"
#include "space/listed.h"
#include "space/why_not.h"

#include <stdlib.h>

/* A value is an expression over the sizes, or else a word. */
static void add_pair(const struct hone__task *task, const struct hone__pair *pair,
                     struct hone__text *text)
{
  const char *name = pair->key->text + (pair->key->text[0] == '$');
  struct hone_value value;
  hone_status status = hone__task_evaluate(task, NULL, pair->value, &value);

  if (status) value = hone__string(pair->value->kind == HONE__SCALAR ? pair->value->text : "");
  hone_status_free(status);
  hone__text_addf(text, "%s%s=", text->length ? "," : "", name);
  hone__task_add_value(text, value);
}

static hone_status explain_baseline(const struct hone__task *task, const struct hone__node *node,
                                    const char *config)
{
  struct hone_explanation *explanation = NULL;
  struct hone__text text = {0};
  hone_status status = hone_space_explain(task->space, config, &explanation);

  for (size_t i = 0; !status && i < explanation->reason_count; i++) {
    const struct hone__reason *reason = &explanation->reasons[i];
    if (reason->state != HONE_FAILS && reason->state != HONE_FAULTS_THERE) continue;
    hone__text_add(&text, text.length ? "; " : ": ");
    if (reason->constraint)
      hone__text_addf(&text, "'%s' is not true (%s)", reason->constraint, reason->values);
    else
      hone__text_add(&text, reason->values);
  }
  if (!status)
    status = hone__backend_spec_error(task->spec, node, "the baseline is not legal%s%s%s",
                                      *task->problem ? " for " : "", task->problem,
                                      text.data ? text.data : ": --filter or --param excludes it");
  hone__text_release(&text);
  hone_explanation_free(explanation);
  return status;
}

static hone_status parse_baseline(struct hone__task *task, const struct hone__node *node)
{
  struct hone__text text = {0};
  hone_status status;

  for (size_t i = 0; node->kind == HONE__MAPPING && i < node->count; i++)
    add_pair(task, &node->pairs[i], &text);
  status = hone_space_parse(task->space, text.data ? text.data : "", task->baseline);
  if (status) {
    hone_status wrapped = hone__backend_spec_error(
        task->spec, node, "the baseline is not a configuration of the space: %s",
        hone_status_message(status));
    hone_status_free(status);
    status = wrapped;
  } else if (!hone__space_is_legal(task->space, task->baseline)) {
    status = explain_baseline(task, node, text.data ? text.data : "");
  }
  hone__text_release(&text);
  return status;
}

static const struct hone__node *baseline_node(const struct hone__task *task)
{
  const struct hone__node *node = hone__task_setting(task, "baseline");
  size_t problem = task->space->options.problem;

  if (node && node->kind == HONE__SEQUENCE)
    node = node->count == 1 ? node->items[0] : problem < node->count ? node->items[problem] : NULL;
  return node;
}

/* A line for each of the conflicting constraints; false: not known. */
static bool add_conflict(const struct hone_space *space, struct hone__text *text)
{
  enum { MOST_SHOWN = 200 };
  size_t *constraints = NULL, count = 0;

  hone_status_free(hone_space_conflict(space, &constraints, &count));
  for (size_t i = 0; i < count; i++) {
    const char *constraint = hone_space_constraint(space, constraints[i]);
    hone__text_addf(text, "\n  %.*s%s", MOST_SHOWN, constraint,
                    strlen(constraint) > MOST_SHOWN ? " ..." : "");
  }
  free(constraints);
  return count > 0;
}

static hone_status no_configuration(const struct hone__task *task)
{
  struct hone__text why = {0};
  bool is_conflict = add_conflict(task->space, &why);
  hone_status status = hone__error(HONE_NOT_FOUND, "'%s' has no legal configuration%s%s: %s%s",
                                   task->spec->path, *task->problem ? " for " : "", task->problem,
                                   is_conflict ? "these constraints contradict each other:"
                                               : "'hone space' with the same options shows why",
                                   is_conflict ? why.data : "");

  hone__text_release(&why);
  return status;
}

static hone_status no_part(const struct hone__task *task)
{
  return hone__error(HONE_NOT_FOUND, "part %u of %u parts is empty: '%s' has %llu configurations",
                     task->spec->part_index + 1, task->spec->part_count, task->spec->path,
                     (unsigned long long)task->space->whole);
}

static hone_status take_first(struct hone__task *task)
{
  if (!task->space->legal && task->space->whole) return no_part(task);
  task->baseline = hone__arena_alloc(&task->arena, task->space->width * sizeof *task->baseline);
  task->baseline_given = hone__space_listing_first(task->space, task->baseline);
  task->baseline_is_first = true;
  if (task->baseline_given) return NULL;
  if (hone__space_whole_at(task->space, 0, task->baseline)) return NULL;
  return no_configuration(task);
}

hone_status hone__task_find_baseline(struct hone__task *task)
{
  const struct hone__node *node = baseline_node(task);
  hone_status status = take_first(task);

  if (status || !node) return status;
  task->baseline_given = true;
  task->baseline_is_first = false;
  return parse_baseline(task, node);
}

hone_status hone__task_find_first(struct hone__task *task)
{
  const struct hone__node *node = baseline_node(task);
  hone_status status = take_first(task), ignored;

  if (status || !node) return status;
  ignored = parse_baseline(task, node);
  if (ignored) hone__space_whole_at(task->space, 0, task->baseline);
  task->baseline_given = !ignored;
  task->baseline_is_first = ignored;
  hone_status_free(ignored);
  return NULL;
}

static hone_status refuse_baseline(const char *baseline, const char *why)
{
  return hone__error(HONE_INVALID_ARGUMENT, "'%s' cannot be the baseline: %s", baseline, why);
}

static hone_status refuse_illegal(const struct hone__task *task, const char *baseline)
{
  struct hone__text why = {0};
  hone_status status;

  hone__space_why_not(task->space, baseline, &why);
  status = refuse_baseline(baseline, why.length ? why.data : "it is not legal");
  hone__text_release(&why);
  return status;
}

hone_status hone__task_take_baseline(struct hone__task *task, const char *baseline)
{
  hone_status status = take_first(task), refusal;

  if (status) return status;
  status = hone_space_parse(task->space, baseline, task->baseline);
  if (status) {
    refusal = refuse_baseline(baseline, hone_status_message(status));
    hone_status_free(status);
    return refusal;
  }
  if (!hone__space_is_legal(task->space, task->baseline)) return refuse_illegal(task, baseline);
  task->baseline_given = true;
  task->baseline_is_first = false;
  return NULL;
}
