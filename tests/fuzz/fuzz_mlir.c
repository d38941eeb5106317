/* Any bytes as an MLIR file, and as one attribute. What comes back is walked: everything must lie
 * within its parent's text, and every attribute is printed and cut out. */
#include "iree/mlir/mlir.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_span(struct hone__mlir_span span, size_t size)
{
  if (span.begin > span.end || span.end > size) abort();
}

static void check_type(const struct hone__mlir_type *type)
{
  if (!type->text || !type->element) abort();
  for (unsigned i = 0; i < type->rank; i++)
    if (type->dims[i] < -1) abort();
}

static void check_attrs(const struct hone__mlir *mlir, const struct hone__mlir_op *op)
{
  for (size_t i = 0; i < op->attr_count; i++) {
    const struct hone__mlir_entry *entry = &op->attrs[i];
    struct hone__mlir_edit edit = {hone__mlir_entry_span(mlir, entry), ""};
    struct hone__text text = {0};
    check_span(entry->span, mlir->size);
    check_span(edit.span, mlir->size);
    hone__mlir_print_attr(&entry->value, &text);
    if (!hone__mlir_same_attr(&entry->value, &entry->value) && !strstr(text.data, "nan")) abort();
    text.length = 0;
    if (i < 4) hone__mlir_edit(mlir, &edit, 1, &text);
    hone__text_release(&text);
  }
}

static void check_clauses(const struct hone__mlir *mlir, const struct hone__mlir_op *op)
{
  for (size_t i = 0; i < op->clause_count; i++) {
    const struct hone__mlir_clause *clause = &op->clauses[i];
    check_span(clause->span, mlir->size);
    for (size_t k = 0; k < clause->operand_count; k++)
      if (clause->operands[k][0] != '%') abort();
    for (size_t k = 0; k < clause->type_count; k++)
      check_type(&clause->types[k]);
  }
}

static bool check_op(void *data, struct hone__mlir_op *op)
{
  const struct hone__mlir *mlir = data;

  check_span(op->span, mlir->size);
  check_span(op->head, mlir->size);
  if (!op->name[0] || !op->parent || op->head.end > op->span.end) abort();
  if (op->span.begin < op->parent->span.begin || op->span.end > op->parent->span.end) abort();
  for (size_t i = 0; i < op->operand_count; i++)
    if (op->operands[i][0] != '%') abort();
  for (size_t i = 0; i < op->type_count; i++)
    check_type(&op->types[i]);
  for (size_t i = 0; i < op->block_arg_count; i++) {
    if (op->block_args[i][0] != '%') abort();
    check_type(&op->block_types[i]);
  }
  check_attrs(mlir, op);
  check_clauses(mlir, op);
  return true;
}

/* What is printed can be read, and is the same when it is printed again. */
static void check_attr(const char *text)
{
  struct hone__arena arena = {0};
  struct hone__mlir_attr attr, again;
  struct hone__text first = {0}, second = {0};
  hone_status status = hone__mlir_parse_attr(&arena, text, &attr);

  if (!status) {
    hone__mlir_print_attr(&attr, &first);
    status = hone__mlir_parse_attr(&arena, first.data, &again);
    if (!status) hone__mlir_print_attr(&again, &second);
    if (!status && strcmp(first.data, second.data) != 0) abort();
  }
  hone_status_free(status);
  hone__text_release(&first);
  hone__text_release(&second);
  hone__arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hone__arena arena = {0};
  struct hone__affine_map map;
  struct hone__mlir mlir;
  char *text = hone__alloc(size + 1);
  hone_status status = hone__mlir_parse(&mlir, "fuzz", (const char *)data, size);

  if (!status) hone__mlir_each(mlir.root, check_op, &mlir);
  if (hone__arena_bytes(&mlir.arena) > 400 * size + 100000) abort();
  hone_status_free(status);
  hone__mlir_release(&mlir);
  if (size) memcpy(text, data, size);
  check_attr(text);
  hone_status_free(hone__mlir_parse_map(&arena, text, &map));
  hone__arena_release(&arena);
  free(text);
  return 0;
}
