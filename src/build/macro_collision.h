/* macro_collision.h - compile errors caused by a macro of the spec: -DW=512, where a header or a
 * template has another W.
 */
#ifndef HONE_BUILD_MACRO_COLLISION_H
#define HONE_BUILD_MACRO_COLLISION_H

#include "base/pairs.h"
#include "base/text.h"

struct hone__macro_build {
  const struct hone__name_value *defines; /* "W" is "512" */
  size_t define_count;
  const char *source, *folder; /* absolute; folder: where the compiler ran */
};

/* Adds "; the macro ..." if the first error in a compiler's output is at a place where such a macro
 * replaces a name. False if it is not. */
bool hone__macro_collision_explain(const struct hone__macro_build *build, const char *output,
                                   struct hone__text *evidence);

#endif
