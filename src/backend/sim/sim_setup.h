/* sim_setup.h - the SETUP and the candidates of a recording. */
#ifndef HONE_BACKEND_SIM_SIM_SETUP_H
#define HONE_BACKEND_SIM_SIM_SETUP_H

#include "wire/record.h"

struct hone__sim_step { /* from this job on times are multiplied by the factor */
  double from, factor;
};

struct hone__sim_device { /* a device with times of its own */
  const char *device, *model;
};

struct hone__sim_reference {
  const char *kind; /* "none" */
};

struct hone__sim_check {
  bool enabled;
};

struct hone__sim_build_limits {
  double timeout_s;
};

struct hone__sim_setup {
  const char *backend;
  const char *recording; /* its file, as the next: paths of this host */
  const char *space;     /* or NULL */
  const char *digest;    /* of both files */
  double noise, pace;    /* see `sim` of a spec */
  int64_t seed;
  size_t memory_bytes;
  const char **args; /* none */
  size_t args_count;
  const struct hone__sim_reference *reference;
  const struct hone__sim_check *check;
  const struct hone__sim_build_limits *build;
  const char *name;             /* of what was recorded */
  struct hone__sim_step *drift; /* in the order of the spec: the last that applies counts */
  size_t drift_count;
  struct hone__sim_device *devices; /* those that differ from the recorded one */
  size_t devices_count;
  const char *inputs_key; /* of what changes times and outcomes besides the configuration's own */
};

struct hone__sim_candidate {
  const char *config;     /* "BM=64,..." */
  const char *digest;     /* of the recording */
  const char *fault;      /* that is scripted for it; NULL: none */
  const char *fault_from; /* the stage from which on it is due; or NULL */
  double *factors;        /* of its times, one for each of the setup's devices */
  size_t factors_count;
  const char *key;
};

extern const struct hone__record_type hone__sim_setup_type, hone__sim_candidate_type;

#endif
