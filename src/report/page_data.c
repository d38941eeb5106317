/* The candidates of one run, or the rows of one file, as data of the page: its script draws and
 * filters them. Columns, with values of parameters as numbers in their lists: 50,000 candidates are
 * a few megabytes. */
#include "report/page_parts.h"

#include "base/text.h"
#include "spec/json_writer.h"

#include <math.h>
#include <stdlib.h>

enum { DIGITS = 6 };

/* What a candidate is, whether it works or not. */
struct candidate {
  const struct hone_result_row *row;         /* or NULL */
  const struct hone_result_failure *failure; /* or NULL */
  const struct hone_params *params;
  const struct hone__results_place *place;
  uint64_t number;
};

struct data {
  const struct hone__bars *bars;
  struct candidate *candidates;
  size_t count;
  struct hone__json_writer json;
};

/* ---- Candidates ---- */

static int by_number(const void *a, const void *b)
{
  const struct candidate *x = a, *y = b;

  return (x->number > y->number) - (x->number < y->number);
}

static void collect(struct data *data)
{
  const struct hone_results *results = data->bars->options->results[0];

  data->candidates =
      hone__alloc((results->row_count + results->failure_count + 1) * sizeof *data->candidates);
  for (size_t i = 0; i < results->row_count; i++) {
    const struct hone_result_row *row = &results->rows[i];
    data->candidates[data->count++] =
        (struct candidate){row, NULL, &row->params, &row->place, row->mesh_idx};
  }
  for (size_t i = 0; i < results->failure_count; i++) {
    const struct hone_result_failure *failure = &results->failures[i];
    data->candidates[data->count++] =
        (struct candidate){NULL, failure, &failure->params, &failure->place, failure->mesh_idx};
  }
  qsort(data->candidates, data->count, sizeof *data->candidates, by_number);
}

static const char *value_of(const struct candidate *candidate, const char *name)
{
  for (size_t i = 0; i < candidate->params->count; i++)
    if (strcmp(candidate->params->at[i].name, name) == 0) return candidate->params->at[i].value;
  return NULL;
}

/* ---- Parameters ---- */

struct use {
  const char *value;
  size_t candidate;
};

/* Numbers by their size, and before texts. */
static int compare_values(const char *a, const char *b)
{
  char *a_end, *b_end;
  double x = strtod(a, &a_end), y = strtod(b, &b_end);
  bool a_is = *a && !*a_end, b_is = *b && !*b_end;

  if (a_is != b_is) return a_is ? -1 : 1;
  if (a_is && x != y) return x < y ? -1 : 1;
  return strcmp(a, b);
}

static int by_value(const void *a, const void *b)
{
  return compare_values(((const struct use *)a)->value, ((const struct use *)b)->value);
}

static size_t list_uses(const struct data *data, const char *name, struct use *uses)
{
  size_t count = 0;

  for (size_t i = 0; i < data->count; i++) {
    const char *value = value_of(&data->candidates[i], name);
    if (value) uses[count++] = (struct use){value, i};
  }
  qsort(uses, count, sizeof *uses, by_value);
  return count;
}

/* {"name": "BM", "values": ["16", "32"], "of": [0, 1, 0]}; -1: the candidate has none. */
static void add_param(struct data *data, const char *name, struct use *uses, int *places)
{
  struct hone__json_writer *json = &data->json;
  size_t count = list_uses(data, name, uses);
  int place = -1;

  for (size_t i = 0; i < data->count; i++)
    places[i] = -1;
  hone__json_open(json, NULL, '{');
  hone__json_text(json, "name", name);
  hone__json_open(json, "values", '[');
  for (size_t i = 0; i < count; i++) {
    if (i == 0 || strcmp(uses[i].value, uses[i - 1].value) != 0) {
      hone__json_text(json, NULL, uses[i].value);
      place++;
    }
    places[uses[i].candidate] = place;
  }
  hone__json_close(json, ']');
  hone__json_open(json, "of", '[');
  for (size_t i = 0; i < data->count; i++)
    hone__json_digits(json, NULL, places[i], DIGITS);
  hone__json_close(json, ']');
  hone__json_close(json, '}');
}

static void add_params(struct data *data)
{
  const struct hone_result_names *names = data->bars->names;
  struct use *uses = hone__alloc((data->count + 1) * sizeof *uses);
  int *places = hone__alloc((data->count + 1) * sizeof *places);

  hone__json_open(&data->json, "params", '[');
  for (size_t i = 0; i < names->count; i++)
    add_param(data, names->at[i].name, uses, places);
  hone__json_close(&data->json, ']');
  free(places);
  free(uses);
}

/* ---- Columns ---- */

static double number_of(const struct candidate *candidate)
{
  return (double)candidate->number;
}

static double speedup_of(const struct candidate *candidate)
{
  return candidate->row ? candidate->row->measured.speedup : NAN;
}

static double low_of(const struct candidate *candidate)
{
  return candidate->row ? candidate->row->measured.low : NAN;
}

static double high_of(const struct candidate *candidate)
{
  return candidate->row ? candidate->row->measured.high : NAN;
}

static double made_of(const struct candidate *candidate)
{
  return candidate->place->made_s;
}

static double compile_of(const struct candidate *candidate)
{
  return candidate->place->compile_s;
}

/* As bits: the best, tied with it, the baseline, of the Pareto set, suspicious. */
static double marks_of(const struct candidate *candidate)
{
  const struct hone_result_row *row = candidate->row;

  if (!row) return 0;
  return row->measured.is_best + 2 * row->is_tied + 4 * row->measured.is_baseline +
         8 * row->is_pareto + 16 * (*row->suspicious != 0);
}

static const struct {
  const char *name;
  double (*of)(const struct candidate *candidate);
} columns[] = {{"number", number_of}, {"speedup", speedup_of}, {"low", low_of},
               {"high", high_of},     {"made", made_of},       {"compile", compile_of},
               {"marks", marks_of}};

static void add_columns(struct data *data)
{
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    hone__json_open(&data->json, columns[i].name, '[');
    for (size_t j = 0; j < data->count; j++)
      hone__json_digits(&data->json, NULL, columns[i].of(&data->candidates[j]), DIGITS);
    hone__json_close(&data->json, ']');
  }
}

static size_t metric_column(const struct hone__bars *bars)
{
  const struct hone_results *results = bars->options->results[0];
  size_t i = 0;

  while (i < results->column_count && strcmp(results->columns[i], bars->comparison->metric) != 0)
    i++;
  return i;
}

static void add_values(struct data *data)
{
  size_t column = metric_column(data->bars);

  hone__json_open(&data->json, "value", '[');
  for (size_t i = 0; i < data->count; i++) {
    const struct hone_result_row *row = data->candidates[i].row;
    double value = row && column < row->cell_count ? row->cells[column].number : NAN;
    hone__json_digits(&data->json, NULL, value * data->bars->scale, DIGITS);
  }
  hone__json_close(&data->json, ']');
}

/* ---- Words, each once ---- */

struct words {
  const char *at[64];
  size_t count;
};

static size_t place_word(struct words *words, const char *word)
{
  size_t i = 0;

  while (i < words->count && strcmp(words->at[i], word) != 0)
    i++;
  if (i == words->count && i < sizeof words->at / sizeof *words->at)
    words->at[words->count++] = word;
  return i;
}

static const char *outcome_of(const struct candidate *candidate)
{
  if (candidate->failure) return hone_outcome_name(candidate->failure->outcome);
  return hone_basis_name(candidate->row->measured.basis);
}

static const char *device_of(const struct candidate *candidate)
{
  return candidate->place->device;
}

static void add_words(struct data *data, const char *key, const char *list,
                      const char *(*of)(const struct candidate *candidate))
{
  struct words words = {.count = 0};

  hone__json_open(&data->json, key, '[');
  for (size_t i = 0; i < data->count; i++)
    hone__json_digits(&data->json, NULL, (double)place_word(&words, of(&data->candidates[i])),
                      DIGITS);
  hone__json_close(&data->json, ']');
  hone__json_open(&data->json, list, '[');
  for (size_t i = 0; i < words.count; i++)
    hone__json_text(&data->json, NULL, words.at[i]);
  hone__json_close(&data->json, ']');
}

/* ---- The program's own metrics ---- */

static void add_metrics(struct data *data)
{
  const struct hone_results *results = data->bars->options->results[0];

  hone__json_open(&data->json, "metrics", '[');
  for (size_t column = 0; column < results->column_count; column++) {
    const char *name = results->columns[column];
    if (column == metric_column(data->bars) || strcmp(name, "name") == 0) continue;
    hone__json_open(&data->json, NULL, '{');
    hone__json_text(&data->json, "name", name);
    hone__json_bool(&data->json, "maximise", results->maximise[column]);
    hone__json_open(&data->json, "of", '[');
    for (size_t i = 0; i < data->count; i++) {
      const struct hone_result_row *row = data->candidates[i].row;
      hone__json_digits(&data->json, NULL, row ? row->cells[column].number : NAN, DIGITS);
    }
    hone__json_close(&data->json, ']');
    hone__json_close(&data->json, '}');
  }
  hone__json_close(&data->json, ']');
}

/* ---- The verdict ---- */

static void add_numbers(struct hone__json_writer *json, const char *key, const double *numbers,
                        size_t count)
{
  hone__json_open(json, key, '[');
  for (size_t i = 0; i < count; i++)
    hone__json_digits(json, NULL, numbers[i], DIGITS);
  hone__json_close(json, ']');
}

static void add_verdict(struct data *data, const struct hone_report *report)
{
  const struct hone__report_pairs *pairs = &report->pairs;

  hone__json_text(&data->json, "verdict", hone_verdict_name(report->verdict));
  hone__json_text(&data->json, "state", hone_run_state_name(report->state));
  hone__json_real(&data->json, "speedup_low", report->low);
  hone__json_real(&data->json, "speedup_high", report->high);
  hone__json_real(&data->json, "speedup_value", report->speedup);
  add_numbers(&data->json, "pair_times", pairs->times_ns, pairs->count);
  add_numbers(&data->json, "pair_baseline", pairs->baseline_ns, pairs->count);
  hone__json_open(&data->json, "pair_process", '[');
  for (size_t i = 0; i < pairs->count; i++)
    hone__json_integer(&data->json, NULL, pairs->restarts[i]);
  hone__json_close(&data->json, ']');
}

/* ---- The whole ---- */

static void add_head(struct data *data)
{
  const struct hone__bars *bars = data->bars;
  const struct hone_report *report = bars->options->reports ? bars->options->reports[0] : NULL;

  hone__json_text(&data->json, "metric", bars->title);
  hone__json_text(&data->json, "unit", bars->unit);
  hone__json_bool(&data->json, "maximise", bars->comparison->maximise);
  hone__json_bool(&data->json, "is_time", bars->comparison->is_time);
  hone__json_bool(&data->json, "is_search", report && !report->is_sweep);
  if (report) hone__report_timeline_print(&report->timeline, &data->json);
  if (report) add_verdict(data, report);
}

/* In a script nothing but `<` could end it. */
static void add_script(struct hone__text *html, const char *json)
{
  hone__text_add(html, "<script type=\"application/json\" id=\"data\">");
  while (*json) {
    size_t length = strcspn(json, "<");
    hone__text_addn(html, json, length);
    json += length;
    if (*json == '<') hone__text_add(html, "\\u003c");
    json += *json == '<';
  }
  hone__text_add(html, "</script>\n");
}

void hone__page_data(struct hone__text *html, const struct hone__bars *bars)
{
  struct data data = {.bars = bars, .json = {.flat = 1}};

  if (bars->options->count != 1 || !bars->names->count) return;
  collect(&data);
  hone__json_open(&data.json, NULL, '{');
  add_head(&data);
  add_params(&data);
  add_columns(&data);
  add_values(&data);
  add_words(&data, "outcome", "outcomes", outcome_of);
  add_words(&data, "device", "devices", device_of);
  add_metrics(&data);
  hone__json_close(&data.json, '}');
  add_script(html, data.json.text.data);
  hone__text_release(&data.json.text);
  free(data.candidates);
}
