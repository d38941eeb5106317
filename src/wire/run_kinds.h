/* run_kinds.h - what a run keeps of devices of several kinds: members of the store's `devices`. */
#ifndef HONE_WIRE_RUN_KINDS_H
#define HONE_WIRE_RUN_KINDS_H

#include "wire/record.h"

struct hone__wire_kind { /* devices of one kind, which have a run of their own */
  int64_t *devices;      /* their numbers among all devices of the command */
  size_t devices_count;
};

struct hone__wire_run_kinds {
  const char *kind;              /* of the run's devices; NULL: there was only one */
  const char *fingerprint;       /* of these devices; NULL: not known */
  struct hone__wire_kind *apart; /* the other ones */
  size_t apart_count;
};

struct hone__wire_elsewhere { /* the best of another run on this run's devices */
  int64_t run;
  const char *config;
  const char *outcome;
  double speedup; /* NaN: it does not work here */
};

struct hone__wire_matrix {
  struct hone__wire_elsewhere *elsewhere;
  size_t elsewhere_count;
};

extern const struct hone__record_type hone__wire_run_kinds_type, hone__wire_matrix_type;

#endif
