/* What differs from one configuration to the next is its texts. The key of its build holds the
 * compiler's identity as the spec has it, so that a host without a compiler finds what another one
 * built. */
#include "iree/backend/iree_backend.h"

#include "iree/backend/iree_model.h"
#include "wire/message_text.h"
#include "base/digest.h"
#include "iree/tuning_spec/tuning_spec.h"

#include <stdlib.h>

static const char *const text_names[] = {"compilation_info", "decomposition_config"};

/* ---- Texts ---- */

static json_t *print_text(const struct hone__task *task, const uint32_t *row, size_t number)
{
  size_t length = hone_space_print_text(task->space, row, number, NULL, 0);
  char *text;
  json_t *json;

  if (length == HONE_NO_TEXT) return NULL;
  text = hone__alloc(length + 1);
  hone_space_print_text(task->space, row, number, text, length + 1);
  json = hone__json_string(text, length);
  free(text);
  return json;
}

static void add_texts(const struct hone__task *task, const uint32_t *row, json_t *candidate)
{
  for (size_t i = 0; i < hone_space_text_count(task->space); i++) {
    const char *name = hone_space_text_name(task->space, i);
    for (size_t k = 0; k < sizeof text_names / sizeof *text_names; k++) {
      json_t *text = strcmp(name, text_names[k]) == 0 ? print_text(task, row, i) : NULL;
      if (text && *json_string_value(text))
        json_object_set_new(candidate, name, text);
      else
        json_decref(text);
    }
  }
}

/* ---- Keys ---- */

static void add_setting(struct hone__digester *digester, const struct hone__task *task,
                        const char *path)
{
  const struct hone__node *node = hone__task_setting(task, path);

  hone__digest_add_text(digester, node && node->kind == HONE__SCALAR ? node->text : NULL);
  for (size_t i = 0; node && node->kind == HONE__SEQUENCE && i < node->count; i++)
    hone__digest_add_text(digester,
                          node->items[i]->kind == HONE__SCALAR ? node->items[i]->text : NULL);
}

static void set_key(json_t *candidate, const char *name, struct hone__digester *digester)
{
  char key[HONE__DIGEST_SIZE];

  hone__digest_end(digester, key);
  json_object_set_new(candidate, name, json_string(key));
}

static const char *setting_text(const struct hone__task *task, const char *path)
{
  const struct hone__node *node = hone__task_setting(task, path);

  return node && node->kind == HONE__SCALAR ? node->text : "";
}

/* The tuning spec, as the compiler will read it. */
static void add_spec(struct hone__digester *digester, const struct hone__task *task,
                     const json_t *candidate)
{
  const char *decomposition = hone__message_text(candidate, "decomposition_config");
  struct hone__tuning_entry entry = {.name = setting_text(task, "iree.matcher_name"),
                                     .matcher = setting_text(task, "iree.matcher"),
                                     .compilation_info =
                                         hone__message_text(candidate, "compilation_info"),
                                     .decomposition_config = *decomposition ? decomposition : NULL};
  struct hone__text text = {0};

  hone__tuning_spec_print(&entry, 1, &text);
  hone__digest_add_text(digester, text.data);
  hone__text_release(&text);
}

/* Of a model. */
static void add_entries(struct hone__digester *digester, const json_t *candidate)
{
  const json_t *entries = json_object_get(candidate, "entries");
  char *text = json_dumps(entries, JSON_COMPACT | JSON_SORT_KEYS);

  hone__digest_add_text(digester, text);
  free(text);
}

static void add_build_key(const struct hone__task *task, json_t *candidate)
{
  static const char *const settings[] = {"iree.digest", "iree.identity", "iree.flags",
                                         "iree.backend"};
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, "iree 2");
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    add_setting(digester, task, settings[i]);
  if (hone__iree_model_task(task))
    add_entries(digester, candidate);
  else if (hone__iree_has_spec(candidate))
    add_spec(digester, task, candidate);
  set_key(candidate, "build_key", digester);
}

/* What a build costs may rule it out: another limit is another question. */
static void add_key(const struct hone__task *task, json_t *candidate)
{
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, hone__message_text(candidate, "build_key"));
  add_setting(digester, task, "iree.function");
  add_setting(digester, task, "build.limits");
  set_key(candidate, "key", digester);
}

static json_t *knobs_of(const struct hone__task *task, const uint32_t *row)
{
  json_t *knobs = json_array();

  for (size_t i = 0; i < hone_space_param_count(task->space, row[0]); i++)
    json_array_append_new(knobs, json_string(hone_space_param_name(task->space, row[0], i)));
  return knobs;
}

static json_t *setting_json(const struct hone__task *task, const char *path)
{
  const char *text = setting_text(task, path);

  return hone__json_string(text, strlen(text));
}

hone_status hone__iree_candidate(const struct hone__task *task, const uint32_t *row,
                                 json_t **out_candidate)
{
  json_t *candidate = json_object();

  add_texts(task, row, candidate);
  if (hone__iree_model_task(task)) hone__iree_model_choose(task, row, candidate);
  json_object_set_new(candidate, "dispatch_digest", setting_json(task, "iree.digest"));
  json_object_set_new(candidate, "identity", setting_json(task, "iree.identity"));
  json_object_set_new(candidate, "knobs", knobs_of(task, row));
  add_build_key(task, candidate);
  add_key(task, candidate);
  *out_candidate = candidate;
  return NULL;
}

/* The dispatch is known by its digest, not by its file. */
bool hone__iree_deps_are_current(const json_t *deps)
{
  (void)deps;
  return true;
}
