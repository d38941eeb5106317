/* sandbox.h - where a runner lives: a process of its own, in a PID namespace where that is allowed,
 * so that nothing it starts outlives it.
 *
 *   1. hone__sandbox_find: which kinds of sandboxes this machine allows
 *   2. hone__sandbox_open: `hone worker ... --runner` in a new sandbox
 *   3. hone__sandbox_kill, and hone__sandbox_reap when `pidfd` is readable, or now and then without
 * one
 *   4. hone__sandbox_close
 *
 * HONE__ISOLATION=none or =namespace in the environment chooses the kind instead.
 */
#ifndef HONE_WORKER_SANDBOX_H
#define HONE_WORKER_SANDBOX_H

#include "base/status.h"
#include "proc/capture.h"

#include <sys/resource.h>
#include <sys/types.h>

enum hone__sandbox_kind {
  HONE__SANDBOX_NAMESPACE,      /* needs CAP_SYS_ADMIN */
  HONE__SANDBOX_USER_NAMESPACE, /* with a user namespace around it: for everybody, on most machines
                                 */
  HONE__SANDBOX_PLAIN           /* descendants are looked for and killed */
};

struct hone__sandbox { /* { .pid = 0 }: none */
  pid_t pid;
  int pidfd; /* -1: none */
  int in, out;
  struct hone__capture said; /* to 1 and 2 */
};

/* The first kind that works here. */
enum hone__sandbox_kind hone__sandbox_find(void);
const char *hone__sandbox_kind_name(enum hone__sandbox_kind kind);

hone_status hone__sandbox_open(enum hone__sandbox_kind kind, const char *role, const char *device,
                               struct hone__sandbox *out_sandbox);
/* Everything in it, or (plain) as much as can be reached before it is reaped. */
void hone__sandbox_kill(const struct hone__sandbox *sandbox);
/* True: the runner is gone, and all that it started. */
bool hone__sandbox_reap(enum hone__sandbox_kind kind, const struct hone__sandbox *sandbox,
                        int *out_status, struct rusage *out_usage);
void hone__sandbox_close(struct hone__sandbox *sandbox);

#endif
