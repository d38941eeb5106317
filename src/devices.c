/* What kernels can be measured on here: the devices of every backend, and what they mean for the
 * expressions of a spec. */
#include "backend/device_choice.h"

#include "base/allocators.h"
#include "hone.h"

#include <stdlib.h>

struct device_list {
  struct hone_device_list open; /* the first: what the caller sees */
  struct hone__arena arena;
  struct hone_device *devices;
  struct hone_no_device *missing;
  size_t count, capacity, missing_count, missing_capacity;
};

/* ---- Facts ---- */

static const char *keep_json(struct hone__arena *arena, const json_t *value)
{
  char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
  const char *kept = hone__arena_strdup(arena, text ? text : "null");

  free(text);
  return kept;
}

static const char *keep_text(struct hone__arena *arena, const json_t *object, const char *key)
{
  const char *text = json_string_value(json_object_get(object, key));

  return hone__arena_strdup(arena, text ? text : "");
}

/* Names are words: nothing that libraries say can break a table of them. */
static bool is_word(const char *key)
{
  const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

  return *key && strspn(key, letters) == strlen(key);
}

static struct hone_device_fact make_fact(struct hone__arena *arena, const char *name,
                                         const json_t *value)
{
  struct hone_device_fact fact = {.name = hone__arena_strdup(arena, name)};

  fact.json = keep_json(arena, value);
  fact.value =
      json_is_string(value) ? hone__arena_strdup(arena, json_string_value(value)) : fact.json;
  return fact;
}

/* Facts that every device has are separate members. */
static bool is_member(const char *key)
{
  return strcmp(key, "device") == 0 || strcmp(key, "name") == 0 || strcmp(key, "kind") == 0;
}

static void add_device(struct device_list *list, const struct hone__backend *backend,
                       const json_t *facts)
{
  struct hone__arena *arena = &list->arena;
  struct hone_device_fact *kept =
      hone__arena_alloc(arena, (json_object_size(facts) + 1) * sizeof *kept);
  struct hone_device *device;
  const char *key;
  json_t *value;

  HONE__GROW(list->devices, list->count, list->capacity);
  device = &list->devices[list->count++];
  *device = (struct hone_device){.backend = backend->name, .facts = kept};
  device->device = keep_text(arena, facts, "device");
  device->name = keep_text(arena, facts, "name");
  device->kind = keep_text(arena, facts, "kind");
  json_object_foreach((json_t *)facts, key, value)
  {
    if (is_word(key) && !is_member(key)) kept[device->fact_count++] = make_fact(arena, key, value);
  }
}

/* ---- The list ---- */

static void add_reason(struct device_list *list, const struct hone__backend *backend,
                       const char *reason)
{
  HONE__GROW(list->missing, list->missing_count, list->missing_capacity);
  list->missing[list->missing_count++] = (struct hone_no_device){
      .backend = backend->name, .reason = hone__arena_strdup(&list->arena, reason)};
}

static void add_backend(struct device_list *list, const struct hone__backend *backend)
{
  json_t *found = json_array();
  hone_status status = backend->devices ? backend->devices(found) : NULL;

  if (!backend->devices)
    add_reason(list, backend, backend->why_no_devices);
  else if (status)
    add_reason(list, backend, hone_status_message(status));
  else if (!json_array_size(found))
    add_reason(list, backend, "its library is installed but lists no devices");
  for (size_t i = 0; i < json_array_size(found); i++)
    add_device(list, backend, json_array_get(found, i));
  hone_status_free(status);
  json_decref(found);
}

static hone_status check_name(const char *name)
{
  struct hone__text known = {0};
  const struct hone__backend *backend;
  hone_status status;

  for (size_t i = 0; (backend = hone__backend_at(i)); i++)
    hone__text_addf(&known, "%s%s", i ? ", " : "", backend->name);
  status =
      hone__error(HONE_NOT_FOUND, "unknown backend '%s'; known backends: %s", name, known.data);
  hone__text_release(&known);
  return status;
}

hone_status hone_devices(const char *name, struct hone_device_list **out_list)
{
  struct device_list *list;
  const struct hone__backend *backend;

  hone__allocators_install();
  *out_list = NULL;
  if (name && !hone__backend_find(name)) return check_name(name);
  list = hone__alloc(sizeof *list);
  for (size_t i = 0; (backend = hone__backend_at(i)); i++)
    if (!name || strcmp(backend->name, name) == 0) add_backend(list, backend);
  list->open = (struct hone_device_list){.devices = list->devices,
                                         .count = list->count,
                                         .missing = list->missing,
                                         .missing_count = list->missing_count};
  *out_list = &list->open;
  return NULL;
}

void hone_device_list_free(struct hone_device_list *open)
{
  struct device_list *list = (struct device_list *)open;

  if (!list) return;
  free(list->devices);
  free(list->missing);
  hone__arena_release(&list->arena);
  free(list);
}

/* ---- What device.* means ---- */

static bool names_device(const struct hone__expr *expr)
{
  if (!expr) return false;
  if (expr->kind == HONE__EXPR_NAME) return hone__starts_with(expr->name, "device.");
  for (size_t i = 0; i < expr->count; i++)
    if (names_device(expr->args[i])) return true;
  for (size_t i = 0; i < expr->clause_count; i++)
    if (names_device(expr->clauses[i].expr)) return true;
  return false;
}

static bool any_formula(const struct hone__formula *formulas, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (names_device(formulas[i].expr)) return true;
  return false;
}

static bool any_param(const struct hone__param *params, size_t count)
{
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < params[i].count; k++)
      if (params[i].items[k].formula && names_device(params[i].items[k].formula->expr)) return true;
  return false;
}

static bool any_template(const struct hone_spec *spec)
{
  for (size_t i = 0; i < spec->template_count; i++)
    for (size_t k = 0; k < spec->templates[i].count; k++)
      if (names_device(spec->templates[i].pieces[k].formula.expr)) return true;
  return false;
}

static bool spec_names_device(const struct hone_spec *spec)
{
  for (size_t i = 0; i < spec->group_count; i++)
    if (any_param(spec->groups[i].params, spec->groups[i].count)) return true;
  return any_formula(spec->constraints, spec->constraint_count) ||
         any_formula(spec->derived, spec->derived_count) ||
         any_formula(spec->orders, spec->order_count) ||
         any_param(spec->overrides, spec->override_count) || any_template(spec) ||
         (spec->shapes && spec_names_device(spec->shapes));
}

hone_status hone_spec_device_values(const struct hone_spec *spec, const char *devices,
                                    const char *given, struct hone_device_values *out_values)
{
  struct hone__device_wish wish = {.devices = devices, .given = given};
  struct hone__device_choice choice;
  const struct hone__backend *backend = NULL;
  hone_status status;

  *out_values = (struct hone_device_values){0};
  if (!given && !spec_names_device(spec)) return NULL;
  hone_status_free(hone__backend_of(spec, &backend)); /* a space needs no kernel */
  status = hone__device_choose(backend, &wish, &choice);
  if (status) return status;
  *out_values = (struct hone_device_values){.device = choice.values, .device_gap = choice.gap};
  choice.values = choice.gap = NULL;
  hone__device_choice_release(&choice);
  return NULL;
}

void hone_device_values_release(struct hone_device_values *values)
{
  free(values->device);
  free(values->device_gap);
  *values = (struct hone_device_values){0};
}
