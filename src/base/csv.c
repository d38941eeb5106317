/* One pass over the text. Cells are written, without their quotes, into one copy of it: with its
 * NUL a cell never takes more than it did with its separator. The array of cells moves while it
 * grows, so rows point into it only at the end. */
#include "base/csv.h"

#include "base/number.h"

#include <math.h>
#include <stdlib.h>

struct reader {
  const char *at, *end;
  char *out;
  size_t line;
  struct hone__csv *csv;
  size_t cell_count, cell_capacity, row_capacity;
};

static bool is_line_end(char c)
{
  return c == '\n' || c == '\r';
}

static void skip_line_end(struct reader *reader)
{
  if (reader->at == reader->end) return;
  if (*reader->at == '\r' && reader->at + 1 < reader->end && reader->at[1] == '\n') reader->at++;
  reader->at++;
  reader->line++;
}

static bool is_at_line_end(const struct reader *reader)
{
  return reader->at == reader->end || is_line_end(*reader->at);
}

/* After the opening quote. A line's end inside counts as a line. */
static hone_status read_quoted(struct reader *reader)
{
  size_t opened = reader->line;

  for (; reader->at < reader->end; reader->at++) {
    bool is_quote = *reader->at == '"';
    if (is_quote && (reader->at + 1 == reader->end || reader->at[1] != '"')) {
      reader->at++;
      return NULL;
    }
    reader->at += is_quote;
    if (*reader->at == '\n' ||
        (*reader->at == '\r' && reader->at + 1 < reader->end && reader->at[1] != '\n'))
      reader->line++;
    *reader->out++ = *reader->at;
  }
  reader->csv->error_line = opened;
  return hone__error(HONE_INVALID_SPEC, "a quote is not closed");
}

static void read_plain(struct reader *reader)
{
  while (!is_at_line_end(reader) && *reader->at != ',')
    *reader->out++ = *reader->at++;
}

static hone_status read_cell(struct reader *reader)
{
  struct hone__csv *csv = reader->csv;
  char *begin = reader->out;
  bool is_quoted = !is_at_line_end(reader) && *reader->at == '"';
  hone_status status = NULL;

  if (reader->cell_count == HONE__CSV_MOST_CELLS) {
    csv->error_line = reader->line;
    return hone__error(HONE_EXHAUSTED, "there are more than %d cells", HONE__CSV_MOST_CELLS);
  }
  reader->at += is_quoted;
  if (is_quoted) status = read_quoted(reader);
  if (status) return status;
  read_plain(reader); /* also what follows a closing quote */
  HONE__GROW(csv->cells, reader->cell_count, reader->cell_capacity);
  csv->cells[reader->cell_count++] = (struct hone__csv_cell){
      .text = begin, .length = (size_t)(reader->out - begin), .is_quoted = is_quoted};
  *reader->out++ = 0;
  return NULL;
}

static hone_status read_row(struct reader *reader)
{
  struct hone__csv *csv = reader->csv;
  size_t line = reader->line, first = reader->cell_count;
  hone_status status;

  for (;;) {
    status = read_cell(reader);
    if (status) return status;
    if (is_at_line_end(reader)) break;
    reader->at++; /* the comma */
  }
  HONE__GROW(csv->rows, csv->row_count, reader->row_capacity);
  csv->rows[csv->row_count++] =
      (struct hone__csv_row){.count = reader->cell_count - first, .line = line};
  return NULL;
}

static void skip_byte_order_mark(struct reader *reader)
{
  if (reader->end - reader->at >= 3 && memcmp(reader->at, "\xef\xbb\xbf", 3) == 0) reader->at += 3;
}

static void connect_rows(struct hone__csv *csv)
{
  const struct hone__csv_cell *cell = csv->cells;

  for (size_t i = 0; i < csv->row_count; i++) {
    csv->rows[i].cells = cell;
    cell += csv->rows[i].count;
  }
}

hone_status hone__csv_parse(const char *text, size_t size, struct hone__csv *out_csv)
{
  struct reader reader = {.at = text, .end = text + size, .line = 1, .csv = out_csv};
  hone_status status = NULL;

  *out_csv = (struct hone__csv){0};
  reader.out = out_csv->text = hone__alloc(size + 1);
  skip_byte_order_mark(&reader);
  while (reader.at < reader.end && !status) {
    if (!is_at_line_end(&reader)) status = read_row(&reader);
    if (!status) skip_line_end(&reader);
  }
  if (status) {
    size_t line = out_csv->error_line;
    hone__csv_release(out_csv);
    out_csv->error_line = line;
    return status;
  }
  connect_rows(out_csv);
  return NULL;
}

void hone__csv_release(struct hone__csv *csv)
{
  free(csv->rows);
  free(csv->cells);
  free(csv->text);
  *csv = (struct hone__csv){0};
}

bool hone__csv_number(const char *text, double *out_number)
{
  const char *begin = text + strspn(text, " \t");
  char *end;

  if (begin[strspn(begin, "+-.0123456789eE \t")] || !strpbrk(begin, "0123456789")) return false;
  *out_number = hone__strtod(begin, &end);
  return end[strspn(end, " \t")] == 0 && isfinite(*out_number);
}

bool hone__csv_is_nothing(const char *text)
{
  static const char *const words[] = {"",         "#N/A", "#N/A N/A", "#NA",    "-1.#IND",
                                      "-1.#QNAN", "-NaN", "-nan",     "1.#IND", "1.#QNAN",
                                      "<NA>",     "N/A",  "NA",       "NULL",   "NaN",
                                      "None",     "n/a",  "nan",      "null"};

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(text, words[i]) == 0) return true;
  return false;
}

void hone__csv_quote(struct hone__text *text, const char *field)
{
  hone__text_addn(text, "\"", 1);
  for (; *field; field++)
    hone__text_addn(text, *field == '"' ? "\"\"" : field, *field == '"' ? 2 : 1);
  hone__text_addn(text, "\"", 1);
}
