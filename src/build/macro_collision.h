/* macro_collision.h - errors of compilers that a macro of the spec caused: -DW=512, where a header
 * or a template has a W of its own. */
#ifndef HONE_BUILD_MACRO_COLLISION_H
#define HONE_BUILD_MACRO_COLLISION_H

#include "base/text.h"

#include <jansson.h>

struct hone__macro_build {
  const json_t *defines;       /* [["W", "512"], ...] */
  const char *source, *folder; /* absolute; folder: where the compiler ran */
};

/* Adds "; the macro ..." if the first error in a compiler's output stands where such a macro takes
 * the place of a name. False if it does not. */
bool hone__macro_collision_explain(const struct hone__macro_build *build, const char *output,
                                   struct hone__text *evidence);

#endif
