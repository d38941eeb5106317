/* workers.h - the workers of a session: a pool of builders on this machine, and one of runners, one
 * for each device. The i-th slot of the runners serves the i-th site.
 */
#ifndef HONE_SESSION_WORKERS_H
#define HONE_SESSION_WORKERS_H

#include "pool/pool.h"
#include "session/candidate.h"
#include "session/readings.h"
#include "wire/device_facts.h"
#include "wire/time_limits.h"

struct hone__site { /* a device, with its own baseline */
  bool usable;
  bool is_away;   /* without a worker while others have one: left out until it is back */
  bool is_unread; /* its worker is there, and has never timed the baseline */
  char *device, *fingerprint, *why;  /* why not usable */
  struct hone__device_facts facts;   /* in `facts_packed` and `facts_arena` */
  struct hone__packed *facts_packed; /* NULL: its worker was never ready */
  struct hone__arena facts_arena;
  struct hone__limits limits;
  double first_ns, last_ns;            /* readings of the baseline; NaN: none */
  double recent_ns[3];                 /* the last three, of which last_ns is the median */
  double least_ns, recent_least_ns[3]; /* the same of their shortest samples */
  struct hone__readings history;
  double usual_step;                  /* of these, when candidates were last ranked */
  unsigned readings, failed_readings; /* failed ones in a row */
  unsigned since_reading;             /* candidates that were sent there */
  double reading_s;                   /* what the last one took; 0: not known */
  struct hone__reading told;          /* the one that the search may know of */
  int64_t evaluation;                 /* of the baseline on this device */
  double cold_ns;
};

struct hone__workers {
  struct hone__pool *builders, *runners;
  struct hone__site *sites;
  size_t site_count;
  const char *devices;     /* that `all` stands for; NULL: as the options say, or the setup */
  bool overlap;            /* builds do not disturb measurements: both go on at once */
  bool reference_failed;   /* it was run, and does not work */
  bool reference_unloaded; /* and was not called: it cannot be loaded */
  double call_timeout_s;   /* of a first call: given, or what the baseline's time makes of it */
  uint64_t jobs;           /* that runners were given */
};

/* Devices that work. */
size_t hone__workers_usable(const struct hone__workers *workers);
/* UNAVAILABLE if there are none. */
hone_status hone__workers_check(const struct hone__workers *workers);

#endif
