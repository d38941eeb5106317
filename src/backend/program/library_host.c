/* Turns a call into an order to the helper, and its answer into a result. */
#include "backend/program/library_host.h"

#include "backend/program/library_helper.h"
#include "backend/program/library_order.h"

static const double grace_s = 2;

static struct hone__packed *pack_order(const struct hone__library_call *call)
{
  struct hone__library_order order = {
      .path = call->path, .key = call->key, .directory = call->directory};

  order.variables = (const char **)(uintptr_t)call->variables;
  while (order.variables && order.variables[order.variables_count])
    order.variables_count++;
  return hone__pack(&hone__library_order_type, &order);
}

/* The library shares the helper's memory: the answer may be anything. */
static void take_answer(const struct hone__packed *head, struct hone__library_result *result)
{
  struct hone__arena arena = {0};
  struct hone__library_reply reply;
  hone_status status = hone__unpack(head, &hone__library_reply_type, &arena, &reply);

  result->has_returned = true;
  if (status) {
    hone__text_add(&result->refusal, hone_status_message(status));
  } else {
    result->value = (int32_t)reply.value;
    if (reply.refusal)
      hone__text_add(&result->refusal, *reply.refusal ? reply.refusal : "no reason given");
  }
  hone_status_free(status);
  hone__arena_release(&arena);
}

void hone__library_call(struct hone__helper **host, const struct hone__library_call *call,
                        struct hone__library_result *out_result)
{
  struct hone__packed *head = pack_order(call);
  struct hone__helper_request order = {
      .serve = hone__library_serve, .head = head, .timeout_s = call->timeout_s, .grace_s = grace_s};
  struct hone__helper_answer answer;

  *out_result = (struct hone__library_result){0};
  hone__helper_ask(host, &order, &answer);
  if (answer.has_answered) take_answer(answer.head, out_result);
  out_result->child = answer.child;
  answer.child = (struct hone__child_result){0};
  hone__helper_answer_release(&answer);
  hone__packed_drop(head);
  if (out_result->has_returned && !out_result->value && !out_result->refusal.length) return;
  hone__helper_end(*host);
  *host = NULL;
}

void hone__library_result_release(struct hone__library_result *result)
{
  hone__text_release(&result->refusal);
  hone__child_result_release(&result->child);
}
