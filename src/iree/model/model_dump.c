/* What the compiler dumps is found by its content, not by the names of files: an executable has a
 * file with its configuration always, and one to be benchmarked by itself only if all that it is
 * called with is known.
 */
#include "iree/model/model_dump.h"

#include "base/paths.h"
#include "base/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

enum { DUMPS_LIMIT = 1 << 14 };

/* ---- Files ---- */

typedef hone_status file_visit(struct hone__model *model, const char *path);

static int is_configured(const struct dirent *entry)
{
  return hone__starts_with(entry->d_name, "configured_");
}

static int is_benchmark(const struct dirent *entry)
{
  return hone__ends_with(entry->d_name, "_benchmark.mlir");
}

static hone_status each_file(struct hone__model *model, const char *folder,
                             int (*is_ours)(const struct dirent *), file_visit *visit)
{
  struct dirent **entries = NULL;
  int count = scandir(folder, &entries, is_ours, versionsort);
  hone_status status = NULL;

  for (int i = 0; i < count; i++) {
    struct hone__text path = {0};
    hone__text_addf(&path, "%s/%s", folder, entries[i]->d_name);
    if (!status && i < DUMPS_LIMIT) status = visit(model, path.data);
    hone__text_release(&path);
    free(entries[i]);
  }
  free(entries);
  return status;
}

static hone_status remove_file(struct hone__model *model, const char *path)
{
  (void)model;
  return unlink(path) == 0 ? NULL : hone__path_error("remove", path);
}

/* ---- Executables ---- */

static struct hone__model_executable *find(struct hone__model *model, const char *name)
{
  for (size_t i = 0; i < model->count; i++)
    if (strcmp(model->executables[i].name, name) == 0) return &model->executables[i];
  return NULL;
}

static hone_status visit_configured(struct hone__model *model, const char *path)
{
  struct hone__mlir file = {0};
  hone_status status = hone__mlir_read(&file, path);
  const struct hone__mlir_op *executable = NULL, *entry;

  if (!status) executable = hone__mlir_find(file.root, "hal.executable");
  if (executable && executable->symbol && !find(model, executable->symbol)) {
    struct hone__model_executable *made;
    model->executables =
        hone__realloc(model->executables, (model->count + 1) * sizeof *model->executables);
    made = &model->executables[model->count++];
    entry = hone__mlir_find(executable, "hal.executable.export");
    *made = (struct hone__model_executable){0};
    made->name = hone__strdup(executable->symbol);
    made->entry = hone__strdup(entry && entry->symbol ? entry->symbol : executable->symbol);
    made->configured = hone__strdup(path);
  }
  hone__mlir_release(&file);
  return status;
}

static hone_status visit_benchmark(struct hone__model *model, const char *path)
{
  struct hone__mlir file = {0};
  hone_status status = hone__mlir_read(&file, path);
  const struct hone__mlir_op *executable = NULL;
  struct hone__model_executable *known = NULL;

  if (!status) executable = hone__mlir_find(file.root, "hal.executable");
  if (executable && executable->symbol) known = find(model, executable->symbol);
  if (known && !known->benchmark) known->benchmark = hone__strdup(path);
  hone__mlir_release(&file);
  return status;
}

/* ---- Dumping ---- */

hone_status hone__model_dump(struct hone__model *model)
{
  char *benchmarks = hone__model_path(model, "dispatches"),
       *configured = hone__model_path(model, "configured"),
       *module = hone__model_path(model, "untuned.vmfb");
  struct hone__words more = {0};
  hone_status status = each_file(model, benchmarks, is_benchmark, remove_file);

  if (!status) status = each_file(model, configured, is_configured, remove_file);
  hone__words_add(&more, "--iree-codegen-add-tuner-attributes");
  hone__iree_word(&more, "--iree-hal-dump-executable-benchmarks-to=%s", benchmarks);
  hone__iree_word(&more, "--iree-hal-dump-executable-configurations-to=%s", configured);
  if (!status) status = hone__model_compile(model, hone__words_list(&more), module);
  if (!status) status = each_file(model, configured, is_configured, visit_configured);
  if (!status) status = each_file(model, benchmarks, is_benchmark, visit_benchmark);
  if (!status) {
    model->module = module;
    module = NULL;
  }
  hone__words_release(&more);
  free(module);
  free(configured);
  free(benchmarks);
  return status;
}
