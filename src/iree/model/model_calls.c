/* How often a function dispatches what: counted in the text of the flow, through calls of other
 * functions. */
#include "iree/model/model_dump.h"
#include "iree/model/model_inputs.h"

enum { CALL_DEPTH = 16, MOST_VISITS = 1 << 22 }; /* functions that call each other end somewhere */

struct calls {
  const struct hone__model *model;
  const char *wanted; /* "executable::entry" */
  unsigned count, depth, visits;
};

static bool count_calls(void *data, struct hone__mlir_op *op);

static void count_in_function(struct calls *calls, const char *function)
{
  const struct hone__mlir_op *root = calls->model->flow.root;
  const struct hone__mlir_op *module = root ? hone__mlir_find(root, "module") : NULL;

  if (!module || calls->depth == CALL_DEPTH) return;
  calls->depth++;
  for (size_t i = 0; i < module->child_count; i++) {
    const struct hone__mlir_op *op = module->children[i];
    if (strcmp(op->name, "util.func") != 0 || !op->symbol) continue;
    if (function ? strcmp(op->symbol, function) == 0 : hone__model_is_public(op))
      hone__mlir_each(op, count_calls, calls);
  }
  calls->depth--;
}

/* One executable for each of several devices may stand there. */
static void count_dispatch(struct calls *calls, const struct hone__mlir_op *op)
{
  for (size_t i = 0; i < op->attr_count; i++) {
    const struct hone__mlir_attr *attr = &op->attrs[i].value;
    if (attr->kind == HONE__MLIR_SYMBOL && strcmp(attr->text, calls->wanted) == 0) {
      calls->count++;
      return;
    }
  }
}

static bool count_calls(void *data, struct hone__mlir_op *op)
{
  struct calls *calls = data;

  if (++calls->visits > MOST_VISITS) return false;
  if (strcmp(op->name, "util.call") == 0 && op->symbol) count_in_function(calls, op->symbol);
  if (strcmp(op->name, "flow.dispatch") == 0) count_dispatch(calls, op);
  return true;
}

unsigned hone__model_calls(const struct hone__model *model, const char *function,
                           const struct hone__model_executable *executable)
{
  struct calls calls = {.model = model};
  struct hone__text wanted = {0};

  hone__text_addf(&wanted, "%s::%s", executable->name, executable->entry);
  calls.wanted = wanted.data;
  count_in_function(&calls, function);
  hone__text_release(&wanted);
  return calls.count;
}
