/* The setup of a model, and the entries that a configuration chooses. */
#include "iree/backend/iree_model.h"

static const char *const entry_texts[] = {"name", "matcher", "compilation_info",
                                          "decomposition_config"};
enum { ENTRY_TEXTS = sizeof entry_texts / sizeof *entry_texts };

bool hone__iree_model_task(const struct hone__task *task)
{
  return hone__task_setting(task, "iree.model") != NULL;
}

/* ---- Setup ---- */

static void add_scalar(struct hone__digester *digester, const struct hone__node *node)
{
  hone__digest_add_text(digester, node && node->kind == HONE__SCALAR ? node->text : NULL);
}

static size_t count_of(const struct hone__node *list)
{
  return list && list->kind == HONE__SEQUENCE ? list->count : 0;
}

static void add_variant(struct hone__digester *digester, const struct hone__node *variant)
{
  const struct hone__node *flags = hone__node_get(variant, "flags");

  add_scalar(digester, hone__node_get(variant, "param"));
  add_scalar(digester, hone__node_get(variant, "value"));
  for (size_t i = 0; i < count_of(flags); i++)
    add_scalar(digester, flags->items[i]);
}

void hone__iree_model_digest(const struct hone__task *task, struct hone__digester *digester)
{
  const struct hone__node *entries = hone__task_setting(task, "iree.entries"),
                          *variants = hone__task_setting(task, "iree.variants");

  if (!hone__iree_model_task(task)) return;
  add_scalar(digester, hone__task_setting(task, "iree.inputs_digest"));
  for (size_t i = 0; entries && entries->kind == HONE__SEQUENCE && i < entries->count; i++) {
    add_scalar(digester, hone__node_get(entries->items[i], "param"));
    add_scalar(digester, hone__node_get(entries->items[i], "value"));
    for (size_t k = 0; k < ENTRY_TEXTS; k++)
      add_scalar(digester, hone__node_get(entries->items[i], entry_texts[k]));
  }
  for (size_t i = 0; i < count_of(variants); i++)
    add_variant(digester, variants->items[i]);
}

void hone__iree_model_call(const struct hone__iree_subject *subject, struct hone__words *words)
{
  hone__iree_word(words, "--function=%s", subject->function);
  for (size_t i = 0; i < subject->inputs_count; i++)
    hone__words_add(words, subject->inputs[i]);
}

/* ---- Candidates ---- */

static bool is_chosen(const struct hone__task *task, const uint32_t *row,
                      const struct hone__node *entry)
{
  const struct hone__node *param = hone__node_get(entry, "param"),
                          *value = hone__node_get(entry, "value");
  struct hone_value chosen;

  return param && value && param->kind == HONE__SCALAR && value->kind == HONE__SCALAR &&
         hone__task_lookup(task, row, param->text, &chosen) &&
         hone__value_equal(chosen, value->value);
}

static const char *text_of(const struct hone__node *entry, const char *key)
{
  const struct hone__node *node = hone__node_get(entry, key);

  return node && node->kind == HONE__SCALAR ? node->text : NULL;
}

static struct hone__iree_entry read_entry(const struct hone__node *entry)
{
  const char *name = text_of(entry, "name"), *matcher = text_of(entry, "matcher");

  return (struct hone__iree_entry){.name = name ? name : "",
                                   .matcher = matcher ? matcher : "",
                                   .compilation_info = text_of(entry, "compilation_info"),
                                   .decomposition_config = text_of(entry, "decomposition_config")};
}

static void choose_flags(const struct hone__task *task, const uint32_t *row,
                         struct hone__arena *arena, struct hone__iree_candidate *candidate)
{
  const struct hone__node *variants = hone__task_setting(task, "iree.variants");

  for (size_t i = 0; i < count_of(variants); i++) {
    const struct hone__node *flags = hone__node_get(variants->items[i], "flags");
    if (!is_chosen(task, row, variants->items[i])) continue;
    candidate->flags = hone__arena_alloc(arena, (count_of(flags) + 1) * sizeof *candidate->flags);
    candidate->flags_count = 0;
    for (size_t k = 0; k < count_of(flags); k++)
      if (flags->items[k]->kind == HONE__SCALAR)
        candidate->flags[candidate->flags_count++] = flags->items[k]->text;
  }
}

void hone__iree_model_choose(const struct hone__task *task, const uint32_t *row,
                             struct hone__arena *arena, struct hone__iree_candidate *candidate)
{
  const struct hone__node *entries = hone__task_setting(task, "iree.entries");
  size_t count = entries && entries->kind == HONE__SEQUENCE ? entries->count : 0;

  candidate->entries = hone__arena_alloc(arena, (count + 1) * sizeof *candidate->entries);
  for (size_t i = 0; i < count; i++)
    if (is_chosen(task, row, entries->items[i]))
      candidate->entries[candidate->entries_count++] = read_entry(entries->items[i]);
  choose_flags(task, row, arena, candidate);
}
