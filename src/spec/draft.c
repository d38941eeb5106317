/* A draft is kept as pieces of YAML, one for each key of the spec, and parsed when it is built.
 *
 * Elements of a list of values are expressions in a spec, but those of a list inside it are taken
 * as they are: values are written as [[...]]. After parsing, every value is compared with what the
 * caller gave, so that nothing changes unseen.
 */
#include "hone_search.h"

#include "base/allocators.h"
#include "base/key_map.h"
#include "base/quoted_text.h"
#include "spec/spec.h"
#include "spec/values.h"

#include <stdlib.h>

struct kept_param { /* a parameter or a size */
  char *name;       /* with its `$` */
  struct hone_value *values;
  size_t count;
  bool is_size;
};

struct hone_draft {
  struct hone__arena arena;
  char *name;
  struct kept_param *params;
  size_t param_count, param_capacity;
  struct hone__text constraints, derived, metrics, objectives, settings;
  struct hone__key_map keys; /* "settings.baseline": what was given already */
  struct hone__text yaml;
  hone_status failure; /* the first one */
};

/* ---- Making ---- */

struct hone_draft *hone_draft_new(const char *name)
{
  struct hone_draft *draft;

  hone__allocators_install();
  draft = hone__alloc(sizeof *draft);
  draft->name = hone__arena_strdup(&draft->arena, name ? name : "");
  return draft;
}

void hone_draft_free(struct hone_draft *draft)
{
  if (!draft) return;
  hone__text_release(&draft->constraints);
  hone__text_release(&draft->derived);
  hone__text_release(&draft->metrics);
  hone__text_release(&draft->objectives);
  hone__text_release(&draft->settings);
  hone__text_release(&draft->yaml);
  hone__key_map_release(&draft->keys);
  hone_status_free(draft->failure);
  hone__arena_release(&draft->arena);
  free(draft->params);
  free(draft);
}

static void fail(struct hone_draft *draft, hone_status status)
{
  if (draft->failure)
    hone_status_free(status);
  else
    draft->failure = status;
}

/* False: there is one already, or it has no name; the draft fails then. */
static bool take_name(struct hone_draft *draft, const char *kind, const char *name)
{
  const char *key = hone__arena_printf(&draft->arena, "%s %s", kind, name ? name : "");

  if (!name || !*name)
    fail(draft, hone__error(HONE_INVALID_ARGUMENT, "a %s of the draft '%s' has no name", kind,
                            draft->name));
  else if (hone__key_map_has(&draft->keys, key))
    fail(draft, hone__error(HONE_INVALID_ARGUMENT, "the %s '%s' is given twice", kind, name));
  else
    hone__key_map_set(&draft->keys, key, 1);
  return !draft->failure;
}

/* ---- Values ---- */

static bool check_value(struct hone_draft *draft, const char *name, struct hone_value value)
{
  if (value.type == HONE_LIST || (value.type == HONE_TEXT && !value.text)) {
    fail(draft, hone__error(HONE_INVALID_ARGUMENT,
                            "'%s': a value is a number, a text, a bool or none", name));
    return false;
  }
  return true;
}

static void check_different(struct hone_draft *draft, const struct kept_param *param)
{
  struct hone__values seen = {0};
  struct hone__text text = {0};

  for (size_t i = 0; i < param->count && !draft->failure; i++) {
    hone__values_add(&seen, param->values[i]);
    if (seen.count == i + 1) continue;
    hone__value_repr(param->values[i], &text);
    fail(draft,
         hone__error(HONE_INVALID_ARGUMENT, "'%s' has the value %s twice", param->name, text.data));
  }
  hone__text_release(&text);
  hone__values_release(&seen);
}

static struct hone_value copy_value(struct hone_draft *draft, struct hone_value value)
{
  if (value.type == HONE_TEXT) value.text = hone__arena_strdup(&draft->arena, value.text);
  if (value.type == HONE_BOOL) value.integer = value.integer != 0;
  return value;
}

static void add_values(struct hone_draft *draft, const char *name, const struct hone_value *values,
                       size_t count, bool is_size)
{
  struct kept_param param = {.count = count, .is_size = is_size};

  if (!take_name(draft, is_size ? "size" : "parameter", name)) return;
  param.name = hone__arena_strdup(&draft->arena, name);
  param.values = hone__arena_alloc(&draft->arena, (count + 1) * sizeof *values);
  for (size_t i = 0; i < count; i++) {
    if (!check_value(draft, name, values[i])) return;
    param.values[i] = copy_value(draft, values[i]);
  }
  check_different(draft, &param);
  HONE__GROW(draft->params, draft->param_count, draft->param_capacity);
  draft->params[draft->param_count++] = param;
}

void hone_draft_param(struct hone_draft *draft, const char *name, const struct hone_value *values,
                      size_t count)
{
  add_values(draft, name, values, count, false);
}

void hone_draft_size(struct hone_draft *draft, const char *name, const struct hone_value *values,
                     size_t count)
{
  add_values(draft, name, values, count, true);
}

void hone_draft_ints(struct hone_draft *draft, const char *name, const int64_t *values,
                     size_t count)
{
  struct hone_value *copies = hone__alloc((count + 1) * sizeof *copies);

  for (size_t i = 0; i < count; i++)
    copies[i] = hone__int(values[i]);
  add_values(draft, name, copies, count, false);
  free(copies);
}

void hone_draft_texts(struct hone_draft *draft, const char *name, const char *const *values,
                      size_t count)
{
  struct hone_value *copies = hone__alloc((count + 1) * sizeof *copies);

  for (size_t i = 0; i < count; i++)
    copies[i] = hone__string(values[i]);
  add_values(draft, name, copies, count, false);
  free(copies);
}

/* ---- Other parts ---- */

static void add_named(struct hone_draft *draft, struct hone__text *to, const char *kind,
                      const char *name, const char *expression)
{
  if (!take_name(draft, kind, name)) return;
  hone__text_add(to, "  ");
  hone__quote_text(to, name);
  hone__text_add(to, ": ");
  hone__quote_text(to, expression ? expression : "");
  hone__text_add(to, "\n");
}

void hone_draft_constraint(struct hone_draft *draft, const char *expression)
{
  hone__text_add(&draft->constraints, "  - ");
  hone__quote_text(&draft->constraints, expression ? expression : "");
  hone__text_add(&draft->constraints, "\n");
}

void hone_draft_derived(struct hone_draft *draft, const char *name, const char *expression)
{
  add_named(draft, &draft->derived, "derived value", name, expression);
}

void hone_draft_metric(struct hone_draft *draft, const char *name, const char *expression)
{
  add_named(draft, &draft->metrics, "metric", name, expression);
}

void hone_draft_objective(struct hone_draft *draft, const char *name, bool maximise)
{
  struct hone__text *to = &draft->objectives;

  if (!take_name(draft, "objective", name)) return;
  hone__text_addf(to, "  - {%s: ", maximise ? "maximise" : "minimise");
  hone__quote_text(to, name);
  hone__text_add(to, "}\n");
}

void hone_draft_setting(struct hone_draft *draft, const char *key, const char *yaml)
{
  struct hone__text *to = &draft->settings;

  if (!take_name(draft, "key", key)) return;
  hone__quote_text(to, key);
  hone__text_addf(to, ": %s\n", yaml ? yaml : "");
}

/* ---- As YAML ---- */

/* YAML 1.1 reads a float only with a point. */
static void write_float(struct hone__text *yaml, double real)
{
  struct hone__text text = {0};
  const char *power;

  hone__float_print(real, &text);
  power = strchr(text.data, 'e');
  if (real != real)
    hone__text_add(yaml, ".nan");
  else if (real > 1.7976931348623157e308 || real < -1.7976931348623157e308)
    hone__text_add(yaml, real > 0 ? ".inf" : "-.inf");
  else if (power && !strchr(text.data, '.'))
    hone__text_addf(yaml, "%.*s.0%s", (int)(power - text.data), text.data, power);
  else
    hone__text_add(yaml, text.data);
  hone__text_release(&text);
}

static void write_value(struct hone__text *yaml, struct hone_value value)
{
  switch (value.type) {
  case HONE_BOOL: hone__text_add(yaml, value.integer ? "true" : "false"); break;
  case HONE_INT: hone__text_addf(yaml, "%lld", (long long)value.integer); break;
  case HONE_FLOAT: write_float(yaml, value.real); break;
  case HONE_TEXT: hone__quote_text(yaml, value.text); break;
  case HONE_NONE:
  case HONE_LIST: hone__text_add(yaml, "null"); break;
  }
}

static void write_params(struct hone__text *yaml, const struct hone_draft *draft, const char *key,
                         bool sizes)
{
  bool has_key = false;

  for (size_t i = 0; i < draft->param_count; i++) {
    const struct kept_param *param = &draft->params[i];
    if (param->is_size != sizes) continue;
    if (!has_key) hone__text_addf(yaml, "%s:\n", key);
    has_key = true;
    hone__text_add(yaml, "  ");
    hone__quote_text(yaml, param->name);
    hone__text_add(yaml, ": [[");
    for (size_t k = 0; k < param->count; k++) {
      hone__text_add(yaml, k ? ", " : "");
      write_value(yaml, param->values[k]);
    }
    hone__text_add(yaml, "]]\n");
  }
}

static void write_part(struct hone__text *yaml, const char *key, const struct hone__text *part)
{
  if (part->length) hone__text_addf(yaml, "%s:\n%s", key, part->data);
}

const char *hone_draft_yaml(struct hone_draft *draft)
{
  struct hone__text *yaml = &draft->yaml;

  hone__text_release(yaml);
  hone__text_add(yaml, "name: ");
  hone__quote_text(yaml, draft->name);
  hone__text_add(yaml, "\n");
  write_params(yaml, draft, "problem", true);
  write_params(yaml, draft, "params", false);
  write_part(yaml, "derived", &draft->derived);
  write_part(yaml, "constraints", &draft->constraints);
  write_part(yaml, "metrics", &draft->metrics);
  write_part(yaml, "objective", &draft->objectives);
  if (draft->settings.length) hone__text_add(yaml, draft->settings.data);
  return yaml->data;
}

/* ---- Building ---- */

static bool is_same(struct hone_value one, struct hone_value other)
{
  struct hone__text a = {0}, b = {0};
  bool same;

  hone__value_repr(one, &a);
  hone__value_repr(other, &b);
  same = one.type == other.type && strcmp(a.data, b.data) == 0;
  hone__text_release(&a);
  hone__text_release(&b);
  return same;
}

static const struct hone__param *find_param(const struct hone_spec *spec, const char *name)
{
  const char *bare = name + (*name == '$');

  for (size_t i = 0; spec->group_count && i < spec->groups[0].count; i++)
    if (strcmp(spec->groups[0].params[i].name, bare) == 0) return &spec->groups[0].params[i];
  return NULL;
}

static hone_status check_param(const struct hone_spec *spec, const struct kept_param *param)
{
  const struct hone__param *found = find_param(spec, param->name);
  struct hone__text text = {0};
  hone_status status;

  if (!found)
    return hone__error(HONE_INVALID_ARGUMENT, "'%s' cannot be the name of a parameter",
                       param->name);
  for (size_t i = 0; i < param->count; i++) {
    if (i < found->count && !found->items[i].formula &&
        is_same(found->items[i].value, param->values[i]))
      continue;
    hone__value_repr(param->values[i], &text);
    status = hone__error(HONE_INVALID_ARGUMENT, "parameter '%s': the value %s cannot be kept",
                         param->name, text.data);
    hone__text_release(&text);
    return status;
  }
  return NULL;
}

/* Options may replace values: what they did not touch is as it was given. */
static hone_status check_params(const struct hone_draft *draft, const struct hone_spec *spec,
                                const struct hone_spec_options *options)
{
  hone_status status = NULL;

  if (options && options->param_count) return NULL;
  for (size_t i = 0; i < draft->param_count && !status; i++)
    if (!draft->params[i].is_size) status = check_param(spec, &draft->params[i]);
  return status;
}

static hone_status copy_failure(hone_status failure)
{
  return hone__error(hone_status_code(failure), "%s", hone_status_message(failure));
}

hone_status hone_draft_build(struct hone_draft *draft, const struct hone_spec_options *options,
                             struct hone_spec **out_spec)
{
  struct hone_spec *spec = NULL;
  const char *yaml, *label = hone__arena_printf(&draft->arena, "%s (draft)", draft->name);
  hone_status status;

  *out_spec = NULL;
  if (draft->failure) return copy_failure(draft->failure);
  if (!*draft->name) return hone__error(HONE_INVALID_ARGUMENT, "the draft has no name");
  yaml = hone_draft_yaml(draft);
  status = hone_spec_parse(yaml, strlen(yaml), label, options, &spec);
  if (!status) status = check_params(draft, spec, options);
  if (status) {
    hone_spec_free(spec);
    return status;
  }
  *out_spec = spec;
  return NULL;
}
