/* expected.h - the answer that candidates must give. */
#ifndef HONE_BACKEND_KERNEL_EXPECTED_H
#define HONE_BACKEND_KERNEL_EXPECTED_H

#include "backend/kernel/trial.h"

/* Makes bench->expected, an answer to each content, by the setup's reference; NULL if there is
 * none.
 *   object   the reference is run in a trial, once: its answers are cached ("references")
 *   command  finds inputs as .npy files, writes outputs (scratch.h); once for each content
 *   files    .npy files in the payload, one for each out and inout argument, in order: they
 *            answer to one content only */
hone_status hone__expected_make(struct hone__bench *bench, const void *payload,
                                size_t payload_size);

/* Compares a candidate's snapshot with it; true if nothing is expected. Adds the reason to `why`,
 * unless it is NULL: then nothing is allocated. */
bool hone__expected_matches(const struct hone__bench *bench,
                            const struct hone__kernel_candidate *candidate, size_t content,
                            const unsigned char *snapshot, struct hone__text *why);
/* Whether nothing was written to outputs past the end of the candidate's own shape. */
bool hone__expected_keeps_shape(const struct hone__bench *bench,
                                const struct hone__kernel_candidate *candidate,
                                const unsigned char *snapshot, struct hone__text *why);
/* Whether both can be right: they differ by less than twice the tolerances. `to_other_content`: an
 * answer that may have been left behind where this one wrote nothing; or NULL. */
bool hone__kernel_answers_agree(const struct hone__bench *bench,
                                const struct hone__kernel_candidate *candidate,
                                const unsigned char *one, const unsigned char *other,
                                const unsigned char *to_other_content);
/* A single element of an output; true if a user's program has to judge, false if only the whole
 * output can be judged. */
bool hone__expected_element_matches(const struct hone__bench *bench, size_t content, size_t arg,
                                    size_t index, const unsigned char *element);

#endif
