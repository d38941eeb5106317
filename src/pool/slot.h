/* slot.h - one slot of a pool: its worker is started, sent a setup, given one queued job at a time,
 * and replaced when it is lost.
 *
 *   WAITING ──► STARTING ──HELLO──► IDLE ──SETUP──► PREPARING ──READY──► IDLE ──JOB──► BUSY ──┐
 *      ▲            │                 ▲ │                │                 ▲───RESULT─────────┘
 *      └────────────┴──── lost ───────┴─┴────────────────┘
 *
 * A slot whose worker fails to start three times, or is another version, is GIVEN_UP. One whose
 * worker refuses a setup, or dies of it three times, stays, and cannot be used for that setup.
 *
 * A remote slot that fails is given up for a while only: it is *retired*, and a worker is started
 * again later, since hosts are restarted and repaired. It serves again when that worker says HELLO.
 */
#ifndef HONE_POOL_SLOT_H
#define HONE_POOL_SLOT_H

#include "base/words.h"
#include "pool/answer.h"
#include "pool/queue.h"
#include "pool/launch.h"
#include "pool/sent.h"

enum hone__slot_state {
  HONE__SLOT_WAITING, /* waits for the former worker to exit, then for the delay */
  HONE__SLOT_STARTING,
  HONE__SLOT_PREPARING,
  HONE__SLOT_IDLE,
  HONE__SLOT_BUSY,
  HONE__SLOT_GIVEN_UP,
  HONE__SLOT_CLOSED
};

struct hone__slot;
/* Called from the loop only, after the slot has entered its new state. */
struct hone__slot_events {
  void (*idle)(struct hone__slot *slot); /* the slot can take a job */
  void (*ready)(struct hone__slot *slot, const struct hone__packed *ready);
  void (*result)(struct hone__slot *slot, struct hone__queued_job *queued,
                 struct hone__job_answer *answer);
  void (*lost)(struct hone__slot *slot,
               struct hone__queued_job *queued); /* slot->why holds the reason */
  void (*useless)(
      struct hone__slot *slot); /* given up, or a setup was refused; slot->why holds the reason */
  void (*note)(struct hone__slot *slot, const char *note);
  void (*late)(struct hone__slot *slot);   /* hone__slot_is_late may have changed */
  void (*joined)(struct hone__slot *slot); /* its worker said HELLO */
  void (*left)(struct hone__slot *slot);   /* such a worker was lost, or is not used any more */
  void (*gone)(struct hone__slot *slot);   /* after hone__slot_close */
};

struct hone__slot {
  /* The owner fills these in before hone__slot_open. */
  uv_loop_t *loop;
  const struct hone__slot_events *events;
  void *owner;
  size_t index;
  char **environment;
  double silence_s, grace_s; /* as in hone__pool_options */
  struct hone__sent_hosts *hosts;
  /* Set by hone__slot_command. */
  struct hone__words command;
  const char *program; /* hone's file, as messages name it */
  char *name;          /* "worker 'ssh gpu7'" */
  bool remote;         /* started by a prefix */
  bool queues;         /* its launcher may queue for hours */

  enum hone__slot_state state;
  uint32_t epoch; /* of the present worker */
  struct hone__launch *launch;
  size_t handles; /* launches that are not gone, plus the timer */
  uv_timer_t timer;
  uint64_t delay_ms;   /* before the next start */
  bool suspected;      /* silent: checked once more, because this process may have been suspended */
  uint64_t sent_ms;    /* when the worker was started, or was sent the frame it has to answer */
  uint64_t due_ms;     /* deadline of that answer; 0: no answer is awaited */
  uint64_t prepare_ms; /* duration of the last SETUP */
  uint64_t absent_ms;  /* last sign of life of its last working worker; 0: it has one */
  uint64_t retry_ms;   /* retired: before the next start */
  bool is_retired;     /* GIVEN_UP for a while, or started on trial after that */
  bool was_ready;      /* it had a working worker before */
  bool is_aside;       /* set by the pool: other slots take its jobs */
  bool waiting_reported, clock_reported;
  int failed_starts, failed_setups; /* in a row */
  int losses;                       /* since the last result */
  int host_failures;                /* results in a row that only its host explains */
  int retirements;                  /* since the last useful result */
  struct hone__hello hello;         /* lives in `hello_arena` and `hello_packed` */
  struct hone__arena hello_arena;
  struct hone__packed *hello_packed;
  struct hone__pool_setup *setup;   /* PREPARING: being sent; IDLE and BUSY: active */
  struct hone__pool_setup *refused; /* the setup this slot cannot be used for */
  struct hone__queued_job *queued;  /* BUSY */
  uint64_t awaited;                 /* the id of the SETUP or JOB that is to be answered */
  struct hone__sent_host *host;     /* of a remote worker; NULL: all is sent */
  hone__sent_digest *coming;        /* what its host gets by the awaited SETUP or JOB */
  size_t coming_count;
  int wants;                  /* 1: it was sent what its host lacks; 2: all of it */
  double began;               /* its present job, by the machine's clock */
  double worked_s;            /* for all jobs, as reported by its workers */
  double free_at;             /* the end of its last job by a virtual clock */
  char *why;                  /* the reason of the last failure */
  bool is_spec_wrong;         /* its last setup failed because of the spec */
  bool is_reference_unloaded; /* its last setup failed because the reference cannot be loaded */
};

/* INVALID_ARGUMENT: the prefix has an open quote. */
hone_status hone__slot_command(struct hone__slot *slot, const struct hone__slot_options *options,
                               const char *program, const char *role);
void hone__slot_open(struct hone__slot *slot);
/* Whether the slot works with this setup, or still may. */
bool hone__slot_serves(const struct hone__slot *slot, const struct hone__pool_setup *setup);
/* The next two need an IDLE slot. The answer carries `id`, which is used once. */
void hone__slot_prepare(struct hone__slot *slot, struct hone__pool_setup *setup, uint64_t id);
void hone__slot_do(struct hone__slot *slot, struct hone__queued_job *queued, uint64_t id);
/* Whether the slot has had no working worker for longer than the permitted silence. */
bool hone__slot_is_late(const struct hone__slot *slot);
/* Whether its worker was lost: another host can take its jobs at once. */
bool hone__slot_is_deserted(const struct hone__slot *slot);
/* Ends the worker of a remote slot that has no job; another is started after a while. */
void hone__slot_retire(struct hone__slot *slot, const char *why);
/* Ends the worker for good, without an event; it has no job. */
void hone__slot_dismiss(struct hone__slot *slot, const char *why);
/* Sends a heartbeat to a remote worker. */
void hone__slot_beat(struct hone__slot *slot);
/* Kills the worker of a BUSY slot and starts another; returns the queued job. */
struct hone__queued_job *hone__slot_interrupt(struct hone__slot *slot);
/* `gone` is called when the loop holds no handle of the slot. Take the queued job of a BUSY slot
 * first.
 */
void hone__slot_close(struct hone__slot *slot);
void hone__slot_release(struct hone__slot *slot);

/* ---- Between slot.c and slot_watch.c ---- */
uint64_t hone__slot_silence_ms(const struct hone__slot *slot);
void hone__slot_wake_after(struct hone__slot *slot, uint64_t ms);
void hone__slot_await_ready(struct hone__slot *slot);
void hone__slot_await_result(struct hone__slot *slot);
/* Checks that the worker lives and answers in time; otherwise it is lost. */
void hone__slot_watch(struct hone__slot *slot);
void hone__slot_lost(struct hone__slot *slot, const char *why);
/* Notes once if the clock of a remote host is far from this one's. */
void hone__slot_check_clock(struct hone__slot *slot);

#endif
