/* build_outcome.h - what became of a compiler. */
#ifndef HONE_BACKEND_BUILD_OUTCOME_H
#define HONE_BACKEND_BUILD_OUTCOME_H

#include "backend/backend.h"
#include "exec/child.h"

/* Sets outcome and evidence, unless it ended with exit status 0. */
void hone__build_judge(const struct hone_child_result *result, const char *program,
                       struct hone_answer *answer);

#endif
