/* Metrics are stored as {"GFLOP/s": 12.3} with each evaluation; a table needs columns. */
#include "report/report_internal.h"

#include "base/number.h"
#include "base/pareto.h"

#include <math.h>
#include <stdlib.h>

static size_t find_name(const struct hone_report *report, const char *name)
{
  size_t i = 0;

  while (i < report->metric_count && strcmp(report->metric_names[i], name) != 0)
    i++;
  return i;
}

static void add_names(struct hone__report_full *full, json_t *metrics, size_t *capacity)
{
  struct hone_report *report = &full->report;
  const char *name;
  json_t *value;

  json_object_foreach(metrics, name, value)
  {
    if (find_name(report, name) < report->metric_count) continue;
    HONE__GROW(report->metric_names, report->metric_count, *capacity);
    report->metric_names[report->metric_count++] = hone__arena_strdup(&full->arena, name);
  }
}

/* Four digits that count: 12.34, 123.4, 1.234e-05. */
static const char *print_number(struct hone__arena *arena, double value)
{
  double size = fabs(value);
  char text[64];

  if (!isfinite(value)) return "";
  if (size != 0 && (size < 1e-3 || size >= 1e9))
    hone__print_real(text, sizeof text, 'e', 3, value);
  else
    hone__print_real(text, sizeof text, 'f', size < 10 ? 3 : size < 100 ? 2 : size < 1000, value);
  return hone__arena_strdup(arena, text);
}

static const char *print_value(struct hone__arena *arena, const json_t *value)
{
  if (json_is_number(value)) return print_number(arena, json_number_value(value));
  if (json_is_string(value)) return hone__arena_strdup(arena, json_string_value(value));
  return "";
}

static void *move_to_arena(struct hone__arena *arena, void *from, size_t size)
{
  void *copy = hone__arena_alloc(arena, size);

  if (size) memcpy(copy, from, size);
  free(from);
  return copy;
}

void hone__report_metrics(struct hone__report_full *full, struct hone__report_line *lines,
                          size_t count)
{
  struct hone_report *report = &full->report;
  size_t capacity = 0;

  for (size_t i = 0; i < count; i++)
    add_names(full, lines[i].metrics, &capacity);
  report->metric_names = move_to_arena(&full->arena, report->metric_names,
                                       report->metric_count * sizeof *report->metric_names);
  for (size_t i = 0; i < count; i++) {
    const char **values =
        hone__arena_alloc(&full->arena, (report->metric_count + 1) * sizeof *values);
    for (size_t m = 0; m < report->metric_count; m++)
      values[m] =
          print_value(&full->arena, json_object_get(lines[i].metrics, report->metric_names[m]));
    lines[i].row.metric_values = values;
    lines[i].row.metric_count = report->metric_count;
  }
}

/* ---- What the verdict is about ---- */

void hone__report_aim(struct hone__report_full *full)
{
  const char *text = full->run.record.options;
  json_t *options = text ? json_loads(text, 0, NULL) : NULL;
  const json_t *aim = json_object_get(options, "aim");
  const char *metric = json_string_value(json_object_get(aim, "metric"));

  full->aim = metric ? hone__arena_strdup(&full->arena, metric) : NULL;
  full->maximise = json_is_true(json_object_get(aim, "maximise"));
  json_decref(options);
}

/* Less is better. */
static double cost_of(const struct hone__report_full *full, const struct hone__report_line *line)
{
  const json_t *value = json_object_get(line->metrics, full->aim);
  double number = json_is_number(value) ? json_number_value(value) : NAN;

  return full->maximise ? -number : number;
}

/* That of the same device; NULL: it is not here. */
static const struct hone__report_line *baseline_of(const struct hone__report_line *line,
                                                   const struct hone__report_line *lines,
                                                   size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (lines[i].row.is_baseline && strcmp(lines[i].row.device, line->row.device) == 0)
      return &lines[i];
  return NULL;
}

void hone__report_weigh(const struct hone__report_full *full, struct hone__report_line *lines,
                        size_t count)
{
  for (size_t i = 0; full->aim && i < count; i++) {
    struct hone_report_row *row = &lines[i].row;
    const struct hone__report_line *baseline = baseline_of(&lines[i], lines, count);
    double own = cost_of(full, &lines[i]), other = baseline ? cost_of(full, baseline) : NAN;

    if (row->is_baseline) continue;
    row->screen_speedup = isnan(own) || isnan(other) ? NAN : 1 / hone__cost_ratio(own, other);
    if (row->confirmed)
      row->screen_speedup = NAN; /* its metrics are those of the confirmation by now */
    else
      row->speedup = row->screen_speedup;
  }
}
