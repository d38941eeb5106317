/* A line is a sequence of cells, one a column: what leads the value (`, "BM": `), the value and, in
 * text, the spaces up to the next column. Cells are made when they are first needed; columns of
 * very many values make theirs each time. In CSV all groups share the union of their columns. */
#include "rows.h"

#include "quote.h"

#include <stdlib.h>

enum { MOST_KEPT_CELLS = 1 << 16, MOST_MEASURED_VALUES = 1 << 12 };

struct cell {
  char *bytes; /* NULL: not made yet */
  size_t length;
};

struct column {
  const char *name;
  size_t param; /* ABSENT: this group does not have it */
  size_t width; /* of name and value in text; 0: no padding */
  bool is_first;
  struct cell *cells; /* NULL: too many to keep */
};
static const size_t ABSENT = SIZE_MAX;

struct row_group {
  struct column *columns;
  size_t count;
  bool is_ready; /* widths are known, cells have a place */
};

/* ---- Cells ---- */

static void print_lead(const struct rows *rows, struct output *output, const char *name,
                       bool is_first)
{
  static const char *const separators[] = {
      [FORMAT_TEXT] = " ", [FORMAT_JSON] = ", ", [FORMAT_CSV] = ","};

  if (!is_first) output_text(output, separators[rows->format]);
  if (rows->format == FORMAT_TEXT) {
    output_format(output, "%s=", name);
  } else if (rows->format == FORMAT_JSON) {
    quote_json_text(output, name);
    output_text(output, ": ");
  }
}

static void print_value(const struct rows *rows, struct output *output, struct hone_value value)
{
  static void (*const quotes[])(struct output *,
                                struct hone_value) = {[FORMAT_TEXT] = quote_plain_value,
                                                      [FORMAT_JSON] = quote_json_value,
                                                      [FORMAT_CSV] = quote_csv_value};

  quotes[rows->format](output, value);
}

/* Columns of the terminal that UTF-8 text takes, near enough. */
static size_t display_width(const char *bytes, size_t length)
{
  size_t width = 0;

  for (size_t i = 0; i < length; i++)
    width += ((unsigned char)bytes[i] & 0xc0) != 0x80;
  return width;
}

/* The cell lies in the scratch output then. */
static void draw_cell(struct rows *rows, const struct column *column, struct hone_value value)
{
  struct output *scratch = &rows->scratch;
  size_t width;

  scratch->used = 0;
  print_lead(rows, scratch, column->name, column->is_first);
  print_value(rows, scratch, value);
  width = display_width(scratch->bytes, scratch->used) - !column->is_first;
  if (width < column->width) output_spaces(scratch, column->width - width);
}

static void keep_cell(struct rows *rows, struct cell *cell)
{
  cell->length = rows->scratch.used;
  cell->bytes = check_memory(malloc(cell->length + 1));
  memcpy(cell->bytes, rows->scratch.bytes, cell->length);
}

static void print_column(struct rows *rows, size_t group, const struct column *column,
                         const uint32_t *row)
{
  struct cell *cell = NULL;
  uint32_t index;

  if (column->param == ABSENT) {
    if (!column->is_first) output_text(rows->output, ",");
    return;
  }
  index = row[1 + column->param];
  if (column->cells) cell = &column->cells[index];
  if (cell && cell->bytes) {
    output_bytes(rows->output, cell->bytes, cell->length);
    return;
  }
  draw_cell(rows, column, hone_space_value(rows->space, group, column->param, index));
  output_bytes(rows->output, rows->scratch.bytes, rows->scratch.used);
  if (cell) keep_cell(rows, cell);
}

/* ---- Columns ---- */

/* The width of the widest value; of long lists only the ends are looked at. */
static size_t column_width(struct rows *rows, size_t group, const struct column *column)
{
  uint32_t count = hone_space_value_count(rows->space, group, column->param), step;
  struct output *scratch = &rows->scratch;
  size_t widest = 0;

  step = count > MOST_MEASURED_VALUES ? count - 1 : 1;
  for (uint64_t i = 0; i < count; i += step) {
    size_t width;
    scratch->used = 0;
    print_lead(rows, scratch, column->name, true);
    print_value(rows, scratch, hone_space_value(rows->space, group, column->param, (uint32_t)i));
    width = display_width(scratch->bytes, scratch->used);
    if (width > widest) widest = width;
  }
  return widest;
}

static void add_column(struct row_group *group, const char *name, size_t param)
{
  size_t bytes = (group->count + 1) * sizeof *group->columns;

  group->columns = check_memory(realloc(group->columns, bytes));
  group->columns[group->count] =
      (struct column){.name = name, .param = param, .is_first = group->count == 0};
  group->count++;
}

static size_t find_column(const struct row_group *group, const char *name)
{
  for (size_t i = 0; i < group->count; i++)
    if (strcmp(group->columns[i].name, name) == 0) return i;
  return ABSENT;
}

static void add_params(struct rows *rows, size_t group, struct row_group *columns)
{
  for (size_t i = 0; i < hone_space_param_count(rows->space, group); i++) {
    const char *name = hone_space_param_name(rows->space, group, i);
    size_t at = find_column(columns, name);
    if (at == ABSENT)
      add_column(columns, name, i);
    else
      columns->columns[at].param = i;
  }
}

/* In CSV every group begins with the columns of all, which it has not. */
static void make_columns(struct rows *rows)
{
  struct row_group all = {0};

  for (size_t g = 0; g < rows->group_count && rows->format == FORMAT_CSV; g++)
    add_params(rows, g, &all);
  for (size_t g = 0; g < rows->group_count; g++) {
    for (size_t i = 0; i < all.count; i++)
      add_column(&rows->groups[g], all.columns[i].name, ABSENT);
    add_params(rows, g, &rows->groups[g]);
  }
  free(all.columns);
}

static void prepare_columns(struct rows *rows, size_t group)
{
  struct row_group *columns = &rows->groups[group];

  columns->is_ready = true;
  for (size_t i = 0; i < columns->count; i++) {
    struct column *column = &columns->columns[i];
    uint32_t count;
    if (column->param == ABSENT) continue;
    count = hone_space_value_count(rows->space, group, column->param);
    if (count <= MOST_KEPT_CELLS && count > 0)
      column->cells = check_memory(calloc(count, sizeof *column->cells));
    if (rows->format == FORMAT_TEXT && i + 1 < columns->count)
      column->width = column_width(rows, group, column);
  }
}

static void release_columns(struct rows *rows, size_t group)
{
  struct row_group *columns = &rows->groups[group];

  for (size_t i = 0; i < columns->count; i++) {
    struct column *column = &columns->columns[i];
    if (!column->cells) continue;
    for (uint32_t k = 0; k < hone_space_value_count(rows->space, group, column->param); k++)
      free(column->cells[k].bytes);
    free(column->cells);
  }
  free(columns->columns);
}

/* ---- Rows ---- */

static void print_header(struct rows *rows)
{
  const struct row_group *first = rows->groups;
  size_t printed = 0;

  for (size_t i = 0; rows->group_count && i < first->count; i++) {
    if (printed++) output_text(rows->output, ",");
    quote_csv_text(rows->output, first->columns[i].name);
  }
  for (size_t i = 0; i < hone_space_derived_count(rows->space); i++) {
    if (printed++) output_text(rows->output, ",");
    quote_csv_text(rows->output, hone_space_derived_name(rows->space, i));
  }
  output_text(rows->output, "\n");
}

void rows_open(struct rows *rows, const struct hone_space *space, enum format format,
               struct output *output)
{
  *rows = (struct rows){.space = space, .format = format, .output = output};
  if (format == FORMAT_SPEC) return;
  rows->group_count = hone_space_group_count(space);
  rows->groups = check_memory(calloc(rows->group_count + 1, sizeof *rows->groups));
  output_open(&rows->scratch, OUTPUT_MEMORY, false);
  rows->scratch.is_text = format == FORMAT_TEXT;
  make_columns(rows);
  if (format == FORMAT_CSV) print_header(rows);
}

void rows_close(struct rows *rows)
{
  for (size_t g = 0; g < rows->group_count; g++)
    release_columns(rows, g);
  free(rows->groups);
  if (rows->format != FORMAT_SPEC) output_close(&rows->scratch);
  *rows = (struct rows){0};
}

static void print_derived(struct rows *rows, const uint32_t *row, bool is_first)
{
  for (size_t i = 0; i < hone_space_derived_count(rows->space); i++) {
    struct hone_value value;
    bool is_there = hone_space_derived(rows->space, row, i, &value);
    print_lead(rows, rows->output, hone_space_derived_name(rows->space, i), is_first);
    if (is_there)
      print_value(rows, rows->output, value);
    else if (rows->format == FORMAT_JSON)
      output_text(rows->output, "null");
    is_first = false;
  }
}

/* The text lies in the scratch output then; false: there is none. */
static bool draw_text(struct rows *rows, const uint32_t *row, size_t text)
{
  enum { GUESS = 4096 };
  struct output *scratch = &rows->scratch;
  size_t length;

  scratch->used = 0;
  length = hone_space_print_text(rows->space, row, text, output_room(scratch, GUESS), GUESS);
  if (length == HONE_NO_TEXT) return false;
  if (length >= GUESS)
    hone_space_print_text(rows->space, row, text, output_room(scratch, length + 1), length + 1);
  return true;
}

static void print_texts(struct rows *rows, const uint32_t *row, bool is_first)
{
  for (size_t i = 0; i < hone_space_text_count(rows->space); i++) {
    if (!draw_text(rows, row, i)) continue;
    print_lead(rows, rows->output, hone_space_text_name(rows->space, i), is_first);
    quote_json_text(rows->output, rows->scratch.bytes);
    is_first = false;
  }
}

static void print_spec(struct rows *rows, const uint32_t *row)
{
  enum { GUESS = 4096 };
  struct output *output = rows->output;
  size_t length = hone_space_print_spec(rows->space, row, output_room(output, GUESS), GUESS);

  if (length >= GUESS)
    hone_space_print_spec(rows->space, row, output_room(output, length + 1), length + 1);
  output->used += length;
}

bool rows_print(void *data, const uint32_t *row)
{
  struct rows *rows = data;
  struct output *output = rows->output;

  if (rows->format == FORMAT_SPEC) {
    print_spec(rows, row);
  } else {
    const struct row_group *group = &rows->groups[row[0]];
    if (!group->is_ready) prepare_columns(rows, row[0]);
    if (rows->format == FORMAT_JSON) output_bytes(output, "{", 1);
    for (size_t i = 0; i < group->count; i++)
      print_column(rows, row[0], &group->columns[i], row);
    if (rows->format != FORMAT_TEXT) print_derived(rows, row, group->count == 0);
    if (rows->format == FORMAT_JSON)
      print_texts(rows, row, group->count + hone_space_derived_count(rows->space) == 0);
    if (rows->format == FORMAT_JSON) output_bytes(output, "}", 1);
  }
  output_bytes(output, "\n", 1);
  return !output->error;
}
