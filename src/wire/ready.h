/* ready.h - the answer to a SETUP. Beside these fields the message has those of device_facts.h and
 * time_limits.h. */
#ifndef HONE_WIRE_READY_H
#define HONE_WIRE_READY_H

#include "wire/record.h"

struct hone__ready {
  bool ok;
  const char *error;       /* why not; for a person */
  bool wrong_spec;         /* any worker would say the same: it is the spec's fault */
  bool reference_unloaded; /* likewise: its reference was never called, it cannot be loaded */
};

extern const struct hone__record_type hone__ready_type;

#endif
