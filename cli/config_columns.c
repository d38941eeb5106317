#include "config_columns.h"

#include <stdlib.h>

static size_t count_pairs(const char *config)
{
  size_t count = *config ? 1 : 0;

  for (; *config; config++)
    count += *config == ',';
  return count;
}

/* Cuts "NAME=VALUE,..." at `text` into the columns' row; false if it has other parameters than the
 * first, or a comma in a value. */
static bool cut(struct config_columns *columns, char *text, size_t row)
{
  for (size_t i = 0; i < columns->width; i++) {
    char *end = strchr(text, ','), *sign = strchr(text, '=');
    if (!sign || (end && end < sign)) return false;
    if (!end != (i + 1 == columns->width)) return false;
    if (end) *end = 0;
    *sign = 0;
    if (row == 0)
      columns->names[i] = text;
    else if (strcmp(columns->names[i], text) != 0)
      return false;
    columns->values[row * columns->width + i] = sign + 1;
    text = end ? end + 1 : NULL;
  }
  return true;
}

static void find_varying(struct config_columns *columns)
{
  for (size_t i = columns->width; i < columns->width * columns->count; i++)
    if (strcmp(columns->values[i], columns->values[i % columns->width]) != 0)
      columns->varies[i % columns->width] = true;
}

bool config_columns_open(struct config_columns *columns, const char *const *configs, size_t count)
{
  size_t width = count ? count_pairs(configs[0]) : 0, bytes = 0;
  bool good = width > 0 && width <= CONFIG_COLUMNS;
  char *text;

  for (size_t i = 0; i < count; i++)
    bytes += strlen(configs[i]) + 1;
  *columns = (struct config_columns){
      .text = check_memory(malloc(bytes + 1)),
      .names = check_memory(calloc(width + 1, sizeof *columns->names)),
      .values = check_memory(calloc(width * count + 1, sizeof *columns->values)),
      .varies = check_memory(calloc(width + 1, sizeof *columns->varies)),
      .width = width,
      .count = count,
  };
  text = columns->text;
  for (size_t i = 0; i < count && good; i++, text += strlen(configs[i - 1]) + 1) {
    memcpy(text, configs[i], strlen(configs[i]) + 1);
    good = cut(columns, text, i);
  }
  if (good)
    find_varying(columns);
  else
    config_columns_close(columns);
  return good;
}

void config_columns_close(struct config_columns *columns)
{
  free(columns->text);
  free(columns->names);
  free(columns->values);
  free(columns->varies);
  *columns = (struct config_columns){0};
}

void config_columns_titles(const struct config_columns *columns, struct table *table)
{
  for (size_t i = 0; i < columns->width; i++)
    if (columns->varies[i]) table_column(table, columns->names[i], TABLE_RIGHT);
}

void config_columns_cells(const struct config_columns *columns, struct table *table, size_t config)
{
  for (size_t i = 0; i < columns->width; i++)
    if (columns->varies[i]) table_cell(table, columns->values[config * columns->width + i]);
}

static void print_pairs(const struct config_columns *columns, size_t config, bool varying,
                        struct output *output)
{
  const char *before = "";

  for (size_t i = 0; i < columns->width; i++) {
    if (columns->varies[i] != varying) continue;
    output_format(output, "%s%s=%s", before, columns->names[i],
                  columns->values[config * columns->width + i]);
    before = ",";
  }
}

void config_columns_differing(const struct config_columns *columns, size_t config,
                              struct output *output)
{
  print_pairs(columns, config, true, output);
}

void config_columns_shared(const struct config_columns *columns, struct output *output)
{
  print_pairs(columns, 0, false, output);
}
