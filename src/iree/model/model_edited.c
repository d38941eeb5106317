/* A model at the phase executable-configurations: there its text has the configuration of every
 * operation, and iree-compile goes on from it. Whoever edits it needs no matchers, and may
 * configure several operations of a dispatch.
 *
 * An edited model is compared with what the compiler writes at this phase: operations are counted
 * within their function, and those whose configurations differ are reported.
 */
#include "iree/model/model_edited.h"

#include "base/allocators.h"
#include "base/folder.h"
#include "base/paths.h"
#include "hone_iree.h"
#include "iree/dispatch/dispatch.h"
#include "iree/model/dispatches.h"
#include "iree/model/model_tune.h"
#include "iree/task/iree_task.h"

#include <stdlib.h>

static const char to_phase[] = "--compile-to=executable-configurations";
static const char local_scope[] = "--mlir-print-local-scope";
static const double read_s = 600;

/* ---- Writing ---- */

static hone_status write_model(struct hone__model *model, const char *spec, const char *output)
{
  struct hone__words more = {0};
  char *real = spec ? hone__realpath(spec) : NULL;
  hone_status status = spec && !real ? hone__path_error("open", spec) : NULL;

  hone__words_add(&more, to_phase);
  hone__words_add(&more, local_scope);
  if (real) hone__iree_word(&more, "%s%s", hone__model_spec_flag(model->backend), real);
  if (!status) status = hone__model_compile(model, hone__words_list(&more), output);
  hone__words_release(&more);
  free(real);
  return status;
}

/* An empty model compiles, but there is nothing to edit. */
static hone_status check_model(const struct hone__model *model)
{
  if (hone__mlir_find(model->flow.root, "flow.executable")) return NULL;
  return hone__error(HONE_INVALID_SPEC,
                     "%s: error: it has no dispatches, and so no configurations to edit",
                     model->path);
}

hone_status hone_iree_configure(const char *model, const char *spec,
                                const struct hone_iree_model_options *options, const char *output)
{
  struct hone__iree_model_given given;
  struct hone__model opened = {0};
  struct hone__child_guard guard;
  char *folder = NULL;
  hone_status status;

  hone__allocators_install();
  status = hone__iree_model_take(&given, options);
  if (status) return status;
  hone__iree_model_default_target(&given, model);
  hone__child_guard_begin(&guard);
  status = hone__folder_make(NULL, &folder);
  if (!status) status = hone__model_open(&opened, model, &given.options, folder);
  if (!status) status = hone__model_flow(&opened);
  if (!status) status = check_model(&opened);
  if (!status) status = write_model(&opened, spec, output);
  hone__model_release(&opened);
  hone__folder_remove(folder);
  free(folder);
  hone__child_guard_end(&guard);
  return status;
}

/* ---- Reading ---- */

bool hone__model_is_configured(const char *path)
{
  struct hone__mlir mlir = {0};
  hone_status status = hone__iree_is_mlir(path) ? hone__mlir_read(&mlir, path) : NULL;
  bool is_configured = !status && mlir.root && hone__mlir_find(mlir.root, "hal.executable.variant");

  hone__mlir_release(&mlir);
  hone_status_free(status); /* who compiles it reports it */
  return is_configured;
}

struct item { /* a configured operation */
  const char *function, *operation;
  size_t number; /* within its function */
  char *text;
};

struct items {
  struct item *list;
  size_t count, capacity;
};

static void release_items(struct items *items)
{
  for (size_t i = 0; i < items->count; i++)
    free(items->list[i].text);
  free(items->list);
}

static const char *function_of(const struct hone__mlir_op *op)
{
  while (op && (!op->name || strcmp(op->name, "func.func") != 0))
    op = op->parent;
  return op && op->symbol ? op->symbol : "";
}

static bool collect(void *data, struct hone__mlir_op *op)
{
  struct items *items = data;
  struct hone__text text = {0}, decomposition = {0};
  struct item item = {.function = function_of(op), .operation = op->name};

  if (!hone__iree_configuration(op, &text, &decomposition)) return true;
  if (decomposition.length) hone__text_addf(&text, " %s", decomposition.data);
  for (size_t i = 0; i < items->count; i++)
    item.number += strcmp(items->list[i].function, item.function) == 0;
  item.text = hone__text_take(&text);
  HONE__GROW(items->list, items->count, items->capacity);
  items->list[items->count++] = item;
  hone__text_release(&decomposition);
  return true;
}

/* NULL: there is none. */
static const struct item *find(const struct items *items, const struct item *wanted)
{
  for (size_t i = 0; i < items->count; i++)
    if (items->list[i].number == wanted->number &&
        strcmp(items->list[i].function, wanted->function) == 0)
      return &items->list[i];
  return NULL;
}

/* ---- What was edited ---- */

static void add_hit(struct hone_iree_spec_use *use, const struct item *item)
{
  struct hone_iree_spec_hit *hit;

  use->hits = hone__realloc(use->hits, (use->hit_count + 1) * sizeof *use->hits);
  hit = &use->hits[use->hit_count++];
  *hit = (struct hone_iree_spec_hit){.dispatch = hone__strdup(item->function),
                                     .operation = hone__strdup(item->operation),
                                     .configuration = hone__strdup(item->text),
                                     .why_not = hone__strdup(""),
                                     .is_applied = true};
}

static void compare(const struct items *plain, const struct items *edited,
                    struct hone_iree_verification *found)
{
  struct hone_iree_spec_use *use = hone__alloc(sizeof *use);
  struct hone__text problems = {0};

  *use = (struct hone_iree_spec_use){.matcher = hone__strdup("edited"),
                                     .matches = hone__strdup("configurations in the text"),
                                     .why_none = hone__strdup("all are the compiler's own")};
  for (size_t i = 0; i < edited->count; i++) {
    const struct item *before = find(plain, &edited->list[i]);
    if (!before)
      hone__text_addf(&problems,
                      "%s%s: the compiler configures no such operation of the model: was the text "
                      "written with other flags?",
                      problems.length ? "\n" : "", edited->list[i].function);
    else if (strcmp(before->text, edited->list[i].text) != 0)
      add_hit(use, &edited->list[i]);
  }
  free(found->problems);
  found->problems = hone__text_take(&problems);
  found->uses = use;
  found->use_count = 1;
  found->is_good = use->hit_count && !*found->problems;
}

/* Names of attributes are written out. */
static hone_status read_edited(const struct hone__model *model, const char *edited,
                               struct hone__mlir *mlir)
{
  char *path = hone__model_path(model, "edited.mlir"), *real = hone__realpath(edited);
  const char *const words[] = {real ? real : edited, local_scope, "-o", path, NULL};
  hone_status status = hone__iree_need(&model->tools, HONE__IREE_OPT);

  if (!status)
    status = hone__iree_run(&model->tools, HONE__IREE_OPT, words, model->folder, read_s, NULL);
  if (!status) status = hone__mlir_read(mlir, path);
  free(real);
  free(path);
  return hone__annotate(status, "'%s'", edited);
}

hone_status hone__model_edited_report(struct hone__model *model, const char *edited,
                                      struct hone_iree_verification **out_found)
{
  struct hone_iree_verification *found = hone__alloc(sizeof *found);
  struct hone__mlir own = {0}, other = {0};
  struct items plain = {0}, items = {0};
  char *path = hone__model_path(model, "configured.mlir");
  hone_status status = write_model(model, NULL, path);
  char **const texts[] = {&found->problems, &found->conflicts, &found->older,
                          &found->refusal,  &found->run,       &found->failure};

  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    *texts[i] = hone__strdup("");
  if (!status) status = hone__mlir_read(&own, path);
  if (!status) status = read_edited(model, edited, &other);
  if (!status) {
    hone__mlir_each(own.root, collect, &plain);
    hone__mlir_each(other.root, collect, &items);
    compare(&plain, &items, found);
    *out_found = found;
    found = NULL;
  }
  hone_iree_verification_free(found);
  release_items(&items);
  release_items(&plain);
  hone__mlir_release(&other);
  hone__mlir_release(&own);
  free(path);
  return status;
}
