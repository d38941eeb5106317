/* early_builds.h - the first builds, begun before the baseline is measured.
 *
 * Builders would be idle while the devices are opened and the baseline is timed (and, of served
 * programs, built). The first configurations of the search are therefore built early; if the
 * search asks for them, they are taken over. This changes when something is built, and nothing
 * else: the search itself is not asked.
 *
 *   1. hone__early_builds_start, after the build of the baseline was submitted: on half of the
 *      builders
 *   2. hone__early_builds_use_all, when the devices are open: on all of them
 *   3. hone__early_builds_find and _take, instead of hone__candidate_build
 *   4. hone__early_builds_release, after the workers are closed
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
void hone__early_builds_use_all(struct hone__tuning *tuning);
/* True: it was built, and has its object. */
bool hone__early_builds_find(const struct hone__early_builds *builds,
                             struct hone__candidate *candidate);
/* True: it is being built, and `done` is called in the end. */
bool hone__early_builds_take(struct hone__early_builds *builds, struct hone__candidate *candidate,
                             hone__candidate_done *done);
void hone__early_builds_release(struct hone__early_builds *builds);

#endif
