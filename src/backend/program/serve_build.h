/* serve_build.h - builds of a served program: in a builder, by the program's own instance there. */
#ifndef HONE_BACKEND_PROGRAM_SERVE_BUILD_H
#define HONE_BACKEND_PROGRAM_SERVE_BUILD_H

#include "backend/program/program_candidate.h"
#include "backend/program/program_setup.h"
#include "build/build_draft.h"

/* True if there is nothing to build, or nothing was written: the object is empty. Otherwise the
 * answer has the object or the failure. */
bool hone__serve_build(const struct hone__program_setup *setup,
                       const struct hone__program_candidate *candidate,
                       struct hone__build_draft *draft, struct hone__answer *answer);
void hone__serve_end_builder(void);

#endif
