/* The fields that all candidates have, and digests of parts of a candidate. */
#include "wire/candidate_head.h"

#include "wire/packed_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct hone__field fields[] = {
    HONE__TEXT(struct hone__wire_candidate_head, key, HONE__OPTIONAL),
    HONE__TEXT(struct hone__wire_candidate_head, build_key, HONE__OPTIONAL),
    HONE__TEXTS(struct hone__wire_candidate_head, knobs, HONE__OPTIONAL),
};

const struct hone__record_type hone__wire_candidate_head_type =
    HONE__RECORD_TYPE("candidate", struct hone__wire_candidate_head, fields);

void hone__wire_candidate_digest_call(const struct hone__packed *candidate,
                                      struct hone__digester *digester)
{
  static const char *const names[] = {"values", "launch",  "entry",         "args", "stages",
                                      "order",  "extents", "power_limit_w", "env"};

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    hone__packed_digest_member(candidate, names[i], digester);
}

void hone__wire_candidate_build_key(const struct hone__packed *candidate,
                                    char key[HONE__DIGEST_SIZE])
{
  const json_t *whole = hone__packed_json(candidate);
  const char *given = json_string_value(json_object_get(whole, "build_key"));
  json_t *copy;
  char *text;

  if (given) {
    snprintf(key, HONE__DIGEST_SIZE, "%s", given);
    return;
  }
  copy = json_copy((json_t *)(uintptr_t)whole);
  json_object_del(copy, "values");
  json_object_del(copy, "key");
  json_object_del(copy, "env");
  text = json_dumps(copy, JSON_COMPACT | JSON_SORT_KEYS);
  hone__digest(text, strlen(text), key);
  free(text);
  json_decref(copy);
}
