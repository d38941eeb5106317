/* T1 writes the values of a parameter as a list in Python, which the expressions of specs can
 * evaluate, and conditions as expressions, which are constraints as they stand. */
#include "replay/t1_space.h"
#include "space/explanation.h"
#include "replay/recording_draft.h"
#include "replay/recording_text.h"
#include "replay/recording_yaml.h"
#include "spec/evaluate.h"

#include <stdlib.h>

struct t1_reader {
  const char *path;
  struct hone__text yaml;
  struct hone__arena arena;
};

/* ---- Values ---- */

/* Some write booleans as C and JSON do. */
static bool lookup_boolean(void *data, const char *name, struct hone_value *out_value)
{
  (void)data;
  *out_value = hone__bool(strcmp(name, "true") == 0);
  return out_value->integer || strcmp(name, "false") == 0;
}

static void add_list(struct t1_reader *t1, struct hone_value value)
{
  struct hone__values values = {0};

  hone__values_add(&values, value);
  hone__replay_yaml_values(&t1->yaml, values.items, values.count);
  hone__values_release(&values);
}

static hone_status bad_values(const struct t1_reader *t1, const char *name, const char *text,
                              const char *why)
{
  return hone__error(HONE_INVALID_SPEC, "%s: the values of '%s', '%.120s': %s", t1->path, name,
                     text, why);
}

/* A range stays one; everything else is evaluated. */
static hone_status add_expression(struct t1_reader *t1, const char *name, const char *text)
{
  struct hone__evaluator evaluator = {.arena = &t1->arena, .lookup = lookup_boolean};
  struct hone__syntax_error error;
  struct hone_value value;
  struct hone__range range;
  struct hone__expr *expr = hone__expression_parse(text, &t1->arena, &error);

  if (!expr) return bad_values(t1, name, text, error.message);
  if (hone__evaluate_range(&evaluator, expr, &range)) {
    hone__replay_yaml_quote(&t1->yaml, text);
    return NULL;
  }
  evaluator.fault = HONE__FAULT_NONE;
  if (!hone__evaluate(&evaluator, expr, &value))
    return bad_values(t1, name, text, hone__fault_message(&evaluator, text, &t1->arena));
  if (value.type == HONE_LIST && value.list->count == 0)
    return bad_values(t1, name, text, "the list is empty");
  add_list(t1, value);
  return NULL;
}

static hone_status add_json_values(struct t1_reader *t1, const char *name, const json_t *list)
{
  struct hone__draft draft = {.arena = &t1->arena};

  if (json_array_size(list) == 0)
    return hone__error(HONE_INVALID_SPEC, "%s: the parameter '%s' has no 'Values'", t1->path, name);
  hone__text_add(&t1->yaml, "[");
  for (size_t i = 0; i < json_array_size(list); i++) {
    struct hone_value value = hone__draft_json_value(&draft, json_array_get(list, i));
    if (i) hone__text_add(&t1->yaml, ", ");
    hone__replay_yaml_value(&t1->yaml, value);
  }
  hone__text_add(&t1->yaml, "]");
  return NULL;
}

static hone_status add_param(struct t1_reader *t1, const json_t *parameter)
{
  const char *name = json_string_value(json_object_get(parameter, "Name"));
  const json_t *values = json_object_get(parameter, "Values");
  hone_status status;

  if (!name || !*name)
    return hone__error(HONE_INVALID_SPEC, "%s: a parameter has no 'Name'", t1->path);
  hone__text_add(&t1->yaml, "  ");
  hone__replay_yaml_quote(&t1->yaml, name);
  hone__text_add(&t1->yaml, ": ");
  status = json_is_string(values) ? add_expression(t1, name, json_string_value(values))
                                  : add_json_values(t1, name, values);
  hone__text_add(&t1->yaml, "\n");
  return status;
}

/* ---- The file ---- */

static hone_status add_params(struct t1_reader *t1, const json_t *parameters)
{
  hone_status status = NULL;
  json_t *seen = json_object();

  if (json_array_size(parameters) == 0)
    status =
        hone__error(HONE_NOT_FOUND,
                    "%s: no 'TuningParameters' in 'ConfigurationSpace': not a T1 file", t1->path);
  hone__text_add(&t1->yaml, "params:\n");
  for (size_t i = 0; i < json_array_size(parameters) && !status; i++) {
    const char *name = json_string_value(json_object_get(json_array_get(parameters, i), "Name"));
    if (name && json_object_get(seen, name))
      status = hone__error(HONE_INVALID_SPEC, "%s: duplicate parameter '%s'", t1->path, name);
    if (name) json_object_set_new(seen, name, json_true());
    if (!status) status = add_param(t1, json_array_get(parameters, i));
  }
  json_decref(seen);
  return status;
}

/* {"Expression": TEXT}, or the text alone. */
static hone_status add_conditions(struct t1_reader *t1, const json_t *conditions)
{
  bool any = false;

  for (size_t i = 0; i < json_array_size(conditions); i++) {
    const json_t *condition = json_array_get(conditions, i);
    const json_t *words = json_object_get(condition, "Expression");
    const char *text = json_string_value(words ? words : condition);
    if (!text)
      return hone__error(HONE_INVALID_SPEC, "%s: condition %zu has no 'Expression'", t1->path,
                         i + 1);
    if (!*text) continue;
    hone__text_add(&t1->yaml, any ? "  - " : "constraints:\n  - ");
    hone__replay_yaml_quote(&t1->yaml, text);
    hone__text_add(&t1->yaml, "\n");
    any = true;
  }
  return NULL;
}

static hone_status add_all(struct t1_reader *t1, const json_t *root)
{
  const json_t *space = json_object_get(root, "ConfigurationSpace");
  const char *kernel = json_string_value(
      json_object_get(json_object_get(root, "KernelSpecification"), "KernelName"));
  hone_status status;

  if (kernel && *kernel) {
    hone__text_add(&t1->yaml, "name: ");
    hone__replay_yaml_quote(&t1->yaml, kernel);
    hone__text_add(&t1->yaml, "\n");
  }
  status = add_params(t1, json_object_get(space, "TuningParameters"));
  if (!status) status = add_conditions(t1, json_object_get(space, "Conditions"));
  return status;
}

hone_status hone__t1_space_parse(const char *path, char *text, size_t size, char **out_yaml)
{
  struct t1_reader t1 = {.path = path};
  const struct hone__replay_json_text whole = {.path = path, .text = text, .size = size};
  const struct hone__replay_json_span span = {.end = size};
  json_t *root;
  hone_status status = hone__replay_json_read(&whole, &span, &root);

  *out_yaml = NULL;
  if (!status) status = add_all(&t1, root);
  json_decref(root);
  hone__arena_release(&t1.arena);
  if (!status) *out_yaml = hone__text_take(&t1.yaml);
  hone__text_release(&t1.yaml);
  return status;
}

hone_status hone__t1_space_text(const char *path, char **out_yaml)
{
  char *text;
  size_t size;
  bool cut;
  hone_status status = hone__recording_text_read(path, &text, &size, &cut);

  *out_yaml = NULL;
  if (!status) status = hone__t1_space_parse(path, text, size, out_yaml);
  free(text);
  return status;
}

/* ---- Beside a recording ---- */

static hone_status take_param(struct hone__draft *draft, size_t param)
{
  uint32_t count = hone_space_value_count(draft->described, 0, param), index;
  hone_status status =
      hone__draft_name(draft, hone_space_param_name(draft->described, 0, param), &(size_t){0});

  for (uint32_t i = 0; i < count && !status; i++)
    status =
        hone__draft_value(draft, param, hone_space_value(draft->described, 0, param, i), &index);
  if (!status) draft->params[param].in_order = true;
  return status;
}

hone_status hone__draft_describe(struct hone__draft *draft, const char *path)
{
  struct hone_space_options options;
  char *yaml;
  hone_status status = hone__t1_space_text(path, &yaml);

  hone_space_options_init(&options);
  if (!status) status = hone__replay_yaml_spec(path, yaml, &draft->described_spec);
  if (!status) status = hone_space_build(draft->described_spec, &options, &draft->described);
  free(yaml);
  for (size_t i = 0; !status && i < hone_space_param_count(draft->described, 0); i++)
    status = take_param(draft, i);
  if (!status) draft->described_by = hone__arena_strdup(draft->arena, path);
  return status;
}

static void print_row(const struct hone__draft *draft, const uint32_t *row, struct hone__text *text)
{
  for (size_t i = 0; i < draft->param_count; i++) {
    hone__text_addf(text, "%s%s=", i ? "," : "", draft->params[i].name);
    hone__value_print(draft->params[i].values.items[row[i]], text);
  }
}

/* "'A < B' does not hold (A=2, B=1)" of the first condition that is broken. */
static hone_status broken_condition(const struct hone__draft *draft, const char *config)
{
  struct hone_explanation *explanation = NULL;
  hone_status status = hone_space_explain(draft->described, config, &explanation);
  const struct hone__reason *broken = NULL;

  hone_status_free(status);
  for (size_t i = explanation ? explanation->reason_count : 0; i-- > 0;)
    if (explanation->reasons[i].state == HONE_FAILS && explanation->reasons[i].constraint)
      broken = &explanation->reasons[i];
  if (broken)
    status =
        hone__error(HONE_INVALID_SPEC, "'%s' does not have this configuration: '%s' fails (%s)",
                    draft->described_by, broken->constraint, broken->values);
  else
    status = hone__error(HONE_INVALID_SPEC, "'%s' does not have this configuration",
                         draft->described_by);
  hone_explanation_free(explanation);
  return status;
}

bool hone__draft_allows(const struct hone__draft *draft, const uint32_t *row)
{
  uint32_t *whole = hone__alloc((draft->param_count + 1) * sizeof *whole);
  bool is_legal;

  memcpy(whole + 1, row, draft->param_count * sizeof *row);
  is_legal = hone_space_contains(draft->described, whole);
  free(whole);
  return is_legal;
}

hone_status hone__draft_check(const struct hone__draft *draft, const uint32_t *row)
{
  struct hone__text config = {0};
  hone_status status;

  if (hone__draft_allows(draft, row)) return NULL;
  print_row(draft, row, &config);
  status = broken_condition(draft, config.data);
  hone__text_release(&config);
  return status;
}
