/* Configurations of a task as text, as hone_space_parse reads them. */
#include "backend/task_parts.h"

void hone__task_add_value(struct hone__text *text, struct hone_value value)
{
  bool quote = value.type == HONE_TEXT &&
               (!*value.text || strpbrk(value.text, ",()[]'\"\\") || value.text[0] == ' ');

  if (quote)
    hone__value_repr(value, text);
  else
    hone__value_print(value, text);
}

static bool stands_again(const struct hone_space *space, size_t group, size_t param)
{
  const char *name = hone_space_param_name(space, group, param);

  for (size_t i = param + 1; i < hone_space_param_count(space, group); i++)
    if (strcmp(hone_space_param_name(space, group, i), name) == 0) return true;
  return false;
}

static void add_assignment(const struct hone__task *task, const uint32_t *row, size_t param,
                           struct hone__text *text)
{
  hone__text_addf(text, "%s%s=", text->length ? "," : "",
                  hone_space_param_name(task->space, row[0], param));
  hone__task_add_value(text, hone_space_value(task->space, row[0], param, row[1 + param]));
}

char *hone__task_config(const struct hone__task *task, const uint32_t *row)
{
  const struct hone_space *space = task->space;
  struct hone__text text = {0};

  for (size_t i = 0; i < hone_space_param_count(space, row[0]); i++) {
    if (stands_again(space, row[0], i)) continue;
    add_assignment(task, row, i, &text);
  }
  return hone__text_take(&text);
}

/* Whether "A=1,B=2" has a value for a parameter. */
static bool names(const char *config, const char *name)
{
  size_t length = strlen(name);

  for (const char *at = config; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
    at += strspn(at, " $");
    if (strncmp(at, name, length) == 0 && at[length + strspn(at + length, " ")] == '=') return true;
  }
  return false;
}

char *hone__task_complete(const struct hone__task *task, const char *config)
{
  const uint32_t *row = task->baseline;
  struct hone__text text = {0};

  hone__text_add(&text, config);
  for (size_t i = 0; i < hone_space_param_count(task->space, row[0]); i++)
    if (!stands_again(task->space, row[0], i) &&
        !names(config, hone_space_param_name(task->space, row[0], i)))
      add_assignment(task, row, i, &text);
  return hone__text_take(&text);
}
