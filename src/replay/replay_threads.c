/* Threads take the next number until there is none; the caller only watches, so that what it does
 * about progress (a status line, a signal) needs no lock. */
#include "replay/replay_threads.h"

#include "base/machine.h"
#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_THREADS = 1024, WATCH_NS = 50 * 1000 * 1000 };

struct shift {
  struct hone__replay_work *work;
  atomic_size_t next, done;
  pthread_mutex_t lock; /* of `left` */
  pthread_cond_t changed;
  unsigned left; /* threads that work */
};

static bool work_next(struct shift *shift)
{
  size_t number;

  if (atomic_load(shift->work->stop)) return false;
  number = atomic_fetch_add(&shift->next, 1);
  if (number >= shift->work->count) return false;
  shift->work->piece(shift->work->data, number);
  atomic_fetch_add(&shift->done, 1);
  return true;
}

static void report(struct shift *shift)
{
  struct hone__replay_work *work = shift->work;

  if (work->progress &&
      !work->progress(work->progress_data, atomic_load(&shift->done), work->count))
    atomic_store(work->stop, true);
}

static void *work_on(void *data)
{
  struct shift *shift = data;

  while (work_next(shift))
    ;
  pthread_mutex_lock(&shift->lock);
  shift->left--;
  pthread_cond_signal(&shift->changed);
  pthread_mutex_unlock(&shift->lock);
  return NULL;
}

static void watch(struct shift *shift)
{
  struct timespec until;

  pthread_mutex_lock(&shift->lock);
  while (shift->left) {
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WATCH_NS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&shift->changed, &shift->lock, &until);
    pthread_mutex_unlock(&shift->lock);
    report(shift);
    pthread_mutex_lock(&shift->lock);
  }
  pthread_mutex_unlock(&shift->lock);
}

static unsigned how_many(const struct hone__replay_work *work)
{
  size_t count = work->threads ? work->threads : hone__cpu_count();

  if (count > MOST_THREADS) count = MOST_THREADS;
  return (unsigned)(count < work->count ? count : work->count);
}

/* How many could be started. */
static unsigned start(struct shift *shift, unsigned count, pthread_t *threads)
{
  sigset_t all, before;
  unsigned started = 0;

  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_mutex_lock(&shift->lock);
  while (started < count && pthread_create(&threads[started], NULL, work_on, shift) == 0)
    started++;
  shift->left = started;
  pthread_mutex_unlock(&shift->lock);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return started;
}

void hone__replay_work(struct hone__replay_work *work)
{
  struct shift shift = {.work = work};
  unsigned count = how_many(work), started;
  pthread_t *threads = hone__alloc((count + 1) * sizeof *threads);

  pthread_mutex_init(&shift.lock, NULL);
  pthread_cond_init(&shift.changed, NULL);
  report(&shift);
  started = start(&shift, count, threads);
  watch(&shift);
  for (unsigned i = 0; i < started; i++)
    pthread_join(threads[i], NULL);
  while (!started && work_next(&shift))
    report(&shift);
  pthread_cond_destroy(&shift.changed);
  pthread_mutex_destroy(&shift.lock);
  free(threads);
}
