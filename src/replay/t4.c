/* T4, the results of the FAIR format: a list of measurements, each with its configuration, its
 * times and what was measured.
 *
 * What an evaluation cost is compiling, checking, the framework and all of its runs. T4 does not
 * say how long the timing itself took; of the same data as a cache of Kernel Tuner, which does, the
 * sum is 0.1 % less in the median and 0.3 % at most. The search's own time is left out, since
 * another one is replayed. */
#include "replay/recording_draft.h"

#include <math.h>

static const struct hone_outcome_word validities[] = {
    {"correct", HONE_OUTCOME_OK},
    {"timeout", HONE_OUTCOME_HANG},
    {"compile", HONE_OUTCOME_COMPILE_ERROR},
    {"runtime", HONE_OUTCOME_LAUNCH_FAILURE},
    {"correctness", HONE_OUTCOME_WRONG_RESULT},
    {"constraints", HONE_OUTCOME_INVALID},
};

static hone_status read_head(struct hone_draft *draft, const struct hone_json_text *text,
                             const struct hone_json_members *members,
                             struct hone_recording_head *head)
{
  json_t *metadata;
  hone_status status = hone__json_member(text, members, "metadata", &metadata);
  const char *unit = json_string_value(json_object_get(metadata, "timeunit"));

  (void)draft;
  if (unit) {
    head->unit_ms = hone__unit_ms(unit);
    if (head->unit_ms == 0)
      status = hone__error(HONE_INVALID_SPEC, "%s: 'timeunit' is '%.40s', which is no unit of time",
                           text->path, unit);
  }
  json_decref(metadata);
  return status;
}

/* The measurement that the search went for, or NULL. */
static const json_t *objective_of(const json_t *result)
{
  const json_t *measurements = json_object_get(result, "measurements");
  const char *wanted = json_string_value(json_array_get(json_object_get(result, "objectives"), 0));

  for (size_t i = 0; i < json_array_size(measurements); i++) {
    const json_t *measurement = json_array_get(measurements, i);
    const char *name = json_string_value(json_object_get(measurement, "name"));
    if (name && strcmp(name, wanted ? wanted : "time") == 0) return measurement;
  }
  return NULL;
}

/* Of the file, else of the objective, else ms. */
static double unit_of(const struct hone_recording_head *head, const json_t *objective)
{
  const char *unit = json_string_value(json_object_get(objective, "unit"));
  double unit_ms = head->unit_ms ? head->unit_ms : unit ? hone__unit_ms(unit) : 0;

  return unit_ms ? unit_ms : 1;
}

/* By its unit, or by its name where it has none. */
static double objective_unit(const json_t *objective, double unit_ms)
{
  const char *unit = json_string_value(json_object_get(objective, "unit"));
  const char *name = json_string_value(json_object_get(objective, "name"));

  if (unit && *unit) return hone__unit_ms(unit);
  return name && (strcasestr(name, "time") || strcasestr(name, "duration")) ? unit_ms : 0;
}

/* The objective where it is a time, else the mean of the runs. */
static double time_of(const json_t *objective, const json_t *runs, double unit_ms)
{
  const json_t *value = json_object_get(objective, "value");
  double own_ms = objective_unit(objective, unit_ms), sum = 0;
  size_t count = 0;

  if (json_is_number(value) && own_ms) return json_number_value(value) * own_ms;
  for (size_t i = 0; i < json_array_size(runs); i++) {
    const json_t *run = json_array_get(runs, i);
    sum += json_number_value(run);
    count += json_is_number(run);
  }
  return count ? sum / (double)count * unit_ms : NAN;
}

static double cost_of(const json_t *times, double unit_ms)
{
  static const char *const parts[] = {"compilation", "compilation_time", "framework", "validation"};
  const json_t *runs = json_object_get(times, "runtimes");
  double sum = 0;

  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    sum += hone__json_number(times, parts[i]);
  for (size_t i = 0; i < json_array_size(runs); i++)
    sum += json_number_value(json_array_get(runs, i));
  return sum * unit_ms / 1e3;
}

static enum hone_outcome outcome_of(const json_t *result)
{
  const char *word = json_string_value(json_object_get(result, "invalidity"));

  return hone__outcome_of_word(validities, sizeof validities / sizeof *validities, word);
}

static hone_status read_result(struct hone_draft *draft, struct hone_recording_head *head,
                               const struct hone_json_span *span, const json_t *result)
{
  const json_t *times = json_object_get(result, "times"), *objective = objective_of(result);
  const json_t *runs = json_object_get(times, "runtimes");
  double unit_ms = unit_of(head, objective);
  struct hone_recorded recorded = {
      .time_ms = NAN, .cost_s = cost_of(times, unit_ms), .outcome = outcome_of(result)};
  uint32_t *row;
  hone_status status = hone__draft_row(draft, json_object_get(result, "configuration"), &row);

  (void)span;
  if (status) return status;
  if (recorded.outcome == HONE_OUTCOME_OK)
    hone__draft_time(time_of(objective, runs, unit_ms), &recorded);
  hone__draft_samples(draft, runs, unit_ms, &recorded);
  return hone__draft_push(draft, row, &recorded);
}

const struct hone_recording_format hone__format_t4 = {
    .name = "T4",
    .key = "results",
    .bracket = '[',
    .head = read_head,
    .element = read_result,
};
