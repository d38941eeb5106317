/* Rows of all results are put into one list and sorted by key, so that partners stand side by side;
 * then their groups go back into the order of the first results. */
#include "results/comparison.h"

#include "base/accessor.h"
#include "base/memory.h"
#include "base/options_size.h"
#include "base/status.h"
#include "results/results.h"

#include <math.h>
#include <stdlib.h>

static const struct hone_compare_options defaults = {.threshold = 0.05, .margin = 0.02};

void hone_compare_options_fill(struct hone_compare_options *options, size_t size)
{
  hone__options_fill(options, size, &defaults, sizeof defaults);
}

struct whole { /* what is handed out, with its memory */
  struct hone_comparison comparison;
  struct hone__arena arena;
};

struct comparing {
  const struct hone_results *const *results;
  size_t count;
  const struct hone_compare_options *options;
  size_t *columns; /* of the metric, in each of the results */
  double *scales;  /* what makes its numbers those of the first results' unit */
  size_t *keys;    /* the column that is the key; SIZE_MAX: the spec */
  struct entry {   /* a row of some results */
    const char *key;
    size_t duplicate; /* which of the rows with this key in these results */
    size_t result, row;
  } * entries;
  size_t entry_count;
  struct whole *whole;
};

/* ---- Which column ---- */

/* "GB/s" of "DataMovement (GB/s)"; empty without one. */
static const char *unit_of(const char *column, size_t *out_length)
{
  const char *open = strrchr(column, '('), *close = open ? strchr(open, ')') : NULL;

  *out_length = close && !close[1] ? (size_t)(close - open - 1) : 0;
  return *out_length ? open + 1 : column + strlen(column);
}

/* True if they measure the same, whatever the unit is. */
static bool is_same_quantity(const char *a, const char *b)
{
  size_t a_unit, b_unit;
  size_t a_length = (size_t)(unit_of(a, &a_unit) - a), b_length = (size_t)(unit_of(b, &b_unit) - b);

  return a_length == b_length && memcmp(a, b, a_length) == 0;
}

/* The column itself, else the same in another unit; SIZE_MAX: none. */
static size_t find_column(const struct hone_results *results, const char *name)
{
  for (size_t i = 0; i < results->column_count; i++)
    if (strcmp(results->columns[i], name) == 0) return i;
  for (size_t i = 0; i < results->column_count; i++)
    if (is_same_quantity(results->columns[i], name)) return i;
  return SIZE_MAX;
}

static hone_status match_column(struct comparing *comparing, size_t i)
{
  const struct hone_results *first = comparing->results[0], *other = comparing->results[i];
  const char *name = first->columns[comparing->columns[0]], *found;
  size_t column =
      comparing->columns[0] == first->time_column ? other->time_column : find_column(other, name);
  double from, to;

  comparing->scales[i] = 1;
  comparing->columns[i] = column;
  if (column == SIZE_MAX) return hone__results_no_column(other, name);
  found = other->columns[column];
  if (strcmp(found, name) == 0) return NULL;
  from = column == other->time_column ? other->time_unit_s : hone__results_column_unit_s(found);
  to = comparing->columns[0] == first->time_column ? first->time_unit_s
                                                   : hone__results_column_unit_s(name);
  if (!(from > 0) || !(to > 0))
    return hone__error(HONE_INVALID_ARGUMENT,
                       "the units differ and cannot be converted: '%s' in '%s', '%s' in '%s'", name,
                       first->origin, found, other->origin);
  comparing->scales[i] = from / to;
  return NULL;
}

/* What was requested, else what the first results were tuned for: the time, where others do not
 * have that. NULL: theirs. */
static const char *choose_metric(const struct comparing *comparing)
{
  const struct hone_results *first = comparing->results[0];
  size_t time = first->time_column, aim = first->aim_column;

  if (comparing->options->metric || aim == time || time == SIZE_MAX)
    return comparing->options->metric;
  for (size_t i = 1; i < comparing->count; i++)
    if (find_column(comparing->results[i], first->columns[aim]) == SIZE_MAX)
      return first->columns[time];
  return NULL;
}

static hone_status choose_columns(struct comparing *comparing)
{
  struct hone_comparison *comparison = &comparing->whole->comparison;
  const struct hone_results *first = comparing->results[0];
  hone_status status = hone_results_find_column(first, choose_metric(comparing),
                                                &comparing->columns[0], &comparison->maximise);

  comparing->scales[0] = 1;
  for (size_t i = 1; i < comparing->count && !status; i++)
    status = match_column(comparing, i);
  if (status) return status;
  comparison->metric = first->columns[comparing->columns[0]];
  comparison->is_time = comparing->columns[0] == first->time_column ||
                        hone__results_column_unit_s(comparison->metric) > 0;
  return NULL;
}

static hone_status choose_keys(struct comparing *comparing)
{
  for (size_t i = 0; i < comparing->count; i++) {
    const struct hone_results *results = comparing->results[i];
    comparing->keys[i] = SIZE_MAX;
    if (comparing->options->match == HONE_MATCH_SPEC) continue;
    for (size_t j = 0; j < results->column_count; j++)
      if (strcmp(results->columns[j], "name") == 0) comparing->keys[i] = j;
    if (comparing->keys[i] == SIZE_MAX) return hone__results_no_column(results, "name");
  }
  return NULL;
}

/* ---- Partners ---- */

static int compare_sizes(size_t a, size_t b)
{
  return (a > b) - (a < b);
}

static int by_key_in_results(const void *a, const void *b)
{
  const struct entry *x = a, *y = b;
  int order = strcmp(x->key, y->key);

  if (!order) order = compare_sizes(x->result, y->result);
  return order ? order : compare_sizes(x->row, y->row);
}

static int by_partners(const void *a, const void *b)
{
  const struct entry *x = a, *y = b;
  int order = strcmp(x->key, y->key);

  if (!order) order = compare_sizes(x->duplicate, y->duplicate);
  return order ? order : compare_sizes(x->result, y->result);
}

static bool is_partner(const struct entry *a, const struct entry *b)
{
  return a->duplicate == b->duplicate && strcmp(a->key, b->key) == 0;
}

static void number_duplicates(struct entry *entries, size_t count)
{
  qsort(entries, count, sizeof *entries, by_key_in_results);
  for (size_t i = 1; i < count; i++)
    if (entries[i].result == entries[i - 1].result &&
        strcmp(entries[i].key, entries[i - 1].key) == 0)
      entries[i].duplicate = entries[i - 1].duplicate + 1;
}

static double value_of(const struct comparing *comparing, size_t result, size_t row)
{
  const struct hone_result_row *rows = comparing->results[result]->rows;

  return rows[row].cells[comparing->columns[result]].number * comparing->scales[result];
}

/* Rows without a number are as good as missing, and a time of 0 was not measured. */
static bool has_value(const struct comparing *comparing, size_t result, size_t row)
{
  double value = value_of(comparing, result, row);

  return isfinite(value) && (value > 0 || !comparing->whole->comparison.is_time);
}

static void list_entries(struct comparing *comparing)
{
  size_t room = 0;

  for (size_t i = 0; i < comparing->count; i++)
    room += comparing->results[i]->row_count;
  comparing->entries = hone__alloc((room + 1) * sizeof *comparing->entries);
  for (size_t i = 0; i < comparing->count; i++)
    for (size_t j = 0; j < comparing->results[i]->row_count; j++) {
      const struct hone_result_row *row = &comparing->results[i]->rows[j];
      size_t key = comparing->keys[i];
      if (!has_value(comparing, i, j)) continue;
      comparing->entries[comparing->entry_count++] = (struct entry){
          .key = key == SIZE_MAX ? row->spec : row->cells[key].text, .result = i, .row = j};
    }
}

/* ---- Changes, by the samples of both ---- */

static bool is_sampled(const struct hone_result_row *row)
{
  return row && row->taken.time_count > 0;
}

/* Samples are times: of another metric they say nothing. */
static bool has_change(const struct comparing *comparing, const struct hone_result_row *before,
                       const struct hone_result_row *after)
{
  return comparing->columns[0] == comparing->results[0]->time_column && is_sampled(before) &&
         is_sampled(after);
}

static struct hone__comparison_change change_of(const struct comparing *comparing,
                                                const struct hone_result_row *before,
                                                const struct hone_result_row *after)
{
  struct hone__comparison_change change = {HONE_CHANGE_NONE, NAN, NAN, NAN};
  struct hone__estimate difference;

  if (!has_change(comparing, before, after)) return change;
  difference = hone__taken_difference(&before->taken, &after->taken);
  change.change = hone__taken_judge(&difference, comparing->options->margin);
  if (isfinite(difference.low) && isfinite(difference.high)) {
    change.ratio = exp(difference.value);
    change.low = exp(difference.low);
    change.high = exp(difference.high);
  }
  return change;
}

/* ---- Rows ---- */

static void fill_row(struct comparing *comparing, struct hone_compared_row *row,
                     const struct entry *entries, size_t count)
{
  struct hone__arena *arena = &comparing->whole->arena;
  size_t results = comparing->count;

  row->key = entries[0].key;
  row->count = results;
  row->rows = hone__arena_alloc(arena, results * sizeof *row->rows);
  row->values = hone__arena_alloc(arena, 2 * results * sizeof *row->values);
  row->ratios = row->values + results;
  for (size_t i = 0; i < results; i++)
    row->values[i] = row->ratios[i] = NAN;
  for (size_t i = 0; i < count; i++) {
    const struct entry *entry = &entries[i];
    row->rows[entry->result] = &comparing->results[entry->result]->rows[entry->row];
    row->values[entry->result] = value_of(comparing, entry->result, entry->row);
  }
  for (size_t i = 0; i < results; i++)
    row->ratios[i] = row->values[0] != 0 ? row->values[i] / row->values[0] : NAN;
  row->changes = hone__arena_alloc(arena, results * sizeof *row->changes);
  for (size_t i = 0; i < results; i++)
    row->changes[i] = change_of(comparing, i ? row->rows[0] : NULL, row->rows[i]);
  for (size_t i = 0; i < results; i++) /* the quotient of two numbers may be outside the interval */
    if (!isnan(row->changes[i].ratio)) row->ratios[i] = row->changes[i].ratio;
}

/* Groups of partners in the order of the results that have them first. */
static int by_first_entry(const void *a, const void *b)
{
  const struct entry *const *x = a, *const *y = b;
  int order = compare_sizes((*x)->result, (*y)->result);

  return order ? order : compare_sizes((*x)->row, (*y)->row);
}

static size_t list_groups(const struct comparing *comparing, const struct entry **groups)
{
  const struct entry *entries = comparing->entries;
  size_t count = 0;

  for (size_t i = 0; i < comparing->entry_count; i++)
    if (i == 0 || !is_partner(&entries[i], &entries[i - 1])) groups[count++] = &entries[i];
  qsort(groups, count, sizeof *groups, by_first_entry);
  return count;
}

static void make_rows(struct comparing *comparing)
{
  struct hone_comparison *comparison = &comparing->whole->comparison;
  const struct entry *end = comparing->entries + comparing->entry_count,
                     **groups = hone__alloc((comparing->entry_count + 1) * sizeof *groups);
  size_t count;

  number_duplicates(comparing->entries, comparing->entry_count);
  qsort(comparing->entries, comparing->entry_count, sizeof *comparing->entries, by_partners);
  count = list_groups(comparing, groups);
  comparison->rows =
      hone__arena_alloc(&comparing->whole->arena, (count + 1) * sizeof *comparison->rows);
  comparison->row_count = count;
  for (size_t i = 0; i < count; i++) {
    size_t partners = 1;
    while (groups[i] + partners < end && is_partner(groups[i], groups[i] + partners))
      partners++;
    fill_row(comparing, &comparison->rows[i], groups[i], partners);
  }
  free(groups);
}

/* ---- Sums ---- */

/* Above 1: it got worse. */
static double loss(const struct hone_comparison *comparison, double ratio)
{
  return comparison->maximise ? 1 / ratio : ratio;
}

static void count_pair(const struct hone_comparison *comparison, struct hone_compared *sum,
                       double ratio, double threshold)
{
  double lost = loss(comparison, ratio);

  if (lost > 1 + threshold)
    sum->worse++;
  else if (lost < 1 - threshold)
    sum->better++;
  else
    sum->equal++;
  if (isnan(sum->worst_ratio) || lost > loss(comparison, sum->worst_ratio))
    sum->worst_ratio = ratio;
}

/* Over the rows that have an interval. Their errors are independent: the squares add up. */
static void bound_mean(struct hone_comparison *comparison, size_t result)
{
  struct hone_compared *sum = &comparison->results[result];
  double square = 0, logarithms = 0, count = 0;

  for (size_t i = 0; i < comparison->row_count; i++) {
    const struct hone__comparison_change *change = &comparison->rows[i].changes[result];
    sum->changes[change->change]++;
    if (!isfinite(change->low) || !isfinite(change->high)) continue;
    square += pow(log(change->high / change->low) / 2, 2);
    logarithms += log(comparison->rows[i].ratios[result]);
    count++;
  }
  if (!(count > 0)) return;
  sum->bounded = (uint64_t)count;
  sum->mean_bounded = exp(logarithms / count);
  sum->mean_low = sum->mean_bounded * exp(-sqrt(square) / count);
  sum->mean_high = sum->mean_bounded * exp(sqrt(square) / count);
}

static void sum_up(struct comparing *comparing, size_t result)
{
  struct hone_comparison *comparison = &comparing->whole->comparison;
  struct hone_compared *sum = &comparison->results[result];
  double logarithms = 0;
  size_t pairs = 0;

  for (size_t i = 0; i < comparison->row_count; i++) {
    const struct hone_compared_row *row = &comparison->rows[i];
    double ratio = row->ratios[result];
    sum->missing += row->rows[0] && !row->rows[result];
    sum->extra += !row->rows[0] && row->rows[result];
    if (!(ratio > 0) || isinf(ratio)) continue;
    count_pair(comparison, sum, ratio, comparing->options->threshold);
    logarithms += log(ratio);
    pairs++;
  }
  if (pairs) sum->mean_ratio = exp(logarithms / (double)pairs);
  bound_mean(comparison, result);
}

static void find_best(struct comparing *comparing, size_t result)
{
  struct hone_comparison *comparison = &comparing->whole->comparison;
  const struct hone_results *results = comparing->results[result];
  size_t *rows,
      count = hone_results_order(results, comparing->columns[result], comparison->maximise, &rows);

  if (count) {
    comparison->results[result].best = &results->rows[rows[0]];
    comparison->results[result].best_value = value_of(comparing, result, rows[0]);
  }
  free(rows);
}

static void make_sums(struct comparing *comparing)
{
  struct hone_comparison *comparison = &comparing->whole->comparison;

  comparison->count = comparing->count;
  comparison->results =
      hone__arena_alloc(&comparing->whole->arena, comparing->count * sizeof *comparison->results);
  for (size_t i = 0; i < comparing->count; i++) {
    struct hone_compared *sum = &comparison->results[i];
    sum->best_value = sum->mean_ratio = sum->worst_ratio = NAN;
    sum->mean_bounded = sum->mean_low = sum->mean_high = NAN;
    find_best(comparing, i);
    sum->best_change = change_of(comparing, i ? comparison->results[0].best : NULL, sum->best);
    if (i) sum_up(comparing, i);
  }
}

static hone_status compare(struct comparing *comparing)
{
  hone_status status = choose_columns(comparing);

  if (!status) status = choose_keys(comparing);
  if (status) return status;
  list_entries(comparing);
  make_rows(comparing);
  make_sums(comparing);
  return NULL;
}

hone_status hone_results_compare(const struct hone_results *const *results, size_t count,
                                 const struct hone_compare_options *options,
                                 struct hone_comparison **out_comparison)
{
  struct hone_compare_options own = defaults;
  struct comparing comparing = {.results = results, .count = count, .options = &own};
  hone_status status = hone__options_take(&own, sizeof own, options, "hone_compare_options");

  *out_comparison = NULL;
  if (status) return status;
  if (count < 2)
    return hone__error(HONE_INVALID_ARGUMENT, "a comparison needs at least two results");
  comparing.whole = hone__alloc(sizeof *comparing.whole);
  comparing.columns = hone__alloc(2 * count * sizeof *comparing.columns);
  comparing.keys = comparing.columns + count;
  comparing.scales = hone__alloc(count * sizeof *comparing.scales);
  status = compare(&comparing);
  if (status)
    free(comparing.whole);
  else
    *out_comparison = &comparing.whole->comparison;
  free(comparing.entries);
  free(comparing.columns);
  free(comparing.scales);
  return status;
}

void hone_comparison_free(struct hone_comparison *comparison)
{
  struct whole *whole = (struct whole *)comparison;

  if (!whole) return;
  hone__arena_release(&whole->arena);
  free(whole);
}

/* ---- Accessors ---- */

HONE__GET(const char *, hone_comparison, metric, metric)
HONE__GET(bool, hone_comparison, is_maximised, maximise)
HONE__GET(bool, hone_comparison, is_time, is_time)
HONE__GET(size_t, hone_comparison, count, count)
HONE__GET(size_t, hone_comparison, row_count, row_count)
HONE__LEND_AT(hone_compared, hone_comparison, at, results, count)
HONE__LEND_AT(hone_compared_row, hone_comparison, row, rows, row_count)

#define COMPARED(type, property) HONE__GET(type, hone_compared, property, property)
COMPARED(const struct hone_result_row *, best)
COMPARED(double, best_value)
COMPARED(double, mean_ratio)
COMPARED(double, worst_ratio)
COMPARED(double, mean_bounded)
COMPARED(uint64_t, bounded)
COMPARED(double, mean_low)
COMPARED(double, mean_high)
COMPARED(uint64_t, better)
COMPARED(uint64_t, worse)
COMPARED(uint64_t, equal)
COMPARED(uint64_t, missing)
COMPARED(uint64_t, extra)

HONE__GET(enum hone_change, hone_compared, best_change, best_change.change)
HONE__GET(double, hone_compared, best_ratio, best_change.ratio)
HONE__GET(double, hone_compared, best_low, best_change.low)
HONE__GET(double, hone_compared, best_high, best_change.high)

uint64_t hone_compared_changes(const struct hone_compared *compared, enum hone_change change)
{
  return (size_t)change < HONE_CHANGE_COUNT ? compared->changes[change] : 0;
}

HONE__GET(const char *, hone_compared_row, key, key)
HONE__GET_IN(enum hone_change, hone_compared_row, change, changes, change, count, HONE_CHANGE_NONE)
HONE__GET_IN(double, hone_compared_row, low, changes, low, count, NAN)
HONE__GET_IN(double, hone_compared_row, high, changes, high, count, NAN)
HONE__GET_AT(const struct hone_result_row *, hone_compared_row, row, rows, count, NULL)
HONE__GET_AT(double, hone_compared_row, value, values, count, NAN)
HONE__GET_AT(double, hone_compared_row, ratio, ratios, count, NAN)
