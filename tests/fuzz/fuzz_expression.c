/* Any bytes as an expression. An error must point into the text and say something; a tree must
 * have its parts inside the text and one another; its value must come, or a fault with a place. */
#include "spec/evaluate.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool lookup(void *data, const char *name, struct hone_value *out_value)
{
  (void)data;
  if (strlen(name) > 1 && !hone__starts_with(name, "device.")) return false;
  *out_value = *name == 'f'   ? hone__real(-2.5)
               : *name == 't' ? hone__string("text")
                              : hone__int(*name == 'M' ? 4096 : 3);
  return true;
}

/* A chain's middle is shared by two links: it is walked once, as the right side. */
static void check_tree(const struct hone__expr *expr, size_t size, unsigned depth)
{
  if (depth > 25000 || expr->begin > expr->end || expr->end > size) abort();
  for (size_t i = 0; i < expr->count; i++) {
    const struct hone__expr *arg = expr->args[i];
    if (arg->begin < expr->begin || arg->end > expr->end) abort();
    if (expr->op == HONE__OP_AND && i == 1 && expr->args[0]->begin == arg->begin) continue;
    if (depth < 500) check_tree(arg, size, depth + 1);
  }
}

static void check_value(struct hone__evaluator *evaluator, const struct hone__expr *expr,
                        const char *text)
{
  struct hone_value value;
  struct hone__text printed = {0};

  if (hone__evaluate(evaluator, expr, &value)) {
    hone__value_print(value, &printed);
    if (!hone__value_equal(value, value) && value.type == HONE_INT) abort();
    hone__value_hash(value);
  } else {
    if (evaluator->fault == HONE__FAULT_NONE || !evaluator->culprit) abort();
    if (evaluator->culprit->end > strlen(text)) abort();
    if (!*hone__fault_message(evaluator, text, evaluator->arena)) abort();
  }
  hone__text_release(&printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hone__arena arena = {0};
  struct hone__evaluator evaluator = {.arena = &arena, .lookup = lookup};
  struct hone__syntax_error error = {0};
  char *text = hone__arena_strndup(&arena, (const char *)data, size);
  struct hone__expr *expr = hone__expression_parse(text, &arena, &error);

  if (expr) {
    check_tree(expr, strlen(text), 0);
    check_value(&evaluator, expr, text);
  } else if (!error.message || !*error.message || error.offset > strlen(text)) {
    abort();
  }
  hone__arena_release(&arena);
  return 0;
}
