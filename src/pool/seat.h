/* seat.h - one place of a crew: the worker that sits there is started, told a brief, given an
 * errand at a time, and replaced when it is lost.
 *
 *   WAITING ──► STARTING ──HELLO──► IDLE ──SETUP──► PREPARING ──READY──► IDLE ──JOB──► BUSY ──┐
 *      ▲            │                 ▲ │                │                 ▲───RESULT─────────┘
 *      └────────────┴──── lost ───────┴─┴────────────────┘
 *
 * A seat whose worker fails to start three times, or is another version, is GIVEN_UP. One whose
 * worker refuses a brief, or dies of it three times, stays, and is of no use for that brief.
 */
#ifndef HONE_POOL_SEAT_H
#define HONE_POOL_SEAT_H

#include "base/words.h"
#include "pool/errand.h"
#include "pool/launch.h"

enum hone__seat_state {
  HONE__SEAT_WAITING, /* for its former worker to go, then for a while more */
  HONE__SEAT_STARTING,
  HONE__SEAT_PREPARING,
  HONE__SEAT_IDLE,
  HONE__SEAT_BUSY,
  HONE__SEAT_GIVEN_UP,
  HONE__SEAT_CLOSED
};

struct hone__seat;
/* Called from the loop only, when the seat has its new state already. */
struct hone__seat_events {
  void (*idle)(struct hone__seat *seat); /* there may be something to do for it */
  void (*ready)(struct hone__seat *seat, const json_t *ready);
  void (*result)(struct hone__seat *seat, struct hone__errand *errand,
                 const struct hone__frame *frame);
  void (*lost)(struct hone__seat *seat, struct hone__errand *errand); /* seat->why says why */
  void (*useless)(struct hone__seat *seat); /* given up, or a brief refused: seat->why */
  void (*note)(struct hone__seat *seat, const char *note);
  void (*late)(struct hone__seat *seat); /* hone__seat_is_late may have changed */
  void (*gone)(struct hone__seat *seat); /* after hone__seat_close */
};

struct hone__seat {
  /* Filled in by the owner before hone__seat_open. */
  uv_loop_t *loop;
  const struct hone__seat_events *events;
  void *owner;
  size_t index;
  double silence_s, grace_s; /* as in hone__crew_options */
  /* By hone__seat_command. */
  struct hone__words command;
  char *name;  /* "worker 'ssh gpu7'" */
  bool remote; /* started by a prefix */
  bool queues; /* its launcher may wait for hours */

  enum hone__seat_state state;
  uint32_t epoch; /* of the present worker */
  struct hone__launch *launch;
  size_t handles; /* launches that are not gone, and the timer */
  uv_timer_t timer;
  uint64_t delay_ms;   /* before the next start */
  bool suspected;      /* of silence: looked at once more, since it may be us who slept */
  uint64_t asked_ms;   /* when the worker was started, or sent the frame that is to be answered */
  uint64_t due_ms;     /* the latest time of that answer; 0: none is awaited */
  uint64_t prepare_ms; /* what the last SETUP took */
  uint64_t absent_ms;  /* since when it has had no worker that works; 0: it has one */
  bool was_ready;      /* it has had one */
  bool is_aside;       /* the crew's: others do what was meant for it */
  bool told_waiting;
  int failed_starts, failed_briefs; /* in a row */
  int losses;                       /* since the last result */
  json_t *hello;
  struct hone__brief *brief;   /* PREPARING: being told; IDLE and BUSY: known */
  struct hone__brief *refused; /* of no use for this one */
  struct hone__errand *errand; /* BUSY */
  uint64_t awaited;            /* the id of the SETUP or JOB that is to be answered */
  double worked_s;             /* on all jobs, as its workers say */
  char *why;                   /* the last bad news */
  bool is_spec_wrong;          /* its last setup failed because of the spec */
};

/* INVALID_ARGUMENT: the prefix has an open quote. */
hone_status hone__seat_command(struct hone__seat *seat, const struct hone__seat_options *options,
                               const char *program, const char *role);
void hone__seat_open(struct hone__seat *seat);
/* It works for this brief, or may yet. */
bool hone__seat_serves(const struct hone__seat *seat, const struct hone__brief *brief);
/* The next two are for an IDLE seat; `id` comes back with the answer, and is used once. */
void hone__seat_prepare(struct hone__seat *seat, struct hone__brief *brief, uint64_t id);
void hone__seat_do(struct hone__seat *seat, struct hone__errand *errand, uint64_t id);
/* It has had no worker that works for as long as a silence may last. */
bool hone__seat_is_late(const struct hone__seat *seat);
/* Kills the worker of a BUSY seat and starts another; returns the errand. */
struct hone__errand *hone__seat_interrupt(struct hone__seat *seat);
/* `gone` comes when nothing of it is in the loop. The errand of a BUSY seat is to be taken first.
 */
void hone__seat_close(struct hone__seat *seat);
void hone__seat_release(struct hone__seat *seat);

/* ---- Between seat.c and seat_watch.c ---- */
uint64_t hone__seat_silence_ms(const struct hone__seat *seat);
void hone__seat_wake_after(struct hone__seat *seat, uint64_t ms);
void hone__seat_await_ready(struct hone__seat *seat);
void hone__seat_await_result(struct hone__seat *seat);
/* Whether the worker still lives, and answers in time; else it is lost. */
void hone__seat_watch(struct hone__seat *seat);
void hone__seat_lost(struct hone__seat *seat, const char *why);

#endif
