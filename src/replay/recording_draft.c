/* Parameters, values and rows as they come out of a file. A value is known by its index from the
 * start; the order of values that nobody gave is settled when all have been seen. */
#include "replay/recording_draft.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <strings.h>

enum { MOST_PARAMS = 1000, MOST_NUMBERS = 1 << 28 }; /* numbers of all rows */
#define FAILED_MS 1e19 /* from there on a number stands for a failure */

void hone__draft_release(struct hone__draft *draft)
{
  for (size_t i = 0; i < draft->param_count; i++)
    hone__values_release(&draft->params[i].values);
  hone_space_free(draft->described);
  hone_spec_free(draft->described_spec);
  free(draft->params);
  free(draft->rows);
  free(draft->at);
  free(draft->row);
}

bool hone__draft_find(const struct hone__draft *draft, const char *name, size_t *out_param)
{
  for (size_t i = 0; i < draft->param_count; i++) {
    *out_param = i;
    if (strcmp(draft->params[i].name, name) == 0) return true;
  }
  return false;
}

static const char *without_dollar(const char *name)
{
  return name + (name[0] == '$');
}

/* `X` and `$X` are one parameter of a spec. */
static bool has_name(const struct hone__draft *draft, const char *name)
{
  for (size_t i = 0; i < draft->param_count; i++)
    if (strcmp(without_dollar(draft->params[i].name), without_dollar(name)) == 0) return true;
  return false;
}

hone_status hone__draft_name(struct hone__draft *draft, const char *name, size_t *out_param)
{
  bool found = hone__draft_find(draft, name, out_param);

  if (found && draft->described_by) return NULL;
  if (draft->described_by)
    return hone__error(HONE_INVALID_SPEC, "'%s' does not have the parameter '%s'",
                       draft->described_by, name);
  if (has_name(draft, name))
    return hone__error(HONE_INVALID_SPEC, "duplicate parameter '%s'", name);
  if (draft->param_count == MOST_PARAMS)
    return hone__error(HONE_EXHAUSTED, "more than %d parameters", MOST_PARAMS);
  HONE__GROW(draft->params, draft->param_count, draft->param_capacity);
  *out_param = draft->param_count++;
  draft->params[*out_param] =
      (struct hone__draft_param){.name = hone__arena_strdup(draft->arena, name)};
  return NULL;
}

hone_status hone__draft_value(struct hone__draft *draft, size_t param, struct hone_value value,
                              uint32_t *out_index)
{
  struct hone__draft_param *p = &draft->params[param];
  struct hone__text text = {0};
  hone_status status;

  if (hone__values_find(&p->values, value, out_index)) return NULL;
  if (draft->described_by) {
    hone__value_repr(value, &text);
    status = hone__error(HONE_INVALID_SPEC, "'%s' does not have the value %.80s of '%s'",
                         draft->described_by, text.data, p->name);
    hone__text_release(&text);
    return status;
  }
  if (value.type == HONE_TEXT) value.text = hone__arena_strdup(draft->arena, value.text);
  *out_index = (uint32_t)p->values.count;
  if (hone__values_add(&p->values, value)) return NULL;
  return hone__error(HONE_EXHAUSTED, "'%s' has more than %d values", p->name, HONE__MOST_VALUES);
}

struct hone_value hone__draft_json_value(struct hone__draft *draft, const json_t *json)
{
  struct hone_value value = {.type = HONE_NONE};
  char *dump;

  if (json_is_integer(json)) return hone__int(json_integer_value(json));
  if (json_is_real(json)) return hone__real(json_real_value(json));
  if (json_is_boolean(json)) return hone__bool(json_is_true(json));
  if (json_is_string(json)) return hone__string(json_string_value(json));
  if (json_is_null(json)) return value;
  dump = json_dumps(json, JSON_COMPACT);
  value = hone__string(hone__arena_strdup(draft->arena, dump ? dump : ""));
  free(dump);
  return value;
}

hone_status hone__draft_missing(const struct hone__draft *draft, size_t param)
{
  if (draft->described_by && draft->params[param].values.count == 1) return NULL;
  return hone__error(HONE_INVALID_SPEC, "this configuration has no '%s'%s%s%s",
                     draft->params[param].name, draft->described_by ? ", which '" : "",
                     draft->described_by ? draft->described_by : "",
                     draft->described_by ? "' has" : "");
}

static hone_status take_names(struct hone__draft *draft, const json_t *configuration)
{
  hone_status status = NULL;
  size_t param;

  for (void *i = json_object_iter((json_t *)(uintptr_t)configuration); i && !status;
       i = json_object_iter_next((json_t *)(uintptr_t)configuration, i))
    status = hone__draft_name(draft, json_object_iter_key(i), &param);
  return status;
}

/* The name that is not a parameter. */
static hone_status unknown_name(const struct hone__draft *draft, const json_t *configuration)
{
  size_t param;

  for (void *i = json_object_iter((json_t *)(uintptr_t)configuration); i;
       i = json_object_iter_next((json_t *)(uintptr_t)configuration, i)) {
    const char *name = json_object_iter_key(i);
    if (hone__draft_find(draft, name, &param)) continue;
    if (draft->described_by)
      return hone__error(HONE_INVALID_SPEC, "'%s' does not have the parameter '%s'",
                         draft->described_by, name);
    return hone__error(HONE_INVALID_SPEC, "the configurations before this one have no '%s'", name);
  }
  return NULL;
}

hone_status hone__draft_row(struct hone__draft *draft, const json_t *configuration,
                            uint32_t **out_row)
{
  hone_status status = NULL;
  size_t found = 0;

  if (!json_is_object(configuration) || json_object_size(configuration) == 0)
    return hone__error(HONE_INVALID_SPEC, "a measurement has no configuration");
  if (draft->param_count == 0) status = take_names(draft, configuration);
  if (status) return status;
  if (!draft->row) draft->row = hone__alloc(draft->param_count * sizeof *draft->row);
  for (size_t i = 0; i < draft->param_count && !status; i++) {
    const json_t *json = json_object_get(configuration, draft->params[i].name);
    found += json != NULL;
    draft->row[i] = 0;
    status = json ? hone__draft_value(draft, i, hone__draft_json_value(draft, json), &draft->row[i])
                  : hone__draft_missing(draft, i);
  }
  if (!status && found < json_object_size(configuration))
    status = unknown_name(draft, configuration);
  *out_row = draft->row;
  return status;
}

void hone__draft_time(double time_ms, struct hone__recorded *recorded)
{
  bool fits = time_ms > 0 && time_ms < FAILED_MS;

  recorded->time_ms = fits ? time_ms : NAN;
  recorded->outcome = fits ? HONE_OUTCOME_OK : HONE_OUTCOME_BAD_RESULT;
}

static hone_status make_room(struct hone__draft *draft)
{
  size_t capacity = draft->capacity ? 2 * draft->capacity : 1024;
  struct hone__recorded *at = NULL;
  uint32_t *rows = NULL;

  if (draft->count < draft->capacity) return NULL;
  if (capacity <= MOST_NUMBERS / (draft->param_count + 1)) {
    at = realloc(draft->at, capacity * sizeof *at);
    if (at) draft->at = at;
    rows = realloc(draft->rows, capacity * draft->param_count * sizeof *rows);
    if (rows) draft->rows = rows;
  }
  if (!at || !rows)
    return hone__error(HONE_EXHAUSTED,
                       "out of memory for more than %zu configurations of %zu parameters",
                       draft->count, draft->param_count);
  draft->capacity = capacity;
  return NULL;
}

hone_status hone__draft_push(struct hone__draft *draft, const uint32_t *row,
                             const struct hone__recorded *recorded)
{
  size_t width = draft->param_count;
  hone_status status = make_room(draft);

  if (status) return status;
  memcpy(draft->rows + draft->count * width, row, width * sizeof *row);
  draft->at[draft->count] = *recorded;
  if (!(recorded->cost_s > 0 && isfinite(recorded->cost_s))) draft->at[draft->count].cost_s = 0;
  draft->count++;
  return NULL;
}

void hone__draft_samples(struct hone__draft *draft, const json_t *list, double unit_ms,
                         struct hone__recorded *recorded)
{
  size_t count = json_array_size(list);
  double *samples;

  recorded->samples_ms = NULL;
  recorded->sample_count = 0;
  if (count == 0 || count > UINT32_MAX) return;
  recorded->samples_ms = samples = hone__arena_alloc(draft->arena, count * sizeof *samples);
  for (size_t i = 0; i < count; i++) {
    const json_t *sample = json_array_get(list, i);
    if (json_is_number(sample))
      samples[recorded->sample_count++] = json_number_value(sample) * unit_ms;
  }
}

enum hone_outcome hone__replay_outcome_of_word(const struct hone__recording_word *words,
                                               size_t count, const char *word)
{
  for (size_t i = 0; word && i < count; i++)
    if (strcmp(words[i].word, word) == 0) return words[i].outcome;
  return word ? HONE_OUTCOME_NO_RESULT : HONE_OUTCOME_OK;
}

double hone__replay_json_number(const json_t *object, const char *key)
{
  return json_number_value(json_object_get(object, key));
}

hone_status hone__unit_read(const char *path, const json_t *metadata, const char *key,
                            double *unit_ms)
{
  const char *unit = json_string_value(json_object_get(metadata, key));

  if (!unit || !*unit) return NULL;
  *unit_ms = hone__unit_ms(unit);
  if (*unit_ms > 0) return NULL;
  return hone__error(HONE_INVALID_SPEC,
                     "%s: '%s' is '%.40s', which is not a unit of time: write seconds, "
                     "milliseconds, microseconds or nanoseconds",
                     path, key, unit);
}

double hone__unit_ms(const char *unit)
{
  static const struct {
    const char *word;
    double ms;
  } units[] = {
      {"nanosecond", 1e-6},
      {"ns", 1e-6},
      {"microsecond", 1e-3},
      {"us", 1e-3},
      {"millisecond", 1},
      {"milisecond", 1},
      {"ms", 1},
      {"second", 1e3},
      {"sec", 1e3},
      {"s", 1e3},
      {"\xc2\xb5s", 1e-3},
      {"\xce\xbcs", 1e-3}, /* both signs for micro */
  };
  size_t length = strlen(unit);

  if (length > 3 && tolower((unsigned char)unit[length - 1]) == 's') length--; /* seconds */
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    if (strlen(units[i].word) == length && strncasecmp(unit, units[i].word, length) == 0)
      return units[i].ms;
  return 0;
}
