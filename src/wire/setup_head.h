/* setup_head.h - what setups of all backends have in common: the driver and the worker read this,
 * the backend that wrote it the whole. */
#ifndef HONE_WIRE_SETUP_HEAD_H
#define HONE_WIRE_SETUP_HEAD_H

#include "wire/record.h"

struct hone__setup_check {
  bool enabled;
  const char **command; /* that judges answers; NULL: none */
  size_t command_count;
};

struct hone__setup_build {
  double timeout_s; /* NaN: as usual */
};

/* Where right answers come from: "none", "object" (built from the candidate), "command", "files".
 */
struct hone__setup_reference {
  const char *kind;
  const struct hone__packed *candidate; /* of an object */
  const char *key;                      /* of the built object; the driver fills it in, with */
  size_t offset, size;                  /* where its bytes are in the payload */
};

struct hone__setup_head {
  const char *backend;
  double timeout_s;       /* of preparing; NaN: as usual */
  const char *device;     /* to be used if nobody says otherwise; NULL: the backend's usual one */
  bool energy;            /* it is measured, too */
  const char *inputs_key; /* digest of all that determines the inputs */
  const struct hone__setup_check *check;
  const struct hone__setup_build *build;
  const struct hone__setup_reference *reference;
};

extern const struct hone__record_type hone__setup_head_type;

/* Says where the reference's object is. */
void hone__setup_set_reference(struct hone__packed *setup,
                               const struct hone__setup_reference *reference);

#endif
