/* Rows of one group of a spec have the same parameters in the same order, so that a name is nearly
 * always where the row before had it. */
#include "results/parameter_names.h"

#include "base/accessor.h"
#include "base/memory.h"
#include "results/results.h"

#include <stdlib.h>

struct names {
  struct hone__results_name *list;
  size_t *seen; /* rows that have it */
  size_t count, capacity, seen_capacity;
};

static struct hone__results_name *find(struct names *names, const char *name, size_t guess)
{
  if (guess < names->count && strcmp(names->list[guess].name, name) == 0)
    return &names->list[guess];
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->list[i].name, name) == 0) return &names->list[i];
  return NULL;
}

static void add(struct names *names, const char *name, const char *value)
{
  HONE__GROW(names->list, names->count, names->capacity);
  HONE__GROW(names->seen, names->count, names->seen_capacity);
  names->list[names->count] = (struct hone__results_name){.name = name, .value = value};
  names->seen[names->count++] = 1;
}

static void add_value(struct names *names, const char *name, const char *value, size_t guess)
{
  struct hone__results_name *known = find(names, name, guess);

  if (!known) {
    add(names, name, value);
    return;
  }
  names->seen[known - names->list]++;
  if (known->value && strcmp(known->value, value) != 0) known->value = NULL;
}

/* Rows of one instance differ in their input_id alone. */
static void add_row(struct names *names, const struct hone_result_row *row)
{
  const char *input_id = hone_result_row_value(row, "input_id");
  bool is_param = false;

  for (size_t i = 0; i < row->params.count; i++) {
    add_value(names, row->params.at[i].name, row->params.at[i].value, i);
    is_param |= row->params.at[i].value == input_id;
  }
  if (input_id && !is_param) add_value(names, "input_id", input_id, row->params.count);
}

struct hone_result_names *hone_results_names(const struct hone_results *const *results,
                                             size_t count)
{
  struct hone_result_names *made = hone__alloc(sizeof *made);
  struct names names = {0};
  size_t rows = 0;

  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < results[i]->row_count; j++, rows++)
      add_row(&names, &results[i]->rows[j]);
  for (size_t i = 0; i < names.count; i++)
    if (names.seen[i] < rows) names.list[i].value = NULL;
  free(names.seen);
  *made = (struct hone_result_names){.at = names.list, .count = names.count};
  return made;
}

void hone_result_names_free(struct hone_result_names *names)
{
  if (names) free(names->at);
  free(names);
}

HONE__GET(size_t, hone_result_names, count, count)
HONE__GET_IN(const char *, hone_result_names, name, at, name, count, NULL)
HONE__GET_IN(const char *, hone_result_names, value, at, value, count, NULL)
