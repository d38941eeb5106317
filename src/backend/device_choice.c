/* Turns a request into facts: those of a named model, or of the first device in use, overridden by
 * given values.
 */
#include "backend/device_choice.h"

#include "space/device_model.h"
#include "wire/device_facts.h"

#include <stdlib.h>
#include <strings.h>

/* ---- Finding one ---- */

static const char *or_empty(const char *text)
{
  return text ? text : "";
}

static bool is_number(const char *text)
{
  return *text && strspn(text, "0123456789") == strlen(text);
}

static bool begins(const char *whole, const char *front, const char *next)
{
  size_t length = strlen(front);

  return length && strncasecmp(whole, front, length) == 0 && (!next || strchr(next, whole[length]));
}

/* If none is named: the default device, or the first. */
static const struct hone__wire_device_facts *default_of(const struct hone__wire_device_list *list)
{
  for (size_t i = 0; i < list->devices_count; i++)
    if (list->devices[i].is_default) return &list->devices[i];
  return list->devices_count ? &list->devices[0] : NULL;
}

static const struct hone__wire_device_facts *numbered(const struct hone__wire_device_list *list,
                                                      const char *number)
{
  unsigned long i = strtoul(number, NULL, 10);

  return i < list->devices_count ? &list->devices[i] : NULL;
}

const struct hone__wire_device_facts *hone__device_find(const struct hone__wire_device_list *list,
                                                        const char *device)
{
  const char *colon = strchr(device, ':'), *rest = colon ? colon + 1 : "";

  for (size_t i = 0; i < list->devices_count; i++)
    if (strcmp(or_empty(list->devices[i].device), device) == 0) return &list->devices[i];
  if (!*rest) return default_of(list);
  if (is_number(rest)) return numbered(list, rest);
  for (size_t i = 0; i < list->devices_count; i++) {
    const struct hone__wire_device_facts *facts = &list->devices[i];
    if (begins(or_empty(facts->device), device, ":") || begins(or_empty(facts->uuid), rest, NULL))
      return facts;
  }
  return NULL;
}

static hone_status tell_known(const struct hone__backend *backend,
                              const struct hone__wire_device_list *list, const char *device)
{
  struct hone__text known = {0};
  hone_status status;

  for (size_t i = 0; i < list->devices_count; i++)
    hone__text_addf(&known, "%s%s (%s)", i ? ", " : "", or_empty(list->devices[i].device),
                    or_empty(list->devices[i].name));
  status = hone__error(HONE_NOT_FOUND, "no device '%s': backend '%s' has %s", device, backend->name,
                       known.length ? known.data : "none");
  hone__text_release(&known);
  return status;
}

bool hone__device_is_own(const struct hone__backend *backend)
{
  return backend && backend->driver.devices && !backend->device_is_host;
}

bool hone__device_is_cpu(const struct hone__backend *backend, const char *device)
{
  struct hone__wire_device_list list;
  const struct hone__wire_device_facts *facts;
  bool is_cpu;

  hone_status_free(backend->driver.devices(&list));
  facts = hone__device_find(&list, device);
  is_cpu = !facts || !facts->kind || strcmp(facts->kind, "cpu") == 0;
  hone__wire_device_list_release(&list);
  return is_cpu;
}

/* ---- What device.* means ---- */

static void add_value(const char *name, struct hone_value value, struct hone__text *text)
{
  if (strcspn(name, "=,\"'") != strlen(name)) return;
  hone__text_addf(text, "%s%s=", text->length ? "," : "", name);
  hone__value_repr(value, text);
}

/* "name=...,shared_bytes=49152": the model's names, and all numbers. */
static char *values_of(const struct hone__wire_device_facts *facts)
{
  struct hone__text text = {0};

  if (facts->name) add_value("name", hone__string(facts->name), &text);
  if (facts->arch) add_value("arch", hone__string(facts->arch), &text);
  for (size_t i = 0; i < facts->other_count; i++) {
    struct hone_value value = facts->other[i].value;
    if (value.type == HONE_INT || value.type == HONE_FLOAT)
      add_value(facts->other[i].name, value, &text);
  }
  return hone__text_take(&text);
}

/* Facts are numbers and texts. */
static struct hone_value as_fact(struct hone_value value)
{
  if (value.type == HONE_BOOL) return hone__int(value.integer);
  return value.type == HONE_LIST ? (struct hone_value){.type = HONE_NONE} : value;
}

static hone_status add_given(struct hone__device_choice *choice,
                             const struct hone__given_device *given)
{
  for (size_t i = 0; i < given->count; i++)
    if (!hone__wire_device_facts_set(choice->facts, &choice->arena, given->names[i],
                                     as_fact(given->values[i])))
      return hone__error(HONE_INVALID_ARGUMENT,
                         "bad device: '%s' must be a text in quotes, such as %s='x'",
                         given->names[i], given->names[i]);
  return NULL;
}

/* Such a GPU reports "sm_90a": from Hopper on, architecture-specific instructions need the letter.
 */
static const char *own_letter(const char *name)
{
  bool is_plain = hone__starts_with(name, "sm_") && name[strcspn(name, "af")] == '\0';

  return is_plain && atoi(name + strlen("sm_")) >= 90 ? "a" : "";
}

static struct hone__wire_device_facts *model_facts(const struct hone__device_model *model,
                                                   const char *name, struct hone__arena *arena)
{
  struct hone__wire_device_facts *facts = hone__arena_alloc(arena, sizeof *facts);
  struct hone_value value;
  const char *key;

  facts->kind = "gpu";
  for (size_t i = 0; hone__space_device_model_fact(model, i, &key, &value); i++)
    if (value.type != HONE_INT || value.integer > 0)
      hone__wire_device_facts_set(facts, arena, key, value);
  facts->arch = hone__arena_printf(arena, "%s%s", name, own_letter(name));
  return facts;
}

/* ---- Choosing ---- */

struct choosing {
  const struct hone__backend *backend;
  const struct hone__device_request *request;
  struct hone__given_device given;
  struct hone__arena arena;
  struct hone__wire_device_list found;
  bool is_probed;
  hone_status why;
  struct hone__device_choice *choice;
};

static void probe(struct choosing *c)
{
  if (c->is_probed) return;
  c->is_probed = true;
  c->why = c->backend->driver.devices(&c->found);
}

/* "all", "cuda:all", or either among others. */
static bool wants_all(const char *devices)
{
  while (devices && *devices) {
    size_t length = strcspn(devices, ",");
    if (length >= 3 && strncmp(devices + length - 3, "all", 3) == 0 &&
        (length == 3 || devices[length - 4] == ':'))
      return true;
    devices += length + (devices[length] == ',');
  }
  return false;
}

static hone_status spread(struct choosing *c)
{
  const struct hone__wire_device_facts *first;
  struct hone__text text = {0};

  if (!c->backend || !c->backend->driver.devices)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "'--devices %s': backend '%s' cannot list its devices; name them",
                       c->request->devices, c->backend ? c->backend->name : "");
  if (c->request->is_elsewhere)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "'--devices %s' lists the devices of this machine, but --worker runs on "
                       "other machines; name them",
                       c->request->devices);
  probe(c);
  if (c->why)
    return hone__error(hone_status_code(c->why), "'--devices %s': %s", c->request->devices,
                       hone_status_message(c->why));
  first = default_of(&c->found);
  hone__text_add(&text, first ? or_empty(first->device) : ""); /* the first one decides */
  for (size_t i = 0; i < c->found.devices_count; i++)
    if (&c->found.devices[i] != first)
      hone__text_addf(&text, ",%s", or_empty(c->found.devices[i].device));
  if (!text.length) return tell_known(c->backend, &c->found, c->request->devices);
  c->choice->devices = hone__text_take(&text);
  return NULL;
}

/* Builds are for one architecture: that of the first. */
static void compare(struct choosing *c, const struct hone__wire_device_facts *first,
                    const struct hone__wire_device_facts *other)
{
  const char *arch = or_empty(first->arch);
  struct hone__text text = {0};

  if (c->choice->note || strcmp(arch, or_empty(other->arch)) == 0) return;
  hone__text_addf(&text, "%s (%s) and %s (%s) differ: all candidates are built for %s",
                  or_empty(first->device), arch, or_empty(other->device), or_empty(other->arch),
                  arch);
  c->choice->note = hone__text_take(&text);
}

/* All named devices must be here; the first one decides. */
static hone_status take_devices(struct choosing *c, const char *devices)
{
  const struct hone__wire_device_facts *first = NULL;

  while (*devices) {
    size_t length = strcspn(devices, ",");
    char *device = hone__arena_strndup(&c->arena, devices, length);
    const struct hone__wire_device_facts *facts = hone__device_find(&c->found, device);
    if (!facts) return tell_known(c->backend, &c->found, device);
    if (first)
      compare(c, first, facts);
    else
      first = facts;
    devices += length + (devices[length] == ',');
  }
  if (!first) return tell_known(c->backend, &c->found, c->backend->name);
  c->choice->facts = hone__wire_device_facts_copy(first, &c->choice->arena);
  c->choice->facts->is_default = false; /* it refers to the others */
  return NULL;
}

static void explain(struct choosing *c, const char *why)
{
  const struct hone__wire_device_facts *facts = c->choice->facts;
  struct hone__text text = {0};

  if (facts)
    hone__text_addf(&text, "%s does not report it",
                    *or_empty(facts->device) ? facts->device
                    : c->given.name          ? c->given.name
                                             : or_empty(facts->arch));
  else
    hone__text_addf(&text, "backend '%s' has no device here (%s)", c->backend->name, why);
  c->choice->gap = hone__text_take(&text);
}

static hone_status look(struct choosing *c)
{
  const char *named = c->given.name ? c->given.name : c->choice->devices;
  const char *devices = named                 ? named
                        : c->request->devices ? c->request->devices
                                              : c->backend->name;
  hone_status status = NULL;

  probe(c);
  if (!c->why && c->found.devices_count) {
    status = take_devices(c, devices);
    if (status && c->request->is_elsewhere) { /* as if none were here */
      hone_status_free(status);
      status = NULL;
    }
  }
  if (!status) explain(c, c->why ? hone_status_message(c->why) : "it lists no devices");
  return status;
}

static bool names_device(const struct choosing *c)
{
  size_t length = strlen(c->backend->name);

  return hone__starts_with(c->given.name, c->backend->name) &&
         (!c->given.name[length] || c->given.name[length] == ':');
}

static hone_status take_named(struct choosing *c)
{
  const struct hone__device_model *model = hone__space_device_model_find(c->given.name);

  if (model) {
    c->choice->facts = model_facts(model, c->given.name, &c->choice->arena);
    explain(c, "");
    return NULL;
  }
  if (names_device(c)) return look(c);
  return hone__error(HONE_INVALID_ARGUMENT,
                     "bad device '%s': expected NAME=VALUE,..., a device of '%s', or a kind of "
                     "GPU: %s",
                     c->given.name, c->backend->name, hone__space_device_models());
}

static hone_status take_known(struct choosing *c)
{
  c->choice->facts = hone__wire_device_facts_copy(c->request->known, &c->choice->arena);
  explain(c, "");
  return NULL;
}

static hone_status choose(struct choosing *c)
{
  const char *given = c->request->given;
  hone_status status = given ? hone__space_device_read(&c->arena, given, &c->given) : NULL;

  if (!status && wants_all(c->request->devices)) status = spread(c);
  if (!status && hone__device_is_own(c->backend)) {
    status = c->given.name ? take_named(c) : c->request->known ? take_known(c) : look(c);
    if (!status && c->choice->facts) status = add_given(c->choice, &c->given);
  }
  if (status) return status;
  if (c->choice->facts)
    c->choice->values = values_of(c->choice->facts);
  else if (given && !(c->given.name && c->choice->gap)) /* a name that is not here has no values */
    c->choice->values = hone__strdup(given);
  return NULL;
}

hone_status hone__device_choose(const struct hone__backend *backend,
                                const struct hone__device_request *request,
                                struct hone__device_choice *out_choice)
{
  struct choosing c = {.backend = backend, .request = request, .choice = out_choice};
  hone_status status;

  *out_choice = (struct hone__device_choice){0};
  status = choose(&c);
  if (status) hone__device_choice_release(out_choice);
  hone__wire_device_list_release(&c.found);
  hone_status_free(c.why);
  hone__arena_release(&c.arena);
  return status;
}

void hone__device_choice_release(struct hone__device_choice *choice)
{
  hone__arena_release(&choice->arena);
  free(choice->devices);
  free(choice->values);
  free(choice->gap);
  free(choice->note);
  *choice = (struct hone__device_choice){0};
}
