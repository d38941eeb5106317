/* The functions in C that pipelines of a device call between kernels: each is built once, for all
 * configurations, which pass it what they choose. */
#include "backend/kernel/describer.h"

#include "backend/kernel/kernel_function.h"
#include "backend/setting.h"
#include "backend/source_file.h"
#include "base/digest.h"
#include "base/file.h"

#include <stdlib.h>

enum { MOST_STEPS = 64, MOST_BYTES = 1 << 24 };

/* ---- What its source and its object tell ---- */

/* Without a prototype that is certain, there are none. */
static void add_constants(struct hone__describer *d, const char *text,
                          struct hone__kernel_step *step)
{
  struct hone__prototype prototype;

  if (!hone__prototype_find(text, step->entry, &d->arena, &prototype)) return;
  step->constant = hone__arena_alloc(&d->arena, (prototype.count + 1) * sizeof *step->constant);
  for (size_t i = 0; i < prototype.count; i++)
    if (hone__parameter_is_constant(&prototype.parameters[i]))
      step->constant[step->constant_count++] = (int64_t)i;
}

static void read_constants(struct hone__describer *d, const struct hone__node *file,
                           struct hone__kernel_step *step)
{
  char *path = hone__setting_path(d->task, file->text), *text = NULL;
  size_t size = 0;

  hone_status_free(hone__file_read(path, MOST_BYTES, &text, &size));
  if (text && strlen(text) == size) add_constants(d, text, step);
  free(text);
  free(path);
}

/* Its table of names is part of the object; a name that is nowhere in it cannot be called. */
static bool has_name(const struct hone__describer *d, const struct hone__kernel_file *object,
                     const char *name)
{
  struct hone__text word = {0};
  bool found;

  hone__text_addn(&word, "", 1);
  hone__text_add(&word, name);
  found = memmem(d->payload->data + object->offset, object->size, word.data, word.length + 1);
  hone__text_release(&word);
  return found;
}

/* ---- Steps ---- */

static bool is_known(const struct hone__describer *d, const char *file, const char *entry)
{
  for (size_t i = 0; i < d->setup.steps_count; i++)
    if (strcmp(d->setup.steps[i].file, file) == 0 && strcmp(d->setup.steps[i].entry, entry) == 0)
      return true;
  return false;
}

static hone_status refuse_name(const struct hone__describer *d, const struct hone__node *file,
                               const struct hone__node *entry)
{
  bool is_cplusplus = hone__backend_source_file_is_cplusplus(file->text);

  return hone__backend_spec_error(d->task->spec, entry, "'%s' has no function '%s', or it is %s",
                                  file->text, entry->text,
                                  is_cplusplus ? "static or not extern \"C\"" : "static");
}

static hone_status add_step(struct hone__describer *d, const struct hone__node *file,
                            const struct hone__node *entry)
{
  struct hone__kernel_file *object = hone__arena_alloc(&d->arena, sizeof *object);
  struct hone__kernel_step *step = &d->setup.steps[d->setup.steps_count];
  hone_status status;

  if (is_known(d, file->text, entry->text)) return NULL;
  if (d->setup.steps_count == MOST_STEPS)
    return hone__backend_spec_error(d->task->spec, file,
                                    "a pipeline has at most %d functions on the host", MOST_STEPS);
  *step = (struct hone__kernel_step){.file = file->text, .object = object};
  status = hone__kernel_function_build(d, file, entry->text, &step->entry, object);
  if (status) return status;
  if (!has_name(d, object, step->entry)) return refuse_name(d, file, entry);
  read_constants(d, file, step);
  d->step_files[d->setup.steps_count++] = file;
  return NULL;
}

static hone_status add_list(struct hone__describer *d, const struct hone__node *list)
{
  hone_status status = NULL;

  for (size_t i = 0; list && i < list->count && !status; i++) {
    const struct hone__node *file = hone__node_get(list->items[i], "host");
    status = file ? hone__kernel_check_host(d->task, d->kind, file,
                                            hone__node_get(list->items[i], "entry"))
                  : add_list(d, hone__node_get(list->items[i], "stages"));
    if (file && !status) status = add_step(d, file, hone__node_get(list->items[i], "entry"));
  }
  return status;
}

/* Answers of a reference that has steps depend on them. */
static void extend_key(struct hone__describer *d)
{
  struct hone__digester *digester = hone__digest_begin();
  char key[HONE__DIGEST_SIZE];

  hone__digest_add_text(digester, d->setup.inputs_key);
  for (size_t i = 0; i < d->setup.steps_count; i++)
    hone__digest_add_text(digester, d->setup.steps[i].object->digest);
  hone__digest_end(digester, key);
  d->setup.inputs_key = hone__arena_strdup(&d->arena, key);
}

hone_status hone__describer_steps(struct hone__describer *d)
{
  const struct hone__node *list = hone__task_setting(d->task, "stages");
  hone_status status;

  if (!list) return NULL;
  d->setup.steps = hone__arena_alloc(&d->arena, (MOST_STEPS + 1) * sizeof *d->setup.steps);
  d->step_files = hone__arena_alloc(&d->arena, (MOST_STEPS + 1) * sizeof *d->step_files);
  status = add_list(d, list);
  if (!status && d->setup.steps_count) extend_key(d);
  if (!d->setup.steps_count) d->setup.steps = NULL;
  return status;
}
