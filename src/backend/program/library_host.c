/* What a call means to the helper, and what its answer means to the caller. */
#include "backend/program/library_host.h"

#include "backend/program/library_helper.h"

static const double grace_s = 2;

static json_t *describe(const struct hone__library_call *call)
{
  json_t *variables = json_array();

  for (const char *const *at = call->variables; at && *at; at++)
    json_array_append_new(variables, json_string(*at));
  return json_pack("{s:s, s:s, s:o, s:s*}", "path", call->path, "key", call->key, "variables",
                   variables, "directory", call->directory);
}

static void take_answer(const json_t *head, struct hone__library_result *result)
{
  const char *refusal = json_string_value(json_object_get(head, "refusal"));

  result->has_returned = true;
  result->value = (int32_t)json_integer_value(json_object_get(head, "value"));
  if (refusal) hone__text_add(&result->refusal, *refusal ? refusal : "no reason given");
}

void hone__library_call(struct hone__helper **host, const struct hone__library_call *call,
                        struct hone__library_result *out_result)
{
  json_t *head = describe(call);
  struct hone__helper_request order = {
      .serve = hone__library_serve, .head = head, .timeout_s = call->timeout_s, .grace_s = grace_s};
  struct hone__helper_answer answer;

  *out_result = (struct hone__library_result){0};
  hone__helper_ask(host, &order, &answer);
  if (answer.has_answered) take_answer(answer.head, out_result);
  out_result->child = answer.child;
  answer.child = (struct hone__child_result){0};
  hone__helper_answer_release(&answer);
  json_decref(head);
  if (out_result->has_returned && !out_result->value && !out_result->refusal.length) return;
  hone__helper_end(*host);
  *host = NULL;
}

void hone__library_result_release(struct hone__library_result *result)
{
  hone__text_release(&result->refusal);
  hone__child_result_release(&result->child);
}
