/* A run as JSON: what the report says, then every evaluation with its raw samples. What there is
 * not is null. Texts of candidates and compilers may not be UTF-8: bad bytes become U+FFFD. */
#include "report/report_internal.h"

#include "base/text.h"
#include "report/config_json.h"
#include "stats/statistics.h"

#include <math.h>
#include <stdlib.h>

enum { SCHEMA_VERSION = 1 };

/* ---- Values ---- */

static json_t *real(double value)
{
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *integer(uint64_t value)
{
  return json_integer((json_int_t)value);
}

/* jansson's integers have a sign. */
static json_t *seed_value(uint64_t seed)
{
  return seed <= INT64_MAX ? integer(seed) : json_sprintf("%llu", (unsigned long long)seed);
}

/* The length of the UTF-8 character at `p`, 0 if jansson does not take it. */
static size_t character_length(const char *p)
{
  for (size_t length = 1; length <= 4 && p[length - 1]; length++) {
    json_t *value = json_stringn(p, length);
    json_decref(value);
    if (value) return length;
  }
  return 0;
}

static json_t *repaired(const char *text)
{
  struct hone__text good = {0};
  json_t *value;

  while (*text) {
    size_t length = character_length(text);
    if (length)
      hone__text_addn(&good, text, length);
    else
      hone__text_add(&good, "\xef\xbf\xbd");
    text += length ? length : 1;
  }
  value = json_string(good.data);
  hone__text_release(&good);
  return value;
}

static json_t *string(const char *text)
{
  json_t *value = text && *text ? json_string(text) : json_null();

  return value ? value : repaired(text);
}

/* A text that is JSON itself, or what it is. */
static json_t *parsed(const char *text)
{
  json_t *value = text && *text ? json_loads(text, JSON_DECODE_ANY, NULL) : NULL;

  return value ? value : string(text);
}

static json_t *params(const char *config)
{
  return config && *config ? hone__report_config_json(config) : json_null();
}

static json_t *reals(const double *values, size_t count)
{
  json_t *list;

  if (!values) return json_null();
  list = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, real(values[i]));
  return list;
}

static void set(json_t *object, const char *name, json_t *value)
{
  if (json_object_set_new(object, name, value) != 0) HONE__BUG("a report is not valid JSON");
}

/* ---- Evaluations ---- */

static void add_samples(void *data, const struct hone__samples *samples)
{
  json_t *object = json_object();

  set(object, "phase", string(hone__phase_name(samples->phase)));
  set(object, "restart", json_integer(samples->restart));
  set(object, "times_ns", reals(samples->times_ns, samples->count));
  set(object, "baseline_ns", reals(samples->baseline_ns, samples->count));
  set(object, "facts", parsed(samples->facts));
  json_array_append_new(data, object);
}

/* What a build takes (registers, shared memory), the texts of the spec for it, and the shares of a
 * pipeline's stages. */
static void set_built(json_t *object, const struct hone__evaluation *evaluation)
{
  static const char *const names[] = {"costs", "texts", "stages"};
  json_t *output = parsed(evaluation->output);

  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    json_t *value = json_object_get(output, names[i]);
    set(object, names[i], value ? json_incref(value) : json_null());
  }
  json_decref(output);
}

static void set_build(json_t *object, const struct hone__evaluation *evaluation)
{
  set(object, "candidate_key", string(evaluation->candidate_key));
  set(object, "measure_key", string(evaluation->measure_key));
  set(object, "object", string(evaluation->object));
  set(object, "compile_s", real(evaluation->compile_s));
  set(object, "cached", json_boolean(evaluation->cached));
  set(object, "warnings", string(evaluation->warnings));
  set_built(object, evaluation);
}

static void set_measurement(json_t *object, const struct hone__evaluation *evaluation)
{
  set(object, "time_ns", real(evaluation->time_ns));
  set(object, "baseline_ns", real(evaluation->baseline_ns));
  set(object, "cold_ns", real(evaluation->cold_ns));
  set(object, "cap_ns", real(evaluation->cap_ns));
  set(object, "metrics", parsed(evaluation->metrics));
  set(object, "same_as", evaluation->same_as ? json_integer(evaluation->same_as) : json_null());
  set(object, "reused_from",
      evaluation->reused_from ? json_integer(evaluation->reused_from) : json_null());
}

static json_t *confirmation(const struct hone__stored *stored)
{
  json_t *object;

  if (!stored->confirmed) return json_null();
  object = json_object();
  set(object, "verdict", string(hone_verdict_name(stored->verdict)));
  set(object, "speedup", real(stored->speedup));
  set(object, "low", real(hone__covering_bound(stored->low, stored->restarts)));
  set(object, "high", real(hone__covering_bound(stored->high, stored->restarts)));
  set(object, "pairs", json_integer(stored->pairs));
  set(object, "restarts", json_integer(stored->restarts));
  set(object, "time_ns", real(stored->time_ns));
  set(object, "baseline_ns", real(stored->baseline_ns));
  return object;
}

/* Evaluations become text one by one: as values, thousands would take a hundred megabytes. */
struct writer {
  struct hone_store *store;
  struct hone__text text;
  size_t count;
  hone_status status;
};

static hone_status add_json(struct hone__text *text, json_t *object)
{
  char *dumped = json_dumps(object, 0);

  json_decref(object);
  if (!dumped) return hone__error(HONE_EXHAUSTED, "a run is too large for JSON in memory");
  hone__text_add(text, dumped);
  free(dumped);
  return NULL;
}

static bool add_evaluation(void *data, const struct hone__stored *stored)
{
  const struct hone__evaluation *evaluation = &stored->evaluation;
  struct writer *writer = data;
  json_t *object = json_object(), *samples = json_array();

  set(object, "id", json_integer(evaluation->id));
  set(object, "config", string(evaluation->config));
  set(object, "params", params(evaluation->config));
  set(object, "is_baseline", json_boolean(evaluation->is_baseline));
  set(object, "device", string(evaluation->device));
  set(object, "outcome", string(hone_outcome_name(evaluation->outcome)));
  set(object, "evidence", string(evaluation->evidence));
  set(object, "suspicious", string(evaluation->suspicious));
  set(object, "command", string(evaluation->command));
  set(object, "tries", json_integer(evaluation->tries));
  set(object, "asked", evaluation->asked > 0 ? json_integer(evaluation->asked) : json_null());
  set(object, "made", string(stored->made));
  set_build(object, evaluation);
  set_measurement(object, evaluation);
  set(object, "confirmation", confirmation(stored));
  writer->status = hone__store_samples(writer->store, evaluation->id, add_samples, samples);
  set(object, "samples", samples);
  if (writer->count++) hone__text_add(&writer->text, ",\n");
  if (writer->status)
    json_decref(object);
  else
    writer->status = add_json(&writer->text, object);
  return !writer->status;
}

/* ---- The report ---- */

static json_t *counts(const struct hone_report *report)
{
  json_t *object = json_object();

  set(object, "evaluations", integer(report->evaluations));
  set(object, "ok", integer(report->ok));
  set(object, "slow", integer(report->slow));
  set(object, "failed", integer(report->failed));
  set(object, "reused", integer(report->reused));
  set(object, "same_object", integer(report->same_object));
  set(object, "compiled", integer(report->compiled));
  set(object, "cached", integer(report->cached));
  return object;
}

static json_t *failures(const struct hone_report *report)
{
  json_t *list = json_array();

  for (size_t i = 0; i < report->failure_count; i++) {
    const struct hone_report_failure *failure = &report->failures[i];
    json_t *object = json_object();
    set(object, "outcome", string(hone_outcome_name(failure->outcome)));
    set(object, "text", string(failure->text));
    set(object, "count", integer(failure->count));
    set(object, "config", string(failure->config));
    set(object, "params", params(failure->config));
    set(object, "evidence", string(failure->evidence));
    set(object, "command", string(failure->command));
    json_array_append_new(list, object);
  }
  return list;
}

static json_t *objectives(const struct hone_pareto *pareto)
{
  json_t *list = json_array();

  for (size_t i = 0; i < pareto->objective_count; i++) {
    json_t *object = json_object();
    set(object, "name", string(pareto->objectives[i].name));
    set(object, "unit", string(hone_unit_name(pareto->objectives[i].unit)));
    set(object, "maximise", json_boolean(pareto->objectives[i].maximise));
    json_array_append_new(list, object);
  }
  return list;
}

static json_t *pareto_set(const struct hone_pareto *pareto)
{
  json_t *object = json_object(), *members = json_array();

  for (size_t i = 0; i < pareto->member_count; i++) {
    const struct hone_pareto_point *point = &pareto->points[i];
    json_t *member = json_object();
    set(member, "id", json_integer(point->id));
    set(member, "config", string(point->config));
    set(member, "params", params(point->config));
    set(member, "is_baseline", json_boolean(point->is_baseline));
    set(member, "confirmed", json_boolean(point->confirmed));
    set(member, "values", reals(point->values, pareto->objective_count));
    set(member, "ratios", reals(point->ratios, pareto->objective_count));
    set(member, "command", string(point->command));
    json_array_append_new(members, member);
  }
  set(object, "objectives", objectives(pareto));
  set(object, "configurations", integer(pareto->point_count));
  set(object, "members", members);
  return object;
}

static json_t *strings(const char *const *texts, size_t count)
{
  json_t *list = json_array();

  for (size_t i = 0; i < count; i++)
    json_array_append_new(list, string(texts[i]));
  return list;
}

static void set_run(json_t *object, const struct hone__store_run_stored *run)
{
  const struct hone__store_run_record *record = &run->record;

  set(object, "run", json_integer(record->id));
  set(object, "key", string(record->key));
  set(object, "name", string(record->name));
  set(object, "problem", string(record->problem));
  set(object, "spec", string(record->spec));
  set(object, "command", string(record->command));
  set(object, "options", parsed(record->options));
  set(object, "environment", parsed(record->environment));
  set(object, "fingerprint", string(record->fingerprint));
  set(object, "space", string(record->space));
  set(object, "part", string(record->part));
  set(object, "strategy", string(record->strategy));
  set(object, "seed", seed_value(record->seed));
  set(object, "checked", json_boolean(record->checked));
  set(object, "answers", string(record->answers));
  set(object, "state", string(hone_run_state_name(run->result.state)));
  set(object, "started", string(run->started));
  set(object, "ended", string(run->ended));
}

static void set_result(json_t *object, const struct hone__store_run_result *result)
{
  set(object, "verdict", string(hone_verdict_name(result->verdict)));
  set(object, "why", string(result->why));
  set(object, "baseline", string(result->baseline));
  set(object, "winner", string(result->winner));
  set(object, "baseline_params", params(result->baseline));
  set(object, "winner_params", params(result->winner));
  set(object, "speedup", real(result->speedup));
  set(object, "low", real(result->low));
  set(object, "high", real(result->high));
  set(object, "confidence", real(result->confidence));
  set(object, "pairs", json_integer(result->pairs));
  set(object, "restarts", json_integer(result->restarts));
  set(object, "drift", real(result->drift));
  set(object, "wall_s", real(result->wall_s));
  set(object, "screening", parsed(result->screening));
  set(object, "two_groups", parsed(result->two_groups));
  set(object, "devices", parsed(result->devices));
}

static json_t *whole(const struct hone__report_full *full)
{
  const struct hone_report *report = &full->report;
  json_t *object = json_object();

  set(object, "schema_version", json_integer(SCHEMA_VERSION));
  set(object, "hone", string(hone_version()));
  set_run(object, &full->run);
  set_result(object, &full->run.result);
  set(object, "sentence", string(report->sentence));
  set(object, "counts", counts(report));
  set(object, "pareto", report->pareto ? pareto_set(report->pareto) : json_null());
  set(object, "failures", failures(report));
  set(object, "notes", strings(report->notes, report->note_count));
  set(object, "log", strings(report->log, report->log_count));
  return object;
}

hone_status hone_report_json(struct hone_store *store, int64_t run, char **out_json)
{
  struct writer writer = {.store = store};
  struct hone_report *report = NULL;
  hone_status status;

  *out_json = NULL;
  status = hone_report_load(store, run, &report);
  if (status) goto done;
  status = add_json(&writer.text, whole((const struct hone__report_full *)report));
  if (status) goto done;
  writer.text.length--; /* its bracket comes last */
  hone__text_add(&writer.text, ", \"evaluations\": [");
  status = hone__store_each(store, report->run, add_evaluation, &writer);
  if (!status) status = writer.status;
  if (status) goto done;
  hone__text_add(&writer.text, "]}");
  *out_json = hone__text_take(&writer.text);
done:
  hone__text_release(&writer.text);
  hone_report_free(report);
  return status;
}
