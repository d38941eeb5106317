/* tuning_spec_keys.c - parts of a configuration that IREE ignores.
 *
 * IREE reads the known keys of dictionaries. An unknown key, even a misspelt one, is not refused:
 * the operation is then tiled differently, or not at all. The tables are those of IREE 3.13.
 */
#include "iree/tuning_spec/tuning_spec_parts.h"

#include "hone_text.h"

static const char *const info_keys[] = {"lowering_config", "translation_info", NULL};
static const char *const gpu_keys[] = {"workgroup",
                                       "reduction",
                                       "partial_reduction",
                                       "serial",
                                       "thread",
                                       "subgroup",
                                       "lane",
                                       "subgroup_basis",
                                       "lane_basis",
                                       "mma_kind",
                                       "promote_operands",
                                       "promotion_types",
                                       "padding",
                                       "padding_conv",
                                       "convert_acc_gemm",
                                       "expand_dims",
                                       NULL};
static const char *const cpu_keys[] = {"distribution",
                                       "cache_parallel",
                                       "cache_reduction",
                                       "vector_common_parallel",
                                       "vector_reduction",
                                       "vector_inner_parallel",
                                       NULL};
static const char *const translation_keys[] = {"pipeline", "workgroup_size", "subgroup_size",
                                               "codegen_spec", NULL};
static const char *const setting_keys[] = {"gpu_pipeline_options",
                                           "llvm_func_attrs",
                                           "iree_codegen.denormal_fp_math_f32",
                                           "enable_loop_peeling",
                                           "enable_decomposition",
                                           "amdgpu-waves-per-eu",
                                           NULL};
static const char *const option_keys[] = {
    "prefetch_num_stages", "no_reduce_shared_memory_bank_conflicts", "use_igemm_convolution",
    "reorder_workgroups_strategy", NULL};
static const char *const decomposition_keys[] = {"qk_attrs", "pv_attrs", "use_exp2", NULL};

struct check {
  struct hone__iree_spec_reader *reader;
  const struct hone__iree_spec_matcher *matcher;
  bool is_igemm; /* then the lists are of the loops of a product, not of the convolution's */
};

static bool is_known(const char *const *keys, const char *key)
{
  for (size_t i = 0; keys[i]; i++)
    if (!strcmp(keys[i], key)) return true;
  return false;
}

/* In an incomplete list only a near match of a known word is a problem. */
static void check_keys(struct check *check, const struct hone__mlir_attr *attr, const char *where,
                       const char *const *keys)
{
  bool is_complete = keys != setting_keys;

  for (size_t i = 0; attr && i < attr->count; i++) {
    const char *key = attr->entries[i].key;
    struct hone_nearest nearest = {.word = key};
    if (!key || is_known(keys, key)) continue;
    for (size_t k = 0; keys[k]; k++)
      hone_nearest_try(&nearest, keys[k]);
    if (!nearest.best && !is_complete) continue;
    hone__iree_spec_problem(check->reader, check->matcher,
                            "unknown key '%s' in %s: IREE ignores it%s%s%s", key, where,
                            nearest.best ? "; did you mean '" : "",
                            nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
  }
}

/* ---- Lists ---- */

static bool is_tile_list(const char *key)
{
  static const char *const lists[] = {"workgroup",
                                      "reduction",
                                      "partial_reduction",
                                      "serial",
                                      "thread",
                                      "subgroup",
                                      "lane",
                                      "distribution",
                                      "cache_parallel",
                                      "cache_reduction",
                                      "vector_common_parallel",
                                      "vector_reduction",
                                      "vector_inner_parallel",
                                      "padding",
                                      NULL};

  return is_known(lists, key);
}

/* IREE silently accepts a list of another length, and pads or cuts it. */
static void check_lists(struct check *check, const struct hone__mlir_attr *config)
{
  unsigned loops = check->matcher->loop_count;

  for (size_t i = 0; config && !check->is_igemm && i < config->count; i++) {
    const struct hone__mlir_entry *entry = &config->entries[i];
    if (!entry->key || !is_tile_list(entry->key) || entry->value.kind != HONE__MLIR_LIST) continue;
    if (!loops || entry->value.count == loops || entry->value.count == 0) continue;
    hone__iree_spec_problem(check->reader, check->matcher,
                            "%s has %zu entr%s, but the operation has %u loops", entry->key,
                            entry->value.count, entry->value.count == 1 ? "y" : "ies", loops);
  }
}

/* ---- Parts ---- */

/* #iree_gpu.lowering_config<{...}> has its keys in a dictionary, #iree_cpu's has them itself. */
static const struct hone__mlir_attr *keys_of(const struct hone__mlir_attr *attr)
{
  if (attr && attr->kind == HONE__MLIR_DIALECT && attr->count == 1 && !attr->entries[0].key &&
      attr->entries[0].value.kind == HONE__MLIR_DICT)
    return &attr->entries[0].value;
  return attr;
}

static void check_lowering(struct check *check, const struct hone__mlir_attr *lowering,
                           const char *where)
{
  const struct hone__mlir_attr *config = keys_of(lowering);

  if (!lowering || lowering->kind != HONE__MLIR_DIALECT) return;
  if (!strcmp(lowering->text, "iree_gpu.lowering_config"))
    check_keys(check, config, where, gpu_keys);
  else if (!strcmp(lowering->text, "iree_cpu.lowering_config"))
    check_keys(check, config, where, cpu_keys);
  else
    return;
  check_lists(check, config);
}

/* <pipeline = ... workgroup_size = ..., {settings}> */
static const struct hone__mlir_attr *find_settings(const struct hone__mlir_attr *translation)
{
  for (size_t i = 0; translation && i < translation->count; i++)
    if (!translation->entries[i].key && translation->entries[i].value.kind == HONE__MLIR_DICT)
      return &translation->entries[i].value;
  return NULL;
}

static void check_pipeline(struct check *check, const struct hone__mlir_attr *pipeline)
{
  const char *const *names = NULL;
  struct hone_nearest nearest = {.word = NULL};

  if (!pipeline || pipeline->kind != HONE__MLIR_DIALECT || pipeline->count != 1) return;
  if (!strcmp(pipeline->text, "iree_gpu.pipeline")) names = hone__spec_gpu_pipelines;
  if (!strcmp(pipeline->text, "iree_cpu.pipeline")) names = hone__spec_cpu_pipelines;
  nearest.word = pipeline->entries[0].value.text;
  if (!names || !nearest.word || is_known(names, nearest.word)) return;
  for (size_t i = 0; names[i]; i++)
    hone_nearest_try(&nearest, names[i]);
  hone__iree_spec_problem(check->reader, check->matcher, "unknown pipeline '%s'%s%s%s",
                          nearest.word, nearest.best ? "; did you mean '" : "",
                          nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
}

static void check_translation(struct check *check, const struct hone__mlir_attr *translation)
{
  const struct hone__mlir_attr *settings = find_settings(translation);

  check_pipeline(check, hone__mlir_entry(translation, "pipeline"));
  check_keys(check, translation, "translation_info", translation_keys);
  check_keys(check, settings, "translation_info", setting_keys);
  check_keys(check, hone__mlir_entry(settings, "gpu_pipeline_options"), "gpu_pipeline_options",
             option_keys);
}

static bool uses_igemm(const struct hone__mlir_attr *translation)
{
  const struct hone__mlir_attr *options =
      hone__mlir_entry(find_settings(translation), "gpu_pipeline_options");
  const struct hone__mlir_attr *igemm = hone__mlir_entry(options, "use_igemm_convolution");

  return igemm && igemm->integer;
}

static void check_info(struct check *check, const struct hone__mlir_attr *info)
{
  const struct hone__mlir_attr *translation = hone__mlir_entry(info, "translation_info");

  if (info->kind != HONE__MLIR_DIALECT ||
      strcmp(info->text, "iree_codegen.compilation_info") != 0) {
    hone__iree_spec_problem(check->reader, check->matcher,
                            "compilation_info is not a #iree_codegen.compilation_info");
    return;
  }
  check->is_igemm = uses_igemm(translation);
  check_keys(check, info, "compilation_info", info_keys);
  check_lowering(check, hone__mlir_entry(info, "lowering_config"), "lowering_config");
  check_translation(check, translation);
}

static void check_decomposition(struct check *check, const struct hone__mlir_attr *decomposition)
{
  const char *const parts[] = {"qk_attrs", "pv_attrs"};

  check_keys(check, decomposition, "decomposition_config", decomposition_keys);
  check->is_igemm = true; /* its parts have loops of their own */
  for (size_t i = 0; i < 2; i++)
    check_lowering(check,
                   hone__mlir_entry(hone__mlir_entry(decomposition, parts[i]), "lowering_config"),
                   parts[i]);
}

void hone__iree_spec_check_configuration(struct hone__iree_spec_reader *reader,
                                         const struct hone__iree_spec_matcher *matcher)
{
  struct hone__arena *arena = &reader->spec->mlir.arena;
  struct check check = {.reader = reader, .matcher = matcher};
  struct hone__mlir_attr attr;
  hone_status status;

  if (matcher->compilation_info) {
    status = hone__mlir_parse_attr(arena, matcher->compilation_info, &attr);
    if (!status) check_info(&check, &attr);
    hone_status_free(status);
  }
  if (matcher->decomposition_config) {
    status = hone__mlir_parse_attr(arena, matcher->decomposition_config, &attr);
    if (!status) check_decomposition(&check, &attr);
    hone_status_free(status);
  }
  if (matcher->action_sequence && !matcher->compilation_info && !matcher->decomposition_config)
    hone__iree_spec_problem(reader, matcher, "its action @%s sets no configuration that IREE reads",
                            matcher->action);
}
