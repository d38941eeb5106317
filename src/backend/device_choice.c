/* A wish becomes facts: those of a model that was named, or of the first device that is used, with
 * the values that were given in the place of its own. */
#include "backend/device_choice.h"

#include "space/device_model.h"

#include <stdlib.h>
#include <strings.h>

/* ---- Finding one ---- */

static const char *text_of(const json_t *facts, const char *key)
{
  const char *text = json_string_value(json_object_get(facts, key));

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

/* Whoever names none means the one that is marked, or the first. */
static const json_t *default_of(const json_t *devices)
{
  for (size_t i = 0; i < json_array_size(devices); i++)
    if (json_is_true(json_object_get(json_array_get(devices, i), "is_default")))
      return json_array_get(devices, i);
  return json_array_get(devices, 0);
}

const json_t *hone__device_find(const json_t *devices, const char *device)
{
  const char *colon = strchr(device, ':'), *rest = colon ? colon + 1 : "";

  for (size_t i = 0; i < json_array_size(devices); i++)
    if (strcmp(text_of(json_array_get(devices, i), "device"), device) == 0)
      return json_array_get(devices, i);
  if (!*rest) return default_of(devices);
  if (is_number(rest)) return json_array_get(devices, strtoul(rest, NULL, 10));
  for (size_t i = 0; i < json_array_size(devices); i++) {
    const json_t *facts = json_array_get(devices, i);
    if (begins(text_of(facts, "device"), device, ":") || begins(text_of(facts, "uuid"), rest, NULL))
      return facts;
  }
  return NULL;
}

static hone_status tell_known(const struct hone__backend *backend, const json_t *devices,
                              const char *device)
{
  struct hone__text known = {0};
  hone_status status;

  for (size_t i = 0; i < json_array_size(devices); i++)
    hone__text_addf(&known, "%s%s (%s)", i ? ", " : "",
                    text_of(json_array_get(devices, i), "device"),
                    text_of(json_array_get(devices, i), "name"));
  status = hone__error(HONE_NOT_FOUND, "no device '%s': backend '%s' has %s", device, backend->name,
                       known.length ? known.data : "none");
  hone__text_release(&known);
  return status;
}

bool hone__device_is_own(const struct hone__backend *backend)
{
  return backend && backend->devices && !backend->device_is_host;
}

bool hone__device_is_cpu(const struct hone__backend *backend, const char *device)
{
  json_t *devices = json_array();
  const char *kind;
  bool is_cpu;

  hone_status_free(backend->devices(devices));
  kind = text_of(hone__device_find(devices, device), "kind");
  is_cpu = !*kind || strcmp(kind, "cpu") == 0;
  json_decref(devices);
  return is_cpu;
}

/* ---- What device.* means ---- */

static bool is_fact(const char *key, const json_t *value)
{
  return json_is_number(value) ||
         (json_is_string(value) && (strcmp(key, "name") == 0 || strcmp(key, "arch") == 0));
}

char *hone__device_values(const json_t *facts)
{
  struct hone__text text = {0};
  const char *key;
  json_t *value;

  json_object_foreach((json_t *)facts, key, value)
  {
    if (!is_fact(key, value) || strcspn(key, "=,\"'") != strlen(key)) continue;
    hone__text_addf(&text, "%s%s=", text.length ? "," : "", key);
    if (json_is_string(value))
      hone__value_repr(hone__string(json_string_value(value)), &text);
    else
      hone__value_print(json_is_integer(value) ? hone__int(json_integer_value(value))
                                               : hone__real(json_real_value(value)),
                        &text);
  }
  return hone__text_take(&text);
}

static json_t *json_of(struct hone_value value)
{
  if (value.type == HONE_INT || value.type == HONE_BOOL) return json_integer(value.integer);
  if (value.type == HONE_FLOAT) return json_real(value.real);
  return value.type == HONE_TEXT ? json_string(value.text) : json_null();
}

static void add_given(json_t *facts, const struct hone__device_given *given)
{
  for (size_t i = 0; i < given->count; i++)
    json_object_set_new(facts, given->names[i], json_of(given->values[i]));
}

/* Such a GPU says of itself "sm_90a": from Hopper on, instructions of its own need the letter. */
static const char *own_letter(const char *name)
{
  bool is_plain = hone__starts_with(name, "sm_") && name[strcspn(name, "af")] == '\0';

  return is_plain && atoi(name + strlen("sm_")) >= 90 ? "a" : "";
}

static json_t *model_facts(const struct hone__device_model *model, const char *name)
{
  json_t *facts = json_pack("{s:s}", "kind", "gpu");
  struct hone_value value;
  const char *key;

  for (size_t i = 0; hone__device_model_fact(model, i, &key, &value); i++)
    if (value.type != HONE_INT || value.integer > 0)
      json_object_set_new(facts, key, json_of(value));
  json_object_set_new(facts, "arch", json_sprintf("%s%s", name, own_letter(name)));
  return facts;
}

/* ---- Choosing ---- */

struct choosing {
  const struct hone__backend *backend;
  const struct hone__device_wish *wish;
  struct hone__device_given given;
  struct hone__arena arena;
  json_t *found; /* NULL: not asked */
  hone_status why;
  struct hone__device_choice *choice;
};

static void ask(struct choosing *c)
{
  if (c->found) return;
  c->found = json_array();
  c->why = c->backend->devices(c->found);
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
  struct hone__text text = {0};

  if (!c->backend || !c->backend->devices)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "'--devices %s': backend '%s' cannot list its devices; name them",
                       c->wish->devices, c->backend ? c->backend->name : "");
  if (c->wish->is_elsewhere)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "'--devices %s' lists the devices of this machine, but --worker runs on "
                       "other machines; name them",
                       c->wish->devices);
  ask(c);
  if (c->why)
    return hone__error(hone_status_code(c->why), "'--devices %s': %s", c->wish->devices,
                       hone_status_message(c->why));
  hone__text_add(&text, text_of(default_of(c->found), "device")); /* the first is what counts */
  for (size_t i = 0; i < json_array_size(c->found); i++)
    if (json_array_get(c->found, i) != default_of(c->found))
      hone__text_addf(&text, ",%s", text_of(json_array_get(c->found, i), "device"));
  if (!text.length) return tell_known(c->backend, c->found, c->wish->devices);
  c->choice->devices = hone__text_take(&text);
  return NULL;
}

/* Builds are for one architecture: that of the first. */
static void compare(struct choosing *c, const json_t *first, const json_t *other)
{
  struct hone__text text = {0};

  if (c->choice->note || strcmp(text_of(first, "arch"), text_of(other, "arch")) == 0) return;
  hone__text_addf(&text, "%s (%s) and %s (%s) differ: all candidates are built for %s",
                  text_of(first, "device"), text_of(first, "arch"), text_of(other, "device"),
                  text_of(other, "arch"), text_of(first, "arch"));
  c->choice->note = hone__text_take(&text);
}

/* All that are named must be here; the first is the one that counts. */
static hone_status take_devices(struct choosing *c, const char *devices)
{
  const json_t *first = NULL;

  while (*devices) {
    size_t length = strcspn(devices, ",");
    char *device = hone__arena_strndup(&c->arena, devices, length);
    const json_t *facts = hone__device_find(c->found, device);
    if (!facts) return tell_known(c->backend, c->found, device);
    if (first)
      compare(c, first, facts);
    else
      first = facts;
    devices += length + (devices[length] == ',');
  }
  if (!first) return tell_known(c->backend, c->found, c->backend->name);
  c->choice->facts = json_deep_copy(first);
  json_object_del(c->choice->facts, "is_default"); /* that is about the others */
  return NULL;
}

static void explain(struct choosing *c, const char *why)
{
  struct hone__text text = {0};

  if (c->choice->facts)
    hone__text_addf(&text, "%s does not report it",
                    *text_of(c->choice->facts, "device") ? text_of(c->choice->facts, "device")
                    : c->given.name                      ? c->given.name
                                                         : text_of(c->choice->facts, "arch"));
  else
    hone__text_addf(&text, "backend '%s' has no device here (%s)", c->backend->name, why);
  c->choice->gap = hone__text_take(&text);
}

static hone_status look(struct choosing *c)
{
  const char *named = c->given.name ? c->given.name : c->choice->devices;
  const char *devices = named ? named : c->wish->devices ? c->wish->devices : c->backend->name;
  hone_status status = NULL;

  ask(c);
  if (!c->why && json_array_size(c->found)) {
    status = take_devices(c, devices);
    if (status && c->wish->is_elsewhere) { /* as if none were here */
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
  const struct hone__device_model *model = hone__device_model_find(c->given.name);

  if (model) {
    c->choice->facts = model_facts(model, c->given.name);
    explain(c, "");
    return NULL;
  }
  if (names_device(c)) return look(c);
  return hone__error(HONE_INVALID_ARGUMENT,
                     "bad device '%s': expected NAME=VALUE,..., a device of '%s', or a kind of "
                     "GPU: %s",
                     c->given.name, c->backend->name, hone__device_models());
}

static hone_status choose(struct choosing *c)
{
  const char *given = c->wish->given;
  hone_status status = given ? hone__device_read(&c->arena, given, &c->given) : NULL;

  if (!status && wants_all(c->wish->devices)) status = spread(c);
  if (!status && hone__device_is_own(c->backend)) {
    status = c->given.name ? take_named(c) : look(c);
    if (!status && c->choice->facts) add_given(c->choice->facts, &c->given);
  }
  if (status) return status;
  if (c->choice->facts)
    c->choice->values = hone__device_values(c->choice->facts);
  else if (given && !(c->given.name && c->choice->gap)) /* a name that is not here has no values */
    c->choice->values = hone__strdup(given);
  return NULL;
}

hone_status hone__device_choose(const struct hone__backend *backend,
                                const struct hone__device_wish *wish,
                                struct hone__device_choice *out_choice)
{
  struct choosing c = {.backend = backend, .wish = wish, .choice = out_choice};
  hone_status status;

  *out_choice = (struct hone__device_choice){0};
  status = choose(&c);
  if (status) hone__device_choice_release(out_choice);
  json_decref(c.found);
  hone_status_free(c.why);
  hone__arena_release(&c.arena);
  return status;
}

void hone__device_choice_release(struct hone__device_choice *choice)
{
  json_decref(choice->facts);
  free(choice->devices);
  free(choice->values);
  free(choice->gap);
  free(choice->note);
  *choice = (struct hone__device_choice){0};
}
