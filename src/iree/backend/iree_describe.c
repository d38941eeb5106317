/* What all configurations of a dispatch share. Names of files are not part of what identifies it: a
 * run goes on elsewhere. */
#include "iree/backend/iree_backend.h"

#include "iree/backend/iree_model.h"
#include "wire/message_text.h"
#include "backend/setting.h"
#include "base/digest.h"
#include "base/machine.h"
#include "iree/dispatch/dispatch.h"
#include "iree/toolset/toolset.h"
#include "spec/schema.h"

#include <stdlib.h>

enum { DEFAULT_BUILD_TIMEOUT_S = 120 };

/* ---- What the spec says ---- */

static const char *const texts[] = {"digest",       "identity", "target", "backend",
                                    "driver",       "function", "answer", "why_unchecked",
                                    "matcher_name", "matcher"};
static const char *const needed[] = {"digest", "driver", "function"};

static const struct hone__node *setting(const struct hone__task *task, const char *key)
{
  struct hone__text path = {0};
  const struct hone__node *node;

  hone__text_addf(&path, "iree.%s", key);
  node = hone__task_setting(task, path.data);
  hone__text_release(&path);
  return node;
}

static void copy_text(const struct hone__task *task, const char *key, json_t *object)
{
  const struct hone__node *node = setting(task, key);

  if (node && node->kind == HONE__SCALAR)
    json_object_set_new(object, key, hone__json_string(node->text, strlen(node->text)));
}

static json_t *words_of(const struct hone__node *node)
{
  json_t *words = json_array();

  if (node && node->kind == HONE__SCALAR)
    json_array_append_new(words, hone__json_string(node->text, strlen(node->text)));
  for (size_t i = 0; node && node->kind == HONE__SEQUENCE && i < node->count; i++)
    if (node->items[i]->kind == HONE__SCALAR)
      json_array_append_new(words,
                            hone__json_string(node->items[i]->text, strlen(node->items[i]->text)));
  return words;
}

static bool is_true(const struct hone__node *mapping, const char *key)
{
  const struct hone__node *node = hone__node_get(mapping, key);

  return node && node->kind == HONE__SCALAR && strcmp(node->text, "true") == 0;
}

static json_int_t whole(const struct hone__node *mapping, const char *key)
{
  const struct hone__node *node = hone__node_get(mapping, key);

  return node && node->kind == HONE__SCALAR ? strtoll(node->text, NULL, 10) : 0;
}

static json_t *bindings_of(const struct hone__node *list)
{
  json_t *bindings = json_array();

  for (size_t i = 0; list && list->kind == HONE__SEQUENCE && i < list->count; i++) {
    const struct hone__node *item = list->items[i];
    const struct hone__node *type =
        item->kind == HONE__MAPPING ? hone__node_get(item, "type") : NULL;
    if (item->kind != HONE__MAPPING) continue;
    json_array_append_new(
        bindings, json_pack("{s:I, s:I, s:s, s:b, s:b}", "offset", whole(item, "offset"), "size",
                            whole(item, "size"), "type", type ? type->text : "", "read",
                            is_true(item, "read"), "written", is_true(item, "written")));
  }
  return bindings;
}

static hone_status add_dispatch(const struct hone__task *task, json_t *setup)
{
  json_t *iree = json_object();

  json_object_set_new(setup, "iree", iree);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    copy_text(task, texts[i], iree);
  json_object_set_new(iree, "flags", words_of(setting(task, "flags")));
  json_object_set_new(iree, "bindings", bindings_of(setting(task, "bindings")));
  copy_text(task, "dispatch", setup);
  copy_text(task, "iree_dir", setup);
  hone__iree_model_describe(task, setup);
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!*hone__message_text(iree, needed[i]))
      return hone__spec_error(task->spec, hone__task_setting(task, "iree"),
                              "no 'iree.%s': specs for IREE are made from .mlir files, as in 'hone "
                              "tune dispatch_benchmark.mlir'",
                              needed[i]);
  return NULL;
}

/* ---- Checking and measuring ---- */

static double number(const struct hone__task *task, const char *path, double fallback)
{
  const struct hone__node *node = hone__task_setting(task, path);
  double value;

  return node && hone__node_number(node, &value) ? value : fallback;
}

static bool is_checked(const struct hone__task *task, const json_t *iree)
{
  if (!task->check || hone__iree_model_task(task)) return task->check;
  return *hone__message_text(iree, "answer") && json_array_size(json_object_get(iree, "bindings"));
}

static hone_status add_check(const struct hone__task *task, json_t *setup)
{
  bool enabled = is_checked(task, json_object_get(setup, "iree"));
  json_t *candidate = NULL, *reference = json_pack("{s:s}", "kind", enabled ? "object" : "none");
  hone_status status = enabled ? hone__iree_candidate(task, task->baseline, &candidate) : NULL;

  json_object_set_new(setup, "check",
                      json_pack("{s:b, s:f, s:f, s:f}", "enabled", enabled, "rtol",
                                number(task, "check.rtol", -1), "atol",
                                number(task, "check.atol", -1), "ratio",
                                number(task, "check.max_mismatched_ratio", 0)));
  if (candidate) json_object_set_new(reference, "candidate", candidate);
  json_object_set_new(setup, "reference", reference);
  return status;
}

static const char *word(const struct hone__task *task, const char *path, const char *otherwise)
{
  const struct hone__node *node = hone__task_setting(task, path);

  return node && node->kind == HONE__SCALAR ? node->text : otherwise;
}

/* One thread of its own is all that local-sync uses: what others do to the machine does not count.
 */
static void add_measuring(const struct hone__task *task, json_t *setup)
{
  const char *driver = hone__message_text(json_object_get(setup, "iree"), "driver");
  bool is_sync = strcmp(driver, "local-sync") == 0;
  struct hone__text device = {0};

  hone__text_addf(&device, "iree:%s", driver);
  json_object_set_new(setup, "device", json_string(device.data));
  json_object_set_new(setup, "clock",
                      json_string(word(task, "measure.clock", is_sync ? "cpu" : "wall")));
  json_object_set_new(setup, "timing", json_string(word(task, "iree.timing", "iree")));
  json_object_set_new(setup, "unit_ns", json_real(1));
  hone__text_release(&device);
}

/* ---- The setup ---- */

/* Of all that a time or an answer depends on, but for the object. */
static void add_key(const struct hone__task *task, json_t *setup)
{
  static const char *const measured[] = {"digest", "driver", "function", "answer"};
  const json_t *iree = json_object_get(setup, "iree");
  char key[HONE__DIGEST_SIZE], *bindings = json_dumps(json_object_get(iree, "bindings"), 0);
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, "iree");
  for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
    hone__digest_add_text(digester, hone__message_text(iree, measured[i]));
  hone__digest_add_text(digester, bindings);
  free(bindings);
  hone__digest_add_text(digester, hone__message_text(setup, "clock"));
  hone__digest_add_text(digester, hone__message_text(setup, "timing"));
  hone__iree_model_digest(task, digester);
  hone__digest_end(digester, key);
  json_object_set_new(setup, "inputs_key", json_string(key));
}

static hone_status describe(const struct hone__task *task, json_t *setup)
{
  size_t memory = task->memory_bytes ? task->memory_bytes : hone__memory_half(0);
  hone_status status = add_dispatch(task, setup);

  if (!status) status = add_check(task, setup);
  if (status) return status;
  add_measuring(task, setup);
  json_object_set_new(setup, "backend", json_string("iree"));
  json_object_set_new(setup, "spec_name", json_string(task->spec->name));
  json_object_set_new(setup, "folder", hone__json_string(task->folder, strlen(task->folder)));
  json_object_set_new(setup, "seed", json_integer((json_int_t)task->seed));
  json_object_set_new(setup, "memory_bytes", json_integer((json_int_t)memory));
  json_object_set_new(setup, "args", json_array());
  json_object_set_new(
      setup, "build",
      json_pack("{s:f}", "timeout_s",
                hone__setting_seconds(task, "build.timeout", DEFAULT_BUILD_TIMEOUT_S)));
  add_key(task, setup);
  return NULL;
}

hone_status hone__iree_describe(const struct hone__task *task, struct hone__message *out_setup)
{
  json_t *setup = json_object();
  hone_status status = describe(task, setup);

  *out_setup = (struct hone__message){0};
  if (status)
    json_decref(setup);
  else
    out_setup->head = setup;
  return status;
}

/* ---- The compiler ---- */

bool hone__iree_builds_here(const struct hone__task *task)
{
  struct hone__iree_toolset tools;
  bool has_compiler;

  hone__iree_toolset_find(word(task, "iree.iree_dir", NULL), &tools);
  has_compiler = tools.paths[HONE__IREE_COMPILE] != NULL;
  hone__iree_toolset_release(&tools);
  return has_compiler;
}

/* ---- The baseline ---- */

/* "pipeline=compiler" says nothing of what that chose. */
void hone__iree_explain_baseline(const struct hone__task *task, struct hone__text *out_text)
{
  const char *choice = word(task, "iree.choice", NULL);
  struct hone__text pipeline = {0}, configuration = {0};

  if (choice) hone__iree_configuration_words(choice, &pipeline, &configuration);
  if (pipeline.length)
    hone__text_addf(out_text, "pipeline=compiler is the compiler's own choice: %s%s%s",
                    pipeline.data, configuration.length ? ", " : "",
                    configuration.length ? configuration.data : "");
  hone__text_release(&configuration);
  hone__text_release(&pipeline);
}
