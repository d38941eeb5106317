/* crew.h - the driver's workers: who is there, who is busy, what they answered.
 *
 * A crew has seats; in each sits one worker process, started by `PREFIX hone worker ...`. A job
 * goes to the seat that it names, or to any idle one, in the order of submission. Every job gets
 * exactly one reply, later, from the loop: never from inside a call.
 *
 * The crew does by itself what outcome.h says: a lost worker is started again (after 0.1, 0.4,
 * 1.6 s; a seat that fails three times without a HELLO in between is given up), its job is tried
 * again, on another seat if the job names none; a job that loses two workers is not tried any more.
 * Answers of former epochs are dropped. No launcher's exit status is believed.
 *
 * A worker is lost when it is silent, when it sends what is no frame, or a frame that makes no
 * sense, when it cannot be written to, and when it beats but does not answer: SETUP and JOB have
 * the limit that they name (or 600 s and 10 hours), and the crew allows `grace_s` more, the time of
 * the transfer on a slow link, and for a job the time that its runner may need to be set up again.
 *
 * A seat whose worker is not there for `silence_s` (its node is lost; its launcher queues) is set
 * aside while another one works: its jobs are answered WORKER_LOST, new ones too. It is back when
 * its worker is ready, or when no other works.
 */
#ifndef HONE_POOL_CREW_H
#define HONE_POOL_CREW_H

#include "wire/frame.h"
#include "base/outcome.h"

#include <uv.h>

struct hone__crew;

struct hone__seat_options {
  const char *prefix; /* "ssh gpu7"; NULL or "": none; split at blanks, quotes as in sh */
  const char *device; /* "c:0-1"; NULL for builders */
};

struct hone__crew_options {
  uv_loop_t *loop;
  const char *program; /* NULL: this very binary (/proc/self/exe) */
  const char *role;    /* "build" or "run" */
  const struct hone__seat_options *seats;
  size_t seat_count;
  double silence_s; /* without a beat a worker is lost; default 10 */
  double grace_s;   /* for an answer, beyond its limit; default 60 */
  /* All may be NULL. A seat is usable from on_ready on; `hello` and `ready` are lent. */
  void (*on_ready)(void *data, size_t seat, const json_t *hello, const json_t *ready);
  /* A seat is given up, or its setup failed: `why` for a person. */
  void (*on_lost)(void *data, size_t seat, const char *why);
  /* Instead, where the setup failed because of the spec: its reference crashes. */
  void (*on_wrong_spec)(void *data, size_t seat, const char *why);
  void (*on_note)(void *data, size_t seat, const char *note); /* restarts and the like */
  /* A seat is set aside, and taken back: `why` may be NULL. on_ready comes before on_back. */
  void (*on_away)(void *data, size_t seat, const char *why);
  void (*on_back)(void *data, size_t seat);
  /* Whether this seat, which has a worker, can do the work of others; NULL: it can. */
  bool (*is_working)(void *data, size_t seat);
  /* A job waits before it is tried again: its seat is free meanwhile. */
  void (*on_delayed)(void *data);
  void *data;
};

enum { HONE__ANY_SEAT = -1 };

struct hone__reply { /* lent during the call */
  enum hone__outcome outcome;
  const char *evidence; /* for a person; "" if there is nothing to say */
  const json_t *head;   /* of the RESULT frame; NULL if none came */
  const void *payload;
  size_t payload_size;
  int seat; /* HONE__ANY_SEAT if no seat took it */
  int tries;
};

struct hone__job {
  json_t *head;  /* taken over */
  void *payload; /* from malloc, taken over; may be NULL */
  size_t payload_size;
  double timeout_s; /* the worker's own deadline; the supervisor allows 5 s more */
  int seat;
  bool may_be_skipped; /* it is not worth waiting for a worker that is not there */
  bool restart;        /* in a runner that was started for this job; a retry gets a new one too */
  /* Whether a RESULT is an answer to this job, beyond its class: a worker that gives another one is
   * lost. May be NULL. */
  bool (*is_answer)(const struct hone__frame *result);
  void (*done)(void *data, const struct hone__reply *reply);
  void *data;
};

hone_status hone__crew_open(const struct hone__crew_options *options, struct hone__crew **out_crew);
/* What every worker is told first, now and after each restart. Takes `head` and `payload` over.
 * Jobs submitted later wait until their seat is READY for this setup. */
void hone__crew_setup(struct hone__crew *crew, json_t *head, void *payload, size_t payload_size);
void hone__crew_submit(struct hone__crew *crew, const struct hone__job *job);
size_t
hone__crew_idle(const struct hone__crew *crew); /* seats with nothing to do and nothing queued */
size_t hone__crew_usable(const struct hone__crew *crew);  /* seats that are not given up */
size_t hone__crew_pending(const struct hone__crew *crew); /* jobs without a reply */
/* Jobs for this seat, or for HONE__ANY_SEAT, that wait before they are tried again. */
size_t hone__crew_delayed(const struct hone__crew *crew, int seat);
/* While it is held no job is handed out: those that were begun go on. */
void hone__crew_hold(struct hone__crew *crew, bool is_held);
/* What a seat's workers say that their jobs took, without the way there and back. */
double hone__crew_worked_s(const struct hone__crew *crew, size_t seat);
/* Every pending job is answered INTERRUPTED, running ones by killing their workers. Without a crew
 * there is nothing to do. */
void hone__crew_cancel(struct hone__crew *crew);
/* Those that no worker has begun. */
void hone__crew_cancel_waiting(struct hone__crew *crew);
/* BYE, a second, then SIGKILL to what is left; `closed` is called when the loop holds nothing of it
 * any more and the crew has been freed. */
void hone__crew_close(struct hone__crew *crew, void (*closed)(void *data), void *data);

#endif
