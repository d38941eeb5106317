/* sim_recording.h - the recording that this process uses: loaded once, identified by its digest. */
#ifndef HONE_BACKEND_SIM_SIM_RECORDING_H
#define HONE_BACKEND_SIM_SIM_RECORDING_H

#include "base/digest.h"
#include "base/text.h"
#include "replay/recording.h"

/* Of both files' bytes; `space` may be NULL. */
hone_status hone__sim_digest(const char *path, const char *space,
                             char out_digest[HONE__DIGEST_SIZE]);

/* Lent until the next call. NOT_FOUND: the files are there, but not those of this digest. */
hone_status hone__sim_recording(const char *path, const char *space, const char *digest,
                                const struct hone__recording **out_recording);

/* The record of "BM=64,BN=32"; NULL: none, and why. */
const struct hone__recorded *hone__sim_find(const struct hone__recording *recording,
                                            const char *config, struct hone__text *out_why);

#endif
