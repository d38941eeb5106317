/* Configurations differ in their texts. The build key covers the compiler's identity from the spec,
 * so that a host without a compiler finds what another one built.
 */
#include "iree/backend/iree_backend.h"

#include "iree/backend/iree_model.h"
#include "base/digest.h"
#include "iree/tuning_spec/tuning_spec.h"

/* ---- Texts ---- */

/* NULL: there is none. */
static const char *print_text(const struct hone__task *task, const uint32_t *row, size_t number,
                              struct hone__arena *arena)
{
  size_t length = hone_space_print_text(task->space, row, number, NULL, 0);
  char *text;

  if (length == HONE_NO_TEXT || !length) return NULL;
  text = hone__arena_alloc(arena, length + 1);
  hone_space_print_text(task->space, row, number, text, length + 1);
  return text;
}

static void add_texts(const struct hone__task *task, const uint32_t *row, struct hone__arena *arena,
                      struct hone__iree_candidate *candidate)
{
  for (size_t i = 0; i < hone_space_text_count(task->space); i++) {
    const char *name = hone_space_text_name(task->space, i);
    if (strcmp(name, "compilation_info") == 0)
      candidate->compilation_info = print_text(task, row, i, arena);
    if (strcmp(name, "decomposition_config") == 0)
      candidate->decomposition_config = print_text(task, row, i, arena);
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

static const char *setting_text(const struct hone__task *task, const char *path)
{
  const struct hone__node *node = hone__task_setting(task, path);

  return node && node->kind == HONE__SCALAR ? node->text : "";
}

/* The tuning spec, as the compiler will read it. */
static void add_spec(struct hone__digester *digester, const struct hone__task *task,
                     const struct hone__iree_candidate *candidate)
{
  const char *info = candidate->compilation_info;
  struct hone__iree_tuning_entry entry = {.name = setting_text(task, "iree.matcher_name"),
                                          .matcher = setting_text(task, "iree.matcher"),
                                          .compilation_info = info ? info : "",
                                          .decomposition_config = candidate->decomposition_config};
  struct hone__text text = {0};

  hone__iree_tuning_spec_print(&entry, 1, &text);
  hone__digest_add_text(digester, text.data);
  hone__text_release(&text);
}

/* Of a model. */
static void add_entries(struct hone__digester *digester,
                        const struct hone__iree_candidate *candidate)
{
  for (size_t i = 0; i < candidate->entries_count; i++) {
    const struct hone__iree_entry *entry = &candidate->entries[i];
    hone__digest_add_text(digester, entry->name);
    hone__digest_add_text(digester, entry->matcher);
    hone__digest_add_text(digester, entry->compilation_info);
    hone__digest_add_text(digester, entry->decomposition_config);
  }
}

/* Flags of a candidate stand after those of all: the same words have the same key, whichever of
 * the two they are. */
static void add_flags(struct hone__digester *digester, const struct hone__task *task,
                      const struct hone__iree_candidate *candidate)
{
  add_setting(digester, task, "iree.flags");
  for (size_t i = 0; i < candidate->flags_count; i++)
    hone__digest_add_text(digester, candidate->flags[i]);
}

static void make_build_key(const struct hone__task *task,
                           const struct hone__iree_candidate *candidate,
                           char key[HONE__DIGEST_SIZE])
{
  static const char *const settings[] = {"iree.digest", "iree.identity", "iree.backend"};
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, "iree 3");
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
    add_setting(digester, task, settings[i]);
  add_flags(digester, task, candidate);
  if (hone__iree_model_task(task))
    add_entries(digester, candidate);
  else if (hone__iree_has_spec(candidate))
    add_spec(digester, task, candidate);
  hone__digest_end(digester, key);
}

/* Limits on costs may rule out a build, so they are part of the key. */
static void make_key(const struct hone__task *task, const char *build_key,
                     char key[HONE__DIGEST_SIZE])
{
  struct hone__digester *digester = hone__digest_begin();

  hone__digest_add_text(digester, build_key);
  add_setting(digester, task, "iree.function");
  add_setting(digester, task, "build.limits");
  hone__digest_end(digester, key);
}

/* That two values of one have the same binary is told. Of a model they are the numbers of options
 * and of entries: some of these often change nothing. */
static void add_knobs(const struct hone__task *task, const uint32_t *row, struct hone__arena *arena,
                      struct hone__iree_candidate *candidate)
{
  size_t count = hone_space_param_count(task->space, row[0]);

  candidate->knobs = hone__arena_alloc(arena, (count + 1) * sizeof *candidate->knobs);
  candidate->knobs_count = count;
  for (size_t i = 0; i < count; i++)
    candidate->knobs[i] = hone_space_param_name(task->space, row[0], i);
}

hone_status hone__iree_candidate(const struct hone__task *task, const uint32_t *row,
                                 struct hone__packed **out_candidate)
{
  char build_key[HONE__DIGEST_SIZE], key[HONE__DIGEST_SIZE];
  struct hone__arena arena = {0};
  struct hone__iree_candidate candidate = {.dispatch_digest = setting_text(task, "iree.digest"),
                                           .identity = setting_text(task, "iree.identity"),
                                           .build_key = build_key,
                                           .key = key};

  add_texts(task, row, &arena, &candidate);
  if (hone__iree_model_task(task)) hone__iree_model_choose(task, row, &arena, &candidate);
  if (!hone__iree_model_task(task)) add_knobs(task, row, &arena, &candidate);
  make_build_key(task, &candidate, build_key);
  make_key(task, build_key, key);
  *out_candidate = hone__pack(&hone__iree_candidate_type, &candidate);
  hone__arena_release(&arena);
  return NULL;
}
