/* debug_info.h - the parameters of a function, as the debug information of an object has them.
 *
 * A compiler has resolved what the text of a source may hide: macros, conditions, typedefs,
 * templates and headers.
 */
#ifndef HONE_SOURCE_DEBUG_INFO_H
#define HONE_SOURCE_DEBUG_INFO_H

#include "source/prototype.h"

/* The object is a shared library with DWARF (-g). `entry`: the function's name in C; or, if
 * `pointer` is not NULL, that of a function of C++, `ns::conv<4, float>`, whose address the
 * variable `pointer` of the object has; `name` is then `conv`. What `source` does not declare gets
 * a file. False: the object has no such function, or one with a variable number of arguments. Texts
 * are in the arena. */
bool hone__code_debug_info_find(const char *object, const char *source, const char *entry,
                                const char *name, const char *pointer, struct hone__arena *arena,
                                struct hone__prototype *out_prototype);

#endif
