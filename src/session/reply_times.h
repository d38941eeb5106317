/* reply_times.h - whether the times in a runner's reply can be times.
 *
 * A worker may be of another version, broken, or not ours at all. hone__run_part asks here for
 * every candidate that is said to work, so that no other number becomes a cap, the best so far or
 * what a search learns from.
 */
#ifndef HONE_SESSION_REPLY_TIMES_H
#define HONE_SESSION_REPLY_TIMES_H

#include "pool/pool.h"

/* What is wrong with the times of candidate i, in words; NULL: nothing. `samples` is the number
 * that the reply claims for it; mode "rows" is told by the reply's number of rows. */
const char *hone__reply_times_wrong(const struct hone__reply *reply, size_t i, size_t samples);
/* What is wrong with this one; NULL: nothing. */
const char *hone__time_wrong(double ns);

#endif
