/* hone_sketch.h - a first spec for a source: what `hone init` writes.
 *
 * The source is read as text, by a small parser: the function and its parameters, macros between
 * `#ifndef` and `#endif`, parameters of templates, and the options of a Python program. What it
 * does not understand, and sizes that nobody but the user knows, are marked with TODO, which is an
 * error with its line when the spec is used.
 */
#ifndef HONE_SKETCH_H
#define HONE_SKETCH_H

#include "hone.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The text of a spec, to be written beside the source; free() it. `entry` is the function to tune;
 * NULL: the last one of the source that can be a kernel. UNAVAILABLE: nothing is known of files
 * with this suffix. */
HONE_API hone_status hone_spec_sketch(const char *source, const char *entry, char **out_yaml);

#ifdef __cplusplus
}
#endif

#endif
