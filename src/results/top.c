/* What the rows close to the best have in common: kprofile's --top. */
#include "results/top.h"

#include "base/accessor.h"
#include "base/memory.h"
#include "base/status.h"
#include "results/results.h"

#include <math.h>
#include <stdlib.h>

static double number_at(const struct hone_results *results, size_t row, size_t column)
{
  return results->rows[row].cells[column].number;
}

/* Keeps the rows at the front that are close enough; `rows` has the best first. */
static size_t count_near(const struct hone_results *results, size_t column, bool maximise,
                         double share, const size_t *rows, size_t count)
{
  double best = number_at(results, rows[0], column),
         worst = number_at(results, rows[count - 1], column), largest = maximise ? best : worst,
         limit = maximise ? best - share * fabs(largest) : best + share * fabs(largest);
  size_t near = 1;

  while (near < count && (maximise ? number_at(results, rows[near], column) > limit
                                   : number_at(results, rows[near], column) < limit))
    near++;
  return near;
}

/* A value of a parameter, and the place in the list of the row that has it. */
struct use {
  const char *value;
  size_t place;
};

static int compare_uses(const void *a, const void *b)
{
  const struct use *x = a, *y = b;
  int order = strcmp(x->value, y->value);

  return order ? order : (x->place > y->place) - (x->place < y->place);
}

static size_t list_uses(const struct hone_results *results, const struct hone_top *top,
                        const char *name, struct use *uses)
{
  size_t count = 0;

  for (size_t i = 0; i < top->row_count; i++) {
    const char *value = hone_result_row_value(&results->rows[top->rows[i]], name);
    if (value) uses[count++] = (struct use){.value = value, .place = i};
  }
  qsort(uses, count, sizeof *uses, compare_uses);
  return count;
}

/* The most frequent value; of several the one that the best row has. 0: no row has any. */
static size_t find_frequent(const struct use *uses, size_t count, const char **out_value)
{
  size_t most = 0, place = 0;

  for (size_t i = 0, end; i < count; i = end) {
    for (end = i + 1; end < count && strcmp(uses[end].value, uses[i].value) == 0;)
      end++;
    if (end - i < most || (end - i == most && uses[i].place > place)) continue;
    most = end - i;
    place = uses[i].place;
    *out_value = uses[i].value;
  }
  return most;
}

static bool is_runtime(const struct hone_results *results, const struct hone_top *top,
                       const char *name)
{
  for (size_t i = 0; i < top->row_count; i++) {
    const struct hone_result_row *row = &results->rows[top->rows[i]];
    for (size_t j = 0; j < row->params.count; j++)
      if (strcmp(row->params.at[j].name, name) == 0) return row->params.at[j].is_runtime;
  }
  return false;
}

static void find_params(const struct hone_results *results, struct hone_top *top)
{
  struct use *uses = hone__alloc(top->row_count * sizeof *uses);
  struct hone_result_names *names = hone_results_names(&results, 1);
  size_t count = hone_result_names_count(names);
  struct hone__spec_param *params = hone__alloc((count + 1) * sizeof *params);

  top->params.at = params;
  top->counts = hone__alloc((count + 1) * sizeof *top->counts);
  for (size_t i = 0; i < count; i++) {
    struct hone__spec_param param = {.name = hone_result_names_name(names, i)};
    size_t most = find_frequent(uses, list_uses(results, top, param.name, uses), &param.value);
    if (!most) continue;
    param.is_runtime = is_runtime(results, top, param.name);
    top->counts[top->params.count] = most;
    params[top->params.count++] = param;
  }
  hone_result_names_free(names);
  free(uses);
}

hone_status hone_results_top(const struct hone_results *results, const char *metric, double share,
                             struct hone_top **out_top)
{
  struct hone_top *top;
  size_t column, count, *rows;
  bool maximise;
  hone_status status = hone_results_find_column(results, metric, &column, &maximise);

  *out_top = NULL;
  if (status) return status;
  count = hone__results_by_value(results, column, maximise, &rows);
  if (!count) {
    free(rows);
    return hone__error(HONE_NOT_FOUND, "'%s' has no row with a number for '%s'", results->origin,
                       results->columns[column]);
  }
  top = hone__alloc(sizeof *top);
  top->rows = rows;
  top->row_count = count_near(results, column, maximise, share, rows, count);
  find_params(results, top);
  *out_top = top;
  return NULL;
}

void hone_top_free(struct hone_top *top)
{
  if (!top) return;
  free(top->rows);
  free((void *)(uintptr_t)top->params.at);
  free(top->counts);
  free(top);
}

HONE__GET(size_t, hone_top, row_count, row_count)
HONE__GET_AT(size_t, hone_top, row, rows, row_count, SIZE_MAX)
HONE__LEND(hone_params, hone_top, params, params)
HONE__GET_AT(uint64_t, hone_top, frequency, counts, params.count, 0)
