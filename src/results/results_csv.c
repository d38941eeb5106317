/* A CSV file as results: one of a sweep or of kbench, with the columns `spec` and perhaps
 * `kbench_filter`, or one that a program wrote itself, where the name says which configuration it
 * was. Cells stay as they are written. */
#include "results/results.h"

#include "base/allocators.h"
#include "base/csv.h"
#include "base/file.h"
#include "spec/spec_text.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_BYTES = 1 << 29, MOST_COLUMNS = 4096 };

struct reading {
  struct hone__results_full *full;
  const char *path;
  struct hone__csv csv;
  size_t *columns; /* of the results, one a cell of the header; SIZE_MAX: a column with a role */
  size_t spec, filter, mesh_idx, name; /* numbers in the header; SIZE_MAX: there is none */
  bool quotes_texts;                   /* what is in quotes is a text, even "1": pandas wrote it */
};

static hone_status wrong(const struct reading *reading, size_t line, const char *what)
{
  return hone__error(HONE_INVALID_SPEC, "%s:%zu: %s", reading->path, line, what);
}

/* ---- Whether it is CSV at all ---- */

static bool is_pickle(const char *path, const char *text, size_t size)
{
  size_t length = strlen(path);

  if (length > 4 && strcmp(path + length - 4, ".pkl") == 0) return true;
  return size > 1 && (unsigned char)text[0] == 0x80 && text[1] > 0 && text[1] < 6;
}

static hone_status is_empty(const char *path)
{
  return hone__error(HONE_INVALID_SPEC, "'%s' is empty: it holds no results", path);
}

static hone_status check_text(const char *path, const char *text, size_t size)
{
  if (is_pickle(path, text, size))
    return hone__error(HONE_INVALID_SPEC, "'%s' is a Python pickle; give the .csv file next to it",
                       path);
  if (strspn(text, " \t\r\n") == size) return is_empty(path);
  if (memchr(text, 0, size))
    return hone__error(HONE_INVALID_SPEC, "'%s' is not a CSV file: it holds binary data", path);
  return NULL;
}

/* ---- Header ---- */

static size_t *role_of(struct reading *reading, const char *name)
{
  if (strcmp(name, "spec") == 0) return &reading->spec;
  if (strcmp(name, "kbench_filter") == 0) return &reading->filter;
  return strcmp(name, "mesh_idx") == 0 ? &reading->mesh_idx : NULL;
}

/* Takes the columns with a role out; the others are the results'. */
static hone_status read_column(struct reading *reading, size_t index, const char **names,
                               size_t *count)
{
  const struct hone__csv_row *header = &reading->csv.rows[0];
  const char *name = header->cells[index].text;
  size_t *role = role_of(reading, name);

  reading->columns[index] = SIZE_MAX;
  if (!*name) return wrong(reading, header->line, "a column has no name");
  if (role && *role != SIZE_MAX)
    return hone__error(HONE_INVALID_SPEC, "%s:%zu: two columns have the name '%s'", reading->path,
                       header->line, name);
  if (role) {
    *role = index;
    if (role == &reading->spec) reading->full->results.lead_count = *count;
    return NULL;
  }
  if (strcmp(name, "name") == 0 && reading->name == SIZE_MAX) reading->name = index;
  reading->columns[index] = *count;
  names[(*count)++] = name;
  return NULL;
}

static hone_status check_header(const struct reading *reading)
{
  const struct hone__csv_row *header = &reading->csv.rows[0];

  if (reading->spec != SIZE_MAX || reading->name != SIZE_MAX) return NULL;
  return wrong(reading, header->line,
               "there is no column 'name' or 'spec'; the first line of a results file names its "
               "columns, such as: name,met (ms),iters");
}

static hone_status read_header(struct reading *reading)
{
  const struct hone__csv_row *header = &reading->csv.rows[0];
  struct hone_results *results = &reading->full->results;
  const char **names = hone__alloc(header->count * sizeof *names);
  size_t count = 0, *places;
  hone_status status = NULL;

  reading->columns = hone__alloc(header->count * sizeof *reading->columns);
  reading->quotes_texts = header->cells[0].is_quoted;
  if (header->count > MOST_COLUMNS) status = wrong(reading, header->line, "too many columns");
  for (size_t i = 0; !status && i < header->count; i++)
    status = read_column(reading, i, names, &count);
  if (reading->mesh_idx == SIZE_MAX) results->index_name = "row";
  if (!status) status = check_header(reading);
  if (!status) {
    places = hone__results_columns(reading->full, names, count);
    for (size_t i = 0; i < header->count; i++)
      if (reading->columns[i] != SIZE_MAX) reading->columns[i] = places[reading->columns[i]];
    if (reading->spec == SIZE_MAX || results->lead_count > results->column_count)
      results->lead_count = results->column_count;
    free(places);
  }
  free(names);
  return status;
}

/* ---- Rows ---- */

static struct hone__results_cell read_cell(struct reading *reading,
                                           const struct hone__csv_cell *cell, bool is_name)
{
  struct hone__results_cell read = {.number = NAN};
  double number;

  if (is_name) {
    read.text = hone__arena_strdup(&reading->full->arena, cell->text);
    return read;
  }
  read = hone__cell_text(&reading->full->arena, cell->text);
  if (cell->is_quoted && reading->quotes_texts)
    read.number = NAN;
  else if (hone__csv_number(cell->text, &number))
    read.number = number;
  return read;
}

static hone_status read_mesh_idx(struct reading *reading, const struct hone__csv_row *from,
                                 struct hone_result_row *row)
{
  const char *text;
  char *end;

  if (reading->mesh_idx == SIZE_MAX) return NULL;
  text = from->cells[reading->mesh_idx].text;
  if (*text < '0' || *text > '9' || (row->mesh_idx = strtoull(text, &end, 10), *end))
    return hone__error(HONE_INVALID_SPEC, "%s:%zu: mesh_idx '%s' is not a number", reading->path,
                       from->line, text);
  return NULL;
}

static hone_status check_length(const struct reading *reading, const struct hone__csv_row *from)
{
  size_t expected = reading->csv.rows[0].count;

  if (from->count == expected) return NULL;
  return hone__error(HONE_INVALID_SPEC, "%s:%zu: the row has %zu %s, the header has %zu",
                     reading->path, from->line, from->count, from->count == 1 ? "cell" : "cells",
                     expected);
}

static hone_status read_row(struct reading *reading, const struct hone__csv_row *from)
{
  struct hone__arena *arena = &reading->full->arena;
  size_t spec = reading->spec == SIZE_MAX ? reading->name : reading->spec;
  struct hone__results_cell *cells;
  struct hone_result_row *row;
  hone_status status = check_length(reading, from);

  if (status) return status;
  row = hone__results_add_row(reading->full, &cells);
  row->mesh_idx = reading->full->results.row_count - 1;
  row->spec = hone__arena_strdup(arena, from->cells[spec].text);
  row->params.at = hone__spec_text_params(
      arena, row->spec, reading->filter == SIZE_MAX ? "" : from->cells[reading->filter].text,
      &row->params.count);
  for (size_t i = 0; i < from->count; i++)
    if (reading->columns[i] != SIZE_MAX)
      cells[reading->columns[i]] = read_cell(reading, &from->cells[i], i == reading->name);
  return read_mesh_idx(reading, from, row);
}

/* ---- The file ---- */

static hone_status read_table(struct reading *reading, const char *text, size_t size)
{
  hone_status status = hone__csv_parse(text, size, &reading->csv);

  if (status) return hone__annotate(status, "%s:%zu", reading->path, reading->csv.error_line);
  status = reading->csv.row_count ? read_header(reading) : is_empty(reading->path);
  for (size_t i = 1; !status && i < reading->csv.row_count; i++)
    status = read_row(reading, &reading->csv.rows[i]);
  reading->full->results.total = reading->full->results.valid = reading->full->results.row_count;
  hone__results_know_columns(reading->full);
  hone__csv_release(&reading->csv);
  free(reading->columns);
  return status;
}

hone_status hone__results_parse(const char *name, const char *text, size_t size,
                                struct hone_results **out_results)
{
  struct reading reading = {.full = hone__results_new(name),
                            .path = name,
                            .spec = SIZE_MAX,
                            .filter = SIZE_MAX,
                            .mesh_idx = SIZE_MAX,
                            .name = SIZE_MAX};
  hone_status status = check_text(name, text, size);

  *out_results = NULL;
  if (!status) status = read_table(&reading, text, size);
  if (status)
    hone_results_free(&reading.full->results);
  else
    *out_results = &reading.full->results;
  return status;
}

/* kbench's companions read these, and its users may name one by habit. */
static hone_status refuse_pickle(const char *path)
{
  size_t length = strlen(path);

  if (length < 4 || strcmp(path + length - 4, ".pkl") != 0) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT,
                     "'%s' is a Python pickle, which hone cannot read; kbench and hone write the "
                     "same rows to '%.*s.csv'",
                     path, (int)length - 4, path);
}

hone_status hone_results_read(const char *path, struct hone_results **out_results)
{
  const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
  char *text = NULL;
  size_t size;
  hone_status status = refuse_pickle(path);

  hone__allocators_install();
  *out_results = NULL;
  if (!status) status = hone__file_read(path, MOST_BYTES, &text, &size);
  if (!status) status = hone__results_parse(name, text, size, out_results);
  free(text);
  return status;
}
