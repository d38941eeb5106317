/* What is built for a configuration: the kernel's source with its knobs as macros. A name that an
 * argument has is passed, not defined: a macro would get in the way of the function's own
 * parameter.
 * `$runtime` parameters are no part of the build. */
#include "backend/kernel/kernel_values.h"

#include "backend/definition.h"
#include "backend/setting.h"
#include "spec/schema.h"

#include <stdlib.h>

/* ---- Settings ---- */

static bool is_foreign(const struct hone__kernel_origin *origin)
{
  return strcmp(origin->kind->backend, origin->task->backend->name) != 0;
}

const struct hone__node *hone__kernel_setting(const struct hone__kernel_origin *origin,
                                              const char *key)
{
  static const char *const of_source[] = {"includes", "defines", "define_prefix", NULL};
  const struct hone__node *build = hone__task_setting(origin->task, "build");
  const struct hone__node *own =
      origin->is_reference ? hone__task_setting(origin->task, "reference.build") : NULL;

  if (own && hone__node_get(own, key)) return hone__node_get(own, key);
  if (!build || (is_foreign(origin) && !hone__is_one_of(key, of_source))) return NULL;
  return hone__node_get(build, key);
}

/* ---- Defines ---- */

static bool is_argument(const struct hone__task *task, const char *name)
{
  const struct hone__node *args = hone__task_setting(task, "args");

  for (size_t i = 0; args && i < args->count; i++) {
    const struct hone__node *own = hone__node_get(args->items[i], "name");
    if (own && strcmp(own->text, name) == 0) return true;
  }
  return false;
}

/* Macros in the making. */
struct defining {
  const struct hone__kernel_origin *origin;
  const struct hone__source_text *source;
  const struct hone__node *prefix; /* of names; or NULL */
  struct hone__text name;
  json_t *defines;
};

static void define(struct defining *d, const char *name, struct hone_value value)
{
  hone__definition_add(d->defines, hone__definition_name(d->prefix, name, &d->name), value,
                       HONE__TRUE_IS_1);
}

static hone_status define_params(struct defining *d, const uint32_t *row)
{
  const struct hone__task *task = d->origin->task;
  const struct hone_space *space = task->space;

  for (size_t i = 0; i < hone_space_param_count(space, row[0]); i++) {
    const char *name = hone_space_param_name(space, row[0], i);
    if (hone_space_param_is_runtime(space, row[0], i) || is_argument(task, name) ||
        hone__param_stands_again(space, row[0], i))
      continue;
    if (!hone__definition_is_macro(name))
      return hone__spec_error(
          task->spec, hone__task_setting(task, "params"),
          "parameter '%s' cannot be defined for the source: its name is not a C identifier", name);
    define(d, name, hone_space_value(space, row[0], i, row[1 + i]));
  }
  return NULL;
}

/* What is not a knob must leave the source as it is. */
static bool may_define(struct defining *d, const char *name)
{
  return hone__definition_is_macro(name) && !is_argument(d->origin->task, name) &&
         !hone__source_declares(&d->source->text, hone__definition_name(d->prefix, name, &d->name));
}

static void define_derived(struct defining *d, const uint32_t *row)
{
  const struct hone_space *space = d->origin->task->space;

  for (size_t i = 0; i < hone_space_derived_count(space); i++) {
    const char *name = hone_space_derived_name(space, i);
    struct hone_value value;
    if (may_define(d, name) && hone_space_derived(space, row, i, &value)) define(d, name, value);
  }
}

static void define_sizes(struct defining *d)
{
  const struct hone__problem *sizes = &d->origin->task->space->setup.sizes;

  for (size_t i = 0; i < sizes->count; i++)
    if (may_define(d, sizes->names[i])) define(d, sizes->names[i], sizes->values[i]);
}

static hone_status add_defines(const struct hone__kernel_origin *origin, const uint32_t *row,
                               const struct hone__source_text *source, json_t *candidate)
{
  struct defining d = {.origin = origin,
                       .source = source,
                       .prefix = hone__kernel_setting(origin, "define_prefix"),
                       .defines = json_array()};
  hone_status status = NULL;
  size_t given;

  json_object_set_new(candidate, "defines", d.defines);
  if (!origin->is_reference) status = define_params(&d, row);
  if (!origin->is_reference && !status) define_derived(&d, row);
  define_sizes(&d);
  given = hone__definition_add_given(hone__kernel_setting(origin, "defines"), d.defines,
                                     HONE__TRUE_IS_1);
  json_object_set_new(candidate, "given_defines", json_integer((json_int_t)given));
  hone__text_release(&d.name);
  return status;
}

/* ---- The candidate ---- */

/* The name of all that changes the object and its call. */
static void add_key(const struct hone__kernel_origin *origin,
                    const struct hone__source_text *source, json_t *candidate)
{
  static const char *const call[] = {"entry", "values", "launch"};
  struct hone__digester *digester = hone__digest_begin();
  char key[HONE__DIGEST_SIZE];

  origin->kind->identify(candidate, source, origin->task->folder, digester);
  for (size_t i = 0; i < sizeof call / sizeof *call; i++) {
    char *text = json_dumps(json_object_get(candidate, call[i]), JSON_COMPACT | JSON_ENCODE_ANY);
    hone__digest_add_text(digester, text ? text : "");
    free(text);
  }
  hone__digest_end(digester, key);
  json_object_set_new(candidate, "source_digest", json_string(source->digest));
  json_object_set_new(candidate, "key", json_string(key));
}

static hone_status read_source(const struct hone__kernel_origin *origin,
                               struct hone__source_text *out_source)
{
  hone_status status = hone__source_text_read(origin->path, out_source), placed;

  if (!status) return NULL;
  placed = hone__spec_error(origin->task->spec, origin->place, "%s", hone_status_message(status));
  hone_status_free(status);
  return placed;
}

static hone_status add_flags(const struct hone__kernel_origin *origin, const uint32_t *row,
                             json_t *candidate)
{
  json_t *flags = json_array();

  json_object_set_new(candidate, "flags", flags);
  return hone__setting_flags(origin->task, row, hone__kernel_setting(origin, "flags"), flags);
}

static hone_status make(const struct hone__kernel_origin *origin, const uint32_t *row,
                        json_t **out_candidate)
{
  struct hone__source_text source;
  json_t *candidate = json_object();
  hone_status status = read_source(origin, &source);

  *out_candidate = NULL;
  json_object_set_new(candidate, "source", json_string(origin->path));
  json_object_set_new(candidate, "entry", json_string(origin->entry));
  json_object_set_new(candidate, "includes",
                      hone__setting_paths(origin->task, hone__kernel_setting(origin, "includes")));
  if (!status) status = add_flags(origin, row, candidate);
  if (!status) status = add_defines(origin, row, &source, candidate);
  if (!status) status = hone__kernel_values(origin->task, row, origin->kind, candidate);
  if (!status) status = origin->kind->complete(origin, row, &source, candidate);
  if (!status) add_key(origin, &source, candidate);
  hone__source_text_release(&source);
  if (status)
    json_decref(candidate);
  else
    *out_candidate = candidate;
  return status;
}

/* Relative to the spec, but for a spec that stands in the source itself. */
static char *source_path(const struct hone__task *task)
{
  const char *slash = strrchr(task->spec->path, '/');

  if (hone__task_setting(task, "file")) return hone__setting_path(task, task->spec->file);
  return hone__setting_path(task, slash ? slash + 1 : task->spec->path);
}

hone_status hone__kernel_candidate(const struct hone__task *task, const uint32_t *row,
                                   const struct hone__kernel_kind *kind, json_t **out_candidate)
{
  const struct hone__node *entry = hone__task_setting(task, "entry");
  struct hone__kernel_origin origin = {
      .task = task, .kind = kind, .place = hone__task_setting(task, "file")};
  hone_status status;
  char *path;

  *out_candidate = NULL;
  if (!entry)
    return hone__spec_error(task->spec, NULL,
                            "no 'entry': name the function to call, as in 'entry: sgemm'");
  if (!task->spec->file)
    return hone__spec_error(task->spec, NULL, "no 'file': name the kernel's source");
  origin.path = path = source_path(task);
  origin.entry = entry->text;
  status = make(&origin, row, out_candidate);
  free(path);
  return status;
}

hone_status hone__kernel_reference(const struct hone__task *task, const struct hone__node *file,
                                   const char *entry, const struct hone__kernel_kind *kind,
                                   json_t **out_candidate)
{
  char *path = hone__setting_path(task, file->text);
  const struct hone__kernel_origin origin = {.task = task,
                                             .kind = kind,
                                             .path = path,
                                             .entry = entry,
                                             .place = file,
                                             .is_reference = true};
  hone_status status = make(&origin, task->baseline, out_candidate);

  free(path);
  return status;
}
