/* cpu_product.c - contractions and convolutions on a CPU.
 *
 * Both are a small product of matrices in registers: rows times columns are accumulated along one
 * reduction loop. Columns are the innermost dim of the result, in whole vectors; rows are the
 * innermost one of the other operand. Every other loop has a vector tile of 1, so that a
 * convolution is decomposed into products.
 *
 * Tiles of a convolution of images divide their loops: what is left over would be computed element
 * by element, which was seen to take up to 35 times as long. The compiler's own tiles and their
 * neighbours are always there. */
#include "iree/knobs/cpu_knobs.h"

#include <inttypes.h>

struct product {
  struct hone__iree_cpu_knobs *knobs;
  int row, column, step; /* loops; -1: there is none */
  bool is_strided;       /* columns of the right operand are not contiguous, steps are */
  bool is_even;          /* tiles must divide their loops */
  int64_t rows, columns, steps;
};

/* ---- Which loops ---- */

static bool has(const struct hone__dim_list *list, int dim)
{
  for (unsigned i = 0; i < list->count; i++)
    if ((int)list->dims[i] == dim) return true;
  return false;
}

static int last(const struct hone__dim_list *list)
{
  return list->count ? (int)list->dims[list->count - 1] : -1;
}

/* The only dim of a map's last result; -1: it has several. */
static int innermost(const struct hone__affine_map *map)
{
  int found = -1;

  if (!map->count) return -1;
  for (unsigned i = 0; i < map->dims; i++) {
    if (!map->results[map->count - 1].factors[i]) continue;
    if (found >= 0) return -1;
    found = (int)i;
  }
  return found;
}

static int either(int a, int b)
{
  return a >= 0 ? a : b;
}

static void find_contraction(struct product *product, const struct hone__iree_operation *operation)
{
  product->column = innermost(&operation->maps[2]);
  if (!has(&operation->n, product->column) && !has(&operation->m, product->column))
    product->column = either(last(&operation->n), last(&operation->m));
  product->row = has(&operation->n, product->column) ? last(&operation->m) : last(&operation->n);
  product->step = last(&operation->k);
}

/* Columns are channels, or an image's line where that is the innermost. Without input channels
 * (depthwise) a step is along the filter, whole. */
static void find_convolution(struct product *product, const struct hone__iree_operation *operation)
{
  const int channel = either(last(&operation->output_channel), last(&operation->depth)),
            line = last(&operation->image);
  const bool is_line_last = line >= 0 && innermost(&operation->maps[2]) == line;

  product->column = is_line_last ? line : channel;
  product->row = is_line_last ? channel : line;
  product->step = either(last(&operation->input_channel), last(&operation->filter));
}

static int64_t size_of(const struct product *product, int loop)
{
  return loop < 0 ? 1 : product->knobs->operation->sizes[loop];
}

static void find_loops(struct product *product)
{
  const struct hone__iree_operation *operation = product->knobs->operation;
  const bool is_convolution = operation->kind == HONE__IREE_CONVOLUTION;

  if (is_convolution)
    find_convolution(product, operation);
  else
    find_contraction(product, operation);
  product->rows = size_of(product, product->row);
  product->columns = size_of(product, product->column);
  product->steps = size_of(product, product->step);
  product->is_even = is_convolution && operation->image.count > 1;
  product->is_strided =
      !is_convolution && product->step >= 0 &&
      innermost(&operation->maps[has(&operation->m, product->column) ? 0 : 1]) == product->step;
}

/* ---- Vectors ---- */

static const struct hone__iree_cpu_choice *choice_of(const struct product *product)
{
  return &product->knobs->choice;
}

/* The compiler's own vector size along a loop; 0: none. */
static int64_t chosen_vector(const struct product *product, int loop)
{
  return loop < 0 ? 0 : choice_of(product)->vector[loop];
}

static void row_values(const struct product *product, struct hone__iree_cpu_values *values)
{
  static const int64_t most[] = {4, 6, 7, 8, 12, 14, 16}, few[] = {1, 2, 3};
  static const int64_t even[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16};

  if (product->is_even)
    hone__iree_cpu_values_dividing(values, even, sizeof even / sizeof *even, product->rows);
  else if (product->rows < most[0])
    hone__iree_cpu_values_tiles(values, few, sizeof few / sizeof *few, product->rows, 1, true);
  else
    hone__iree_cpu_values_tiles(values, most, sizeof most / sizeof *most, product->rows, 2, false);
  hone__iree_cpu_values_near(values, chosen_vector(product, product->row), product->rows);
}

/* A loop shorter than a vector is taken whole. */
static void column_values(const struct product *product, struct hone__iree_cpu_values *values)
{
  const int64_t lanes = product->knobs->lanes;
  const int64_t all[] = {lanes, 2 * lanes, 4 * lanes, 8 * lanes};
  const int64_t even[] = {4, 8, lanes, 2 * lanes, 4 * lanes};
  const size_t count = product->is_strided ? 2 : product->rows < 4 ? 4 : 3;

  if (product->is_even)
    hone__iree_cpu_values_dividing(values, even, sizeof even / sizeof *even, product->columns);
  else
    hone__iree_cpu_values_tiles(values, all, count, product->columns, 1, false);
  if (product->is_even && product->columns <= 4 * lanes)
    hone__iree_cpu_values_add(values, product->columns);
  hone__iree_cpu_values_near(values, chosen_vector(product, product->column), product->columns);
}

/* A filter is not cut into vectors; steps that are contiguous are best loaded as whole ones. */
static void step_values(const struct product *product, struct hone__iree_cpu_values *values)
{
  const int64_t lanes = product->knobs->lanes;
  static const int64_t all[] = {1, 2, 4, 8, 16};
  const int64_t whole[] = {lanes > 1 ? lanes / 2 : 1, lanes};
  const struct hone__iree_operation *operation = product->knobs->operation;

  if (operation->kind == HONE__IREE_CONVOLUTION && !operation->input_channel.count)
    hone__iree_cpu_values_add(values, product->steps <= 16 ? product->steps : 1);
  else if (product->is_strided)
    hone__iree_cpu_values_tiles(values, whole, 2, product->steps, 1, false);
  else if (product->is_even)
    hone__iree_cpu_values_dividing(values, all, sizeof all / sizeof *all, product->steps);
  else
    hone__iree_cpu_values_tiles(values, all, sizeof all / sizeof *all, product->steps, 2, false);
  hone__iree_cpu_values_near(values, chosen_vector(product, product->step), product->steps);
}

static int64_t largest(const struct hone__iree_cpu_values *values)
{
  return values->list[values->count - 1];
}

static int64_t smallest(const struct hone__iree_cpu_values *values)
{
  return values->list[0];
}

/* The elements of the compiler's own tile; 0: it is not known. */
static int64_t chosen_tile(const struct product *product)
{
  const int64_t rows = chosen_vector(product, product->row),
                columns = chosen_vector(product, product->column);

  return choice_of(product)->is_known ? (rows ? rows : 1) * (columns ? columns : 1) : 0;
}

/* Up to `full`, and more than `low` elements, or as many as the compiler has chosen. */
static void constrain_tile(struct product *product, const char *tile, int64_t low, int64_t full)
{
  struct hone__knob_writer *writer = &product->knobs->writer;
  const int64_t chosen = chosen_tile(product);

  if (full > 0 && chosen > full)
    hone__knobs_constraint(writer, "%s <= %" PRId64 " or %s == %" PRId64, tile, full, tile, chosen);
  else if (full > 0)
    hone__knobs_constraint(writer, "%s <= %" PRId64, tile, full);
  if (low > 0 && chosen > 0 && chosen <= low)
    hone__knobs_constraint(writer, "%s > %" PRId64 " or %s == %" PRId64, tile, low, tile, chosen);
  else if (low > 0)
    hone__knobs_constraint(writer, "%s > %" PRId64, tile, low);
}

/* A convolution's loads and stores are not those of a plain product: smaller tiles may win, as they
 * do where blocks of the right operand are transposed in registers. */
static int64_t lowest_tile(const struct product *product)
{
  const int64_t low = product->knobs->accumulators * 2 / 5, chosen = chosen_tile(product);

  if (product->is_strided) return product->knobs->accumulators / 8;
  if (product->knobs->operation->kind != HONE__IREE_CONVOLUTION || chosen == 0) return low;
  return chosen / 2 <= low ? product->knobs->accumulators / 8 : low;
}

/* The accumulators fill the registers but do not spill, as far as the tiles allow it at all. */
static void constrain_vectors(struct product *product, const struct hone__iree_cpu_values *rows,
                              const struct hone__iree_cpu_values *columns,
                              const struct hone__iree_cpu_values *steps)
{
  struct hone__iree_cpu_knobs *knobs = product->knobs;
  const int64_t most = largest(rows) * largest(columns), least = smallest(rows) * smallest(columns),
                full = knobs->accumulators;
  const char *tile =
      hone__arena_printf(&knobs->arena, "vec_%d * vec_%d", product->row, product->column);

  if (product->row < 0) tile = hone__arena_printf(&knobs->arena, "vec_%d", product->column);
  constrain_tile(product, tile, most >= full / 2 ? lowest_tile(product) : 0,
                 least <= full ? full : 0);
  if (product->step >= 0 && most * largest(steps) >= knobs->room)
    hone__knobs_constraint(&knobs->writer, "%s * vec_%d < %" PRId64, tile, product->step,
                           knobs->room);
  hone__knobs_order(&knobs->writer, "abs(%s - %" PRId64 ")", tile, full * 5 / 7);
}

/* The most rows that fit into registers beside so many columns. */
static int64_t most_rows(const struct product *product, const struct hone__iree_cpu_values *rows,
                         int64_t columns)
{
  int64_t most = smallest(rows);

  for (size_t i = 0; i < rows->count; i++)
    if (rows->list[i] * columns <= product->knobs->accumulators) most = rows->list[i];
  return most;
}

/* Of a matrix whose steps are contiguous, a block of as many vectors as each has elements is
 * transposed in registers. The product of a vector needs several accumulators in any case. What is
 * left over of a loop is peeled off, once for each thread. */
static void choose_first(struct product *product, const struct hone__iree_cpu_values *rows)
{
  struct hone__iree_cpu_knobs *knobs = product->knobs;
  const int64_t lanes = knobs->lanes, columns = product->is_strided ? lanes : 4 * lanes;
  struct hone__iree_cpu_first *first = &knobs->first;

  if (knobs->operation->kind != HONE__IREE_CONTRACTION || product->step < 0) return;
  if (product->columns < columns || (!product->is_strided && product->rows > 1)) return;
  first->is_wanted = true;
  first->vector[product->column] = columns;
  first->vector[product->step] = product->is_strided ? lanes : 4;
  if (product->row >= 0) first->vector[product->row] = most_rows(product, rows, columns);
  if (knobs->threads > 1)
    first->distribution[product->column] =
        hone__iree_cpu_thread_tile(product->columns, columns, knobs->threads);
}

static void add_vectors(struct product *product)
{
  struct hone__iree_cpu_knobs *knobs = product->knobs;
  struct hone__iree_cpu_values rows = {0}, columns = {0}, steps = {0};

  row_values(product, &rows);
  column_values(product, &columns);
  step_values(product, &steps);
  if (product->column >= 0) choose_first(product, &rows);
  if (product->row >= 0)
    knobs->parallel[product->row] = hone__iree_cpu_vector(knobs, (unsigned)product->row, &rows);
  if (product->column >= 0)
    knobs->parallel[product->column] =
        hone__iree_cpu_vector(knobs, (unsigned)product->column, &columns);
  if (product->step >= 0)
    knobs->reduction[product->step] = hone__iree_cpu_vector(knobs, (unsigned)product->step, &steps);
  if (product->column >= 0) constrain_vectors(product, &rows, &columns, &steps);
}

/* ---- Workgroups ---- */

/* Multiples of `unit`; the whole loop is one of them. */
static void workgroup_values(int64_t size, int64_t unit, bool is_even,
                             struct hone__iree_cpu_values *values)
{
  static const int64_t factors[] = {1, 2, 3, 4, 6, 7, 8, 12, 14, 16, 24, 32};
  int64_t tiles[sizeof factors / sizeof *factors];
  const size_t count = sizeof factors / sizeof *factors;

  for (size_t i = 0; i < count; i++)
    tiles[i] = factors[i] * unit;
  hone__iree_cpu_values_tiles(values, tiles, count, size, is_even ? 0 : 3, true);
}

/* Tiles that give each thread one workgroup, or two. */
static void thread_values(int64_t size, int64_t unit, int64_t threads, bool is_even,
                          struct hone__iree_cpu_values *values)
{
  for (int64_t groups = threads; threads > 1 && groups <= 2 * threads; groups += threads) {
    const int64_t tile = hone__iree_cpu_thread_tile(size, unit, groups);
    if (tile < size && (!is_even || size % tile == 0)) hone__iree_cpu_values_add(values, tile);
  }
}

/* A tile of a workgroup is made of whole vectors, unless it is the loop itself. Those of a
 * convolution divide the loop or are the loop: with others, no workgroup knows its bounds, which
 * was seen to take twice as long. */
static void add_workgroup(struct product *product, int loop, int64_t unit)
{
  struct hone__iree_cpu_knobs *knobs = product->knobs;
  const bool is_even = knobs->operation->kind == HONE__IREE_CONVOLUTION;
  struct hone__iree_cpu_values values = {0};

  if (loop < 0) return;
  workgroup_values(size_of(product, loop), unit, is_even, &values);
  thread_values(size_of(product, loop), unit, knobs->threads, is_even, &values);
  hone__iree_cpu_values_near(&values, choice_of(product)->distribution[loop],
                             size_of(product, loop));
  knobs->distribution[loop] = hone__iree_cpu_tile(knobs, "dist", (unsigned)loop, &values);
  hone__iree_cpu_constrain_workgroup(knobs, (unsigned)loop);
}

/* The loops of a batch, and what else is neither row nor column: one at a time, but several lines
 * of an image share their input. */
static void add_outer_loops(struct product *product)
{
  struct hone__iree_cpu_knobs *knobs = product->knobs;
  const struct hone__iree_operation *operation = knobs->operation;
  static const int64_t lines[] = {1, 2, 4, 7, 8, 14, 16};

  for (unsigned i = 0; i < operation->loop_count; i++) {
    struct hone__iree_cpu_values values = {0};

    if ((int)i == product->row || (int)i == product->column) continue;
    if (has(&operation->k, (int)i) || has(&operation->filter, (int)i) ||
        has(&operation->input_channel, (int)i)) {
      if ((int)i != product->step) knobs->reduction[i] = "1";
      continue;
    }
    knobs->parallel[i] = knobs->distribution[i] = "1";
    if (operation->sizes[i] == 1) knobs->distribution[i] = NULL;
    if (!has(&operation->image, (int)i)) continue;
    hone__iree_cpu_values_tiles(&values, lines, sizeof lines / sizeof *lines, operation->sizes[i],
                                product->is_even ? 0 : 3, true);
    hone__iree_cpu_values_near(&values, knobs->choice.distribution[i], operation->sizes[i]);
    knobs->distribution[i] = hone__iree_cpu_tile(knobs, "dist", i, &values);
  }
}

/* The number of workgroups along a loop, if its tiles are the compiler's. */
static int64_t chosen_groups(const struct product *product, unsigned loop)
{
  const int64_t size = product->knobs->operation->sizes[loop],
                tile = choice_of(product)->distribution[loop];

  return tile > 0 && tile < size ? (size + tile - 1) / tile : 1;
}

/* No thread is without work, unless the compiler's own tiles leave it so. */
static void constrain_workgroups(struct product *product)
{
  struct hone__iree_cpu_knobs *knobs = product->knobs;
  const struct hone__iree_operation *operation = knobs->operation;
  struct hone__text groups = {0};
  int64_t chosen = 1;

  for (unsigned i = 0; i < operation->loop_count; i++) {
    const char *tile = knobs->distribution[i];
    chosen *= chosen_groups(product, i);
    if (!tile) continue;
    hone__text_add(&groups, groups.length ? " * " : "");
    if (hone__starts_with(tile, "$"))
      hone__text_addf(&groups, "((%" PRId64 " + dist_%u) // dist_%u)", operation->sizes[i] - 1, i,
                      i);
    else
      hone__text_addf(&groups, "%" PRId64, operation->sizes[i]);
  }
  if (knobs->threads > 1 && choice_of(product)->is_known && chosen >= knobs->threads &&
      groups.length)
    hone__knobs_constraint(&knobs->writer, "%s >= %" PRId64, groups.data, knobs->threads);
  hone__text_release(&groups);
}

/* ---- Cache ---- */

struct cache {
  struct hone__iree_cpu_values rows, columns, steps;
};

/* Only where several of its tiles are left in each direction is it worth a level. */
static bool find_cache(const struct product *product, struct cache *cache)
{
  static const int64_t rows[] = {32, 48, 64}, steps[] = {128, 256, 512};
  const int64_t lanes = product->knobs->lanes, columns[] = {4 * lanes, 8 * lanes};

  if (product->row < 0 || product->column < 0 || product->step < 0 || product->is_strided)
    return false;
  if (product->rows < 2 * rows[0] || product->columns < 2 * columns[0]) return false;
  for (size_t i = 0; i < 3; i++)
    if (product->rows % rows[i] == 0) hone__iree_cpu_values_add(&cache->rows, rows[i]);
  for (size_t i = 0; i < 2; i++)
    if (product->columns % columns[i] == 0) hone__iree_cpu_values_add(&cache->columns, columns[i]);
  for (size_t i = 0; i < 3; i++)
    if (product->steps % steps[i] == 0 && product->steps > steps[i])
      hone__iree_cpu_values_add(&cache->steps, steps[i]);
  return cache->rows.count && cache->columns.count && cache->steps.count;
}

static void constrain_cache(struct product *product)
{
  struct hone__knob_writer *writer = &product->knobs->writer;
  const int row = product->row, column = product->column, step = product->step;

  hone__knobs_constraint(writer, "(cache_%d == 0) == (cache_%d == 0)", row, step);
  hone__knobs_constraint(writer, "(cache_%d == 0) == (cache_%d == 0)", column, step);
  hone__knobs_constraint(writer, "cache_%d %% vec_%d == 0", row, row);
  hone__knobs_constraint(writer, "cache_%d %% vec_%d == 0", column, column);
  hone__knobs_constraint(writer, "cache_%d == 0 or dist_%d %% cache_%d == 0", row, row, row);
  hone__knobs_constraint(writer, "cache_%d == 0 or dist_%d %% cache_%d == 0", column, column,
                         column);
  hone__knobs_constraint(writer, "cache_%d * cache_%d < %" PRId64, row, column,
                         product->knobs->room);
  hone__knobs_constraint(writer, "4 * cache_%d * cache_%d <= dist_%d * dist_%d", row, column, row,
                         column);
  hone__knobs_order(writer, "cache_%d != 0", step);
}

/* Gives the condition for the level, or NULL: never. */
static const char *add_cache(struct product *product)
{
  struct hone__iree_cpu_knobs *knobs = product->knobs;
  struct cache cache = {0};

  if (knobs->operation->kind != HONE__IREE_CONTRACTION || !find_cache(product, &cache)) return NULL;
  hone__iree_cpu_values_add(&cache.rows, 0);
  hone__iree_cpu_values_add(&cache.columns, 0);
  hone__iree_cpu_values_add(&cache.steps, 0);
  for (unsigned i = 0; i < knobs->operation->loop_count; i++)
    if (knobs->parallel[i]) knobs->cache_parallel[i] = "1";
  knobs->cache_parallel[product->row] =
      hone__iree_cpu_tile(knobs, "cache", (unsigned)product->row, &cache.rows);
  knobs->cache_parallel[product->column] =
      hone__iree_cpu_tile(knobs, "cache", (unsigned)product->column, &cache.columns);
  for (unsigned i = 0; i < knobs->operation->loop_count; i++)
    if (knobs->reduction[i]) knobs->cache_reduction[i] = "1";
  knobs->cache_reduction[product->step] =
      hone__iree_cpu_tile(knobs, "cache", (unsigned)product->step, &cache.steps);
  constrain_cache(product);
  return hone__arena_printf(&knobs->arena, "cache_%d > 0", product->step);
}

void hone__iree_cpu_product_knobs(struct hone__iree_cpu_knobs *knobs)
{
  const char *pipeline = knobs->operation->kind == HONE__IREE_CONVOLUTION
                             ? "ConvTileAndDecomposeExpert"
                             : "DoubleTilingExpert";
  struct product product = {.knobs = knobs};

  hone__knobs_begin(&knobs->writer, pipeline);
  find_loops(&product);
  add_outer_loops(&product);
  add_vectors(&product);
  add_workgroup(&product, product.row, 8);
  add_workgroup(&product, product.column, knobs->lanes);
  constrain_workgroups(&product);
  hone__iree_cpu_text(knobs, pipeline, add_cache(&product));
}
