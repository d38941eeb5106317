/* early_builds.h - the first builds of a served program, begun before the baseline is measured.
 *
 * A served program builds for a second or more, and its builders would be idle while the baseline
 * is built and timed. The first configurations of the search are therefore built early; if the
 * search asks for them, they are taken over. This changes when something is built, and nothing
 * else: the search itself is not asked.
 *
 *   1. hone__early_builds_start, after the build of the baseline was submitted
 *   2. hone__early_builds_find and _take, instead of hone__candidate_build
 *   3. hone__early_builds_release, after the workers are closed
 */
#ifndef HONE_TUNE_EARLY_BUILDS_H
#define HONE_TUNE_EARLY_BUILDS_H

#include "session/session.h"

struct hone__tuning;
struct hone__early_build;

struct hone__early_builds {
  struct hone__early_build *first;
};

void hone__early_builds_start(struct hone__tuning *tuning);
/* True: it was built, and has its object. */
bool hone__early_builds_find(const struct hone__early_builds *builds,
                             struct hone__candidate *candidate);
/* True: it is being built, and `done` is called in the end. */
bool hone__early_builds_take(struct hone__early_builds *builds, struct hone__candidate *candidate,
                             hone__candidate_done *done);
void hone__early_builds_release(struct hone__early_builds *builds);

#endif
