/* kernel_internal.h - the parts of a kernel that is tuned when it is first called.
 *
 *   kernel_open.c        options, the spec, the end
 *   kernel_get.c         from sizes to a function: who makes it, who waits
 *   kernel_table.c       the functions that are known, read without a lock
 *   kernel_make.c        one problem: choice, build, load
 *   kernel_choice.c      which configuration: lookup, store, tuning
 *   kernel_wisdom.c      what a wisdom file says
 *   kernel_known.c       what a run of the store says
 *   kernel_object.c      its object: cache, or a builder
 *   kernel_background.c  the thread that tunes
 */
#ifndef HONE_KERNEL_KERNEL_INTERNAL_H
#define HONE_KERNEL_KERNEL_INTERNAL_H

#include "backend/backend.h"
#include "base/text.h"
#include "hone_kernel.h"
#include "hone_wisdom.h"
#include "tune/tuning.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- Entries: problems that were asked for ---- */

struct hone__handle_entry {
  uint64_t hash;
  uintptr_t context;                                     /* see host.h; 0: none */
  _Atomic(const struct hone_kernel_function *) function; /* NULL: none yet */
  /* The rest belongs to the holder of the kernel's lock. */
  bool is_making; /* a thread is making it */
  bool is_queued; /* the background will tune it, or does */
  uint64_t attempts;
  enum hone_code code; /* of the last attempt */
  char *message;
  struct hone__handle_entry *next;        /* of all */
  struct hone__handle_entry *next_queued; /* for the background */
  int64_t sizes[];
};

struct hone__handle_table { /* open addressing; a full one is replaced by one of twice its size */
  size_t mask;
  struct hone__handle_table *older; /* readers may still have it: freed at the end */
  _Atomic(struct hone__handle_entry *) slots[];
};

struct hone__handle_loaded { /* an object in this process; problems share it */
  char key[HONE__DIGEST_SIZE];
  uintptr_t context;
  struct hone__loaded loaded;
  struct hone__handle_loaded *next;
};

struct hone__handle_made {              /* a function, with what it points to */
  struct hone_kernel_function function; /* first: see hone_kernel_value */
  struct hone__arena arena;
  struct hone__named *values; /* parameters and derived values that are integers */
  size_t value_count;
  struct hone__handle_made *next;
};

struct hone__handle_background {
  pthread_t thread;
  bool is_started, is_ending, is_busy;
  struct hone__handle_entry *first, *last;
  hone_status failure; /* the first */
};

struct hone_kernel {
  struct hone_spec *own_spec; /* or NULL */
  const struct hone_spec *spec;
  struct hone_kernel_options options;
  struct hone_tune_options tune; /* a copy, with the fields that are ours */
  enum hone_autotune autotune;
  const struct hone__backend *backend;
  struct hone__host host;
  size_t size_count;
  const struct hone__problem *first; /* of the spec: names, and values of what is ignored */
  bool *is_ignored;                  /* by size */
  struct hone_cancel *cancel;
  struct hone_wisdom *wisdom; /* or NULL */

  _Atomic(struct hone__handle_table *) table;
  pthread_mutex_t lock; /* of all below, of the table's writers and of entries */
  pthread_cond_t changed;
  size_t entry_count;
  struct hone__handle_entry *entries;
  struct hone__handle_loaded *loaded;
  struct hone__handle_made *made;
  struct hone__handle_background background;
};

/* ---- kernel_table.c ---- */
uint64_t hone__handle_hash(const int64_t *sizes, size_t count, uintptr_t context);
/* NULL: there is none. Needs no lock. */
struct hone__handle_entry *hone__handle_find(const struct hone_kernel *kernel, const int64_t *sizes,
                                             uintptr_t context, uint64_t hash);
/* Adds it; there is none yet. With the lock. */
struct hone__handle_entry *hone__handle_add(struct hone_kernel *kernel, const int64_t *sizes,
                                            uintptr_t context, uint64_t hash);
/* With the lock: what others wait for. */
void hone__handle_publish(struct hone__handle_entry *entry,
                          const struct hone_kernel_function *function);
void hone__handle_table_free(struct hone_kernel *kernel);

/* ---- kernel_choice.c ---- */
enum hone__handle_effort {
  HONE__KERNEL_DEFAULT, /* the default, at once */
  HONE__KERNEL_LOOK,    /* what is known */
  HONE__KERNEL_TUNE,    /* tune it, unless another process does and `no_wait` is set */
  HONE__KERNEL_WAIT     /* tune it, or wait for that process */
};

struct hone__handle_choice {
  char *config; /* free(); NULL: the default */
  enum hone_kernel_origin origin;
  enum hone_verdict verdict;
  int64_t run;
  double speedup;
  bool is_open; /* nothing is known: it could be tuned */
};
/* For the problem of the entry, which `bucket` and `ignored` may replace; `session` is that of the
 * entry, with its keys. */
hone_status hone__handle_choose(struct hone_kernel *kernel, struct hone__session *session,
                                const struct hone__handle_entry *entry, const char *device,
                                enum hone__handle_effort effort,
                                struct hone__handle_choice *out_choice);
/* ---- kernel_wisdom.c ---- */
/* The file of the options, or of HONE_WISDOM; none is no failure. */
hone_status hone__handle_wisdom_open(struct hone_kernel *kernel);
/* False: the file has nothing for these sizes that may be used. */
bool hone__handle_from_wisdom(const struct hone_kernel *kernel, struct hone__session *session,
                              const int64_t *sizes, struct hone__handle_choice *out_choice);

/* ---- kernel_make.c ---- */
/* *out_is_open: it is the default only because nothing is known yet. */
hone_status hone__handle_make(struct hone_kernel *kernel, const struct hone__handle_entry *entry,
                              enum hone__handle_effort effort,
                              const struct hone_kernel_function **out_function, bool *out_is_open);
/* "M=512,N=512" */
void hone__handle_print_sizes(const struct hone_kernel *kernel, const int64_t *sizes,
                              struct hone__text *text);
/* Options of a session for this problem; all texts are lent. */
struct hone_tune_options hone__handle_tune_options(const struct hone_kernel *kernel,
                                                   const char *sizes, const char *device);

/* ---- kernel_object.c ---- */
/* The candidate has its bytes then. */
hone_status hone__handle_build_object(struct hone__candidate *candidate);

/* ---- kernel_background.c ---- */
/* With the lock. Starts the thread when it is first needed. */
hone_status hone__handle_queue(struct hone_kernel *kernel, struct hone__handle_entry *entry);
/* Ends the thread; what it does is cancelled. */
void hone__handle_background_end(struct hone_kernel *kernel);

#endif
