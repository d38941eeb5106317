/* kbench's CSV: what pandas writes with QUOTE_NONNUMERIC. Texts and holes are in quotes, numbers
 * are not. */
#include "export/results_print.h"

#include "base/csv.h"
#include "base/number.h"
#include "export/pandas.h"
#include "results/results.h"

#include <math.h>

/* Without any result there still is a header, so that the file can be read. */
static const char *const no_columns[] = {"name", "met (ms)", "iters"};
static const char *const spec_columns[] = {"spec", "kbench_filter"};
static const char *const basis_columns[] = {"basis", "mark", "speedup", "low", "high"};

/* Cells that end with a line's end do so in quotes. */
static void separate(struct hone__text *text)
{
  if (text->length && text->data[text->length - 1] != '\n') hone__text_add(text, ",");
}

static void add_names(const char *const *names, size_t from, size_t to, struct hone__text *text)
{
  for (size_t i = from; i < to; i++) {
    separate(text);
    hone__csv_quote(text, names[i]);
  }
}

static void add_cells(const struct hone_result_row *row, size_t from, size_t to,
                      struct hone__text *text)
{
  for (size_t i = from; i < to; i++) {
    separate(text);
    if (isnan(row->cells[i].number))
      hone__csv_quote(text, row->cells[i].text);
    else
      hone__text_add(text, row->cells[i].text);
  }
}

static void add_spec(const struct hone_result_row *row, struct hone__text *text)
{
  struct hone__text filter = {0};

  hone__params_filter(row, &filter);
  separate(text);
  hone__csv_quote(text, row->spec);
  separate(text);
  hone__csv_quote(text, filter.length ? filter.data : "");
  hone__text_release(&filter);
}

/* ---- How far a row of a tuned run can be relied on ---- */

/* Sweeps and files have kbench's columns and no others. */
static bool has_bases(const struct hone_results *results)
{
  return results->row_count && results->rows[0].measured.basis != HONE_BASIS_MEASURED;
}

static const char *mark_of(const struct hone_result_row *row)
{
  if (row->measured.is_best) return "best";
  return row->is_tied ? "tied" : row->measured.is_baseline ? "baseline" : "";
}

static void add_real(struct hone__text *text, double number)
{
  char real[64];

  separate(text);
  if (isfinite(number)) hone__print_real(real, sizeof real, 'f', 4, number);
  hone__text_add(text, isfinite(number) ? real : "\"\"");
}

static void add_basis(const struct hone_result_row *row, struct hone__text *text)
{
  separate(text);
  hone__csv_quote(text, hone_basis_name(row->measured.basis));
  separate(text);
  hone__csv_quote(text, mark_of(row));
  add_real(text, row->measured.speedup);
  add_real(text, row->measured.low);
  add_real(text, row->measured.high);
}

static void write(const struct hone_results *results, bool with_spec, struct hone__text *text)
{
  size_t count = results->column_count, lead = with_spec ? results->lead_count : count;
  const char *const *names = results->columns;

  if (!count && !results->row_count) {
    names = no_columns;
    lead = count = sizeof no_columns / sizeof *no_columns;
  }
  add_names(names, 0, lead, text);
  if (with_spec) add_names(spec_columns, 0, 2, text);
  add_names(names, lead, count, text);
  if (with_spec && has_bases(results)) add_names(basis_columns, 0, 5, text);
  if (results->has_pareto) hone__text_add(text, ",\"pareto\"");
  hone__text_add(text, "\n");
  for (size_t i = 0; i < results->row_count; i++) {
    add_cells(&results->rows[i], 0, lead, text);
    if (with_spec) add_spec(&results->rows[i], text);
    add_cells(&results->rows[i], lead, count, text);
    if (with_spec && has_bases(results)) add_basis(&results->rows[i], text);
    if (results->has_pareto) hone__text_add(text, results->rows[i].is_pareto ? ",True" : ",False");
    hone__text_add(text, "\n");
  }
}

void hone__write_csv(const struct hone_results *results, struct hone__text *text)
{
  write(results, true, text);
}

void hone__write_plain_csv(const struct hone_results *results, struct hone__text *text)
{
  write(results, false, text);
}
