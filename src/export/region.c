/* Markers are found in whole lines; what lies between is replaced in the file's own line ends. */
#include "export/region.h"

#include "base/text.h"

struct marker_lines { /* where lines with a marker begin and end */
  size_t begin, end;
  size_t count;
  size_t first_line, last_line; /* their numbers, for the message */
};

/* True if the marker is in the line; `as_word`: with no letter next to its letters. */
static bool line_has(const char *line, size_t length, const char *marker, bool as_word)
{
  size_t size = strlen(marker);

  for (size_t i = 0; i + size <= length; i++) {
    if (memcmp(line + i, marker, size) != 0) continue;
    if (!as_word) return true;
    if (i && hone__is_word(marker[0]) && hone__is_word(line[i - 1])) continue;
    if (i + size < length && hone__is_word(marker[size - 1]) && hone__is_word(line[i + size]))
      continue;
    return true;
  }
  return false;
}

static struct marker_lines find_lines(const char *text, const char *marker, bool as_word)
{
  struct marker_lines found = {0};
  size_t at = 0, number = 1;

  for (; text[at]; number++) {
    size_t length = strcspn(text + at, "\n");
    size_t whole = length + (text[at + length] == '\n');
    if (line_has(text + at, length, marker, as_word)) {
      if (!found.count++) found = (struct marker_lines){at, at + whole, 1, number, number};
      found.last_line = number;
    }
    at += whole;
  }
  return found;
}

static hone_status find_marker(const char *text, const char *marker, const char *which,
                               struct marker_lines *out_lines)
{
  if (!*marker) return hone__error(HONE_INVALID_ARGUMENT, "the %s marker is empty", which);
  *out_lines = find_lines(text, marker, false);
  if (out_lines->count > 1) {
    struct marker_lines words = find_lines(text, marker, true);
    if (words.count) *out_lines = words;
  }
  if (out_lines->count == 1) return NULL;
  if (out_lines->count == 0)
    return hone__error(HONE_INVALID_ARGUMENT, "Expected exactly one %s marker: '%s', found none",
                       which, marker);
  return hone__error(HONE_INVALID_ARGUMENT,
                     "Expected exactly one %s marker: '%s', found %zu, from line %zu to line %zu",
                     which, marker, out_lines->count, out_lines->first_line, out_lines->last_line);
}

hone_status hone__region_find(const char *text, const char *begin_marker, const char *end_marker,
                              struct hone__region *out_region)
{
  struct marker_lines begin = {0}, end = {0};
  hone_status status = find_marker(text, begin_marker, "begin", &begin);

  if (!status) status = find_marker(text, end_marker, "end", &end);
  if (status) return status;
  if (begin.begin >= end.begin)
    return hone__error(
        HONE_INVALID_ARGUMENT,
        "the begin marker must come before the end marker: they are on lines %zu and %zu",
        begin.first_line, end.first_line);
  out_region->begin = begin.end;
  out_region->end = end.begin;
  out_region->line_end = begin.end >= 2 && text[begin.end - 2] == '\r' ? "\r\n" : "\n";
  return NULL;
}

void hone__region_replace(const char *text, const struct hone__region *region, const char *lines,
                          struct hone__text *out_text)
{
  hone__text_addn(out_text, text, region->begin);
  for (size_t length; *lines; lines += length + 1) {
    length = strcspn(lines, "\n");
    hone__text_addn(out_text, lines, length);
    hone__text_add(out_text, region->line_end);
    if (!lines[length]) break;
  }
  hone__text_add(out_text, text + region->end);
}
