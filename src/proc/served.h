/* served.h - a program that stays and answers one request after the other: a line on its standard
 * input, a line on its standard output.
 *
 * Its start-up cost (an interpreter, imports, a GPU context) is paid once. Everything else that it
 * prints, there and on standard error, is kept as text of the current request. A request that is
 * not answered ends the program and all processes it started.
 *
 *   1. hone__served_start
 *   2. hone__served_ask, any number of times, while hone__served_is_alive
 *   3. hone__served_end
 */
#ifndef HONE_PROC_SERVED_H
#define HONE_PROC_SERVED_H

#include "proc/child.h"
#include "proc/line_reader.h"

struct hone__served; /* opaque */

enum hone__served_line { /* what a line is */
                         HONE__SERVED_TEXT,
                         HONE__SERVED_SIGN, /* of life: it restarts the limit of silence, as all
                                               output does */
                         HONE__SERVED_ANSWER,
                         HONE__SERVED_WRONG /* the program is ended */
};

struct hone__served_request {
  const char *line; /* with its end */
  size_t length;
  /* Decides about each line that begins with '{'; other text is not shown to it. */
  enum hone__served_line (*take)(void *data, const char *line, size_t length);
  void *data;
  double timeout_s; /* 0: none */
  double silence_s; /* the longest time without any output; 0: no limit */
  double grace_s;   /* between SIGTERM and SIGKILL at a limit */
};

enum hone__served_news {
  HONE__SERVED_ANSWERED,
  HONE__SERVED_REFUSED,    /* a wrong line */
  HONE__SERVED_LINE_LONG,  /* a message longer than HONE__LONGEST_MESSAGE */
  HONE__SERVED_CLOSED,     /* it runs, but closed its standard output */
  HONE__SERVED_WAS_SILENT, /* for longer than the limit */
  HONE__SERVED_ENDED       /* `child` has how, or that it ran past its time */
};

struct hone__served_answer {
  enum hone__served_news news;
  struct hone__child_result child; /* seconds; output without messages; errors; its end */
};

/* Uses argv, directory, variables and limits. NULL: not started, and `*out_error` is errno. Where
 * the program cannot be executed, the first request says so. */
struct hone__served *hone__served_start(const struct hone__child_options *options, int *out_error);
/* Any news but ANSWERED end it: `*served` is NULL then. */
void hone__served_ask(struct hone__served **served, const struct hone__served_request *request,
                      struct hone__served_answer *out_answer);
void hone__served_answer_release(struct hone__served_answer *answer);
/* False if it died or was stopped since its last answer, or is NULL. */
bool hone__served_is_alive(const struct hone__served *served);
/* Sends a last line (NULL: none), closes its input, and gives it `grace_s` to end by itself. Then
 * ends it, and all processes it started; NULL is fine. */
void hone__served_end(struct hone__served *served, const char *line, double grace_s);

#endif
