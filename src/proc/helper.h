/* helper.h - a forked process that carries out one order after the other.
 *
 * Its start-up cost (a GPU context, a runtime) is paid once. An order that fails to return, for any
 * reason, ends the process and all processes it started; the next order starts a new one. In the
 * helper `serve` reads JOB frames from its socket, and answers each with a RESULT that has the same
 * job number.
 */
#ifndef HONE_PROC_HELPER_H
#define HONE_PROC_HELPER_H

#include "proc/child.h"

struct hone__helper; /* opaque */

struct hone__helper_start { /* argument of `serve` */
  int socket;
  void *data;
};

struct hone__helper_request {
  void (*serve)(void *start); /* for a new helper; NULL: use an existing one only */
  void *data;
  const struct hone__packed *head;
  const void *payload;
  size_t payload_size;
  double timeout_s; /* 0: none */
  double grace_s;   /* between SIGTERM and SIGKILL at the deadline; 0: SIGKILL at once */
};

struct hone__helper_answer {
  bool has_answered;
  struct hone__packed *head;
  struct hone__child_result
      child; /* seconds, output, errors; without an answer also how it ended */
};

/* Gives it an order without waiting for the answer, which the next hone__helper_ask takes instead
 * of giving its own. `*helper` stays NULL if it cannot be started. */
void hone__helper_begin(struct hone__helper **helper, const struct hone__helper_request *order);
/* Starts `*helper` if it is NULL; sets it to NULL if it had to end. */
void hone__helper_ask(struct hone__helper **helper, const struct hone__helper_request *order,
                      struct hone__helper_answer *out_answer);
void hone__helper_answer_release(struct hone__helper_answer *answer);
/* False if it died or was stopped since its last order, or is NULL; the next order then starts a
 * new one. */
bool hone__helper_is_alive(const struct hone__helper *helper);
/* Ends it and all processes it started; NULL is fine. */
void hone__helper_end(struct hone__helper *helper);
/* The same without waiting for its end, which takes long if it has a device open. The next call of
 * either function waits. */
void hone__helper_leave(struct hone__helper *helper);

#endif
