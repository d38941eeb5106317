/* plot_parts.h - shared by the files that draw plots. */
#ifndef CLI_PLOT_PARTS_H
#define CLI_PLOT_PARTS_H

#include "plot.h"
#include "plot_data.h"

struct plot {
  struct output *output;
  struct plot_data data;
  struct plot_symbols {
    const char *full, *empty, *rule;
  } symbols;
  size_t width; /* 0: not known */
};

void plot_repeat(struct output *output, const char *symbol, size_t count);

/* Rows sorted by the pivots from `first` up to `end`, else in their order (plot_groups.c). */
struct plot_grouping {
  const struct plot_data *data;
  size_t first, end;
};
/* The caller frees it. */
const struct plot_row **plot_group_rows(struct plot_grouping *grouping);
/* How many rows from here on belong to one group. */
size_t plot_group_size(const struct plot_grouping *grouping, const struct plot_row **rows,
                       size_t count);

/* plot_bars.c */
void plot_print_bars(struct plot *plot);

#endif
