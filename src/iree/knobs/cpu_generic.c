/* cpu_generic.c - any linalg.generic on a CPU: depthwise convolutions, products with a vector,
 * pooling, reductions, transposes, elementwise operations.
 *
 * Vectors are made of the loops that are innermost in an operand, and of those that the compiler
 * itself makes vectors of; all others advance by one. A tile that does not divide its loop is only
 * in the space if the compiler has chosen it, or if it is made of whole vectors and what is left
 * over is peeled off.
 *
 * Windows along the lines of an image (channels in front of it) become scalar loops, which only
 * LLVM makes vectors of: it does so where a tile has whole lines, and unrolls a whole filter. */
#include "iree/knobs/cpu_knobs.h"

#include "iree/operation/operation_steps.h"

#include <inttypes.h>

struct generic {
  struct hone__iree_cpu_knobs *knobs;
  const struct hone__iree_operation *operation;
  uint32_t windows;         /* bit d: loop d is one of an image or a filter */
  uint32_t columns;         /* likewise: loop d is innermost in the result */
  uint32_t vectors;         /* likewise: loop d has several vector sizes */
  bool is_scalar;           /* hone__iree_cpu_is_scalar */
  struct hone__text lanes;  /* the product of parallel vector sizes, as an expression */
  struct hone__text volume; /* of all */
  int64_t largest;          /* that this can be */
  struct hone__text group;  /* the size of a workgroup */
};

static const int64_t least_steps = 1024; /* that cost as much as the call of a workgroup */

/* ---- Which loops ---- */

static bool is_reduction(const struct generic *g, unsigned loop)
{
  return g->operation->reductions >> loop & 1;
}

/* The dims of a map's last result. */
static uint32_t innermost(const struct hone__affine_map *map)
{
  uint32_t set = 0;

  for (unsigned i = 0; map->count && i < map->dims; i++)
    if (map->results[map->count - 1].factors[i]) set |= (uint32_t)1 << i;
  return set;
}

/* The loops over images and filters: those that one dim of an input depends on together. */
static uint32_t find_windows(const struct hone__iree_operation *operation)
{
  uint32_t windows = 0;

  for (unsigned i = 0; i < operation->input_count; i++)
    for (unsigned j = 0; j < operation->maps[i].count; j++) {
      uint32_t used = 0;
      for (unsigned d = 0; d < operation->loop_count; d++)
        if (operation->maps[i].results[j].factors[d]) used |= (uint32_t)1 << d;
      if (used & (used - 1)) windows |= used;
    }
  return windows;
}

bool hone__iree_cpu_is_scalar(const struct hone__iree_operation *operation)
{
  return operation->kind == HONE__IREE_GENERIC && operation->reductions &&
         (find_windows(operation) & innermost(&operation->maps[operation->map_count - 1]));
}

/* In front of the innermost loop of the result, the rows: several of them share loads. */
static int row_of(const struct generic *g)
{
  for (unsigned i = g->operation->loop_count; i-- > 0;)
    if (!is_reduction(g, i) && !(g->columns >> i & 1) && g->operation->sizes[i] > 1) return (int)i;
  return -1;
}

/* Whether steps along the loop use an input together. */
static bool has_shared_input(const struct generic *g, unsigned loop)
{
  for (unsigned i = 0; i < g->operation->input_count; i++)
    if (hone__iree_map_position(&g->operation->maps[i], loop) < 0) return true;
  return false;
}

static void find_vectors(struct generic *g)
{
  const struct hone__iree_operation *operation = g->operation;
  int row;

  g->columns = innermost(&operation->maps[operation->map_count - 1]);
  row = row_of(g);
  for (unsigned i = 0; i < operation->map_count; i++)
    g->vectors |= innermost(&operation->maps[i]);
  if (row >= 0 && (!g->windows || has_shared_input(g, (unsigned)row)))
    g->vectors |= (uint32_t)1 << row;
  if (g->is_scalar) g->vectors |= g->windows;
  for (unsigned i = 0; i < operation->loop_count; i++) {
    if (g->knobs->choice.vector[i] > 1) g->vectors |= (uint32_t)1 << i;
    if (operation->sizes[i] == 1) g->vectors &= ~((uint32_t)1 << i);
  }
}

/* ---- What is tried first ---- */

/* The only loop of the set; -1: there are none or several. */
static int only(uint32_t set)
{
  return set && !(set & (set - 1)) ? __builtin_ctz(set) : -1;
}

/* Whether an input is a matrix of these loops, the last of them contiguous. */
static bool has_matrix(const struct hone__iree_operation *operation, int outer, int inner)
{
  for (unsigned i = 0; i < operation->input_count; i++)
    if (only(innermost(&operation->maps[i])) == inner &&
        hone__iree_map_position(&operation->maps[i], (unsigned)outer) >= 0)
      return true;
  return false;
}

/* The product of a matrix and a vector has the blocks of cpu_product.c. */
static void choose_first(struct generic *g)
{
  struct hone__iree_cpu_first *first = &g->knobs->first;
  const struct hone__iree_operation *operation = g->operation;
  const int column = only(g->columns), step = only(operation->reductions);
  const int64_t lanes = g->knobs->lanes;
  bool is_strided;
  int64_t tile;

  if (operation->loop_count != 2 || operation->input_count != 2 || column < 0 || step < 0) return;
  is_strided = has_matrix(operation, column, step);
  if (!is_strided && !has_matrix(operation, step, column)) return;
  first->vector[column] = is_strided ? lanes : 4 * lanes;
  first->vector[step] = is_strided ? lanes : 4;
  first->is_wanted = operation->sizes[column] >= first->vector[column] &&
                     operation->sizes[step] >= first->vector[step];
  tile = hone__iree_cpu_thread_tile(operation->sizes[column], first->vector[column],
                                    g->knobs->threads);
  if (operation->sizes[column] % tile == 0 && tile * operation->sizes[step] >= least_steps)
    first->distribution[column] = tile;
}

/* ---- Values ---- */

/* A filter of a window is taken by elements, or whole. */
static void filter_values(const struct generic *g, unsigned loop,
                          struct hone__iree_cpu_values *values)
{
  hone__iree_cpu_values_add(values, 1);
  if (g->operation->sizes[loop] <= 16) hone__iree_cpu_values_add(values, g->operation->sizes[loop]);
}

static const int64_t powers[] = {1, 2, 4, 8, 16, 32, 64, 128};
#define DIVIDING(values, list, size)                                                               \
  hone__iree_cpu_values_dividing(values, list, sizeof(list) / sizeof *(list), size)

/* Of a line that whole vectors do not divide. */
static void whole_values(const struct generic *g, int64_t size,
                         struct hone__iree_cpu_values *values)
{
  const int64_t lanes = g->knobs->lanes;

  if (size % lanes == 0) return;
  for (int64_t whole = lanes; whole <= 4 * lanes && whole < size; whole *= 4)
    hone__iree_cpu_values_add(values, whole);
}

static void parallel_values(const struct generic *g, unsigned loop,
                            struct hone__iree_cpu_values *values)
{
  static const int64_t rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16};
  const int64_t size = g->operation->sizes[loop];

  if (g->windows && !(g->columns >> loop & 1))
    DIVIDING(values, rows, size);
  else
    DIVIDING(values, powers, size);
  if (size <= 2 * g->knobs->lanes) hone__iree_cpu_values_add(values, size);
  if (!g->windows && g->columns >> loop & 1) whole_values(g, size, values);
}

/* A line of an image, and parts of it. */
static void line_values(const struct generic *g, unsigned loop,
                        struct hone__iree_cpu_values *values)
{
  const int64_t size = g->operation->sizes[loop];

  for (int64_t parts = 1; parts <= 4; parts *= 2)
    if (size % parts == 0 && size / parts <= g->knobs->accumulators)
      hone__iree_cpu_values_add(values, size / parts);
  if (!values->count) DIVIDING(values, powers, size);
}

static void reduction_values(const struct generic *g, unsigned loop,
                             struct hone__iree_cpu_values *values)
{
  if (g->windows)
    filter_values(g, loop, values);
  else
    DIVIDING(values, powers, g->operation->sizes[loop]);
}

static void vector_values(const struct generic *g, unsigned loop,
                          struct hone__iree_cpu_values *values)
{
  if (is_reduction(g, loop))
    reduction_values(g, loop, values);
  else if (g->is_scalar && g->columns >> loop & 1)
    line_values(g, loop, values);
  else
    parallel_values(g, loop, values);
  hone__iree_cpu_values_near(values, g->knobs->choice.vector[loop], g->operation->sizes[loop]);
}

static void add_factor(struct hone__text *product, const char *name, unsigned loop)
{
  hone__text_addf(product, "%s%s_%u", product->length ? " * " : "", name, loop);
}

static void add_vector(struct generic *g, unsigned loop)
{
  struct hone__iree_cpu_knobs *knobs = g->knobs;
  const char **tiles = is_reduction(g, loop) ? knobs->reduction : knobs->parallel;
  const int64_t chosen = knobs->choice.vector[loop];
  struct hone__iree_cpu_values values = {0};

  tiles[loop] = hone__arena_printf(&knobs->arena, "%" PRId64, chosen > 0 ? chosen : 1);
  if (!(g->vectors >> loop & 1)) return;
  vector_values(g, loop, &values);
  tiles[loop] = hone__iree_cpu_vector(knobs, loop, &values);
  g->largest *= values.list[values.count - 1];
  add_factor(&g->volume, "vec", loop);
  if (!is_reduction(g, loop)) add_factor(&g->lanes, "vec", loop);
}

/* ---- Workgroups ---- */

static void add_workgroup(struct generic *g, unsigned loop)
{
  static const int64_t all[] = {8, 16, 32, 64};
  struct hone__iree_cpu_knobs *knobs = g->knobs;
  const int64_t size = g->operation->sizes[loop];
  struct hone__iree_cpu_values values = {0};

  if (is_reduction(g, loop) || size == 1) return;
  hone__iree_cpu_values_add(&values, size);
  if (!g->is_scalar || !(g->columns >> loop & 1)) {
    for (int64_t part = size, k = 0; k < 5 && part > 0; k++, part = part % 2 ? 0 : part / 2)
      hone__iree_cpu_values_add(&values, part);
    hone__iree_cpu_values_dividing(&values, all, sizeof all / sizeof *all, size);
  }
  hone__iree_cpu_values_near(&values, knobs->choice.distribution[loop], size);
  if (g->knobs->first.distribution[loop])
    hone__iree_cpu_values_add(&values, g->knobs->first.distribution[loop]);
  knobs->distribution[loop] = hone__iree_cpu_knob(knobs, "dist", loop, &values);
  add_factor(&g->group, "dist", loop);
  if (g->vectors >> loop & 1) hone__iree_cpu_constrain_workgroup(knobs, loop);
}

/* ---- Constraints ---- */

/* The product of the compiler's tiles of parallel loops, or of all loops. */
static int64_t chosen_product(const struct generic *g, const int64_t *tiles, bool has_reductions)
{
  int64_t product = 1;

  for (unsigned i = 0; i < g->operation->loop_count; i++)
    if (tiles[i] > 1 && (has_reductions || !is_reduction(g, i))) product *= tiles[i];
  return product;
}

static int64_t smaller(int64_t a, int64_t b)
{
  return a < b ? a : b;
}

/* The compiler's own tiles are always there. */
static void constrain_workgroup(struct generic *g)
{
  int64_t all = 1, least = least_steps;

  for (unsigned i = 0; i < g->operation->loop_count; i++)
    if (g->operation->reductions >> i & 1)
      least = least > g->operation->sizes[i] ? least / g->operation->sizes[i] : 1;
    else
      all *= g->operation->sizes[i];
  least = smaller(least, all);
  if (g->knobs->choice.is_known)
    least = smaller(least, chosen_product(g, g->knobs->choice.distribution, false));
  if (g->group.length && least > 1)
    hone__knobs_constraint(&g->knobs->writer, "%s >= %" PRId64, g->group.data, least);
}

/* Whole registers, and no more than there are, as far as the loops allow it. */
static void constrain(struct generic *g)
{
  struct hone__iree_cpu_knobs *knobs = g->knobs;
  const int64_t *vector = knobs->choice.vector;
  int64_t most = knobs->accumulators, chosen = chosen_product(g, vector, false),
          least = smaller(knobs->lanes, g->largest);

  if (chosen > most) most = chosen;
  if (knobs->choice.is_known) least = smaller(least, chosen_product(g, vector, true));
  if (g->volume.length && least > 1)
    hone__knobs_constraint(&knobs->writer, "%s >= %" PRId64, g->volume.data, least);
  if (g->lanes.length) {
    hone__knobs_constraint(&knobs->writer, "%s <= %" PRId64, g->lanes.data, most);
    hone__knobs_order(&knobs->writer, "abs(log2(%s) - %d)", g->lanes.data, 6);
  }
  if (g->volume.length)
    hone__knobs_constraint(&knobs->writer, "%s < %" PRId64, g->volume.data, knobs->room);
  constrain_workgroup(g);
}

void hone__iree_cpu_generic_knobs(struct hone__iree_cpu_knobs *knobs)
{
  struct generic g = {.knobs = knobs, .operation = knobs->operation, .largest = 1};
  const char *pipeline = knobs->choice.pipeline;

  g.windows = find_windows(g.operation);
  g.is_scalar = hone__iree_cpu_is_scalar(g.operation);
  if (!pipeline || !strcmp(pipeline, "Default"))
    pipeline = g.windows ? "ConvTileAndDecomposeExpert" : "DoubleTilingExpert";
  hone__knobs_begin(&knobs->writer, pipeline);
  find_vectors(&g);
  choose_first(&g);
  for (unsigned i = 0; i < g.operation->loop_count; i++)
    add_vector(&g, i);
  for (unsigned i = 0; i < g.operation->loop_count; i++)
    add_workgroup(&g, i);
  constrain(&g);
  hone__iree_cpu_text(knobs, pipeline, NULL);
  hone__text_release(&g.lanes);
  hone__text_release(&g.volume);
  hone__text_release(&g.group);
}
