/* operation_body.c - the body of a linalg.generic: whether it is one step of a product, out + a *
 * b, and whether it uses values from outside.
 *
 * Values are followed from the yield upwards; casts (operations of arith with one operand) may
 * stand anywhere between.
 */
#include "iree/operation/operation_steps.h"

static const char *const additions[] = {"arith.addf", "arith.addi", "arith.ori", "complex.add"};
static const char *const products[] = {"arith.mulf", "arith.muli", "arith.andi", "complex.mul"};

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    if (!strcmp(name, names[i])) return true;
  }
  return false;
}

static const struct hone__mlir_op *definition(const struct hone__mlir_op *body, const char *value)
{
  for (size_t i = 0; i < body->child_count; i++) {
    const struct hone__mlir_op *op = body->children[i];
    if (op->result_count == 1 && !strcmp(op->results[0], value)) return op;
  }
  return NULL;
}

/* The value that casts were made from. Bounded, since a file may define a value by itself. */
static const char *without_casts(const struct hone__mlir_op *body, const char *value)
{
  for (size_t left = body->child_count; left > 0; left--) {
    const struct hone__mlir_op *op = definition(body, value);
    if (!op || op->operand_count != 1 || !hone__starts_with(op->name, "arith.")) break;
    value = op->operands[0];
  }
  return value;
}

/* The number of the block's argument that a value was cast from; -1: it is something else. */
static int argument_of(const struct hone__mlir_op *body, const char *value)
{
  value = without_casts(body, value);
  for (size_t i = 0; i < body->block_arg_count; i++) {
    if (!strcmp(body->block_args[i], value)) return (int)i;
  }
  return -1;
}

static bool is_product_of_inputs(const struct hone__mlir_op *body, const char *value)
{
  const struct hone__mlir_op *op = definition(body, without_casts(body, value));
  int a, b;

  if (!op || op->operand_count != 2) return false;
  if (!is_one_of(op->name, products, sizeof products / sizeof *products)) return false;
  a = argument_of(body, op->operands[0]);
  b = argument_of(body, op->operands[1]);
  return (a == 0 && b == 1) || (a == 1 && b == 0);
}

bool hone__iree_body_multiplies_and_adds(const struct hone__mlir_op *op)
{
  const struct hone__mlir_op *yield, *sum;

  if (op->child_count == 0 || op->block_arg_count != 3) return false;
  yield = op->children[op->child_count - 1];
  if (yield->operand_count != 1) return false;
  sum = definition(op, without_casts(op, yield->operands[0]));
  if (!sum || sum->operand_count != 2) return false;
  if (!is_one_of(sum->name, additions, sizeof additions / sizeof *additions)) return false;
  for (int i = 0; i < 2; i++) {
    if (argument_of(op, sum->operands[i]) == 2 && is_product_of_inputs(op, sum->operands[1 - i])) {
      return true;
    }
  }
  return false;
}

static bool is_argument(const struct hone__mlir_op *op, const char *value)
{
  for (size_t i = 0; i < op->block_arg_count; i++)
    if (!strcmp(op->block_args[i], value)) return true;
  return false;
}

struct outside { /* a search for a value that is not of the body */
  const struct hone__mlir_op *body;
  bool is_found;
};

/* Operations within those of the body, such as scf.if, are not looked into: they are rare. */
static bool visit_use(void *data, struct hone__mlir_op *op)
{
  struct outside *outside = data;

  if (op->parent != outside->body) outside->is_found = true;
  for (size_t i = 0; i < op->operand_count; i++)
    if (!is_argument(outside->body, op->operands[i]) && !definition(outside->body, op->operands[i]))
      outside->is_found = true;
  return !outside->is_found;
}

bool hone__iree_body_is_closed(const struct hone__mlir_op *op)
{
  struct outside outside = {.body = op};

  hone__mlir_each(op, visit_use, &outside);
  return !outside.is_found;
}
