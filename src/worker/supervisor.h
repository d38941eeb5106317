/* supervisor.h - the state of a supervisor: its driver, its runner, and the current order.
 *
 * supervisor.c is the loop: it moves bytes and checks deadlines. requests.c handles the frames and
 * never blocks.
 */
#ifndef HONE_WORKER_SUPERVISOR_H
#define HONE_WORKER_SUPERVISOR_H

#include "worker/sandbox.h"
#include "wire/frame.h"
#include "worker/write_queue.h"
#include "base/outcome.h"

struct hone__supervisor_wrap;

struct hone__supervisor_order {
  struct hone__supervisor_order *next;
  enum hone__frame_kind kind; /* SETUP, JOB or RESTART */
  uint32_t epoch;
  uint64_t job;
  double timeout_s;
  struct hone__text bytes; /* the whole frame */
  struct hone__supervisor_wrap
      *wrap;          /* what it is to be put together from (order_parcels.h), or NULL */
  size_t queue_bytes; /* that it takes while it is queued */
  unsigned kills;     /* runners killed during preparation for this order */
};

enum hone__supervisor_order_stage {
  HONE__ORDER_NONE,
  HONE__ORDER_SETUP,       /* the SETUP from the driver was sent to the runner */
  HONE__ORDER_SETUP_AGAIN, /* the last SETUP was sent again, before a job */
  HONE__ORDER_JOB,
  HONE__ORDER_RESTART /* the runner was dismissed at the driver's request */
};

struct hone__supervisor {
  const char *role, *device;
  int driver_in, driver_out, signals;
  struct hone__frame_reader from_driver, from_runner;
  struct hone__write_queue to_driver, to_runner;

  struct hone__supervisor_order *queue, **queue_end;
  size_t queue_bytes;
  struct hone__supervisor_order *order; /* the order being carried out */
  enum hone__supervisor_order_stage stage;
  double started, deadline;
  size_t kept_bytes;       /* of the unfinished frame, in the cache */
  struct hone__text setup; /* the last SETUP frame */
  double setup_timeout_s;

  enum hone__sandbox_kind kind;
  struct hone__sandbox sandbox; /* its pid is 0 when there is no runner */
  bool is_set_up;               /* the runner has completed a SETUP */
  bool has_closed; /* the runner closed its end of the frames: it is exiting, or misbehaves */
  bool is_dying;   /* the runner was killed; the next two are set */
  enum hone_outcome kill_outcome; /* the outcome that its order gets */
  struct hone__text why;          /* the reason */

  char *scratch; /* folder for the runner's temporary files; NULL: none */
  double next_beat;
  double next_look; /* for parts of the next order */
  double silence_s; /* of the driver, before this worker ends */
  double heard;     /* when the driver last sent anything */
  bool is_watched;  /* the driver sends heartbeats: if they stop, it cannot be reached */
  bool is_done;
};

/* `order` may be NULL; without `type` the frame has no head. */
void hone__supervisor_send(struct hone__supervisor *s, enum hone__frame_kind kind,
                           const struct hone__supervisor_order *order,
                           const struct hone__record_type *type, const void *record);
/* Handles the frames that have arrived. */
void hone__supervisor_read_driver(struct hone__supervisor *s);
void hone__supervisor_read_runner(struct hone__supervisor *s);
/* Puts what came of the driver's unfinished frame into the cache. */
void hone__supervisor_keep_unfinished(struct hone__supervisor *s);
/* Starts the next order if none is active. */
void hone__supervisor_next(struct hone__supervisor *s);
void hone__supervisor_runner_closed(struct hone__supervisor *s);
void hone__supervisor_runner_is_gone(struct hone__supervisor *s, int status, size_t peak_bytes);
void hone__supervisor_deadline(struct hone__supervisor *s);
/* Closes the frames to the runner, which ends then; it gets HONE__LEAVE_S before it is killed. The
 * driver waits little longer for a worker. */
#define HONE__LEAVE_S 0.8
void hone__supervisor_dismiss(struct hone__supervisor *s);
void hone__supervisor_forget_runner(struct hone__supervisor *s);
void hone__supervisor_release(struct hone__supervisor *s);

#endif
