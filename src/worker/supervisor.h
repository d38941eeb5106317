/* supervisor.h - what a supervisor knows: its driver, its runner, and the order in between.
 *
 * supervisor.c is the loop: it moves bytes and watches the clock. orders.c is what they mean: it
 * never waits.
 */
#ifndef HONE_WORKER_SUPERVISOR_H
#define HONE_WORKER_SUPERVISOR_H

#include "worker/cell.h"
#include "wire/frame.h"
#include "worker/outbox.h"
#include "base/outcome.h"

struct hone_order {
  struct hone_order *next;
  enum hone_frame_kind kind; /* SETUP, JOB or RESTART */
  uint32_t epoch;
  uint64_t job;
  double timeout_s;
  struct hone_text bytes; /* the whole frame */
  unsigned kills;         /* of runners, while they prepared for it */
};

enum hone_order_stage {
  HONE_ORDER_NONE,
  HONE_ORDER_SETUP,       /* the driver's own SETUP was sent to the runner */
  HONE_ORDER_SETUP_AGAIN, /* the last SETUP was, before a job */
  HONE_ORDER_JOB,
  HONE_ORDER_RESTART /* the runner was killed on the driver's wish */
};

struct hone_supervisor {
  const char *role, *device;
  int driver_in, driver_out, signals;
  struct hone_frame_reader from_driver, from_runner;
  struct hone_outbox to_driver, to_runner;

  struct hone_order *queue, **queue_end;
  size_t queue_bytes;
  struct hone_order *order; /* the one that is carried out */
  enum hone_order_stage stage;
  double started, deadline;
  struct hone_text setup; /* the last SETUP frame */
  double setup_timeout_s;

  enum hone_cell_kind kind;
  struct hone_cell cell;  /* its pid is 0 where there is no runner */
  bool is_set_up;         /* the runner */
  bool is_mute;           /* it has closed its frames: it is ending, or out of its mind */
  bool is_dying;          /* it was killed; then */
  enum hone_outcome fate; /* is what becomes of the order, */
  struct hone_text why;   /* for this reason */

  char *room; /* for the runner's temporary files; NULL: there is none */
  double next_beat;
  bool is_done;
};

/* Takes over `head`. `order` may be NULL. */
void hone__supervisor_say(struct hone_supervisor *s, enum hone_frame_kind kind,
                          const struct hone_order *order, json_t *head);
/* Whatever frames have come. */
void hone__supervisor_hear_driver(struct hone_supervisor *s);
void hone__supervisor_hear_runner(struct hone_supervisor *s);
/* Begins the next order if none is being carried out. */
void hone__supervisor_next(struct hone_supervisor *s);
void hone__supervisor_runner_is_mute(struct hone_supervisor *s);
void hone__supervisor_runner_is_gone(struct hone_supervisor *s, int status, size_t peak_bytes);
void hone__supervisor_deadline(struct hone_supervisor *s);
void hone__supervisor_forget_runner(struct hone_supervisor *s);
void hone__supervisor_release(struct hone_supervisor *s);

#endif
