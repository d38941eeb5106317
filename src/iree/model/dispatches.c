/* hone_iree_dispatches: compile, examine every executable, take times, sort. */
#include "iree/model/dispatches.h"

#include "base/accessor.h"
#include "base/allocators.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/options_size.h"
#include "base/paths.h"
#include "hone_iree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct hone_iree_model_options defaults = {.seed = 42, .measure = true};

void hone_iree_model_options_fill(struct hone_iree_model_options *options, size_t size)
{
  hone__options_fill(options, size, &defaults, sizeof defaults);
}

hone_status hone__iree_model_take(struct hone__iree_model_given *given,
                                  const struct hone_iree_model_options *options)
{
  hone_status status;

  *given = (struct hone__iree_model_given){.options = defaults};
  status = hone__options_take(&given->options, sizeof given->options, options,
                              "hone_iree_model_options");
  if (status) return status;
  if (given->options.iree) given->iree = *given->options.iree;
  given->options.iree = &given->iree;
  return NULL;
}

static bool names_target(const char *path)
{
  static const char word[] = "device.target"; /* of #hal.device.target<...> */
  char *text = NULL;
  size_t size = 0;
  hone_status status = hone__file_read_plain(path, HONE__MODEL_LIMIT, &text, &size);
  bool found = !status && memmem(text, size, word, sizeof word - 1);

  hone_status_free(status);
  free(text);
  return found;
}

bool hone__iree_model_default_target(struct hone__iree_model_given *given, const char *path)
{
  struct hone_iree_options *options = &given->iree;

  for (size_t i = 0; i < options->flag_count; i++)
    if (hone__starts_with(options->flags[i], "--iree-hal-target")) return false;
  if (options->target || names_target(path)) return false;
  options->target = "llvm-cpu";
  return true;
}

hone_status hone__dispatches_step(const struct hone_iree_model_options *options, const char *step,
                                  size_t done, size_t all)
{
  bool goes_on = !options->progress || options->progress(options->progress_data, step, done, all);

  if (goes_on && !hone__child_guard_called()) return NULL;
  return hone__error(HONE_CANCELLED, "stopped");
}

const char *hone__dispatches_device(const struct hone__model *model,
                                    const struct hone_iree_model_options *options)
{
  return options->device ? options->device : model->driver;
}

/* ---- Folder ---- */

/* A folder given by the user stays, and is created if it does not exist. */
static hone_status open_folder(const char *wanted, char **out_folder)
{
  struct hone__text within = {0};
  hone_status status;

  if (!wanted) return hone__folder_make(NULL, out_folder);
  hone__text_addf(&within, "%s/", wanted);
  status = hone__path_make_folders(within.data);
  if (!status) *out_folder = hone__realpath(wanted);
  if (!status && !*out_folder) status = hone__path_error("open", wanted);
  hone__text_release(&within);
  return status;
}

static void close_folder(const char *wanted, char *folder)
{
  if (!wanted) hone__folder_remove(folder);
  free(folder);
}

/* ---- Looking ---- */

static hone_status read_model(struct hone__model *model, const char *path, const char *folder,
                              const struct hone_iree_model_options *options)
{
  hone_status status = hone__dispatches_step(options, "finding the compiler", 0, 0);

  if (!status) status = hone__model_open(model, path, options, folder);
  if (!status) status = hone__dispatches_step(options, "reading the model", 0, 0);
  if (!status) status = hone__model_flow(model);
  return status;
}

/* Without times no function need be chosen. */
static hone_status choose_function(const struct hone__model *model,
                                   const struct hone_iree_model_options *options,
                                   char **out_function)
{
  hone_status status = hone__dispatches_function(model, options, out_function);

  if (!status || options->function || options->measure) return status;
  hone_status_free(status);
  return NULL;
}

static hone_status describe_all(const struct hone__model *model,
                                const struct hone_iree_model_options *options,
                                struct hone_iree_dispatches *dispatches)
{
  hone_status status = NULL;

  dispatches->dispatches = hone__alloc((model->count + 1) * sizeof *dispatches->dispatches);
  for (size_t i = 0; !status && i < model->count; i++) {
    struct hone_iree_dispatch *info = &dispatches->dispatches[i];
    status = hone__dispatches_step(options, "counting candidates", i, model->count);
    if (status) break;
    dispatches->count = i + 1;
    status = hone__model_dispatch_describe(model, &model->executables[i], NULL, info);
    info->calls = hone__model_calls(model, *dispatches->function ? dispatches->function : NULL,
                                    &model->executables[i]);
  }
  return status;
}

/* Files in a temporary folder are not named. */
static void forget_files(const struct hone_iree_model_options *options,
                         struct hone_iree_dispatches *dispatches)
{
  if (options->folder) return;
  for (size_t i = 0; i < dispatches->count; i++)
    *dispatches->dispatches[i].file = '\0';
  *dispatches->module = '\0';
}

/* ---- Order ---- */

struct ranked {
  struct hone_iree_dispatch info;
  size_t place;
};

static int is_longer(const void *a, const void *b)
{
  const struct ranked *first = a, *second = b;
  double x = isnan(first->info.time_ns) ? -1 : first->info.time_ns,
         y = isnan(second->info.time_ns) ? -1 : second->info.time_ns;

  if (x != y) return x < y ? 1 : -1;
  return first->place < second->place ? -1 : first->place > second->place;
}

static void sort(struct hone_iree_dispatches *dispatches)
{
  struct ranked *ranked = hone__alloc((dispatches->count + 1) * sizeof *ranked);

  for (size_t i = 0; i < dispatches->count; i++)
    ranked[i] = (struct ranked){.info = dispatches->dispatches[i], .place = i};
  qsort(ranked, dispatches->count, sizeof *ranked, is_longer);
  for (size_t i = 0; i < dispatches->count; i++)
    dispatches->dispatches[i] = ranked[i].info;
  free(ranked);
}

/* ---- All ---- */

/* A function that cannot be called is reported before the long part begins. */
static hone_status prepare(const struct hone__model *model,
                           const struct hone_iree_model_options *options,
                           struct hone_iree_dispatches *dispatches, struct hone__words *call)
{
  hone_status status = choose_function(model, options, &dispatches->function);

  dispatches->target = hone__strdup(model->target);
  dispatches->backend = hone__strdup(model->backend);
  dispatches->device = hone__strdup(hone__dispatches_device(model, options));
  dispatches->why_untimed = hone__strdup("");
  if (status || !options->measure || !hone__dispatches_can_list(model, dispatches->device))
    return status;
  return hone__dispatches_call(model, options, call, NULL);
}

static hone_status fill(struct hone__model *model, const char *path, const char *folder,
                        const struct hone_iree_model_options *options,
                        struct hone_iree_dispatches *dispatches)
{
  struct hone__words call = {0};
  hone_status status = read_model(model, path, folder, options);

  if (!status) status = prepare(model, options, dispatches, &call);
  if (!status) status = hone__dispatches_step(options, "compiling the model", 0, 0);
  if (!status) status = hone__model_dump(model);
  if (!status) {
    dispatches->module = hone__strdup(model->module);
    status = describe_all(model, options, dispatches);
  }
  if (!status && options->measure)
    status = hone__dispatches_time(model, options, call.count ? &call : NULL, dispatches);
  if (!status) sort(dispatches);
  hone__words_release(&call);
  return status;
}

static hone_status list(const char *path, const struct hone_iree_model_options *options,
                        struct hone_iree_dispatches *dispatches)
{
  struct hone__model opened = {0};
  struct hone__child_guard guard;
  char *folder = NULL;
  hone_status status;

  hone__child_guard_begin(&guard);
  status = open_folder(options->folder, &folder);
  if (!status) status = fill(&opened, path, folder, options, dispatches);
  if (!status) forget_files(options, dispatches);
  hone__model_release(&opened);
  close_folder(options->folder, folder);
  hone__child_guard_end(&guard);
  return status;
}

hone_status hone_iree_dispatches(const char *model, const struct hone_iree_model_options *options,
                                 struct hone_iree_dispatches **out_dispatches)
{
  struct hone__iree_model_given given;
  struct hone_iree_dispatches *dispatches;
  hone_status status;

  hone__allocators_install();
  *out_dispatches = NULL;
  status = hone__iree_model_take(&given, options);
  if (status) return status;
  hone__iree_model_default_target(&given, model);
  dispatches = hone__alloc(sizeof *dispatches);
  dispatches->time_ns = NAN;
  status = list(model, &given.options, dispatches);
  if (status)
    hone_iree_dispatches_free(dispatches);
  else
    *out_dispatches = dispatches;
  return status;
}

void hone__dispatches_release(struct hone_iree_dispatches *dispatches)
{
  for (size_t i = 0; i < dispatches->count; i++)
    hone__model_dispatch_info_release(&dispatches->dispatches[i]);
  free(dispatches->dispatches);
  free(dispatches->target);
  free(dispatches->backend);
  free(dispatches->device);
  free(dispatches->function);
  free(dispatches->why_untimed);
  free(dispatches->module);
  *dispatches = (struct hone_iree_dispatches){0};
}

void hone_iree_dispatches_free(struct hone_iree_dispatches *dispatches)
{
  if (dispatches) hone__dispatches_release(dispatches);
  free(dispatches);
}

/* ---- Accessors ---- */

#define LIST(type, property, field) HONE__GET(type, hone_iree_dispatches, property, field)
LIST(const char *, backend, backend)
LIST(const char *, target, target)
LIST(const char *, device, device)
LIST(const char *, function, function)
LIST(double, time_ns, time_ns)
LIST(bool, is_alone, is_alone)
LIST(const char *, why_untimed, why_untimed)
LIST(const char *, module, module)
LIST(size_t, count, count)
HONE__LEND_AT(hone_iree_dispatch, hone_iree_dispatches, at, dispatches, count)

#define DISPATCH(type, property, field) HONE__GET(type, hone_iree_dispatch, property, field)
DISPATCH(const char *, name, name)
DISPATCH(const char *, executable, executable)
DISPATCH(const char *, operation, operation)
DISPATCH(const char *, layout, layout)
DISPATCH(const char *, sizes, sizes)
DISPATCH(const char *, types, types)
DISPATCH(const char *, pipeline, pipeline)
DISPATCH(const char *, configuration, configuration)
DISPATCH(const char *, compilation_info, compilation_info)
DISPATCH(uint64_t, candidate_count, candidates)
DISPATCH(const char *, why_not, why_not)
DISPATCH(double, time_ns, time_ns)
DISPATCH(uint64_t, calls, calls)
DISPATCH(double, share, share)
DISPATCH(const char *, file, file)
