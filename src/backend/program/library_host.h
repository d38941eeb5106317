/* library_host.h - a persistent process that calls `int32_t benchmark_entry(void)` of one shared
 * library after the other.
 *
 * The start-up cost of a program (a GPU context, a runtime) is paid once. A call that fails, in any
 * way, ends the process and everything it started; the next call gets a new one.
 */
#ifndef HONE_BACKEND_PROGRAM_LIBRARY_HOST_H
#define HONE_BACKEND_PROGRAM_LIBRARY_HOST_H

#include "proc/helper.h"

#include <stdint.h>

struct hone__library_call {
  const char *path;             /* with a slash in it */
  const char *key;              /* of its contents: the same one is not loaded again */
  const char *const *variables; /* "NAME=value", ended by NULL; KBENCH_ARG_* of earlier calls go */
  const char *directory;        /* NULL: as it is */
  double timeout_s;             /* 0: none */
};

struct hone__library_result {
  bool has_returned;
  int32_t value;
  struct hone__text refusal;       /* why it could not be loaded; "": it was */
  struct hone__child_result child; /* seconds, output, errors; if it did not return, also its end */
};

/* Starts `*host` if it is NULL; sets it to NULL if it had to end. */
void hone__library_call(struct hone__helper **host, const struct hone__library_call *call,
                        struct hone__library_result *out_result);
void hone__library_result_release(struct hone__library_result *result);

#endif
