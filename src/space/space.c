/* Groups and shapes become one space; its groups are solved one after the other, and an index of
 * the space is an index of one of them. */
#include "space/space.h"
#include "base/options_size.h"
#include "base/clock.h"
#include "space/doubles.h"
#include "space/z3_solve.h"

#include <stdio.h>
#include <stdlib.h>

enum {
  MOST_SHAPED_GROUPS = 1000000,
  BYTES_A_STEP = 64, /* of the memory limit, which also bounds the work */
  LEAST_STEPS = 1 << 18
};

void hone_space_options_fill(struct hone_space_options *options, size_t size)
{
  const struct hone_space_options defaults = {.memory_bytes = (size_t)1 << 30,
                                              .shape = HONE_ALL_SHAPES};

  hone__options_fill(options, size, &defaults, sizeof defaults);
}

bool hone_solver_available(enum hone_solver solver, const char **out_advice)
{
  *out_advice = "";
  return solver == HONE_SOLVER_NATIVE || hone__z3_available(out_advice);
}

/* ---- Groups and shapes ---- */

/* A group with one shape's parameters after its own; then --param has the last word. A name that
 * occurs twice stays so, as in kbench, and expressions see the shape's. */
static struct hone__spec_group *with_shape(struct hone_space *space,
                                           const struct hone__spec_group *group,
                                           const struct hone_space *shapes, const uint32_t *shape)
{
  const struct hone__solved_group *from = &shapes->groups[shape[0]];
  struct hone__arena *arena = &space->arena;
  struct hone__spec_group *joined = hone__arena_alloc(arena, sizeof *joined);

  *joined = *group;
  joined->params =
      hone__arena_alloc(arena, (group->count + from->count + 1) * sizeof *joined->params);
  if (group->count) memcpy(joined->params, group->params, group->count * sizeof *joined->params);
  for (size_t i = 0; i < from->count; i++) {
    struct hone__param param = from->group->params[i];
    param.items = hone__arena_alloc(arena, sizeof *param.items);
    param.items->value = hone__domain_value(&from->domains[i], shape[1 + i]);
    param.count = 1;
    joined->params[joined->count++] = param;
  }
  for (size_t i = 0; i < space->spec->override_count; i++)
    hone__spec_group_override(arena, joined, &space->spec->overrides[i]);
  return joined;
}

/* The shapes of this partition: the m-th of n runs of ceil(S / n). */
static void partition(const struct hone_spec *spec, uint64_t total, uint64_t *out_first,
                      uint64_t *out_last)
{
  uint64_t parts = spec->partition_count ? spec->partition_count : 1;
  uint64_t each = total / parts + (total % parts != 0);

  *out_first = each * spec->partition_index < total ? each * spec->partition_index : total;
  *out_last = *out_first + each < total ? *out_first + each : total;
}

/* The part of the mesh of the shapes that the options request. */
static hone_status choose_shapes(const struct hone_space *space, uint64_t total,
                                 uint64_t *out_first, uint64_t *out_last)
{
  uint64_t shape = space->options.shape, count;

  partition(space->spec, total, out_first, out_last);
  count = *out_last - *out_first;
  if (shape == HONE_ALL_SHAPES) return NULL;
  if (shape >= count)
    return hone__error(HONE_INVALID_ARGUMENT, "no shape %llu: there are %llu shapes",
                       (unsigned long long)shape, (unsigned long long)count);
  *out_first += shape;
  *out_last = *out_first + 1;
  return NULL;
}

static hone_status build_shapes(const struct hone_spec *spec,
                                const struct hone_space_options *options,
                                struct hone_space **out_shapes)
{
  struct hone_space_options own = *options;
  hone_status status;

  own.problem = 0;
  own.sizes = NULL;
  own.unique = false;
  own.shape = HONE_ALL_SHAPES;
  status = hone_space_build(spec->shapes, &own, out_shapes);
  return status ? hone__annotate(status, "cannot build the mesh of the shapes") : NULL;
}

/* "M=1 N=3" */
static const char *shape_text(struct hone_space *space, const struct hone_space *shapes,
                              const uint32_t *row)
{
  const struct hone__solved_group *group = &shapes->groups[row[0]];
  struct hone__text text = {0};
  const char *kept;

  for (size_t i = 0; i < group->count; i++) {
    hone__text_addf(&text, "%s%s=", i ? " " : "", group->domains[i].name);
    hone__value_print(hone__domain_value(&group->domains[i], row[1 + i]), &text);
  }
  kept = hone__arena_strdup(&space->arena, text.data ? text.data : "");
  hone__text_release(&text);
  return kept;
}

static void join_groups(struct hone_space *space, const struct hone_space *shapes, uint64_t first,
                        uint64_t last, const struct hone__spec_group **groups, size_t *out_count)
{
  static const struct hone__spec_group nothing;
  const struct hone_spec *spec = space->spec;
  uint32_t *row = hone__alloc(shapes->width * sizeof *row);

  *out_count = 0;
  for (uint64_t i = first; i < last; i++) {
    hone_space_at(shapes, i, row);
    if (space->options.shape != HONE_ALL_SHAPES) space->shape = shape_text(space, shapes, row);
    for (size_t g = 0; g < spec->group_count || (g == 0 && spec->group_count == 0); g++)
      groups[(*out_count)++] =
          with_shape(space, spec->group_count ? &spec->groups[g] : &nothing, shapes, row);
  }
  free(row);
}

static hone_status list_shaped_groups(struct hone_space *space,
                                      const struct hone__spec_group ***out_groups,
                                      size_t *out_count)
{
  const size_t each = space->spec->group_count + 1;
  struct hone_space *shapes = NULL;
  uint64_t first, last;
  hone_status status = build_shapes(space->spec, &space->options, &shapes);

  if (!status) status = choose_shapes(space, hone_space_count(shapes), &first, &last);
  if (!status && (last - first) * each > MOST_SHAPED_GROUPS)
    status = hone__error(HONE_EXHAUSTED, "too many shapes: %llu with %zu groups each",
                         (unsigned long long)(last - first), space->spec->group_count);
  if (!status) {
    *out_groups =
        hone__arena_alloc(&space->arena, ((last - first) * each + 1) * sizeof **out_groups);
    join_groups(space, shapes, first, last, *out_groups, out_count);
  }
  hone_space_free(shapes);
  return status;
}

static hone_status list_groups(struct hone_space *space,
                               const struct hone__spec_group ***out_groups, size_t *out_count)
{
  const struct hone_spec *spec = space->spec;
  uint64_t first, last;
  hone_status status;

  if (spec->shapes) return list_shaped_groups(space, out_groups, out_count);
  status = choose_shapes(space, 1, &first, &last); /* like one shape without parameters */
  if (status) return status;
  *out_count = first < last ? spec->group_count : 0;
  *out_groups = hone__arena_alloc(&space->arena, (*out_count + 1) * sizeof **out_groups);
  for (size_t i = 0; i < *out_count; i++)
    (*out_groups)[i] = &spec->groups[i];
  return NULL;
}

hone_status hone_spec_shape_count(const struct hone_spec *spec, uint64_t *out_count)
{
  struct hone_space_options options;
  struct hone_space *shapes = NULL;
  uint64_t first, last;
  hone_status status = NULL;

  *out_count = 0;
  hone_space_options_init(&options);
  if (spec->shapes) status = build_shapes(spec, &options, &shapes);
  if (status) return status;
  partition(spec, shapes ? hone_space_count(shapes) : 1, &first, &last);
  *out_count = last - first;
  hone_space_free(shapes);
  return NULL;
}

/* ---- Building ---- */

static void count_all(struct hone_space *space)
{
  struct hone__bignum legal = {0}, cartesian = {0}, product = {0};

  for (size_t g = 0; g < space->group_count; g++) {
    struct hone__solved_group *group = &space->groups[g];
    group->offset = space->whole;
    if (__builtin_add_overflow(space->whole, group->legal - group->excluded_count, &space->whole) ||
        group->legal == UINT64_MAX)
      space->whole = UINT64_MAX;
    if (group->legal) {
      hone__bignum_add_u64(&product, 1);
      for (size_t i = 0; i < group->part_count; i++)
        hone__bignum_multiply(&product, group->parts[i].diagram->count);
      if (group->excluded_count) { /* then the count is small */
        hone__bignum_multiply(&product, 0);
        hone__bignum_add_u64(&product, group->legal - group->excluded_count);
      }
      hone__bignum_add(&legal, &product);
      hone__bignum_multiply(&product, 0);
    }
    hone__bignum_add_u64(&product, 1);
    for (size_t i = 0; i < group->count; i++)
      hone__bignum_multiply(&product, group->domains[i].count);
    hone__bignum_add(&cartesian, &product);
    hone__bignum_multiply(&product, 0);
  }
  space->legal = space->whole;
  space->legal_text = hone__bignum_text(&legal);
  space->cartesian_text = hone__bignum_text(&cartesian);
  space->legal_real = hone__bignum_real(&legal);
  space->cartesian_real = hone__bignum_real(&cartesian);
  hone__bignum_release(&legal);
  hone__bignum_release(&cartesian);
  hone__bignum_release(&product);
}

/* The part of the legal configurations that the spec asks for: runs of the mesh order whose lengths
 * differ by one at most. Neighbours in the last parameters are in the same part, so that searches
 * find most neighbours of a configuration in its part. */
static hone_status take_part(struct hone_space *space)
{
  const struct hone_spec *spec = space->spec;
  __extension__ typedef unsigned __int128 wide;
  char text[32];

  if (spec->part_count <= 1) return NULL;
  if (space->whole == UINT64_MAX)
    return hone__error(HONE_INVALID_ARGUMENT,
                       "a space of %s configurations has no parts: divide it with --filter",
                       space->legal_text);
  space->first = (uint64_t)((wide)space->whole * spec->part_index / spec->part_count);
  space->legal =
      (uint64_t)((wide)space->whole * (spec->part_index + 1) / spec->part_count) - space->first;
  HONE__ASSERT(space->first + space->legal <= space->whole);
  snprintf(text, sizeof text, "%llu", (unsigned long long)space->legal);
  free(space->legal_text);
  space->legal_text = hone__strdup(text);
  return NULL;
}

/* Without a limit of steps a condition that joins long lists may take hours in little memory. */
static uint64_t most_steps(const struct hone_space *space)
{
  uint64_t steps = space->options.memory_bytes / BYTES_A_STEP;

  return steps > LEAST_STEPS ? steps : LEAST_STEPS;
}

static hone_status build(struct hone_space *space, const bool *skip,
                         struct hone__space_effort *effort)
{
  const struct hone__spec_group **groups = NULL;
  size_t count = 0;
  hone_status status = hone__setup_init(&space->setup, space->spec, &space->options, &space->arena);

  if (!status) status = list_groups(space, &groups, &count);
  if (status) return status;
  space->setup.skip = skip;
  space->setup.limits.steps = effort->steps_each ? effort->steps_each : most_steps(space);
  space->setup.limits.steps_used = &effort->steps_used;
  space->groups = hone__alloc((count + 1) * sizeof *space->groups);
  space->width = 1;
  for (size_t i = 0; i < count && !status; i++) {
    space->group_count++;
    if (1 + groups[i]->count > space->width) space->width = 1 + groups[i]->count;
    status = hone__group_solve(&space->setup, groups[i], &space->groups[i]);
  }
  if (!status && space->options.unique) status = hone__find_doubles(space);
  if (!status) count_all(space);
  if (!status) status = take_part(space);
  space->setup.skip = NULL;
  space->setup.limits.steps_used = NULL;
  space->options.progress = NULL; /* the caller's data may go with the call */
  space->options.cancel = space->setup.limits.cancel = NULL;
  return status;
}

hone_status hone__space_build(const struct hone_spec *spec,
                              const struct hone_space_options *options, const bool *skip,
                              struct hone__space_effort *effort, struct hone_space **out_space)
{
  struct hone_space *space = hone__alloc(sizeof *space);
  double start = hone__clock();
  const char *advice;
  hone_status status = NULL;

  *out_space = NULL;
  space->spec = spec;
  space->options = *options;
  if (options->sizes) space->options.sizes = space->sizes_text = hone__strdup(options->sizes);
  if (options->device) space->options.device = space->device_text = hone__strdup(options->device);
  if (options->device_gap)
    space->options.device_gap = hone__arena_strdup(&space->arena, options->device_gap);
  if (!hone_solver_available(options->solver, &advice))
    status = hone__error(HONE_UNAVAILABLE, "the Z3 solver was not found: %s", advice);
  if (!status) status = build(space, skip, effort);
  space->build_seconds = hone__clock() - start;
  if (status)
    hone_space_free(space);
  else
    *out_space = space;
  return status;
}

hone_status hone_space_build(const struct hone_spec *spec, const struct hone_space_options *options,
                             struct hone_space **out_space)
{
  struct hone__space_effort effort = {0};
  struct hone_space_options own;
  hone_status status;

  *out_space = NULL;
  hone_space_options_init(&own);
  status = hone__options_take(&own, sizeof own, options, "hone_space_options");
  return status ? status : hone__space_build(spec, &own, NULL, &effort, out_space);
}

void hone_space_free(struct hone_space *space)
{
  if (!space) return;
  for (size_t i = 0; i < space->group_count; i++)
    hone__group_release(&space->groups[i]);
  free(space->groups);
  free(space->sizes_text);
  free(space->device_text);
  free(space->legal_text);
  free(space->cartesian_text);
  hone__arena_release(&space->arena);
  free(space);
}

/* ---- Describing ---- */

uint64_t hone_space_count(const struct hone_space *space)
{
  return space->legal;
}

const char *hone_space_count_text(const struct hone_space *space)
{
  return space->legal_text;
}

const char *hone_space_cartesian_text(const struct hone_space *space)
{
  return space->cartesian_text;
}

size_t hone_space_width(const struct hone_space *space)
{
  return space->width;
}

size_t hone_space_group_count(const struct hone_space *space)
{
  return space->group_count;
}

/* NULL for a group or parameter that is not there. */
static const struct hone__solved_group *group_of(const struct hone_space *space, size_t group)
{
  return group < space->group_count ? &space->groups[group] : NULL;
}

static const struct hone__domain *domain_of(const struct hone_space *space, size_t group,
                                            size_t param)
{
  const struct hone__solved_group *g = group_of(space, group);
  return g && param < g->count ? &g->domains[param] : NULL;
}

const char *hone_space_group_name(const struct hone_space *space, size_t group)
{
  const struct hone__solved_group *g = group_of(space, group);
  return g ? g->group->name : NULL;
}

size_t hone_space_param_count(const struct hone_space *space, size_t group)
{
  const struct hone__solved_group *g = group_of(space, group);
  return g ? g->count : 0;
}

const char *hone_space_param_name(const struct hone_space *space, size_t group, size_t param)
{
  const struct hone__domain *domain = domain_of(space, group, param);
  return domain ? domain->name : NULL;
}

bool hone_space_param_is_runtime(const struct hone_space *space, size_t group, size_t param)
{
  const struct hone__domain *domain = domain_of(space, group, param);
  return domain && domain->runtime;
}

uint32_t hone_space_value_count(const struct hone_space *space, size_t group, size_t param)
{
  const struct hone__domain *domain = domain_of(space, group, param);
  return domain ? domain->count : 0;
}

struct hone_value hone_space_value(const struct hone_space *space, size_t group, size_t param,
                                   uint32_t index)
{
  const struct hone__domain *domain = domain_of(space, group, param);
  if (!domain || index >= domain->count) return (struct hone_value){.type = HONE_NONE};
  return hone__domain_value(domain, index);
}

size_t hone_space_derived_count(const struct hone_space *space)
{
  return space->spec->derived_count;
}

const char *hone_space_derived_name(const struct hone_space *space, size_t derived)
{
  return space->spec->derived[derived].name;
}

bool hone_space_derived(const struct hone_space *space, const uint32_t *row, size_t derived,
                        struct hone_value *out_value)
{
  const struct hone__solved_group *group = &space->groups[row[0]];
  uint32_t node = group->derived[derived];
  struct hone_value *values = hone__alloc((group->count + group->program.count) * sizeof *values);

  for (size_t i = 0; i < group->count; i++)
    values[i] = hone__domain_value(&group->domains[i], row[1 + i]);
  hone__spec_program_run(&group->program, node, values, values + group->count);
  *out_value = values[group->count + node];
  free(values);
  return out_value->type != HONE__FAULT;
}

size_t hone_space_component_count(const struct hone_space *space)
{
  size_t count = 0;

  for (size_t g = 0; g < space->group_count; g++)
    count += space->groups[g].part_count;
  return count;
}

size_t hone_space_largest_component(const struct hone_space *space)
{
  size_t largest = 0;

  for (size_t g = 0; g < space->group_count; g++)
    for (size_t i = 0; i < space->groups[g].part_count; i++)
      if (space->groups[g].parts[i].count > largest) largest = space->groups[g].parts[i].count;
  return largest;
}

uint64_t hone_space_node_count(const struct hone_space *space)
{
  uint64_t count = 0;

  for (size_t g = 0; g < space->group_count; g++)
    for (size_t i = 0; i < space->groups[g].part_count; i++)
      if (space->groups[g].parts[i].diagram) count += space->groups[g].parts[i].diagram->node_count;
  return count;
}

size_t hone_space_bytes(const struct hone_space *space)
{
  size_t bytes = sizeof *space + hone__arena_bytes(&space->arena);

  for (size_t g = 0; g < space->group_count; g++)
    for (size_t i = 0; i < space->groups[g].part_count; i++)
      if (space->groups[g].parts[i].diagram)
        bytes += hone__diagram_bytes(space->groups[g].parts[i].diagram);
  return bytes;
}

double hone_space_build_seconds(const struct hone_space *space)
{
  return space->build_seconds;
}

bool hone_space_is_mesh_order(const struct hone_space *space)
{
  for (size_t g = 0; g < space->group_count; g++)
    if (!space->groups[g].mesh_order) return false;
  return true;
}
