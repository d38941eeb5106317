/* simt_knobs.c - products without intrinsics, on NVIDIA's GPUs: every thread computes a tile.
 *
 * IREE compiles f32 products and convolutions with TileAndFuse as well, with tiles of threads in
 * place of tiles of subgroups. Tiles may be any size: one that does not divide its loop costs
 * vector loads, and its operands cannot be in shared memory. The number of threads follows from the
 * tiles. Operands can be copied into shared memory, which the compiler itself never chooses here.
 */
#include "iree/knobs/product_knobs.h"

#include <inttypes.h>

enum {
  MOST_WORKGROUP = 256,  /* tile of a workgroup along one loop */
  MOST_THREAD = 16,      /* of a thread along the innermost loop of M or N */
  MOST_OUTER_THREAD = 4, /* along the others */
  MOST_RESULTS = 128,    /* of one thread: they are in registers */
  MOST_UNROLLED = 4096,  /* multiplications in the code of one thread */
  MOST_K = 128,
  LEAST_PROMOTED = 4, /* K of a tile in shared memory */
  VECTOR = 4,         /* elements of a vector load */
  SMALL = 8,
  MIDDLE = 64 /* usual tiles are between the two */
};

/* ---- Values ---- */

/* The divisors; powers of two, too, if none of them suits threads and vectors. */
static void add_tiles(struct hone__tiles *tiles, int64_t size, int64_t most)
{
  bool is_even = size <= SMALL;

  for (int64_t i = 1; i <= size && i <= most; i++) {
    if (size % i) continue;
    tiles->is_tile[i] = true;
    is_even |= i % VECTOR == 0 && i >= SMALL && i <= MIDDLE;
  }
  for (int64_t i = VECTOR; !is_even && i < size && i <= MIDDLE; i *= 2)
    tiles->is_tile[i] = true;
}

static void add_powers(struct hone__tiles *tiles, int64_t size, int64_t most)
{
  for (int64_t i = 1; i <= size && i <= most; i *= 2)
    tiles->is_tile[i] = true;
}

static void write_param(struct hone__product_knobs *g, const char **name, const char *prefix,
                        unsigned dim, const struct hone__tiles *tiles)
{
  *name = hone__product_print(g, "%s_%u", prefix, dim);
  hone__tiles_write(g, name, tiles);
}

static void workgroup_params(struct hone__product_knobs *g, const struct hone__dim_list *dims)
{
  for (unsigned i = 0; i < dims->count; i++) {
    struct hone__tiles tiles = {0};
    add_tiles(&tiles, g->product->bounds[dims->dims[i]], MOST_WORKGROUP);
    write_param(g, &g->wg[dims->dims[i]], "wg", dims->dims[i], &tiles);
  }
}

static void thread_params(struct hone__product_knobs *g, const struct hone__dim_list *dims)
{
  for (unsigned i = 0; i < dims->count; i++) {
    struct hone__tiles tiles = {0};
    bool is_last = i + 1 == dims->count;
    add_powers(&tiles, g->product->bounds[dims->dims[i]],
               is_last ? MOST_THREAD : MOST_OUTER_THREAD);
    write_param(g, &g->sg[dims->dims[i]], "th", dims->dims[i], &tiles);
  }
}

static void reduction_params(struct hone__product_knobs *g, const struct hone__dim_list *dims)
{
  for (unsigned i = 0; i < dims->count; i++) {
    struct hone__tiles tiles = {0};
    add_tiles(&tiles, g->product->bounds[dims->dims[i]], MOST_K);
    write_param(g, &g->red[dims->dims[i]], "red", dims->dims[i], &tiles);
  }
}

/* ---- Expressions ---- */

/* Of M and N, or of K and the filter: "a * b". */
static const char *of_both(struct hone__product_knobs *g, const char *const *names,
                           const struct hone__dim_list *a, const struct hone__dim_list *b)
{
  const char *first = hone__product_of(g, names, a);

  return b->count ? hone__product_print(g, "%s * %s", first, hone__product_of(g, names, b)) : first;
}

static const char *thread_count(struct hone__product_knobs *g)
{
  const struct hone__iree_gpu_product *product = g->product;

  return hone__product_print(g, "(%s) // (%s)", of_both(g, g->wg, &product->m, &product->n),
                             of_both(g, g->sg, &product->m, &product->n));
}

static const char *summed(struct hone__product_knobs *g)
{
  return of_both(g, g->red, &g->product->k, &g->product->filter);
}

/* ---- Constraints ---- */

static void divide_tiles(struct hone__product_knobs *g, const struct hone__dim_list *dims)
{
  for (unsigned i = 0; i < dims->count; i++)
    hone__knobs_constraint(&g->knobs->writer, "%s %% %s == 0", g->wg[dims->dims[i]],
                           g->sg[dims->dims[i]]);
}

/* The compiler cannot allocate shared memory for tiles that may be cut off at the end. */
static void divide_loops(struct hone__product_knobs *g, const char *const *names,
                         const struct hone__dim_list *dims)
{
  for (unsigned i = 0; i < dims->count; i++)
    hone__knobs_constraint(&g->knobs->writer, "promote == 0 or %" PRId64 " %% %s == 0",
                           g->product->bounds[dims->dims[i]], names[dims->dims[i]]);
}

/* The window of a convolution's input is at most its results times the filter, in each dim times
 * the stride. Rows in shared memory may be padded, by half at most. */
static void limit_shared(struct hone__product_knobs *g)
{
  const struct hone__iree_gpu_product *product = g->product;
  const struct hone__iree_operation *operation = g->knobs->operation;
  int64_t strides = 1;

  for (unsigned i = 0; product->filter.count && i < operation->image.count && i < 4; i++)
    strides *= operation->strides[i];
  hone__knobs_constraint(
      &g->knobs->writer,
      "promote == 0 or 3 * (%" PRId64 " * %s + %" PRId64 " * %s) * %s <= 2 * %" PRId64,
      strides * hone__iree_gpu_bits(product->lhs) / 8, hone__product_of(g, g->wg, &product->m),
      hone__iree_gpu_bits(product->rhs) / 8, hone__product_of(g, g->wg, &product->n), summed(g),
      g->knobs->target->shared_bytes);
  hone__knobs_constraint(&g->knobs->writer, "promote == 0 or %s >= %d",
                         g->red[hone__iree_last_dim(&product->k)], LEAST_PROMOTED);
}

static void constrain(struct hone__product_knobs *g, const char *threads)
{
  struct hone__knob_writer *writer = &g->knobs->writer;
  const struct hone__iree_target *target = g->knobs->target;
  const char *results = of_both(g, g->sg, &g->product->m, &g->product->n);

  divide_tiles(g, &g->product->m);
  divide_tiles(g, &g->product->n);
  hone__knobs_constraint(writer, "%s <= %d", results, MOST_RESULTS);
  hone__knobs_constraint(writer, "%s * %s <= %d", results, summed(g), MOST_UNROLLED);
  hone__knobs_constraint(writer, "%s <= %" PRId64, threads, target->max_threads);
  hone__knobs_constraint(writer, "(%s) %% %" PRId64 " == 0", threads, target->subgroup_size);
  divide_loops(g, g->wg, &g->product->m);
  divide_loops(g, g->wg, &g->product->n);
  divide_loops(g, g->red, &g->product->k);
  limit_shared(g);
  if (!g->knobs->has_no_reduce) /* without shared memory it has no effect */
    hone__knobs_constraint(writer,
                           "promote == 1 or no_reduce_shared_memory_bank_conflicts == True");
}

/* ---- Text ---- */

static const char *thread_list(struct hone__product_knobs *g)
{
  return hone__product_list(g, g->sg, true);
}

static void write_text(struct hone__product_knobs *g, const char *threads,
                       const struct hone__iree_gpu_translation *options)
{
  struct hone__iree_gpu_translation translation = *options;
  const char *config;

  translation.sizes = hone__product_print(g, "${%s}, 1, 1", threads);
  config = hone__product_print(
      g,
      "${if promote == 1}promote_operands = [0, 1], ${end}reduction = %s, thread = %s, "
      "workgroup = %s",
      hone__product_list(g, g->red, false), thread_list(g), hone__product_list(g, g->wg, true));
  hone__knobs_text(&g->knobs->writer, "compilation_info",
                   hone__iree_gpu_compilation_info(g->knobs, config, &translation));
}

/* Tiles in shared memory, 256 threads and 64 results a thread come first. */
static void order(struct hone__product_knobs *g, const char *threads)
{
  const char *results = of_both(g, g->sg, &g->product->m, &g->product->n);
  struct hone__knob_writer *writer = &g->knobs->writer;

  hone__knobs_order(writer, "-promote");
  hone__knobs_order(writer, "max(%s, 256) / min(%s, 256)", threads, threads);
  hone__knobs_order(writer, "max(%s, 64) / min(%s, 64)", results, results);
}

/* ---- The whole ---- */

static bool fills_subgroup(const struct hone__product_knobs *g)
{
  const struct hone__iree_gpu_product *product = g->product;
  int64_t count = 1;

  for (unsigned i = 0; i < product->m.count; i++)
    if (__builtin_mul_overflow(count, product->bounds[product->m.dims[i]], &count)) return true;
  for (unsigned i = 0; i < product->n.count; i++)
    if (__builtin_mul_overflow(count, product->bounds[product->n.dims[i]], &count)) return true;
  return count >= g->knobs->target->subgroup_size;
}

void hone__product_simt(struct hone__product_knobs *g)
{
  const struct hone__iree_gpu_product *product = g->product;
  /* prefetching has no effect without intrinsics */
  struct hone__iree_gpu_translation options = {.use_igemm = product->use_igemm, .prefetch = "0"};
  const char *threads;

  if (!fills_subgroup(g)) {
    hone__text_addf(g->knobs->why, "it has fewer results than a subgroup has threads");
    return;
  }
  workgroup_params(g, &product->m);
  workgroup_params(g, &product->n);
  thread_params(g, &product->m);
  thread_params(g, &product->n);
  reduction_params(g, &product->filter);
  reduction_params(g, &product->k);
  hone__knobs_param(&g->knobs->writer, "promote", "[0, 1]");
  hone__iree_gpu_option_params(g->knobs, &options);
  threads = thread_count(g);
  constrain(g, threads);
  write_text(g, threads, &options);
  order(g, threads);
  hone__knobs_end(&g->knobs->writer, g->knobs->yaml);
}
