/* yaml_text.h - the text of a YAML file while it is read.
 *
 * It is checked before libyaml sees it, knows the place of each of its characters, and carries what
 * was reported on it and what it has requested: whoever reads it stops once `stopped` is set.
 *   1. hone__yaml_text_init, hone__yaml_text_check
 *   2. hone__yaml_seek for a place, hone__yaml_charge before anything is made
 *   3. no error was reported: errors == 0
 * It owns nothing.
 */
#ifndef HONE_SPEC_YAML_TEXT_H
#define HONE_SPEC_YAML_TEXT_H

#include "base/diagnostics.h"

enum { HONE__YAML_MOST_NODES = 2000000 };

struct hone__yaml_text {
  const char *data;
  size_t size, begin; /* begin: after a byte order mark */
  const struct hone__source *source;
  struct hone__diagnostics *diagnostics;
  struct hone__yaml_cursor {
    size_t index; /* in characters, as libyaml counts */
    size_t byte, line_start;
    uint32_t line;
  } cursor;
  size_t used; /* nodes charged */
  size_t errors, warnings;
  bool stopped;
};

void hone__yaml_text_init(struct hone__yaml_text *text, const char *data, size_t size,
                          const struct hone__source *source, struct hone__diagnostics *diagnostics);

/* Reports and stops where the text is not UTF-8, not printable, or too slow for libyaml. */
void hone__yaml_text_check(struct hone__yaml_text *text);

/* Only the first reports of each severity are kept; too many errors stop. */
void hone__yaml_report(struct hone__yaml_text *text, enum hone__severity severity,
                       struct hone__place place, const char *format, ...) HONE__PRINTF(4, 5);
void hone__yaml_stop(struct hone__yaml_text *text, struct hone__place place, const char *format,
                     ...) HONE__PRINTF(3, 4);

/* Takes that many nodes off the budget. Stops and returns false when nothing is left. */
bool hone__yaml_charge(struct hone__yaml_text *text, size_t nodes, struct hone__place place);

/* Moves the cursor to a character and returns its place. */
struct hone__place hone__yaml_seek(struct hone__yaml_text *text, size_t index);
/* The same, for a node: after its anchor and tag, if something is there on the same line. */
struct hone__place hone__yaml_seek_content(struct hone__yaml_text *text, size_t index);

/* The line of the file that the user sees. */
uint32_t hone__yaml_line(const struct hone__yaml_text *text, struct hone__place place);

/* A string as messages quote it: short, and on one line. */
struct hone__yaml_excerpt {
  char text[41];
};
struct hone__yaml_excerpt hone__yaml_excerpt(const char *string);

#endif
