/* setup_head.h - the fields common to setups of all backends: driver and worker read these, the
 * backend reads the whole message.
 */
#ifndef HONE_WIRE_SETUP_HEAD_H
#define HONE_WIRE_SETUP_HEAD_H

#include "wire/record.h"

struct hone__wire_setup_check {
  bool enabled;
  const char **command; /* command that checks answers; NULL: none */
  const char *entry;    /* of a function that does; NULL: none */
  double limit_s;       /* of one check, which is not the candidate's time; 0: it has none */
  bool by_program;      /* the program that is measured checks its answers */
  size_t command_count;
};

struct hone__wire_setup_build {
  double timeout_s; /* NaN: default */
};

/* The source of right answers: "none", "object" (built from the candidate), "command", "files". */
struct hone__wire_setup_reference {
  const char *kind;
  const struct hone__packed *candidate; /* of an object */
  const char *key;                      /* key of the built object; the driver sets it, and */
  size_t offset, size;                  /* the position of its bytes in the payload */
};

struct hone__wire_setup_head {
  const char *backend;
  double timeout_s;       /* limit of the preparation; NaN: default */
  double start_s;         /* that a job may need besides its calls; NaN: none */
  double arguments_s;     /* that it may need for the arguments of each candidate; NaN: none */
  const char *device;     /* used unless the user names one; NULL: the backend's default */
  bool energy;            /* energy is measured too */
  const char *inputs_key; /* digest of all that determines the inputs */
  const struct hone__wire_setup_check *check;
  const struct hone__wire_setup_build *build;
  const struct hone__wire_setup_reference *reference;
};

extern const struct hone__record_type hone__wire_setup_head_type;

/* Sets the position of the reference's object. */
void hone__wire_setup_set_reference(struct hone__packed *setup,
                                    const struct hone__wire_setup_reference *reference);

#endif
