/* snippet.h - a piece of source with places for values: `Config(M=[@M], N=[@N])`.
 *
 * A place is [@NAME], where NAME is a letter or _ and then letters, digits and _.
 */
#ifndef HONE_EXPORT_SNIPPET_H
#define HONE_EXPORT_SNIPPET_H

#include "base/text.h"
#include "export/manifest.h"

/* Adds the snippet, filled in, each line that is not empty with `indent` spaces in front; without
 * blanks and line breaks at the end. Lines end with \n. INVALID_ARGUMENT lists the names that the
 * entry lacks. */
hone_status hone__snippet_render(const char *snippet, const struct hone__entry *entry,
                                 unsigned indent, struct hone__text *text);

#endif
