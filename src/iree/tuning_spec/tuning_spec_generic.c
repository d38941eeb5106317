/* tuning_spec_generic.c - the matcher of any operation of linalg.
 *
 * IREE's matcher of a DAG compares the whole operation: maps, iterators, body, all attributes. It
 * never matches a body that uses values from outside, constants for example. Such an operation is
 * matched by its kinds of loops and the types of its operands: another operation that has the same
 * ones gets tiles that are right for it, too.
 */
#include "iree/tuning_spec/tuning_spec_parts.h"

#include "iree/operation/operation_steps.h"

/* ---- Operands ---- */

static const char *const clause_words[] = {"ins", "outs"};

static void add_clauses(const struct hone__mlir_op *op, struct hone__text *text)
{
  for (size_t c = 0; c < 2; c++) {
    const struct hone__mlir_clause *clause = hone__mlir_clause(op, clause_words[c]);
    if (!clause || !clause->operand_count) continue;
    hone__text_addf(text, " %s(", clause_words[c]);
    for (size_t i = 0; i < clause->operand_count; i++)
      hone__text_addf(text, "%s%s", i ? ", " : "", clause->operands[i]);
    hone__text_add(text, " : ");
    for (size_t i = 0; i < clause->type_count; i++)
      hone__text_addf(text, "%s%s", i ? ", " : "", clause->types[i].text);
    hone__text_add(text, ")");
  }
}

/* One argument for each value, which may be several operands. */
static bool is_seen(const struct hone__mlir_op *op, size_t clause_number, size_t number)
{
  const char *value = hone__mlir_clause(op, clause_words[clause_number])->operands[number];

  for (size_t c = 0; c <= clause_number; c++) {
    const struct hone__mlir_clause *clause = hone__mlir_clause(op, clause_words[c]);
    size_t end = c == clause_number ? number : clause ? clause->operand_count : 0;
    for (size_t i = 0; i < end; i++)
      if (!strcmp(clause->operands[i], value)) return true;
  }
  return false;
}

static void add_arguments(const struct hone__mlir_op *op, struct hone__text *text)
{
  const char *comma = "";

  hone__text_add(text, "    ^bb0(");
  for (size_t c = 0; c < 2; c++) {
    const struct hone__mlir_clause *clause = hone__mlir_clause(op, clause_words[c]);
    for (size_t i = 0; clause && i < clause->operand_count && i < clause->type_count; i++) {
      if (is_seen(op, c, i)) continue;
      hone__text_addf(text, "%s%s: %s", comma, clause->operands[i], clause->types[i].text);
      comma = ", ";
    }
  }
  hone__text_add(text, "):\n");
}

/* ---- The operation in a pattern ---- */

static void copy_attribute(const struct hone__mlir *mlir, const struct hone__mlir_entry *entry,
                           struct hone__text *text)
{
  hone__text_addf(text, "%s = ", entry->key);
  hone__iree_spec_copy(mlir, entry->value.span, NULL, 0, text);
}

static bool is_one_of(const char *key, const char *const *keys)
{
  for (; *keys; keys++)
    if (!strcmp(*keys, key)) return true;
  return false;
}

/* Without what a dump adds. */
static void add_other_attributes(const struct hone__mlir *mlir, const struct hone__mlir_op *op,
                                 const char *before, struct hone__text *text)
{
  static const char *const left_out[] = {"indexing_maps",
                                         "iterator_types",
                                         "lowering_config",
                                         "root_op",
                                         "compilation_info",
                                         "decomposition_config",
                                         "ins",
                                         "outs",
                                         NULL};

  for (size_t i = 0; i < op->attr_count; i++) {
    if (!op->attrs[i].key || is_one_of(op->attrs[i].key, left_out)) continue;
    hone__text_add(text, before);
    if (op->attrs[i].value.span.end > op->attrs[i].value.span.begin)
      copy_attribute(mlir, &op->attrs[i], text);
    else
      hone__text_add(text, op->attrs[i].key); /* a unit */
    before = ", ";
  }
  if (*before == ',') hone__text_add(text, "}");
}

static void add_attribute(const struct hone__mlir *mlir, const struct hone__mlir_op *op,
                          const char *key, struct hone__text *text)
{
  for (size_t i = 0; i < op->attr_count; i++)
    if (op->attrs[i].key && !strcmp(op->attrs[i].key, key))
      copy_attribute(mlir, &op->attrs[i], text);
}

static void add_generic(const struct hone__mlir *mlir, const struct hone__mlir_op *op,
                        struct hone__text *text)
{
  hone__text_add(text, " {");
  add_attribute(mlir, op, "indexing_maps", text);
  hone__text_add(text, ", ");
  add_attribute(mlir, op, "iterator_types", text);
  hone__text_add(text, "}");
  add_clauses(op, text);
  add_other_attributes(mlir, op, " attrs = {", text);
  hone__text_add(text, " ");
  hone__iree_spec_copy(mlir, (struct hone__mlir_span){op->head.end, op->span.end}, NULL, 0, text);
}

/* linalg.matvec {...} ins(...) outs(...) -> type */
static void add_named(const struct hone__mlir *mlir, const struct hone__mlir_op *op,
                      struct hone__text *text)
{
  const struct hone__mlir_clause *outs = hone__mlir_clause(op, "outs");

  add_other_attributes(mlir, op, " {", text);
  add_clauses(op, text);
  hone__text_addf(text, " -> %s", outs && outs->type_count ? outs->types[0].text : "");
}

static void add_pattern(const struct hone__iree_operation *operation, struct hone__text *text)
{
  const struct hone__mlir *mlir = operation->mlir;
  const struct hone__mlir_op *op = operation->op;
  const unsigned results = operation->map_count - operation->input_count;

  hone__text_add(text, "    %ins, %outs = transform.iree.match.cast_compatible_dag_from_root %arg0 "
                       "{\n");
  add_arguments(op, text);
  hone__text_add(text, "      %root");
  if (results > 1) hone__text_addf(text, ":%u", results);
  hone__text_addf(text, " = %s", op->name);
  if (!strcmp(op->name, "linalg.generic"))
    add_generic(mlir, op, text);
  else
    add_named(mlir, op, text);
  hone__text_add(text, "\n    } : (!transform.any_op) -> (!transform.any_value, "
                       "!transform.any_value)\n");
}

/* ---- Its outside ---- */

/* Loops of one kind. Written in the generic form: IREE 3.13 does not read what it prints. */
static void add_loops(const struct hone__iree_operation *operation, bool is_reduction,
                      struct hone__text *text)
{
  const char *comma = "";
  struct hone__text list = {0};

  for (unsigned i = 0; i < operation->loop_count; i++) {
    if ((bool)(operation->reductions >> i & 1) != is_reduction) continue;
    hone__text_addf(&list, "%s%u", comma, i);
    comma = ", ";
  }
  if (list.length)
    hone__text_addf(text,
                    "      \"transform.match.structured.dim\"(%%op) <{%s, raw_dim_list = "
                    "array<i64: %s>}> : (!transform.any_op) -> ()\n",
                    is_reduction ? "reduction" : "parallel", list.data);
  hone__text_release(&list);
}

static void add_outside(const struct hone__iree_operation *operation, struct hone__text *text)
{
  unsigned operand = 0;

  hone__text_addf(text,
                  "    transform.match.operation_name %%arg0 [\"linalg.generic\"] : "
                  "!transform.any_op\n"
                  "    %%loops = transform.param.constant %u : i64 -> !transform.param<i64>\n"
                  "    transform.match.structured %%arg0 : !transform.any_op {\n"
                  "    ^bb0(%%op: !transform.any_op):\n"
                  "      %%rank = transform.match.structured.rank %%op : (!transform.any_op) -> "
                  "!transform.param<i64>\n"
                  "      transform.match.param.cmpi eq %%rank, %%loops : !transform.param<i64>\n",
                  operation->loop_count);
  add_loops(operation, false, text);
  add_loops(operation, true, text);
  hone__text_add(text, "      transform.match.structured.yield\n    }\n");
  for (size_t c = 0; c < 2; c++) {
    const struct hone__mlir_clause *clause = hone__mlir_clause(operation->op, clause_words[c]);
    for (size_t i = 0; clause && i < clause->type_count; i++, operand++)
      if (clause->types[i].is_shaped)
        hone__iree_tuning_spec_operand_type(operand, clause->types[i].text, text);
  }
}

void hone__iree_tuning_spec_single(const struct hone__iree_operation *operation,
                                   struct hone__text *text)
{
  if (hone__iree_body_is_closed(operation->op))
    add_pattern(operation, text);
  else
    add_outside(operation, text);
}
