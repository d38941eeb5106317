/* call.h - one call of the library with hone_tune_options: its own copy of them, and the cache that
 * they name, for this thread.
 */
#ifndef HONE_SESSION_CALL_H
#define HONE_SESSION_CALL_H

#include "hone.h"

struct hone__call {
  struct hone_tune_options options;
  struct hone_program_options program;
  const char *cache_before;
};

/* hone__call_end is needed also if it fails. */
hone_status hone__call_begin(struct hone__call *call, const struct hone_tune_options *given);
void hone__call_end(const struct hone__call *call);

#endif
