/* Any bytes as a file of results, and as what a program printed: there is a time and a table in
 * which all rows are equally long, or a reason why not. */
#include "backend/program/program_result.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_table(struct hone__program_table *table)
{
  json_t *whole = hone__program_table_json(table);
  const json_t *columns = json_object_get(whole, "columns"), *rows = json_object_get(whole, "rows");
  size_t width = json_array_size(columns);
  char *text = json_dumps(whole, JSON_COMPACT);

  if (!text || !width || !json_array_size(rows)) abort();
  for (size_t i = 0; i < json_array_size(rows); i++)
    if (json_array_size(json_array_get(rows, i)) != width) abort();
  if (!(hone__program_table_ns(table) > 0)) abort();
  free(text);
  json_decref(whole);
}

static void check(enum hone__reading reading, struct hone__program_table *table,
                  struct hone__text *why)
{
  if (reading == HONE__READ_TIMES) check_table(table);
  if (reading == HONE__READ_WRONG && !why->length) abort();
  hone__program_table_release(table);
  hone__text_release(why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const struct hone__program_terms terms = {.name = "program", .unit_ns = 1e6};
  struct hone__program_table table = {0};
  struct hone__text output = {0}, why = {0};

  hone__text_addn(&output, (const char *)data, size);
  check(hone__program_read_csv(output.data, size, "output.csv", &terms, &table, &why), &table,
        &why);
  check(hone__program_read_output(&output, &terms, &table, &why), &table, &why);
  hone__text_release(&output);
  return 0;
}
