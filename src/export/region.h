/* region.h - the lines between two marker lines of a source file.
 *
 *   1. hone__region_find(text, begin_marker, end_marker, &region)
 *   2. hone__region_replace(text, &region, lines, &out_text)
 * Nothing outside the region changes, not a byte.
 */
#ifndef HONE_EXPORT_REGION_H
#define HONE_EXPORT_REGION_H

#include "base/text.h"
#include "base/status.h"

struct hone__region {
  size_t begin, end;    /* offsets: after the line of the begin marker, at the line of the end's */
  const char *line_end; /* "\n" or "\r\n", as the begin marker's line has it */
};

/* A marker's line is the one line with the marker in it; of several, the one where it stands as a
 * word. INVALID_ARGUMENT if there is none, or more than one, or the end comes first. */
hone_status hone__region_find(const char *text, const char *begin_marker, const char *end_marker,
                              struct hone__region *out_region);

/* `lines` end with \n each, or are empty. */
void hone__region_replace(const char *text, const struct hone__region *region, const char *lines,
                          struct hone__text *out_text);

/* Both texts line by line, as `diff -U3` has it; nothing if they are equal. */
void hone__region_diff(const char *old_text, const char *new_text, const char *old_name,
                       const char *new_name, struct hone__text *out_diff);

#endif
