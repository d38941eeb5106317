/* build_outcome.h - how a compiler ended. */
#ifndef HONE_BUILD_BUILD_OUTCOME_H
#define HONE_BUILD_BUILD_OUTCOME_H

#include "base/status.h"
#include "wire/message.h"
#include "proc/child.h"

/* Sets outcome and evidence, unless the exit status is 0. */
void hone__build_judge(const struct hone__child_result *result, const char *program,
                       struct hone__answer *answer);
/* True if it is a compile error that would be repeated: no missing file, and no other cause that
 * may go away without a change of its inputs. */
bool hone__build_fails_for_good(const struct hone__child_result *result,
                                const struct hone__answer *answer);

/* Adds to the evidence. */
void hone__build_fail(struct hone__answer *answer, enum hone_outcome outcome, const char *evidence);
/* Fails the build: a source that differs from the one the driver read must not have its key. */
void hone__build_source_changed(struct hone__answer *answer, const char *source);
/* A failure of this host, not of the build. Takes over the status. */
void hone__build_fail_with(struct hone__answer *answer, hone_status status);

#endif
