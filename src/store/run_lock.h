/* run_lock.h - at most one process makes a run of a key at a time.
 *
 * The lock is a byte of the file "STORE-lock", chosen by the run's key. The operating system
 * releases it when the process ends, however it ends. The file stays; its content means nothing.
 */
#ifndef HONE_STORE_RUN_LOCK_H
#define HONE_STORE_RUN_LOCK_H

#include "store/store.h"

struct hone__store_run_lock {
  bool is_held; /* false also where the file system has no locks */
  int file;
};

/* False: another process, or another thread, has it. Where the file cannot be made or locked the
 * answer is true, without a lock. */
bool hone__store_run_lock_take(struct hone__store_run_lock *lock, struct hone_store *store,
                               const char *key);
void hone__store_run_lock_release(struct hone__store_run_lock *lock);

#endif
