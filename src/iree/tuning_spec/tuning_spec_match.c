/* tuning_spec_match.c - whether a matcher matches an operation, and the differences if not.
 *
 * A matcher is a list of conditions: kind, names, element types, maps, sizes by role, operands. An
 * operation is tested against each, and each failure is reported.
 */
#include "iree/tuning_spec/tuning_spec_parts.h"

#include <stdarg.h>

struct trial {
  const struct hone__iree_spec_matcher *matcher;
  const struct hone__iree_operation *operation;
  unsigned differences;
  struct hone__text *why; /* or NULL */
};

static void differs(struct trial *trial, const char *format, ...) HONE__PRINTF(2, 3);
static void differs(struct trial *trial, const char *format, ...)
{
  va_list args;

  trial->differences++;
  if (!trial->why) return;
  if (trial->differences > 1) hone__text_add(trial->why, "; ");
  va_start(args, format);
  hone__text_vaddf(trial->why, format, args);
  va_end(args);
}

/* ---- Words ---- */

/* "output_image_dims" is "output image". */
static void add_role(struct hone__text *text, const char *role)
{
  size_t length = strlen(role);

  if (length > 5 && !strcmp(role + length - 5, "_dims")) length -= 5;
  for (size_t i = 0; i < length; i++)
    hone__text_addn(text, role[i] == '_' ? " " : role + i, 1);
}

/* 1280, [3, 3], none; `?` for what is open. */
static void add_sizes(struct hone__text *text, const struct hone__iree_spec_dims *dims)
{
  if (!dims->count) hone__text_add(text, "none");
  if (dims->count > 1) hone__text_add(text, "[");
  for (unsigned i = 0; i < dims->count; i++) {
    if (i) hone__text_add(text, ", ");
    if (dims->sizes[i] < 0)
      hone__text_add(text, "?");
    else
      hone__text_addf(text, "%lld", (long long)dims->sizes[i]);
  }
  if (dims->count > 1) hone__text_add(text, "]");
}

/* ---- Conditions on an operation ---- */

static const char *kind_words(const struct hone__iree_operation *operation)
{
  if (operation->kind == HONE__IREE_GENERIC) return "generic";
  return hone__iree_spec_kind_of(operation)->what;
}

static void try_kind(struct trial *trial)
{
  const struct hone__iree_spec_matcher *matcher = trial->matcher;
  const struct hone__iree_operation *operation = trial->operation;

  if (matcher->what && strcmp(matcher->what, kind_words(operation)) != 0)
    differs(trial, "it is %s, the spec says %s", kind_words(operation), matcher->what);
  else if (matcher->what && operation->kind == HONE__IREE_ATTENTION && operation->has_mask)
    differs(trial, "it has a mask, which match.%s never matches", matcher->what);
}

static void try_name(struct trial *trial)
{
  const struct hone__iree_spec_matcher *matcher = trial->matcher;
  const char *name = trial->operation->op ? trial->operation->op->name : NULL;

  if (!matcher->op_name_count || !name) return;
  if (matcher->has_new_lines) return; /* the present form has no condition on the name */
  for (unsigned i = 0; i < matcher->op_name_count; i++)
    if (!strcmp(matcher->op_names[i], name)) return;
  differs(trial, "it is %s, the spec says %s", name, matcher->op_names[0]);
}

static void try_types(struct trial *trial)
{
  const struct hone__iree_spec_matcher *matcher = trial->matcher;
  const struct hone__iree_spec_kind *kind = hone__iree_spec_kind(matcher->what);

  for (unsigned i = 0; kind && i < matcher->type_count && i < trial->operation->map_count; i++) {
    const char *wanted = matcher->types[i], *real = trial->operation->types[i];
    if (!wanted || !real || !strcmp(wanted, real)) continue;
    differs(trial, "%s is %s, the spec says %s", kind->types[i] ? kind->types[i] : "a type", real,
            wanted);
  }
}

static void try_maps(struct trial *trial)
{
  const struct hone__iree_spec_matcher *matcher = trial->matcher;
  const struct hone__iree_operation *operation = trial->operation;

  if (!matcher->map_count) return;
  if (matcher->loop_count != operation->loop_count) {
    differs(trial, "it has %u loops, the spec's has %u", operation->loop_count,
            matcher->loop_count);
    return;
  }
  for (unsigned i = 0; i < matcher->map_count; i++)
    if (i >= operation->map_count || !hone__mlir_same_map(&matcher->maps[i], &operation->maps[i])) {
      differs(trial, "its indexing maps differ (operand %u)", i);
      return;
    }
  if (matcher->map_count != operation->map_count)
    differs(trial, "it has %u indexing maps, the spec's has %u", operation->map_count,
            matcher->map_count);
}

static bool same_sizes(const struct hone__iree_spec_dims *wanted,
                       const struct hone__iree_spec_dims *real)
{
  if (wanted->count != real->count) return false;
  for (unsigned i = 0; i < wanted->count; i++)
    if (wanted->sizes[i] >= 0 && wanted->sizes[i] != real->sizes[i]) return false;
  return true;
}

static void try_sizes(struct trial *trial)
{
  for (unsigned i = 0; i < trial->matcher->dim_count; i++) {
    const struct hone__iree_spec_dims *wanted = &trial->matcher->dims[i];
    struct hone__iree_spec_dims real;
    struct hone__text words = {0};
    hone__iree_spec_role_sizes(trial->operation, wanted->role, &real);
    if (same_sizes(wanted, &real)) continue;
    add_role(&words, wanted->role);
    hone__text_add(&words,
                   wanted->role[strlen(wanted->role) - 1] == 's' && !strstr(wanted->role, "_dims")
                       ? " are "
                       : " is ");
    add_sizes(&words, &real);
    hone__text_add(&words, ", the spec says ");
    add_sizes(&words, wanted);
    differs(trial, "%s", words.data);
    hone__text_release(&words);
  }
}

static const struct hone__mlir_type *operand_type(const struct hone__mlir_op *op, unsigned index)
{
  static const char *const words[] = {"ins", "outs"};

  for (size_t c = 0; op && c < 2; c++) {
    const struct hone__mlir_clause *clause = hone__mlir_clause(op, words[c]);
    if (!clause) continue;
    if (index < clause->type_count) return &clause->types[index];
    index -= (unsigned)clause->type_count;
  }
  return NULL;
}

bool hone__iree_spec_type_fits(const struct hone__mlir_type *wanted,
                               const struct hone__mlir_type *real)
{
  if (strcmp(wanted->element, real->element) != 0) return false;
  if (wanted->is_shaped != real->is_shaped || wanted->rank != real->rank) return false;
  for (unsigned i = 0; wanted->is_shaped && i < wanted->rank; i++)
    if (wanted->dims[i] >= 0 && wanted->dims[i] != real->dims[i]) return false;
  return true;
}

static void try_operand_dims(struct trial *trial, const struct hone__iree_spec_operand *operand,
                             const struct hone__mlir_type *real)
{
  for (unsigned i = 0; i < HONE__SPEC_SIZES; i++) {
    int64_t multiple = operand->dims[i].multiple, low = operand->dims[i].low;
    int64_t high = operand->dims[i].high, size = i < real->rank ? real->dims[i] : -1;
    if (multiple && (size < 0 || size % multiple))
      differs(trial, "dim %u of operand %u is %lld, the spec says a multiple of %lld", i,
              operand->index, (long long)size, (long long)multiple);
    if (low && size < low)
      differs(trial, "dim %u of operand %u is %lld, the spec says %lld or more", i, operand->index,
              (long long)size, (long long)low);
    if (high && size > high)
      differs(trial, "dim %u of operand %u is %lld, the spec says %lld or less", i, operand->index,
              (long long)size, (long long)high);
  }
}

static void try_operands(struct trial *trial)
{
  for (unsigned i = 0; i < trial->matcher->operand_count; i++) {
    const struct hone__iree_spec_operand *operand = &trial->matcher->operands[i];
    const struct hone__mlir_type *real = operand_type(trial->operation->op, operand->index);
    if (!real) {
      if (trial->operation->op) differs(trial, "it has no operand %u", operand->index);
      continue;
    }
    if (operand->type.text && !hone__iree_spec_type_fits(&operand->type, real))
      differs(trial, "operand %u is %s, the spec says %s", operand->index, real->text,
              operand->type.text);
    try_operand_dims(trial, operand, real);
  }
}

static unsigned try_all(const struct hone__iree_spec_matcher *matcher,
                        const struct hone__iree_operation *operation, struct hone__text *why)
{
  struct trial trial = {.matcher = matcher, .operation = operation, .why = why};
  unsigned before;

  try_kind(&trial);
  if (trial.differences && matcher->what && strcmp(matcher->what, kind_words(operation)) != 0)
    return 100;
  try_name(&trial);
  try_types(&trial);
  try_maps(&trial);
  before = trial.differences;
  try_sizes(&trial);
  if (trial.differences == before) try_operands(&trial); /* otherwise it would be reported twice */
  return trial.differences;
}

unsigned hone__iree_spec_matcher_distance(const struct hone__iree_spec_matcher *matcher,
                                          const struct hone__iree_operation *operation)
{
  return try_all(matcher, operation, NULL);
}

bool hone__iree_spec_matcher_hits(const struct hone__iree_spec_matcher *matcher,
                                  const struct hone__iree_operation *operation,
                                  struct hone__text *why)
{
  unsigned differences = try_all(matcher, operation, why);

  if (differences) return false;
  if (matcher->is_understood) return true;
  if (why)
    hone__text_addf(why, "the matcher is not understood (%s)",
                    matcher->why_not ? matcher->why_not : "");
  return false;
}

/* ---- In words ---- */

void hone__iree_spec_matcher_words(const struct hone__iree_spec_matcher *matcher,
                                   struct hone__text *text)
{
  const char *what = matcher->what;

  if (!what) what = matcher->op_name_count ? matcher->op_names[0] : "any operation";
  hone__text_add(text, what);
  for (unsigned i = 0; i < matcher->type_count; i++)
    if (matcher->types[i]) hone__text_addf(text, " %s", matcher->types[i]);
  for (unsigned i = 0; i < matcher->dim_count; i++) {
    if (!matcher->dims[i].count) continue;
    hone__text_add(text, ", ");
    add_role(text, matcher->dims[i].role);
    hone__text_add(text, " ");
    add_sizes(text, &matcher->dims[i]);
  }
  for (unsigned i = 0; !matcher->dim_count && i < matcher->operand_count; i++)
    if (matcher->operands[i].type.text)
      hone__text_addf(text, "%s%s", i ? ", " : " of ", matcher->operands[i].type.text);
  if (!matcher->is_understood)
    hone__text_addf(text, " (not all of it is understood: %s)",
                    matcher->why_not ? matcher->why_not : "");
}
