/* overview.h - several runs in one table: the final output of `hone tune` for several problems. */
#ifndef CLI_OVERVIEW_H
#define CLI_OVERVIEW_H

#include "hone_results.h"
#include "table.h"

void overview_open(struct table *table);
void overview_add(struct table *table, const struct hone_report *report);
void overview_print(struct table *table, struct output *output, size_t width);

#endif
