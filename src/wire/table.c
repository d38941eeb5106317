/* Cells have several types, which record fields do not support: rows are packed here, the rest by a
 * record.
 */
#include "wire/table.h"

#include "base/json_string.h"
#include "wire/packed_json.h"

#include <math.h>

static const struct hone__field table_fields[] = {
    HONE__TEXTS(struct hone__table, columns, HONE__NEEDED),
    HONE__INTS(struct hone__table, files, HONE__OPTIONAL),
};
static const struct hone__record_type table_type =
    HONE__RECORD_TYPE("table", struct hone__table, table_fields);

/* ---- Out ---- */

static json_t *pack_cell(const struct hone__table_cell *cell)
{
  const char *text = cell->text ? cell->text : "";

  if (cell->kind == HONE__CELL_INT) return json_integer(cell->integer);
  if (cell->kind == HONE__CELL_REAL)
    return isfinite(cell->real) ? json_real(cell->real) : json_string("");
  return hone__text_to_json(text, strlen(text));
}

static json_t *pack_row(const struct hone__table_row *row, size_t width)
{
  json_t *cells = json_array();

  for (size_t i = 0; i < width; i++)
    json_array_append_new(cells, i < row->count ? pack_cell(&row->cells[i]) : json_string(""));
  return cells;
}

struct hone__packed *hone__table_pack(const struct hone__table *table)
{
  struct hone__packed *packed = hone__pack(&table_type, table);
  json_t *rows = json_array();

  for (size_t i = 0; i < table->rows_count; i++)
    json_array_append_new(rows, pack_row(&table->rows[i], table->columns_count));
  json_object_set_new(hone__packed_json(packed), "rows", rows);
  return packed;
}

/* ---- In ---- */

static hone_status unpack_cell(const json_t *json, struct hone__table_cell *cell)
{
  if (json_is_integer(json))
    *cell = (struct hone__table_cell){.kind = HONE__CELL_INT, .integer = json_integer_value(json)};
  else if (json_is_real(json))
    *cell = (struct hone__table_cell){.kind = HONE__CELL_REAL, .real = json_real_value(json)};
  else
    *cell = (struct hone__table_cell){.text = json_string_value(json)};
  if (json_is_number(json) || json_is_string(json)) return NULL;
  return hone__error(HONE_INVALID_ARGUMENT,
                     "table: 'rows' has a cell that is neither a string nor a number");
}

static hone_status unpack_row(const json_t *json, size_t width, struct hone__arena *arena,
                              struct hone__table_row *row)
{
  hone_status status = NULL;

  if (json_array_size(json) != width)
    return hone__error(HONE_INVALID_ARGUMENT, "table: 'rows' has a row of %zu cells, not %zu",
                       json_array_size(json), width);
  row->count = width;
  row->cells = hone__arena_alloc(arena, (width + 1) * sizeof *row->cells);
  for (size_t i = 0; i < width && !status; i++)
    status = unpack_cell(json_array_get(json, i), &row->cells[i]);
  return status;
}

hone_status hone__table_unpack(const struct hone__packed *packed, struct hone__arena *arena,
                               struct hone__table *out_table)
{
  const json_t *rows;
  hone_status status = hone__unpack(packed, &table_type, arena, out_table);

  if (status) return status;
  rows = json_object_get(hone__packed_json(packed), "rows");
  if (!json_is_array(rows))
    return hone__error(HONE_INVALID_ARGUMENT, "table: 'rows' is not a list");
  out_table->rows_count = json_array_size(rows);
  out_table->rows = hone__arena_alloc(arena, (out_table->rows_count + 1) * sizeof *out_table->rows);
  for (size_t i = 0; i < out_table->rows_count && !status; i++)
    status =
        unpack_row(json_array_get(rows, i), out_table->columns_count, arena, &out_table->rows[i]);
  return status;
}
