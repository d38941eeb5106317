/* build_outcome.h - what became of a compiler. */
#ifndef HONE_BUILD_BUILD_OUTCOME_H
#define HONE_BUILD_BUILD_OUTCOME_H

#include "base/status.h"
#include "wire/message.h"
#include "proc/child.h"

/* Sets outcome and evidence, unless it ended with exit status 0. */
void hone__build_judge(const struct hone__child_result *result, const char *program,
                       struct hone__answer *answer);
/* True if it is the compiler's own error, which it would give again: no file was missing, and
 * nothing else that may be cured without a change of what it read. */
bool hone__build_fails_for_good(const struct hone__child_result *result,
                                const struct hone__answer *answer);

/* Adds to the evidence. */
void hone__build_fail(struct hone__answer *answer, enum hone_outcome outcome, const char *evidence);
/* Another text than the driver saw must not go by the same name. */
void hone__build_source_changed(struct hone__answer *answer, const char *source);
/* A failure of this host, not of the build. Takes the status over. */
void hone__build_fail_with(struct hone__answer *answer, hone_status status);

#endif
