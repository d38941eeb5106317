/* config_table.h - a table with one row per configuration.
 *
 * Parameters in which they differ have a column each, after the caller's own columns; if those are
 * too wide, one column has the configurations. Common parameters are printed once.
 */
#ifndef CLI_CONFIG_TABLE_H
#define CLI_CONFIG_TABLE_H

#include "config_columns.h"

struct config_table {
  const char **configs;
  size_t count;
  struct config_columns columns;
  bool is_cut;      /* split into parameters: `columns` is open */
  bool has_columns; /* and each has a column */
  struct table table;
  /* The caller's own columns, and its cells of the i-th row. */
  void (*add_titles)(void *data, struct table *table);
  void (*add_cells)(void *data, struct table *table, size_t i);
  void *data;
};

/* { .add_titles, .add_cells, .data } is filled in; takes over `configs`. `whole`: in one column. */
void config_table_open(struct config_table *table, const char **configs, size_t count, bool whole);
/* As it fits into `width`. */
void config_table_fill(struct config_table *table, size_t width);
/* "  all with BM=64", if they share anything. */
void config_table_print_shared(const struct config_table *table, struct output *output,
                               size_t width);
void config_table_close(struct config_table *table);

#endif
