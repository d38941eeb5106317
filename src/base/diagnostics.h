/* diagnostics.h - errors and warnings about a user's file, all of them, with their place.
 *
 *   sgemm.yaml:7:12: error: unknown name 'BMM'; did you mean 'BM'?
 *       7 |   - M % BMM == 0
 *         |         ^
 */
#ifndef HONE_BASE_DIAGNOSTICS_H
#define HONE_BASE_DIAGNOSTICS_H

#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* A text that positions refer to. Where the YAML was taken out of a kernel's source, line_map says
 * where each of its lines is there. */
struct hone__source {
  const char *path;
  const char *text; /* of the file that the user sees */
  size_t size;
  const uint32_t *line_starts; /* offsets of its lines; NULL: not computed yet */
  size_t file_lines;
  const struct hone__source_origin *line_map; /* NULL: the YAML is the file */
  size_t line_count;
};
struct hone__source_origin {
  uint32_t line;         /* 1-based line of the file */
  uint32_t column_shift; /* added to a column of the YAML */
};

struct hone__place { /* 1-based, in the YAML; line 0: no place */
  uint32_t line, column;
};

enum hone__severity { HONE__WARNING, HONE__ERROR };

struct hone__diagnostics { /* { 0 } is empty; the messages lie in its own arena */
  struct hone__arena arena;
  struct hone__diagnostic {
    enum hone__severity severity;
    const struct hone__source *source;
    size_t source_order; /* sources in the order of their first report */
    struct hone__place place;
    const char *message;
  } * items;
  size_t count, capacity;
  size_t errors, warnings; /* also those beyond what is kept */
};

/* Later reports of the same place and message are dropped; of each severity 50 are kept, then only
 * counted. */
void hone__report(struct hone__diagnostics *diagnostics, enum hone__severity severity,
                  const struct hone__source *source, struct hone__place place, const char *format,
                  ...) HONE__PRINTF(5, 6);

/* All reports of one severity as text, in the order of their places; the caller frees it. */
char *hone__diagnostics_text(const struct hone__diagnostics *diagnostics,
                             enum hone__severity severity);
/* Finds where the lines of source->text begin. */
void hone__source_index(struct hone__source *source, struct hone__arena *arena);
/* True if the file has this text, letter by letter, at this place. */
bool hone__source_has(const struct hone__source *source, struct hone__place place,
                      const char *text);
void hone__diagnostics_release(struct hone__diagnostics *diagnostics);

#endif
