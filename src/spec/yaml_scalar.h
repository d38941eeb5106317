/* yaml_scalar.h - what a YAML 1.1 scalar means, as PyYAML's SafeLoader has it. */
#ifndef HONE_SPEC_YAML_SCALAR_H
#define HONE_SPEC_YAML_SCALAR_H

#include "base/memory.h"
#include "spec/value.h"

/* The meaning of a plain scalar without a tag. Text that is nothing else stays `text` itself, which
 * must outlive the value; new text (a timestamp, an integer beyond 64 bits) lies in the arena.
 *   - a date or timestamp is text as Python prints it: 2001-12-14t21:59:43.1Z is
 *     "2001-12-14 21:59:43.100000+00:00"; one that no calendar has stays as written;
 *   - an integer beyond 64 bits is text, its decimal digits; a very long one stays as written. */
struct hone_value hone__yaml_resolve(const char *text, struct hone__arena *arena);

/* The meaning of a scalar with the tag !!<type>, where type is str, int, float, bool or null. False
 * if the type is another, or if the text is not such a value. */
bool hone__yaml_construct(const char *type, const char *text, struct hone__arena *arena,
                          struct hone_value *out_value);
bool hone__yaml_is_scalar_type(const char *type);

#endif
