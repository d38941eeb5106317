/* judge.h - check.command: a user's program decides whether an answer is right.
 *
 * Its folder (scratch.h), one for each content of the inputs, holds NAME.npy for every input and
 * every output, inputs/NAME.npy for inout arguments before the call, and expected/NAME.npy if there
 * is a reference. Exit status 0 means right; otherwise the last line of its output is the reason.
 */
#ifndef HONE_BACKEND_KERNEL_JUDGE_H
#define HONE_BACKEND_KERNEL_JUDGE_H

#include "backend/kernel/trial.h"

/* `content` is what the inputs held. */
bool hone__judge_accepts(struct hone__bench *bench, const struct hone__kernel_candidate *candidate,
                         size_t content, const unsigned char *snapshot, struct hone__text *why);
/* Copies the function that checks answers from the payload, if there is one. */
hone_status hone__judge_take(struct hone__bench *bench, const void *payload, size_t payload_size);
void hone__judge_release(struct hone__bench *bench); /* removes its folders */

#endif
