/* What is built for a configuration: the kernel's source with its knobs as macros. A name that an
 * argument has is passed, not defined: a macro would get in the way of the function's own
 * parameter.
 * `$runtime` parameters are not part of the build. */
#include "backend/kernel/kernel_values.h"

#include "backend/definition.h"
#include "backend/kernel/generator.h"
#include "backend/kernel/kernel_entry.h"
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
  if (!build || (is_foreign(origin) && !hone__spec_is_one_of(key, of_source))) return NULL;
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
  const struct hone__build_source_text *source;
  const struct hone__node *prefix; /* of names; or NULL */
  struct hone__text name;
  struct hone__pairs defines;
};

static void define(struct defining *d, const char *name, struct hone_value value)
{
  hone__definition_add(&d->defines, hone__definition_name(d->prefix, name, &d->name), value,
                       HONE__TRUE_IS_1);
}

static hone_status define_params(struct defining *d, const uint32_t *row)
{
  const struct hone__task *task = d->origin->task;
  const struct hone_space *space = task->space;

  for (size_t i = 0; i < hone_space_param_count(space, row[0]); i++) {
    const char *name = hone_space_param_name(space, row[0], i);
    if (hone_space_param_is_runtime(space, row[0], i) || is_argument(task, name) ||
        hone__definition_stands_again(space, row[0], i))
      continue;
    if (!hone__is_identifier(name))
      return hone__backend_spec_error(
          task->spec, hone__task_setting(task, "params"),
          "parameter '%s' cannot be defined for the source: its name is not a C identifier", name);
    define(d, name, hone_space_value(space, row[0], i, row[1 + i]));
  }
  return NULL;
}

/* A definition that is not a knob must not change the source. */
static bool may_define(struct defining *d, const char *name)
{
  return hone__is_identifier(name) && !is_argument(d->origin->task, name) &&
         !hone__build_source_declares(&d->source->text,
                                      hone__definition_name(d->prefix, name, &d->name));
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

static void keep_pairs(const struct hone__pairs *pairs, struct hone__arena *arena,
                       struct hone__kernel_candidate *candidate)
{
  struct hone__name_value *kept = hone__arena_alloc(arena, (pairs->count + 1) * sizeof *kept);

  for (size_t i = 0; i < pairs->count; i++)
    kept[i] = (struct hone__name_value){hone__arena_strdup(arena, pairs->data[i].name),
                                        hone__arena_strdup(arena, pairs->data[i].value)};
  candidate->defines = kept;
  candidate->defines_count = pairs->count;
}

static hone_status add_defines(const struct hone__kernel_origin *origin, const uint32_t *row,
                               const struct hone__build_source_text *source,
                               struct hone__arena *arena, struct hone__kernel_candidate *candidate)
{
  struct defining d = {
      .origin = origin, .source = source, .prefix = hone__kernel_setting(origin, "define_prefix")};
  hone_status status = NULL;
  size_t own;

  if (!origin->is_reference) status = define_params(&d, row);
  if (!origin->is_reference && !status) define_derived(&d, row);
  define_sizes(&d);
  own = d.defines.count;
  hone__definition_add_given(&d.defines, hone__kernel_setting(origin, "defines"), HONE__TRUE_IS_1);
  candidate->given_defines = d.defines.count - own;
  keep_pairs(&d.defines, arena, candidate);
  hone__pairs_release(&d.defines);
  hone__text_release(&d.name);
  return status;
}

/* ---- The candidate ---- */

/* The digest of everything that changes the object and its call. */
static void add_key(const struct hone__kernel_origin *origin,
                    const struct hone__build_source_text *source, struct hone__arena *arena,
                    struct hone__kernel_candidate *candidate)
{
  static const char *const call[] = {"entry", "values",  "launch",        "args", "stages",
                                     "order", "extents", "power_limit_w", "env"};
  enum { ALWAYS = 3 }; /* the others are part of it if there are any */
  struct hone__digester *digester = hone__digest_begin();
  char key[HONE__DIGEST_SIZE];

  origin->kind->identify(candidate, source, origin->task->folder, digester);
  for (size_t i = 0; i < sizeof call / sizeof *call; i++) {
    struct hone__text text = {0};
    hone__field_print(&hone__kernel_candidate_type, candidate, call[i], HONE__BY_TABLE, &text);
    if (i < ALWAYS || text.length) hone__digest_add_text(digester, text.data ? text.data : "");
    hone__text_release(&text);
  }
  hone__digest_end(digester, key);
  candidate->source_digest = hone__arena_strdup(arena, source->digest);
  candidate->key = hone__arena_strdup(arena, key);
}

static hone_status read_source(const struct hone__kernel_origin *origin,
                               struct hone__build_source_text *out_source)
{
  hone_status status = hone__build_source_text_read(origin->path, out_source), placed;

  if (!status) return NULL;
  placed = hone__backend_spec_error(origin->task->spec, origin->place, "%s",
                                    hone_status_message(status));
  hone_status_free(status);
  return placed;
}

void hone__kernel_keep_words(const struct hone__words *words, struct hone__arena *arena,
                             const char ***out_words, size_t *out_count)
{
  const char **kept = hone__arena_alloc(arena, (words->count + 1) * sizeof *kept);

  for (size_t i = 0; i < words->count; i++)
    kept[i] = hone__arena_strdup(arena, words->data[i]);
  *out_words = kept;
  *out_count = words->count;
}

static hone_status add_flags(const struct hone__kernel_origin *origin, const uint32_t *row,
                             struct hone__arena *arena, struct hone__kernel_candidate *candidate)
{
  struct hone__words flags = {0}, includes = {0};
  hone_status status =
      hone__setting_flags(origin->task, row, hone__kernel_setting(origin, "flags"), &flags);

  hone__setting_paths(origin->task, hone__kernel_setting(origin, "includes"), &includes);
  hone__kernel_keep_words(&flags, arena, &candidate->flags, &candidate->flags_count);
  hone__kernel_keep_words(&includes, arena, &candidate->includes, &candidate->includes_count);
  hone__words_release(&flags);
  hone__words_release(&includes);
  return status;
}

/* How it is called. */
static hone_status add_call(const struct hone__kernel_origin *origin, const uint32_t *row,
                            struct hone__arena *arena, struct hone__kernel_candidate *candidate)
{
  hone_status status;

  if (!origin->is_reference && hone__kernel_is_pipeline(origin->task))
    return hone__kernel_stages(origin->task, row, origin->kind, arena, candidate);
  status = hone__kernel_choose_args(origin, row, arena, candidate);
  return status ? status : hone__kernel_values(origin->task, row, origin->kind, arena, candidate);
}

static hone_status make(const struct hone__kernel_origin *origin, const uint32_t *row,
                        struct hone__arena *arena, struct hone__kernel_candidate *out_candidate)
{
  struct hone__build_source_text source;
  hone_status status = read_source(origin, &source);

  *out_candidate = (struct hone__kernel_candidate){.source = origin->path, .entry = origin->entry};
  if (!status) status = add_flags(origin, row, arena, out_candidate);
  if (!status) status = add_defines(origin, row, &source, arena, out_candidate);
  if (!status) status = add_call(origin, row, arena, out_candidate);
  if (!status) status = hone__kernel_extents(origin->task, row, arena, out_candidate);
  if (!status && !origin->is_reference)
    status = hone__kernel_env(origin->task, row, arena, out_candidate);
  if (!status) status = hone__generator_command(origin, row, arena, out_candidate);
  if (!status) status = origin->kind->complete(origin, row, &source, arena, out_candidate);
  if (!status) add_key(origin, &source, arena, out_candidate);
  hone__build_source_text_release(&source);
  return status;
}

/* Relative to the spec, but for a spec that stands in the source itself. */
char *hone__kernel_source(const struct hone__task *task)
{
  const char *slash = strrchr(task->spec->path, '/');

  if (hone__task_setting(task, "file")) return hone__setting_path(task, task->spec->file);
  return hone__setting_path(task, slash ? slash + 1 : task->spec->path);
}

/* In the arena; takes the text over. */
static const char *keep_text(struct hone__arena *arena, char *text)
{
  const char *kept = hone__arena_strdup(arena, text);

  free(text);
  return kept;
}

hone_status hone__kernel_configuration(const struct hone__task *task, const uint32_t *row,
                                       const struct hone__kernel_kind *kind,
                                       struct hone__arena *arena,
                                       struct hone__kernel_candidate *out_candidate)
{
  struct hone__kernel_origin origin = {
      .task = task, .kind = kind, .place = hone__task_setting(task, "file")};
  hone_status status = hone__kernel_entry(task, kind, &origin.entry);

  if (status) return status;
  if (!task->spec->file)
    return hone__backend_spec_error(task->spec, NULL, "no 'file': name the kernel's source");
  origin.path = keep_text(arena, hone__kernel_source(task));
  return make(&origin, row, arena, out_candidate);
}

static const char *reference_entry(const struct hone__kernel_origin *origin,
                                   const char *kernel_entry, struct hone__arena *arena)
{
  struct hone__words includes = {0};
  const char *entry;

  hone__setting_paths(origin->task, hone__kernel_setting(origin, "includes"), &includes);
  entry = keep_text(arena, hone__kernel_reference_entry(origin->path, hone__words_list(&includes),
                                                        origin->kind, kernel_entry));
  hone__words_release(&includes);
  return entry;
}

hone_status hone__kernel_reference(const struct hone__task *task, const struct hone__node *file,
                                   const char *entry, const char *kernel_entry,
                                   const struct hone__kernel_kind *kind, struct hone__arena *arena,
                                   struct hone__kernel_candidate *out_candidate)
{
  const char *path = keep_text(arena, hone__setting_path(task, file->text));
  struct hone__kernel_origin origin = {.task = task,
                                       .kind = kind,
                                       .path = path,
                                       .entry = entry,
                                       .place = file,
                                       .is_reference = true};
  hone_status status;

  if (!entry) origin.entry = reference_entry(&origin, kernel_entry, arena);
  status = make(&origin, task->baseline, arena, out_candidate);

  out_candidate->takes_symbols = kind == &hone__kernel_kind_c;
  return status;
}

hone_status hone__kernel_candidate(const struct hone__task *task, const uint32_t *row,
                                   const struct hone__kernel_kind *kind,
                                   struct hone__packed **out_candidate)
{
  struct hone__arena arena = {0};
  struct hone__kernel_candidate candidate;
  hone_status status = hone__kernel_configuration(task, row, kind, &arena, &candidate);

  *out_candidate = status ? NULL : hone__pack(&hone__kernel_candidate_type, &candidate);
  hone__arena_release(&arena);
  return status;
}
