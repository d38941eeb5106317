#include "export/pandas.h"

#include "base/number.h"
#include "results/results.h"
#include "spec/value.h"
#include "spec/word_kind.h"

#include <math.h>
#include <stdlib.h>

/* ---- Columns ---- */

bool hone__export_column_is_number(const struct hone_results *results, size_t column)
{
  for (size_t i = 0; i < results->row_count; i++) {
    const struct hone__results_cell *cell = &results->rows[i].cells[column];
    if (*cell->text && isnan(cell->number)) return false;
  }
  return true;
}

static bool is_fixed(const char *text)
{
  return strchr(text, '.') && !strchr(text, 'e');
}

static bool all_end_with_zero(const char *const *texts, size_t count)
{
  bool any = false;

  for (size_t i = 0; i < count; i++) {
    if (!is_fixed(texts[i])) continue;
    if (texts[i][strlen(texts[i]) - 1] != '0') return false;
    any = true;
  }
  return any;
}

static bool one_decimal_is_left(const char *const *texts, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (is_fixed(texts[i]) && strlen(strchr(texts[i], '.')) <= 2) return true;
  return false;
}

static void trim_zeros(char **texts, size_t count)
{
  const char *const *view = (const char *const *)texts;

  while (all_end_with_zero(view, count) && !one_decimal_is_left(view, count))
    for (size_t i = 0; i < count; i++)
      if (is_fixed(texts[i])) texts[i][strlen(texts[i]) - 1] = 0;
}

static bool needs_exponent(const struct hone_results *results, size_t column, char **texts)
{
  bool has_large = false, has_small = false, is_long = false;

  for (size_t i = 0; i < results->row_count; i++) {
    double size = fabs(results->rows[i].cells[column].number);
    has_large |= size > 1e6;
    has_small |= size > 0 && size < 1e-6;
    is_long |= strlen(texts[i]) > 12;
  }
  return has_small || (has_large && is_long);
}

static bool is_column_of_integers(const struct hone_results *results, size_t column)
{
  for (size_t i = 0; i < results->row_count; i++) {
    const char *text = results->rows[i].cells[column].text;
    if (!*text || text[strspn(text, "+-0123456789")]) return false;
  }
  return true;
}

static char *print_six(const struct hone__results_cell *cell, char form, struct hone__arena *arena)
{
  char digits[400];

  if (!isfinite(cell->number)) return hone__arena_strdup(arena, *cell->text ? cell->text : "NaN");
  hone__print_real(digits, sizeof digits, form, 6, cell->number);
  return hone__arena_strdup(arena, digits);
}

const char **hone__export_column_six_decimals(const struct hone_results *results, size_t column,
                                              struct hone__arena *arena)
{
  size_t count = results->row_count;
  char **texts = hone__arena_alloc(arena, (count + 1) * sizeof *texts);
  bool as_is =
      !hone__export_column_is_number(results, column) || is_column_of_integers(results, column);

  for (size_t i = 0; i < count; i++) {
    const struct hone__results_cell *cell = &results->rows[i].cells[column];
    texts[i] = as_is ? hone__arena_strdup(arena, *cell->text ? cell->text : "NaN")
                     : print_six(cell, 'f', arena);
  }
  if (as_is) return (const char **)texts;
  trim_zeros(texts, count);
  if (needs_exponent(results, column, texts))
    for (size_t i = 0; i < count; i++)
      texts[i] = print_six(&results->rows[i].cells[column], 'e', arena);
  return (const char **)texts;
}

/* ---- Parameters ---- */

void hone__params_repr(const struct hone__spec_param *params, size_t count, struct hone__text *text)
{
  hone__text_add(text, "{");
  for (size_t i = 0; i < count; i++) {
    hone__text_addf(text, "%s'%s%s': ", i ? ", " : "", params[i].is_runtime ? "$" : "",
                    params[i].name);
    if (hone__word_kind(params[i].value) == HONE__WORD_TEXT)
      hone__value_repr(hone__string(params[i].value), text);
    else
      hone__text_add(text, params[i].value);
  }
  hone__text_add(text, "}");
}

void hone__params_filter(const struct hone_result_row *row, struct hone__text *text)
{
  for (size_t i = 0; i < row->params.count; i++) {
    const char *name = row->params.at[i].name;
    hone__text_addf(text, "%s%s=%s", i ? " " : "", name + strspn(name, "$"),
                    row->params.at[i].value);
  }
}
