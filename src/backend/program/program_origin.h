/* program_origin.h - what a build begins with, and what tells one from another. */
#ifndef HONE_BACKEND_PROGRAM_PROGRAM_ORIGIN_H
#define HONE_BACKEND_PROGRAM_PROGRAM_ORIGIN_H

#include "backend/language.h"
#include "backend/program/program_candidate.h"
#include "base/digest.h"

struct hone__program_origin {
  const struct hone__program_candidate *candidate;
  const struct hone__language *language;
  char *directory; /* where the compiler runs */
};

/* Of all that changes the object, but for files that the source includes. Asks the compiler for its
 * version: in workers only. */
void hone__program_origin_key(const struct hone__program_origin *origin,
                              char out_key[HONE__DIGEST_SIZE]);
/* Adds paths with digests. `list`: where the compiler may have written what it read. Not all of
 * them are known if it died before that. */
void hone__program_origin_deps(const struct hone__program_origin *origin, const char *list,
                               struct hone__pairs *deps, bool *out_are_all);

#endif
