/* run_entry.h - the run of a session in the store: its row, its lock, and the data written at its
 * end.
 */
#ifndef HONE_SESSION_RUN_ENTRY_H
#define HONE_SESSION_RUN_ENTRY_H

#include "base/words.h"
#include "store/run_lock.h"
#include "store/store.h"
#include "wire/record.h"

struct hone__comparisons { /* comparisons of answers after the first calls */
  uint64_t samples, whole;
  double whole_ns,
      sample_ns; /* durations of a whole comparison and of its sample: the first reported ones */
};

struct hone__run_entry {
  struct hone_store *store; /* NULL: none is open */
  struct hone__store_run_record run;
  struct hone__store_run_lock lock; /* held while this process makes the run */
  bool resumed;                     /* an earlier session started it */
  bool answered;                    /* a finished run in the store answers this one */
  bool may_reuse;                   /* results of earlier runs may be reused */

  struct hone__store_run_result result;
  struct hone__words notes;
  struct hone__packed *use; /* utilisation of devices in screening; NULL: nothing was screened */
  struct hone__comparisons comparisons;
};

#endif
