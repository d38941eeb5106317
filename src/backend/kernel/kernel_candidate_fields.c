/* The fields of a candidate. Keys are digests of some of them as they are sent, so that the order
 * of members matters. */
#include "backend/kernel/kernel_candidate.h"

#include <string.h>

static const struct hone__field map_fields[] = {
    HONE__TEXT(struct hone__tensor_map, type, HONE__NEEDED),
    HONE__TEXT(struct hone__tensor_map, fill, HONE__OPTIONAL),
    HONE__INTS(struct hone__tensor_map, sizes, HONE__NEEDED),
    HONE__INTS(struct hone__tensor_map, box, HONE__NEEDED),
    HONE__INT(struct hone__tensor_map, swizzle, HONE__SENT, 0, 0x1p31),
    HONE__INT(struct hone__tensor_map, l2, HONE__SENT, 0, 0x1p31),
    HONE__INT(struct hone__tensor_map, interleave, HONE__SENT, 0, 0x1p31),
};
static const struct hone__record_type map_type =
    HONE__RECORD_TYPE("tensor map", struct hone__tensor_map, map_fields);

static const struct hone__field value_fields[] = {
    HONE__VALUE(struct hone__kernel_value, scalar, HONE__OPTIONAL),
    HONE__VALUE(struct hone__kernel_value, local, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_value, bytes, HONE__OPTIONAL),
    HONE__RECORD(struct hone__kernel_value, map, HONE__OPTIONAL, &map_type),
    HONE__TEXT(struct hone__kernel_value, of, HONE__OPTIONAL),
};
static const struct hone__record_type value_type =
    HONE__PLAIN_RECORD_TYPE("value", struct hone__kernel_value, value_fields);

static const struct hone__field extent_fields[] = {
    HONE__SIZE(struct hone__kernel_extent, arg, HONE__SENT),
    HONE__INTS(struct hone__kernel_extent, shape, HONE__NEEDED),
};
static const struct hone__record_type extent_type =
    HONE__RECORD_TYPE("extent", struct hone__kernel_extent, extent_fields);

static const struct hone__field launch_fields[] = {
    HONE__INT(struct hone__kernel_launch, dimensions, HONE__SENT, 0, 3),
    HONE__INTS(struct hone__kernel_launch, global, HONE__NEEDED),
    HONE__INTS(struct hone__kernel_launch, local, HONE__NULLABLE),
    HONE__INTS(struct hone__kernel_launch, cluster, HONE__SENT),
    HONE__INT(struct hone__kernel_launch, shared, HONE__SENT, -0x1p63, 0x1p63),
    HONE__BOOL(struct hone__kernel_launch, cooperative, HONE__OPTIONAL),
};
static const struct hone__record_type launch_type =
    HONE__RECORD_TYPE("launch", struct hone__kernel_launch, launch_fields);

static const struct hone__field stage_fields[] = {
    HONE__TEXT(struct hone__kernel_stage, name, HONE__NEEDED),
    HONE__TEXT(struct hone__kernel_stage, entry, HONE__NEEDED),
    HONE__INTS(struct hone__kernel_stage, args, HONE__OPTIONAL),
    HONE__RECORDS(struct hone__kernel_stage, values, HONE__SENT, &value_type),
    HONE__RECORD(struct hone__kernel_stage, launch, HONE__OPTIONAL, &launch_type),
    HONE__TEXT(struct hone__kernel_stage, host, HONE__OPTIONAL),
};
const struct hone__record_type hone__kernel_stage_type =
    HONE__RECORD_TYPE("stage", struct hone__kernel_stage, stage_fields);

static const struct hone__field fields[] = {
    HONE__TEXT(struct hone__kernel_candidate, source, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_candidate, entry, HONE__OPTIONAL),
    HONE__TEXTS(struct hone__kernel_candidate, includes, HONE__SENT),
    HONE__TEXTS(struct hone__kernel_candidate, flags, HONE__SENT),
    HONE__PAIRS(struct hone__kernel_candidate, defines, HONE__SENT),
    HONE__SIZE(struct hone__kernel_candidate, given_defines, HONE__SENT),
    HONE__RECORDS(struct hone__kernel_candidate, values, HONE__SENT, &value_type),
    HONE__RECORDS(struct hone__kernel_candidate, extents, HONE__OPTIONAL, &extent_type),
    HONE__TEXT(struct hone__kernel_candidate, language, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_candidate, compiler, HONE__OPTIONAL),
    HONE__VALUE(struct hone__kernel_candidate, math, HONE__OPTIONAL),
    HONE__TEXTS(struct hone__kernel_candidate, command, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_candidate, arch, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_candidate, built_for, HONE__OPTIONAL),
    HONE__RECORD(struct hone__kernel_candidate, launch, HONE__OPTIONAL, &launch_type),
    HONE__PAIRS(struct hone__kernel_candidate, env, HONE__OPTIONAL),
    HONE__INT(struct hone__kernel_candidate, power_limit_w, HONE__OPTIONAL, 0, 1e6),
    HONE__INTS(struct hone__kernel_candidate, args, HONE__OPTIONAL),
    HONE__RECORDS(struct hone__kernel_candidate, stages, HONE__OPTIONAL, &hone__kernel_stage_type),
    HONE__INTS(struct hone__kernel_candidate, order, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_candidate, source_digest, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_candidate, key, HONE__OPTIONAL),
    HONE__TEXT(struct hone__kernel_candidate, backend, HONE__OPTIONAL),
    HONE__BOOL(struct hone__kernel_candidate, takes_symbols, HONE__OPTIONAL),
};
const struct hone__record_type hone__kernel_candidate_type =
    HONE__RECORD_TYPE("candidate", struct hone__kernel_candidate, fields);

const struct hone__kernel_extent *
hone__kernel_extent_of(const struct hone__kernel_candidate *candidate, size_t arg)
{
  for (size_t i = 0; i < candidate->extents_count; i++)
    if (candidate->extents[i].arg == arg) return &candidate->extents[i];
  return NULL;
}

int64_t hone__kernel_extent_elements(const struct hone__kernel_extent *extent)
{
  int64_t elements = 1;

  for (size_t i = 0; i < extent->shape_count; i++)
    if (extent->shape[i] < 1 || __builtin_mul_overflow(elements, extent->shape[i], &elements))
      return INT64_MAX;
  return elements;
}

bool hone__kernel_is_c(const struct hone__kernel_candidate *candidate)
{
  return candidate->backend && strcmp(candidate->backend, "c") == 0;
}
