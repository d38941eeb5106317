/* sandbox.h - the environment of a runner: a separate process, in a PID namespace where allowed, so
 * that no process it starts outlives it.
 *
 *   1. hone__sandbox_find: which kinds of sandbox this machine allows
 *   2. hone__sandbox_open: starts `hone worker ... --runner` in a new sandbox
 *   3. hone__sandbox_kill, and hone__sandbox_reap when `pidfd` is readable, or periodically if
 *      there is none
 *   4. hone__sandbox_close
 *
 * HONE_ISOLATION=none or =namespace in the environment overrides the kind.
 */
#ifndef HONE_WORKER_SANDBOX_H
#define HONE_WORKER_SANDBOX_H

#include "base/status.h"
#include "proc/capture.h"

#include <sys/resource.h>
#include <sys/types.h>

enum hone__sandbox_kind {
  HONE__SANDBOX_NAMESPACE,      /* needs CAP_SYS_ADMIN */
  HONE__SANDBOX_USER_NAMESPACE, /* inside a user namespace: allowed for all users on most machines
                                 */
  HONE__SANDBOX_PLAIN           /* descendants are found in /proc and killed */
};

struct hone__sandbox { /* { .pid = 0 }: no process */
  pid_t pid;
  int pidfd; /* -1: none */
  int in, out;
  struct hone__capture output; /* output on descriptors 1 and 2 */
};

/* The first kind that works here. */
enum hone__sandbox_kind hone__sandbox_find(void);
const char *hone__sandbox_kind_name(enum hone__sandbox_kind kind);

hone_status hone__sandbox_open(enum hone__sandbox_kind kind, const char *role, const char *device,
                               struct hone__sandbox *out_sandbox);
/* Kills every process in it; in a plain sandbox, every process that can be found before the reap.
 */
void hone__sandbox_kill(const struct hone__sandbox *sandbox);
/* Returns true when the runner and all processes it started are gone. */
bool hone__sandbox_reap(enum hone__sandbox_kind kind, const struct hone__sandbox *sandbox,
                        int *out_status, struct rusage *out_usage);
void hone__sandbox_close(struct hone__sandbox *sandbox);

#endif
