/* Opening and freeing a kernel: its options, its spec, its sizes. */
#include "kernel/kernel_internal.h"

#include "base/allocators.h"
#include "base/options_size.h"

#include <stdlib.h>

static const char *const autotune_names[] = {
#define AUTOTUNE_NAME(id, name) name,
    HONE_AUTOTUNES(AUTOTUNE_NAME)
#undef AUTOTUNE_NAME
};
enum { AUTOTUNE_COUNT = sizeof autotune_names / sizeof *autotune_names };

const char *hone_autotune_name(enum hone_autotune autotune)
{
  return (unsigned)autotune < AUTOTUNE_COUNT ? autotune_names[autotune] : "";
}

/* ---- Options ---- */

void hone_kernel_options_fill(struct hone_kernel_options *options, size_t size)
{
  static const struct hone_kernel_options defaults;

  hone__options_fill(options, size, &defaults, sizeof defaults);
}

static hone_status read_autotune(enum hone_autotune given, enum hone_autotune *out_autotune)
{
  const char *name = getenv("HONE_AUTOTUNE");

  *out_autotune = given;
  if ((unsigned)given >= AUTOTUNE_COUNT)
    return hone__error(HONE_INVALID_ARGUMENT, "%d is not a value of enum hone_autotune",
                       (int)given);
  if (!name || !*name) return NULL;
  for (int i = 0; i < AUTOTUNE_COUNT; i++)
    if (strcmp(name, autotune_names[i]) == 0) {
      *out_autotune = (enum hone_autotune)i;
      return NULL;
    }
  return hone__error(HONE_INVALID_ARGUMENT,
                     "HONE_AUTOTUNE is '%s'; it can be on, off, lookup or require", name);
}

/* ---- Sizes ---- */

static hone_status check_sizes(const struct hone_spec *spec)
{
  const struct hone__problem *first = &spec->problems[0];

  for (size_t i = 0; i < first->count; i++)
    if (first->values[i].type != HONE_INT)
      return hone__error(
          HONE_INVALID_ARGUMENT,
          "the size '%s' of the kernel '%s' is not an integer: hone_kernel_get takes "
          "integers only",
          first->names[i], spec->name);
  for (size_t k = 1; k < spec->problem_count; k++) {
    bool is_same = spec->problems[k].count == first->count;
    for (size_t i = 0; is_same && i < first->count; i++)
      is_same = strcmp(spec->problems[k].names[i], first->names[i]) == 0;
    if (!is_same)
      return hone__error(HONE_INVALID_ARGUMENT,
                         "the problems '%s' and '%s' of the kernel '%s' have different sizes",
                         first->text, spec->problems[k].text, spec->name);
  }
  return NULL;
}

static hone_status take_ignored(struct hone_kernel *kernel)
{
  const struct hone_kernel_options *options = &kernel->options;

  kernel->is_ignored = hone__alloc(kernel->size_count + 1);
  for (size_t k = 0; k < options->ignored_count; k++) {
    size_t i = 0;
    while (i < kernel->size_count && strcmp(kernel->first->names[i], options->ignored[k]) != 0)
      i++;
    if (i == kernel->size_count)
      return hone__error(HONE_INVALID_ARGUMENT, "the kernel '%s' has no size '%s' to be ignored",
                         kernel->spec->name, options->ignored[k]);
    kernel->is_ignored[i] = true;
  }
  return NULL;
}

/* ---- Opening ---- */

static hone_status take_backend(struct hone_kernel *kernel)
{
  hone_status status = hone__backend_of(kernel->spec, &kernel->backend);

  if (status) return status;
  if (!kernel->backend->host)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "the kernel '%s' cannot be called: kernels of the backend '%s' are not "
                       "functions",
                       kernel->spec->name, kernel->backend->name);
  if (kernel->spec->shapes)
    return hone__error(HONE_INVALID_ARGUMENT, "the kernel '%s' has shapes: give its sizes instead",
                       kernel->spec->name);
  kernel->host = (struct hone__host){.context = kernel->options.opencl_context,
                                     .device = kernel->options.opencl_device};
  return kernel->backend->host->enter ? kernel->backend->host->enter(&kernel->host) : NULL;
}

static hone_status set_up(struct hone_kernel *kernel)
{
  hone_status status = read_autotune(kernel->options.autotune, &kernel->autotune);

  if (!status) status = check_sizes(kernel->spec);
  if (status) return status;
  kernel->first = &kernel->spec->problems[0];
  kernel->size_count = kernel->first->count;
  hone_tune_options_init(&kernel->tune);
  status = hone__options_take(&kernel->tune, sizeof kernel->tune, kernel->options.tune,
                              "hone_tune_options");
  if (!status) status = take_ignored(kernel);
  if (!status) status = hone__handle_wisdom_open(kernel);
  return status ? status : take_backend(kernel);
}

static hone_status open_kernel(const struct hone_spec *spec, struct hone_spec *own_spec,
                               const struct hone_kernel_options *options,
                               struct hone_kernel **out_kernel)
{
  struct hone_kernel *kernel = hone__alloc(sizeof *kernel);
  hone_status status;

  kernel->spec = spec;
  kernel->own_spec = own_spec;
  kernel->cancel = hone_cancel_new();
  pthread_mutex_init(&kernel->lock, NULL);
  pthread_cond_init(&kernel->changed, NULL);
  hone_kernel_options_init(&kernel->options);
  status =
      hone__options_take(&kernel->options, sizeof kernel->options, options, "hone_kernel_options");
  if (!status) status = set_up(kernel);
  if (status)
    hone_kernel_free(kernel);
  else
    *out_kernel = kernel;
  return status;
}

hone_status hone_kernel_open_spec(const struct hone_spec *spec,
                                  const struct hone_kernel_options *options,
                                  struct hone_kernel **out_kernel)
{
  *out_kernel = NULL;
  hone__allocators_install();
  return open_kernel(spec, NULL, options, out_kernel);
}

hone_status hone_kernel_open(const char *file, const struct hone_kernel_options *options,
                             struct hone_kernel **out_kernel)
{
  struct hone_spec *spec = NULL;
  hone_status status;

  *out_kernel = NULL;
  status = hone_spec_open(file, &spec);
  return status ? status : open_kernel(spec, spec, options, out_kernel);
}

/* ---- The end ---- */

static void free_functions(struct hone_kernel *kernel)
{
  struct hone__handle_made *made = kernel->made, *next_made;
  struct hone__handle_loaded *loaded = kernel->loaded, *next;

  for (; made; made = next_made) {
    next_made = made->next;
    hone__arena_release(&made->arena);
    free(made);
  }
  for (; loaded; loaded = next) {
    next = loaded->next;
    kernel->backend->host->unload(loaded->context, &loaded->loaded);
    free(loaded);
  }
}

void hone_kernel_free(struct hone_kernel *kernel)
{
  if (!kernel) return;
  hone__handle_background_end(kernel);
  free_functions(kernel);
  hone__handle_table_free(kernel);
  pthread_cond_destroy(&kernel->changed);
  pthread_mutex_destroy(&kernel->lock);
  free(kernel->is_ignored);
  hone_spec_free(kernel->own_spec);
  hone_cancel_free(kernel->cancel);
  hone_wisdom_free(kernel->wisdom);
  free(kernel);
}

/* ---- Facts ---- */

size_t hone_kernel_size_count(const struct hone_kernel *kernel)
{
  return kernel->size_count;
}

const char *hone_kernel_size_name(const struct hone_kernel *kernel, size_t index)
{
  return index < kernel->size_count ? kernel->first->names[index] : NULL;
}

enum hone_autotune hone_kernel_autotune(const struct hone_kernel *kernel)
{
  return kernel->autotune;
}
