/* From sizes to a function. One thread makes the function of a problem; those that ask meanwhile
 * wait for it, and get its failure too. */
#include "kernel/kernel_internal.h"

#include <stdlib.h>

/* ---- Making it once ---- */

static const struct hone_kernel_function *function_of(const struct hone__handle_entry *entry)
{
  return atomic_load_explicit(&entry->function, memory_order_acquire);
}

static enum hone__handle_effort effort_of(const struct hone_kernel *kernel)
{
  if (kernel->autotune == HONE_AUTOTUNE_OFF) return HONE__KERNEL_DEFAULT;
  if (kernel->autotune != HONE_AUTOTUNE_ON || kernel->options.background) return HONE__KERNEL_LOOK;
  return kernel->options.no_wait ? HONE__KERNEL_TUNE : HONE__KERNEL_WAIT;
}

/* With the lock. */
static void keep_failure(struct hone__handle_entry *entry, hone_status status)
{
  free(entry->message);
  entry->message = status ? hone__strdup(hone_status_message(status)) : NULL;
  entry->code = hone_status_code(status);
}

/* With the lock, as the next two; without it while it works. */
static hone_status make(struct hone_kernel *kernel, struct hone__handle_entry *entry)
{
  const struct hone_kernel_function *function = NULL;
  bool is_open = false;
  hone_status status;

  entry->is_making = true;
  pthread_mutex_unlock(&kernel->lock);
  status = hone__handle_make(kernel, entry, effort_of(kernel), &function, &is_open);
  pthread_mutex_lock(&kernel->lock);
  entry->is_making = false;
  entry->attempts++;
  keep_failure(entry, status);
  hone__handle_publish(entry, function);
  if (!status && is_open && kernel->autotune == HONE_AUTOTUNE_ON)
    status = hone__handle_queue(kernel, entry);
  pthread_cond_broadcast(&kernel->changed);
  return status;
}

/* Another thread makes the function: waits for it. NULL also if it succeeded, or if this thread is
 * to try again. */
static hone_status wait_for_it(struct hone_kernel *kernel, struct hone__handle_entry *entry)
{
  uint64_t attempts = entry->attempts;

  while (entry->is_making && entry->attempts == attempts)
    pthread_cond_wait(&kernel->changed, &kernel->lock);
  return entry->message ? hone__error(entry->code, "%s", entry->message) : NULL;
}

static hone_status take_default(struct hone_kernel *kernel, struct hone__handle_entry *entry)
{
  const struct hone_kernel_function *function = NULL;
  bool is_open;
  hone_status status;

  pthread_mutex_unlock(&kernel->lock);
  status = hone__handle_make(kernel, entry, HONE__KERNEL_DEFAULT, &function, &is_open);
  pthread_mutex_lock(&kernel->lock);
  if (!function_of(entry)) hone__handle_publish(entry, function); /* else it is done by now */
  return status;
}

static hone_status get_slowly(struct hone_kernel *kernel, const int64_t *sizes, uintptr_t context,
                              uint64_t hash, const struct hone_kernel_function **out_function)
{
  struct hone__handle_entry *entry;
  hone_status status = NULL;

  pthread_mutex_lock(&kernel->lock);
  entry = hone__handle_find(kernel, sizes, context, hash);
  if (!entry) entry = hone__handle_add(kernel, sizes, context, hash);
  while (!status && !function_of(entry))
    status = !entry->is_making         ? make(kernel, entry)
             : kernel->options.no_wait ? take_default(kernel, entry)
                                       : wait_for_it(kernel, entry);
  *out_function = status ? NULL : function_of(entry);
  pthread_mutex_unlock(&kernel->lock);
  return status;
}

/* ---- The interface ---- */

hone_status hone_kernel_get(struct hone_kernel *kernel, const int64_t *sizes,
                            const struct hone_kernel_function **out_function)
{
  const struct hone__backend_host *host = kernel->backend->host;
  uintptr_t context = host->context ? host->context(&kernel->host) : 0;
  uint64_t hash = hone__handle_hash(sizes, kernel->size_count, context);
  const struct hone__handle_entry *entry = hone__handle_find(kernel, sizes, context, hash);

  *out_function = entry ? function_of(entry) : NULL;
  if (*out_function) return NULL;
  return get_slowly(kernel, sizes, context, hash, out_function);
}

static hone_status no_such_size(const struct hone_kernel *kernel, const char *name)
{
  struct hone__text known = {0};
  hone_status status;

  for (size_t i = 0; i < kernel->size_count; i++)
    hone__text_addf(&known, "%s%s", i ? ", " : "", kernel->first->names[i]);
  status = hone__error(HONE_INVALID_ARGUMENT, "the kernel '%s' has no size '%s'; it has %s",
                       kernel->spec->name, name, known.data ? known.data : "none");
  hone__text_release(&known);
  return status;
}

static hone_status take_size(const struct hone_kernel *kernel, const struct hone_kernel_size *size,
                             int64_t *values, bool *is_given)
{
  size_t i = 0;

  while (i < kernel->size_count && strcmp(kernel->first->names[i], size->name) != 0)
    i++;
  if (i == kernel->size_count) return no_such_size(kernel, size->name);
  if (is_given[i])
    return hone__error(HONE_INVALID_ARGUMENT, "the size '%s' is given twice", size->name);
  values[i] = size->value;
  is_given[i] = true;
  return NULL;
}

static hone_status check_given(const struct hone_kernel *kernel, const bool *is_given,
                               int64_t *values)
{
  for (size_t i = 0; i < kernel->size_count; i++) {
    if (is_given[i]) continue;
    if (!kernel->is_ignored[i])
      return hone__error(HONE_INVALID_ARGUMENT, "the size '%s' of the kernel '%s' is missing",
                         kernel->first->names[i], kernel->spec->name);
    values[i] = kernel->first->values[i].integer;
  }
  return NULL;
}

hone_status hone_kernel_get_named(struct hone_kernel *kernel, const struct hone_kernel_size *sizes,
                                  size_t count, const struct hone_kernel_function **out_function)
{
  int64_t *values = hone__alloc((kernel->size_count + 1) * sizeof *values);
  bool *is_given = hone__alloc(kernel->size_count + 1);
  hone_status status = NULL;

  *out_function = NULL;
  for (size_t i = 0; i < count && !status; i++)
    status = take_size(kernel, &sizes[i], values, is_given);
  if (!status) status = check_given(kernel, is_given, values);
  if (!status) status = hone_kernel_get(kernel, values, out_function);
  free(values);
  free(is_given);
  return status;
}

bool hone_kernel_value(const struct hone_kernel_function *function, const char *name,
                       int64_t *out_value)
{
  const struct hone__handle_made *made = (const struct hone__handle_made *)(const void *)function;

  for (size_t i = 0; i < made->value_count; i++)
    if (strcmp(made->values[i].name, name) == 0) {
      *out_value = made->values[i].value.integer;
      return true;
    }
  return false;
}
