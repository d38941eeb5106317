/* cpu_choice.c - the compiler's own tiles of an operation, as its dump has them. */
#include "iree/knobs/cpu_knobs.h"

static void read_level(const struct hone__mlir_attr *config, const char *key, unsigned loops,
                       int64_t *tiles)
{
  const struct hone__mlir_attr *level = hone__mlir_entry(config, key);

  if (!level || level->kind != HONE__MLIR_LIST || level->count != loops) return;
  for (unsigned i = 0; i < loops; i++) {
    const struct hone__mlir_attr *tile = &level->entries[i].value;
    if (tile->kind == HONE__MLIR_INTEGER && tile->integer > 0) tiles[i] = tile->integer;
  }
}

static bool has_word(const struct hone__mlir_attr *attr, const char *word)
{
  for (size_t i = 0; attr && i < attr->count; i++) {
    const struct hone__mlir_entry *entry = &attr->entries[i];
    if (entry->key && !strcmp(entry->key, word)) return true;
    if (!entry->key && entry->value.text && !strcmp(entry->value.text, word)) return true;
    if (entry->value.kind == HONE__MLIR_DICT && has_word(&entry->value, word)) return true;
  }
  return false;
}

/* <pipeline = #iree_cpu.pipeline<DoubleTilingExpert>, {enable_loop_peeling}> */
static void read_translation(const struct hone__mlir_op *op, struct hone__iree_cpu_choice *choice)
{
  const struct hone__mlir_op *function = hone__mlir_around(op, "func.func");
  const struct hone__mlir_attr *info =
      function ? hone__mlir_attr(function, "translation_info") : NULL;
  const struct hone__mlir_attr *pipeline = hone__mlir_entry(info, "pipeline");

  if (pipeline && pipeline->kind == HONE__MLIR_DIALECT && pipeline->count == 1)
    choice->pipeline = pipeline->entries[0].value.text;
  choice->peels = has_word(info, "enable_loop_peeling");
}

void hone__iree_cpu_choice_read(const struct hone__iree_operation *operation,
                                struct hone__iree_cpu_choice *out_choice)
{
  const struct hone__mlir_attr *config = hone__mlir_attr(operation->op, "lowering_config");
  const unsigned loops = operation->loop_count;

  *out_choice = (struct hone__iree_cpu_choice){.is_known = config != NULL};
  if (!config) return;
  read_level(config, "distribution", loops, out_choice->distribution);
  read_level(config, "vector_common_parallel", loops, out_choice->vector);
  read_level(config, "vector_reduction", loops, out_choice->vector);
  read_translation(operation->op, out_choice);
}
