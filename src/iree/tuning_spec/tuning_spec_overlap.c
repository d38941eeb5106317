/* tuning_spec_overlap.c - whether two matchers can match the same operation.
 *
 * They exclude each other if one condition of both cannot hold at once. One covers the other if
 * each of its conditions follows from those of the other. Names of matchers do not matter here.
 */
#include "iree/tuning_spec/tuning_spec_parts.h"

static bool maps_exclude(const struct hone__iree_spec_matcher *a,
                         const struct hone__iree_spec_matcher *b)
{
  if (!a->map_count || !b->map_count) return false;
  if (a->map_count != b->map_count) return true;
  for (unsigned i = 0; i < a->map_count; i++)
    if (!hone__mlir_same_map(&a->maps[i], &b->maps[i])) return true;
  return false;
}

static bool types_exclude(const struct hone__iree_spec_matcher *a,
                          const struct hone__iree_spec_matcher *b)
{
  for (unsigned i = 0; i < a->type_count && i < b->type_count; i++)
    if (a->types[i] && b->types[i] && strcmp(a->types[i], b->types[i]) != 0) return true;
  return false;
}

static const struct hone__iree_spec_dims *find_dims(const struct hone__iree_spec_matcher *matcher,
                                                    const char *role)
{
  for (unsigned i = 0; i < matcher->dim_count; i++)
    if (!strcmp(matcher->dims[i].role, role)) return &matcher->dims[i];
  return NULL;
}

static bool sizes_exclude(const struct hone__iree_spec_matcher *a,
                          const struct hone__iree_spec_matcher *b)
{
  for (unsigned i = 0; i < a->dim_count; i++) {
    const struct hone__iree_spec_dims *own = &a->dims[i], *other = find_dims(b, own->role);
    if (!other) continue;
    if (other->count != own->count) return true;
    for (unsigned j = 0; j < own->count; j++)
      if (own->sizes[j] >= 0 && other->sizes[j] >= 0 && own->sizes[j] != other->sizes[j])
        return true;
  }
  return false;
}

static const struct hone__iree_spec_operand *
find_operand(const struct hone__iree_spec_matcher *matcher, unsigned index)
{
  for (unsigned i = 0; i < matcher->operand_count; i++)
    if (matcher->operands[i].index == index) return &matcher->operands[i];
  return NULL;
}

static bool operand_types_exclude(const struct hone__mlir_type *a, const struct hone__mlir_type *b)
{
  if (!a->text || !b->text) return false;
  if (strcmp(a->element, b->element) != 0) return true;
  if (a->is_shaped != b->is_shaped || a->rank != b->rank) return true;
  for (unsigned i = 0; a->is_shaped && i < a->rank; i++)
    if (a->dims[i] >= 0 && b->dims[i] >= 0 && a->dims[i] != b->dims[i]) return true;
  return false;
}

/* The condition on one dim, as bounds and a multiple; a size is all three. */
struct range {
  int64_t low, high, multiple;
};

static struct range dim_range(const struct hone__iree_spec_operand *operand, unsigned dim)
{
  struct range range = {0, INT64_MAX, 1};
  const struct hone__mlir_type *type = &operand->type;

  if (operand->dims[dim].low) range.low = operand->dims[dim].low;
  if (operand->dims[dim].high) range.high = operand->dims[dim].high;
  if (operand->dims[dim].multiple) range.multiple = operand->dims[dim].multiple;
  if (type->text && type->is_shaped && dim < type->rank && type->dims[dim] >= 0)
    range.low = range.high = type->dims[dim];
  return range;
}

static bool ranges_exclude(struct range a, struct range b)
{
  int64_t low = a.low > b.low ? a.low : b.low, high = a.high < b.high ? a.high : b.high;

  if (low > high) return true;
  return low == high && (low % a.multiple || low % b.multiple);
}

static bool operands_exclude(const struct hone__iree_spec_matcher *a,
                             const struct hone__iree_spec_matcher *b)
{
  for (unsigned i = 0; i < a->operand_count; i++) {
    const struct hone__iree_spec_operand *own = &a->operands[i],
                                         *other = find_operand(b, own->index);
    if (!other) continue;
    if (operand_types_exclude(&own->type, &other->type)) return true;
    for (unsigned d = 0; d < HONE__SPEC_SIZES; d++)
      if (ranges_exclude(dim_range(own, d), dim_range(other, d))) return true;
  }
  return false;
}

static bool names_exclude(const struct hone__iree_spec_matcher *a,
                          const struct hone__iree_spec_matcher *b)
{
  if (!a->op_name_count || !b->op_name_count) return false;
  for (unsigned i = 0; i < a->op_name_count; i++)
    for (unsigned j = 0; j < b->op_name_count; j++)
      if (!strcmp(a->op_names[i], b->op_names[j])) return false;
  return true;
}

bool hone__iree_spec_matchers_overlap(const struct hone__iree_spec_matcher *a,
                                      const struct hone__iree_spec_matcher *b)
{
  if (a->what && b->what && strcmp(a->what, b->what) != 0) return false;
  return !maps_exclude(a, b) && !types_exclude(a, b) && !sizes_exclude(a, b) &&
         !names_exclude(a, b) && !operands_exclude(a, b);
}

/* ---- One that leaves nothing to another ---- */

static bool covers_types(const struct hone__iree_spec_matcher *first,
                         const struct hone__iree_spec_matcher *second)
{
  for (unsigned i = 0; i < first->type_count; i++) {
    if (!first->types[i]) continue;
    if (i >= second->type_count || !second->types[i]) return false;
    if (strcmp(first->types[i], second->types[i]) != 0) return false;
  }
  return true;
}

static bool covers_sizes(const struct hone__iree_spec_matcher *first,
                         const struct hone__iree_spec_matcher *second)
{
  for (unsigned i = 0; i < first->dim_count; i++) {
    const struct hone__iree_spec_dims *own = &first->dims[i], *other = find_dims(second, own->role);
    if (!other || other->count != own->count) return false;
    for (unsigned j = 0; j < own->count; j++)
      if (own->sizes[j] >= 0 && own->sizes[j] != other->sizes[j]) return false;
  }
  return true;
}

static bool covers_dim(struct range first, struct range second)
{
  if (first.low > second.low || first.high < second.high) return false;
  if (second.low == second.high) return second.low % first.multiple == 0;
  return second.multiple % first.multiple == 0;
}

static bool covers_operands(const struct hone__iree_spec_matcher *first,
                            const struct hone__iree_spec_matcher *second)
{
  for (unsigned i = 0; i < first->operand_count; i++) {
    const struct hone__iree_spec_operand *own = &first->operands[i];
    const struct hone__iree_spec_operand *other = find_operand(second, own->index);
    if (!other) return false;
    if (own->type.text &&
        (!other->type.text || !hone__iree_spec_type_fits(&own->type, &other->type)))
      return false;
    for (unsigned d = 0; d < HONE__SPEC_SIZES; d++)
      if (!covers_dim(dim_range(own, d), dim_range(other, d))) return false;
  }
  return true;
}

static bool covers_names(const struct hone__iree_spec_matcher *first,
                         const struct hone__iree_spec_matcher *second)
{
  if (first->op_name_count && !second->op_name_count) return false;
  return !names_exclude(first, second) && (!first->op_name_count || second->op_name_count == 1);
}

bool hone__iree_spec_matcher_covers(const struct hone__iree_spec_matcher *first,
                                    const struct hone__iree_spec_matcher *second)
{
  if (!first->is_understood) return false;
  if (first->what && (!second->what || strcmp(first->what, second->what) != 0)) return false;
  if (first->map_count && (!second->map_count || maps_exclude(first, second))) return false;
  return covers_types(first, second) && covers_sizes(first, second) &&
         covers_names(first, second) && covers_operands(first, second);
}
