/* A sample is the mean of some calls, and all but one of these are `framework`. */
#include "export/t4_result.h"

#include "export/evaluation_times.h"
#include "replay/t4.h"
#include "results/results.h"
#include "spec/spec_text.h"

#include <jansson.h>
#include <math.h>

enum { DIGITS = 12 }; /* of a time */

/* ---- The configuration ---- */

static const char *value_of(const struct hone__spec_param *params, size_t count, size_t place,
                            const char *name)
{
  if (place < count && strcmp(params[place].name, name) == 0) return params[place].value;
  for (size_t i = 0; i < count; i++)
    if (strcmp(params[i].name, name) == 0) return params[i].value;
  return "None"; /* another alternative's */
}

static void add_configuration(struct hone__json_writer *writer, const struct hone__words *names,
                              const char *config)
{
  struct hone__arena arena = {0};
  size_t count;
  const struct hone__spec_param *params = hone__config_params(&arena, config, &count);

  hone__json_open(writer, "configuration", '{');
  for (size_t i = 0; i < names->count; i++)
    hone__json_word(writer, names->data[i], value_of(params, count, i, names->data[i]));
  hone__json_close(writer, '}');
  hone__arena_release(&arena);
}

/* ---- Times ---- */

static void add_ms(struct hone__json_writer *writer, const char *key, double ms)
{
  hone__json_digits(writer, key, ms > 0 ? ms : 0, DIGITS);
}

static void add_times(struct hone__json_writer *writer,
                      const struct hone__export_evaluation_times *times)
{
  hone__json_open(writer, "times", '{');
  add_ms(writer, "compilation_time", times->compile_s * 1e3);
  add_ms(writer, "framework", times->calls_ns * 1e-6);
  add_ms(writer, "search_algorithm", 0);
  add_ms(writer, "validation", times->cold_ns * 1e-6);
  hone__json_open(writer, "runtimes", '[');
  for (size_t i = 0; i < times->count; i++)
    add_ms(writer, NULL, times->screen_ns[i] * 1e-6);
  hone__json_close(writer, ']');
  hone__json_close(writer, '}');
}

/* ---- Measurements ---- */

static void add_metric(struct hone__json_writer *writer, const json_t *metrics, const char *name,
                       double value)
{
  bool is_energy = strcmp(name, "energy_j") == 0 && !json_object_get(metrics, "energy");

  hone__json_open(writer, NULL, '{');
  hone__json_text(writer, "name", is_energy ? "energy" : name);
  hone__json_digits(writer, "value", value, DIGITS);
  hone__json_text(writer, "unit", is_energy ? "J" : "");
  hone__json_close(writer, '}');
}

static void add_metrics(struct hone__json_writer *writer, const char *text)
{
  json_t *metrics = text ? json_loads(text, 0, NULL) : NULL, *value;
  const char *name;

  json_object_foreach(metrics, name, value)
  {
    if (json_is_number(value)) add_metric(writer, metrics, name, json_number_value(value));
  }
  json_decref(metrics);
}

/* The outcome, where there is no time, in Hone's words. */
static void add_measurements(struct hone__json_writer *writer,
                             const struct hone__evaluation *evaluation)
{
  bool works = hone__outcome_works(evaluation->outcome);

  hone__json_open(writer, "measurements", '[');
  hone__json_open(writer, NULL, '{');
  hone__json_text(writer, "name", "time");
  if (works)
    hone__json_digits(writer, "value", evaluation->time_ns * 1e-6, DIGITS);
  else
    hone__json_text(writer, "value", hone_outcome_name(evaluation->outcome));
  hone__json_text(writer, "unit", works ? "milliseconds" : "");
  hone__json_close(writer, '}');
  if (works) add_metrics(writer, evaluation->metrics);
  hone__json_close(writer, ']');
}

static void add_objectives(struct hone__json_writer *writer, const struct hone__words *objectives)
{
  hone__json_open(writer, "objectives", '[');
  for (size_t i = 0; i < objectives->count; i++)
    hone__json_text(writer, NULL, objectives->data[i]);
  hone__json_close(writer, ']');
}

/* ---- The result ---- */

/* The store has UTC, and does not say so. */
static void add_timestamp(struct hone__json_writer *writer, const char *made)
{
  struct hone__text text = {0};

  if (!made) return;
  hone__text_addf(&text, "%s+00:00", made);
  hone__json_text(writer, "timestamp", text.data);
  hone__text_release(&text);
}

hone_status hone__export_t4_result(struct hone_store *store,
                                   const struct hone__export_t4_head *head,
                                   const struct hone__stored *stored,
                                   struct hone__json_writer *writer)
{
  const struct hone__evaluation *evaluation = &stored->evaluation;
  struct hone__export_evaluation_times times;
  hone_status status = hone__export_evaluation_times_load(store, evaluation, &times);

  if (!status) {
    hone__json_open(writer, NULL, '{');
    add_timestamp(writer, stored->made);
    add_configuration(writer, head->names, evaluation->config);
    add_times(writer, &times);
    hone__json_text(writer, "invalidity", hone__t4_validity(evaluation->outcome));
    hone__json_integer(writer, "correctness", hone__outcome_works(evaluation->outcome));
    add_measurements(writer, evaluation);
    add_objectives(writer, head->objectives);
    hone__json_close(writer, '}');
  }
  hone__export_evaluation_times_release(&times);
  return status;
}
