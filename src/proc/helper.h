/* helper.h - a process that stays: a fork of this one that is given one order after the other.
 *
 * What it needs to begin (a GPU's context, a runtime) is then paid for once. An order that does not
 * come back, in whatever way, ends the process with all that it started; the next one gets a new
 * one. In the helper `serve` reads frames of kind JOB from its socket, and answers each with a
 * RESULT that carries the same job number.
 */
#ifndef HONE_PROC_HELPER_H
#define HONE_PROC_HELPER_H

#include "proc/child.h"

#include <jansson.h>

struct hone__helper; /* opaque */

struct hone__helper_start { /* what `serve` is given */
  int socket;
  void *data;
};

struct hone__helper_request {
  void (*serve)(void *start); /* for a new one; NULL: only one that is there already will do */
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
  struct hone__child_result child; /* seconds, output, errors; without an answer also its end */
};

/* `*helper` is started where it is NULL, and NULL afterwards if it had to end. */
void hone__helper_ask(struct hone__helper **helper, const struct hone__helper_request *order,
                      struct hone__helper_answer *out_answer);
void hone__helper_answer_release(struct hone__helper_answer *answer);
/* It may have died, or been stopped, since its last order: then the next one starts a new one. NULL
 * is not. */
bool hone__helper_is_alive(const struct hone__helper *helper);
/* With all that it started; NULL is fine. */
void hone__helper_end(struct hone__helper *helper);

#endif
