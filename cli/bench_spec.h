/* bench_spec.h - the spec of `hone bench`: commands and their parameters as a program that is timed
 * from outside. */
#ifndef CLI_BENCH_SPEC_H
#define CLI_BENCH_SPEC_H

#include "options.h"
#include "output.h"

enum bench_shell { BENCH_SHELL_AUTO, BENCH_SHELL_ALWAYS, BENCH_SHELL_NEVER, BENCH_SHELL_NONE };
enum bench_time { BENCH_WALL, BENCH_CPU };
extern const char *const bench_shells[], *const bench_times[];

struct bench_spec {
  const struct word_list *commands, *params; /* params: "NAME=1,2,4" */
  const char *baseline;                      /* "NAME=2"; NULL: the first value of each */
  const char *prepare;                       /* or NULL */
  int shell, time;                           /* the enums above */
  bool ignore_failure;                       /* a shell starts the commands */
  uint64_t warmup;
  double timeout_s; /* 0: none is given */
};

/* Adds the YAML; false after a message. */
bool bench_spec_print(const struct bench_spec *spec, struct output *yaml);

#endif
