#include "plot_parts.h"

#include <stdlib.h>

static int compare_groups(const struct plot_grouping *grouping, const struct plot_row *a,
                          const struct plot_row *b)
{
  int order = 0;

  for (size_t i = grouping->first; i < grouping->end && order == 0; i++)
    order = plot_compare_values(plot_value(grouping->data, a, i), plot_value(grouping->data, b, i));
  return order;
}

static int compare_rows(const void *a, const void *b, void *grouping)
{
  const struct plot_row *const *x = a, *const *y = b;
  int order = compare_groups(grouping, *x, *y);

  return order ? order : (*x > *y) - (*x < *y);
}

const struct plot_row **plot_group_rows(struct plot_grouping *grouping)
{
  const struct plot_data *data = grouping->data;
  const struct plot_row **rows = check_memory(calloc(data->row_count + 1, sizeof *rows));

  for (size_t i = 0; i < data->row_count; i++)
    rows[i] = &data->rows[i];
  qsort_r(rows, data->row_count, sizeof *rows, compare_rows, grouping);
  return rows;
}

size_t plot_group_size(const struct plot_grouping *grouping, const struct plot_row **rows,
                       size_t count)
{
  size_t size = 1;

  while (size < count && compare_groups(grouping, rows[0], rows[size]) == 0)
    size++;
  return size;
}
