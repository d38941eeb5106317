/* workers.h - the workers of a session: a pool of builders, on this machine or on hosts of the
 * cluster, and a pool of runners, one for each device. The i-th slot of the runners serves the i-th
 * site.
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
  bool is_away;    /* it has no worker while others have one: excluded until it is back */
  bool is_unread;  /* it has a worker, but has never timed the baseline */
  bool is_foreign; /* its processor is another one than that which is built for */
  bool is_apart;   /* it is of another kind than those of this run, and has no worker */
  size_t number;   /* among all devices of the command */
  char *device, *fingerprint, *why;     /* why it is not usable */
  struct hone__wire_device_facts facts; /* in `facts_packed` and `facts_arena` */
  struct hone__packed *facts_packed;    /* NULL: its worker was never ready */
  struct hone__arena facts_arena;
  struct hone__limits limits;
  double first_ns, last_ns;            /* readings of the baseline; NaN: none */
  double recent_ns[3];                 /* the last three, of which last_ns is the median */
  double least_ns, recent_least_ns[3]; /* the same for their shortest samples */
  struct hone__readings history;
  double usual_step;                  /* of the readings, when candidates were last ranked */
  unsigned readings, failed_readings; /* consecutive failures */
  unsigned since_reading;             /* candidates sent to it */
  double reading_s;                   /* duration of the last one; 0: not known */
  struct hone__reading passed;        /* the reading that the search may use */
  int64_t evaluation;                 /* of the baseline on this device */
  double cold_ns;
};

struct hone__workers {
  struct hone__pool *builders, *runners;
  const char *program; /* what workers are started from */
  char **environment;  /* of workers; NULL: that of this process */
  struct hone__site *sites;
  size_t site_count;
  const char *devices;     /* the meaning of `all`; NULL: as in the options, or the setup */
  bool overlap;            /* builds do not disturb measurements: both run in parallel */
  bool is_disturbed;       /* a device of this host measures meanwhile, which was reported */
  bool reference_failed;   /* it was run and does not work */
  bool reference_unloaded; /* it cannot be loaded, and was not called */
  double call_timeout_s;   /* for a first call: given, or derived from the baseline's time */
  uint64_t jobs;           /* given to runners */
  size_t leader;           /* a site of the run's kind (device_kinds.h) */
  bool has_leader;
  const char *processor; /* digest of that of the hosts that build; NULL: not known */
  struct hone__session_files *file_sets; /* build_files.h */
  const char *absent_kind; /* of a resumed run whose devices are all away; NULL: they are not */
};

/* Devices that work. */
size_t hone__workers_usable(const struct hone__workers *workers);
/* One that is usable has not opened its device yet. */
bool hone__workers_are_awaited(const struct hone__workers *workers);
/* UNAVAILABLE if there are none. */
hone_status hone__workers_check(const struct hone__workers *workers);

#endif
