/* The parts common to all configurations of a dispatch. File names are not part of its identity, so
 * that a run can continue elsewhere.
 */
#include "iree/backend/iree_backend.h"

#include "iree/backend/iree_model.h"
#include "backend/setting.h"
#include "base/digest.h"
#include "base/machine.h"
#include "base/quoted_text.h"
#include "iree/dispatch/dispatch.h"
#include "iree/toolset/toolset.h"
#include "spec/schema.h"

#include <stdlib.h>

enum { DEFAULT_BUILD_TIMEOUT_S = 120 };

/* ---- Settings of the spec ---- */

#define SUBJECT_TEXT(name)                                                                         \
  {                                                                                                \
#name, offsetof(struct hone__iree_subject, name)                                               \
  }
static const struct {
  const char *key;
  size_t offset;
} texts[] = {SUBJECT_TEXT(digest),  SUBJECT_TEXT(identity),      SUBJECT_TEXT(target),
             SUBJECT_TEXT(backend), SUBJECT_TEXT(driver),        SUBJECT_TEXT(function),
             SUBJECT_TEXT(answer),  SUBJECT_TEXT(why_unchecked), SUBJECT_TEXT(matcher_name),
             SUBJECT_TEXT(matcher)};
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

/* NULL: there is none. */
static const char *setting_text(const struct hone__task *task, const char *key)
{
  const struct hone__node *node = setting(task, key);

  return node && node->kind == HONE__SCALAR ? node->text : NULL;
}

static void add_words(const struct hone__node *node, struct hone__words *words)
{
  if (node && node->kind == HONE__SCALAR) hone__words_add(words, node->text);
  for (size_t i = 0; node && node->kind == HONE__SEQUENCE && i < node->count; i++)
    if (node->items[i]->kind == HONE__SCALAR) hone__words_add(words, node->items[i]->text);
}

static bool is_true(const struct hone__node *mapping, const char *key)
{
  const struct hone__node *node = hone__node_get(mapping, key);

  return node && node->kind == HONE__SCALAR && strcmp(node->text, "true") == 0;
}

static size_t whole(const struct hone__node *mapping, const char *key)
{
  const struct hone__node *node = hone__node_get(mapping, key);
  long long number = node && node->kind == HONE__SCALAR ? strtoll(node->text, NULL, 10) : 0;

  return number > 0 ? (size_t)number : 0;
}

static void add_bindings(const struct hone__node *list, struct hone__arena *arena,
                         struct hone__iree_subject *subject)
{
  size_t count = list && list->kind == HONE__SEQUENCE ? list->count : 0;

  subject->bindings = hone__arena_alloc(arena, (count + 1) * sizeof *subject->bindings);
  for (size_t i = 0; i < count; i++) {
    const struct hone__node *item = list->items[i];
    const struct hone__node *type =
        item->kind == HONE__MAPPING ? hone__node_get(item, "type") : NULL;
    if (item->kind != HONE__MAPPING) continue;
    subject->bindings[subject->bindings_count++] =
        (struct hone__iree_setup_binding){.offset = whole(item, "offset"),
                                          .size = whole(item, "size"),
                                          .type = type && type->text ? type->text : "",
                                          .read = is_true(item, "read"),
                                          .written = is_true(item, "written")};
  }
}

/* What lives while a setup is made. */
struct making {
  struct hone__arena arena;
  struct hone__words flags, inputs, outputs;
  struct hone__iree_subject subject;
  struct hone__iree_setup setup;
};

static void add_model(const struct hone__task *task, struct making *making)
{
  struct hone__iree_subject *subject = &making->subject;
  const char *path = setting_text(task, "model");

  if (!path) return;
  add_words(setting(task, "inputs"), &making->inputs);
  add_words(setting(task, "outputs"), &making->outputs);
  making->setup.dispatch = path;
  subject->is_model = true;
  subject->inputs = (const char **)making->inputs.data;
  subject->inputs_count = making->inputs.count;
  subject->outputs = (const char **)making->outputs.data;
  subject->outputs_count = making->outputs.count;
}

static hone_status check_needed(const struct hone__task *task)
{
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    const char *text = setting_text(task, needed[i]);
    if (!text || !*text)
      return hone__backend_spec_error(
          task->spec, hone__task_setting(task, "iree"),
          "no 'iree.%s': specs for IREE are made from .mlir files, as in 'hone "
          "tune dispatch_benchmark.mlir'",
          needed[i]);
  }
  return NULL;
}

static hone_status add_subject(const struct hone__task *task, struct making *making)
{
  struct hone__iree_subject *subject = &making->subject;

  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    *(const char **)((char *)subject + texts[i].offset) = setting_text(task, texts[i].key);
  subject->threads = (int64_t)whole(hone__task_setting(task, "iree"), "threads");
  add_words(setting(task, "flags"), &making->flags);
  subject->flags = (const char **)making->flags.data;
  subject->flags_count = making->flags.count;
  add_bindings(setting(task, "bindings"), &making->arena, subject);
  making->setup.iree = subject;
  making->setup.dispatch = setting_text(task, "dispatch");
  making->setup.iree_dir = setting_text(task, "iree_dir");
  add_model(task, making);
  return check_needed(task);
}

/* ---- Checking and measuring ---- */

static double number(const struct hone__task *task, const char *path, double fallback)
{
  const struct hone__node *node = hone__task_setting(task, path);
  double value;

  return node && hone__node_number(node, &value) ? value : fallback;
}

static bool is_checked(const struct hone__task *task, const struct hone__iree_subject *subject)
{
  if (!task->check || hone__iree_model_task(task)) return task->check;
  return subject->answer && *subject->answer && subject->bindings_count;
}

static const char *word(const struct hone__task *task, const char *path, const char *otherwise)
{
  const struct hone__node *node = hone__task_setting(task, path);

  return node && node->kind == HONE__SCALAR ? node->text : otherwise;
}

/* local-sync uses one thread: the load of other CPUs does not matter. */
static void add_measuring(const struct hone__task *task, struct making *making)
{
  const char *driver = making->subject.driver;
  bool is_sync = strcmp(driver, "local-sync") == 0;

  making->setup.device = hone__arena_printf(&making->arena, "iree:%s", driver);
  making->setup.clock = word(task, "measure.clock", is_sync ? "cpu" : "wall");
  making->setup.timing = word(task, "iree.timing", "iree");
  making->setup.unit_ns = 1;
}

/* ---- The setup ---- */

static void digest_bindings(const struct hone__iree_subject *subject,
                            struct hone__digester *digester)
{
  struct hone__text text = {0};

  hone__text_add(&text, "[");
  for (size_t i = 0; i < subject->bindings_count; i++) {
    const struct hone__iree_setup_binding *binding = &subject->bindings[i];
    hone__text_addf(&text, "%s{\"offset\": %zu, \"size\": %zu, \"type\": ", i ? ", " : "",
                    binding->offset, binding->size);
    hone__quote_text(&text, binding->type);
    hone__text_addf(&text, ", \"read\": %s, \"written\": %s}", binding->read ? "true" : "false",
                    binding->written ? "true" : "false");
  }
  hone__text_add(&text, "]");
  hone__digest_add_text(digester, text.data);
  hone__text_release(&text);
}

/* Of all that a time or an answer depends on, but for the object. */
static void make_key(const struct hone__task *task, const struct hone__iree_setup *setup,
                     char key[HONE__DIGEST_SIZE])
{
  const struct hone__iree_subject *subject = setup->iree;
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, "iree");
  hone__digest_add_text(digester, subject->digest);
  hone__digest_add_text(digester, subject->driver);
  if (subject->threads) hone__digest_add(digester, &subject->threads, sizeof subject->threads);
  hone__digest_add_text(digester, subject->function);
  hone__digest_add_text(digester, subject->answer ? subject->answer : "");
  digest_bindings(subject, digester);
  hone__digest_add_text(digester, setup->clock);
  hone__digest_add_text(digester, setup->timing);
  hone__iree_model_digest(task, digester);
  hone__digest_end(digester, key);
}

static void add_common(const struct hone__task *task, struct hone__iree_setup *setup)
{
  setup->backend = "iree";
  setup->spec_name = task->spec->name;
  setup->folder = task->folder;
  setup->seed = (int64_t)task->seed;
  setup->memory_bytes = task->memory_bytes ? task->memory_bytes : hone__memory_half(0);
}

static hone_status make(const struct hone__task *task, struct making *making,
                        struct hone__packed **out_setup)
{
  bool enabled = is_checked(task, &making->subject);
  struct hone__packed *candidate = NULL;
  struct hone__iree_check_terms check = {.enabled = enabled,
                                         .rtol = number(task, "check.rtol", -1),
                                         .atol = number(task, "check.atol", -1),
                                         .ratio = number(task, "check.max_mismatched_ratio", 0)};
  struct hone__iree_reference reference = {.kind = enabled ? "object" : "none"};
  struct hone__iree_build_limits build = {
      .timeout_s = hone__setting_seconds(task, "build.timeout", DEFAULT_BUILD_TIMEOUT_S)};
  char key[HONE__DIGEST_SIZE];
  hone_status status = enabled ? hone__iree_candidate(task, task->baseline, &candidate) : NULL;

  if (status) return status;
  add_measuring(task, making);
  add_common(task, &making->setup);
  make_key(task, &making->setup, key);
  reference.candidate = candidate;
  making->setup.check = &check;
  making->setup.reference = &reference;
  making->setup.build = &build;
  making->setup.inputs_key = key;
  *out_setup = hone__pack(&hone__iree_setup_type, &making->setup);
  hone__packed_drop(candidate);
  return NULL;
}

hone_status hone__iree_describe(const struct hone__task *task, struct hone__message *out_setup)
{
  struct making making = {0};
  hone_status status = add_subject(task, &making);

  *out_setup = (struct hone__message){0};
  if (!status) status = make(task, &making, &out_setup->head);
  hone__words_release(&making.flags);
  hone__words_release(&making.inputs);
  hone__words_release(&making.outputs);
  hone__arena_release(&making.arena);
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

/* "pipeline=compiler" does not show what the compiler chose. */
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
