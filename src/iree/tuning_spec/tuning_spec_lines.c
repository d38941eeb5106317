/* tuning_spec_lines.c - the conditions of a matcher, line by line.
 *
 * Two forms are supported. The present one names the kind of operation (match.contraction) and the
 * sizes of its dims by role. The older one shows an operation as a pattern
 * (cast_compatible_dag_from_root) with open sizes, which the types of operands then fix. A matcher
 * with an unknown line is not understood: it may have more conditions.
 */
#include "iree/tuning_spec/tuning_spec_parts.h"

#include "hone_text.h"

#include <stdlib.h>

enum { MAX_BINDINGS = 64, MAX_INCLUDES = 8 };

struct binding { /* what a value stands for */
  const char *value;
  const char *role;                    /* dims of this role, or */
  int operand;                         /* this operand of the operation, or -1 */
  const struct hone__mlir_attr *param; /* or a constant */
};

struct walk { /* over one sequence */
  struct hone__iree_spec_reader *reader;
  struct hone__iree_spec_matcher *matcher;
  const struct hone__mlir_op *module, *sequence;
  struct binding bindings[MAX_BINDINGS];
  unsigned binding_count, depth;
  struct hone__iree_spec_body *body;
};

void hone__iree_spec_give_up(struct hone__iree_spec_reader *reader,
                             struct hone__iree_spec_matcher *matcher,
                             const struct hone__mlir_op *op, const char *why)
{
  if (!matcher->is_understood) return;
  matcher->is_understood = false;
  matcher->why_not =
      hone__arena_printf(&reader->spec->mlir.arena, "line %u: %s: %s", op->line, op->name, why);
}

static void give_up(struct walk *walk, const struct hone__mlir_op *op, const char *why)
{
  hone__iree_spec_give_up(walk->reader, walk->matcher, op, why);
}

/* ---- Values ---- */

static void bind(struct walk *walk, const struct hone__mlir_op *op, size_t result,
                 struct binding binding)
{
  if (result >= op->result_count) return;
  if (walk->binding_count == MAX_BINDINGS) {
    give_up(walk, op, "too many values");
    return;
  }
  binding.value = op->results[result];
  walk->bindings[walk->binding_count++] = binding;
}

static const struct binding *find_binding(const struct walk *walk, const char *value)
{
  for (unsigned i = walk->binding_count; i-- > 0;)
    if (!strcmp(walk->bindings[i].value, value)) return &walk->bindings[i];
  return NULL;
}

static const struct binding *operand_binding(const struct walk *walk,
                                             const struct hone__mlir_op *op, size_t operand)
{
  return operand < op->operand_count ? find_binding(walk, op->operands[operand]) : NULL;
}

const struct hone__mlir_attr *hone__iree_spec_bare(const struct hone__mlir_op *op,
                                                   enum hone__mlir_kind kind)
{
  for (size_t i = 0; i < op->attr_count; i++)
    if (!op->attrs[i].key && op->attrs[i].value.kind == kind) return &op->attrs[i].value;
  return NULL;
}

static bool first_integer(const struct hone__mlir_attr *list, int64_t *out_integer)
{
  if (!list || list->kind != HONE__MLIR_LIST || list->count != 1) return false;
  if (list->entries[0].value.kind != HONE__MLIR_INTEGER) return false;
  *out_integer = list->entries[0].value.integer;
  return true;
}

/* ---- Today's lines ---- */

static void read_spares(struct walk *walk, const struct hone__mlir_op *op)
{
  (void)op;
  walk->matcher->spares_configured = true;
}

static void read_maps(struct walk *walk, const struct hone__mlir_op *op)
{
  const struct hone__mlir_attr *list = hone__mlir_attr(op, "indexing_maps");
  struct hone__iree_spec_matcher *matcher = walk->matcher;

  if (!list) return;
  if (list->kind != HONE__MLIR_LIST || list->count == 0 || list->count > HONE__SPEC_TYPES) {
    give_up(walk, op, "indexing maps that are not understood");
    return;
  }
  matcher->maps =
      hone__arena_alloc(&walk->reader->spec->mlir.arena, list->count * sizeof *matcher->maps);
  for (size_t i = 0; i < list->count; i++) {
    if (list->entries[i].value.kind != HONE__MLIR_MAP) {
      give_up(walk, op, "indexing maps that are not understood");
      return;
    }
    matcher->maps[i] = *list->entries[i].value.map;
  }
  matcher->map_count = (unsigned)list->count;
  matcher->loop_count = matcher->maps[0].dims;
}

static void read_kind(struct walk *walk, const struct hone__mlir_op *op)
{
  const struct hone__iree_spec_kind *kind = hone__iree_spec_kind(strrchr(op->name, '.') + 1);
  struct hone__iree_spec_matcher *matcher = walk->matcher;

  if (matcher->what) {
    give_up(walk, op, "a second kind of operation");
    return;
  }
  matcher->what = kind->what;
  for (unsigned i = 0; kind->types[i]; i++) {
    const struct hone__mlir_attr *type =
        *kind->types[i] ? hone__mlir_attr(op, kind->types[i]) : NULL;
    matcher->types[i] = type ? type->text : NULL;
    matcher->type_count = i + 1;
  }
  for (unsigned i = 0; kind->roles[i]; i++)
    bind(walk, op, i, (struct binding){.role = kind->roles[i], .operand = -1});
  read_maps(walk, op);
}

static void read_sizes(struct walk *walk, const struct hone__mlir_op *op)
{
  const struct binding *binding = operand_binding(walk, op, 0);
  const struct hone__mlir_attr *list = hone__iree_spec_bare(op, HONE__MLIR_LIST);
  struct hone__iree_spec_matcher *matcher = walk->matcher;
  struct hone__iree_spec_dims *dims = &matcher->dims[matcher->dim_count];

  if (!binding || !binding->role || !list || list->count > HONE__SPEC_SIZES ||
      matcher->dim_count == sizeof matcher->dims / sizeof *matcher->dims) {
    give_up(walk, op, "sizes of an unknown value");
    return;
  }
  *dims = (struct hone__iree_spec_dims){.role = binding->role, .count = (unsigned)list->count};
  for (unsigned i = 0; i < dims->count; i++)
    dims->sizes[i] = list->entries[i].value.integer;
  matcher->dim_count++;
}

/* ---- Older lines ---- */

static void read_name(struct walk *walk, const struct hone__mlir_op *op)
{
  const struct hone__mlir_attr *list = hone__iree_spec_bare(op, HONE__MLIR_LIST);
  struct hone__iree_spec_matcher *matcher = walk->matcher;
  size_t most = sizeof matcher->op_names / sizeof *matcher->op_names;

  if (!list || list->count > most || matcher->op_name_count) {
    if (!matcher->op_name_count) give_up(walk, op, "names that are not understood");
    return;
  }
  for (size_t i = 0; i < list->count; i++)
    if (list->entries[i].value.kind == HONE__MLIR_STRING)
      matcher->op_names[matcher->op_name_count++] = list->entries[i].value.text;
}

static void read_pattern(struct walk *walk, const struct hone__mlir_op *op)
{
  if (!op->child_count || walk->body->pattern) {
    give_up(walk, op, "a pattern that is not understood");
    return;
  }
  if (op->child_count > 1) give_up(walk, op, "a pattern of several operations");
  walk->body->pattern = op->children[op->child_count - 1];
}

static void read_operand(struct walk *walk, const struct hone__mlir_op *op)
{
  int64_t index;

  if (!first_integer(hone__iree_spec_bare(op, HONE__MLIR_LIST), &index) || index < 0 || index > 64)
    give_up(walk, op, "an operand that is not understood");
  else
    bind(walk, op, 0, (struct binding){.operand = (int)index});
}

/* The conditions on the operand that the line is about; NULL: it is not an operand of the
 * operation. */
static struct hone__iree_spec_operand *line_operand(struct walk *walk,
                                                    const struct hone__mlir_op *op)
{
  const struct binding *binding = operand_binding(walk, op, 0);
  struct hone__iree_spec_matcher *matcher = walk->matcher;
  unsigned i;

  if (!binding || binding->role || binding->param || binding->operand < 0) {
    give_up(walk, op, "a value that is not an operand");
    return NULL;
  }
  for (i = 0; i < matcher->operand_count; i++)
    if (matcher->operands[i].index == (unsigned)binding->operand) return &matcher->operands[i];
  if (i == sizeof matcher->operands / sizeof *matcher->operands) {
    give_up(walk, op, "too many operands");
    return NULL;
  }
  matcher->operand_count++;
  matcher->operands[i].index = (unsigned)binding->operand;
  return &matcher->operands[i];
}

static void read_type(struct walk *walk, const struct hone__mlir_op *op)
{
  const struct hone__mlir_attr *type = hone__iree_spec_bare(op, HONE__MLIR_TYPE);
  struct hone__iree_spec_operand *operand = line_operand(walk, op);

  if (!operand) return;
  if (!type || operand->type.text || type->type.rank > HONE__SPEC_SIZES)
    give_up(walk, op, "a type that is not understood");
  else
    operand->type = type->type;
  if (operand->type.text && !operand->type.is_shaped) operand->type.rank = 0;
}

/* %lhs[1]: which dim of the operand; NULL after giving up. */
static struct hone__iree_spec_operand *line_dim(struct walk *walk, const struct hone__mlir_op *op,
                                                int64_t *out_dim)
{
  if (first_integer(hone__iree_spec_bare(op, HONE__MLIR_LIST), out_dim) && *out_dim >= 0 &&
      *out_dim < HONE__SPEC_SIZES)
    return line_operand(walk, op);
  give_up(walk, op, "a dim that is not understood");
  return NULL;
}

static void read_multiple(struct walk *walk, const struct hone__mlir_op *op)
{
  const struct hone__mlir_attr *multiple = hone__iree_spec_bare(op, HONE__MLIR_INTEGER);
  int64_t dim;
  struct hone__iree_spec_operand *operand = line_dim(walk, op, &dim);

  if (!operand) return;
  if (!multiple || multiple->integer <= 0 || operand->dims[dim].multiple)
    give_up(walk, op, "a multiple that is not understood");
  else
    operand->dims[dim].multiple = multiple->integer;
}

static void read_bounds(struct walk *walk, const struct hone__mlir_op *op)
{
  const struct hone__mlir_attr *low = hone__mlir_attr(op, "umin");
  const struct hone__mlir_attr *high = hone__mlir_attr(op, "umax");
  int64_t dim;
  struct hone__iree_spec_operand *operand = line_dim(walk, op, &dim);

  if (!operand) return;
  if (low && low->kind == HONE__MLIR_INTEGER) operand->dims[dim].low = low->integer;
  if (high && high->kind == HONE__MLIR_INTEGER) operand->dims[dim].high = high->integer;
}

/* ---- Lines about lines ---- */

static void read_param(struct walk *walk, const struct hone__mlir_op *op)
{
  for (size_t i = 0; i < op->attr_count; i++) {
    if (op->attrs[i].key) continue;
    bind(walk, op, 0, (struct binding){.operand = -1, .param = &op->attrs[i].value});
    return;
  }
}

/* Only what the matcher itself yields reaches its action. */
static void read_yield(struct walk *walk, const struct hone__mlir_op *op)
{
  struct hone__iree_spec_body *body = walk->body;

  for (size_t i = 0; walk->depth == 0 && i < op->operand_count && i < HONE__SPEC_PARAMS; i++) {
    const struct binding *binding = find_binding(walk, op->operands[i]);
    body->params[i] = binding ? binding->param : NULL;
    body->param_count = (unsigned)i + 1;
  }
}

static void read_lines(struct walk *walk);

/* Another matcher, on the same operation. */
static void read_include(struct walk *walk, const struct hone__mlir_op *op)
{
  struct walk *inner;
  const struct hone__mlir_op *sequence =
      op->symbol ? hone__iree_spec_symbol(walk->module, op->symbol) : NULL;

  if (!sequence || walk->depth == MAX_INCLUDES || op->operand_count != 1 ||
      strcmp(op->operands[0], walk->sequence->block_args[0]) != 0) {
    give_up(walk, op, "an inclusion that is not understood");
    return;
  }
  inner = hone__alloc(sizeof *inner);
  inner->reader = walk->reader;
  inner->matcher = walk->matcher;
  inner->module = walk->module;
  inner->sequence = sequence;
  inner->depth = walk->depth + 1;
  inner->body = walk->body;
  read_lines(inner);
  free(inner);
}

static const struct {
  const char *name;
  void (*read)(struct walk *walk, const struct hone__mlir_op *op);
} lines[] = {
    {"transform.iree.match.has_no_lowering_config", read_spares},
    {"transform.iree.match.contraction", read_kind},
    {"transform.iree.match.convolution", read_kind},
    {"transform.iree.match.attention", read_kind},
    {"transform.iree.match.online_attention", read_kind},
    {"transform.iree.match.dims_equal", read_sizes},
    {"transform.match.operation_name", read_name},
    {"transform.iree.match.cast_compatible_dag_from_root", read_pattern},
    {"transform.get_operand", read_operand},
    {"transform.iree.match.cast_compatible_type", read_type},
    {"transform.iree.match.dim_is_multiple_of", read_multiple},
    {"transform.iree.match.dim_bounds", read_bounds},
    {"transform.include", read_include},
    {"transform.param.constant", read_param},
    {"transform.yield", read_yield},
};

/* All of IREE's operations are known here: a near match is a misspelling. */
static void suggest_line(struct walk *walk, const struct hone__mlir_op *op)
{
  struct hone_nearest nearest = {.word = op->name};

  if (!hone__starts_with(op->name, "transform.iree.match.") ||
      !strcmp(op->name, "transform.iree.match.regions"))
    return;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    hone_nearest_try(&nearest, lines[i].name);
  if (nearest.best)
    hone__iree_spec_problem(walk->reader, walk->matcher,
                            "line %u: unknown operation '%s'; did you mean '%s'?", op->line,
                            op->name, nearest.best);
}

static void read_line(struct walk *walk, const struct hone__mlir_op *op)
{
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (!strcmp(lines[i].name, op->name)) {
      lines[i].read(walk, op);
      return;
    }
  suggest_line(walk, op);
  give_up(walk, op, "not known");
}

static void read_lines(struct walk *walk)
{
  if (walk->sequence->block_arg_count != 1) {
    give_up(walk, walk->sequence, "a matcher has one argument");
    return;
  }
  for (size_t i = 0; i < walk->sequence->child_count; i++)
    read_line(walk, walk->sequence->children[i]);
}

void hone__iree_spec_read_lines(struct hone__iree_spec_reader *reader,
                                const struct hone__mlir_op *module,
                                struct hone__iree_spec_matcher *matcher,
                                struct hone__iree_spec_body *out_body)
{
  struct walk *walk = hone__alloc(sizeof *walk);

  *out_body = (struct hone__iree_spec_body){.pattern = NULL};
  walk->reader = reader;
  walk->matcher = matcher;
  walk->module = module;
  walk->sequence = matcher->sequence;
  walk->body = out_body;
  read_lines(walk);
  free(walk);
}
