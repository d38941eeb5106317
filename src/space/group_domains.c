/* A group's domains for one problem and one device, after the filters. */
#include "space/group.h"

#include "hone_text.h"
#include "space/device.h"
#include "spec/values.h"

#include <stdlib.h>

hone_status hone__space_formula_error(const struct hone__formula *formula, uint32_t offset,
                                      const char *message)
{
  struct hone__diagnostics diagnostics = {0};
  hone_status status;
  char *text;

  hone__report(&diagnostics, HONE__ERROR, formula->source, hone__formula_place(formula, offset),
               "%s", message);
  text = hone__diagnostics_text(&diagnostics, HONE__ERROR);
  if (*text) text[strlen(text) - 1] = 0;
  status = hone__error(HONE_INVALID_SPEC, "%s", text);
  free(text);
  hone__diagnostics_release(&diagnostics);
  return status;
}

/* The values of a device that is here were given: it has a name then. */
static bool is_found(const struct hone__setup *setup)
{
  struct hone_value ignored;

  return setup->device.name || hone__space_device_value(&setup->device, "name", &ignored);
}

/* Of what the device tells; nothing for what a CPU is asked. */
static const char *near_name(const struct hone__setup *setup, const char *name)
{
  struct hone_nearest nearest = {.word = name};

  for (const char *const *known = hone__space_host_names(); *known; known++)
    if (strcmp(*known, name) == 0) return "";
  for (size_t i = 0; i < setup->device.count; i++)
    hone_nearest_try(&nearest, setup->device.names[i]);
  if (!nearest.best) return "";
  return hone__arena_printf(setup->arena, " (did you mean 'device.%s'?)", nearest.best);
}

static const char *unknown_device(const struct hone__setup *setup, const char *name)
{
  struct hone_nearest nearest = {.word = name};
  const char *gap = setup->options->device_gap;
  bool is_host = !gap && !setup->device.name;

  for (const char *const *known = hone__space_host_names(); is_host && *known; known++)
    hone_nearest_try(&nearest, *known);
  if (nearest.best)
    return hone__arena_printf(setup->arena, "unknown name 'device.%s'; did you mean 'device.%s'?",
                              name, nearest.best);
  if (is_host)
    return hone__arena_printf(
        setup->arena, "'device.%s' is not known on this machine; give it with --device %s=VALUE",
        name, name);
  if (!gap) gap = hone__arena_printf(setup->arena, "'%s' does not report it", setup->device.name);
  return hone__arena_printf(setup->arena,
                            "device.%s is not known: %s%s; give it with --device %s=VALUE%s", name,
                            gap, near_name(setup, name), name,
                            is_found(setup) ? "" : ", or name a kind of GPU: --device sm_90");
}

hone_status hone__space_fault_error(struct hone__setup *setup, const struct hone__formula *formula,
                                    const struct hone__evaluator *evaluator)
{
  const char *name = evaluator->culprit->name;

  if (evaluator->fault == HONE__FAULT_NAME && hone__starts_with(name, "device."))
    return hone__space_formula_error(formula, evaluator->culprit->begin,
                                     unknown_device(setup, name + strlen("device.")));
  return hone__space_formula_error(formula, evaluator->culprit->begin,
                                   hone__fault_message(evaluator, formula->text, setup->arena));
}

static bool passes_filters(const struct hone_spec *spec, const struct hone__param *param,
                           struct hone_value value)
{
  struct hone__text text = {0};
  bool named = false, passes = false;

  for (size_t i = 0; i < spec->filter_count; i++) {
    if (strcmp(spec->filters[i].name, param->name) != 0) continue;
    if (!named) hone__value_print(value, &text);
    named = true;
    if (strcmp(spec->filters[i].value, text.data ? text.data : "") == 0) passes = true;
  }
  hone__text_release(&text);
  return !named || passes;
}

static bool is_filtered(const struct hone_spec *spec, const char *name)
{
  for (size_t i = 0; i < spec->filter_count; i++)
    if (strcmp(spec->filters[i].name, name) == 0) return true;
  return false;
}

/* A parameter whose only item is a range, and that no filter names, stays a range. */
static hone_status make_range(struct hone__setup *setup, const struct hone__param *param,
                              struct hone__domain *domain, bool *out_done)
{
  const struct hone__formula *formula = param->items[0].formula;
  struct hone__evaluator evaluator = {
      .arena = setup->arena, .work = &setup->work, .lookup = hone__setup_lookup, .data = setup};
  struct hone__range range;

  *out_done = false;
  if (param->count != 1 || !formula || is_filtered(setup->spec, param->name)) return NULL;
  if (!hone__evaluate_range(&evaluator, formula->expr, &range))
    return evaluator.fault ? hone__space_fault_error(setup, formula, &evaluator) : NULL;
  if (range.count > UINT32_MAX - 2)
    return hone__space_formula_error(formula, 0, "the range has more than 4294967293 values");
  if (range.count == 0) return NULL;
  hone__domain_init_range(domain, range);
  *out_done = true;
  return NULL;
}

hone_status hone__make_domain(struct hone__setup *setup, const struct hone__param *param,
                              struct hone__domain *domain)
{
  struct hone__evaluator evaluator = {
      .arena = setup->arena, .work = &setup->work, .lookup = hone__setup_lookup, .data = setup};
  const struct hone__formula *formula = NULL;
  struct hone__values list = {0};
  struct hone_value *values;
  hone_status status;
  bool done;

  domain->name = param->name;
  domain->runtime = param->runtime;
  status = make_range(setup, param, domain, &done);
  if (status || done) return status;
  for (size_t i = 0; i < param->count && !status; i++) {
    struct hone_value value = param->items[i].value;
    if (param->items[i].formula) {
      formula = param->items[i].formula;
      if (!hone__evaluate(&evaluator, formula->expr, &value))
        status = hone__space_fault_error(setup, formula, &evaluator);
    }
    if (!status && !hone__values_add(&list, value))
      status = hone__error(HONE_INVALID_SPEC, "parameter '%s' has more than %d values", param->name,
                           HONE__MOST_VALUES);
  }
  if (!status && list.count == 0 && formula)
    status = hone__space_formula_error(
        formula, 0,
        hone__arena_printf(setup->arena, "parameter '%s' has no values for this problem",
                           param->name));
  if (!status) {
    size_t kept = 0;
    values = hone__arena_alloc(setup->arena, (list.count + 1) * sizeof *values);
    for (size_t i = 0; i < list.count; i++)
      if (passes_filters(setup->spec, param, list.items[i])) values[kept++] = list.items[i];
    hone__domain_init_list(domain, values, (uint32_t)kept, setup->arena);
  }
  hone__values_release(&list);
  return status;
}

/* A group that lacks a filtered parameter yields nothing. */
bool hone__lacks_filtered(const struct hone_spec *spec, const struct hone__spec_group *group)
{
  for (size_t i = 0; i < spec->filter_count; i++) {
    bool found = false;
    for (size_t k = 0; k < group->count; k++)
      if (strcmp(group->params[k].name, spec->filters[i].name) == 0) found = true;
    if (!found) return true;
  }
  return false;
}
