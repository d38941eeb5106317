/* kind_threads.h - runs of several kinds of devices at the same time, a thread each.
 *
 * The first run finds the kinds (session/device_kinds.h). It goes on with its own, while a thread
 * makes the run of each of the others: with a store handle, workers and a search of its own. The
 * threads begin one after the other, each when the one before it has its run in the store, so that
 * numbers of runs are in the order of kinds.
 *
 * All report through one relay: notes and warnings of every run reach the caller, its progress is
 * that of the first run that is not done.
 */
#ifndef HONE_TUNE_KIND_THREADS_H
#define HONE_TUNE_KIND_THREADS_H

#include "session/cases.h"
#include "session/device_kinds.h"

#include <pthread.h>

struct hone__tuning_relay {
  const struct hone_tune_options *options; /* of the caller */
  pthread_mutex_t lock;
  bool has_ended; /* the caller wants all to end */
  size_t shown;   /* whose progress is reported */
  bool *done;     /* of `count` reporters; NULL: there is one */
  size_t count;
};
struct hone__tuning_reporter {
  struct hone__tuning_relay *relay;
  size_t number;
  struct hone_tune_options options; /* those of the caller, with events by the relay */
};
void hone__tuning_relay_init(struct hone__tuning_relay *relay,
                             const struct hone_tune_options *options);
void hone__tuning_relay_release(struct hone__tuning_relay *relay);
void hone__tuning_reporter_init(struct hone__tuning_reporter *reporter,
                                struct hone__tuning_relay *relay, size_t number);

/* From now on the progress of this one is reported, or of the next one that is not done. */
void hone__tuning_relay_show(struct hone__tuning_relay *relay, size_t number);

struct hone__tuning_kind_thread {
  struct hone__tuning_kind_threads *all;
  size_t number; /* from 1: the first run is 0 */
  struct hone__kind kind;
  struct hone__tuning_reporter reporter;
  struct hone__cases cases;
  struct hone__case which;
  struct hone_store *store;
  bool has_next_begun;
  pthread_t thread;
  struct hone__session_result result; /* after the join */
  hone_status status;
  int64_t run;
};

struct hone__tuning_kind_threads { /* { 0 } */
  struct hone__tuning_kind_thread *all;
  size_t count;
  const char *cache; /* of the thread that begins */
  struct hone__tuning_relay *relay;
  /* Makes the run; calls hone__tuning_kind_begun when it is in the store. */
  hone_status (*make)(struct hone__tuning_kind_thread *thread);
};

/* Whether the kinds of this session can be measured at the same time: builds do not disturb, and
 * no function of the caller's is called but for events. */
bool hone__tuning_kinds_at_once(const struct hone__session *session);
/* `kinds` lives in the arena of the caller, that of the first run comes first. */
void hone__tuning_kind_threads_begin(struct hone__tuning_kind_threads *threads,
                                     const struct hone__kind_list *kinds,
                                     const struct hone__cases *cases,
                                     const struct hone__case *which,
                                     struct hone__tuning_relay *relay);
void hone__tuning_kind_begun(struct hone__tuning_kind_thread *thread);
bool hone__tuning_kind_threads_are_done(const struct hone__tuning_kind_threads *threads);
/* The first run is done; waits for all others. */
void hone__tuning_kind_threads_join(struct hone__tuning_kind_threads *threads);
/* The thread whose kind has one of these devices; NULL: none has. */
struct hone__tuning_kind_thread *
hone__tuning_kind_threads_find(const struct hone__tuning_kind_threads *threads,
                               const struct hone__kind *kind);
void hone__tuning_kind_threads_release(struct hone__tuning_kind_threads *threads);

#endif
