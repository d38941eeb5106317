/* Any bytes as a file of results, and as what a program printed: there is a time and a table in
 * which all rows are equally long, or a reason why not. */
#include "backend/program/program_result.h"
#include "wire/table.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* It can be sent, and comes back as it was. */
static void check_table(struct hone__program_table *table)
{
  struct hone__table view = hone__program_table_view(table), again;
  struct hone__packed *packed = hone__table_pack(&view);
  struct hone__arena arena = {0};

  if (!view.columns_count || !view.rows_count) abort();
  if (hone__table_unpack(packed, &arena, &again)) abort();
  if (again.columns_count != view.columns_count || again.rows_count != view.rows_count) abort();
  for (size_t i = 0; i < again.rows_count; i++)
    if (again.rows[i].count != view.columns_count) abort();
  if (!(hone__program_table_ns(table) > 0)) abort();
  hone__arena_release(&arena);
  hone__packed_drop(packed);
}

static void check(enum hone__program_reading reading, struct hone__program_table *table,
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
