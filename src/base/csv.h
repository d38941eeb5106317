/* csv.h - tables as comma-separated values (RFC 4180, read with some patience).
 *
 * Lines end with LF, CRLF or CR, the last one also without; a byte order mark is skipped, and so
 * are lines without a character. In quotes a comma, a line's end and a doubled quote are text.
 * Rows may differ in length.
 */
#ifndef HONE_BASE_CSV_H
#define HONE_BASE_CSV_H

#include "base/status.h"
#include "base/text.h"

enum { HONE__CSV_MOST_CELLS = 16 << 20 };

struct hone__csv_cell {
  const char *text; /* without its quotes; ends with a NUL, and may hold others */
  size_t length;
  bool is_quoted;
};

struct hone__csv_row {
  const struct hone__csv_cell *cells;
  size_t count; /* at least 1 */
  size_t line;  /* of the file, from 1 */
};

struct hone__csv { /* { 0 }; owns everything that it shows */
  struct hone__csv_row *rows;
  size_t row_count;
  size_t error_line; /* of a text that is not CSV */
  /* private */
  struct hone__csv_cell *cells;
  char *text;
};

/* INVALID_SPEC: a quote is not closed; EXHAUSTED: more than HONE__CSV_MOST_CELLS. The message is
 * without the line, which is out_csv->error_line. Nothing but that is to be released then. */
hone_status hone__csv_parse(const char *text, size_t size, struct hone__csv *out_csv);
void hone__csv_release(struct hone__csv *csv);

/* A finite decimal number, with blanks around it; "nan", "inf" and "0x1" are texts. */
bool hone__csv_number(const char *text, double *out_number);

/* No value, or a word for it: those of pandas, such as "N/A". */
bool hone__csv_is_nothing(const char *text);

/* Adds one field in quotes. */
void hone__csv_quote(struct hone__text *text, const char *field);

#endif
