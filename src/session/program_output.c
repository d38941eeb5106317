/* What a candidate said of itself, as the store keeps it and results are read from it. */
#include "session/session.h"

#include <stdlib.h>

static json_t *spec_json(const struct hone__candidate *candidate)
{
  const struct hone_space *space = candidate->session->problem.task.space;
  size_t length = hone_space_print_spec(space, candidate->row, NULL, 0);
  char *text = hone__alloc(length + 1);
  json_t *json;

  hone_space_print_spec(space, candidate->row, text, length + 1);
  json = hone__json_string(text, length);
  free(text);
  return json;
}

/* [["BM", "64"], ["$x", "0"]] */
static json_t *params_json(const struct hone__candidate *candidate)
{
  const struct hone_space *space = candidate->session->problem.task.space;
  const uint32_t *row = candidate->row;
  json_t *params = json_array();

  for (size_t i = 0; i < hone_space_param_count(space, row[0]); i++) {
    struct hone__text name = {0}, value = {0};
    hone__text_addf(&name, "%s%s", hone_space_param_is_runtime(space, row[0], i) ? "$" : "",
                    hone_space_param_name(space, row[0], i));
    hone__value_print(hone_space_value(space, row[0], i, row[1 + i]), &value);
    json_array_append_new(params,
                          json_pack("[o, o]", hone__json_string(name.data, name.length),
                                    hone__json_string(value.data ? value.data : "", value.length)));
    hone__text_release(&name);
    hone__text_release(&value);
  }
  return params;
}

/* {"compilation_info": "..."}: what the configuration reads in the spec's texts. */
static json_t *texts_json(const struct hone__candidate *candidate)
{
  const struct hone_space *space = candidate->session->problem.task.space;
  json_t *texts = json_object();

  for (size_t i = 0; i < hone_space_text_count(space); i++) {
    size_t length = hone_space_print_text(space, candidate->row, i, NULL, 0);
    char *text;
    if (length == HONE_NO_TEXT || length == 0) continue;
    text = hone__alloc(length + 1);
    hone_space_print_text(space, candidate->row, i, text, length + 1);
    json_object_set_new(texts, hone_space_text_name(space, i), hone__json_string(text, length));
    free(text);
  }
  return texts;
}

static void copy(json_t *to, const char *name, const json_t *from, const char *key)
{
  json_t *value = json_object_get(from, key);

  if (json_is_string(value) ? *json_string_value(value) != 0
                            : json_is_array(value) || json_is_object(value))
    json_object_set(to, name, value);
}

/* Which configuration it is of. */
static void set_own(const struct hone__candidate *candidate, json_t *output)
{
  json_t *texts = texts_json(candidate);

  json_object_set_new(output, "spec", spec_json(candidate));
  json_object_set_new(output, "params", params_json(candidate));
  json_object_del(output, "texts");
  if (json_object_size(texts)) json_object_set(output, "texts", texts);
  json_decref(texts);
}

static void keep_output(struct hone__candidate *candidate, json_t *output)
{
  char *text = json_dumps(output, JSON_COMPACT);

  candidate->evaluation.output = text ? hone__arena_strdup(&candidate->texts, text) : NULL;
  free(text);
  json_decref(output);
}

void hone__candidate_copy_output(struct hone__candidate *candidate, const char *from)
{
  json_t *output = from ? json_loads(from, 0, NULL) : NULL;

  if (!output) output = json_object();
  set_own(candidate, output);
  keep_output(candidate, output);
}

void hone__candidate_output(struct hone__candidate *candidate, const json_t *run,
                            const json_t *build)
{
  const json_t *table = json_object_get(run, "table");
  json_t *output = json_object();

  set_own(candidate, output);
  copy(output, "columns", table, "columns");
  copy(output, "rows", table, "rows");
  copy(output, "files", table, "files");
  copy(output, "stdout", run, "stdout");
  copy(output, "stderr", run, "stderr");
  copy(output, "build_output", build, "output");
  copy(output, "costs", candidate->json, "costs");
  keep_output(candidate, output);
}
