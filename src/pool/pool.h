/* pool.h - the driver's workers: their slots, jobs and replies.
 *
 * A pool has slots, each with one worker process, started by `PREFIX hone worker ...`. A job goes
 * to the slot that it names, or to any idle one, in order of submission. Every job gets exactly one
 * reply, later, from the loop: never from inside a call.
 *
 * The pool follows the rules of outcome.h: a lost worker is restarted (after 0.1, 0.4, 1.6 s; a
 * slot that fails three times without a HELLO in between is given up), and its job is retried, on
 * another slot if the job names none. A job that loses two workers is not retried; of remote ones
 * that gave no sign of life since they got it, two more are forgiven. Answers of former epochs are
 * dropped. A launcher's exit status is never used as evidence.
 *
 * A remote slot is given up for a while only. It is also given up, while another slot works, when
 * its workers fail job after job: three losses or three results that blame the host, or one that
 * reports a full disk. A worker is started again after 15 s, then after twice as long each time.
 *
 * A worker is lost when it is silent, when it sends an invalid frame or a frame that does not fit
 * its state, when it cannot be written to, and when it sends heartbeats but no answer. SETUP and
 * JOB have the limit in their head (or 600 s and 10 hours). The pool adds `grace_s`, the transfer
 * time on a slow link, and for a job the time to set up its runner again.
 *
 * A worker may exit at any time, so that the caller holds back SIGPIPE (proc/broken_pipe.h).
 *
 * A slot without a worker for `silence_s` (its node is lost; its launcher queues) is set aside
 * while another slot works: its jobs, including new ones, are answered WORKER_LOST. The slot is
 * taken back when its worker is ready, or when no other slot works. A remote slot that lost its
 * worker is set aside at once if another slot has one: jobs that may move are answered, others wait
 * `silence_s` for the next worker.
 */
#ifndef HONE_POOL_POOL_H
#define HONE_POOL_POOL_H

#include "base/clock.h"
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
  const char *name;   /* "gpu7": shown in place of the prefix; NULL: the prefix is */
};

struct hone__job;
struct hone__pool_work { /* what a worker did with a job; lent during the call */
  size_t slot;
  const struct hone__job *job;
  double began, ended; /* by the pool's clock */
  enum hone_outcome outcome;
  bool is_requeued; /* the job is given to a worker once more */
};

struct hone__pool_options {
  uv_loop_t *loop;
  struct hone__clock *clock; /* NULL: the machine's; see pool_clock.c */
  const char *program;       /* worker_program.h finds it */
  char **environment;        /* of workers, terminated by NULL; NULL: that of this process */
  const char *role;          /* "build" or "run" */
  const struct hone__slot_options *slots;
  size_t slot_count;
  double silence_s; /* a worker without a heartbeat for this long is lost; default 10 */
  double grace_s;   /* allowed for an answer beyond its limit; default 60 */
  /* Every callback may be NULL. A slot is usable from on_ready on. `hello` and `ready` are lent;
   * `ready` holds the device facts (wire/device_facts.h). */
  void (*on_ready)(void *data, size_t slot, const struct hone__hello *hello,
                   const struct hone__packed *ready);
  /* A slot is given up, or its setup failed. `why` is a readable reason. */
  void (*on_lost)(void *data, size_t slot, const char *why);
  /* Replaces on_lost when the setup fails because of the spec: its reference crashes.
   * `is_unloaded`: the reference cannot be loaded at all, and `why` has no more detail. */
  void (*on_wrong_spec)(void *data, size_t slot, const char *why, bool is_unloaded);
  void (*on_note)(void *data, size_t slot, const char *note); /* restarts and similar events */
  /* A slot is set aside, or taken back; `why` may be NULL. on_ready is called before on_back. A
   * slot that was reported lost may come back, too. */
  void (*on_away)(void *data, size_t slot, const char *why);
  void (*on_back)(void *data, size_t slot);
  /* Whether this slot, which has a worker, can take the work of other slots; NULL: it can. */
  bool (*is_working)(void *data, size_t slot);
  /* A job waits before its retry; its slot is free meanwhile. */
  void (*on_delayed)(void *data);
  /* A worker is there, or gone: `host` is the name of its host, or NULL. */
  void (*on_joined)(void *data, size_t slot, const char *host);
  void (*on_left)(void *data, size_t slot);
  /* A worker is done with a job, or was lost with it; before the reply. */
  void (*on_work)(void *data, const struct hone__pool_work *work);
  void *data;
};

enum { HONE__ANY_SLOT = -1 };

struct hone__reply { /* lent during the call */
  enum hone_outcome outcome;
  const char *evidence; /* readable text; "" if there is none */
  double worked_s;      /* time the worker spent on the job; NaN: not known */
  double ended_at;      /* by the pool's clock */
  /* The reply that matches the kind of job; both are NULL if no RESULT arrived. */
  const struct hone__wire_build_reply *build;
  const struct hone__wire_run_reply *run;
  const void *payload;
  size_t payload_size;
  int slot; /* HONE__ANY_SLOT if no slot took it */
  int tries;
};

enum hone__job_kind {
  HONE__JOB_PLAIN, /* only outcome and evidence of its RESULT are read */
  HONE__JOB_BUILD,
  HONE__JOB_RUN
};

struct hone__job {
  enum hone__job_kind kind;
  struct hone__packed *head; /* taken over: build_job.h, run_job.h */
  void *payload;             /* from malloc, taken over; may be NULL */
  size_t payload_size;
  /* Sizes of the parts of the payload, such as its objects, which are sent to each host once; from
   * malloc, taken over. NULL: it is sent each time. */
  size_t *part_sizes;
  size_t part_count;
  double timeout_s; /* the worker's deadline; the supervisor allows 5 s more */
  int slot;
  enum hone_phase phase; /* what it is for, and the number of its candidate; 0: none */
  int64_t candidate;
  bool may_be_skipped; /* do not wait for a worker that is absent */
  bool may_move;       /* the caller submits it to another slot when its worker is lost */
  bool is_repeated;    /* it was done before: by a virtual clock it takes no time */
  bool restart;        /* run in a runner started for this job; a retry gets a new one too */
  /* Why a reply with valid fields does not answer this job, as readable text; NULL: it does answer
   * it. A worker that sends a wrong answer is lost. May be NULL. */
  const char *(*find_fault)(const struct hone__reply *reply);
  void (*done)(void *data, const struct hone__reply *reply);
  void *data;
};

hone_status hone__pool_open(const struct hone__pool_options *options, struct hone__pool **out_pool);
/* The setup that every worker receives first, now and after each restart. Takes over `head` and
 * `payload`. Jobs submitted later wait until their slot is READY for this setup. */
void hone__pool_setup(struct hone__pool *pool, struct hone__packed *head, void *payload,
                      size_t payload_size);
/* Writes it as a frame, for a runner that reads a file. */
hone_status hone__pool_write_setup(const struct hone__pool *pool, int file);
void hone__pool_submit(struct hone__pool *pool, const struct hone__job *job);
size_t hone__pool_idle(const struct hone__pool *pool);    /* slots with no current or queued job */
size_t hone__pool_usable(const struct hone__pool *pool);  /* slots not given up */
size_t hone__pool_pending(const struct hone__pool *pool); /* jobs without a reply */
/* Jobs for this slot, or for HONE__ANY_SLOT, that wait before a retry. */
size_t hone__pool_delayed(const struct hone__pool *pool, int slot);
/* A held pool starts no jobs; running jobs continue. */
void hone__pool_hold(struct hone__pool *pool, bool is_held);
/* Seconds that the last SETUP of a slot took. */
double hone__pool_prepare_s(const struct hone__pool *pool, size_t slot);
/* Time that a slot's workers report for their jobs, without the transfer. */
double hone__pool_worked_s(const struct hone__pool *pool, size_t slot);
/* Ends the worker of a slot that has no job, and starts no other. */
void hone__pool_dismiss(struct hone__pool *pool, size_t slot, const char *why);
/* Answers every pending job with INTERRUPTED; workers of running jobs are killed. NULL is fine. */
void hone__pool_cancel(struct hone__pool *pool);
/* Cancels the jobs that no worker has started. */
void hone__pool_cancel_waiting(struct hone__pool *pool);
/* Sends BYE, waits one second, then kills the remaining workers. `closed` is called when the loop
 * has no handle of the pool left and the pool has been freed. */
void hone__pool_close(struct hone__pool *pool, void (*closed)(void *data), void *data);

#endif
