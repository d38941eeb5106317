/* What the driver tells of a model, and which entries a configuration chooses. */
#include "iree/backend/iree_model.h"

#include "wire/message_text.h"

#include <stdlib.h>

static const char *const entry_texts[] = {"name", "matcher", "compilation_info",
                                          "decomposition_config"};
enum { ENTRY_TEXTS = sizeof entry_texts / sizeof *entry_texts };

bool hone__iree_model_is(const json_t *setup)
{
  return json_is_true(json_object_get(json_object_get(setup, "iree"), "is_model"));
}

bool hone__iree_model_task(const struct hone__task *task)
{
  return hone__task_setting(task, "iree.model") != NULL;
}

/* ---- Setup ---- */

static json_t *texts_of(const struct hone__node *list)
{
  json_t *texts = json_array();

  for (size_t i = 0; list && list->kind == HONE__SEQUENCE && i < list->count; i++)
    if (list->items[i]->kind == HONE__SCALAR)
      json_array_append_new(texts,
                            hone__json_string(list->items[i]->text, strlen(list->items[i]->text)));
  return texts;
}

void hone__iree_model_describe(const struct hone__task *task, json_t *setup)
{
  const struct hone__node *path = hone__task_setting(task, "iree.model");
  json_t *iree = json_object_get(setup, "iree");

  if (!path || path->kind != HONE__SCALAR) return;
  json_object_set_new(setup, "dispatch", hone__json_string(path->text, strlen(path->text)));
  json_object_set_new(iree, "is_model", json_true());
  json_object_set_new(iree, "inputs", texts_of(hone__task_setting(task, "iree.inputs")));
  json_object_set_new(iree, "outputs", texts_of(hone__task_setting(task, "iree.outputs")));
}

static void add_scalar(struct hone__digester *digester, const struct hone__node *node)
{
  hone__digest_add_text(digester, node && node->kind == HONE__SCALAR ? node->text : NULL);
}

void hone__iree_model_digest(const struct hone__task *task, struct hone__digester *digester)
{
  const struct hone__node *entries = hone__task_setting(task, "iree.entries");

  if (!hone__iree_model_task(task)) return;
  add_scalar(digester, hone__task_setting(task, "iree.inputs_digest"));
  for (size_t i = 0; entries && entries->kind == HONE__SEQUENCE && i < entries->count; i++) {
    add_scalar(digester, hone__node_get(entries->items[i], "param"));
    add_scalar(digester, hone__node_get(entries->items[i], "value"));
    for (size_t k = 0; k < ENTRY_TEXTS; k++)
      add_scalar(digester, hone__node_get(entries->items[i], entry_texts[k]));
  }
}

void hone__iree_model_call(const json_t *setup, json_t *words)
{
  const json_t *iree = json_object_get(setup, "iree"), *inputs = json_object_get(iree, "inputs");

  json_array_append_new(words, json_sprintf("--function=%s", hone__message_text(iree, "function")));
  for (size_t i = 0; i < json_array_size(inputs); i++)
    json_array_append(words, json_array_get(inputs, i));
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

static json_t *entry_json(const struct hone__node *entry)
{
  json_t *json = json_object();

  for (size_t i = 0; i < ENTRY_TEXTS; i++) {
    const struct hone__node *node = hone__node_get(entry, entry_texts[i]);
    if (node && node->kind == HONE__SCALAR)
      json_object_set_new(json, entry_texts[i], hone__json_string(node->text, strlen(node->text)));
  }
  return json;
}

void hone__iree_model_choose(const struct hone__task *task, const uint32_t *row, json_t *candidate)
{
  const struct hone__node *entries = hone__task_setting(task, "iree.entries");
  json_t *chosen = json_array();

  for (size_t i = 0; entries && entries->kind == HONE__SEQUENCE && i < entries->count; i++)
    if (is_chosen(task, row, entries->items[i]))
      json_array_append_new(chosen, entry_json(entries->items[i]));
  json_object_set_new(candidate, "entries", chosen);
}
