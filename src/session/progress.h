/* progress.h - the progress of a session, for the status line. */
#ifndef HONE_SESSION_PROGRESS_H
#define HONE_SESSION_PROGRESS_H

#include "hone.h"

struct hone__progress {
  struct hone_event event; /* counts so far */
  double emitted_at;       /* of the last event, by the machine's clock */
  uint64_t stepped;        /* candidates that were done or built when that number last changed, */
  double stepped_s;        /* and the seconds of the session until then */
  uint64_t done_before;    /* in earlier sessions of this run, or earlier phases of a sweep */
  enum hone_phase phase;
  double phase_began;  /* by the session's clock */
  uint64_t suspicious; /* implausibly fast results of this session */
};

#endif
