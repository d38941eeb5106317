/* A configuration in readable form: names and lists, without the dialects around them. */
#include "iree/dispatch/dispatch.h"

/* A dialect's attribute with one word in it is that word: mma_layout<MFMA_F32_16x16x16_F16>; one
 * with nothing in it is its own name. */
static void add_short(const struct hone__mlir_attr *attr, struct hone__text *text)
{
  bool is_named = attr->kind == HONE__MLIR_DIALECT && attr->text;

  if (is_named && attr->count == 1 && !attr->entries[0].key &&
      attr->entries[0].value.kind == HONE__MLIR_WORD) {
    hone__text_add(text, attr->entries[0].value.text);
  } else if (is_named && !attr->count) {
    hone__text_add(text, strrchr(attr->text, '.') ? strrchr(attr->text, '.') + 1 : attr->text);
  } else if (attr->kind == HONE__MLIR_LIST && !attr->text) {
    hone__text_add(text, "[");
    for (size_t i = 0; i < attr->count; i++) {
      if (i) hone__text_add(text, ",");
      add_short(&attr->entries[i].value, text);
    }
    hone__text_add(text, "]");
  } else {
    hone__mlir_print_attr(attr, text);
  }
}

static void add_entries(const struct hone__mlir_attr *attr, struct hone__text *text)
{
  for (size_t i = 0; i < attr->count; i++) {
    const struct hone__mlir_entry *entry = &attr->entries[i];
    if (!entry->key && entry->value.kind == HONE__MLIR_DICT) {
      add_entries(&entry->value, text);
      continue;
    }
    if (text->length) hone__text_add(text, ", ");
    if (entry->key) hone__text_add(text, entry->key);
    if (entry->key && entry->value.kind == HONE__MLIR_UNIT) continue;
    if (entry->key) hone__text_add(text, " ");
    add_short(&entry->value, text);
  }
}

void hone__iree_translation_words(const struct hone__mlir_attr *translation,
                                  struct hone__text *pipeline, struct hone__text *configuration)
{
  const struct hone__mlir_attr *name = hone__mlir_entry(translation, "pipeline"),
                               *size = hone__mlir_entry(translation, "workgroup_size");

  if (!name && translation && translation->count) name = &translation->entries[0].value;
  if (name) add_short(name, pipeline);
  if (!size) return;
  hone__text_addf(configuration, "%sworkgroup_size ", configuration->length ? ", " : "");
  add_short(size, configuration);
}

void hone__iree_configuration_words(const char *compilation_info, struct hone__text *pipeline,
                                    struct hone__text *configuration)
{
  struct hone__arena arena = {0};
  struct hone__mlir_attr info = {0};
  hone_status status = hone__mlir_parse_attr(&arena, compilation_info, &info);
  const struct hone__mlir_attr *lowering =
      status ? NULL : hone__mlir_entry(&info, "lowering_config");

  if (lowering) add_entries(lowering, configuration);
  if (!status)
    hone__iree_translation_words(hone__mlir_entry(&info, "translation_info"), pipeline,
                                 configuration);
  hone_status_free(status);
  hone__arena_release(&arena);
}
