/* The cache of builds. Failing to keep something costs a build later on, no more. */
#include "build/build_cache.h"

#include "build/build_outcome.h"
#include "base/json_string.h"
#include "wire/message_text.h"
#include "store/cache.h"

#include <stdlib.h>

enum { LONGEST_WARNINGS = 16384, LONGEST_OUTPUT = 65536 };

/* ---- Out of it ---- */

static bool is_failure(const json_t *manifest)
{
  return json_is_true(json_object_get(manifest, "failed"));
}

/* "anew": somebody wants to see the compiler fail. */
static json_t *find_manifest(const char *key, hone__file_digest *digest, const json_t *job)
{
  char *bytes = NULL;
  size_t size = 0;
  json_t *manifest = NULL;
  hone_status status = hone__cache_get("builds", key, &bytes, &size);

  if (!status) manifest = json_loadb(bytes, size, 0, NULL);
  hone_status_free(status);
  free(bytes);
  if ((*hone__message_text(manifest, "object") ||
       (is_failure(manifest) && !json_is_true(json_object_get(job, "anew")))) &&
      hone__build_deps_are_current(json_object_get(manifest, "deps"), digest))
    return manifest;
  json_decref(manifest);
  return NULL;
}

/* The manifest is the head, but for what every answer has elsewhere. */
static void answer_with(json_t *manifest, bool cached, struct hone__answer *answer)
{
  const json_t *deps = json_object_get(manifest, "deps");

  json_object_update(answer->head, manifest);
  if (deps) json_object_set_new(answer->head, "deps", hone__build_deps_own(deps));
  json_object_set_new(answer->head, "cached", json_boolean(cached));
  json_object_del(answer->head, "failed");
  json_object_del(answer->head, "evidence");
}

static bool take_object(json_t *manifest, struct hone__answer *answer)
{
  char *bytes = NULL;
  size_t size = 0;
  hone_status status =
      hone__cache_get("objects", hone__message_text(manifest, "object"), &bytes, &size);

  if (!status) hone__text_addn(&answer->payload, bytes, size);
  free(bytes);
  hone_status_free(status);
  if (!answer->payload.length) return false;
  answer->outcome = HONE__OUTCOME_OK;
  answer_with(manifest, true, answer);
  return true;
}

static bool take_failure(json_t *manifest, struct hone__answer *answer)
{
  answer->outcome = HONE__OUTCOME_COMPILE_ERROR;
  hone__outcome_parse(hone__message_text(manifest, "class"), &answer->outcome);
  json_object_del(manifest, "class");
  hone__text_add(&answer->evidence, hone__message_text(manifest, "evidence"));
  answer_with(manifest, true, answer);
  return true;
}

bool hone__build_cache_answer(const char *key, hone__file_digest *digest, const json_t *job,
                              struct hone__answer *answer)
{
  json_t *manifest = key ? find_manifest(key, digest, job) : NULL;
  bool found = manifest && (is_failure(manifest) ? take_failure : take_object)(manifest, answer);

  json_decref(manifest);
  if (found || !json_is_true(json_object_get(job, "cached_only"))) return found;
  hone__build_fail(answer, HONE__OUTCOME_COMPILE_ERROR, "not in the cache");
  return true;
}

/* ---- Into it ---- */

static json_t *text_json(const struct hone__text *output, size_t longest)
{
  size_t length = output->length < longest ? output->length : longest;

  return hone__json_string(output->data ? output->data : "", length);
}

static void put(const char *key, const json_t *manifest)
{
  char *bytes = json_dumps(manifest, JSON_COMPACT);

  if (bytes) hone_status_free(hone__cache_put("builds", key, bytes, strlen(bytes)));
  free(bytes);
}

static void keep_object(const struct hone__build_end *end, struct hone__answer *answer)
{
  const struct hone__text *object = &answer->payload;
  char digest[HONE__DIGEST_SIZE];
  json_t *manifest;

  hone__digest(object->data, object->length, digest);
  manifest =
      json_pack("{ss sO sf so sO}", "object", digest, "deps", end->deps, "compile_s",
                end->result->seconds, "warnings", text_json(&end->result->output, LONGEST_WARNINGS),
                "command", json_object_get(answer->head, "command"));
  if (json_object_get(answer->head, "costs"))
    json_object_set(manifest, "costs", json_object_get(answer->head, "costs"));
  if (end->key) {
    hone_status_free(hone__cache_put("objects", digest, object->data, object->length));
    put(end->key, manifest);
  }
  answer->outcome = HONE__OUTCOME_OK;
  answer_with(manifest, false, answer);
  json_decref(manifest);
}

static void keep_failure(const struct hone__build_end *end, struct hone__answer *answer)
{
  bool is_refused = answer->outcome == HONE__OUTCOME_NOT_APPLIED;
  json_t *manifest =
      json_pack("{sb sf so so sO}", "failed", true, "compile_s", end->result->seconds, "output",
                text_json(&end->result->output, LONGEST_OUTPUT), "evidence",
                text_json(&answer->evidence, LONGEST_OUTPUT), "command",
                json_object_get(answer->head, "command"));

  if (end->deps_are_all) json_object_set(manifest, "deps", end->deps);
  if (is_refused)
    json_object_set_new(manifest, "class", json_string(hone__outcome_name(answer->outcome)));
  if (end->key && end->deps_are_all &&
      (is_refused || hone__build_fails_for_good(end->result, answer)))
    put(end->key, manifest);
  json_object_del(manifest, "class");
  answer_with(manifest, false, answer);
  json_decref(manifest);
}

/* False: the answer says why not, and has no object any more. */
static bool is_wanted(const struct hone__build_end *end, const struct hone__build_folder *folder,
                      struct hone__answer *answer)
{
  answer->outcome = HONE__OUTCOME_OK;
  if (end->inspect) end->inspect(end->data, folder, answer);
  if (answer->outcome == HONE__OUTCOME_OK) return true;
  hone__text_release(&answer->payload);
  return false;
}

void hone__build_cache_end(const struct hone__build_end *end,
                           const struct hone__build_folder *folder, struct hone__answer *answer)
{
  bool ended_well = end->result->end == HONE__CHILD_EXITED && end->result->code == 0;

  hone__build_judge(end->result, end->program, answer);
  if (answer->outcome == HONE__OUTCOME_COMPILE_ERROR && end->macros.defines && !ended_well)
    hone__macro_collision_explain(&end->macros, end->result->output.data, &answer->evidence);
  if (ended_well && hone__build_folder_take(folder, end->program, end->result, answer) &&
      is_wanted(end, folder, answer))
    keep_object(end, answer);
  else
    keep_failure(end, answer);
}
