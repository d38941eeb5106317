#include "backend/program/program_table.h"

#include "base/text.h"
#include "base/utf8.h"

#include <stdlib.h>

static size_t add_column(struct hone__program_table *table, const char *name, const char *key)
{
  size_t number = table->columns.count;

  hone__words_add(&table->columns, name);
  hone__key_map_set(&table->numbers, key, (int64_t)number);
  return number;
}

size_t hone__program_table_column(struct hone__program_table *table, const char *name, size_t nth)
{
  struct hone__text key = {0}, clean = {0};
  int64_t known;
  size_t number;

  hone__utf8_clean(name, strlen(name), &clean);
  hone__text_addf(&key, "%zu %s", nth, clean.data ? clean.data : "");
  number = hone__key_map_find(&table->numbers, key.data, &known)
               ? (size_t)known
               : add_column(table, clean.data ? clean.data : "", key.data);
  hone__text_release(&key);
  hone__text_release(&clean);
  return number;
}

void hone__program_table_row(struct hone__program_table *table, const char *name, double ns)
{
  if (table->row_count++ < HONE__PROGRAM_MOST_ROWS) {
    HONE__GROW(table->rows, table->kept_count, table->row_capacity);
    table->rows[table->kept_count++] = (struct hone__table_row){0};
  }
  HONE__GROW(table->times, table->time_count, table->time_capacity);
  table->times[table->time_count++] =
      (struct hone__program_time){.name = hone__strdup(name), .ns = ns};
}

static void widen(struct hone__table_row *row, size_t width)
{
  if (row->count >= width) return;
  row->cells = hone__realloc(row->cells, width * sizeof *row->cells);
  memset(row->cells + row->count, 0, (width - row->count) * sizeof *row->cells);
  row->count = width;
}

void hone__program_table_set(struct hone__program_table *table, size_t column,
                             struct hone__table_cell cell)
{
  struct hone__table_row *row = &table->rows[table->kept_count - 1];

  if (table->row_count > HONE__PROGRAM_MOST_ROWS) return;
  widen(row, table->columns.count);
  if (cell.text) cell.text = hone__arena_strdup(&table->texts, cell.text);
  row->cells[column] = cell;
}

void hone__program_table_end_file(struct hone__program_table *table)
{
  HONE__GROW(table->files, table->file_count, table->file_capacity);
  table->files[table->file_count++] = (int64_t)(table->row_count - table->filed);
  table->filed = table->row_count;
}

/* ---- The whole ---- */

static int by_name(const void *left, const void *right)
{
  return strcmp(((const struct hone__program_time *)left)->name,
                ((const struct hone__program_time *)right)->name);
}

double hone__program_table_ns(struct hone__program_table *table)
{
  double total = 0;
  size_t first = 0;

  if (table->time_count) qsort(table->times, table->time_count, sizeof *table->times, by_name);
  for (size_t i = 0; i < table->time_count; i = first) {
    double sum = 0;
    for (; first < table->time_count; first++) {
      if (by_name(&table->times[i], &table->times[first]) != 0) break;
      sum += table->times[first].ns;
    }
    total += sum / (double)(first - i);
  }
  return total;
}

struct hone__table hone__program_table_view(const struct hone__program_table *table)
{
  bool has_files = table->file_count > 1;

  return (struct hone__table){.columns = (const char **)table->columns.data,
                              .columns_count = table->columns.count,
                              .rows = table->rows,
                              .rows_count = table->kept_count,
                              .files = has_files ? table->files : NULL,
                              .files_count = has_files ? table->file_count : 0};
}

void hone__program_table_release(struct hone__program_table *table)
{
  hone__words_release(&table->columns);
  hone__key_map_release(&table->numbers);
  for (size_t i = 0; i < table->kept_count; i++)
    free(table->rows[i].cells);
  free(table->rows);
  free(table->files);
  hone__arena_release(&table->texts);
  for (size_t i = 0; i < table->time_count; i++)
    free(table->times[i].name);
  free(table->times);
  *table = (struct hone__program_table){0};
}
