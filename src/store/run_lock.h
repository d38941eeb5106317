/* run_lock.h - at most one process makes a run of a key at a time.
 *
 * The lock is a byte of the file "STORE-lock", chosen by the run's key. The operating system
 * releases it when the process ends, however it ends. The file stays; its content means nothing.
 */
#ifndef HONE_STORE_RUN_LOCK_H
#define HONE_STORE_RUN_LOCK_H

#include "store/store.h"

struct hone__run_lock {
  bool is_held; /* false also where the file system has no locks */
  int file;
};

/* False: another process, or another thread, has it. Where the file cannot be made or locked the
 * answer is true, without a lock. */
bool hone__run_lock_take(struct hone__run_lock *lock, struct hone_store *store, const char *key);
/* Waits for it. False: an end was requested. */
bool hone__run_lock_wait(struct hone__run_lock *lock, struct hone_store *store, const char *key,
                         const struct hone_cancel *cancel);
void hone__run_lock_release(struct hone__run_lock *lock);

#endif
