/* ready.h - the answer to a SETUP. The message also has the fields of device_facts.h and
 * time_limits.h.
 */
#ifndef HONE_WIRE_READY_H
#define HONE_WIRE_READY_H

#include "wire/record.h"

struct hone__ready {
  bool ok;
  const char *error;       /* why it failed, as readable text */
  bool wrong_spec;         /* the spec is wrong: every worker would fail the same way */
  bool reference_unloaded; /* the spec is wrong: its reference cannot be loaded */
  const char *processor;   /* digest of its host's model and features */
};

extern const struct hone__record_type hone__ready_type;

#endif
