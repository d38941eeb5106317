/* Settings as words and numbers: see setting.h. */
#include "backend/setting.h"

#include "backend/definition.h"
#include "spec/schema.h"

#include <ctype.h>
#include <stdlib.h>

char *hone__setting_path(const struct hone__task *task, const char *path)
{
  struct hone__text text = {0};

  while (path[0] == '.' && path[1] == '/')
    path += 2;
  if (path[0] != '/')
    hone__text_addf(&text, "%s%s", task->folder, strcmp(task->folder, "/") == 0 ? "" : "/");
  hone__text_add(&text, path);
  return hone__text_take(&text);
}

hone_status hone__setting_words(const struct hone__task *task, const struct hone__node *node,
                                struct hone__words *words)
{
  hone_status status = NULL, placed;

  if (!node) return NULL;
  if (!words->data) words->data = hone__alloc(sizeof *words->data);
  for (size_t i = 0; node->kind == HONE__SEQUENCE && i < node->count; i++)
    hone__words_add(words, node->items[i]->text);
  if (node->kind == HONE__SCALAR) status = hone__words_split(words, node->text);
  if (!status) return NULL;
  placed = hone__backend_spec_error(task->spec, node, "%s", hone_status_message(status));
  hone_status_free(status);
  return placed;
}

/* ---- Flags ---- */

/* The name in braces at p, if it has a value; *out_length is that of "{NAME}". */
static bool find_name(const struct hone__task *task, const uint32_t *row, const char *p,
                      struct hone_value *out_value, size_t *out_length)
{
  size_t length = 0;
  char name[64];

  if (*p++ != '{') return false;
  while (isalnum((unsigned char)p[length]) || p[length] == '_' || p[length] == '.')
    length++;
  if (p[length] != '}' || length >= sizeof name) return false;
  memcpy(name, p, length);
  name[length] = 0;
  *out_length = length + 2;
  return hone__task_lookup(task, row, name, out_value);
}

static hone_status add_flag(const struct hone__task *task, const uint32_t *row,
                            const struct hone__node *node, struct hone__words *flags)
{
  const char *p = node->text;
  struct hone__text text = {0};
  struct hone_value value;
  size_t length;

  if (find_name(task, row, p, &value, &length) && !p[length] && value.type == HONE_TEXT)
    return hone__words_split(flags, value.text);
  while (*p) {
    if (find_name(task, row, p, &value, &length)) {
      hone__definition_print(&text, value, HONE__TRUE_IS_1);
      p += length;
    } else {
      hone__text_addn(&text, p++, 1);
    }
  }
  if (text.length) hone__words_add(flags, text.data);
  hone__text_release(&text);
  return NULL;
}

hone_status hone__setting_flags(const struct hone__task *task, const uint32_t *row,
                                const struct hone__node *node, struct hone__words *flags)
{
  hone_status status = NULL;

  for (size_t i = 0; node && i < node->count && !status; i++)
    status = add_flag(task, row, node->items[i], flags);
  return status;
}

void hone__setting_paths(const struct hone__task *task, const struct hone__node *node,
                         struct hone__words *paths)
{
  for (size_t i = 0; node && i < node->count; i++) {
    char *path = hone__setting_path(task, node->items[i]->text);
    hone__words_add(paths, path);
    free(path);
  }
}

double hone__setting_seconds(const struct hone__task *task, const char *path, double fallback)
{
  const struct hone__node *node = hone__task_setting(task, path);
  double seconds;

  if (!node || node->kind != HONE__SCALAR) return fallback;
  if (hone__node_number(node, &seconds) || hone__duration_parse(node->text, &seconds))
    return seconds;
  return fallback;
}
