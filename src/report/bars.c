/* A group is a configuration, labelled with the parameters that vary; what all of them share stands
 * once, below the axis. Where there are more groups than can be read, the best are shown. */
#include "report/bars.h"

#include "base/options_size.h"
#include "base/status.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_AUTO_CHARTS = 4, MOST_GROUPS = 2000, MOST_LABEL = 40 };

/* ---- Unit ---- */

static const struct unit {
  const char *name, *other;
  double seconds;
} units[] = {{"s", "s", 1}, {"ms", "ms", 1e-3}, {"us", "\u00b5s", 1e-6}, {"ns", "ns", 1e-9}};
enum { UNITS = sizeof units / sizeof *units };

/* The unit in "met (ms)", with the text before it; NULL: none of time. */
static const struct unit *unit_in(const char *title, size_t *out_before)
{
  const char *open = strrchr(title, '(');
  size_t length = open ? strcspn(open + 1, ")") : 0;

  *out_before = open ? (size_t)(open - title) : strlen(title);
  for (size_t i = 0; length && i < UNITS; i++)
    if ((strlen(units[i].name) == length && memcmp(units[i].name, open + 1, length) == 0) ||
        (strlen(units[i].other) == length && memcmp(units[i].other, open + 1, length) == 0))
      return &units[i];
  return NULL;
}

static double largest_value(const struct hone__bars *bars)
{
  double largest = 0;

  for (size_t i = 0; i < bars->shown; i++)
    for (size_t j = 0; j < bars->options->count; j++) {
      double value = fabs(bars->comparison->rows[bars->rows[i]].values[j]);
      if (isfinite(value) && value > largest) largest = value;
    }
  return largest;
}

/* Columns of files keep the names that they have there; the times of runs are plain. */
bool hone__bars_are_runs(const struct hone__bars *bars)
{
  for (size_t i = 0; i < bars->options->count; i++)
    if (bars->options->results[i]->run <= 0) return false;
  return true;
}

static const char *metric_name(const struct hone__bars *bars)
{
  return bars->comparison->is_time && hone__bars_are_runs(bars) ? "time" : bars->comparison->metric;
}

/* The largest unit in which the largest value that is shown is 1 at least. */
static void choose_unit(struct hone__bars *bars)
{
  const char *metric = bars->comparison->metric;
  size_t before, i = 0;
  const struct unit *unit = unit_in(metric, &before);
  double base = unit ? unit->seconds : bars->options->results[0]->time_unit_s, seconds;

  bars->unit = "";
  bars->scale = 1;
  bars->title = metric;
  if (!bars->comparison->is_time || !(base > 0)) return;
  seconds = largest_value(bars) * base;
  if (seconds > 0)
    while (i < UNITS - 1 && seconds < units[i].seconds * (1 - 1e-12))
      i++;
  else
    while (i < UNITS - 1 && units[i].seconds > base * 1.001)
      i++;
  bars->unit = units[i].name;
  bars->scale = base / units[i].seconds;
  if (metric_name(bars) != metric) {
    bars->title = hone__arena_printf(&bars->arena, "time (%s)", bars->unit);
    return;
  }
  if (!unit) before = strlen(metric);
  bars->title = hone__arena_printf(&bars->arena, "%.*s%s(%s)", (int)before, metric,
                                   before && metric[before - 1] == ' ' ? "" : " ", bars->unit);
}

/* ---- Names and order ---- */

const struct hone_result_row *hone__bars_row(const struct hone__bars *bars, size_t row)
{
  const struct hone_compared_row *compared = &bars->comparison->rows[row];
  size_t i = 0;

  while (i + 1 < bars->options->count && !compared->rows[i])
    i++;
  return compared->rows[i];
}

/* A file's name without folders and .csv; "run 12". */
static const char *label_from(struct hone__bars *bars, const char *origin)
{
  const char *slash = strrchr(origin, '/'), *name = slash && slash[1] ? slash + 1 : origin;
  size_t length = strlen(name);

  if (length > 4 && strcmp(name + length - 4, ".csv") == 0) length -= 4;
  return hone__arena_strndup(&bars->arena, name, length);
}

static void choose_labels(struct hone__bars *bars)
{
  const struct hone_page_options *options = bars->options;

  bars->labels = hone__arena_alloc(&bars->arena, (options->count + 1) * sizeof *bars->labels);
  for (size_t i = 0; i < options->count; i++) {
    const char *given = options->labels ? options->labels[i] : NULL;
    bars->labels[i] = given ? given : label_from(bars, options->results[i]->origin);
  }
}

static double rank_of(const struct hone__bars *bars, size_t row)
{
  const double *values = bars->comparison->rows[row].values;

  for (size_t i = 0; i < bars->options->count; i++)
    if (!isnan(values[i])) return (bars->comparison->maximise ? -1 : 1) * values[i];
  return INFINITY;
}

/* Of one run by what it was tuned for: as in every table of it. Where rows of several are side by
 * side, their values decide. */
static int compare_standings(const struct hone__bars *bars, size_t x, size_t y)
{
  const struct hone_results *results = bars->options->results[0];
  const struct hone_compared_row *rows = bars->comparison->rows;

  if (bars->options->count > 1 || results->aim_column == SIZE_MAX ||
      strcmp(bars->comparison->metric, results->columns[results->aim_column]) != 0)
    return 0;
  return hone__measured_compare(&rows[x].rows[0]->measured, &rows[y].rows[0]->measured);
}

static int by_rank(const void *a, const void *b, void *data)
{
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  double left = rank_of(data, x), right = rank_of(data, y);
  int standing = compare_standings(data, x, y);

  if (standing) return standing;

  if (left != right) return left < right ? -1 : 1;
  return x < y ? -1 : x > y;
}

static void choose_order(struct hone__bars *bars)
{
  size_t count = bars->comparison->row_count;

  bars->order = hone__arena_alloc(&bars->arena, (count + 1) * sizeof *bars->order);
  for (size_t i = 0; i < count; i++)
    bars->order[i] = i;
  qsort_r(bars->order, count, sizeof *bars->order, by_rank, bars);
}

/* ---- Labels of groups ---- */

static const char *shorten(struct hone__bars *bars, const char *text)
{
  size_t length = strlen(text), cut = MOST_LABEL;

  if (length <= MOST_LABEL) return text;
  while (cut && ((unsigned char)text[cut] & 0xc0) == 0x80)
    cut--;
  return hone__arena_printf(&bars->arena, "%.*s\xe2\x80\xa6", (int)cut, text);
}

/* A benchmark's own name, one part per line. */
static void add_name_lines(struct hone__bars *bars, const char *name, struct hone__text *label)
{
  char *words = hone__strdup(name), *rest = words, *part;

  while ((part = strsep(&rest, "/")) != NULL)
    hone__text_addf(label, "%s%s", label->length ? "\n" : "", shorten(bars, part));
  free(words);
}

static const char *label_of(struct hone__bars *bars, size_t row)
{
  const struct hone_result_row *result = hone__bars_row(bars, row);
  struct hone__text label = {0};
  const char *kept;

  hone__text_add(&label, "");
  for (size_t i = 0; bars->options->match == HONE_MATCH_SPEC && i < bars->names->count; i++) {
    const char *value = hone_result_row_value(result, bars->names->at[i].name);
    if (!value || bars->names->at[i].value) continue;
    hone__text_addf(&label, "%s%s=%s", label.length ? "\n" : "", bars->names->at[i].name,
                    shorten(bars, value));
  }
  if (!label.length) add_name_lines(bars, bars->comparison->rows[row].key, &label);
  kept = hone__arena_strdup(&bars->arena, label.data);
  hone__text_release(&label);
  return kept;
}

static const char *constants_of(struct hone__bars *bars)
{
  struct hone__text text = {0};
  const char *kept;

  hone__text_add(&text, "");
  for (size_t i = 0; i < bars->names->count; i++)
    if (bars->names->at[i].value)
      hone__text_addf(&text, "%s%s=%s", text.length ? " / " : "", bars->names->at[i].name,
                      shorten(bars, bars->names->at[i].value));
  kept = hone__arena_strdup(&bars->arena, text.data);
  hone__text_release(&text);
  return kept;
}

/* ---- Charts ---- */

const char *hone__bars_group_title(const struct hone__bars *bars)
{
  if (bars->options->match == HONE_MATCH_NAME) return "name";
  return hone__bars_are_runs(bars) ? "configuration" : "spec";
}

static const char *series_name(struct hone__bars *bars, size_t result)
{
  if (bars->options->compare)
    return hone__arena_printf(&bars->arena, "%s [%s/%s]", metric_name(bars), bars->labels[result],
                              bars->labels[0]);
  return hone__arena_printf(&bars->arena, "%s [%s]", bars->title, bars->labels[result]);
}

/* All groups in one chart, which is then cut. */
static struct hone__chart make_chart(struct hone__bars *bars)
{
  bool compare = bars->options->compare;
  size_t first = compare, series = bars->options->count - first, count = bars->shown;
  const char **names = hone__arena_alloc(&bars->arena, (series + 1) * sizeof *names);
  double *values = hone__arena_alloc(&bars->arena, (count * series + 1) * sizeof *values);

  for (size_t i = 0; i < series; i++)
    names[i] = series_name(bars, first + i);
  for (size_t i = 0; i < count; i++) {
    const struct hone_compared_row *compared = &bars->comparison->rows[bars->rows[i]];
    for (size_t j = 0; j < series; j++)
      values[i * series + j] =
          compare ? compared->ratios[first + j] : compared->values[j] * bars->scale;
  }
  return (struct hone__chart){.value_title =
                                  compare ? hone__arena_printf(&bars->arena, "%s, ratio to %s",
                                                               metric_name(bars), bars->labels[0])
                                          : bars->title,
                              .group_title = hone__bars_group_title(bars),
                              .group_caption = constants_of(bars),
                              .unit = compare ? "x" : bars->unit,
                              .precision = bars->options->precision,
                              .has_base = compare,
                              .series_count = series,
                              .group_count = count,
                              .series = names,
                              .labels = bars->group_labels,
                              .values = values,
                              .first_color = first};
}

static void make_charts(struct hone__bars *bars)
{
  struct hone__chart whole = make_chart(bars);
  size_t groups = bars->groups_per_chart;

  bars->charts = hone__arena_alloc(&bars->arena, (bars->shown + 1) * sizeof *bars->charts);
  for (size_t i = 0; i < bars->shown; i += groups) {
    struct hone__chart *chart = &bars->charts[bars->chart_count++];
    *chart = whole;
    chart->labels += i;
    chart->values += i * whole.series_count;
    chart->group_count = bars->shown - i < groups ? bars->shown - i : groups;
  }
}

/* ---- Which rows, and how many side by side ---- */

static void choose_rows(struct hone__bars *bars, size_t most)
{
  size_t rows = bars->comparison->row_count;

  bars->shown = most < rows ? most : rows;
  bars->rows = hone__arena_alloc(&bars->arena, (bars->shown + 1) * sizeof *bars->rows);
  bars->group_labels =
      hone__arena_alloc(&bars->arena, (bars->shown + 1) * sizeof *bars->group_labels);
  for (size_t i = 0; i < bars->shown; i++) {
    bars->rows[i] = bars->shown < rows ? bars->order[i] : i;
    bars->group_labels[i] = label_of(bars, bars->rows[i]);
  }
}

/* As many as can be read side by side, in a few charts if that shows all of them. */
static void choose_groups(struct hone__bars *bars)
{
  int64_t asked = bars->options->groups_per_chart;
  struct hone__chart shape = {.series_count = bars->options->count - bars->options->compare};
  size_t room, charts;

  choose_rows(bars, MOST_GROUPS);
  shape.labels = bars->group_labels;
  shape.group_count = bars->shown;
  room = hone__chart_room(&shape);
  charts = (bars->shown + room - 1) / room;
  if (asked == 0 && charts > MOST_AUTO_CHARTS) {
    choose_rows(bars, room);
    charts = 1;
  }
  bars->groups_per_chart = asked > 0   ? (size_t)asked
                           : asked < 0 ? bars->shown
                           : charts    ? (bars->shown + charts - 1) / charts
                                       : 1;
}

/* ---- The whole ---- */

/* A comparison takes two: single results are compared with themselves. */
static hone_status compare_results(struct hone__bars *bars)
{
  const struct hone_page_options *options = bars->options;
  size_t count = options->count < 2 ? 2 : options->count;
  const struct hone_results **results = hone__arena_alloc(&bars->arena, count * sizeof *results);
  struct hone_compare_options how;

  for (size_t i = 0; i < count; i++)
    results[i] = options->results[i < options->count ? i : 0];
  hone_compare_options_init(&how);
  how.metric = options->metric;
  how.match = options->match;
  if (options->margin > 0) how.margin = options->margin;
  return hone_results_compare(results, count, &how, &bars->comparison);
}

static hone_status begin(struct hone__bars *bars, const struct hone_page_options *given)
{
  hone_status status;

  hone_page_options_init(&bars->given);
  bars->options = &bars->given;
  status = hone__options_take(&bars->given, sizeof bars->given, given, "hone_page_options");
  if (status) return status;
  if (!bars->given.count) return hone__error(HONE_INVALID_ARGUMENT, "no results to show");
  if (bars->given.compare && bars->given.count < 2)
    return hone__error(HONE_INVALID_ARGUMENT, "ratios need at least two results");
  return compare_results(bars);
}

hone_status hone__bars_make(const struct hone_page_options *options, struct hone__bars **out_bars)
{
  struct hone__bars *bars = hone__alloc(sizeof *bars);
  hone_status status = begin(bars, options);

  *out_bars = NULL;
  if (status) {
    hone__bars_free(bars);
    return status;
  }
  bars->names = hone_results_names(bars->given.results, bars->given.count);
  choose_labels(bars);
  choose_order(bars);
  choose_groups(bars);
  choose_unit(bars);
  make_charts(bars);
  *out_bars = bars;
  return NULL;
}

void hone__bars_free(struct hone__bars *bars)
{
  if (!bars) return;
  hone_comparison_free(bars->comparison);
  hone_result_names_free(bars->names);
  hone__arena_release(&bars->arena);
  free(bars);
}
