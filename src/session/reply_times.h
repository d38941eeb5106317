/* reply_times.h - whether the times in a runner's reply are valid.
 *
 * A worker may have another version, be broken, or be a foreign program. hone__run_part checks
 * every candidate that is reported to work, so that no invalid number becomes a cap, the best so
 * far or input of a search.
 */
#ifndef HONE_SESSION_REPLY_TIMES_H
#define HONE_SESSION_REPLY_TIMES_H

#include "pool/pool.h"

/* What is wrong with the times of candidate i, as readable text; NULL: nothing. `samples` is the
 * number that the reply claims for it; a reply with rows is in mode "rows". */
const char *hone__session_times_wrong(const struct hone__reply *reply, size_t i, size_t samples);
/* What is wrong with this time; NULL: nothing. */
const char *hone__session_time_wrong(double ns);

#endif
