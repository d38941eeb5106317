/* pool.h - the driver's workers: who is there, who is busy, what they answered.
 *
 * A pool has slots, each with one worker process, started by `PREFIX hone worker ...`. A job
 * goes to the slot that it names, or to any idle one, in the order of submission. Every job gets
 * exactly one reply, later, from the loop: never from inside a call.
 *
 * The pool does by itself what outcome.h says: a lost worker is started again (after 0.1, 0.4,
 * 1.6 s; a slot that fails three times without a HELLO in between is given up), its job is tried
 * again, on another slot if the job names none; a job that loses two workers is not tried any more.
 * Answers of former epochs are dropped. No launcher's exit status is believed.
 *
 * A worker is lost when it is silent, when it sends what is no frame, or a frame that makes no
 * sense, when it cannot be written to, and when it beats but does not answer: SETUP and JOB have
 * the limit that they name (or 600 s and 10 hours), and the pool allows `grace_s` more, the time of
 * the transfer on a slow link, and for a job the time that its runner may need to be set up again.
 *
 * A slot whose worker is not there for `silence_s` (its node is lost; its launcher queues) is set
 * aside while another one works: its jobs are answered WORKER_LOST, new ones too. It is back when
 * its worker is ready, or when no other works.
 */
#ifndef HONE_POOL_POOL_H
#define HONE_POOL_POOL_H

#include "base/outcome.h"
#include "wire/build_reply.h"
#include "wire/frame.h"
#include "wire/hello.h"
#include "wire/run_reply.h"

#include <uv.h>

struct hone__pool;

struct hone__slot_options {
  const char *prefix; /* "ssh gpu7"; NULL or "": none; split at blanks, quotes as in sh */
  const char *device; /* "c:0-1"; NULL for builders */
};

struct hone__pool_options {
  uv_loop_t *loop;
  const char *program; /* NULL: this very binary (/proc/self/exe) */
  const char *role;    /* "build" or "run" */
  const struct hone__slot_options *slots;
  size_t slot_count;
  double silence_s; /* without a beat a worker is lost; default 10 */
  double grace_s;   /* for an answer, beyond its limit; default 60 */
  /* All may be NULL. A slot is usable from on_ready on; `hello` and `ready` are lent. The latter
   * has facts of the device (wire/device_facts.h). */
  void (*on_ready)(void *data, size_t slot, const struct hone__hello *hello,
                   const struct hone__packed *ready);
  /* A slot is given up, or its setup failed: `why` for a person. */
  void (*on_lost)(void *data, size_t slot, const char *why);
  /* Instead, where the setup failed because of the spec: its reference crashes. `is_unloaded`: it
   * cannot even be loaded, and `why` says no more. */
  void (*on_wrong_spec)(void *data, size_t slot, const char *why, bool is_unloaded);
  void (*on_note)(void *data, size_t slot, const char *note); /* restarts and the like */
  /* A slot is set aside, and taken back: `why` may be NULL. on_ready comes before on_back. */
  void (*on_away)(void *data, size_t slot, const char *why);
  void (*on_back)(void *data, size_t slot);
  /* Whether this slot, which has a worker, can do the work of others; NULL: it can. */
  bool (*is_working)(void *data, size_t slot);
  /* A job waits before it is tried again: its slot is free meanwhile. */
  void (*on_delayed)(void *data);
  void *data;
};

enum { HONE__ANY_SLOT = -1 };

struct hone__reply { /* lent during the call */
  enum hone_outcome outcome;
  const char *evidence; /* for a person; "" if there is nothing to say */
  double worked_s;      /* what the worker took for it; NaN: not known */
  /* The one that the kind of job asks for; both NULL if no RESULT came. */
  const struct hone__build_reply *build;
  const struct hone__run_reply *run;
  const void *payload;
  size_t payload_size;
  int slot; /* HONE__ANY_SLOT if no slot took it */
  int tries;
};

enum hone__job_kind {
  HONE__JOB_PLAIN, /* of its RESULT only outcome and evidence are read */
  HONE__JOB_BUILD,
  HONE__JOB_RUN
};

struct hone__job {
  enum hone__job_kind kind;
  struct hone__packed *head; /* taken over: build_job.h, run_job.h */
  void *payload;             /* from malloc, taken over; may be NULL */
  size_t payload_size;
  double timeout_s; /* the worker's own deadline; the supervisor allows 5 s more */
  int slot;
  bool may_be_skipped; /* it is not worth waiting for a worker that is not there */
  bool restart;        /* in a runner that was started for this job; a retry gets a new one too */
  /* What makes a reply whose fields are right no answer to this job, for a person; NULL: nothing
   * does. A worker that gives no answer is lost. May be NULL. */
  const char *(*find_fault)(const struct hone__reply *reply);
  void (*done)(void *data, const struct hone__reply *reply);
  void *data;
};

hone_status hone__pool_open(const struct hone__pool_options *options, struct hone__pool **out_pool);
/* What every worker is told first, now and after each restart. Takes `head` and `payload` over.
 * Jobs submitted later wait until their slot is READY for this setup. */
void hone__pool_setup(struct hone__pool *pool, struct hone__packed *head, void *payload,
                      size_t payload_size);
void hone__pool_submit(struct hone__pool *pool, const struct hone__job *job);
size_t
hone__pool_idle(const struct hone__pool *pool); /* slots with nothing to do and nothing queued */
size_t hone__pool_usable(const struct hone__pool *pool);  /* slots that are not given up */
size_t hone__pool_pending(const struct hone__pool *pool); /* jobs without a reply */
/* Jobs for this slot, or for HONE__ANY_SLOT, that wait before they are tried again. */
size_t hone__pool_delayed(const struct hone__pool *pool, int slot);
/* While it is held no job is handed out: those that were begun go on. */
void hone__pool_hold(struct hone__pool *pool, bool is_held);
/* What a slot's workers say that their jobs took, without the way there and back. */
double hone__pool_worked_s(const struct hone__pool *pool, size_t slot);
/* Every pending job is answered INTERRUPTED, running ones by killing their workers. Without a pool
 * there is nothing to do. */
void hone__pool_cancel(struct hone__pool *pool);
/* Those that no worker has begun. */
void hone__pool_cancel_waiting(struct hone__pool *pool);
/* BYE, a second, then SIGKILL to what is left; `closed` is called when the loop holds nothing of it
 * any more and the pool has been freed. */
void hone__pool_close(struct hone__pool *pool, void (*closed)(void *data), void *data);

#endif
