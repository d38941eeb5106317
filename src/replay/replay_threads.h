/* replay_threads.h - much work in equal pieces, on all cores. */
#ifndef HONE_REPLAY_REPLAY_THREADS_H
#define HONE_REPLAY_REPLAY_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hone__replay_work {
  size_t count;
  unsigned threads;                         /* 0: as many as CPUs */
  void (*piece)(void *data, size_t number); /* by any thread, the lower numbers first */
  void *data;
  atomic_bool *stop; /* once it is true nothing more is begun */
  /* By the calling thread, at once and some times a second; false sets `stop`. May be NULL. */
  bool (*progress)(void *data, uint64_t done, uint64_t total);
  void *progress_data;
};

/* Returns when all that was begun is done. Threads get no signals. */
void hone__replay_work(struct hone__replay_work *work);

#endif
