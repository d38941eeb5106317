/* The thread that tunes while the program runs with defaults. */
#include "kernel/kernel_internal.h"

#include "base/cancel.h"

#include <signal.h>
#include <stdlib.h>

static struct hone__handle_entry *take(struct hone__handle_background *background)
{
  struct hone__handle_entry *entry = background->first;

  background->first = entry->next_queued;
  if (!background->first) background->last = NULL;
  entry->next_queued = NULL;
  return entry;
}

static void warn(const struct hone_kernel *kernel, hone_status status)
{
  struct hone_event event = {.kind = HONE_EVENT_WARNING, .text = hone_status_message(status)};

  if (kernel->tune.progress) kernel->tune.progress(kernel->tune.progress_data, &event);
}

/* Problems that fail stay queued, so that they are not tried for ever. */
static void work_on(struct hone_kernel *kernel, struct hone__handle_entry *entry)
{
  const struct hone_kernel_function *function = NULL;
  struct hone__handle_background *background = &kernel->background;
  bool is_open;
  hone_status status;

  background->is_busy = true;
  pthread_mutex_unlock(&kernel->lock);
  status = hone__handle_make(kernel, entry, HONE__KERNEL_WAIT, &function, &is_open);
  if (status && !hone__cancel_requests(kernel->cancel)) warn(kernel, status);
  pthread_mutex_lock(&kernel->lock);
  background->is_busy = false;
  hone__handle_publish(entry, function);
  if (background->failure)
    hone_status_free(status);
  else
    background->failure = status;
  pthread_cond_broadcast(&kernel->changed);
}

static void *run(void *data)
{
  struct hone_kernel *kernel = data;
  struct hone__handle_background *background = &kernel->background;

  pthread_mutex_lock(&kernel->lock);
  while (!background->is_ending)
    if (background->first)
      work_on(kernel, take(background));
    else
      pthread_cond_wait(&kernel->changed, &kernel->lock);
  pthread_mutex_unlock(&kernel->lock);
  return NULL;
}

/* Signals are for the threads of the program. */
static hone_status start(struct hone_kernel *kernel)
{
  sigset_t all, before;
  int error;

  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  error = pthread_create(&kernel->background.thread, NULL, run, kernel);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  kernel->background.is_started = error == 0;
  return error ? hone__error(HONE_EXHAUSTED, "cannot start a thread: %s", strerror(error)) : NULL;
}

hone_status hone__handle_queue(struct hone_kernel *kernel, struct hone__handle_entry *entry)
{
  struct hone__handle_background *background = &kernel->background;
  hone_status status = NULL;

  if (entry->is_queued) return NULL;
  if (!background->is_started) status = start(kernel);
  if (status) return status;
  entry->is_queued = true;
  if (background->last)
    background->last->next_queued = entry;
  else
    background->first = entry;
  background->last = entry;
  return NULL;
}

void hone__handle_background_end(struct hone_kernel *kernel)
{
  struct hone__handle_background *background = &kernel->background;

  hone_cancel_request(kernel->cancel);
  hone_cancel_request(kernel->cancel); /* at once */
  pthread_mutex_lock(&kernel->lock);
  background->is_ending = true;
  pthread_cond_broadcast(&kernel->changed);
  pthread_mutex_unlock(&kernel->lock);
  if (background->is_started) pthread_join(background->thread, NULL);
  hone_status_free(background->failure);
}

hone_status hone_kernel_wait(struct hone_kernel *kernel)
{
  struct hone__handle_background *background = &kernel->background;
  hone_status status;

  pthread_mutex_lock(&kernel->lock);
  while (background->first || background->is_busy)
    pthread_cond_wait(&kernel->changed, &kernel->lock);
  status = background->failure;
  background->failure = NULL;
  pthread_mutex_unlock(&kernel->lock);
  return status;
}
