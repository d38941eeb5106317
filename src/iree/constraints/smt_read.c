/* smt_read.c - operations of a constraints block, one by one, as terms.
 *
 * What is not an operand (numbers, names, lists) is taken from the text after the operation's
 * name. An operation that is not in the table is an error: leaving it out would change the space.
 */
#include "iree/constraints/smt_model.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

struct reader {
  struct hone__smt_model *model;
  const char **names; /* of values: "%24" */
  const struct hone__smt_term **terms;
  size_t count, capacity, term_capacity;
};

#define MAX_OPERATIONS 20000
#define MAX_SIZE       16384.0 /* of a term, in characters */

/* ---- Text after the name ---- */

static const char *behind_name(const struct reader *reader, const struct hone__mlir_op *op)
{
  const struct hone__mlir *mlir = reader->model->mlir;
  const size_t length = op->head.end - op->head.begin;
  const char *text =
      hone__arena_strndup(&reader->model->arena, mlir->text + op->head.begin, length);
  const char *name = strstr(text, op->name);

  return name ? name + strlen(op->name) : text;
}

static const char *quoted(const struct reader *reader, const struct hone__mlir_op *op)
{
  const char *begin = strchr(behind_name(reader, op), '"');
  const char *end = begin ? strchr(begin + 1, '"') : NULL;

  if (!end) return NULL;
  return hone__arena_strndup(&reader->model->arena, begin + 1, (size_t)(end - begin - 1));
}

static bool read_number(const char **at, int64_t *out)
{
  char *end;

  errno = 0;
  *out = strtoll(*at, &end, 10);
  if (end == *at || errno) return false;
  *at = end;
  return true;
}

/* "[0, 1]" after `at`, which moves after it; SIZE_MAX: there is no such list. */
static size_t read_list(const char **at, int64_t *numbers, size_t room)
{
  const char *text = strchr(*at, '[');
  size_t count = 0;

  if (!text) return SIZE_MAX;
  for (text++; count < room; text++) {
    if (!read_number(&text, &numbers[count++])) return SIZE_MAX;
    text += strspn(text, " \t\n");
    if (*text == ']') {
      *at = text + 1;
      return count;
    }
    if (*text != ',') return SIZE_MAX;
  }
  return SIZE_MAX;
}

/* ---- Values ---- */

static const struct hone__smt_term *value_of(const struct reader *reader, const char *name)
{
  for (size_t i = reader->count; i-- > 0;)
    if (!strcmp(reader->names[i], name)) return reader->terms[i];
  return NULL;
}

static void define(struct reader *reader, const char *name, const struct hone__smt_term *term)
{
  size_t count = reader->count;

  HONE__GROW(reader->names, reader->count, reader->capacity);
  HONE__GROW(reader->terms, count, reader->term_capacity);
  reader->names[reader->count] = name;
  reader->terms[reader->count++] = term;
}

static hone_status problem(const struct reader *reader, const struct hone__mlir_op *op,
                           const char *what)
{
  return hone__mlir_error(reader->model->mlir, op->span.begin, "%s: '%s'", what, op->name);
}

static bool is_identifier(const char *name)
{
  if (!isalpha((unsigned char)*name) && *name != '_') return false;
  for (; *name; name++)
    if (!isalnum((unsigned char)*name) && *name != '_') return false;
  return true;
}

/* The variable of this name, a new one if there is none yet; -1: there are too many. */
static int unknown_number(struct hone__smt_model *model, const char *name, enum hone__smt_role role)
{
  unsigned i;

  for (i = 0; i < model->unknown_count; i++)
    if (!strcmp(model->names[i], name)) return (int)i;
  if (i == HONE__SMT_MAX_VARIABLES) return -1;
  model->unknowns[i] = (struct hone__smt_unknown){.name = name, .role = role};
  model->names[i] = name;
  return (int)model->unknown_count++;
}

static hone_status define_unknown(struct reader *reader, const struct hone__mlir_op *op,
                                  const char *result, const char *name, enum hone__smt_role role)
{
  int number;

  if (!name || !is_identifier(name) || !strcmp(name, "pipeline"))
    return problem(reader, op, "cannot use the name of this knob");
  number = unknown_number(reader->model, name, role);
  if (number < 0) return problem(reader, op, "too many knobs");
  define(reader, result, hone__smt_variable(&reader->model->arena, (unsigned)number));
  return NULL;
}

/* ---- Operations ---- */

typedef hone_status read_operation(struct reader *reader, const struct hone__mlir_op *op,
                                   enum hone__smt_kind kind);

static hone_status read_knob(struct reader *reader, const struct hone__mlir_op *op,
                             enum hone__smt_kind kind)
{
  const enum hone__smt_role role =
      !strcmp(op->name, "smt.declare_fun") ? HONE__SMT_HELPER : HONE__SMT_KNOB;

  (void)kind;
  return define_unknown(reader, op, op->results[0], quoted(reader, op), role);
}

static hone_status read_constant(struct reader *reader, const struct hone__mlir_op *op,
                                 enum hone__smt_kind kind)
{
  const char *text = behind_name(reader, op);
  int64_t value;

  (void)kind;
  text += strspn(text, " \t\n");
  if (hone__starts_with(text, "true") || hone__starts_with(text, "false"))
    value = *text == 't';
  else if (!read_number(&text, &value))
    return problem(reader, op, "cannot read the number of a constant");
  define(reader, op->results[0], hone__smt_constant(&reader->model->arena, value));
  return NULL;
}

static hone_status read_lookup(struct reader *reader, const struct hone__mlir_op *op,
                               enum hone__smt_kind kind)
{
  const char *text = behind_name(reader, op);
  const struct hone__smt_term *index = op->operand_count ? value_of(reader, op->operands[0]) : NULL;
  const struct hone__smt_term *term;
  int64_t keys[256], values[256];
  size_t key_count = read_list(&text, keys, 256), count = read_list(&text, values, 256);

  (void)kind;
  if (!index || key_count == SIZE_MAX || key_count != count)
    return problem(reader, op, "cannot read the lists of a lookup");
  term = hone__smt_lookup(&reader->model->arena, index, keys, values, count);
  if (!term) return problem(reader, op, "the index is not in the lookup's list");
  define(reader, op->results[0], term);
  return NULL;
}

static hone_status operands_of(struct reader *reader, const struct hone__mlir_op *op, size_t least,
                               size_t most, const struct hone__smt_term ***out_args)
{
  *out_args = hone__arena_alloc(&reader->model->arena, (op->operand_count + 1) * sizeof **out_args);
  if (op->operand_count < least || op->operand_count > most)
    return problem(reader, op, "wrong number of operands");
  for (size_t i = 0; i < op->operand_count; i++) {
    (*out_args)[i] = value_of(reader, op->operands[i]);
    if (!(*out_args)[i])
      return hone__mlir_error(reader->model->mlir, op->span.begin,
                              "'%s' uses '%s', which is not defined in this block", op->name,
                              op->operands[i]);
  }
  return NULL;
}

static hone_status finish(struct reader *reader, const struct hone__mlir_op *op,
                          const struct hone__smt_term *term)
{
  if (!term) return problem(reader, op, "the value does not fit or divides by 0");
  if (term->size > MAX_SIZE) return problem(reader, op, "the constraint is too large");
  define(reader, op->results[0], term);
  return NULL;
}

static const struct {
  const char *word;
  enum hone__smt_kind kind;
} comparisons[] = {
    {"ge", HONE__SMT_GE}, {"gt", HONE__SMT_GT}, {"le", HONE__SMT_LE}, {"lt", HONE__SMT_LT}};

static hone_status read_comparison(struct reader *reader, const struct hone__mlir_op *op,
                                   enum hone__smt_kind kind)
{
  const struct hone__smt_term **args;
  const char *text = behind_name(reader, op);
  hone_status status = operands_of(reader, op, 2, 2, &args);

  (void)kind;
  if (status) return status;
  text += strspn(text, " \t\n");
  for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
    if (!strncmp(text, comparisons[i].word, 2) && isspace((unsigned char)text[2]))
      return finish(reader, op,
                    hone__smt_term(&reader->model->arena, comparisons[i].kind, args, 2));
  return problem(reader, op, "unknown comparison");
}

/* Equality of more than two: each equals the first. */
static hone_status read_equality(struct reader *reader, const struct hone__mlir_op *op,
                                 enum hone__smt_kind kind)
{
  struct hone__arena *arena = &reader->model->arena;
  const struct hone__smt_term **args, **parts;
  hone_status status = operands_of(reader, op, 2, kind == HONE__SMT_EQ ? SIZE_MAX : 2, &args);

  if (status) return status;
  parts = hone__arena_alloc(arena, op->operand_count * sizeof *parts);
  for (size_t i = 1; i < op->operand_count; i++) {
    const struct hone__smt_term *pair[] = {args[0], args[i]};

    parts[i - 1] = hone__smt_term(arena, kind, pair, 2);
    if (!parts[i - 1]) return finish(reader, op, NULL);
  }
  return finish(reader, op, hone__smt_term(arena, HONE__SMT_AND, parts, op->operand_count - 1));
}

static hone_status read_many(struct reader *reader, const struct hone__mlir_op *op,
                             enum hone__smt_kind kind)
{
  const struct hone__smt_term **args;
  hone_status status = operands_of(reader, op, 1, SIZE_MAX, &args);

  if (status) return status;
  return finish(reader, op, hone__smt_term(&reader->model->arena, kind, args, op->operand_count));
}

static hone_status read_exactly(struct reader *reader, const struct hone__mlir_op *op,
                                enum hone__smt_kind kind)
{
  const bool is_one = kind == HONE__SMT_NOT || kind == HONE__SMT_NEG || kind == HONE__SMT_ABS;
  const size_t count = is_one ? 1 : kind == HONE__SMT_CHOICE ? 3 : 2;
  const struct hone__smt_term **args;
  hone_status status = operands_of(reader, op, count, count, &args);

  if (status) return status;
  return finish(reader, op, hone__smt_term(&reader->model->arena, kind, args, count));
}

static hone_status read_assert(struct reader *reader, const struct hone__mlir_op *op,
                               enum hone__smt_kind kind)
{
  struct hone__smt_model *model = reader->model;
  const struct hone__smt_term **args;
  hone_status status = operands_of(reader, op, 1, SIZE_MAX, &args);

  (void)kind;
  if (status) return status;
  HONE__GROW(model->asserts, model->assert_count, model->assert_capacity);
  model->asserts[model->assert_count++] = args[0];
  return NULL;
}

static const struct {
  const char *name;
  read_operation *read;
  enum hone__smt_kind kind;
  bool has_result;
} operations[] = {
    {"iree_codegen.smt.assert", read_assert, HONE__SMT_CONSTANT, false},
    {"iree_codegen.smt.knob", read_knob, HONE__SMT_VARIABLE, true},
    {"iree_codegen.smt.lookup", read_lookup, HONE__SMT_LOOKUP, true},
    {"smt.and", read_many, HONE__SMT_AND, true},
    {"smt.bool.constant", read_constant, HONE__SMT_CONSTANT, true},
    {"smt.declare_fun", read_knob, HONE__SMT_VARIABLE, true},
    {"smt.distinct", read_equality, HONE__SMT_DISTINCT, true},
    {"smt.eq", read_equality, HONE__SMT_EQ, true},
    {"smt.implies", read_exactly, HONE__SMT_IMPLIES, true},
    {"smt.int.abs", read_exactly, HONE__SMT_ABS, true},
    {"smt.int.add", read_many, HONE__SMT_ADD, true},
    {"smt.int.cmp", read_comparison, HONE__SMT_LE, true},
    {"smt.int.constant", read_constant, HONE__SMT_CONSTANT, true},
    {"smt.int.div", read_exactly, HONE__SMT_DIV, true},
    {"smt.int.mod", read_exactly, HONE__SMT_MOD, true},
    {"smt.int.mul", read_many, HONE__SMT_MUL, true},
    {"smt.int.neg", read_exactly, HONE__SMT_NEG, true},
    {"smt.int.sub", read_exactly, HONE__SMT_SUB, true},
    {"smt.ite", read_exactly, HONE__SMT_CHOICE, true},
    {"smt.not", read_exactly, HONE__SMT_NOT, true},
    {"smt.or", read_many, HONE__SMT_OR, true},
    {"smt.xor", read_equality, HONE__SMT_DISTINCT, true},
};

static hone_status read_one(struct reader *reader, const struct hone__mlir_op *op)
{
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    if (strcmp(op->name, operations[i].name)) continue;
    if (operations[i].has_result != (op->result_count == 1))
      return problem(reader, op, "wrong number of results");
    return operations[i].read(reader, op, operations[i].kind);
  }
  return problem(reader, op, "unknown operation in the compiler's constraints");
}

/* ---- The block ---- */

static hone_status read_dims(struct reader *reader, const struct hone__mlir_op *op)
{
  hone_status status = NULL;

  for (size_t i = 0; !status && i < op->block_arg_count; i++)
    status = define_unknown(reader, op, op->block_args[i],
                            hone__arena_printf(&reader->model->arena, "dim_%zu", i), HONE__SMT_DIM);
  return status;
}

hone_status hone__smt_model_read(struct hone__smt_model *out_model, const struct hone__mlir *mlir,
                                 const struct hone__mlir_op *op)
{
  struct reader reader = {.model = out_model};
  hone_status status;

  *out_model = (struct hone__smt_model){.mlir = mlir, .op = op};
  if (op->child_count > MAX_OPERATIONS)
    return hone__mlir_error(mlir, op->span.begin, "constraints of more than %d operations",
                            MAX_OPERATIONS);
  status = read_dims(&reader, op);
  for (size_t i = 0; !status && i < op->child_count; i++)
    status = read_one(&reader, op->children[i]);
  free(reader.names);
  free(reader.terms);
  return status;
}
