#include "config_table.h"

#include "visible.h"

#include <stdlib.h>

void config_table_open(struct config_table *table, const char **configs, size_t count, bool whole)
{
  table->configs = configs;
  table->count = count;
  table->is_cut = !whole && count > 1 && config_columns_open(&table->columns, configs, count);
  table->has_columns = table->is_cut;
}

void config_table_close(struct config_table *table)
{
  table_close(&table->table);
  config_columns_close(&table->columns);
  free(table->configs);
}

static void add_titles(struct config_table *table)
{
  table_open(&table->table, 2);
  table->add_titles(table->data, &table->table);
  if (table->has_columns)
    config_columns_titles(&table->columns, &table->table);
  else
    table_column(&table->table, "configuration", TABLE_BELOW);
}

/* Common parameters are printed above the table. */
static void add_config(struct config_table *table, size_t i)
{
  struct output text;

  output_open(&text, OUTPUT_MEMORY, false);
  if (table->is_cut)
    config_columns_differing(&table->columns, i, &text);
  else
    output_text(&text, table->configs[i]);
  output_bytes(&text, "", 1);
  table_cell(&table->table, text.bytes);
  output_close(&text);
}

static void fill(struct config_table *table)
{
  add_titles(table);
  for (size_t i = 0; i < table->count; i++) {
    table->add_cells(table->data, &table->table, i);
    if (table->has_columns)
      config_columns_cells(&table->columns, &table->table, i);
    else
      add_config(table, i);
  }
}

/* Parameters as columns are most readable; if they are too many, configurations. */
void config_table_fill(struct config_table *table, size_t width)
{
  fill(table);
  if (!table->has_columns || table_fits(&table->table, width)) return;
  table->table.gap = 1;
  if (table_fits(&table->table, width)) return;
  table_close(&table->table);
  table->has_columns = false;
  fill(table);
}

void config_table_print_shared(const struct config_table *table, struct output *output,
                               size_t width)
{
  struct output shared;

  output_open(&shared, OUTPUT_MEMORY, false);
  if (table->is_cut) config_columns_shared(&table->columns, &shared);
  output_bytes(&shared, "", 1);
  if (*shared.bytes) {
    output_text(output, "  all with ");
    visible_wrapped(output, shared.bytes, strlen("  all with "), width);
    output_text(output, "\n");
  }
  output_close(&shared);
}
