/* program_origin.h - the inputs of a build, and its identity. */
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

/* Digest of everything that changes the object, except included files. Runs the compiler for its
 * version: in workers only. */
void hone__program_origin_key(const struct hone__program_origin *origin,
                              char out_key[HONE__DIGEST_SIZE]);
/* Adds paths with digests. `list`: the compiler's list of files it read. The list is incomplete if
 * the compiler died early. */
void hone__program_origin_deps(const struct hone__program_origin *origin, const char *list,
                               struct hone__pairs *deps, bool *out_are_all);

#endif
