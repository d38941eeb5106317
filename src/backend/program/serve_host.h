/* serve_host.h - the conversation with one served program: its start, requests, its end.
 *
 * A host belongs to one slot. It starts the program when a request needs it, and again after the
 * program was lost. A failure of a candidate is an outcome in the reply; only a program that
 * cannot be started is a status.
 */
#ifndef HONE_BACKEND_PROGRAM_SERVE_HOST_H
#define HONE_BACKEND_PROGRAM_SERVE_HOST_H

#include "backend/program/program_setup.h"
#include "backend/program/serve_message.h"
#include "proc/served.h"

struct hone__serve_host { /* { 0 }: it is not running */
  struct hone__served *process;
  int64_t last_id;
  uint64_t start;      /* the number of the process: grows with every one */
  size_t answered;     /* requests by this process, without "hello" */
  bool builds, checks; /* the steps that it has */
  double heartbeat_s;  /* 0: it promised nothing */
};

struct hone__serve_place {                 /* where and as what it runs */
  const struct hone__program_setup *setup; /* with `serve` */
  const char *role, *device, *gpu;         /* device, gpu: or NULL */
  const char *directory;                   /* NULL: the current one */
  const char *variable;                    /* "CUDA_VISIBLE_DEVICES=1"; NULL: none */
};

struct hone__serve_reply {
  enum hone_outcome outcome;
  struct hone__text evidence, output, errors;
  double seconds;                   /* without the start */
  bool was_used;                    /* the process had answered other requests before */
  bool has_answered;                /* `answer` is valid */
  struct hone__serve_answer answer; /* lent of the two below */
  struct hone__packed *packed;
  struct hone__arena arena;
};

/* Starts the program unless it runs. UNAVAILABLE: why it does not, with the last line it printed.
 */
hone_status hone__serve_start(struct hone__serve_host *host, const struct hone__serve_place *place);
/* Sends the request to the program, which runs; sets its id and its time. `timeout_s` 0: none. */
void hone__serve_ask(struct hone__serve_host *host, struct hone__serve_request *request,
                     double timeout_s, struct hone__serve_reply *out_reply);
void hone__serve_reply_release(struct hone__serve_reply *reply);
/* Says bye, waits a moment, and ends it. */
void hone__serve_end(struct hone__serve_host *host);

/* The first line that it gets; `id` 0. */
void hone__serve_hello_line(const struct hone__serve_place *place, struct hone__text *line);

#endif
