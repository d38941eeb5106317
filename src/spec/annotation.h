/* annotation.h - the spec inside a kernel's own source.
 *
 * Lines that begin with //@hone (after white space), and the lines inside a block comment that
 * begins with the characters slash, star, @hone, hold YAML. All of a file's annotations together,
 * in order, are one YAML text. Each block is dedented by itself, so that the two forms mix; a block
 * is one comment, or //@hone lines without another line between them.
 *   - A star at the beginning of every inner line of a comment is decoration.
 *   - Text on a comment's first line, after @hone, counts as not indented. If it opens a value
 *     (params:) then what follows at the comment's least indentation is that value.
 *   - A marker is followed by white space or the end of the line: //@honey is not one.
 */
#ifndef HONE_SPEC_ANNOTATION_H
#define HONE_SPEC_ANNOTATION_H

#include "base/diagnostics.h"

/* *out_yaml is NULL if the source holds no annotation, or if one has no end, which is an error in
 * `diagnostics`; else the YAML, in the arena, and *out_map tells for each of its lines where it
 * is in the source. The map has one line more, for what is missing at the end.
 *
 * The place of that error is one of the source itself: `source` must not have a map then. */
void hone__annotation_extract(const char *text, size_t size, const struct hone__source *source,
                              struct hone__arena *arena, struct hone__diagnostics *diagnostics,
                              char **out_yaml, size_t *out_size,
                              const struct hone__source_origin **out_map, size_t *out_lines);

#endif
