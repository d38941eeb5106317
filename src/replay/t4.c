/* T4, the results of the FAIR format: a list of measurements, each with its configuration, its
 * times and what was measured.
 *
 * What an evaluation cost is compiling, checking, the framework and all of its runs. T4 does not
 * say how long the timing itself took; of the same data as a cache of Kernel Tuner, which does, the
 * sum is 0.1 % less in the median and 0.3 % at most. The search's own time is left out, since
 * another one is replayed. In the metadata `name`, of the kernel, and `configurations` are Hone's
 * own: how many the space has of which these were measured. */
#include "replay/t4.h"
#include "replay/recording_draft.h"

#include <math.h>

/* Both ways: of several outcomes with the same word the first is what the word is read as. */
static const struct hone__recording_word validities[] = {
    {"correct", HONE_OUTCOME_OK},
    {"correct", HONE_OUTCOME_SLOW},
    {"timeout", HONE_OUTCOME_HANG},
    {"compile", HONE_OUTCOME_COMPILE_ERROR},
    {"compile", HONE_OUTCOME_COMPILE_TIMEOUT},
    {"compile", HONE_OUTCOME_COMPILE_CRASH},
    {"compile", HONE_OUTCOME_COMPILE_OOM},
    {"compile", HONE_OUTCOME_NOT_APPLIED},
    {"runtime", HONE_OUTCOME_LAUNCH_FAILURE},
    {"runtime", HONE_OUTCOME_DEVICE_FAULT},
    {"runtime", HONE_OUTCOME_NO_RESULT},
    {"runtime", HONE_OUTCOME_BAD_RESULT},
    {"runtime", HONE_OUTCOME_OOM_DEVICE},
    {"runtime", HONE_OUTCOME_OOM_HOST},
    {"runtime", HONE_OUTCOME_CRASH},
    {"runtime", HONE_OUTCOME_PROTOCOL},
    {"correctness", HONE_OUTCOME_WRONG_RESULT},
    {"correctness", HONE_OUTCOME_NONDETERMINISTIC},
    {"constraints", HONE_OUTCOME_INVALID},
};

const char *hone__t4_validity(enum hone_outcome outcome)
{
  for (size_t i = 0; i < sizeof validities / sizeof *validities; i++)
    if (validities[i].outcome == outcome) return validities[i].word;
  return NULL;
}

/* A number, or as a text one that is larger than JSON's; else NULL. */
static const char *count_of(struct hone__arena *arena, const json_t *json)
{
  const char *text = json_string_value(json);

  if (json_is_integer(json))
    return hone__arena_printf(arena, "%lld", (long long)json_integer_value(json));
  if (!text || !*text || text[strspn(text, "0123456789")]) return NULL;
  return hone__arena_strdup(arena, text);
}

static hone_status read_head(struct hone__draft *draft, const struct hone__replay_json_text *text,
                             const struct hone__replay_json_members *members,
                             struct hone__recording_head *head)
{
  json_t *metadata;
  hone_status status = hone__replay_json_member(text, members, "metadata", &metadata);
  const char *name = json_string_value(json_object_get(metadata, "name"));

  if (name && *name) head->kernel = hone__arena_strdup(draft->arena, name);
  head->space_count = count_of(draft->arena, json_object_get(metadata, "configurations"));
  if (!status) status = hone__unit_read(text->path, metadata, "timeunit", &head->unit_ms);
  json_decref(metadata);
  return status;
}

static const json_t *find_measurement(const json_t *result, const char *wanted)
{
  const json_t *measurements = json_object_get(result, "measurements");

  for (size_t i = 0; i < json_array_size(measurements); i++) {
    const json_t *measurement = json_array_get(measurements, i);
    const char *name = json_string_value(json_object_get(measurement, "name"));
    if (name && strcmp(name, wanted) == 0) return measurement;
  }
  return NULL;
}

/* The measurement that the search went for, or NULL. */
static const json_t *objective_of(const json_t *result)
{
  const char *wanted = json_string_value(json_array_get(json_object_get(result, "objectives"), 0));

  return find_measurement(result, wanted ? wanted : "time");
}

/* Of the file, else of the objective, else ms. */
static double unit_of(const struct hone__recording_head *head, const json_t *objective)
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

/* NaN: it is not a time. */
static double measured_ms(const json_t *measurement, double unit_ms)
{
  const json_t *value = json_object_get(measurement, "value");
  double own_ms = objective_unit(measurement, unit_ms);

  return json_is_number(value) && own_ms ? json_number_value(value) * own_ms : NAN;
}

static double mean_ms(const json_t *runs, double unit_ms)
{
  double sum = 0;
  size_t count = 0;

  for (size_t i = 0; i < json_array_size(runs); i++) {
    const json_t *run = json_array_get(runs, i);
    sum += json_number_value(run);
    count += json_is_number(run);
  }
  return count ? sum / (double)count * unit_ms : NAN;
}

/* The objective where it is a time, else the mean of the runs, else what is called time. */
static double time_of(const json_t *result, const json_t *objective, const json_t *runs,
                      double unit_ms)
{
  double time_ms = measured_ms(objective, unit_ms);

  if (isnan(time_ms)) time_ms = mean_ms(runs, unit_ms);
  return isnan(time_ms) ? measured_ms(find_measurement(result, "time"), unit_ms) : time_ms;
}

static double cost_of(const json_t *times, double unit_ms)
{
  static const char *const parts[] = {"compilation", "compilation_time", "framework", "validation"};
  const json_t *runs = json_object_get(times, "runtimes");
  double sum = 0;

  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    sum += hone__replay_json_number(times, parts[i]);
  for (size_t i = 0; i < json_array_size(runs); i++)
    sum += json_number_value(json_array_get(runs, i));
  return sum * unit_ms / 1e3;
}

static enum hone_outcome outcome_of(const json_t *result)
{
  const char *word = json_string_value(json_object_get(result, "invalidity"));

  return hone__replay_outcome_of_word(validities, sizeof validities / sizeof *validities, word);
}

static hone_status read_result(struct hone__draft *draft, struct hone__recording_head *head,
                               const struct hone__replay_json_span *span, const json_t *result)
{
  const json_t *times = json_object_get(result, "times"), *objective = objective_of(result);
  const json_t *runs = json_object_get(times, "runtimes");
  double unit_ms = unit_of(head, objective);
  struct hone__recorded recorded = {
      .time_ms = NAN, .cost_s = cost_of(times, unit_ms), .outcome = outcome_of(result)};
  uint32_t *row;
  hone_status status = hone__draft_row(draft, json_object_get(result, "configuration"), &row);

  (void)span;
  if (status) return status;
  if (recorded.outcome == HONE_OUTCOME_OK)
    hone__draft_time(time_of(result, objective, runs, unit_ms), &recorded);
  hone__draft_samples(draft, runs, unit_ms, &recorded);
  return hone__draft_push(draft, row, &recorded);
}

const struct hone__recording_format hone__format_t4 = {
    .id = HONE_RECORDING_T4,
    .key = "results",
    .bracket = '[',
    .head = read_head,
    .element = read_result,
};
