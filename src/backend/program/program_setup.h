/* program_setup.h - the SETUP of programs: what all configurations of a problem share. */
#ifndef HONE_BACKEND_PROGRAM_PROGRAM_SETUP_H
#define HONE_BACKEND_PROGRAM_PROGRAM_SETUP_H

#include "backend/program/serve_message.h"
#include "wire/record.h"

/* Run after the first run of a candidate, in `directory`: {csv}, {bin}, {dir} and {NAME} are
 * replaced; a status other than 0 is `wrong_result`. */
struct hone__program_check {
  bool enabled;
  const char **command; /* words; none: there is no check */
  bool by_program;      /* a served program checks its answers itself */
  size_t command_count;
};

struct hone__program_build_limits {
  double timeout_s;
};

struct hone__program_reference {
  const char *kind; /* "none": a program has no reference */
};

/* A program that stays (`run.mode: serve`). */
struct hone__program_serve {
  const char **command; /* words; {hone}: this program on the worker's host */
  struct hone__named *problem;
  struct hone__serve_param *params;
  bool has_builders; /* false: the measurer builds, too */
  double start_timeout_s, build_timeout_s;
  size_t command_count, problem_count, params_count;
};

struct hone__program_setup {
  const char *folder;    /* of the spec */
  const char *directory; /* where the driver was started: programs run there */
  const struct hone__program_check *check;
  const char *backend, *spec_name;
  int64_t seed;
  size_t memory_bytes;
  const char **args; /* none */
  size_t args_count, prepare_count;
  const struct hone__program_reference *reference;
  const struct hone__program_build_limits *build;
  double unit_ns; /* of a bare number (`run.unit`) */
  const char
      *time; /* "wall" or "cpu": that of the process (`run.time`); NULL: it reports its own */
  const char **prepare; /* words of a command that runs before each run (`run.prepare`) */
  int64_t warmup;       /* runs before the first sample (`measure.warmup`) */
  const struct hone__program_serve *serve; /* NULL: another mode */
  double start_s;              /* what a job may take besides: a new start of a served program */
  const char *device_variable; /* "CUDA_VISIBLE_DEVICES" or "ROCR_VISIBLE_DEVICES" */
  const char *inputs_key;      /* of all that decides what is checked */
};

extern const struct hone__record_type hone__program_setup_type, hone__program_check_type;

#endif
