/* deps_text.h - the files that a build depended on, in the store's format: [["path", "digest"],
 * ...].
 */
#ifndef HONE_SESSION_DEPS_TEXT_H
#define HONE_SESSION_DEPS_TEXT_H

#include "base/memory.h"
#include "base/pairs.h"

#include <stdbool.h>

/* Allocated in the arena. */
const char *hone__deps_print(const struct hone__name_value *deps, size_t count,
                             struct hone__arena *arena);
/* Appends them; false: the text, which may be NULL, is not such a list. */
bool hone__deps_parse(const char *text, struct hone__pairs *deps);

#endif
