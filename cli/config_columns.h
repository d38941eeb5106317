/* config_columns.h - configurations side by side: what they have in common, and a column for each
 * parameter in which they differ.
 */
#ifndef CLI_CONFIG_COLUMNS_H
#define CLI_CONFIG_COLUMNS_H

#include "table.h"

enum { CONFIG_COLUMNS = 32 }; /* more do not fit on any line */

struct config_columns {
  char *text;          /* all of them, cut into pieces */
  const char **names;  /* of the parameters, in order */
  const char **values; /* row by row */
  bool *varies;
  size_t width, count; /* parameters, configurations */
};

/* `configs` are "BM=64,BN=32". False if they do not all have the same parameters, or too many;
 * there is nothing to close then. */
bool config_columns_open(struct config_columns *columns, const char *const *configs, size_t count);
void config_columns_close(struct config_columns *columns);

void config_columns_titles(const struct config_columns *columns, struct table *table);
void config_columns_cells(const struct config_columns *columns, struct table *table, size_t config);
/* "BM=64,BN=32": the parameters in which it differs from others. */
void config_columns_differing(const struct config_columns *columns, size_t config,
                              struct output *output);
/* "LANES=16,ALGO=packed": the parameters with equal values; empty if there are none. */
void config_columns_shared(const struct config_columns *columns, struct output *output);

#endif
