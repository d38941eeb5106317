/* Cache files of Kernel Tuner: an entry for each configuration, times in ms.
 *
 * What an evaluation cost is what the benchmark hub counts: compiling, checking, timing and the
 * framework, and not the strategy, since another one is replayed. A time that is a text says how
 * it failed; so does a time of 1e19 or more, which older versions wrote, and "__error__", which
 * newer ones write. */
#include "replay/recording_draft.h"

#include <math.h>
#include <stdlib.h>

static const struct hone__recording_word failures[] = {
    {"InvalidConfig", HONE_OUTCOME_INVALID},
    {"CompilationFailedConfig", HONE_OUTCOME_COMPILE_ERROR},
    {"RuntimeFailedConfig", HONE_OUTCOME_LAUNCH_FAILURE},
    {"CheckFailedConfig", HONE_OUTCOME_WRONG_RESULT},
    {"TimeoutConfig", HONE_OUTCOME_HANG},
};

/* ---- The head ---- */

/* Their order; a file that does not say has them in that of the values. json_decref. */
static json_t *names_of(json_t *keys, json_t *values)
{
  json_t *names = json_is_array(keys) ? json_incref(keys) : json_array();

  for (void *i = json_object_iter(values); i && !json_is_array(keys);
       i = json_object_iter_next(values, i))
    json_array_append_new(names, json_string(json_object_iter_key(i)));
  return names;
}

static hone_status add_values(struct hone__draft *draft, size_t param, const json_t *list)
{
  hone_status status = NULL;
  uint32_t index;

  if (draft->described_by || !json_is_array(list)) return NULL;
  for (size_t i = 0; i < json_array_size(list) && !status; i++)
    status = hone__draft_value(draft, param, hone__draft_json_value(draft, json_array_get(list, i)),
                               &index);
  draft->params[param].in_order = true;
  return status;
}

static hone_status name_params(struct hone__draft *draft, const json_t *keys, const json_t *values,
                               struct hone__recording_head *head)
{
  hone_status status = NULL;
  size_t param;

  for (size_t i = 0; i < json_array_size(keys) && !status; i++) {
    const char *name = json_string_value(json_array_get(keys, i));
    if (!name)
      status = hone__error(HONE_INVALID_SPEC, "'tune_params_keys' has an entry that is not a name");
    if (!status) status = hone__draft_name(draft, name, &param);
    if (!status) status = add_values(draft, param, json_object_get(values, name));
  }
  if (!status && draft->param_count == 0)
    status =
        hone__error(HONE_INVALID_SPEC, "no parameters: 'tune_params_keys' is missing or empty");
  if (status) return status;
  head->key_count = json_array_size(keys);
  head->key_places = hone__arena_alloc(draft->arena, draft->param_count * sizeof *head->key_places);
  for (size_t i = 0; i < draft->param_count; i++)
    head->key_places[i] = SIZE_MAX;
  for (size_t i = 0; i < head->key_count; i++)
    if (hone__draft_find(draft, json_string_value(json_array_get(keys, i)), &param))
      head->key_places[param] = i;
  return NULL;
}

static hone_status read_text(struct hone__draft *draft, const struct hone__replay_json_text *text,
                             const struct hone__replay_json_members *members, const char *key,
                             const char **out_text)
{
  json_t *json;
  hone_status status = hone__replay_json_member(text, members, key, &json);

  if (json_is_string(json) && json_string_length(json))
    *out_text = hone__arena_strdup(draft->arena, json_string_value(json));
  json_decref(json);
  return status;
}

static hone_status read_head(struct hone__draft *draft, const struct hone__replay_json_text *text,
                             const struct hone__replay_json_members *members,
                             struct hone__recording_head *head)
{
  json_t *keys = NULL, *values = NULL, *names = NULL;
  hone_status status = read_text(draft, text, members, "kernel_name", &head->kernel);

  if (!status) status = read_text(draft, text, members, "device_name", &head->device);
  if (!status) status = hone__replay_json_member(text, members, "tune_params_keys", &keys);
  if (!status) status = hone__replay_json_member(text, members, "tune_params", &values);
  if (!status) {
    names = names_of(keys, values);
    status = hone__annotate(name_params(draft, names, values, head), "%s", text->path);
  }
  json_decref(names);
  json_decref(values);
  json_decref(keys);
  return status;
}

/* ---- An entry ---- */

/* Without escapes. */
static const char *key_text(struct hone__arena *scratch, const struct hone__replay_json_span *span)
{
  json_t *json = json_loadb(span->key - 1, span->key_size + 2, JSON_DECODE_ANY, NULL);
  const char *text = json ? hone__arena_strdup(scratch, json_string_value(json))
                          : hone__arena_strndup(scratch, span->key, span->key_size);

  json_decref(json);
  return text;
}

/* The n-th of `count` words of "16,1,fast"; NULL: it has another number of them. */
static const char *word_of_key(struct hone__arena *scratch, const char *key, size_t n, size_t count)
{
  size_t commas = 0;

  for (const char *c = key; *c; c++)
    commas += *c == ',';
  if (n == SIZE_MAX || commas + 1 != count) return NULL;
  for (; n > 0; n--)
    key = strchr(key, ',') + 1;
  return hone__arena_strndup(scratch, key, strcspn(key, ","));
}

/* A text that is known stays one, though it may look like a number. */
static hone_status value_of_key(struct hone__draft *draft,
                                const struct hone__replay_json_span *span, size_t n, size_t count,
                                size_t param, uint32_t *out_index)
{
  struct hone__arena scratch = {0};
  const char *word = word_of_key(&scratch, key_text(&scratch, span), n, count);
  hone_status status = NULL;

  if (!word)
    status = hone__draft_missing(draft, param);
  else if (!hone__values_find(&draft->params[param].values, hone__string(word), out_index))
    status = hone__draft_value(draft, param, hone__evaluate_word(&scratch, word), out_index);
  hone__arena_release(&scratch);
  return status;
}

/* Its parameters are in the entry by name; a file that leaves them out has its key. */
static hone_status read_row(struct hone__draft *draft, const struct hone__recording_head *head,
                            const struct hone__replay_json_span *span, const json_t *entry)
{
  hone_status status = NULL;

  if (!draft->row) draft->row = hone__alloc(draft->param_count * sizeof *draft->row);
  for (size_t i = 0; i < draft->param_count && !status; i++) {
    const json_t *json = json_object_get(entry, draft->params[i].name);
    draft->row[i] = 0;
    status =
        json ? hone__draft_value(draft, i, hone__draft_json_value(draft, json), &draft->row[i])
             : value_of_key(draft, span, head->key_places[i], head->key_count, i, &draft->row[i]);
  }
  return status;
}

static enum hone_outcome failure_of(const char *word)
{
  return hone__replay_outcome_of_word(failures, sizeof failures / sizeof *failures, word);
}

static void read_time(const json_t *entry, struct hone__recorded *recorded)
{
  const json_t *time = json_object_get(entry, "time"), *error = json_object_get(entry, "__error__");

  recorded->time_ms = NAN;
  if (error && !json_is_null(error))
    recorded->outcome = failure_of(json_is_string(error) ? json_string_value(error) : "");
  else if (json_is_string(time) || !time)
    recorded->outcome = failure_of(time ? json_string_value(time) : "");
  else
    hone__draft_time(json_is_number(time) ? json_number_value(time) : NAN, recorded);
}

static double read_cost(const json_t *entry)
{
  static const char *const parts[] = {"compile_time", "verification_time", "benchmark_time",
                                      "framework_time"};
  double cost_ms = 0;

  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    cost_ms += hone__replay_json_number(entry, parts[i]);
  return cost_ms / 1e3;
}

static hone_status read_entry(struct hone__draft *draft, struct hone__recording_head *head,
                              const struct hone__replay_json_span *span, const json_t *entry)
{
  struct hone__recorded recorded = {.cost_s = read_cost(entry)};
  hone_status status;

  if (!json_is_object(entry)) return hone__error(HONE_INVALID_SPEC, "this entry is not an object");
  status = read_row(draft, head, span, entry);
  if (status) return status;
  read_time(entry, &recorded);
  hone__draft_samples(draft, json_object_get(entry, "times"), 1, &recorded);
  return hone__draft_push(draft, draft->row, &recorded);
}

const struct hone__recording_format hone__format_kernel_tuner = {
    .id = HONE_RECORDING_KERNEL_TUNER,
    .key = "cache",
    .bracket = '{',
    .head = read_head,
    .element = read_entry,
};
