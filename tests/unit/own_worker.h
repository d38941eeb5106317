/* own_worker.h - test programs that are started again as workers, as `hone worker` is: main() calls
 * worker_status first.
 */
#ifndef HONE_TESTS_UNIT_OWN_WORKER_H
#define HONE_TESTS_UNIT_OWN_WORKER_H

#include "hone_machine.h"

#include <string.h>

/* The exit status of a worker; -1: this process is not a worker. */
static inline int worker_status(int argc, char **argv)
{
  const char *role = "run", *device = "";
  bool is_runner = false;

  if (argc < 2 || strcmp(argv[1], "worker") != 0) return -1;
  for (int i = 2; i < argc; i++) {
    if (strcmp(argv[i], "--runner") == 0) is_runner = true;
    if (i + 1 < argc && strcmp(argv[i], "--role") == 0) role = argv[i + 1];
    if (i + 1 < argc && strcmp(argv[i], "--device") == 0) device = argv[i + 1];
  }
  return hone_worker_main(role, device, is_runner);
}

/* For `hone_program` of options. */
static inline const char *this_program(void)
{
  static char *program;

  if (!program) program = hone_own_program();
  return program;
}

#endif
