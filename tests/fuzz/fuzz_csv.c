/* Any bytes as CSV: rows have cells, cells have an end, lines only grow; what is written in quotes
 * is read back as it was. */
#include "base/csv.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_cell(const struct hone__csv_cell *cell, struct hone__text *again)
{
  double number;

  if (cell->text[cell->length]) abort();
  hone__csv_number(cell->text, &number);
  hone__csv_quote(again, cell->text);
}

static void check_rows(const struct hone__csv *csv, size_t size, struct hone__text *again)
{
  size_t line = 0;

  for (size_t i = 0; i < csv->row_count; i++) {
    const struct hone__csv_row *row = &csv->rows[i];
    if (!row->count || row->line <= line || row->line > size) abort();
    line = row->line;
    for (size_t k = 0; k < row->count; k++) {
      if (k) hone__text_add(again, ",");
      check_cell(&row->cells[k], again);
    }
    hone__text_add(again, "\n");
  }
}

static void check_again(const struct hone__csv *csv, const struct hone__text *again)
{
  struct hone__csv copy;

  if (hone__csv_parse(again->data, again->length, &copy) || copy.row_count != csv->row_count)
    abort();
  for (size_t i = 0; i < copy.row_count; i++) {
    if (copy.rows[i].count != csv->rows[i].count) abort();
    for (size_t k = 0; k < copy.rows[i].count; k++)
      if (strcmp(copy.rows[i].cells[k].text, csv->rows[i].cells[k].text) != 0) abort();
  }
  hone__csv_release(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hone__csv csv;
  struct hone__text again = {0};
  hone_status status = hone__csv_parse((const char *)data, size, &csv);

  if (status) {
    if (!csv.error_line || csv.rows) abort();
  } else {
    check_rows(&csv, size, &again);
    if (again.length) check_again(&csv, &again);
  }
  hone_status_free(status);
  hone__csv_release(&csv);
  hone__text_release(&again);
  return 0;
}
