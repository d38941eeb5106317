/* What kernels can be measured on here: the devices of every backend, and what they mean for the
 * expressions of a spec. */
#include "backend/device_choice.h"

#include "base/allocators.h"
#include "spec/json_writer.h"
#include "wire/named.h"
#include "hone_machine.h"

#include <stdlib.h>

struct device_fact {
  const char *name, *value, *json;
};

struct hone_device {
  const char *backend, *device, *name, *kind;
  const struct device_fact *facts;
  size_t fact_count;
};

struct no_device {
  const char *backend, *reason;
};

struct hone_device_list {
  struct hone__arena arena;
  struct hone_device *devices;
  struct no_device *missing;
  size_t count, capacity, missing_count, missing_capacity;
};

/* ---- Facts ---- */

/* Names are words: nothing that libraries say can break a table of them. */
static bool is_word(const char *key)
{
  const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

  return *key && strspn(key, letters) == strlen(key);
}

static const char *keep_json(struct hone__arena *arena, struct hone_value value)
{
  struct hone__json_writer writer = {0};
  const char *kept;

  hone__json_value(&writer, NULL, value);
  kept = hone__arena_strdup(arena, writer.text.data);
  hone__text_release(&writer.text);
  return kept;
}

static struct device_fact make_fact(struct hone__arena *arena, const struct hone__named *named)
{
  struct device_fact fact = {.name = hone__arena_strdup(arena, named->name)};

  fact.json = keep_json(arena, named->value);
  fact.value =
      named->value.type == HONE_TEXT ? hone__arena_strdup(arena, named->value.text) : fact.json;
  return fact;
}

/* Facts that every device has are separate members. */
static bool is_member(const char *key)
{
  return strcmp(key, "device") == 0 || strcmp(key, "name") == 0 || strcmp(key, "kind") == 0;
}

static const char *keep_text(struct hone__arena *arena, const char *text)
{
  return hone__arena_strdup(arena, text ? text : "");
}

static void add_facts(struct hone__arena *arena, const struct hone__named_record *all,
                      struct hone_device *device)
{
  struct device_fact *kept = hone__arena_alloc(arena, (all->all_count + 1) * sizeof *kept);

  for (size_t i = 0; i < all->all_count; i++)
    if (is_word(all->all[i].name) && !is_member(all->all[i].name))
      kept[device->fact_count++] = make_fact(arena, &all->all[i]);
  device->facts = kept;
}

static void add_device(struct hone_device_list *list, const struct hone__backend *backend,
                       const struct hone__wire_device_facts *facts)
{
  struct hone__packed *packed = hone__pack(&hone__wire_device_facts_type, facts);
  struct hone__arena arena = {0};
  struct hone__named_record all = {0};
  struct hone_device *device;

  HONE__GROW(list->devices, list->count, list->capacity);
  device = &list->devices[list->count++];
  *device = (struct hone_device){.backend = backend->name,
                                 .device = keep_text(&list->arena, facts->device),
                                 .name = keep_text(&list->arena, facts->name),
                                 .kind = keep_text(&list->arena, facts->kind)};
  hone_status_free(hone__unpack(packed, &hone__named_type, &arena, &all));
  add_facts(&list->arena, &all, device);
  hone__arena_release(&arena);
  hone__packed_drop(packed);
}

/* ---- The list ---- */

static void add_reason(struct hone_device_list *list, const struct hone__backend *backend,
                       const char *reason)
{
  HONE__GROW(list->missing, list->missing_count, list->missing_capacity);
  list->missing[list->missing_count++] = (struct no_device){
      .backend = backend->name, .reason = hone__arena_strdup(&list->arena, reason)};
}

static void add_backend(struct hone_device_list *list, const struct hone__backend *backend)
{
  struct hone__wire_device_list found = {0};
  hone_status status = backend->driver.devices ? backend->driver.devices(&found) : NULL;

  if (!backend->driver.devices)
    add_reason(list, backend, backend->why_no_devices);
  else if (status)
    add_reason(list, backend, hone_status_message(status));
  else if (!found.devices_count)
    add_reason(list, backend, "its library is installed but lists no devices");
  for (size_t i = 0; i < found.devices_count; i++)
    add_device(list, backend, &found.devices[i]);
  hone_status_free(status);
  hone__wire_device_list_release(&found);
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
  struct hone_device_list *list;
  const struct hone__backend *backend;

  hone__allocators_install();
  *out_list = NULL;
  if (name && !hone__backend_find(name)) return check_name(name);
  list = hone__alloc(sizeof *list);
  for (size_t i = 0; (backend = hone__backend_at(i)); i++)
    if (!name || strcmp(backend->name, name) == 0) add_backend(list, backend);
  *out_list = list;
  return NULL;
}

size_t hone_device_list_count(const struct hone_device_list *list)
{
  return list->count;
}

const struct hone_device *hone_device_list_at(const struct hone_device_list *list, size_t i)
{
  return i < list->count ? &list->devices[i] : NULL;
}

size_t hone_device_list_missing_count(const struct hone_device_list *list)
{
  return list->missing_count;
}

const char *hone_device_list_missing(const struct hone_device_list *list, size_t i)
{
  return i < list->missing_count ? list->missing[i].backend : NULL;
}

const char *hone_device_list_reason(const struct hone_device_list *list, size_t i)
{
  return i < list->missing_count ? list->missing[i].reason : NULL;
}

void hone_device_list_free(struct hone_device_list *list)
{
  if (!list) return;
  free(list->devices);
  free(list->missing);
  hone__arena_release(&list->arena);
  free(list);
}

/* ---- A device of the list ---- */

const char *hone_device_backend(const struct hone_device *device)
{
  return device->backend;
}

const char *hone_device_id(const struct hone_device *device)
{
  return device->device;
}

const char *hone_device_name(const struct hone_device *device)
{
  return device->name;
}

const char *hone_device_kind(const struct hone_device *device)
{
  return device->kind;
}

size_t hone_device_fact_count(const struct hone_device *device)
{
  return device->fact_count;
}

const char *hone_device_fact_name(const struct hone_device *device, size_t fact)
{
  return fact < device->fact_count ? device->facts[fact].name : NULL;
}

const char *hone_device_fact_value(const struct hone_device *device, size_t fact)
{
  return fact < device->fact_count ? device->facts[fact].value : NULL;
}

const char *hone_device_fact_json(const struct hone_device *device, size_t fact)
{
  return fact < device->fact_count ? device->facts[fact].json : NULL;
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
                                    const char *given, char **out_device, char **out_device_gap)
{
  struct hone__device_request request = {.devices = devices, .given = given};
  struct hone__device_choice choice;
  const struct hone__backend *backend = NULL;
  hone_status status;

  *out_device = *out_device_gap = NULL;
  if (!given && !spec_names_device(spec)) return NULL;
  hone_status_free(hone__backend_of(spec, &backend)); /* a space needs no kernel */
  status = hone__device_choose(backend, &request, &choice);
  if (status) return status;
  *out_device = choice.values;
  *out_device_gap = choice.gap;
  choice.values = choice.gap = NULL;
  hone__device_choice_release(&choice);
  return NULL;
}
