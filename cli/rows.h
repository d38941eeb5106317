/* rows.h - prints configurations, line by line, in each of the formats.
 *
 *   rows_open(&rows, space, FORMAT_CSV, output);   prints the header, if there is one
 *   rows_print(&rows, row) ...
 *   rows_close(&rows);
 *
 * The text of a value is computed once; then a line is a few memcpy.
 */
#ifndef CLI_ROWS_H
#define CLI_ROWS_H

#include "output.h"

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV, FORMAT_SPEC };

struct rows {
  const struct hone_space *space;
  enum format format;
  struct output *output;
  struct row_group *groups;
  size_t group_count;
  struct output scratch;
};

void rows_open(struct rows *rows, const struct hone_space *space, enum format format,
               struct output *output);
void rows_close(struct rows *rows);

/* A hone_visit: `rows` is the data. False after a failed write. */
bool rows_print(void *rows, const uint32_t *row);

#endif
