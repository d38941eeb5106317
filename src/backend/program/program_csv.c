/* One file of results. Columns stay as the program named them; the files of several processes may
 * have different ones. */
#include "backend/program/program_result.h"
#include "base/time_unit.h"
#include "base/csv.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>

enum { MOST_NAMED = 8 };

struct file {
  const char *name;
  const struct hone__csv_row *header;
  size_t *places;     /* of its columns in the table */
  bool *is_text;      /* for each column */
  size_t time, label; /* columns; SIZE_MAX: there is none */
  double unit_ns;
  struct hone__program_table *table;
  struct hone__text *why;
};

/* ---- Columns ---- */

static bool find_time(struct file *file, const char *word, double bare_ns)
{
  for (size_t i = 0; i < file->header->count; i++) {
    file->unit_ns = hone__time_column_ns(file->header->cells[i].text, word, bare_ns);
    file->time = i;
    if (file->unit_ns > 0) return true;
  }
  return false;
}

static bool refuse_columns(const struct file *file)
{
  hone__text_addf(file->why, "%s has no column such as 'met (ms)': its columns are", file->name);
  for (size_t i = 0; i < file->header->count && i < MOST_NAMED; i++)
    hone__text_addf(file->why, "%s '%.40s'", i ? "," : "", file->header->cells[i].text);
  if (file->header->count > MOST_NAMED) hone__text_add(file->why, " ...");
  return false;
}

static bool read_header(struct file *file, const struct hone__program_terms *terms)
{
  if (file->header->count > HONE__PROGRAM_MOST_COLUMNS) {
    hone__text_addf(file->why, "%s has %zu columns: the limit is %d", file->name,
                    file->header->count, HONE__PROGRAM_MOST_COLUMNS);
    return false;
  }
  if (!find_time(file, "met", terms->unit_ns) && !find_time(file, "time", terms->unit_ns))
    return refuse_columns(file);
  file->label = SIZE_MAX;
  for (size_t i = file->header->count; i-- > 0;)
    if (strcasecmp(file->header->cells[i].text, "name") == 0) file->label = i;
  return true;
}

/* A name that occurs twice in the header is two columns. */
static void place_columns(struct file *file)
{
  const struct hone__csv_cell *cells = file->header->cells;

  file->places = hone__alloc(file->header->count * sizeof *file->places);
  for (size_t i = 0; i < file->header->count; i++) {
    size_t nth = 0;
    for (size_t k = 0; k < i; k++)
      nth += strcmp(cells[k].text, cells[i].text) == 0;
    file->places[i] = hone__program_table_column(file->table, cells[i].text, nth);
  }
}

/* ---- Rows ---- */

static bool is_figure(const char *text)
{
  double number;

  return hone__csv_is_nothing(text) || hone__csv_number(text, &number) ||
         strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0;
}

/* pandas' way: quotes make no text of a number, but one text makes texts of all in its column. */
static bool *find_texts(const struct file *file, const struct hone__csv *csv)
{
  bool *is_text = hone__alloc(file->header->count * sizeof *is_text);

  for (size_t i = 1; i < csv->row_count; i++) {
    const struct hone__csv_row *row = &csv->rows[i];
    for (size_t k = 0; k < row->count && k < file->header->count; k++)
      is_text[k] = is_text[k] || !is_figure(row->cells[k].text);
  }
  if (file->label != SIZE_MAX) is_text[file->label] = true;
  return is_text;
}

static struct hone__table_cell number_cell(const char *text, double number)
{
  char *end;
  long long integer;

  errno = 0;
  integer = strtoll(text, &end, 10);
  if (!errno && !end[strspn(end, " \t")])
    return (struct hone__table_cell){.kind = HONE__CELL_INT, .integer = integer};
  return (struct hone__table_cell){.kind = HONE__CELL_REAL, .real = number};
}

static void set_cell(struct hone__program_table *table, size_t column,
                     const struct hone__csv_cell *cell, bool is_text)
{
  struct hone__text clean = {0};
  double number;

  if (hone__csv_is_nothing(cell->text)) {
    hone__program_table_set(table, column, (struct hone__table_cell){0});
  } else if (!is_text && hone__csv_number(cell->text, &number)) {
    hone__program_table_set(table, column, number_cell(cell->text, number));
  } else {
    hone__utf8_clean(cell->text, cell->length, &clean);
    hone__program_table_set(table, column, (struct hone__table_cell){.text = clean.data});
    hone__text_release(&clean);
  }
}

static bool read_time(const struct file *file, const struct hone__csv_row *row, double *out_ns)
{
  const struct hone__csv_cell *cell = &row->cells[file->time];
  bool is_number = strlen(cell->text) == cell->length && hone__csv_number(cell->text, out_ns);

  if (is_number && (*out_ns *= file->unit_ns) > 0) return true;
  hone__text_addf(file->why, "%s, line %zu: '%.40s' in column '%.40s' is not a valid time",
                  file->name, row->line, cell->text, file->header->cells[file->time].text);
  return false;
}

static bool read_row(struct file *file, const struct hone__csv_row *row, const char *name)
{
  double ns;

  if (row->count != file->header->count) {
    hone__text_addf(file->why, "%s, line %zu: %zu cells, where the header has %zu", file->name,
                    row->line, row->count, file->header->count);
    return false;
  }
  if (!read_time(file, row, &ns)) return false;
  hone__program_table_row(file->table,
                          file->label < row->count ? row->cells[file->label].text : name, ns);
  for (size_t i = 0; i < row->count; i++)
    set_cell(file->table, file->places[i], &row->cells[i], file->is_text[i]);
  return true;
}

static bool read_rows(struct file *file, const struct hone__csv *csv,
                      const struct hone__program_terms *terms)
{
  bool good = read_header(file, terms);

  if (good) {
    place_columns(file);
    file->is_text = find_texts(file, csv);
  }
  for (size_t i = 1; i < csv->row_count && good; i++)
    good = read_row(file, &csv->rows[i], terms->name);
  free(file->places);
  free(file->is_text);
  return good;
}

enum hone__program_reading hone__program_read_csv(const char *text, size_t size, const char *name,
                                                  const struct hone__program_terms *terms,
                                                  struct hone__program_table *table,
                                                  struct hone__text *why)
{
  struct hone__csv csv;
  hone_status status = hone__csv_parse(text, size, &csv);
  struct file file = {.name = name, .table = table, .why = why};
  enum hone__program_reading reading = HONE__READ_NOTHING;

  if (status) {
    hone__text_addf(why, "%s, line %zu: %s", name, csv.error_line, hone_status_message(status));
    hone_status_free(status);
    return HONE__READ_WRONG;
  }
  file.header = csv.rows;
  if (csv.row_count > 1)
    reading = read_rows(&file, &csv, terms) ? HONE__READ_TIMES : HONE__READ_WRONG;
  else
    hone__text_addf(why, csv.row_count ? "%s has a header and no row" : "%s is empty", name);
  hone__csv_release(&csv);
  return reading;
}
