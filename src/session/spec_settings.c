/* Stored with a run, so that a spec of its best configuration has the settings of the run's spec.
 * Keys that define the space or only guide the search are left out. Unquoted scalars are written
 * unchanged, which has the same meaning in blocks; all others as JSON strings.
 */
#include "session/spec_settings.h"

#include "backend/setting.h"
#include "base/quoted_text.h"
#include "space/space.h"

#include <stdlib.h>

static const char *const kept_keys[] = {"backend",  "derived", "build",   "run",       "entry",
                                        "args",     "supply",  "launch",  "stages",    "reference",
                                        "check",    "measure", "metrics", "objective", "maximise",
                                        "minimise", "iree"};
static const char *const path_keys[] = {"file", "files", "includes"};

struct writer {
  const struct hone__task *task;
  struct hone__text *text;
};

static bool is_path_key(const char *key)
{
  for (size_t i = 0; i < sizeof path_keys / sizeof *path_keys; i++)
    if (strcmp(path_keys[i], key) == 0) return true;
  return false;
}

static void add_scalar(struct writer *writer, const struct hone__node *node, bool is_path)
{
  char *path;

  if (is_path) {
    path = hone__setting_path(writer->task, node->text);
    hone__quote_text(writer->text, path);
    free(path);
  } else if (node->plain) {
    hone__text_add(writer->text, node->text);
  } else {
    hone__quote_text(writer->text, node->text);
  }
}

static void begin_line(struct writer *writer, size_t indent)
{
  hone__text_add(writer->text, "\n");
  while (indent-- > 0)
    hone__text_add(writer->text, " ");
}

/* Follows a key or a dash, and ends without a newline; a node with parts begins on the line of a
 * dash, or below a key. */
static void add_node(struct writer *writer, const struct hone__node *node, size_t indent,
                     bool is_path, bool is_item)
{
  if (node->kind == HONE__SCALAR || !node->count) {
    hone__text_add(writer->text, " ");
    if (node->kind == HONE__SCALAR)
      add_scalar(writer, node, is_path);
    else
      hone__text_add(writer->text, node->kind == HONE__SEQUENCE ? "[]" : "{}");
    return;
  }
  for (size_t i = 0; i < node->count; i++) {
    if (is_item && i == 0)
      hone__text_add(writer->text, " ");
    else
      begin_line(writer, indent);
    if (node->kind == HONE__SEQUENCE) {
      hone__text_add(writer->text, "-");
      add_node(writer, node->items[i], indent + 2, is_path, true);
    } else {
      add_scalar(writer, node->pairs[i].key, false);
      hone__text_add(writer->text, ":");
      add_node(writer, node->pairs[i].value, indent + 2, is_path_key(node->pairs[i].key->text),
               false);
    }
  }
}

static void add_sizes(struct hone__text *text, const struct hone__problem *sizes)
{
  if (!sizes->count) return;
  hone__text_add(text, "problem: {");
  for (size_t i = 0; i < sizes->count; i++) {
    hone__text_addf(text, "%s%s: ", i ? ", " : "", sizes->names[i]);
    hone__value_print(sizes->values[i], text);
  }
  hone__text_add(text, "}\n");
}

char *hone__session_spec_settings(const struct hone__task *task)
{
  struct hone__text text = {0};
  struct writer writer = {.task = task, .text = &text};

  hone__text_add(&text, "");
  add_sizes(&text, &task->space->setup.sizes);
  for (size_t i = 0; i < sizeof kept_keys / sizeof *kept_keys; i++) {
    const struct hone__node *node = hone__task_setting(task, kept_keys[i]);
    if (!node) continue;
    hone__text_addf(&text, "%s:", kept_keys[i]);
    add_node(&writer, node, 2, false, false);
    hone__text_add(&text, "\n");
  }
  return hone__text_take(&text);
}
