/* learned_store.h - what runs of this kernel in a store teach the search of a run. */
#ifndef HONE_TUNE_LEARNED_STORE_H
#define HONE_TUNE_LEARNED_STORE_H

#include "tune/tuning.h"

/* What a run measured, as a lesson; false: that is less than `least` configurations that are legal
 * here, or nothing of it works. */
hone_status hone__learned_run(struct hone__tuning *tuning, struct hone_store *store, int64_t run,
                              size_t least, bool *out_taught);
/* Each run of a spec with this name is a lesson in tuning->search.lessons, the newest first, for
 * other sizes and devices too. *out_count: how many could be used. */
hone_status hone__learned_store(struct hone__tuning *tuning, const char *path, size_t *out_count);

#endif
