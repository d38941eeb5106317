/* What is built for a configuration: the kernel's source with its knobs as macros. A name that an
 * argument has is passed, not defined: a macro would get in the way of the function's own
 * parameter.
 * `$runtime` parameters are no part of the build. */
#include "backend/kernel/kernel_values.h"

#include "backend/definition.h"
#include "backend/setting.h"

#include <stdlib.h>

/* ---- Flags ---- */

/* A reference in C beside a kernel of another language: what `build` says is for that one's
 * compiler. */
static bool is_foreign(const struct hone_task *task, const struct hone_kernel_kind *kind)
{
  return strcmp(kind->backend, task->backend->name) != 0;
}

static hone_status add_flags(const struct hone_task *task, const uint32_t *row,
                             const struct hone_kernel_kind *kind, json_t *candidate)
{
  json_t *flags = json_array();

  json_object_set_new(candidate, "flags", flags);
  if (is_foreign(task, kind)) return NULL;
  return hone__setting_flags(task, row, hone__task_setting(task, "build.flags"), flags);
}

/* ---- Defines ---- */

static bool is_argument(const struct hone_task *task, const char *name)
{
  const struct hone_node *args = hone__task_setting(task, "args");

  for (size_t i = 0; args && i < args->count; i++) {
    const struct hone_node *own = hone__node_get(args->items[i], "name");
    if (own && strcmp(own->text, name) == 0) return true;
  }
  return false;
}

static hone_status define_params(const struct hone_task *task, const uint32_t *row, json_t *defines)
{
  const struct hone_space *space = task->space;

  for (size_t i = 0; i < hone_space_param_count(space, row[0]); i++) {
    const char *name = hone_space_param_name(space, row[0], i);
    if (hone_space_param_is_runtime(space, row[0], i) || is_argument(task, name) ||
        hone__param_stands_again(space, row[0], i))
      continue;
    if (!hone__definition_is_macro(name))
      return hone__spec_error(task->spec, hone__task_setting(task, "params"),
                              "parameter '%s' cannot be defined for the source: its name is no "
                              "identifier of C",
                              name);
    hone__definition_add(defines, name, hone_space_value(space, row[0], i, row[1 + i]),
                         HONE_TRUE_IS_1);
  }
  return NULL;
}

/* What is not a knob must leave the source as it is. */
static bool may_define(const struct hone_task *task, const struct hone_source_text *source,
                       const char *name)
{
  return hone__definition_is_macro(name) && !is_argument(task, name) &&
         !hone__source_declares(&source->text, name);
}

static void define_derived(const struct hone_task *task, const uint32_t *row,
                           const struct hone_source_text *source, json_t *defines)
{
  for (size_t i = 0; i < hone_space_derived_count(task->space); i++) {
    const char *name = hone_space_derived_name(task->space, i);
    struct hone_value value;
    if (may_define(task, source, name) && hone_space_derived(task->space, row, i, &value))
      hone__definition_add(defines, name, value, HONE_TRUE_IS_1);
  }
}

static void define_sizes(const struct hone_task *task, const struct hone_source_text *source,
                         json_t *defines)
{
  const struct hone_problem *sizes = &task->space->setup.sizes;

  for (size_t i = 0; i < sizes->count; i++)
    if (may_define(task, source, sizes->names[i]))
      hone__definition_add(defines, sizes->names[i], sizes->values[i], HONE_TRUE_IS_1);
}

static void define_given(const struct hone_task *task, json_t *candidate, json_t *defines)
{
  size_t given = hone__definition_add_given(task, defines, HONE_TRUE_IS_1);

  json_object_set_new(candidate, "given_defines", json_integer((json_int_t)given));
}

static hone_status add_defines(const struct hone_task *task, const uint32_t *row,
                               const struct hone_source_text *source, bool knobs, json_t *candidate)
{
  json_t *defines = json_array();
  hone_status status = NULL;

  json_object_set_new(candidate, "defines", defines);
  if (knobs) status = define_params(task, row, defines);
  if (knobs && !status) define_derived(task, row, source, defines);
  define_sizes(task, source, defines);
  define_given(task, candidate, defines);
  return status;
}

/* ---- The candidate ---- */

/* The name of all that changes the object and its call. */
static void add_key(const struct hone_task *task, const struct hone_kernel_kind *kind,
                    const struct hone_source_text *source, json_t *candidate)
{
  static const char *const call[] = {"entry", "values", "launch"};
  struct hone_digester *digester = hone__digest_begin();
  char key[HONE_DIGEST_SIZE];

  kind->identify(candidate, source, task->folder, digester);
  for (size_t i = 0; i < sizeof call / sizeof *call; i++) {
    char *text = json_dumps(json_object_get(candidate, call[i]), JSON_COMPACT | JSON_ENCODE_ANY);
    hone__digest_add_text(digester, text ? text : "");
    free(text);
  }
  hone__digest_end(digester, key);
  json_object_set_new(candidate, "source_digest", json_string(source->digest));
  json_object_set_new(candidate, "key", json_string(key));
}

static hone_status read_source(const struct hone_task *task, const char *path,
                               const struct hone_node *place, struct hone_source_text *out_source)
{
  hone_status status = hone__source_text_read(path, out_source), placed;

  if (!status) return NULL;
  placed = hone__spec_error(task->spec, place, "%s", hone_status_message(status));
  hone_status_free(status);
  return placed;
}

/* `place` is the node that names the source. */
static hone_status make(const struct hone_task *task, const uint32_t *row,
                        const struct hone_kernel_kind *kind, const char *path,
                        const struct hone_node *place, const char *entry, bool knobs,
                        json_t **out_candidate)
{
  struct hone_source_text source;
  json_t *candidate = json_object();
  hone_status status = read_source(task, path, place, &source);

  *out_candidate = NULL;
  json_object_set_new(candidate, "source", json_string(path));
  json_object_set_new(candidate, "entry", json_string(entry));
  json_object_set_new(candidate, "includes", hone__setting_paths(task, "build.includes"));
  if (!status) status = add_flags(task, row, kind, candidate);
  if (!status) status = add_defines(task, row, &source, knobs, candidate);
  if (!status) status = hone__kernel_values(task, row, kind, candidate);
  if (!status) status = kind->complete(task, row, &source, candidate);
  if (!status) add_key(task, kind, &source, candidate);
  hone__source_text_release(&source);
  if (status)
    json_decref(candidate);
  else
    *out_candidate = candidate;
  return status;
}

/* Relative to the spec, but for a spec that stands in the source itself. */
static char *source_path(const struct hone_task *task)
{
  const char *slash = strrchr(task->spec->path, '/');

  if (hone__task_setting(task, "file")) return hone__setting_path(task, task->spec->file);
  return hone__setting_path(task, slash ? slash + 1 : task->spec->path);
}

hone_status hone__kernel_candidate(const struct hone_task *task, const uint32_t *row,
                                   const struct hone_kernel_kind *kind, json_t **out_candidate)
{
  const struct hone_node *entry = hone__task_setting(task, "entry");
  hone_status status;
  char *path;

  *out_candidate = NULL;
  if (!entry)
    return hone__spec_error(task->spec, NULL,
                            "no 'entry': name the function to call, as in 'entry: sgemm'");
  if (!task->spec->file)
    return hone__spec_error(task->spec, NULL, "no 'file': name the kernel's source");
  path = source_path(task);
  status = make(task, row, kind, path, hone__task_setting(task, "file"), entry->text, true,
                out_candidate);
  free(path);
  return status;
}

hone_status hone__kernel_reference(const struct hone_task *task, const struct hone_node *file,
                                   const char *entry, const struct hone_kernel_kind *kind,
                                   json_t **out_candidate)
{
  char *path = hone__setting_path(task, file->text);
  hone_status status = make(task, task->baseline, kind, path, file, entry, false, out_candidate);

  free(path);
  return status;
}
