/* cell.h - where a runner lives: a process of its own, in a PID namespace where that is allowed, so
 * that nothing it starts outlives it.
 *
 *   1. hone__cell_find: which kinds of cells this machine allows
 *   2. hone__cell_open: `hone worker ... --runner` in a new cell
 *   3. hone__cell_kill, and hone__cell_reap when `pidfd` is readable, or now and then without one
 *   4. hone__cell_close
 *
 * HONE__ISOLATION=none or =namespace in the environment chooses the kind instead.
 */
#ifndef HONE_WORKER_CELL_H
#define HONE_WORKER_CELL_H

#include "base/status.h"
#include "proc/capture.h"

#include <sys/resource.h>
#include <sys/types.h>

enum hone__cell_kind {
  HONE__CELL_NAMESPACE,      /* needs CAP_SYS_ADMIN */
  HONE__CELL_USER_NAMESPACE, /* with a user namespace around it: for everybody, on most machines */
  HONE__CELL_PLAIN           /* descendants are looked for and killed */
};

struct hone__cell { /* { .pid = 0 }: none */
  pid_t pid;
  int pidfd; /* -1: none */
  int in, out;
  struct hone__capture said; /* to 1 and 2 */
};

/* The first kind that works here. */
enum hone__cell_kind hone__cell_find(void);
const char *hone__cell_kind_name(enum hone__cell_kind kind);

hone_status hone__cell_open(enum hone__cell_kind kind, const char *role, const char *device,
                            struct hone__cell *out_cell);
/* Everything in it, or (plain) as much as can be reached before it is reaped. */
void hone__cell_kill(const struct hone__cell *cell);
/* True: the runner is gone, and all that it started. */
bool hone__cell_reap(enum hone__cell_kind kind, const struct hone__cell *cell, int *out_status,
                     struct rusage *out_usage);
void hone__cell_close(struct hone__cell *cell);

#endif
