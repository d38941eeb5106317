/* A thread shares with others what never changes (the spec, a solved space, the options), the cache
 * and the store's file. */
#include "tune/kind_threads.h"

#include "base/memory.h"
#include "session/session.h"
#include "store/cache.h"

#include <stdlib.h>

/* ---- Events ---- */

static bool is_message(const struct hone_event *event)
{
  return event->kind == HONE_EVENT_NOTE || event->kind == HONE_EVENT_WARNING;
}

static bool relay_event(void *data, const struct hone_event *event)
{
  struct hone__tuning_reporter *reporter = data;
  struct hone__tuning_relay *relay = reporter->relay;
  bool goes_on;

  pthread_mutex_lock(&relay->lock);
  if (is_message(event) || reporter->number == relay->shown)
    if (!relay->options->progress(relay->options->progress_data, event)) relay->has_ended = true;
  goes_on = !relay->has_ended;
  pthread_mutex_unlock(&relay->lock);
  return goes_on;
}

void hone__tuning_relay_init(struct hone__tuning_relay *relay,
                             const struct hone_tune_options *options)
{
  *relay = (struct hone__tuning_relay){.options = options};
  pthread_mutex_init(&relay->lock, NULL);
}

void hone__tuning_relay_release(struct hone__tuning_relay *relay)
{
  pthread_mutex_destroy(&relay->lock);
  free(relay->done);
}

void hone__tuning_reporter_init(struct hone__tuning_reporter *reporter,
                                struct hone__tuning_relay *relay, size_t number)
{
  *reporter =
      (struct hone__tuning_reporter){.relay = relay, .number = number, .options = *relay->options};
  if (!relay->options->progress) return;
  reporter->options.progress = relay_event;
  reporter->options.progress_data = reporter;
}

static void skip_done(struct hone__tuning_relay *relay)
{
  while (relay->shown < relay->count && relay->done[relay->shown])
    relay->shown++;
}

static void end_reporter(struct hone__tuning_relay *relay, size_t number)
{
  pthread_mutex_lock(&relay->lock);
  relay->done[number] = true;
  skip_done(relay);
  pthread_mutex_unlock(&relay->lock);
}

void hone__tuning_relay_show(struct hone__tuning_relay *relay, size_t number)
{
  pthread_mutex_lock(&relay->lock);
  relay->shown = number;
  skip_done(relay);
  pthread_mutex_unlock(&relay->lock);
}

/* ---- Threads ---- */

bool hone__tuning_kinds_at_once(const struct hone__session *session)
{
  const struct hone_tune_options *options = session->settings.options;

  return session->workers.overlap && !options->stages && !hone__session_served_builders(session);
}

static void *work(void *data)
{
  struct hone__tuning_kind_thread *thread = data;

  hone__cache_choose(thread->all->cache);
  thread->status = hone__store_open(thread->cases.options->store, false, &thread->store);
  if (!thread->status) thread->status = thread->all->make(thread);
  hone__tuning_kind_begun(thread); /* where it could not begin */
  hone__store_close(thread->store);
  end_reporter(thread->all->relay, thread->number);
  return NULL;
}

static void start(struct hone__tuning_kind_threads *threads, size_t i)
{
  struct hone__tuning_kind_thread *thread = &threads->all[i];

  if (pthread_create(&thread->thread, NULL, work, thread) != 0) hone__out_of_memory();
}

void hone__tuning_kind_begun(struct hone__tuning_kind_thread *thread)
{
  if (thread->has_next_begun) return;
  thread->has_next_begun = true;
  if (thread->number < thread->all->count) start(thread->all, thread->number);
}

static void fill(struct hone__tuning_kind_threads *threads, size_t i, const struct hone__kind *kind,
                 const struct hone__cases *cases, const struct hone__case *which)
{
  struct hone__tuning_kind_thread *thread = &threads->all[i];

  thread->all = threads;
  thread->number = i + 1;
  thread->kind = *kind;
  hone__tuning_reporter_init(&thread->reporter, threads->relay, thread->number);
  thread->cases = *cases;
  thread->cases.options = &thread->reporter.options;
  thread->which = *which;
  thread->which.at_once = threads->count + 1;
}

void hone__tuning_kind_threads_begin(struct hone__tuning_kind_threads *threads,
                                     const struct hone__kind_list *kinds,
                                     const struct hone__cases *cases,
                                     const struct hone__case *which,
                                     struct hone__tuning_relay *relay)
{
  if (kinds->count < 2 || threads->count) return;
  threads->count = kinds->count - 1;
  threads->all = hone__alloc(threads->count * sizeof *threads->all);
  threads->relay = relay;
  threads->cache = hone__cache_folder();
  pthread_mutex_lock(&relay->lock);
  relay->count = kinds->count;
  relay->done = hone__alloc(kinds->count * sizeof *relay->done);
  pthread_mutex_unlock(&relay->lock);
  for (size_t i = 0; i < threads->count; i++)
    fill(threads, i, &kinds->all[i + 1], cases, which);
  start(threads, 0);
}

bool hone__tuning_kind_threads_are_done(const struct hone__tuning_kind_threads *threads)
{
  bool are_done = true;

  pthread_mutex_lock(&threads->relay->lock);
  for (size_t i = 1; i <= threads->count; i++)
    are_done = are_done && threads->relay->done[i];
  pthread_mutex_unlock(&threads->relay->lock);
  return are_done;
}

/* A thread starts the next one before it ends: when it was joined, that one is there. */
void hone__tuning_kind_threads_join(struct hone__tuning_kind_threads *threads)
{
  if (!threads->count) return;
  end_reporter(threads->relay, 0);
  for (size_t i = 0; i < threads->count; i++)
    pthread_join(threads->all[i].thread, NULL);
}

struct hone__tuning_kind_thread *
hone__tuning_kind_threads_find(const struct hone__tuning_kind_threads *threads,
                               const struct hone__kind *kind)
{
  for (size_t i = 0; i < threads->count; i++)
    if (hone__kind_has(kind, threads->all[i].kind.devices[0])) return &threads->all[i];
  return NULL;
}

void hone__tuning_kind_threads_release(struct hone__tuning_kind_threads *threads)
{
  for (size_t i = 0; i < threads->count; i++) {
    hone_status_free(threads->all[i].status);
    free(threads->all[i].result.runs);
  }
  free(threads->all);
  *threads = (struct hone__tuning_kind_threads){0};
}
