#include "backend/program/program_table.h"

#include "base/json_string.h"
#include "base/text.h"

#include <stdlib.h>

static size_t add_column(struct hone__program_table *table, json_t *name, const char *key)
{
  size_t number = json_array_size(table->columns);

  json_array_append(table->columns, name);
  json_object_set_new(table->numbers, key, json_integer((json_int_t)number));
  return number;
}

size_t hone__program_table_column(struct hone__program_table *table, const char *name, size_t nth)
{
  json_t *clean = hone__json_string(name, strlen(name)), *known;
  struct hone__text key = {0};
  size_t number;

  if (!table->columns) table->columns = json_array();
  if (!table->numbers) table->numbers = json_object();
  hone__text_addf(&key, "%zu %s", nth, json_string_value(clean));
  known = json_object_get(table->numbers, key.data);
  number = known ? (size_t)json_integer_value(known) : add_column(table, clean, key.data);
  hone__text_release(&key);
  json_decref(clean);
  return number;
}

void hone__program_table_row(struct hone__program_table *table, const char *name, double ns)
{
  if (!table->rows) table->rows = json_array();
  if (table->row_count++ < HONE__PROGRAM_MOST_ROWS)
    json_array_append_new(table->rows, json_array());
  HONE__GROW(table->times, table->time_count, table->time_capacity);
  table->times[table->time_count++] =
      (struct hone__program_time){.name = hone__strdup(name), .ns = ns};
}

static void pad(json_t *row, size_t width)
{
  while (json_array_size(row) < width)
    json_array_append_new(row, json_string(""));
}

void hone__program_table_set(struct hone__program_table *table, size_t column, json_t *value)
{
  json_t *row = json_array_get(table->rows, json_array_size(table->rows) - 1);

  if (table->row_count > HONE__PROGRAM_MOST_ROWS) {
    json_decref(value);
    return;
  }
  pad(row, column + 1);
  json_array_set_new(row, column, value);
}

void hone__program_table_end_file(struct hone__program_table *table)
{
  if (!table->files) table->files = json_array();
  json_array_append_new(table->files, json_integer((json_int_t)(table->row_count - table->filed)));
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

json_t *hone__program_table_json(struct hone__program_table *table)
{
  size_t width = json_array_size(table->columns);
  json_t *json;

  for (size_t i = 0; i < json_array_size(table->rows); i++)
    pad(json_array_get(table->rows, i), width);
  json = json_pack("{s:O, s:O}", "columns", table->columns, "rows", table->rows);
  if (json_array_size(table->files) > 1) json_object_set(json, "files", table->files);
  return json;
}

void hone__program_table_release(struct hone__program_table *table)
{
  json_decref(table->columns);
  json_decref(table->numbers);
  json_decref(table->rows);
  json_decref(table->files);
  for (size_t i = 0; i < table->time_count; i++)
    free(table->times[i].name);
  free(table->times);
  *table = (struct hone__program_table){0};
}
