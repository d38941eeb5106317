/* gpu_knobs.c - the candidates of an operation on a GPU, as AMD's SHARK Tuner has them.
 *
 * One alternative a way to lower the operation. Its knobs are only those that can be chosen freely:
 * what follows from them (sizes of workgroups, padding) is written as expressions in the texts, so
 * that neighbours of a legal configuration are legal more often. */
#include "iree/knobs/gpu_knobs.h"
#include "hone_iree.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <strings.h>

/* ---- Intrinsics ---- */

/* SHARK Tuner knows square intrinsics only, which on AMD's targets are all except those for sparse
 * operands. NVIDIA's WMMA has no layout that pipelines could distribute. */
bool hone__iree_gpu_mma_is_usable(const struct hone__iree_gpu_knobs *knobs,
                                  const struct hone__mma *mma)
{
  if (mma->is_block || mma->m < 1 || mma->n < 1 || mma->k < 1) return false;
  if (mma->m > HONE__IREE_GPU_TILE || mma->n > HONE__IREE_GPU_TILE || mma->k > HONE__IREE_GPU_TILE)
    return false;
  if (knobs->target->family == HONE__IREE_NVIDIA) return !hone__starts_with(mma->name, "NV_WMMA");
  return mma->m == mma->n;
}

static bool has_shape(const struct hone__iree_gpu_mmas *mmas, const struct hone__mma *mma)
{
  for (size_t i = 0; i < mmas->count; i++)
    if (mmas->list[i]->m == mma->m && mmas->list[i]->n == mma->n && mmas->list[i]->k == mma->k)
      return true;
  return false;
}

void hone__iree_gpu_mmas_find(const struct hone__iree_gpu_knobs *knobs, const char *lhs,
                              const char *rhs, const char *out, bool allow_virtual,
                              struct hone__iree_gpu_mmas *out_mmas)
{
  out_mmas->count = 0;
  for (size_t i = 0; i < knobs->target->mma_count && out_mmas->count < HONE__IREE_GPU_MMAS; i++) {
    const struct hone__mma *mma = &knobs->target->mmas[i];
    if (!hone__iree_gpu_mma_is_usable(knobs, mma) || has_shape(out_mmas, mma)) continue;
    if (hone__mma_fits(mma, lhs, rhs, out, allow_virtual)) out_mmas->list[out_mmas->count++] = mma;
  }
}

bool hone__iree_gpu_is_simt(const struct hone__iree_gpu_knobs *knobs)
{
  const struct hone__iree_operation *operation = knobs->operation;
  struct hone__iree_gpu_mmas mmas;

  if (knobs->target->family != HONE__IREE_NVIDIA || knobs->pipeline != HONE__IREE_GPU_TILE_AND_FUSE)
    return false;
  if (operation->kind != HONE__IREE_CONTRACTION && operation->kind != HONE__IREE_CONVOLUTION)
    return false;
  hone__iree_gpu_mmas_find(knobs, operation->types[0], operation->types[1], operation->types[2],
                           false, &mmas);
  return !mmas.count;
}

const char *hone__iree_gpu_mma_attr(struct hone__iree_gpu_knobs *knobs, const struct hone__mma *mma,
                                    bool col_major)
{
  return hone__arena_printf(&knobs->arena, "#iree_gpu.%smma_layout<%s%s>",
                            mma->is_virtual ? "virtual_" : "", mma->name,
                            col_major ? ", col_major = true" : "");
}

/* ---- Expressions ---- */

const char *hone__iree_gpu_lookup(struct hone__iree_gpu_knobs *knobs, const char *index,
                                  const int64_t *values, size_t count)
{
  struct hone__text text = {0};
  const char *result;
  bool differ = false;

  for (size_t i = 0; i < count; i++) {
    differ |= values[i] != values[0];
    hone__text_addf(&text, "%s%" PRId64, i ? ", " : "[", values[i]);
  }
  result = differ ? hone__arena_printf(&knobs->arena, "%s][%s]", text.data, index)
                  : hone__arena_printf(&knobs->arena, "%" PRId64, values[0]);
  hone__text_release(&text);
  return result;
}

const char *hone__iree_gpu_text_lookup(struct hone__iree_gpu_knobs *knobs, const char *index,
                                       const char *const *values, size_t count)
{
  struct hone__text text = {0};
  const char *result;
  bool differ = false;

  for (size_t i = 0; i < count; i++) {
    differ |= strcmp(values[i], values[0]) != 0;
    hone__text_addf(&text, "%s\"%s\"", i ? ", " : "${[", values[i]);
  }
  result = differ ? hone__arena_printf(&knobs->arena, "%s][%s]}", text.data, index) : values[0];
  hone__text_release(&text);
  return result;
}

int64_t hone__iree_gpu_bits(const char *element)
{
  const char *digits = element + strcspn(element, "0123456789");

  return strtol(digits, NULL, 10);
}

void hone__iree_gpu_count_param(struct hone__iree_gpu_knobs *knobs, const char *name)
{
  int64_t most =
      knobs->most_subgroups < HONE__IREE_GPU_COUNT ? knobs->most_subgroups : HONE__IREE_GPU_COUNT;

  if (knobs->num_subgroups)
    hone__knobs_divisors(&knobs->writer, name, knobs->num_subgroups, 1, HONE__IREE_GPU_COUNT);
  else
    hone__knobs_range(&knobs->writer, name, 1, most);
}

void hone__iree_gpu_subgroups_constraint(struct hone__iree_gpu_knobs *knobs, const char *a,
                                         const char *b)
{
  hone__knobs_constraint(&knobs->writer, "%s * %s %s %" PRId64, a, b,
                         knobs->num_subgroups ? "==" : "<=", knobs->most_subgroups);
}

/* ---- Options ---- */

static bool is_word(const char *word, const char *wanted)
{
  return strcasecmp(word, wanted) == 0;
}

struct option_rule { /* what a list of an option may hold */
  const char *name, *fallback;
  bool numbers, booleans, none;
  const char *word; /* besides */
};

static bool is_number(const char *word)
{
  return strlen(word) <= 3 && strspn(word, "0123456789") == strlen(word);
}

static bool is_allowed(const struct option_rule *rule, const char *word)
{
  if (rule->numbers && is_number(word)) return true;
  if (rule->booleans && (is_word(word, "true") || is_word(word, "false"))) return true;
  if (rule->none && is_word(word, "none")) return true;
  return rule->word && is_word(word, rule->word);
}

/* One spelling for each: as it stands in a list of YAML and in MLIR. */
static void normalize(const struct option_rule *rule, char *word)
{
  if (rule->word && is_word(word, rule->word)) {
    memcpy(word, rule->word, strlen(rule->word));
    return;
  }
  for (; *word; word++)
    *word = (char)tolower((unsigned char)*word);
}

static bool read_option(struct hone__iree_gpu_knobs *knobs, const struct option_rule *rule,
                        const char *list, struct hone__knob_options *out)
{
  bool ok = hone__knob_options_read(list, rule->fallback, out);

  for (size_t i = 0; ok && i < out->count; i++) {
    ok = is_allowed(rule, out->words[i]);
    if (ok) normalize(rule, out->words[i]);
  }
  if (!ok)
    hone__text_addf(knobs->why, "'%s' is not a list of values for %s: write %s%s%s%s, with commas",
                    list, rule->name, rule->numbers ? "numbers" : "",
                    rule->booleans ? "true, false" : "", rule->word ? rule->word : "",
                    rule->none ? " or none" : "");
  return ok;
}

static bool read_lists(struct hone__iree_gpu_knobs *knobs, const struct hone_iree_options *options)
{
  static const char no_reduce_name[] = "--no-reduce-shared-memory-bank-conflicts-options";
  static const struct option_rule
      prefetch = {"--prefetch-num-stages-options", "2", true, false, true, NULL},
      waves = {"--waves-per-eu-options", "2", true, false, true, NULL},
      denorm = {"--denorm-flushing-options", "false", false, true, false, NULL},
      reorder = {"--reorder-workgroups-options", "none", false, false, true, "Transpose"};
  const struct option_rule no_reduce = {
      no_reduce_name, hone__iree_gpu_is_simt(knobs) ? "true,false" : "none",
      false,          true,
      true,           NULL};

  return read_option(knobs, &prefetch, options->prefetch_num_stages, &knobs->prefetch) &&
         read_option(knobs, &no_reduce, options->no_reduce_bank_conflicts, &knobs->no_reduce) &&
         read_option(knobs, &waves, options->waves_per_eu, &knobs->waves) &&
         read_option(knobs, &denorm, options->denorm_flushing, &knobs->denorm) &&
         read_option(knobs, &reorder, options->reorder_workgroups, &knobs->reorder);
}

static const struct {
  const char *word;
  enum hone__iree_gpu_pipeline pipeline;
} pipelines[] = {
    {"VD", HONE__IREE_GPU_VECTOR_DISTRIBUTE},
    {"VectorDistribute", HONE__IREE_GPU_VECTOR_DISTRIBUTE},
    {"vector_distribute", HONE__IREE_GPU_VECTOR_DISTRIBUTE},
    {"llvmgpu_vector_distribute", HONE__IREE_GPU_VECTOR_DISTRIBUTE},
    {"LLVMGPUVectorDistribute", HONE__IREE_GPU_VECTOR_DISTRIBUTE},
    {"TF", HONE__IREE_GPU_TILE_AND_FUSE},
    {"TileAndFuse", HONE__IREE_GPU_TILE_AND_FUSE},
    {"tile_and_fuse", HONE__IREE_GPU_TILE_AND_FUSE},
    {"llvmgpu_tile_and_fuse", HONE__IREE_GPU_TILE_AND_FUSE},
    {"LLVMGPUTileAndFuse", HONE__IREE_GPU_TILE_AND_FUSE},
};

static bool read_pipeline(struct hone__iree_gpu_knobs *knobs, const char *word)
{
  knobs->pipeline = knobs->operation->kind == HONE__IREE_ATTENTION
                        ? HONE__IREE_GPU_VECTOR_DISTRIBUTE
                        : HONE__IREE_GPU_TILE_AND_FUSE;
  if (!word || !*word) return true;
  for (size_t i = 0; i < sizeof pipelines / sizeof *pipelines; i++)
    if (is_word(word, pipelines[i].word)) {
      knobs->pipeline = pipelines[i].pipeline;
      return true;
    }
  hone__text_addf(knobs->why, "no knobs for the pipeline '%s': write VD or TF", word);
  return false;
}

static bool read_strategy(struct hone__iree_gpu_knobs *knobs, enum hone_iree_conv strategy)
{
  bool is_both = strategy == HONE_IREE_CONV_AUTO || strategy == HONE_IREE_CONV_BOTH;

  knobs->with_igemm = is_both || strategy == HONE_IREE_CONV_IGEMM;
  knobs->with_direct = is_both || strategy == HONE_IREE_CONV_DIRECT;
  if (knobs->with_igemm || knobs->with_direct) return true;
  hone__text_addf(knobs->why, "%d is not a convolution strategy", (int)strategy);
  return false;
}

static bool read_subgroups(struct hone__iree_gpu_knobs *knobs, int count)
{
  int64_t threads = knobs->target->max_threads, size = knobs->target->subgroup_size;
  int64_t room = threads > 0 && size > 0 ? threads / size : HONE__IREE_GPU_SUBGROUPS;

  knobs->num_subgroups = count > 0 ? count : 0;
  knobs->most_subgroups = room < HONE__IREE_GPU_SUBGROUPS ? room : HONE__IREE_GPU_SUBGROUPS;
  if (count <= 0) return true;
  knobs->most_subgroups = count;
  if (threads <= 0 || count <= room) return true;
  hone__text_addf(knobs->why,
                  "%d subgroups of %" PRId64 " threads exceed the limit of %" PRId64
                  " threads per workgroup",
                  count, size, threads);
  return false;
}

static bool is_static(const struct hone__iree_operation *operation)
{
  for (unsigned i = 0; i < operation->loop_count; i++)
    if (operation->sizes[i] < 1) return false;
  return !operation->is_dynamic;
}

static bool is_known(struct hone__iree_gpu_knobs *knobs)
{
  const struct hone__iree_operation *operation = knobs->operation;

  if (!is_static(operation))
    hone__text_add(knobs->why, "a dim of the operation has no fixed size");
  else if (operation->loop_count > HONE__IREE_GPU_LOOPS)
    hone__text_addf(knobs->why, "the operation has %u loops, more than %d", operation->loop_count,
                    HONE__IREE_GPU_LOOPS);
  else if (knobs->target->subgroup_size <= 0 || knobs->target->shared_bytes <= 0)
    hone__text_addf(knobs->why, "the file does not describe the target '%s'",
                    knobs->target->arch ? knobs->target->arch : "?");
  else
    return true;
  return false;
}

static bool read_options(struct hone__iree_gpu_knobs *knobs,
                         const struct hone_iree_options *options)
{
  knobs->only_compilable = options->for_tuning && !options->all;
  knobs->has_no_reduce = options->no_reduce_bank_conflicts != NULL;
  return read_pipeline(knobs, options->pipeline) && read_strategy(knobs, options->conv_strategy) &&
         read_subgroups(knobs, options->num_subgroups) && read_lists(knobs, options);
}

/* ---- All ---- */

static void generate(struct hone__iree_gpu_knobs *knobs)
{
  switch (knobs->operation->kind) {
  case HONE__IREE_CONTRACTION: hone__iree_gpu_contraction_knobs(knobs); break;
  case HONE__IREE_CONVOLUTION: hone__iree_gpu_convolution_knobs(knobs); break;
  case HONE__IREE_ATTENTION: hone__iree_gpu_attention_knobs(knobs); break;
  case HONE__IREE_GENERIC: hone__text_add(knobs->why, "it is tuned on CPUs only"); break;
  }
}

void hone__iree_gpu_knobs(const struct hone__iree_operation *operation,
                          const struct hone__iree_target *target,
                          const struct hone_iree_options *options, struct hone__text *yaml,
                          struct hone__text *why)
{
  struct hone__iree_gpu_knobs knobs = {
      .operation = operation, .target = target, .yaml = yaml, .why = why};

  if (is_known(&knobs) && read_options(&knobs, options)) generate(&knobs);
  hone__knob_options_release(&knobs.prefetch);
  hone__knob_options_release(&knobs.no_reduce);
  hone__knob_options_release(&knobs.waves);
  hone__knob_options_release(&knobs.denorm);
  hone__knob_options_release(&knobs.reorder);
  hone__knobs_drop(&knobs.writer);
  hone__arena_release(&knobs.arena);
}
