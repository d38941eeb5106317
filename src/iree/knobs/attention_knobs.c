/* attention_knobs.c - attention as two products: scores of queries and keys (QK), and scores times
 * values (PV).
 *
 * Each has an intrinsic of its own, virtual ones included. The scores must lie in registers as PV's
 * accumulator does; where they lie as one of its inputs they need no shared memory in between, and
 * where that input is the right one, both intrinsics are used column-major. Of intrinsics with one
 * shape the target's first is taken, unless another one alone can do that. */
#include "iree/knobs/attention_limits.h"
#include "iree/knobs/gpu_knobs.h"

#include <inttypes.h>

enum { MOST_SHAPES = 16 };

struct pair { /* of intrinsics for QK and PV */
  bool is_legal, can_reuse, is_col_major;
};

struct generator {
  struct hone__iree_gpu_knobs *knobs;
  int64_t m, n, k1, k2; /* innermost sizes */
  const char *query, *key, *value, *out;
  bool is_query_transposed, is_key_transposed, is_value_transposed;
  struct hone__iree_gpu_mmas qk, pv;
  struct pair pairs[MOST_SHAPES][MOST_SHAPES]; /* QK, PV */
  const char *pv_m, *pv_n, *pv_k;              /* expressions */
};

static const char *const qk_index = "qk_mma_idx", *const pv_index = "pv_mma_idx";

/* ---- Pairs of intrinsics ---- */

/* How often a subgroup repeats the layout does not matter. */
static bool is_same_layout(const struct hone__mma_layout *a, const struct hone__mma_layout *b)
{
  for (int i = 0; i < 2; i++)
    if (a->element[i] != b->element[i] || a->thread[i] != b->thread[i] ||
        a->strides[i] != b->strides[i])
      return false;
  return true;
}

static struct pair judge(const struct hone__mma *qk, const struct hone__mma *pv)
{
  struct pair pair = {0};

  if (!qk->has_layout || !pv->has_layout || !is_same_layout(&qk->acc, &pv->acc)) return pair;
  pair.is_legal = true;
  pair.is_col_major = is_same_layout(&qk->acc, &pv->rhs);
  pair.can_reuse = pair.is_col_major || is_same_layout(&qk->acc, &pv->lhs);
  return pair;
}

static bool fits_values(const struct generator *g, const struct hone__mma *mma)
{
  return hone__iree_gpu_mma_is_usable(g->knobs, mma) &&
         hone__mma_fits(mma, g->value, g->value, g->out, true);
}

static bool reuses_any(const struct generator *g, const struct hone__mma *pv)
{
  for (size_t i = 0; i < g->qk.count; i++)
    if (judge(g->qk.list[i], pv).can_reuse) return true;
  return false;
}

/* Of PV's intrinsics with one shape that which can take scores from registers. SHARK Tuner names
 * the first, but calculates with the layout of any. */
static void choose_layouts(struct generator *g)
{
  const struct hone__iree_target *target = g->knobs->target;

  for (size_t i = 0; i < g->pv.count; i++)
    for (size_t j = 0; j < target->mma_count && !reuses_any(g, g->pv.list[i]); j++) {
      const struct hone__mma *mma = &target->mmas[j], *first = g->pv.list[i];
      if (mma->m != first->m || mma->n != first->n || mma->k != first->k) continue;
      if (fits_values(g, mma) && reuses_any(g, mma)) g->pv.list[i] = mma;
    }
}

static void judge_pairs(struct generator *g)
{
  for (size_t i = 0; i < g->qk.count; i++)
    for (size_t j = 0; j < g->pv.count; j++)
      g->pairs[i][j] = judge(g->qk.list[i], g->pv.list[j]);
}

static void keep_divisors(struct hone__iree_gpu_mmas *mmas, int64_t m, int64_t n, int64_t k)
{
  size_t kept = 0;

  for (size_t i = 0; i < mmas->count && kept < MOST_SHAPES; i++) {
    const struct hone__mma *mma = mmas->list[i];
    if (m % mma->m == 0 && n % mma->n == 0 && k % mma->k == 0) mmas->list[kept++] = mma;
  }
  mmas->count = kept;
}

static bool is_used(const struct generator *g, bool is_pv, size_t index)
{
  size_t others = is_pv ? g->qk.count : g->pv.count;

  for (size_t i = 0; i < others; i++)
    if (is_pv ? g->pairs[i][index].is_legal : g->pairs[index][i].is_legal) return true;
  return false;
}

static bool index_param(struct generator *g, bool is_pv)
{
  int64_t values[MOST_SHAPES];
  size_t count = 0;

  for (size_t i = 0; i < (is_pv ? g->pv.count : g->qk.count); i++)
    if (is_used(g, is_pv, i)) values[count++] = (int64_t)i;
  if (count) hone__knobs_values(&g->knobs->writer, is_pv ? pv_index : qk_index, values, count);
  return count > 0;
}

/* A condition on the pair: "" is always true, NULL never. */
static const char *pairs_with(struct generator *g, bool (*is_so)(const struct pair *))
{
  struct hone__text text = {0};
  const char *result = NULL;
  size_t yes = 0, all = 0;

  for (size_t i = 0; i < g->qk.count; i++)
    for (size_t j = 0; j < g->pv.count; j++) {
      all += g->pairs[i][j].is_legal;
      if (!g->pairs[i][j].is_legal || !is_so(&g->pairs[i][j])) continue;
      hone__text_addf(&text, "%s(%zu, %zu)", yes++ ? ", " : "", i, j);
    }
  if (yes)
    result = yes == all ? ""
                        : hone__arena_printf(&g->knobs->arena, "(%s, %s) in [%s]", qk_index,
                                             pv_index, text.data);
  hone__text_release(&text);
  return result;
}

static bool can_reuse(const struct pair *pair)
{
  return pair->can_reuse;
}

static bool is_col_major(const struct pair *pair)
{
  return pair->is_col_major;
}

static void pair_constraint(struct generator *g)
{
  struct hone__text text = {0};
  bool has_gap = false, has_one = false;

  for (size_t i = 0; i < g->qk.count; i++)
    for (size_t j = 0; j < g->pv.count; j++) {
      if (!g->pairs[i][j].is_legal) {
        has_gap |= is_used(g, false, i) && is_used(g, true, j);
        continue;
      }
      hone__text_addf(&text, "%s(%zu, %zu)", has_one ? ", " : "", i, j);
      has_one = true;
    }
  if (has_gap)
    hone__knobs_constraint(&g->knobs->writer, "(%s, %s) in [%s]", qk_index, pv_index, text.data);
  hone__text_release(&text);
}

/* ---- Knobs ---- */

static bool tile_param(struct generator *g, const char *name, int64_t size,
                       int64_t (*step)(const struct hone__mma *))
{
  int64_t values[HONE__IREE_GPU_TILE];
  size_t count = 0;

  for (int64_t tile = 1; tile <= HONE__IREE_GPU_TILE && tile <= size; tile++) {
    bool fits = false;
    for (size_t i = 0; i < g->pv.count; i++)
      fits |= is_used(g, true, i) && tile % step(g->pv.list[i]) == 0;
    if (fits && size % tile == 0) values[count++] = tile;
  }
  if (count) hone__knobs_values(&g->knobs->writer, name, values, count);
  return count > 0;
}

static int64_t m_of(const struct hone__mma *mma)
{
  return mma->m;
}
static int64_t n_of(const struct hone__mma *mma)
{
  return mma->n;
}
static int64_t k_of(const struct hone__mma *mma)
{
  return mma->k;
}

static const char *lookup(struct generator *g, bool is_pv,
                          int64_t (*value)(const struct hone__mma *))
{
  const struct hone__iree_gpu_mmas *mmas = is_pv ? &g->pv : &g->qk;
  int64_t values[MOST_SHAPES];

  for (size_t i = 0; i < mmas->count; i++)
    values[i] = value(mmas->list[i]);
  return hone__iree_gpu_lookup(g->knobs, is_pv ? pv_index : qk_index, values, mmas->count);
}

static bool params(struct generator *g)
{
  if (!index_param(g, false) || !index_param(g, true)) return false;
  if (!tile_param(g, "m_tile", g->m, m_of) || !tile_param(g, "n_tile", g->n, n_of) ||
      !tile_param(g, "red_k2", g->k2, k_of))
    return false;
  if (g->knobs->num_subgroups)
    hone__knobs_values(&g->knobs->writer, "sg_m_cnt", &g->knobs->num_subgroups, 1);
  else
    hone__iree_gpu_count_param(g->knobs, "sg_m_cnt");
  g->pv_m = lookup(g, true, m_of);
  g->pv_n = lookup(g, true, n_of);
  g->pv_k = lookup(g, true, k_of);
  return true;
}

/* ---- Constraints ---- */

/* Threads copy rows in pieces of 128 bits: as many as threads, or the one divides the other. */
static void rows_constraint(struct generator *g, const char *row, const char *element)
{
  int64_t bits = hone__iree_gpu_bits(element), piece = bits > 0 && bits <= 128 ? 128 / bits : 1;
  const char *pieces =
      hone__arena_printf(&g->knobs->arena, "max(%s // %" PRId64 ", 1)", row, piece);
  const char *threads = hone__arena_printf(&g->knobs->arena, "(%" PRId64 " * sg_m_cnt)",
                                           g->knobs->target->subgroup_size);

  hone__knobs_constraint(&g->knobs->writer, "%s %% %s == 0 or %s %% %s == 0", pieces, threads,
                         threads, pieces);
}

static void rows_constraints(struct generator *g)
{
  const char *depth = hone__arena_printf(&g->knobs->arena, "%" PRId64, g->k1);

  rows_constraint(g, g->is_query_transposed ? "m_tile" : depth, g->key);
  rows_constraint(g, g->is_key_transposed ? depth : "red_k2", g->key);
  rows_constraint(g, "red_k2", g->value);
  if (!g->is_value_transposed) rows_constraint(g, "n_tile", g->value);
}

static void memory_constraint(struct generator *g, const char *reuse)
{
  int64_t value_bits = hone__iree_gpu_bits(g->value);
  const char *pv = hone__arena_printf(
      &g->knobs->arena, "(m_tile * red_k2 * %" PRId64 " // 8 + n_tile * red_k2 * %" PRId64 " // 8)",
      value_bits, value_bits);

  if (reuse)
    pv = *reuse ? hone__arena_printf(&g->knobs->arena, "(%s // 2 if %s else %s)", pv, reuse, pv)
                : hone__arena_printf(&g->knobs->arena, "%s // 2", pv);
  hone__knobs_constraint(&g->knobs->writer,
                         "m_tile * %" PRId64 " // 8 + red_k2 * %" PRId64 " // 8 + %s <= %" PRId64,
                         g->k1 * hone__iree_gpu_bits(g->query), g->k1 * hone__iree_gpu_bits(g->key),
                         pv, g->knobs->target->shared_bytes);
}

static void leave_out_rejected(struct generator *g, const char *reuse)
{
  const struct hone__attention_tiles tiles = {.m = "m_tile",
                                              .n = "n_tile",
                                              .k2 = "red_k2",
                                              .qk_columns = lookup(g, false, n_of),
                                              .reuse = reuse,
                                              .k1 = g->k1,
                                              .query = g->query,
                                              .key = g->key,
                                              .value = g->value,
                                              .shared_bytes = g->knobs->target->shared_bytes};

  hone__attention_limits(&g->knobs->writer, &tiles);
}

static void constraints(struct generator *g, const char *reuse)
{
  struct hone__knob_writer *writer = &g->knobs->writer;

  pair_constraint(g);
  hone__knobs_constraint(writer, "m_tile %% (sg_m_cnt * %s) == 0", g->pv_m);
  hone__knobs_constraint(writer, "n_tile %% %s == 0", g->pv_n);
  hone__knobs_constraint(writer, "red_k2 %% %s == 0", g->pv_k);
  rows_constraints(g);
  memory_constraint(g, reuse);
  if (g->knobs->only_compilable) leave_out_rejected(g, reuse);
}

/* ---- Texts ---- */

static bool has_dim(const struct hone__dim_list *list, unsigned dim)
{
  for (unsigned i = 0; i < list->count; i++)
    if (list->dims[i] == dim) return true;
  return false;
}

static void set_dims(const char **parts, const struct hone__dim_list *dims, const char *outer,
                     const char *innermost)
{
  for (unsigned i = 0; i < dims->count; i++)
    parts[dims->dims[i]] = i + 1 < dims->count ? outer : innermost;
}

static const char *basis_text(struct generator *g, const struct hone__dim_list *without)
{
  const struct hone__iree_operation *operation = g->knobs->operation;
  const char *counts[HONE__IREE_GPU_LOOPS], *mapping[HONE__IREE_GPU_LOOPS];
  size_t mapped = 0;

  for (unsigned i = 0; i < operation->loop_count; i++) {
    counts[i] = "1";
    if (!without || !has_dim(without, i))
      mapping[mapped++] = hone__arena_printf(&g->knobs->arena, "%u", i);
  }
  set_dims(counts, &operation->m, "1", "${sg_m_cnt}");
  return hone__arena_printf(&g->knobs->arena, "[%s, %s]",
                            hone__iree_gpu_list(g->knobs, counts, operation->loop_count),
                            hone__iree_gpu_list(g->knobs, mapping, mapped));
}

static const char *tiles_text(struct generator *g, bool is_reduction)
{
  const struct hone__iree_operation *operation = g->knobs->operation;
  const char *parts[HONE__IREE_GPU_LOOPS];

  for (unsigned i = 0; i < operation->loop_count; i++)
    parts[i] = "0";
  if (is_reduction) {
    set_dims(parts, &operation->k2, "1", "${red_k2}");
  } else {
    set_dims(parts, &operation->batch, "1", "1");
    set_dims(parts, &operation->m, "1", "${m_tile}");
    set_dims(parts, &operation->n, "1", "${n_tile}");
  }
  return hone__iree_gpu_list(g->knobs, parts, operation->loop_count);
}

/* The attribute without its end, where col_major comes. */
static const char *mma_text(struct generator *g, const struct hone__iree_gpu_mmas *mmas,
                            const char *index, const char *col_major)
{
  const char *attrs[MOST_SHAPES];

  for (size_t i = 0; i < mmas->count; i++) {
    const char *whole = hone__iree_gpu_mma_attr(g->knobs, mmas->list[i], false);
    attrs[i] = hone__arena_strndup(&g->knobs->arena, whole, strlen(whole) - 1);
  }
  return hone__arena_printf(&g->knobs->arena, "%s%s>",
                            hone__iree_gpu_text_lookup(g->knobs, index, attrs, mmas->count),
                            col_major);
}

static const char *col_major_text(struct generator *g)
{
  const char *condition = pairs_with(g, is_col_major);

  if (!condition) return "";
  if (!*condition) return ", col_major = true";
  return hone__arena_printf(&g->knobs->arena, "${if %s}, col_major = true${end}", condition);
}

static const char *part_text(struct generator *g, const char *name, const char *mma,
                             const char *promoted, const struct hone__dim_list *without)
{
  return hone__arena_printf(&g->knobs->arena,
                            "%s = {lowering_config = #iree_gpu.lowering_config<{mma_kind = %s, "
                            "promote_operands = %s, subgroup_basis = %s}>}",
                            name, mma, promoted, basis_text(g, without));
}

static void decomposition_text(struct generator *g)
{
  const struct hone__iree_operation *operation = g->knobs->operation;
  const char *col_major = col_major_text(g);
  const char *pv =
      part_text(g, "pv_attrs", mma_text(g, &g->pv, pv_index, col_major), "[1]", &operation->k1);
  const char *qk =
      part_text(g, "qk_attrs", mma_text(g, &g->qk, qk_index, col_major), "[0, 1]", &operation->n);

  hone__knobs_text(&g->knobs->writer, "decomposition_config",
                   hone__arena_printf(&g->knobs->arena, "{%s, %s}", pv, qk));
}

/* Copies are made ahead only where the scores stay in registers. */
static struct hone__iree_gpu_translation translation_of(struct generator *g, const char *reuse)
{
  struct hone__iree_gpu_translation translation = {.has_denorm = true};

  translation.prefetch = !reuse   ? "0"
                         : *reuse ? hone__arena_printf(&g->knobs->arena, "${2 if %s else 0}", reuse)
                                  : "2";
  translation.sizes = hone__arena_printf(&g->knobs->arena, "${%" PRId64 " * sg_m_cnt}, 1, 1",
                                         g->knobs->target->subgroup_size);
  return translation;
}

static void texts(struct generator *g, const struct hone__iree_gpu_translation *translation)
{
  const char *config = hone__arena_printf(
      &g->knobs->arena,
      "promote_operands = [0, 1, 2], reduction = %s, subgroup_basis = %s, workgroup = %s",
      tiles_text(g, true), basis_text(g, NULL), tiles_text(g, false));

  hone__knobs_text(&g->knobs->writer, "compilation_info",
                   hone__iree_gpu_compilation_info(g->knobs, config, translation));
  decomposition_text(g);
}

/* ---- All ---- */

static void write(struct generator *g)
{
  const char *reuse = pairs_with(g, can_reuse);
  struct hone__iree_gpu_translation translation = translation_of(g, reuse);

  hone__iree_gpu_option_params(g->knobs, &translation);
  constraints(g, reuse);
  texts(g, &translation);
  hone__knobs_end(&g->knobs->writer, g->knobs->yaml);
}

/* Whether the map's last result is another dim than this. */
static bool ends_otherwise(const struct hone__affine_map *map, unsigned dim)
{
  const struct hone__affine_expr *last;

  if (!map->count || dim >= map->dims) return true;
  last = &map->results[map->count - 1];
  for (unsigned i = 0; i < map->dims; i++)
    if ((last->factors[i] != 0) != (i == dim)) return true;
  return false;
}

static unsigned last_of(const struct hone__dim_list *list)
{
  return list->dims[list->count - 1];
}

static bool start(struct generator *g)
{
  const struct hone__iree_operation *o = g->knobs->operation;

  if (!o->m.count || !o->n.count || !o->k1.count || !o->k2.count || o->map_count < 5u + o->has_mask)
    return false;
  g->m = o->sizes[last_of(&o->m)];
  g->n = o->sizes[last_of(&o->n)];
  g->k1 = o->sizes[last_of(&o->k1)];
  g->k2 = o->sizes[last_of(&o->k2)];
  g->query = o->types[0];
  g->key = o->types[1];
  g->value = o->types[2];
  g->out = o->types[4 + o->has_mask];
  g->is_query_transposed = ends_otherwise(&o->maps[0], last_of(&o->k1));
  g->is_key_transposed = ends_otherwise(&o->maps[1], last_of(&o->k1));
  g->is_value_transposed = ends_otherwise(&o->maps[2], last_of(&o->k2));
  return true;
}

static bool find_intrinsics(struct generator *g)
{
  hone__iree_gpu_mmas_find(g->knobs, g->query, g->key, "f32", true, &g->qk);
  hone__iree_gpu_mmas_find(g->knobs, g->value, g->value, g->out, true, &g->pv);
  if (!g->qk.count || !g->pv.count) return false;
  keep_divisors(&g->qk, g->m, g->k2, g->k1);
  keep_divisors(&g->pv, g->m, g->n, g->k2);
  choose_layouts(g);
  judge_pairs(g);
  return true;
}

void hone__iree_gpu_attention_knobs(struct hone__iree_gpu_knobs *knobs)
{
  struct generator g = {.knobs = knobs};

  if (knobs->pipeline != HONE__IREE_GPU_VECTOR_DISTRIBUTE) {
    hone__text_add(knobs->why, "attention is lowered by VectorDistribute only");
  } else if (!start(&g)) {
    hone__text_add(knobs->why, "it has no dim of M, N, K1 or K2");
  } else if (!find_intrinsics(&g)) {
    hone__text_addf(knobs->why, "no compatible intrinsic on %s for %s, %s and %s -> %s",
                    knobs->target->arch, g.query, g.key, g.value, g.out);
  } else {
    hone__knobs_begin(&knobs->writer, "VectorDistribute");
    if (params(&g))
      write(&g);
    else
      hone__text_add(knobs->why, "no tile divides the sizes and is a multiple of an intrinsic");
  }
}
