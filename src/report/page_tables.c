/* Every configuration, the best first, and every failure. Both end where a page would become too
 * large for a browser, and say so. */
#include "report/markup.h"

#include "report/page_parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
  MOST_ROWS = 5000,
  MOST_FAILURES = 1000,
  MOST_BYTES = 4 << 20,
  MOST_EVIDENCE = 2000,
  LONG_NUMBER = 9
};

#define NEAR 0.05 /* ratios this close to 1 have no colour */

/* ---- Cells ---- */

static void add_title(struct hone__text *html, const char *title, bool is_number)
{
  hone__text_add(html, is_number ? "<th class=\"n\">" : "<th>");
  hone__markup_add(html, title, 200);
  hone__text_add(html, "</th>");
}

static void add_cell(struct hone__text *html, const char *text, bool is_number)
{
  hone__text_add(html, is_number ? "<td class=\"n\">" : "<td>");
  hone__markup_add(html, text, 300);
  hone__text_add(html, "</td>");
}

static void add_index(struct hone__text *html, uint64_t index)
{
  hone__text_addf(html, "<td class=\"n\">%" PRIu64 "</td>", index);
}

static void add_number(struct hone__text *html, double number, unsigned precision)
{
  hone__text_add(html, "<td class=\"n\">");
  if (isfinite(number)) hone__markup_fixed(html, number, precision);
  hone__text_add(html, "</td>");
}

static void add_ratio(struct hone__text *html, double ratio, const char *style)
{
  hone__text_addf(html, "<td class=\"n%s\">", style);
  hone__markup_ratio(html, ratio);
  hone__text_add(html, "</td>");
}

/* As it is in CSV, but for irrelevant digits. */
static void add_result_cell(struct hone__text *html, const struct hone__results_cell *cell)
{
  bool is_number = !isnan(cell->number);

  if (is_number && isfinite(cell->number) && strlen(cell->text) > LONG_NUMBER)
    add_number(html, cell->number, 3);
  else
    add_cell(html, cell->text, is_number);
}

static bool is_numeral(const char *text)
{
  char *end;

  strtod(text, &end);
  return *text && !*end;
}

/* ---- Columns of single results ---- */

/* The program's own columns, but for the name where parameters say the same. */
static bool has_column(const struct hone__bars *bars, size_t column)
{
  const char *name = bars->options->results[0]->columns[column];

  return strcmp(name, "name") != 0 || bars->options->match == HONE_MATCH_NAME ||
         !bars->names->count;
}

static bool is_metric(const struct hone__bars *bars, size_t column)
{
  return strcmp(bars->options->results[0]->columns[column], bars->comparison->metric) == 0;
}

/* A search compares with its baseline, in the words of all reports; a sweep has a best row alone.
 */
static bool has_baseline(const struct hone__bars *bars)
{
  return bars->comparison->row_count &&
         bars->comparison->rows[0].rows[0]->measured.basis != HONE_BASIS_MEASURED;
}

static void add_own_titles(struct hone__text *html, const struct hone__bars *bars)
{
  const struct hone_results *results = bars->options->results[0];

  for (size_t i = 0; i < results->column_count; i++) {
    const char *title = is_metric(bars, i) ? bars->title : results->columns[i];
    if (has_column(bars, i)) add_title(html, title, strcmp(title, "name") != 0);
  }
  if (has_baseline(bars)) {
    add_title(html, "speedup", true);
    add_title(html, "interval", true);
    add_title(html, "basis", false);
  } else {
    add_title(html, "vs best", true);
  }
}

static const char *basis_of(const struct hone_result_row *result)
{
  if (result->measured.is_baseline) return "baseline";
  if (result->measured.is_best) return "best, confirmed";
  return result->is_tied ? "tied, confirmed" : hone_basis_name(result->measured.basis);
}

static void add_speedup_cells(struct hone__text *html, const struct hone_result_row *result)
{
  const struct hone__measured *measured = &result->measured;

  add_ratio(html, measured->speedup, "");
  hone__text_add(html, "<td class=\"n\">");
  if (isfinite(measured->low) && isfinite(measured->high))
    hone__text_addf(html, "%.2f to %.2f", measured->low, measured->high);
  hone__text_add(html, "</td>");
  add_cell(html, basis_of(result), false);
}

static void add_own_cells(struct hone__text *html, const struct hone__bars *bars, size_t row)
{
  const struct hone_result_row *result = bars->comparison->rows[row].rows[0];
  double value = bars->comparison->rows[row].values[0];

  for (size_t i = 0; i < bars->options->results[0]->column_count; i++) {
    if (!has_column(bars, i)) continue;
    if (is_metric(bars, i))
      add_number(html, value * bars->scale, bars->options->precision + 1);
    else
      add_result_cell(html, &result->cells[i]);
  }
  if (has_baseline(bars))
    add_speedup_cells(html, result);
  else
    add_ratio(html, value / bars->comparison->results[0].best_value, "");
}

/* ---- Columns of several ---- */

/* Some row was judged by the samples of both. */
static bool has_changes(const struct hone__bars *bars, size_t result)
{
  return bars->comparison->results[result].bounded > 0;
}

static void add_change(struct hone__text *html, const struct hone__comparison_change *change)
{
  const char *style = change->change == HONE_CHANGE_FASTER   ? " class=\"good\""
                      : change->change == HONE_CHANGE_SLOWER ? " class=\"bad\""
                                                             : "";

  hone__text_addf(html, "<td%s>%s", style, hone_change_name(change->change));
  if (isfinite(change->low) && isfinite(change->high))
    hone__text_addf(html, " (%.3f to %.3f)", change->low, change->high);
  hone__text_add(html, "</td>");
}

static void add_shared_titles(struct hone__text *html, const struct hone__bars *bars)
{
  struct hone__text title = {0};

  for (size_t i = 0; i < bars->options->count; i++)
    add_title(html, bars->labels[i], true);
  for (size_t i = 1; i < bars->options->count; i++) {
    hone__text_addf(&title, "%s/%s", bars->labels[i], bars->labels[0]);
    add_title(html, title.data, true);
    if (has_changes(bars, i)) add_title(html, "verdict", false);
    hone__text_release(&title);
  }
}

static const char *ratio_style(const struct hone__bars *bars, double ratio)
{
  double loss = bars->comparison->maximise ? 1 / ratio : ratio;

  return loss > 1 + NEAR ? " bad" : loss < 1 - NEAR ? " good" : "";
}

static void add_shared_cells(struct hone__text *html, const struct hone__bars *bars, size_t row)
{
  const struct hone_compared_row *compared = &bars->comparison->rows[row];

  for (size_t i = 0; i < bars->options->count; i++)
    add_number(html, compared->values[i] * bars->scale, bars->options->precision + 1);
  for (size_t i = 1; i < bars->options->count; i++) {
    add_ratio(html, compared->ratios[i], ratio_style(bars, compared->ratios[i]));
    if (has_changes(bars, i)) add_change(html, &compared->changes[i]);
  }
}

/* ---- What is implausibly fast ---- */

/* The reason, of the first of the results that has one there. */
static const char *mark_of(const struct hone__bars *bars, size_t row)
{
  const struct hone_compared_row *compared = &bars->comparison->rows[row];

  for (size_t i = 0; i < bars->options->count; i++)
    if (compared->rows[i] && *compared->rows[i]->suspicious) return compared->rows[i]->suspicious;
  return "";
}

static bool find_marks(const struct hone__bars *bars)
{
  for (size_t row = 0; row < bars->comparison->row_count; row++)
    if (*mark_of(bars, row)) return true;
  return false;
}

static void add_mark(struct hone__text *html, const struct hone__bars *bars, size_t row)
{
  const char *why = mark_of(bars, row);

  hone__text_add(html, *why ? "<td class=\"wrap bad\">SUSPICIOUS: " : "<td>");
  hone__markup_add(html, why, 1000);
  hone__text_add(html, "</td>");
}

/* ---- Rows ---- */

static bool names_rows_by_key(const struct hone__bars *bars)
{
  for (size_t i = 0; i < bars->names->count; i++)
    if (!bars->names->at[i].value) return bars->options->match == HONE_MATCH_NAME;
  return true;
}

static void add_row_titles(struct hone__text *html, const struct hone__bars *bars, bool has_marks)
{
  hone__text_add(html, "<thead><tr>");
  add_title(html, "#", true);
  if (names_rows_by_key(bars))
    add_title(html, hone__bars_group_title(bars), false);
  else
    for (size_t i = 0; i < bars->names->count; i++)
      if (!bars->names->at[i].value) add_title(html, bars->names->at[i].name, false);
  if (bars->options->count == 1)
    add_own_titles(html, bars);
  else
    add_shared_titles(html, bars);
  if (has_marks) add_title(html, "mark", false);
  hone__text_add(html, "</tr></thead>\n");
}

static void add_row(struct hone__text *html, const struct hone__bars *bars, size_t row,
                    bool is_best, bool has_marks)
{
  const struct hone_result_row *result = hone__bars_row(bars, row);

  hone__text_add(html, is_best ? "<tr class=\"best\">" : "<tr>");
  add_index(html, result->mesh_idx);
  if (names_rows_by_key(bars)) add_cell(html, bars->comparison->rows[row].key, false);
  for (size_t i = 0; !names_rows_by_key(bars) && i < bars->names->count; i++) {
    const char *value = hone_result_row_value(result, bars->names->at[i].name);
    if (!bars->names->at[i].value) add_cell(html, value ? value : "", value && is_numeral(value));
  }
  if (bars->options->count == 1)
    add_own_cells(html, bars, row);
  else
    add_shared_cells(html, bars, row);
  if (has_marks) add_mark(html, bars, row);
  hone__text_add(html, "</tr>\n");
}

static bool is_by_aim(const struct hone__bars *bars)
{
  const struct hone_results *results = bars->options->results[0];

  return results->aim_column != SIZE_MAX && is_metric(bars, results->aim_column);
}

/* Of several results that of the first, which need not have the least time: as in its report. */
static size_t best_row(const struct hone__bars *bars)
{
  for (size_t i = 0; i < bars->comparison->row_count && is_by_aim(bars); i++) {
    const struct hone_result_row *row = bars->comparison->rows[i].rows[0];
    if (row && row->measured.is_best) return i;
  }
  return bars->order[0];
}

void hone__page_rows(struct hone__text *html, const struct hone__bars *bars)
{
  size_t count = bars->comparison->row_count, begin = html->length, i = 0, best;
  bool has_marks = find_marks(bars);

  if (!count) return;
  best = best_row(bars);
  hone__text_addf(html, "<section%s>\n<h2>Results",
                  bars->options->count == 1 && bars->names->count ? " class=\"plain rows\"" : "");
  if (bars->options->count > 1) hone__text_add(html, ": ");
  if (bars->options->count > 1) hone__markup_add(html, bars->title, 200);
  hone__text_add(html, "</h2>\n");
  hone__text_add(html, "<div class=\"scroll\"><table class=\"sort\">\n");
  add_row_titles(html, bars, has_marks);
  hone__text_add(html, "<tbody>\n");
  for (; i < count && i < MOST_ROWS && html->length - begin < MOST_BYTES; i++)
    add_row(html, bars, bars->order[i], bars->order[i] == best, has_marks);
  hone__text_add(html, "</tbody></table></div>\n");
  if (i < count)
    hone__text_addf(html, "<p class=\"note\">The best %zu of %zu rows.</p>\n", i, count);
  hone__text_add(html, "</section>\n");
}

/* ---- Failures ---- */

static const char *output_of(const struct hone_result_failure *failure)
{
  const char *const texts[] = {failure->evidence, failure->stderr_text, failure->stdout_text};

  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i] && *texts[i]) return texts[i];
  return "";
}

static void add_failure(struct hone__text *html, const struct hone__bars *bars, size_t result,
                        const struct hone_result_failure *failure)
{
  hone__text_add(html, "<tr>");
  if (bars->options->count > 1) add_cell(html, bars->labels[result], false);
  add_index(html, failure->mesh_idx);
  hone__text_add(html, "<td>");
  for (size_t i = 0; i < failure->params.count; i++) {
    hone__text_add(html, i ? " " : "");
    hone__markup_add(html, failure->params.at[i].name, 100);
    hone__text_add(html, "=");
    hone__markup_add(html, failure->params.at[i].value, 200);
  }
  if (!failure->params.count) hone__markup_add(html, failure->spec, 300);
  hone__text_add(html, "</td>");
  add_cell(html, hone_failure_type_name(failure->type), false);
  add_cell(html, hone_outcome_name(failure->outcome), false);
  hone__text_add(html, "<td><pre>");
  hone__markup_add(html, output_of(failure), MOST_EVIDENCE);
  hone__text_add(html, "</pre></td></tr>\n");
}

static size_t add_failures_of(struct hone__text *html, const struct hone__bars *bars, size_t result,
                              size_t room)
{
  const struct hone_results *results = bars->options->results[result];
  size_t begin = html->length, i = 0;

  for (; i < results->failure_count && i < room && html->length - begin < MOST_BYTES / 2; i++)
    add_failure(html, bars, result, &results->failures[i]);
  return i;
}

void hone__page_failures(struct hone__text *html, const struct hone__bars *bars)
{
  size_t all = 0, shown = 0, count = bars->options->count;

  for (size_t i = 0; i < count; i++)
    all += bars->options->results[i]->failure_count;
  if (!all) return;
  hone__text_add(html,
                 "<section>\n<h2>Failures</h2>\n<div class=\"scroll\"><table class=\"sort\">\n"
                 "<thead><tr>");
  if (count > 1) add_title(html, "results", false);
  hone__text_add(html, "<th class=\"n\">#</th><th>configuration</th><th>type</th><th>class</th>"
                       "<th>evidence</th></tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < count; i++)
    shown += add_failures_of(html, bars, i, MOST_FAILURES / count);
  hone__text_add(html, "</tbody></table></div>\n");
  if (shown < all)
    hone__text_addf(html, "<p class=\"note\">%zu of %zu failures.</p>\n", shown, all);
  hone__text_add(html, "</section>\n");
}
