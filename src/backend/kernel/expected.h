/* expected.h - the answer that candidates must give. */
#ifndef HONE_BACKEND_KERNEL_EXPECTED_H
#define HONE_BACKEND_KERNEL_EXPECTED_H

#include "backend/kernel/trial.h"

/* Makes bench->expected as the setup's "reference" says; NULL stays NULL where there is none.
 *   object   the reference is run in a trial, once: its answer is cached ("references")
 *   command  finds inputs as .npy files, writes outputs (scratch.h)
 *   files    .npy files in the payload, one for each out and inout argument, in order */
hone_status hone__expected_make(struct hone_bench *bench, const json_t *reference,
                                const void *payload, size_t payload_size);

/* A snapshot against it; true also where nothing is expected. Adds why it is wrong to `why`. */
bool hone__expected_matches(const struct hone_bench *bench, const unsigned char *snapshot,
                            struct hone_text *why);

#endif
